/*
 * Snapshots that were changed at random, with a checksum that fits again: none may crash, hang or
 * change the world it is refused by, and what is accepted must be a sound world that goes on.
 *
 * The test makes its cases from a seed, so it always runs the same ones, and loads what lies in
 * tests/fuzz/ecs/corpus/, where inputs that once failed are kept. With the name of a folder it
 * writes its starting points there instead. With -DCN_LIBFUZZER the file is a target for libFuzzer:
 *
 *     clang -fsanitize=fuzzer,address,undefined -DCN_LIBFUZZER -DCN_GUARDS=1 -D_GNU_SOURCE -g -O1 \
 *         -Iinclude -Isrc -Itests/support tests/fuzz/ecs/test_snapshot_fuzz.c \
 *         tests/support/{check_*,rich_world}.c src/{base,ecs}/[a-z]*.c -lxxhash -lpthread -lm
 */
#include "check_world.h"
#include "random.h"
#include "rich_world.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- One case ---- */

static char failure[768];

static const char *describe_failure(const char *what, const char *detail)
{
    cn_format(failure, sizeof failure, "%s: %s", what, detail);
    return failure;
}

/* What loads meet: entities, pairs, queries, waiting commands, resources. */
static CnWorld *make_target(void)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    cn_register(world, RichPosition);
    cn_register(world, RichPadded, .layout = CN_LAYOUT_FIELDS);
    cn_register(world, RichCache, .flags = CN_COMPONENT_TRANSIENT);
    CnEntity a = cn_spawn(world, cn_with(RichPosition, {1, 2, 3}));
    CnEntity b = cn_spawn(world, cn_with(RichPadded, {1, 2, 3}), cn_with(RichCache, {1}));
    CnComponent pair = cn_pair(world, cn_id(world, RichLikes), a);
    cn_add_component(world, b, pair);
    cn_set_parent(world, b, a);
    cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(pair)}}, NULL);
    cn_query_acquire(world,
                     &(CnQueryDesc){.all = {cn_writes(RichPosition)}, .none = {cn_tag(RichFrozen)}},
                     NULL);
    cn_query_acquire(world, &(CnQueryDesc){.none = {cn_tag(RichKnows)}}, NULL);
    cn_resource_set(world, RichClock, {1});
    return world;
}

static CnWorld *target;
static uint64_t target_hash;

/* The check cannot tell retired slots from new ones where both have generation 0. */
static const char *check(const CnWorld *world, uint32_t first_generation)
{
    bool can_tell = first_generation > 1 || cn_world_stats(world).retired_slots == 0;
    return can_tell ? check_world(world) : NULL;
}

/* A world that was loaded is as good as any. */
static const char *check_loaded(CnWorld *world, uint32_t first_generation)
{
    const char *problem = check(world, first_generation);
    if (problem)
        return describe_failure("the loaded world is not sound", problem);
    CnSnapshot snapshot;
    CnError error = {0};
    if (!cn_world_save(world, &snapshot, &error))
        return describe_failure("the loaded world cannot be saved", error.message);
    CnWorld *second = cn_world_create(NULL, NULL);
    bool loaded = cn_world_load(second, snapshot.bytes, snapshot.size, &error);
    cn_snapshot_free(&snapshot);
    const char *wrong = NULL;
    if (!loaded)
        wrong = describe_failure("what was loaded and saved cannot be loaded", error.message);
    else if (cn_world_hash(second) != cn_world_hash(world))
        wrong = describe_failure("what was loaded, saved and loaded", "has another hash");
    for (int i = 0; i < 20 && !wrong; i++)
        if (cn_entity_create(world).id != cn_entity_create(second).id)
            wrong = describe_failure("what was loaded, saved and loaded", "hands out other ids");
    CnTreeOrder order;
    cn_tree_order(second, &order);
    cn_world_destroy(second);
    cn_world_clear(world);
    if (!wrong && cn_entity_count(world) != 0)
        wrong = describe_failure("the loaded world", "cannot be cleared");
    problem = wrong ? NULL : check(world, first_generation);
    return problem ? describe_failure("the loaded world is not sound when cleared", problem)
                   : wrong;
}

static void reseal(uint8_t *bytes, size_t size)
{
    if (size < 8)
        return;
    uint64_t checksum = cn_hash_bytes(bytes, size - 8, 0);
    memcpy(bytes + size - 8, &checksum, sizeof checksum);
}

/* NULL, or what went wrong. */
static const char *try_snapshot(const uint8_t *bytes, size_t size, bool *accepted)
{
    if (!target) {
        target = make_target();
        target_hash = cn_world_hash(target);
    }
    CnError error = {0};
    *accepted = cn_world_load(target, bytes, size, &error);
    if (!*accepted && (error.code == CN_OK || error.message[0] == 0))
        return describe_failure("a load failed", "without an error");
    if (!*accepted)
        return cn_world_hash(target) == target_hash
                   ? NULL
                   : describe_failure("a load that failed changed the world", error.message);
    uint32_t first_generation;
    memcpy(&first_generation, bytes + 12, sizeof first_generation);
    const char *wrong = check_loaded(target, first_generation);
    cn_world_destroy(target);
    target = NULL;
    return wrong;
}

