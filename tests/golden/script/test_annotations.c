/*
 * The annotations of a small world, and the reference in docs/scripting.md, which comes from the
 * same rows. When rows change on purpose, `golden.script.annotations write` in the root of the
 * project writes both anew.
 */
#include "cmocka_tests.h"
#include "script/script_internal.h"
#include "script_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOLDEN "tests/golden/script/cairn.lua"
#define DOCS "docs/scripting.md"
#define MARK "<!-- What follows is written by golden.script.annotations. -->\n"

static const char *const kinds[] = {"Bulb", "Spot", NULL};
static const CnReflectedField lamp_fields[] = {
    {.key = "lampType", .field = "kind", .kind = CN_REFLECTED_CHOICE, .choices = kinds},
    {.key = "watts", .field = "power", .minimum = 1, .maximum = 100, .about = "how\nmuch"},
    {.key = "shape.radius", .field = "radius"},
    {.key = "shape.size", .field = "size"},
    {.key = "turn", .field = "turn", .kind = CN_REFLECTED_EULER},
    {.key = "secret", .field = "secret", .kind = CN_REFLECTED_HIDDEN},
};
static const CnReflectedType lamp_shown = {.name = "LampComponent",
                                           .type = &cn_type_SceneLamp,
                                           .fields = lamp_fields,
                                           .field_count = CN_COUNT_OF(lamp_fields),
                                           .about = "A lamp."};

static void write_annotations(CnTextBuilder *text)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    cn_register(world, SceneEvery);
    cn_register(world, ScriptAlarm);
    cn_reflection_add(world, &lamp_shown, NULL);
    CnError error = {0};
    assert_true(cn_script_annotations(world, text, &error));
    cn_world_destroy(world);
}

static void write_row(CnTextBuilder *text, const CniScriptBindingTable *table,
                      const CniScriptBinding *row)
{
    const char *in = table->name && row->kind == CNI_SCRIPT_FUNCTION ? table->name : "";
    const char *dot = *in ? "." : row->kind == CNI_SCRIPT_METHOD ? ":" : "";
    bool property = row->kind == CNI_SCRIPT_PROPERTY;
    cn_text_append_format(text, "- `%s%s%s%s%s`%s %s\n", in, dot, row->name, property ? ": " : "",
                          row->type, property && row->call && !row->set ? " (read only)" : "",
                          row->about);
}

static void write_reference(CnTextBuilder *text)
{
    for (const CniScriptBindingTable *const *table = cni_script_binding_tables(); *table; table++) {
        const char *name = (*table)->name;
        cn_text_append_format(text, "\n### %s\n\n", name ? name : (*table)->about);
        if (name)
            cn_text_append_format(text, "%s\n\n", (*table)->about);
        for (const CniScriptBinding *row = (*table)->bindings; row->name; row++)
            write_row(text, *table, row);
    }
}

/* The bytes of a file, terminated. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *bytes = calloc((size_t)size + 1, 1);
    size_t got = fread(bytes, 1, (size_t)size, file);
    fclose(file);
    bytes[got] = 0;
    return bytes;
}

static void the_annotations_are_as_they_were(void **state)
{
    (void)state;
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    write_annotations(&text);
    char *golden = read_file(GOLDEN);
    assert_non_null(golden);
    assert_string_equal(text.items, golden);
    free(golden);
    cn_array_fini(&text);
}

static void the_reference_tells_about_every_row(void **state)
{
    (void)state;
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    write_reference(&text);
    char *docs = read_file(DOCS);
    assert_non_null(docs);
    const char *mark = strstr(docs, MARK);
    assert_non_null(mark);
    assert_string_equal(mark + strlen(MARK), text.items);
    free(docs);
    cn_array_fini(&text);
}

static void every_row_has_a_type_and_a_line_about_it(void **state)
{
    (void)state;
    for (const CniScriptBindingTable *const *table = cni_script_binding_tables(); *table; table++) {
        assert_non_null((*table)->about);
        for (const CniScriptBinding *row = (*table)->bindings; row->name; row++)
            if (!row->type || !row->about || !row->about[0] || strchr(row->about, '\n') ||
                (row->kind != CNI_SCRIPT_PROPERTY) != (row->type[0] == '('))
                fail_msg("%s lacks a type or a line about it", row->name);
    }
}

static void every_row_is_annotated(void **state)
{
    (void)state;
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    write_annotations(&text);
    for (const CniScriptBindingTable *const *table = cni_script_binding_tables(); *table; table++)
        for (const CniScriptBinding *row = (*table)->bindings; row->name; row++) {
            const char *in = (*table)->name ? (*table)->name : "";
            char wanted[128];
            if (row->kind == CNI_SCRIPT_PROPERTY)
                cn_format(wanted, sizeof wanted, "---@field %s %s", row->name, row->type);
            else if (row->kind != CNI_SCRIPT_OPERATOR)
                cn_format(wanted, sizeof wanted, "\nfunction %s%s%s(", in,
                          !*in                             ? ""
                          : row->kind == CNI_SCRIPT_METHOD ? ":"
                                                           : ".",
                          row->name);
            else
                cn_format(wanted, sizeof wanted, "%s", row->name + 2);
            if (!strstr(text.items, wanted))
                fail_msg("the annotations lack: %s", wanted);
        }
    cn_array_fini(&text);
}

static void the_annotations_are_lua(void **state)
{
    (void)state;
    ScriptWorld w;
    assert_true(script_world_init(&w, &(ScriptWorldDesc){0}));
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    cn_text_append(&text, cn_text("if true then return 'it is' end\n"));
    CnError error = {0};
    assert_true(cn_script_annotations(w.world, &text, &error));
    assert_string_equal(script_run(&w, text.items), "it is");
    cn_array_fini(&text);
    script_world_fini(&w);
}

static void write_file(const char *path, const char *before, size_t size, const CnTextBuilder *text)
{
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(before, 1, size, file);
        fwrite(text->items, 1, text->count, file);
        fclose(file);
    }
}

static int write_both(void)
{
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    write_annotations(&text);
    write_file(GOLDEN, "", 0, &text);
    cn_array_clear(&text);
    write_reference(&text);
    char *docs = read_file(DOCS);
    char *mark = docs ? strstr(docs, MARK) : NULL;
    if (mark)
        write_file(DOCS, docs, (size_t)(mark - docs) + strlen(MARK), &text);
    free(docs);
    cn_array_fini(&text);
    return mark ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "write"))
        return write_both();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_annotations_are_as_they_were),
        cmocka_unit_test(the_reference_tells_about_every_row),
        cmocka_unit_test(every_row_has_a_type_and_a_line_about_it),
        cmocka_unit_test(every_row_is_annotated),
        cmocka_unit_test(the_annotations_are_lua),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
