/* The helper process cairn-decode when it misbehaves. tests/cairn-decode-faulty does what the name
 * of the file says: src/decode_program/faults.c. */
#include "cmocka_tests.h"

#include "render/decode/decoder.h"

#include <cairn/base/log.h>
#include <cairn/vfs/decoder.h>
#include <cairn/vfs.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static CnError error;

static int use_faulty_helper(void **state)
{
    (void)state;
    char path[4096];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    path[size > 0 ? size : 0] = 0;
    char *slash = strrchr(path, '/');
    strcpy(slash + 1, "cairn-decode-faulty");
    return setenv("CAIRN_DECODE", path, 1);
}

static bool decodes_within(const char *fault, uint32_t limit_ms)
{
    CnImage image;
    CnBudget budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    char name[128];
    cn_format(name, sizeof name, "fault-%s", fault);
    if (limit_ms)
        budget.decode_ms = limit_ms;
    error = (CnError){0};
    bool ok = cn_image_read(
        &(CnImageReadDesc){.bytes = "abc", .size = 3, .name = name, .budget = &budget}, &image,
        &error);
    assert_true(ok || !image.pixels);
    cn_image_free(&image);
    return ok;
}

static bool decodes(const char *fault)
{
    return decodes_within(fault, 0);
}

/* The error names the file and has these words. */
static void assert_refused(const char *fault, CnErrorCode code, const char *words)
{
    assert_false(decodes(fault));
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.file, fault));
    if (!strstr(error.message, words))
        fail_msg("%s: %s", fault, error.message);
}

static void a_helper_that_keeps_to_the_protocol_succeeds(void **state)
{
    (void)state;
    assert_true(decodes("four-pixels"));
}

/* ---- The sandbox ---- */

static void assert_killed(const char *fault)
{
    if (CN_DECODE_HAS_SANITIZER)
        skip();
    assert_refused(fault, CN_ERROR_FORMAT, "SIGSYS");
}

static void the_helper_cannot_open_files(void **state)
{
    (void)state;
    assert_killed("open");
}

static void the_helper_cannot_open_sockets(void **state)
{
    (void)state;
    assert_killed("socket");
}

static void the_helper_cannot_start_processes(void **state)
{
    (void)state;
    assert_killed("fork");
}

static void the_helper_cannot_start_programs(void **state)
{
    (void)state;
    assert_killed("exec");
}

static void the_helper_cannot_send_signals_to_the_engine(void **state)
{
    (void)state;
    assert_killed("kill");
}

static void the_helper_cannot_make_memory_executable(void **state)
{
    (void)state;
    assert_killed("mmap-exec");
}

static void the_helper_has_the_memory_of_its_budget(void **state)
{
    (void)state;
    if (CN_DECODE_HAS_SANITIZER)
        skip();
    assert_false(decodes("memory"));
    assert_int_equal(error.code, CN_ERROR_MEMORY);
}

/* ---- Its end ---- */

static void a_crash_is_an_error_with_the_signal(void **state)
{
    (void)state;
    assert_refused("crash", CN_ERROR_FORMAT, "SIGSEGV");
}

static void an_abort_is_an_error_with_the_signal(void **state)
{
    (void)state;
    assert_refused("abort", CN_ERROR_FORMAT, "SIGABRT");
}

static void assert_late(const char *fault)
{
    assert_false(decodes_within(fault, 200));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "CnBudget.decode_ms"));
    assert_non_null(strstr(error.message, "200 ms"));
}

static void a_helper_that_hangs_is_killed(void **state)
{
    (void)state;
    assert_late("hang");
}

static void a_helper_that_closes_the_socket_and_hangs_is_killed(void **state)
{
    (void)state;
    assert_late("close-and-hang");
}

static void a_helper_that_ends_early_has_no_result(void **state)
{
    (void)state;
    assert_refused("exit-early", CN_ERROR_FORMAT, "without a valid result");
}

static void a_helper_that_fails_to_start_is_an_error(void **state)
{
    (void)state;
    assert_refused("exit-status", CN_ERROR_UNSUPPORTED, "exit status 2");
}

