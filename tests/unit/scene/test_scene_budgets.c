/* What files of scenes and prefabs may take: memory while they are parsed, objects, bytes. */
#include "cmocka_tests.h"
#include "memory_files.h"
#include "scene_world.h"

#include <cairn/scene/world_json.h>

#include <jansson.h>
#include <stdlib.h>

/* ---- Memory of jansson, which does not use the allocator of the world ---- */

static size_t json_live, json_peak;

static void *count_malloc(size_t bytes)
{
    size_t *block = malloc(bytes + 16);
    if (!block)
        return NULL;
    block[0] = bytes;
    json_live += bytes + 16;
    json_peak = json_live > json_peak ? json_live : json_peak;
    return block + 2;
}

static void count_free(void *address)
{
    size_t *block = address;
    if (!block)
        return;
    json_live -= block[-2] + 16;
    free(block - 2);
}

/* ---- Fixture ---- */

static CnHeap *heap;
static CnWorld *world;
static MemoryFiles memory;
static CnTextBuilder text;
static CnError error;

static int make_world(void **state)
{
    (void)state;
    memory_files_init(&memory);
    heap = cn_heap_create(NULL, NULL);
    world = scene_world_create(cn_heap_tag(heap, "world"));
    cn_array_init(&text, NULL);
    cn_error_clear(&error);
    json_set_alloc_funcs(count_malloc, count_free);
    json_live = json_peak = 0;
    return world ? 0 : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_array_fini(&text);
    cn_world_destroy(world);
    assert_int_equal(json_live, 0);
    json_set_alloc_funcs(malloc, free);
    cn_heap_destroy(heap);
    return 0;
}

#define BUDGET_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

static const CnBudget *foreign(CnFileSystem *files, CnFile *file)
{
    (void)files;
    (void)file;
    return cn_budget_of(CN_ORIGIN_FOREIGN);
}

/* ---- Texts that a parser turns into much more memory ---- */

#define FILE_BYTES (8u << 20)

/* `begin`, as many of `part` as the file has room for, and `end`. */
static void fill_text(const char *begin, const char *part, const char *end)
{
    cn_array_clear(&text);
    cn_text_append(&text, cn_text(begin));
    while (text.count + strlen(part) + 4 + strlen(end) < FILE_BYTES) {
        cn_text_append(&text, cn_text(part));
        cn_text_append(&text, cn_text(","));
    }
    cn_text_append(&text, cn_text(part));
    cn_text_append(&text, cn_text(end));
}

/* Reads the text; asserts a failure that took at most nine times its size, in addition to the text
 * itself, and left nothing. */
static void assert_refused_cheaply(CnErrorCode code)
{
    uint64_t before = cn_heap_stats(heap).peak_bytes;
    json_peak = 0;
    cn_error_clear(&error);
    assert_false(cn_scene_read_text(world, &memory.files, "flood.json",
                                    (CnText){text.items, text.count}, NULL, &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.file, "flood.json");
    assert_true(error.line > 0);
    assert_int_equal(cn_entity_count(world), 0);
    uint64_t heap_bytes = cn_heap_stats(heap).peak_bytes - before;
    if (heap_bytes + json_peak > 9 * (uint64_t)text.count)
        fail_msg("%llu bytes of the heap and %zu of jansson for %zu bytes of text",
                 (unsigned long long)heap_bytes, json_peak, (size_t)text.count);
}

static void a_flood_of_nodes_takes_little_memory(void **state)
{
    (void)state;
    static const char *const parts[] = {"{}", "[]", "0", "\"\"", "[[]]", "{\"id\":{}}", "null"};
    for (uint32_t i = 0; i < CN_COUNT_OF(parts); i++) {
        fill_text("{\"id\":\"F\",\"nodes\":[", parts[i], "]}");
        assert_refused_cheaply(CN_ERROR_FORMAT);
    }
}

static void a_flood_of_components_takes_little_memory(void **state)
{
    (void)state;
    static const char *const parts[] = {"{}", "[]", "0"};
    for (uint32_t i = 0; i < CN_COUNT_OF(parts); i++) {
        fill_text("{\"nodes\":[{\"id\":\"a\",\"components\":[", parts[i], "]}]}");
        assert_refused_cheaply(CN_ERROR_LIMIT);
        assert_int_equal(error.column, 11); /* the node */
    }
}

static void a_flood_in_nested_nodes_takes_little_memory(void **state)
{
    (void)state;
    fill_text("{\"nodes\":[{\"id\":\"a\",\"children\":[{\"id\":\"b\",\"children\":[", "{}",
              "]}]}]}");
    assert_refused_cheaply(CN_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "a node needs an \"id\""));
}

