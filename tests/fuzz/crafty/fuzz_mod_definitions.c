/*
 * Bytes as the main.lua of a mod that registers content of all kinds, and calls everything else,
 * with fitting and other arguments. Whatever comes, the standard content stays, and an error names
 * the file and the line.
 */
#include "fuzz_surface.h"

#include "memory_files.h"
#include "mod_program.h"

#include <crafty/sim/mod/mod_permission.h>

#include <cairn/base/log.h>

#define MEMORY_BYTES (2u << 20)

static ModProgram program;

static void check_error(const CraftyModStatus *status)
{
    if (!status->is_disabled)
        return;
    bool is_named = strncmp(status->error.file, "fuzz/", 5) == 0 && status->error.line > 0;
    if (!is_named || !status->error.message[0])
        fprintf(stderr, "%s:%d: %s\n%s", status->error.file, status->error.line,
                status->error.message, program.code);
    FUZZ_CHECK(is_named && status->error.message[0]);
}

/* With a small standard content: the real one takes longer than everything else. */
static bool run(const uint8_t *bytes, size_t size)
{
    static const char base_code[] =
        "item { name = 'coal' } item { name = 'apple', food = 4 } item { name = 'stick' }\n"
        "recipe_group('planks', { 'oak_planks' })\n";
    static const CraftyModFile base_files[] = {{"main.lua", {base_code, sizeof base_code - 1}},
                                               {NULL, {NULL, 0}}};
    CnError error = {0};
    MemoryFiles files;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    memory_files_init(&files);
    mod_program_init(&program, bytes, size);
    mod_program_definitions(&program);
    memory_files_set(&files, "fuzz/main.lua", program.code);
    memory_files_set(&files, "fuzz/x.json", "{\"a\": [1, 2]}");
    const CraftyModSource sources[] = {
        {.name = "base", .embedded = base_files, .is_standard = true},
        {.name = "fuzz",
         .files = &files.files,
         .folder = "fuzz",
         .permissions = CRAFTY_MOD_MAY_ALL}};
    CraftyMods *mods = crafty_mods_create(
        &(CraftyModsDesc){.sources = sources, .source_count = 2, .memory_bytes = MEMORY_BYTES},
        &error);
    if (!mods)
        fprintf(stderr, "%s:%d: %s\n", error.file, error.line, error.message);
    FUZZ_CHECK(mods && !crafty_mods_status(mods, 0).is_disabled);
    CraftyModStatus status = crafty_mods_status(mods, 1);
    check_error(&status);
    crafty_mods_destroy(mods);
    return !status.is_disabled;
}

static void add_seeds(FuzzSeeds *seeds)
{
    TestRandom random = {23};
    for (uint32_t i = 0; i < 20; i++) {
        uint8_t bytes[160];
        for (uint32_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)test_random_below(&random, 256);
        fuzz_add(seeds, bytes, sizeof bytes);
    }
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 192, .test_runs = 100, .add_seeds = add_seeds, .run = run};
