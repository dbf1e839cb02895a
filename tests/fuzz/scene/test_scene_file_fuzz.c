/*
 * Scene files that were damaged: each gives an error with its place and changes nothing, or is read
 * as a whole and can be written and read again as the same.
 *
 * The test makes its cases from a seed, so it always runs the same ones, and reads what lies in
 * tests/fuzz/scene/corpus/, where inputs that once failed are kept. With the name of a folder it
 * writes its starting points there instead. With -DCN_LIBFUZZER the file is a target for libFuzzer:
 *
 *     clang -fsanitize=fuzzer,address,undefined -DCN_LIBFUZZER -DCN_GUARDS=1 -D_GNU_SOURCE -g -O1 \
 *         -Iinclude -Isrc -Itests/support tests/fuzz/scene/test_scene_file_fuzz.c \
 *         tests/support/{check_*,scene_world,memory_files}.c src/{base,ecs,sim,scene}/[a-z]*.c \
 *         -ljansson -lxxhash -lzstd -lpthread -lm
 */
#include "check_world.h"
#include "memory_files.h"
#include "random.h"
#include "scene_world.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- One case ---- */

static char failure[1024];

static const char *describe_failure(const char *what, const char *detail)
{
    cn_format(failure, sizeof failure, "%s: %s", what, detail);
    return failure;
}

static MemoryFiles memory;
static CnWorld *target;
static uint64_t target_hash;

static void make_target(void)
{
    memory_files_init(&memory);
    memory_files_set(&memory, "wheel.json",
                     "{\"id\": \"Wheel\", \"components\": [{\"type\": \"SceneMarked\"}, {\"type\": "
                     "\"SceneLink\", \"target\": \"Wheel\"}]}");
    memory_files_set(&memory, "car.json",
                     "{\"id\": \"Car\", \"components\": [{\"type\": \"LampComponent\", \"watts\": "
                     "7}], \"children\": [{\"id\": \"Left\", \"prefab\": \"wheel.json\"},"
                     "{\"id\": \"Right\", \"prefab\": \"wheel.json\"}]}");
    memory_files_set(&memory, "itself.json", "{\"id\": \"I\", \"prefab\": \"itself.json\"}");
    target = scene_world_create(NULL);
    CnObjectDesc desc = {.name = "Old", .uid = 77};
    cn_object_create(target, &desc, NULL);
    target_hash = cn_world_hash(target);
}

static void drop_target(void)
{
    cn_world_destroy(target);
    target = NULL;
}

/* What was read can be written, and what was written is read as the same and written as the same.
 */
static const char *check_accepted(CnWorld *world)
{
    const char *wrong = check_world(world);
    if (wrong)
        return describe_failure("the world is not sound", wrong);
    CnTextBuilder first, second;
    CnError error = {0};
    cn_array_init(&first, NULL);
    cn_array_init(&second, NULL);
    CnWorld *other = scene_world_create(NULL);
    if (!cn_scene_write_text(world, &first, NULL, &error))
        wrong = describe_failure("what was read cannot be written", error.message);
    else if (!cn_scene_read_text(other, NULL, "again", cn_text(first.items), NULL, &error))
        wrong = describe_failure("what was written cannot be read", error.message);
    else if (!cn_scene_write_text(other, &second, NULL, &error))
        wrong = describe_failure("what was written and read cannot be written", error.message);
    else if (strcmp(first.items, second.items) != 0)
        wrong = describe_failure("what was written and read is written otherwise", second.items);
    else if (cn_entity_count(other) != cn_entity_count(world))
        wrong = describe_failure("what was written and read", "has another number of objects");
    cn_world_destroy(other);
    cn_array_fini(&first);
    cn_array_fini(&second);
    return wrong;
}

/* NULL, or what went wrong. */
static const char *try_text(CnText text, bool *accepted)
{
    if (!target)
        make_target();
    CnError error = {0};
    CnSceneFile file;
    uint32_t entities = cn_entity_count(target);
    *accepted = cn_scene_read_text(target, &memory.files, "fuzz.json", text, &file, &error);
    const char *wrong = NULL;
    if (*accepted) {
        if (cn_entity_count(target) != entities + file.node_count)
            wrong = describe_failure("a file was read", "but not all of it");
        else
            wrong = check_accepted(target);
        cn_scene_file_free(&file);
        drop_target();
        return wrong;
    }
    if (error.code == CN_OK || !error.message[0] || !error.file[0])
        return describe_failure("a file was refused", "without an error");
    if (error.line < 1 || error.column < 1)
        return describe_failure("an error has no place", error.message);
    if (cn_entity_count(target) != entities || cn_world_hash(target) != target_hash)
        return describe_failure("a file that was refused changed the world", error.message);
    return NULL;
}