static void a_flood_of_brackets_takes_little_memory(void **state)
{
    (void)state;
    cn_text_append(&text, cn_text("{\"nodes\":"));
    for (uint32_t i = 0; i < FILE_BYTES; i++)
        cn_text_append(&text, cn_text("["));
    assert_refused_cheaply(CN_ERROR_LIMIT);
    char nested[1025];
    memset(nested, '[', 512);
    memset(nested + 512, ']', 512);
    nested[1024] = 0;
    fill_text("{\"id\":\"F\",\"nodes\":[", nested, "]}");
    assert_refused_cheaply(CN_ERROR_FORMAT);
}

static void a_flood_of_materials_takes_little_memory(void **state)
{
    (void)state;
    fill_text("{\"materials\":[", "{}", "],\"nodes\":[0]}");
    assert_refused_cheaply(CN_ERROR_FORMAT);
    fill_text("{\"materials\":[[", "{}", "]],\"nodes\":[0]}");
    assert_refused_cheaply(CN_ERROR_LIMIT);
}

static void a_flood_of_unknown_members_takes_little_memory(void **state)
{
    (void)state;
    fill_text("{\"nodes\":[],\"x\":[", "{}", "]}");
    assert_refused_cheaply(CN_ERROR_LIMIT);
}

static void a_flood_in_a_prefab_takes_little_memory(void **state)
{
    (void)state;
    fill_text("{\"id\":\"a\",\"children\":[", "{}", "]}");
    cn_text_append(&text, (CnText){"", 1});
    memory_files_set(&memory, "flood.json", text.items);
    uint64_t before = cn_heap_stats(heap).peak_bytes;
    assert_true(cn_entity_is_null(
        cn_prefab_spawn(world, &memory.files, "flood.json", CN_NO_PARENT, &error)));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_true(cn_heap_stats(heap).peak_bytes - before + json_peak < 10 * (uint64_t)text.count);
}

static void a_flood_in_a_world_is_refused_before_it_is_parsed(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    cn_text_append(&text, cn_text("{\"format\":\"cairn world\",\"version\":2,\"resources\":[{}"));
    while (text.count < 2 * FILE_BYTES) /* 1.3 GiB when they are parsed */
        cn_text_append(&text, cn_text(",{},{},{},{}"));
    cn_text_append(&text, cn_text("]}"));
    assert_false(cn_snapshot_from_json(NULL, "world.json", (CnText){text.items, text.count},
                                       &snapshot, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "at most 768 MiB are allowed"));
    assert_int_equal(json_peak, 0);
}

static void a_flood_of_materials_is_not_written(void **state)
{
    (void)state;
    CnTextBuilder written;
    fill_text("[", "{}", "]");
    cn_text_append(&text, (CnText){"", 1});
    cn_array_init(&written, NULL);
    assert_false(
        cn_scene_write_text(world, &written, &(CnSceneFile){.materials = text.items}, &error));
    cn_array_fini(&written);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_string_equal(error.message,
                        "the values of materials would take more than 64 MiB of memory");
    assert_int_equal(json_peak, 0);
}

/* ---- Large files that are right, and positions in them ---- */

#define MANY 3000u

/* Many nodes, each with a child, a reference and a component, below `depth` nested ones. */
static void write_large_scene(uint32_t depth, const char *last)
{
    cn_array_clear(&text);
    cn_text_append(&text, cn_text("{\"id\": \"L\",\n \"materials\": [],\n \"nodes\": ["));
    for (uint32_t i = 0; i < depth; i++)
        cn_text_append_format(&text, "\n{\"id\": \"D%u\", \"children\": [", i);
    for (uint32_t i = 0; i < MANY; i++)
        cn_text_append_format(&text,
                              "\n{\"id\": \"n%u\", \"components\": [{\"type\": "
                              "\"SceneLink\", \"target\": \"%s\"}],"
                              " \"children\": [{\"id\": \"}],\"}]},",
                              i, depth ? "D0" : "n0");
    cn_text_append_format(&text, "\n%s", last);
    for (uint32_t i = 0; i < depth; i++)
        cn_text_append(&text, cn_text("], \"enabled\": true}"));
    cn_text_append(&text, cn_text("], \"activeCamera\": \"Eye\"}"));
}

