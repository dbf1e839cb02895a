/*
 * The reference of mods, docs/mods_reference.md, and the annotations for editors come from the
 * tables of the API. When rows change on purpose, `golden.crafty.mod_reference write` in the root
 * of the project writes the reference anew.
 */
#include "cmocka_tests.h"

#include <crafty/sim/mod/mods.h>

#include <cairn/base/file.h>

#include <stdio.h>
#include <string.h>

#define DOCS "docs/mods_reference.md"

static const char head[] =
    "# Reference for mods\n\n"
    "Every function that a mod of Crafty can call, with an example that a test runs.\n"
    "[modding.md](modding.md) is the guide; `crafty mod new` writes the same rows as annotations "
    "for editors.\n\n"
    "Besides, there are Lua's own library without files, processes and chance, `print`, "
    "`require(\"lib.file\")`, `require(\"other_mod:file\")`, and `mod.name`.\n\n"
    "<!-- This file is written by golden.crafty.mod_reference. -->\n\n";

static void write_reference(CnTextBuilder *text)
{
    cn_array_init(text, NULL);
    assert_true(cn_text_append(text, cn_text(head)));
    assert_true(cn_lua_write_reference(crafty_mods_tables(), text));
}

static void the_reference_tells_about_every_function(void **state)
{
    (void)state;
    CnTextBuilder text;
    CnFileBytes docs = {0};
    write_reference(&text);
    assert_true(cn_file_read_all(cn_native_files(), DOCS, NULL, &docs, NULL));
    if (docs.size != text.count || memcmp(docs.data, text.items, text.count) != 0)
        fail_msg("%s is not up to date: run golden.crafty.mod_reference write", DOCS);
    cn_file_bytes_free(&docs);
    cn_array_fini(&text);
}

static void every_function_is_annotated(void **state)
{
    (void)state;
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    assert_true(cn_lua_write_annotations(crafty_mods_tables(), &text));
    for (const CnLuaTable *const *table = crafty_mods_tables(); *table; table++)
        for (const CnLuaFunction *row = (*table)->functions; row->name; row++) {
            char wanted[128];
            cn_format(wanted, sizeof wanted, "\nfunction %s%s%s(",
                      (*table)->name ? (*table)->name : "", (*table)->name ? "." : "", row->name);
            if (!strstr(text.items, wanted))
                fail_msg("%s is not annotated", row->name);
        }
    cn_array_fini(&text);
}

static int write_anew(void)
{
    CnTextBuilder text;
    CnError error = {0};
    write_reference(&text);
    bool good = cn_file_write_all(cn_native_files(), DOCS, text.items, text.count, &error);
    if (!good)
        fprintf(stderr, "%s\n", error.message);
    cn_array_fini(&text);
    return good ? 0 : 1;
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_tells_about_every_function),
        cmocka_unit_test(every_function_is_annotated),
    };
    if (count > 1 && strcmp(arguments[1], "write") == 0)
        return write_anew();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