#ifdef CN_LIBFUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    uint8_t *bytes = malloc(size + 1);
    if (size)
        memcpy(bytes, data, size);
    reseal(bytes, size);
    bool accepted;
    const char *wrong = try_snapshot(bytes, size, &accepted);
    free(bytes);
    if (wrong) {
        fprintf(stderr, "%s\n", wrong);
        abort();
    }
    return 0;
}

#else

#include "cmocka_tests.h"

#include <cairn/base/file.h>

#include <dirent.h>

/* ---- Starting points ---- */

#define SEEDS 6

static CnSnapshot seeds[SEEDS];

static CnWorld *make_seed(int n)
{
    CnWorldDesc desc = {.first_generation = n == 1 ? UINT32_MAX - 2 : 0};
    CnWorld *world = cn_world_create(&desc, NULL);
    CnEntity e[8];
    if (n <= 1) {
        rich_world_register(world);
        rich_world_fill(world);
    }
    for (int i = 0; i < 8 && n > 2; i++)
        e[i] = cn_spawn(world, cn_with(RichPosition, {(float)i, 0, 0}));
    if (n == 3) /* a tree alone */
        for (int i = 1; i < 8; i++)
            cn_set_parent(world, e[i], e[i / 2]);
    if (n == 4) /* pairs alone */
        for (int i = 0; i < 8; i++)
            cn_add_component(world, e[i], cn_pair(world, cn_id(world, RichKnows), e[i % 3]));
    for (int i = 0; i < 8 && n == 5; i += 2) { /* free slots and a resource */
        cn_destroy(world, e[i]);
        cn_resource_set(world, RichClock, {(uint64_t)i});
    }
    return world;
}

static int make_seeds(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (int n = 0; n < SEEDS; n++) {
        CnWorld *world = make_seed(n);
        bool saved = cn_world_save(world, &seeds[n], NULL);
        cn_world_destroy(world);
        if (!saved)
            return -1;
    }
    return 0;
}

static int drop_seeds(void **state)
{
    (void)state;
    for (int n = 0; n < SEEDS; n++)
        cn_snapshot_free(&seeds[n]);
    cn_world_destroy(target);
    target = NULL;
    return 0;
}

/* ---- Changes ---- */

#define MAX_BYTES 200000u

typedef struct Mutant {
    uint8_t *bytes;
    uint32_t size;
    TestRandom random;
} Mutant;

static uint32_t below(Mutant *mutant, uint32_t n)
{
    return test_random_below(&mutant->random, n);
}

static uint32_t some_number(Mutant *mutant, uint32_t old)
{
    static const uint32_t edges[] = {0,     1,          2,          4095,           4096,      8192,
                                     65536, 0x7fffffff, 0x80000000, UINT32_MAX - 1, UINT32_MAX};
    switch (below(mutant, 4)) {
    case 0:
        return edges[below(mutant, CN_COUNT_OF(edges))];
    case 1:
        return old + below(mutant, 9) - 4;
    case 2:
        return old ^ 1u << below(mutant, 32);
    default:
        return (uint32_t)test_random(&mutant->random);
    }
}

/* Most of a snapshot are values; its structure begins and ends it. */
static uint32_t some_place(Mutant *mutant, uint32_t bytes)
{
    uint32_t last = mutant->size > bytes ? mutant->size - bytes : 0;
    uint32_t near = last < 600 ? last : 600;
    switch (below(mutant, 3)) {
    case 0:
        return below(mutant, near + 1);
    case 1:
        return last - below(mutant, near + 1);
    default:
        return below(mutant, last + 1);
    }
}

static void change_number(Mutant *mutant)
{
    if (mutant->size < 4)
        return;
    uint32_t at = some_place(mutant, 4), value;
    memcpy(&value, mutant->bytes + at, sizeof value);
    value = some_number(mutant, value);
    memcpy(mutant->bytes + at, &value, sizeof value);
}

static void change_bits(Mutant *mutant)
{
    for (uint32_t i = below(mutant, 4) + 1; i > 0 && mutant->size; i--)
        mutant->bytes[some_place(mutant, 1)] ^= (uint8_t)(1u << below(mutant, 8));
}

static void swap_numbers(Mutant *mutant)
{
    uint32_t bytes = below(mutant, 2) ? 4 : 8;
    if (mutant->size < bytes)
        return;
    uint8_t a[8], b[8], *x = mutant->bytes + some_place(mutant, bytes);
    uint8_t *y = mutant->bytes + some_place(mutant, bytes);
    memcpy(a, x, bytes);
    memcpy(b, y, bytes);
    memcpy(x, b, bytes);
    memcpy(y, a, bytes);
}

