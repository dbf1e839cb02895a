/* Finding, checking and ordering mods. */
#include "mod_files_fixture.h"
#include "zip_file.h"

#include <unistd.h>

static CraftyModSet *set;
static CnError error;

/* All mods of "mods" are enabled. */
static void load_all(void)
{
    char folder[300];
    cn_copy_text(folder, sizeof folder, cn_text(mod_path("mods")));
    set = crafty_mod_set_create(
        &(CraftyModSetDesc){.folders = &(CraftyModFolder){.path = folder, .is_enabled = true},
                            .folder_count = 1},
        &error);
    assert_non_null(set);
}

/* Mods of "mods" and "later"; one is enabled. */
static void load_one(const char *name)
{
    char first[300], second[300];
    cn_copy_text(first, sizeof first, cn_text(mod_path("mods")));
    cn_copy_text(second, sizeof second, cn_text(mod_path("later")));
    CraftyModFolder folders[] = {{.path = first}, {.path = second}};
    set = crafty_mod_set_create(&(CraftyModSetDesc){.folders = folders,
                                                    .folder_count = CN_COUNT_OF(folders),
                                                    .enabled = &name,
                                                    .enabled_count = 1},
                                &error);
    assert_non_null(set);
}

static void expect_order(const char *expected)
{
    char names[256] = "";
    for (uint32_t i = 0; i < crafty_mod_set_count(set); i++) {
        size_t size = strlen(names);
        snprintf(names + size, sizeof names - size, "%s%s", i ? " " : "",
                 crafty_mod_set_at(set, i)->manifest.name);
    }
    assert_string_equal(names, expected);
}

static void expect_problem(const char *name, const char *words)
{
    for (uint32_t i = 0; i < crafty_mod_set_problem_count(set); i++) {
        const CraftyModProblem *problem = crafty_mod_set_problem(set, i);
        if (strcmp(problem->name, name) == 0 && strstr(problem->error.message, words))
            return;
    }
    for (uint32_t i = 0; i < crafty_mod_set_problem_count(set); i++)
        print_message("%s: %s\n", crafty_mod_set_problem(set, i)->name,
                      crafty_mod_set_problem(set, i)->error.message);
    fail_msg("%s has no problem with \"%s\"", name, words);
}

static void dependencies_come_first(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", "\"dependencies\": {\"z\": \"^1\"}");
    mod_write("mods/z", "z", "1.2.0", "\"dependencies\": {\"m\": \"*\"}");
    mod_write("mods/m", "m", "0.1.0", NULL);
    load_all();
    expect_order("m z a");
    assert_int_equal(crafty_mod_set_problem_count(set), 0);
    assert_int_equal(crafty_mod_set_at(set, 2)->dependency_count, 1);
    assert_int_equal(crafty_mod_set_at(set, 2)->dependencies[0], 1);
}

static void independent_mods_are_ordered_by_name(void **state)
{
    (void)state;
    mod_write("mods/1", "c", "1.0.0", NULL);
    mod_write("mods/2", "b", "1.0.0", NULL);
    mod_write("mods/3", "a", "1.0.0", NULL);
    load_all();
    expect_order("a b c");
}

static void an_optional_dependency_comes_first_if_it_runs(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", "\"optional_dependencies\": {\"z\": \"1\", \"y\": \"*\"}");
    mod_write("mods/z", "z", "1.0.0", NULL);
    load_all();
    expect_order("z a");
    assert_int_equal(crafty_mod_set_problem_count(set), 0);
}

static void an_optional_dependency_of_another_version_is_not_used(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", "\"optional_dependencies\": {\"z\": \"2\"}");
    mod_write("mods/z", "z", "1.0.0", NULL);
    load_all();
    expect_order("a z");
    expect_problem("a", "it can use z 2, and 1.0.0 is installed");
    assert_int_equal(crafty_mod_set_at(set, 0)->dependency_count, 0);
}

static void only_enabled_mods_and_what_they_need_run(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", "\"dependencies\": {\"b\": \"*\"}");
    mod_write("mods/b", "b", "1.0.0", NULL);
    mod_write("mods/c", "c", "1.0.0", NULL);
    load_one("a");
    expect_order("b a");
    assert_int_equal(crafty_mod_set_found_count(set), 3);
    assert_null(crafty_mod_set_find(set, "c"));
}

static void an_enabled_mod_that_is_missing_is_a_problem(void **state)
{
    (void)state;
    load_one("a");
    expect_order("");
    expect_problem("a", "it is not installed");
}