static void every_job_leaves_no_process_behind(void **state)
{
    (void)state;
    decodes("four-pixels");
    decodes("crash");
    decodes_within("hang", 100);
    assert_int_equal(waitpid(-1, NULL, 0), -1); /* no child, running or dead */
}

static void every_job_closes_its_descriptors(void **state)
{
    (void)state;
    int before = dup(0);
    close(before);
    decodes("four-pixels");
    decodes("crash");
    decodes_within("hang", 100);
    int after = dup(0);
    close(after);
    assert_int_equal(before, after);
}

/* ---- Lies ---- */

static void dimensions_must_fit_the_pixels(void **state)
{
    (void)state;
    assert_refused("large-dimensions", CN_ERROR_FORMAT, "does not fit");
}

static void an_image_without_pixels_is_refused(void **state)
{
    (void)state;
    assert_refused("zero-dimensions", CN_ERROR_FORMAT, "does not fit");
}

static void dimensions_whose_product_overflows_are_refused(void **state)
{
    (void)state;
    assert_refused("overflowing-dimensions", CN_ERROR_FORMAT, "does not fit");
}

static void a_result_beyond_its_memory_is_refused(void **state)
{
    (void)state;
    assert_refused("size-beyond-the-end", CN_ERROR_FORMAT, "without a valid result");
}

static void an_error_without_an_end_is_cut(void **state)
{
    (void)state;
    assert_false(decodes("unterminated-error"));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_true(strlen(error.message) < sizeof error.message);
}

/* ---- Requests ---- */

static void an_unknown_request_ends_the_helper(void **state)
{
    (void)state;
    assert_refused("unknown-question", CN_ERROR_FORMAT, "unknown request");
}

static void a_short_request_ends_the_helper(void **state)
{
    (void)state;
    assert_refused("short-question", CN_ERROR_FORMAT, "malformed request");
}

static void a_request_without_an_end_ends_the_helper(void **state)
{
    (void)state;
    assert_refused("unterminated-question", CN_ERROR_FORMAT, "malformed request");
}

static void requests_are_limited(void **state)
{
    (void)state;
    assert_refused("ask-without-end", CN_ERROR_LIMIT, "more than 512 files");
}

static void a_helper_that_does_not_read_its_answers_is_ended(void **state)
{
    (void)state;
    assert_false(decodes_within("ask-without-reading", 2000));
    assert_true(error.code == CN_ERROR_LIMIT || error.code == CN_ERROR_IO);
}

static uint32_t lines;

static void count_line(const CnLogRecord *record, void *user)
{
    (void)user;
    assert_null(strchr(record->message, '\x1b'));
    lines += strstr(record->message, "a line") != NULL;
}

static void log_lines_are_escaped_and_limited(void **state)
{
    (void)state;
    lines = 0;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    int sink = cn_log_add_sink(&(CnLogSink){.write = count_line, .level = CN_LOG_LEVEL_WARNING});
    assert_true(decodes("log-without-end"));
    cn_log_remove_sink(sink);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_int_equal(lines, CN_DECODE_MAX_LOGS);
}

/* ---- Models ---- */

static void decode_model(const char *path)
{
    CniRenderModelData data;
    CnFileBytes main = {
        .data = (uint8_t *)"{}", .size = 2, .budget = cn_budget_of(CN_ORIGIN_FOREIGN)};
    cni_render_model_data_init(&data, NULL);
    error = (CnError){0};
    assert_false(cni_render_decode_model(cn_native_files(), path, NULL, main, &data, &error));
    cni_render_model_data_fini(&data);
}

static void assert_file_refused(const char *path)
{
    decode_model(path);
    if (!strstr(error.message, "REFUSED") || !strstr(error.message, "not in the folder"))
        fail_msg("%s: %s", path, error.message);
}

static void the_helper_gets_no_file_of_a_parent_folder(void **state)
{
    (void)state;
    assert_file_refused("fault/fault-ask-for-parent");
}

static void the_helper_gets_no_file_by_an_absolute_path(void **state)
{
    (void)state;
    assert_file_refused("fault/fault-ask-for-absolute-path");
}