#define EYE "{\"id\": \"Eye\", \"components\": [{\"type\": \"CameraComponent\"}]}"

static bool read_large(CnSceneFile *file)
{
    return cn_scene_read_text(world, &memory.files, "large.json", (CnText){text.items, text.count},
                              file, &error);
}

static void a_large_scene_is_read_completely(void **state)
{
    (void)state;
    CnSceneFile file;
    write_large_scene(0, EYE);
    if (!read_large(&file))
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    assert_int_equal(file.node_count, 2 * MANY + 1);
    assert_string_equal(file.materials, "[]");
    assert_string_equal(cn_object_name(world, file.active_camera), "Eye");
    CnEntity first = cn_object_find(world, "n0"), last = cn_object_find(world, "n2999");
    assert_true(cn_get(world, last, SceneLink)->target.id == first.id);
    assert_string_equal(cn_object_name(world, cn_first_child(world, last)), "}],");
    cn_scene_file_free(&file);
}

static void the_nodes_of_a_large_scene_may_be_nested(void **state)
{
    (void)state;
    CnSceneFile file = {0};
    write_large_scene(100, "{\"id\": \"Last\"}");
    text.count -= (uint32_t)strlen(", \"activeCamera\": \"Eye\"}");
    cn_text_append(&text, cn_text("}"));
    if (!read_large(&file))
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    assert_int_equal(file.node_count, 2 * MANY + 101);
    cn_scene_file_free(&file);
}

static void mistakes_in_a_large_scene_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *last, *message;
        int column;
    } mistakes[] = {
        {"{\"id\": 5}", "\"id\" must be a string", 8},
        {"{\"id\": \"a\", \"ix\": 5}", "a node has no member \"ix\"", 13},
        {"{\"id\": \"a\" \"b\"}", "'}' expected near '\"b\"'", 0},
        {"{\"id\": \"a\", \"components\": [{\"type\": \"SceneLink\", \"target\": \"zz\"}]}",
         "no node of this file has the path \"zz\"", 60},
        {"{\"id\": \"a\"},", "a value is expected here", 13},
        {"{\"id\": \"a\"} {}", "end of file expected near '{'", 0},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(mistakes); i++) {
        write_large_scene(0, mistakes[i].last);
        cn_error_clear(&error);
        assert_false(read_large(NULL));
        assert_non_null(strstr(error.message, mistakes[i].message));
        assert_int_equal(error.line, 4 + (int)MANY);
        if (mistakes[i].column)
            assert_int_equal(error.column, mistakes[i].column);
        assert_int_equal(cn_entity_count(world), 0);
    }
}

static void brackets_of_a_large_scene_must_match(void **state)
{
    (void)state;
    write_large_scene(0, "{\"id\": \"a\"]");
    assert_false(read_large(NULL));
    assert_non_null(strstr(error.message, "does not close"));
    assert_int_equal(error.line, 4 + (int)MANY);
    assert_int_equal(error.column, 11);
}

/* ---- Nested prefabs ---- */

#define LEVELS 20
static char levels[LEVELS][24 * 64], paths[LEVELS][16];

/* Files under 7 KB: the last level has `leaves` nodes below each of 20, and each other level
 * contains the next one once. */
static void write_levels(uint32_t fan_out, uint32_t fans)
{
    for (uint32_t i = 0; i < LEVELS; i++) {
        uint32_t count = i >= LEVELS - fans && i + 1 < LEVELS ? fan_out : 1;
        int used = snprintf(levels[i], sizeof levels[i], "{\"id\":\"A\",\"children\":[");
        for (uint32_t c = 0; c < count; c++)
            used +=
                i + 1 < LEVELS
                    ? snprintf(levels[i] + used, sizeof levels[i] - (size_t)used,
                               "%s{\"id\":\"%u\",\"prefab\":\"p%u.json\"}", c ? "," : "", c, i + 1)
                    : snprintf(levels[i] + used, sizeof levels[i] - (size_t)used, "{\"id\":\"B\"}");
        snprintf(levels[i] + used, sizeof levels[i] - (size_t)used, "]}");
        snprintf(paths[i], sizeof paths[i], "p%u.json", i);
        memory_files_set(&memory, paths[i], levels[i]);
    }
}