static void a_missing_dependency_stops_only_its_dependents(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", "\"dependencies\": {\"b\": \"*\"}");
    mod_write("mods/b", "b", "1.0.0", "\"dependencies\": {\"gone\": \"^1\"}");
    mod_write("mods/c", "c", "1.0.0", NULL);
    load_all();
    expect_order("c");
    expect_problem("b", "it needs gone ^1, which is not installed");
    expect_problem("a", "it needs b, which does not run");
}

static void a_dependency_of_another_version_is_a_problem(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", "\"dependencies\": {\"b\": \"^2\"}");
    mod_write("mods/b", "b", "1.5.0", NULL);
    load_all();
    expect_order("b");
    expect_problem("a", "it needs b ^2, and 1.5.0 is installed");
}

static void a_cycle_is_reported_with_its_chain(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", "\"dependencies\": {\"b\": \"*\"}");
    mod_write("mods/b", "b", "1.0.0", "\"dependencies\": {\"c\": \"*\"}");
    mod_write("mods/c", "c", "1.0.0", "\"dependencies\": {\"b\": \"*\"}");
    mod_write("mods/d", "d", "1.0.0", NULL);
    load_all();
    expect_order("d");
    expect_problem("b", "c needs b, which needs c");
    expect_problem("c", "form a cycle");
    expect_problem("a", "it needs b, which does not run");
}

static void a_conflict_stops_the_mod_that_declares_it(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", "\"conflicts\": {\"b\": \"<2\", \"c\": \"<2\"}");
    mod_write("mods/b", "b", "1.0.0", NULL);
    load_all();
    expect_order("b");
    expect_problem("a", "does not work together with b 1.0.0");
}

static void a_mod_for_another_version_of_the_game_does_not_run(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", "\"game\": \"^999\"");
    mod_write("mods/b", "b", "1.0.0", "\"game\": \"^" CRAFTY_MOD_API_VERSION "\"");
    load_all();
    expect_order("b");
    expect_problem("a", "it is made for version ^999");
}

static void the_mod_of_the_later_folder_is_used(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", NULL);
    mod_write("later/a", "a", "2.0.0", NULL);
    load_one("a");
    assert_string_equal(crafty_mod_set_at(set, 0)->manifest.version_text, "2.0.0");
    assert_int_equal(crafty_mod_set_problem_count(set), 1);
    assert_true(crafty_mod_set_problem(set, 0)->is_warning);
    expect_problem("a", "not used");
}

static void in_one_folder_the_first_file_name_is_used(void **state)
{
    (void)state;
    mod_write("mods/1", "a", "1.0.0", NULL);
    mod_write("mods/2", "a", "2.0.0", NULL);
    load_all();
    assert_string_equal(crafty_mod_set_at(set, 0)->manifest.version_text, "1.0.0");
    expect_problem("a", "not used");
}

static void a_broken_mod_stops_only_itself(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", NULL);
    mod_write_file("mods/broken/mod.json", "{\"name\": \"broken\",\n \"version\": }");
    mod_write_file("mods/empty/readme.txt", "nothing");
    mod_write_file("mods/silent/mod.json", "{\"name\": \"silent\", \"version\": \"1.0.0\"}");
    mod_write_file("mods/noise.zip", "not an archive");
    load_all();
    expect_order("a");
    expect_problem("empty", "it has no mod.json");
    expect_problem("silent", "it has no main.lua");
    expect_problem("noise", "neither a folder nor a zip archive");
    for (uint32_t i = 0; i < crafty_mod_set_problem_count(set); i++) {
        const CraftyModProblem *problem = crafty_mod_set_problem(set, i);
        if (strcmp(problem->name, "broken") == 0) {
            assert_string_equal(problem->error.file, "broken/mod.json");
            assert_int_equal(problem->error.line, 2);
        }
    }
    assert_int_equal(crafty_mod_set_problem_count(set), 4);
}

static void archives_are_mods(void **state)
{
    (void)state;
    static const ZipEntry entries[] = {
        {"mod.json", "{\"name\": \"a\", \"version\": \"1.0.0\"}\n", false},
        {"main.lua", "-- nothing\n", false}};
    mod_write("mods/b", "b", "1.0.0", NULL);
    assert_true(zip_write(mod_path("mods/a-1.0.zip"), entries, CN_COUNT_OF(entries)));
    load_all();
    expect_order("a b");
    assert_true(crafty_mod_set_find(set, "a")->is_archive);
}