static void the_helper_gets_no_file_of_another_scheme(void **state)
{
    (void)state;
    assert_file_refused("fault/fault-ask-for-other-scheme");
}

static void a_model_that_is_not_one_is_refused(void **state)
{
    (void)state;
    decode_model("fault-four-pixels");
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "not a baked model"));
}

static void spirv_that_is_not_one_is_refused(void **state)
{
    (void)state;
    uint32_t *words = NULL;
    size_t bytes;
    assert_false(cni_render_decode_glsl(&(CniRenderDecodeGlsl){.path = "fault-four-pixels"}, NULL,
                                        &words, &bytes, &error));
    assert_non_null(strstr(error.message, "not SPIR-V"));
}

/* ---- The program ---- */

static void a_missing_program_is_an_error_that_says_where_it_was_searched(void **state)
{
    (void)state;
    char *kept = strdup(getenv("CAIRN_DECODE"));
    setenv("CAIRN_DECODE", "/nowhere/cairn-decode", 1);
    assert_refused("four-pixels", CN_ERROR_NOT_FOUND, "/nowhere/cairn-decode");
    setenv("CAIRN_DECODE", kept, 1);
    free(kept);
}

static void a_program_that_is_no_helper_is_an_error(void **state)
{
    (void)state;
    char *kept = strdup(getenv("CAIRN_DECODE"));
    setenv("CAIRN_DECODE", "/bin/true", 1);
    assert_refused("four-pixels", CN_ERROR_FORMAT, "without a valid result");
    setenv("CAIRN_DECODE", kept, 1);
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_helper_that_keeps_to_the_protocol_succeeds),
        cmocka_unit_test(the_helper_cannot_open_files),
        cmocka_unit_test(the_helper_cannot_open_sockets),
        cmocka_unit_test(the_helper_cannot_start_processes),
        cmocka_unit_test(the_helper_cannot_start_programs),
        cmocka_unit_test(the_helper_cannot_send_signals_to_the_engine),
        cmocka_unit_test(the_helper_cannot_make_memory_executable),
        cmocka_unit_test(the_helper_has_the_memory_of_its_budget),
        cmocka_unit_test(a_crash_is_an_error_with_the_signal),
        cmocka_unit_test(an_abort_is_an_error_with_the_signal),
        cmocka_unit_test(a_helper_that_hangs_is_killed),
        cmocka_unit_test(a_helper_that_closes_the_socket_and_hangs_is_killed),
        cmocka_unit_test(a_helper_that_ends_early_has_no_result),
        cmocka_unit_test(a_helper_that_fails_to_start_is_an_error),
        cmocka_unit_test(every_job_leaves_no_process_behind),
        cmocka_unit_test(every_job_closes_its_descriptors),
        cmocka_unit_test(dimensions_must_fit_the_pixels),
        cmocka_unit_test(an_image_without_pixels_is_refused),
        cmocka_unit_test(dimensions_whose_product_overflows_are_refused),
        cmocka_unit_test(a_result_beyond_its_memory_is_refused),
        cmocka_unit_test(an_error_without_an_end_is_cut),
        cmocka_unit_test(an_unknown_request_ends_the_helper),
        cmocka_unit_test(a_short_request_ends_the_helper),
        cmocka_unit_test(a_request_without_an_end_ends_the_helper),
        cmocka_unit_test(requests_are_limited),
        cmocka_unit_test(a_helper_that_does_not_read_its_answers_is_ended),
        cmocka_unit_test(log_lines_are_escaped_and_limited),
        cmocka_unit_test(the_helper_gets_no_file_of_a_parent_folder),
        cmocka_unit_test(the_helper_gets_no_file_by_an_absolute_path),
        cmocka_unit_test(the_helper_gets_no_file_of_another_scheme),
        cmocka_unit_test(a_model_that_is_not_one_is_refused),
        cmocka_unit_test(spirv_that_is_not_one_is_refused),
        cmocka_unit_test(a_missing_program_is_an_error_that_says_where_it_was_searched),
        cmocka_unit_test(a_program_that_is_no_helper_is_an_error),
    };
    return cmocka_run_group_tests(tests, use_faulty_helper, NULL);
}
