/* Origins and their budgets. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <cairn/base/file.h>

#include <string.h>

static void an_origin_that_is_not_given_is_user(void **state)
{
    (void)state;
    CnOrigin zero = {0};
    assert_int_equal(zero, CN_ORIGIN_USER);
}

static void every_budget_names_its_origin(void **state)
{
    (void)state;
    for (int i = 0; i < CN_ORIGIN_COUNT; i++)
        assert_int_equal(cn_budget_of((CnOrigin)i)->origin, i);
}

static void a_foreign_file_gets_less_of_everything_than_one_of_the_user(void **state)
{
    (void)state;
    const CnBudget *user = cn_budget_of(CN_ORIGIN_USER), *less = cn_budget_of(CN_ORIGIN_FOREIGN);
    assert_true(less->file_bytes < user->file_bytes);
    assert_true(less->image_pixels < user->image_pixels);
    assert_true(less->model_bytes < user->model_bytes);
    assert_true(less->model_vertices < user->model_vertices);
    assert_true(less->model_indices < user->model_indices);
    assert_true(less->model_parts < user->model_parts);
    assert_true(less->model_nodes < user->model_nodes);
    assert_true(less->scene_objects < user->scene_objects);
    assert_true(less->unpacked_bytes < user->unpacked_bytes);
    assert_true(less->decode_ms < user->decode_ms);
    assert_true(less->decode_memory_bytes < user->decode_memory_bytes);
}

static void what_is_made_of_two_files_has_the_origin_that_is_trusted_less(void **state)
{
    (void)state;
    assert_int_equal(cn_origin_least(CN_ORIGIN_TRUSTED, CN_ORIGIN_USER), CN_ORIGIN_USER);
    assert_int_equal(cn_origin_least(CN_ORIGIN_FOREIGN, CN_ORIGIN_TRUSTED), CN_ORIGIN_FOREIGN);
    assert_int_equal(cn_origin_least(CN_ORIGIN_USER, CN_ORIGIN_FOREIGN), CN_ORIGIN_FOREIGN);
    assert_int_equal(cn_origin_least(CN_ORIGIN_TRUSTED, CN_ORIGIN_TRUSTED), CN_ORIGIN_TRUSTED);
}

static void a_refusal_names_the_limit_and_how_to_raise_it(void **state)
{
    (void)state;
    CnError error = {0};
    assert_false(cn_budget_refuse(&error, cn_budget_of(CN_ORIGIN_FOREIGN), "mods://a.png",
                                  "image_pixels", 99, 7));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_string_equal(error.file, "mods://a.png");
    assert_string_equal(error.message,
                        "image_pixels is 99; a file of foreign origin may have 7; a mount with a "
                        "larger CnBudget.image_pixels allows more");
}

/* ---- Files ---- */

static CnBudget four_bytes;

static const CnBudget *give_four_bytes(CnFileSystem *fs, CnFile *file)
{
    (void)fs, (void)file;
    return &four_bytes;
}

static bool read_of_budget(const char *text, CnFileBytes *bytes, CnError *error)
{
    Scratch scratch;
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "a.txt");
    assert_true(cn_file_write_all(cn_native_files(), path, text, strlen(text), NULL));
    CnFileSystem files = *cn_native_files();
    files.budget = give_four_bytes;
    four_bytes = *cn_budget_of(CN_ORIGIN_FOREIGN);
    four_bytes.file_bytes = 4;
    bool ok = cn_file_read_all(&files, scratch_path(&scratch, "a.txt"), NULL, bytes, error);
    scratch_fini(&scratch);
    return ok;
}

static void a_file_within_its_budget_is_read_and_carries_it(void **state)
{
    (void)state;
    CnFileBytes bytes;
    assert_true(read_of_budget("1234", &bytes, NULL));
    assert_ptr_equal(bytes.budget, &four_bytes);
    cn_file_bytes_free(&bytes);
}

static void a_file_larger_than_its_budget_is_refused(void **state)
{
    (void)state;
    CnFileBytes bytes;
    CnError error = {0};
    assert_false(read_of_budget("12345", &bytes, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "CnBudget.file_bytes"));
}

/* Files in /proc have no size before they are read. */
static void a_file_that_hides_its_size_is_refused_as_well(void **state)
{
    (void)state;
    CnFileSystem files = *cn_native_files();
    files.budget = give_four_bytes;
    four_bytes = *cn_budget_of(CN_ORIGIN_FOREIGN);
    four_bytes.file_bytes = 4;
    CnFileBytes bytes;
    CnError error = {0};
    assert_false(cn_file_read_all(&files, "/proc/self/status", NULL, &bytes, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

static void a_native_file_is_of_the_user(void **state)
{
    (void)state;
    CnFileBytes bytes;
    assert_true(cn_file_read_all(cn_native_files(), "README.md", NULL, &bytes, NULL));
    assert_int_equal(bytes.budget->origin, CN_ORIGIN_USER);
    cn_file_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_origin_that_is_not_given_is_user),
        cmocka_unit_test(every_budget_names_its_origin),
        cmocka_unit_test(a_foreign_file_gets_less_of_everything_than_one_of_the_user),
        cmocka_unit_test(what_is_made_of_two_files_has_the_origin_that_is_trusted_less),
        cmocka_unit_test(a_refusal_names_the_limit_and_how_to_raise_it),
        cmocka_unit_test(a_file_within_its_budget_is_read_and_carries_it),
        cmocka_unit_test(a_file_larger_than_its_budget_is_refused),
        cmocka_unit_test(a_file_that_hides_its_size_is_refused_as_well),
        cmocka_unit_test(a_native_file_is_of_the_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