static void a_folder_and_an_archive_with_the_same_files_have_the_same_hash(void **state)
{
    (void)state;
    static const ZipEntry entries[] = {
        {"main.lua", "-- nothing\n", false},
        {".hidden", "x", false},
        {"mod.json", "{\"name\": \"a\", \"version\": \"1.0.0\"}\n", false}};
    mod_write("mods/a", "a", "1.0.0", NULL);
    mod_write_file("later/unused", "");
    load_one("a");
    uint64_t hash = crafty_mod_set_at(set, 0)->hash;
    crafty_mod_set_destroy(set);
    assert_true(zip_write(mod_path("later/a.zip"), entries, CN_COUNT_OF(entries)));
    load_one("a");
    assert_true(crafty_mod_set_at(set, 0)->is_archive);
    assert_true(crafty_mod_set_at(set, 0)->hash == hash && hash != 0);
    assert_int_equal(crafty_mod_set_at(set, 0)->size_bytes,
                     strlen(entries[0].content) + strlen(entries[2].content));
}

static void the_hash_depends_on_every_file(void **state)
{
    (void)state;
    mod_write("mods/a", "a", "1.0.0", NULL);
    load_all();
    uint64_t hash = crafty_mod_set_at(set, 0)->hash;
    crafty_mod_set_destroy(set);
    mod_write_file("mods/a/textures/wall.png", "x");
    load_all();
    assert_true(crafty_mod_set_at(set, 0)->hash != hash);
}

static void files_of_a_mod_are_foreign_and_below_its_root(void **state)
{
    (void)state;
    CnFileBytes bytes;
    mod_write("mods/x", "a", "1.0.0", NULL);
    load_all();
    const CraftyMod *mod = crafty_mod_set_at(set, 0);
    assert_string_equal(mod->root, "mods://a");
    assert_string_equal(mod->entry, "mods://a/main.lua");
    assert_true(cn_file_read_all(crafty_mod_set_files(set), mod->entry, NULL, &bytes, &error));
    assert_int_equal(bytes.budget->origin, CN_ORIGIN_FOREIGN);
    cn_file_bytes_free(&bytes);
}

static void links_in_a_mod_lead_nowhere(void **state)
{
    (void)state;
    CnFileBytes bytes;
    mod_write("mods/a", "a", "1.0.0", NULL);
    mod_write_file("secret", "secret");
    assert_int_equal(symlink(mod_path("secret"), mod_path("mods/a/link.lua")), 0);
    load_all();
    assert_false(
        cn_file_read_all(crafty_mod_set_files(set), "mods://a/link.lua", NULL, &bytes, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
}

static void a_path_may_be_a_mod_itself(void **state)
{
    (void)state;
    char folder[300];
    mod_write("a", "a", "1.0.0", NULL);
    cn_copy_text(folder, sizeof folder, cn_text(mod_path("a")));
    set = crafty_mod_set_create(
        &(CraftyModSetDesc){.folders = &(CraftyModFolder){.path = folder, .is_enabled = true},
                            .folder_count = 1},
        &error);
    assert_non_null(set);
    expect_order("a");
}

static void a_missing_folder_is_a_problem_only_if_it_is_required(void **state)
{
    (void)state;
    CraftyModFolder folders[] = {{.path = "/nowhere/a"},
                                 {.path = "/nowhere/b", .is_required = true}};
    set = crafty_mod_set_create(&(CraftyModSetDesc){.folders = folders, .folder_count = 2}, &error);
    assert_non_null(set);
    assert_int_equal(crafty_mod_set_problem_count(set), 1);
    assert_string_equal(crafty_mod_set_problem(set, 0)->native, "/nowhere/b");
}

static int begin(void **state)
{
    (void)state;
    scratch_init(&mod_scratch);
    error = (CnError){0};
    set = NULL;
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_mod_set_destroy(set);
    scratch_fini(&mod_scratch);
    return 0;
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(dependencies_come_first),
        TEST(independent_mods_are_ordered_by_name),
        TEST(an_optional_dependency_comes_first_if_it_runs),
        TEST(an_optional_dependency_of_another_version_is_not_used),
        TEST(only_enabled_mods_and_what_they_need_run),
        TEST(an_enabled_mod_that_is_missing_is_a_problem),
        TEST(a_missing_dependency_stops_only_its_dependents),
        TEST(a_dependency_of_another_version_is_a_problem),
        TEST(a_cycle_is_reported_with_its_chain),
        TEST(a_conflict_stops_the_mod_that_declares_it),
        TEST(a_mod_for_another_version_of_the_game_does_not_run),
        TEST(the_mod_of_the_later_folder_is_used),
        TEST(in_one_folder_the_first_file_name_is_used),
        TEST(a_broken_mod_stops_only_itself),
        TEST(archives_are_mods),
        TEST(a_folder_and_an_archive_with_the_same_files_have_the_same_hash),
        TEST(the_hash_depends_on_every_file),
        TEST(files_of_a_mod_are_foreign_and_below_its_root),
        TEST(links_in_a_mod_lead_nowhere),
        TEST(a_path_may_be_a_mod_itself),
        TEST(a_missing_folder_is_a_problem_only_if_it_is_required),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