#ifdef CN_LIBFUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    bool accepted;
    const char *wrong = try_text((CnText){(const char *)data, size}, &accepted);
    if (wrong) {
        fprintf(stderr, "%s\n", wrong);
        abort();
    }
    return 0;
}

#else

#include "cmocka_tests.h"

#include <dirent.h>

/* ---- Starting points ---- */

static const char *const seeds[] = {
    "{\n"
    "  \"id\": \"MainScene\",\n"
    "  \"nodes\": [\n"
    "    {\n"
    "      \"id\": \"Box\",\n"
    "      \"uid\": 12,\n"
    "      \"components\": [\n"
    "        {\n"
    "          \"type\": \"TransformComponent\",\n"
    "          \"position\": [0.0, 1.5, -2e3],\n"
    "          \"rotation\": [0.0, 90.0, 0.0],\n"
    "          \"scale\": [1.0, 1.0, 1.0]\n"
    "        },\n"
    "        { \"type\": \"RenderComponent\", \"material\": \"White\", \"mesh\": \"assets://a\" }\n"
    "      ],\n"
    "      \"children\": [\n"
    "        { \"id\": \"Lid\", \"enabled\": false, \"components\": [\n"
    "          { \"type\": \"LightComponent\", \"color\": [1.0, 1.0, 1.0, 1.0], \"intensity\": 10 }\n"
    "        ] }\n"
    "      ]\n"
    "    },\n"
    "    { \"id\": \"Camera\", \"components\": [\n"
    "      { \"type\": \"CameraComponent\", \"view\": \"Perspective\", \"fov\": 90, \"near\": "
    "0.001, \"far\": 1000 }\n"
    "    ] }\n"
    "  ],\n"
    "  \"materials\": [{ \"name\": \"White\" }],\n"
    "  \"pipelines\": [],\n"
    "  \"activeCamera\": \"Camera\"\n"
    "}\n",

    "{\"nodes\": [{\"id\": \"E\", \"components\": [{\"type\": \"SceneEvery\", \"f32_value\": 0.1,"
    "\"f64_value\": 1e-300, \"i8_value\": -128, \"i16_value\": 300, \"i32_value\": -70000,"
    "\"i64_value\": -9223372036854775808, \"u8_value\": 255, \"u16_value\": 65535,"
    "\"u32_value\": 4294967295, \"u64_value\": \"18446744073709551615\", \"bool_value\": true,"
    "\"entity_value\": \"E/F\", \"vec2_value\": [1, 2], \"vec3_value\": [1, 2, 3],"
    "\"vec4_value\": [1, 2, 3, 4], \"quat_value\": [0, 1, 0, 0],"
    "\"mat4_value\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16], \"text_value\": \"\\u00e4b\\n\","
    "\"list\": [1, 2, 3, 4], \"corners\": [[1, 2], [3, 4]], \"friends\": [null, \"E\"]}],"
    "\"children\": [{\"id\": \"F\", \"children\": [{\"id\": \"G\"}, {\"id\": \"H\"}]}]}]}",

    "{\"nodes\": [{\"id\": \"A\", \"prefab\": \"car.json\", \"components\": [{\"type\": "
    "\"LampComponent\", \"watts\": 9, \"shape\": {\"type\": \"Ball\", \"radius\": 2}}]},"
    "{\"id\": \"B\", \"prefab\": \"car.json\", \"overrides\": {\"Left\": {\"enabled\": false,"
    "\"components\": [{\"type\": \"SceneMarked\"}]}}, \"children\": [{\"id\": \"D\"}]},"
    "{\"id\": \"O\", \"origin\": \"car.json\"}, {\"prefab\": \"wheel.json\"},"
    "{\"id\": \"C\", \"components\": [{\"type\": \"LampComponent\", \"watts\": 1, \"turn\": "
    "[0.6, 0, 0, 0.8], \"shape\": {\"type\": \"Box\", \"size\": [1, 2, 3]}}, {\"type\": "
    "\"SceneLink\", \"target\": \"A/Left\", \"strength\": 3.5}]}]}",

    "{\"nodes\":[]}",
};