static void nested_prefabs_share_one_budget_of_objects(void **state)
{
    (void)state;
    memory.files.budget = foreign;
    write_levels(20, 5); /* 20 x 20 x 20 x 20 leaves at level 15; one more copy at each above */
    uint64_t before = cn_heap_stats(heap).peak_bytes;
    assert_true(
        cn_entity_is_null(cn_prefab_spawn(world, &memory.files, "p0.json", CN_NO_PARENT, &error)));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "scene_objects is 65537; a file of foreign origin may "
                                          "have 65536"));
    assert_non_null(strstr(error.file, ".json"));
    assert_int_equal(cn_entity_count(world), 0);
    assert_true(cn_heap_stats(heap).peak_bytes - before <
                cn_budget_of(CN_ORIGIN_FOREIGN)->scene_bytes);
}

/* Each level holds a copy of all nodes below it: it is the sum that counts. */
static void a_chain_of_prefabs_counts_every_level(void **state)
{
    (void)state;
    memory.files.budget = foreign;
    write_levels(20, 4); /* about 16,400 nodes at each of 16 levels */
    assert_true(
        cn_entity_is_null(cn_prefab_spawn(world, &memory.files, "p0.json", CN_NO_PARENT, &error)));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "scene_objects"));
}

static CnBudget few_bytes;

static const CnBudget *with_few_bytes(CnFileSystem *files, CnFile *file)
{
    (void)files;
    (void)file;
    return &few_bytes;
}

static void nested_prefabs_share_one_budget_of_bytes(void **state)
{
    (void)state;
    few_bytes = *cn_budget_of(CN_ORIGIN_FOREIGN);
    few_bytes.scene_bytes = 1u << 20;
    memory.files.budget = with_few_bytes;
    write_levels(20, 4);
    uint64_t before = cn_heap_stats(heap).peak_bytes;
    assert_true(
        cn_entity_is_null(cn_prefab_spawn(world, &memory.files, "p0.json", CN_NO_PARENT, &error)));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "scene_bytes"));
    assert_true(cn_heap_stats(heap).peak_bytes - before < 4 * few_bytes.scene_bytes);
}

static void the_cache_of_prefabs_is_bounded(void **state)
{
    (void)state;
    static char big[32][64];
    write_levels(20, 4);
    for (uint32_t i = 0; i < 32; i++) {
        snprintf(big[i], sizeof big[i], "{\"id\":\"%u\",\"prefab\":\"p16.json\"}", i);
        char *path = big[i] + 40;
        snprintf(path, 16, "b%u.json", i);
        memory_files_set(&memory, path, big[i]);
    }
    CnPrefabCost cost;
    for (uint32_t round = 0; round < 32; round++)
        assert_true(cn_prefab_load(world, &memory.files, big[round] + 40, NULL, &cost, &error));
    assert_true(cn_heap_stats(heap).peak_bytes < (uint64_t)600 << 20);
}

/* ---- Costs and failures ---- */

static void the_cost_of_a_prefab_does_not_depend_on_the_cache(void **state)
{
    (void)state;
    CnPrefabCost cold, warm, inner;
    memory_files_set(&memory, "outer.json",
                     "{\"id\":\"O\",\"children\":[{\"prefab\":\"inner.json\"},"
                     "{\"id\":\"2\",\"prefab\":\"inner.json\"}]}");
    memory_files_set(&memory, "inner.json", "{\"id\":\"I\",\"children\":[{\"id\":\"J\"}]}");
    assert_int_equal(cn_prefab_load(world, &memory.files, "outer.json", NULL, &cold, &error), 5);
    assert_int_equal(cn_prefab_load(world, &memory.files, "outer.json", NULL, &warm, &error), 5);
    assert_memory_equal(&cold, &warm, sizeof cold);
    assert_int_equal(cn_prefab_load(world, &memory.files, "inner.json", NULL, &inner, &error), 2);
    cn_prefab_unload(world, "outer.json");
    assert_int_equal(cn_prefab_load(world, &memory.files, "outer.json", NULL, &warm, &error), 5);
    assert_memory_equal(&cold, &warm, sizeof cold);
    assert_int_equal(cold.objects, 5 + 2 * 2);
    assert_int_equal(cold.text_bytes, strlen(memory.list[0].text) + 2 * inner.text_bytes);
}

