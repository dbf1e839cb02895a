/* Damaged libraries: the table is found in them, or they are refused with an error; nothing outside
 * of the file is read. The cases come from a seed, so every run tests the same ones. */
#include "cmocka_tests.h"
#include "random.h"

#include "plugin/elf_table.h"

#include <cairn/base/file.h>
#include <cairn/plugin.h>

#include <link.h>
#include <string.h>

enum { CASES = 1000000 };

static const char *const libraries[] = {"edition_a", "edition_b", "wrong_abi", "no_table",
                                        "template_plugin"};

static CnFileBytes read_library(const char *name)
{
    char path[512];
    CnFileBytes bytes;
    cn_format(path, sizeof path, "%s/%s.so", CAIRN_TEST_PLUGINS, name);
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, NULL));
    return bytes;
}

static void a_whole_library_gives_its_table(void **state)
{
    (void)state;
    CniPluginTableHead head;
    CnError error = {0};
    CnFileBytes bytes = read_library("edition_a");
    assert_true(cni_plugin_read_table(bytes.data, bytes.size, "a", &head, &error));
    assert_int_equal(head.size, sizeof(CnPluginTable));
    assert_int_equal(head.abi, CN_PLUGIN_ABI);
    assert_true(head.sizes == CN_PLUGIN_SIZES);
    assert_int_equal(head.guards, CNI_PLUGIN_GUARDS);
    cn_file_bytes_free(&bytes);
}

static void a_library_of_another_processor_is_refused(void **state)
{
    (void)state;
    CniPluginTableHead head;
    static const size_t places[] = {EI_CLASS, EI_DATA, offsetof(ElfW(Ehdr), e_machine)};
    for (size_t i = 0; i < CN_COUNT_OF(places); i++) {
        CnError error = {0};
        CnFileBytes bytes = read_library("edition_a");
        bytes.data[places[i]] ^= 3;
        assert_false(cni_plugin_read_table(bytes.data, bytes.size, "a", &head, &error));
        assert_non_null(strstr(error.message, "another processor"));
        cn_file_bytes_free(&bytes);
    }
}

static void a_program_is_refused(void **state)
{
    (void)state;
    CniPluginTableHead head;
    CnError error = {0};
    CnFileBytes bytes = read_library("edition_a");
    bytes.data[offsetof(ElfW(Ehdr), e_type)] = ET_EXEC;
    assert_false(cni_plugin_read_table(bytes.data, bytes.size, "a", &head, &error));
    assert_non_null(strstr(error.message, "not a shared library"));
    cn_file_bytes_free(&bytes);
}

/* edition_b is linked with the older one, edition_a with GNU's. */
static void both_kinds_of_hash_tables_are_read(void **state)
{
    (void)state;
    CniPluginTableHead head;
    CnError error = {0};
    CnFileBytes bytes = read_library("edition_b");
    assert_true(cni_plugin_read_table(bytes.data, bytes.size, "b", &head, &error));
    assert_int_equal(head.abi, CN_PLUGIN_ABI);
    cn_file_bytes_free(&bytes);
}

/* Numbers that are just inside and outside of what is allowed. */
static void put_number(TestRandom *random, uint8_t *bytes, size_t size)
{
    static const uint64_t numbers[] = {0,          1,         2,          0x7f,
                                       0xff,       0x1000,    0xffff,     INT32_MAX,
                                       UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_MAX - 15};
    size_t width = (size_t)1 << test_random_below(random, 4);
    size_t at = test_random_below(random, (uint32_t)(size - width)) & ~(width - 1);
    uint64_t number = numbers[test_random_below(random, CN_COUNT_OF(numbers))];
    if (test_random_chance(random, 30))
        number = size - test_random_below(random, 64);
    memcpy(bytes + at, &number, width);
}

/* Most cases change the headers and the dynamic tables, which lie near the start and the end. */
static void mutate(TestRandom *random, uint8_t *bytes, size_t size)
{
    for (uint32_t n = 1 + test_random_below(random, 4); n > 0; n--) {
        size_t least = size < 1024 ? size : 1024;
        if (test_random_chance(random, 60))
            put_number(random, bytes, least);
        else if (test_random_chance(random, 50))
            put_number(random, bytes, size);
        else
            bytes[test_random_below(random, (uint32_t)size)] ^=
                (uint8_t)(1u << test_random_below(random, 8));
    }
}

/* Each case is a block of its own size, so that AddressSanitizer sees a read past its end. */
static void damaged_libraries_are_read_or_refused(void **state)
{
    (void)state;
    TestRandom random = {77};
    uint32_t refused = 0, found = 0;
    for (size_t l = 0; l < CN_COUNT_OF(libraries); l++) {
        CnFileBytes good = read_library(libraries[l]);
        for (uint32_t i = 0; i < CASES / CN_COUNT_OF(libraries); i++) {
            size_t size = test_random_chance(&random, 90)
                              ? good.size
                              : 64 + test_random_below(&random, (uint32_t)good.size - 64);
            uint8_t *bytes = cn_alloc(NULL, size);
            memcpy(bytes, good.data, size);
            mutate(&random, bytes, size);
            CniPluginTableHead head;
            CnError error = {0};
            bool ok = cni_plugin_read_table(bytes, size, "a", &head, &error);
            assert_true(ok == (error.code == CN_OK));
            found += ok;
            refused += !ok;
            cn_free(NULL, bytes, size);
        }
        cn_file_bytes_free(&good);
    }
    assert_true(found > CASES / 100 && refused > CASES / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_library_gives_its_table),
        cmocka_unit_test(a_library_of_another_processor_is_refused),
        cmocka_unit_test(a_program_is_refused),
        cmocka_unit_test(both_kinds_of_hash_tables_are_read),
        cmocka_unit_test(damaged_libraries_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