/* ---- Damage ---- */

#define MAX_BYTES 65536u

typedef struct Mutant {
    char *bytes;
    uint32_t size;
    TestRandom random;
} Mutant;

static uint32_t below(Mutant *mutant, uint32_t n)
{
    return test_random_below(&mutant->random, n);
}

static void flip_bits(Mutant *mutant)
{
    for (uint32_t i = below(mutant, 3) + 1; i > 0 && mutant->size; i--) {
        char *byte = &mutant->bytes[below(mutant, mutant->size)];
        *byte = (char)(*byte ^ 1 << below(mutant, 8));
    }
}

static void replace(Mutant *mutant, uint32_t at, uint32_t count, const char *with, uint32_t size)
{
    if (mutant->size - count + size > MAX_BYTES)
        return;
    memmove(mutant->bytes + at + size, mutant->bytes + at + count, mutant->size - at - count);
    memcpy(mutant->bytes + at, with, size);
    mutant->size += size - count;
}

/* Where some token begins, and how long it is: a text, a word or number, or one sign. */
static uint32_t some_token(Mutant *mutant, uint32_t *size)
{
    static const char signs[] = "{}[],: \n\"";
    uint32_t at = below(mutant, mutant->size), end = mutant->size;
    while (at < end && (mutant->bytes[at] == ' ' || mutant->bytes[at] == '\n'))
        at++;
    uint32_t from = at;
    if (at < end && mutant->bytes[at] == '"') {
        for (at++; at < end && mutant->bytes[at] != '"'; at++)
            ;
        at += at < end;
    } else {
        for (at += at < end;
             at < end && !strchr(signs, mutant->bytes[at - 1]) && !strchr(signs, mutant->bytes[at]);
             at++)
            ;
    }
    *size = at - from;
    return from;
}

static void remove_token(Mutant *mutant)
{
    uint32_t size, at = some_token(mutant, &size);
    replace(mutant, at, size, "", 0);
}

static void repeat_token(Mutant *mutant)
{
    char copy[256];
    uint32_t size, at = some_token(mutant, &size);
    size = size < sizeof copy ? size : sizeof copy;
    memcpy(copy, mutant->bytes + at, size);
    replace(mutant, at, 0, copy, size);
}

static void swap_tokens(Mutant *mutant)
{
    char a[128], b[128];
    uint32_t a_size, b_size, a_at = some_token(mutant, &a_size);
    uint32_t b_at = some_token(mutant, &b_size);
    if (a_size > sizeof a || b_size > sizeof b || a_at + a_size > b_at)
        return;
    memcpy(a, mutant->bytes + a_at, a_size);
    memcpy(b, mutant->bytes + b_at, b_size);
    replace(mutant, b_at, b_size, a, a_size);
    replace(mutant, a_at, a_size, b, b_size);
}

static void change_token(Mutant *mutant)
{
    static const char *const words[] = {"0",
                                        "-1",
                                        "-0.0",
                                        "1e308",
                                        "1e999",
                                        "99999999999999999999",
                                        "null",
                                        "true",
                                        "\"\"",
                                        "{}",
                                        "[]",
                                        "\"A\"",
                                        "\"a/b\"",
                                        "\"uid\"",
                                        "77",
                                        "\"E\"",
                                        "\"children\"",
                                        "\"components\"",
                                        "\"type\"",
                                        "\"id\"",
                                        "\"car.json\"",
                                        "\"prefab\"",
                                        "\"origin\"",
                                        "\"overrides\"",
                                        "\"Left\"",
                                        "\"itself.json\"",
                                        "\"SceneMarked\"",
                                        "1.5",
                                        "256",
                                        "\"\\u0000\"",
                                        "\"\xff\"",
                                        "4294967296",
                                        "\"LampComponent\""};
    const char *word = words[below(mutant, CN_COUNT_OF(words))];
    uint32_t size, at = some_token(mutant, &size);
    replace(mutant, at, size, word, (uint32_t)strlen(word));
}