static void cut(Mutant *mutant)
{
    uint32_t count = below(mutant, 40) + 1;
    if (mutant->size <= count)
        return;
    uint32_t at = some_place(mutant, count);
    memmove(mutant->bytes + at, mutant->bytes + at + count, mutant->size - at - count);
    mutant->size -= count;
}

/* Puts a piece of a snapshot in, over what is there or between. */
static void splice(Mutant *mutant)
{
    const CnSnapshot *from = &seeds[below(mutant, SEEDS)];
    uint32_t count = below(mutant, 60) + 1, size = (uint32_t)from->size;
    if (size <= count || mutant->size + count > MAX_BYTES || mutant->size <= count)
        return;
    uint32_t at = some_place(mutant, count), source = below(mutant, size - count);
    if (below(mutant, 2)) {
        memmove(mutant->bytes + at + count, mutant->bytes + at, mutant->size - at);
        mutant->size += count;
    }
    memcpy(mutant->bytes + at, from->bytes + source, count);
}

static void shorten(Mutant *mutant)
{
    mutant->size = below(mutant, mutant->size + 1);
}

static void mutate(Mutant *mutant)
{
    static void (*const changes[])(Mutant *) = {
        change_number, change_number, change_bits, swap_numbers, swap_numbers, cut, splice, splice};
    for (uint32_t i = below(mutant, 3) + 1; i > 0; i--)
        changes[below(mutant, CN_COUNT_OF(changes))](mutant);
    if (below(mutant, 30) == 0)
        shorten(mutant);
    reseal(mutant->bytes, mutant->size);
}

/* ---- Tests ---- */

static uint32_t run_cases(uint64_t seed, uint32_t count)
{
    uint32_t accepted_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        Mutant mutant = {.random = {seed * 1000003u + i}};
        const CnSnapshot *from = &seeds[below(&mutant, SEEDS)];
        mutant.bytes = malloc(MAX_BYTES);
        mutant.size = (uint32_t)from->size;
        memcpy(mutant.bytes, from->bytes, from->size);
        mutate(&mutant);
        /* In a block of its own size, so that the sanitizer sees the end. */
        uint8_t *bytes = malloc(mutant.size + 1);
        memcpy(bytes, mutant.bytes, mutant.size);
        bool accepted;
        const char *wrong = try_snapshot(bytes, mutant.size, &accepted);
        accepted_count += accepted;
        free(bytes);
        free(mutant.bytes);
        if (wrong)
            fail_msg("seed %llu, case %u: %s", (unsigned long long)seed, i, wrong);
    }
    return accepted_count;
}

static void snapshots_that_are_not_changed_are_accepted(void **state)
{
    (void)state;
    for (int n = 0; n < SEEDS; n++) {
        bool accepted;
        const char *wrong = try_snapshot(seeds[n].bytes, seeds[n].size, &accepted);
        if (wrong)
            fail_msg("%s", wrong);
        assert_true(accepted);
    }
}

static void changed_snapshots_are_refused_or_make_sound_worlds(void **state)
{
    (void)state;
    const char *given = getenv("CN_FUZZ_CASES");
    uint32_t count = given ? (uint32_t)strtoul(given, NULL, 10) : 12000;
    uint32_t accepted = run_cases(1, count);
    /* Both ways are taken often. */
    assert_true(accepted > count / 50 && accepted < count - count / 50);
}

static void what_once_failed_is_survived(void **state)
{
    (void)state;
    const char *folder = "tests/fuzz/ecs/corpus";
    DIR *files = opendir(folder);
    for (struct dirent *file; files && (file = readdir(files));) {
        if (file->d_name[0] == '.')
            continue;
        char path[512];
        cn_format(path, sizeof path, "%s/%s", folder, file->d_name);
        FILE *stream = fopen(path, "rb");
        assert_non_null(stream);
        uint8_t *bytes = malloc(MAX_BYTES);
        size_t size = fread(bytes, 1, MAX_BYTES, stream);
        fclose(stream);
        reseal(bytes, size);
        bool accepted;
        const char *wrong = try_snapshot(bytes, size, &accepted);
        free(bytes);
        if (wrong)
            fail_msg("%s: %s", path, wrong);
    }
    if (files)
        closedir(files);
}

static int write_seeds(const char *folder)
{
    if (make_seeds(NULL) != 0)
        return 1;
    for (int n = 0; n < SEEDS; n++) {
        char path[512];
        cn_format(path, sizeof path, "%s/seed_%d.snapshot", folder, n);
        FILE *stream = fopen(path, "wb");
        if (!stream || fwrite(seeds[n].bytes, 1, seeds[n].size, stream) != seeds[n].size)
            return 1;
        fclose(stream);
    }
    return drop_seeds(NULL);
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return write_seeds(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshots_that_are_not_changed_are_accepted),
        cmocka_unit_test(changed_snapshots_are_refused_or_make_sound_worlds),
        cmocka_unit_test(what_once_failed_is_survived),
    };
    return cmocka_run_group_tests(tests, make_seeds, drop_seeds);
}

#endif