static void a_limit_applies_to_cached_prefabs_too(void **state)
{
    (void)state;
    CnPrefabCost cost, limit = {1000, 1};
    memory_files_set(&memory, "two.json", "{\"id\":\"I\",\"children\":[{\"id\":\"J\"}]}");
    assert_int_equal(cn_prefab_load(world, &memory.files, "two.json", &limit, &cost, &error), 0);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_int_equal(cn_prefab_load(world, &memory.files, "two.json", NULL, &cost, &error), 2);
    assert_int_equal(cn_prefab_load(world, &memory.files, "two.json", &limit, &cost, &error), 0);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

static void a_prefab_that_failed_is_not_read_again(void **state)
{
    (void)state;
    CnPrefabCost first, again;
    memory_files_set(&memory, "outer.json",
                     "{\"id\":\"O\",\"children\":[{\"prefab\":\"in.json\"}]}");
    memory_files_set(&memory, "in.json", "{\"id\":\"I\",\"wrong\":1}");
    assert_int_equal(cn_prefab_load(world, &memory.files, "outer.json", NULL, &first, &error), 0);
    uint32_t reads = memory.reads;
    CnError second = {0};
    assert_int_equal(cn_prefab_load(world, &memory.files, "outer.json", NULL, &again, &second), 0);
    assert_int_equal(memory.reads, reads);
    assert_memory_equal(&first, &again, sizeof first);
    assert_string_equal(error.message, second.message);
    assert_string_equal(second.file, "in.json");
}

static void a_prefab_that_failed_is_read_again_when_it_changed(void **state)
{
    (void)state;
    CnPrefabCost cost;
    memory_files_set(&memory, "outer.json",
                     "{\"id\":\"O\",\"children\":[{\"prefab\":\"in.json\"}]}");
    memory_files_set(&memory, "in.json", "{\"id\":\"I\",\"wrong\":1}");
    assert_int_equal(cn_prefab_load(world, &memory.files, "outer.json", NULL, &cost, &error), 0);
    memory_files_set(&memory, "in.json", "{\"id\":\"I\"}");
    assert_int_equal(cn_prefab_load(world, &memory.files, "outer.json", NULL, &cost, &error), 2);
}

static void a_missing_prefab_is_found_when_it_appears(void **state)
{
    (void)state;
    CnPrefabCost cost;
    memory_files_set(&memory, "outer.json",
                     "{\"id\":\"O\",\"children\":[{\"prefab\":\"in.json\"}]}");
    assert_int_equal(cn_prefab_load(world, &memory.files, "outer.json", NULL, &cost, &error), 0);
    memory_files_set(&memory, "in.json", "{\"id\":\"I\"}");
    assert_int_equal(cn_prefab_load(world, &memory.files, "outer.json", NULL, &cost, &error), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUDGET_TEST(a_flood_of_nodes_takes_little_memory),
        BUDGET_TEST(a_flood_of_components_takes_little_memory),
        BUDGET_TEST(a_flood_in_nested_nodes_takes_little_memory),
        BUDGET_TEST(a_flood_of_brackets_takes_little_memory),
        BUDGET_TEST(a_flood_of_materials_takes_little_memory),
        BUDGET_TEST(a_flood_of_unknown_members_takes_little_memory),
        BUDGET_TEST(a_flood_in_a_prefab_takes_little_memory),
        BUDGET_TEST(a_flood_in_a_world_is_refused_before_it_is_parsed),
        BUDGET_TEST(a_flood_of_materials_is_not_written),
        BUDGET_TEST(a_large_scene_is_read_completely),
        BUDGET_TEST(the_nodes_of_a_large_scene_may_be_nested),
        BUDGET_TEST(mistakes_in_a_large_scene_have_their_place),
        BUDGET_TEST(brackets_of_a_large_scene_must_match),
        BUDGET_TEST(nested_prefabs_share_one_budget_of_objects),
        BUDGET_TEST(a_chain_of_prefabs_counts_every_level),
        BUDGET_TEST(nested_prefabs_share_one_budget_of_bytes),
        BUDGET_TEST(the_cache_of_prefabs_is_bounded),
        BUDGET_TEST(the_cost_of_a_prefab_does_not_depend_on_the_cache),
        BUDGET_TEST(a_limit_applies_to_cached_prefabs_too),
        BUDGET_TEST(a_prefab_that_failed_is_not_read_again),
        BUDGET_TEST(a_prefab_that_failed_is_read_again_when_it_changed),
        BUDGET_TEST(a_missing_prefab_is_found_when_it_appears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