/* Puts a piece of a good file in. */
static void splice(Mutant *mutant)
{
    const char *from = seeds[below(mutant, CN_COUNT_OF(seeds))];
    uint32_t size = (uint32_t)strlen(from), count = below(mutant, 200) + 1;
    count = count < size ? count : size;
    replace(mutant, below(mutant, mutant->size + 1), 0, from + below(mutant, size - count + 1),
            count);
}

static void cut(Mutant *mutant)
{
    uint32_t count = below(mutant, 40) + 1;
    if (mutant->size > count)
        replace(mutant, below(mutant, mutant->size - count), count, "", 0);
}

static void mutate(Mutant *mutant)
{
    static void (*const changes[])(Mutant *) = {flip_bits,   remove_token, repeat_token,
                                                swap_tokens, change_token, change_token,
                                                splice,      cut};
    for (uint32_t i = below(mutant, 3) + 1; i > 0 && mutant->size; i--)
        changes[below(mutant, CN_COUNT_OF(changes))](mutant);
    if (below(mutant, 20) == 0)
        mutant->size = below(mutant, mutant->size + 1);
}

/* ---- Tests ---- */

static uint32_t run_cases(uint64_t seed, uint32_t count)
{
    uint32_t accepted_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        Mutant mutant = {.random = {seed * 1000003u + i}};
        const char *from = seeds[below(&mutant, CN_COUNT_OF(seeds))];
        mutant.bytes = malloc(MAX_BYTES);
        mutant.size = (uint32_t)strlen(from);
        memcpy(mutant.bytes, from, mutant.size);
        mutate(&mutant);
        /* In a block of its own size, so that the sanitizer sees the end. */
        char *bytes = malloc(mutant.size + 1);
        memcpy(bytes, mutant.bytes, mutant.size);
        bool accepted;
        const char *wrong = try_text((CnText){bytes, mutant.size}, &accepted);
        accepted_count += accepted;
        if (wrong)
            fail_msg("seed %llu, case %u: %s in %.*s", (unsigned long long)seed, i, wrong,
                     (int)mutant.size, mutant.bytes);
        free(bytes);
        free(mutant.bytes);
    }
    return accepted_count;
}

static int drop(void **state)
{
    (void)state;
    drop_target();
    return 0;
}

static void files_that_are_not_damaged_are_read(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < CN_COUNT_OF(seeds); n++) {
        bool accepted;
        const char *wrong = try_text(cn_text(seeds[n]), &accepted);
        if (wrong)
            fail_msg("%s", wrong);
        assert_true(accepted);
    }
}

static void damaged_files_are_refused_or_read_as_a_whole(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    const char *given = getenv("CN_FUZZ_CASES");
    uint32_t count = given ? (uint32_t)strtoul(given, NULL, 10) : 6000;
    uint32_t accepted = run_cases(1, count);
    /* Both ways are taken often. */
    assert_true(accepted > count / 50 && accepted < count - count / 50);
}

static void what_once_failed_is_survived(void **state)
{
    (void)state;
    const char *folder = "tests/fuzz/scene/corpus";
    DIR *files = opendir(folder);
    for (struct dirent *file; files && (file = readdir(files));) {
        if (file->d_name[0] == '.')
            continue;
        char path[512];
        cn_format(path, sizeof path, "%s/%s", folder, file->d_name);
        FILE *stream = fopen(path, "rb");
        assert_non_null(stream);
        char *bytes = malloc(MAX_BYTES);
        size_t size = fread(bytes, 1, MAX_BYTES, stream);
        fclose(stream);
        bool accepted;
        const char *wrong = try_text((CnText){bytes, size}, &accepted);
        free(bytes);
        if (wrong)
            fail_msg("%s: %s", path, wrong);
    }
    if (files)
        closedir(files);
}

static int write_seeds(const char *folder)
{
    for (uint32_t n = 0; n < CN_COUNT_OF(seeds); n++) {
        char path[512];
        cn_format(path, sizeof path, "%s/seed_%u.json", folder, n);
        FILE *stream = fopen(path, "wb");
        if (!stream || fputs(seeds[n], stream) < 0)
            return 1;
        fclose(stream);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return write_seeds(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_are_not_damaged_are_read),
        cmocka_unit_test(damaged_files_are_refused_or_read_as_a_whole),
        cmocka_unit_test(what_once_failed_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, drop);
}

#endif
