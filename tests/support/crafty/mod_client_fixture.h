/*
 * A mod `castle` in a temporary folder with files of every kind, and what it registers.
 *
 *     mod_client_write_texture("wall", 16, 0xFF0000FF);
 *     mod_client_load("block { name = 'wall', all = 'wall' }");
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_MOD_CLIENT_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_MOD_CLIENT_FIXTURE_H

#include "mod_files_fixture.h"

#include <crafty/mods/mod_sources.h>

#include <cairn/base/log.h>
#include <cairn/render/material.h>

typedef struct ModClient {
    CraftyModSet *set;
    CraftyModSources *sources;
    CraftyMods *mods;
} ModClient;

static ModClient mod_client;

static inline int mod_client_begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&mod_scratch);
    mod_write("mods/castle", "castle", "1.0.0", NULL);
    return 0;
}

static inline void mod_client_unload(void)
{
    crafty_mods_destroy(mod_client.mods);
    crafty_mod_sources_destroy(mod_client.sources);
    crafty_mod_set_destroy(mod_client.set);
    mod_client = (ModClient){0};
}

static inline int mod_client_end(void **state)
{
    (void)state;
    mod_client_unload();
    scratch_fini(&mod_scratch);
    return 0;
}

/* Writes a PNG of one color, 0xRRGGBBAA. */
static inline void mod_client_write_texture(const char *name, uint32_t size, uint32_t color)
{
    char path[128];
    CnError error = {0};
    CnAllocator *allocator = cn_system_allocator();
    CnImage image = {size, size, cn_alloc(allocator, (size_t)size * size * 4), allocator};
    assert_non_null(image.pixels);
    for (size_t i = 0; i < (size_t)size * size; i++)
        for (uint32_t k = 0; k < 4; k++)
            image.pixels[4 * i + k] = (uint8_t)(color >> (24 - 8 * k));
    snprintf(path, sizeof path, "mods/castle/textures/%s.png", name);
    const char *native = mod_path(path);
    if (!cn_file_make_folder_of(cn_native_files(), native, &error) ||
        !cn_image_write(&image, cn_native_files(), native, &error))
        fail_msg("%s", error.message);
    cn_image_free(&image);
}

/* Runs this main.lua. */
static inline void mod_client_load(const char *code)
{
    char folder[300];
    CnError error = {0};
    mod_write_file("mods/castle/main.lua", code);
    cn_copy_text(folder, sizeof folder, cn_text(mod_path("mods")));
    mod_client.set = crafty_mod_set_create(
        &(CraftyModSetDesc){.folders = &(CraftyModFolder){.path = folder, .is_enabled = true},
                            .folder_count = 1},
        &error);
    assert_non_null(mod_client.set);
    assert_int_equal(crafty_mod_set_count(mod_client.set), 1);
    mod_client.sources = crafty_mod_sources_create(mod_client.set, &error);
    assert_non_null(mod_client.sources);
    mod_client.mods =
        crafty_mods_create(&(CraftyModsDesc){.sources = mod_client.sources->items,
                                             .source_count = mod_client.sources->count},
                           &error);
    if (!mod_client.mods)
        fail_msg("%s", error.message);
}

static inline CraftyModStatus mod_client_status(void)
{
    return crafty_mods_status(mod_client.mods, 1);
}

static inline void mod_client_load_good(const char *code)
{
    mod_client_load(code);
    CraftyModStatus status = mod_client_status();
    if (status.is_disabled)
        fail_msg("%s:%d: %s", status.error.file, status.error.line, status.error.message);
}

#endif
