/* Mods: loading them, disabling them. */
#include "hud.h"
#include "mods_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/log.h>

#include <string.h>

/* ---- The mod base ---- */

/* cmake/games.cmake sets the path of the file; without it, the compiler runs in the root. */
#ifndef CRAFTY_BASE_MOD
#define CRAFTY_BASE_MOD "games/crafty/mods/base/main.lua"
#endif

__asm__(".section .rodata\n"
        ".globl crafty_base_mod\ncrafty_base_mod:\n"
        ".incbin \"" CRAFTY_BASE_MOD "\"\n"
        ".globl crafty_base_mod_end\ncrafty_base_mod_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const char crafty_base_mod[], crafty_base_mod_end[];

CraftyModSource crafty_mods_base(void)
{
    static CraftyModFile files[7];
    const CraftyContent content = crafty_content_standard();
    const CraftyModFile all[] = {
        {"main.lua", {crafty_base_mod, (size_t)(crafty_base_mod_end - crafty_base_mod)}},
        {"items.json", content.items},
        {"recipes.json", content.recipes},
        {"block_rules.json", content.block_rules},
        {"creatures.json", content.creatures},
        {"trades.json", content.trades},
        {NULL, {NULL, 0}}};
    memcpy(files, all, sizeof files); /* always the same bytes */
    return (CraftyModSource){.name = "base", .embedded = files, .is_standard = true};
}

/* ---- Memory ---- */

char *crafty_mods_copy(CraftyMods *mods, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = cn_alloc(mods->allocator, size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

static void free_text(CraftyMods *mods, char *text)
{
    if (text)
        cn_free(mods->allocator, text, strlen(text) + 1);
}

static void free_records(CraftyMods *mods)
{
    for (uint32_t i = 0; i < mods->records.count; i++) {
        free_text(mods, mods->records.items[i].file);
        free_text(mods, mods->records.items[i].key);
        free_text(mods, mods->records.items[i].json);
    }
    cn_array_fini(&mods->records);
    for (uint32_t i = 0; i < mods->blocks.count; i++)
        cn_free(mods->allocator, mods->blocks.items[i], sizeof(CraftyModBlock));
    cn_array_fini(&mods->blocks);
    for (uint32_t i = 0; i < mods->textures.count; i++)
        cn_free(mods->allocator, mods->textures.items[i], sizeof(CraftyModTexture));
    cn_array_fini(&mods->textures);
    cn_array_fini(&mods->skins);
    crafty_mods_models_fini(mods);
}

void crafty_mods_destroy(CraftyMods *mods)
{
    if (!mods)
        return;
    CN_ASSERT(!mods->run, "mods outlive the simulation in which they run");
    for (uint32_t i = 0; i < mods->count; i++) {
        cn_lua_sandbox_destroy(mods->list[i].sandbox);
        crafty_mod_store_fini(&mods->list[i].store);
        crafty_mod_hooks_fini(&mods->list[i].hooks);
    }
    free_records(mods);
    CnTextBuilder *texts[] = {&mods->items,  &mods->recipes,  &mods->block_rules, &mods->creatures,
                              &mods->trades, &mods->features, &mods->weather};
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++)
        cn_array_fini(texts[i]);
    cn_array_fini(&mods->infos);
    cn_free(mods->allocator, mods->list, (mods->desc.source_count + 1) * sizeof *mods->list);
    cn_free(mods->allocator, mods, sizeof *mods);
}

static void init(CraftyMods *mods)
{
    CnTextBuilder *texts[] = {&mods->items,  &mods->recipes,  &mods->block_rules, &mods->creatures,
                              &mods->trades, &mods->features, &mods->weather};
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++)
        texts[i]->allocator = mods->allocator;
    mods->records.allocator = mods->allocator;
    mods->blocks.allocator = mods->allocator;
    mods->infos.allocator = mods->allocator;
    mods->textures.allocator = mods->allocator;
    mods->skins.allocator = mods->allocator;
    mods->models.allocator = mods->allocator;
}

/* ---- Disabling ---- */

static bool depends_on(const CraftyModSource *source, const char *name)
{
    for (const CnLuaLibrary *each = source->libraries; each && each->name; each++)
        if (strcmp(each->name, name) == 0)
            return true;
    return false;
}

void crafty_mod_disable(CraftyModState *mod, const CnError *error)
{
    if (mod->is_disabled)
        return;
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    mod->is_disabled = true;
    mod->is_broken = !mod->mods->run;
    mod->error = *error;
    CN_LOG_ERROR("mods", "the mod %s is disabled: %s", mod->source->name,
                 cn_error_text(error, text, sizeof text));
    crafty_mods_notify_disabled(mod);
    if (mod->mods->run) {
        mod->mods->run->is_stale = true;
        crafty_mod_hud_forget(mod->mods->run->world, mod->source->name);
    }
    for (uint32_t i = mod->index + 1; i < mod->mods->count; i++) {
        CraftyModState *other = &mod->mods->list[i];
        CnError cause = {0};
        if (!depends_on(other->source, mod->source->name))
            continue;
        cn_error_set_at(&cause, CN_ERROR_NOT_FOUND, other->source->name, 0, 0,
                        "it depends on the mod %s, which is disabled", mod->source->name);
        crafty_mod_disable(other, &cause);
    }
}

/* ---- Loading ---- */

/* A mod that was stopped by time while it was loaded concerns the world that uses it later. */
static void note_not_reproducible(void *user, const char *reason)
{
    CraftyMods *mods = ((CraftyModState *)user)->mods;
    if (mods->run)
        cn_sim_mark_not_reproducible(mods->run->sim, reason);
    else
        cn_copy_text(mods->not_reproducible, sizeof mods->not_reproducible, cn_text(reason));
}

static CnLuaSandbox *make_sandbox(CraftyModState *mod, CnError *error)
{
    const CraftyModSource *source = mod->source;
    const CraftyModsDesc *desc = &mod->mods->desc;
    return cn_lua_sandbox_create(
        &(CnLuaSandboxDesc){.name = source->name,
                            .allocator = mod->mods->allocator,
                            .files = source->files,
                            .folder = source->folder,
                            .libraries = source->libraries,
                            .tables = crafty_mods_tables(),
                            .user = mod,
                            .memory_bytes = desc->memory_bytes,
                            .instructions_per_call = desc->instructions_per_call,
                            .instructions_per_tick = desc->instructions_per_tick,
                            .watchdog_ms = desc->watchdog_ms,
                            .on_not_reproducible = note_not_reproducible},
        error);
}

static bool run_main(CraftyModState *mod, CnError *error)
{
    const CraftyModSource *source = mod->source;
    char code[128], file[CN_LUA_PATH_BYTES];
    cn_format(code, sizeof code, "mod = {name = \"%s\"}", source->name);
    if (!cn_lua_sandbox_run(mod->sandbox, source->name, cn_text(code), error))
        return false;
    if (!source->embedded)
        return cn_lua_sandbox_load(mod->sandbox, "main.lua", error);
    cn_format(file, sizeof file, "%s/%s", source->name, source->embedded[0].name);
    return cn_lua_sandbox_run(mod->sandbox, file, source->embedded[0].text, error);
}

void crafty_mod_hooks_fini(CraftyModHooks *hooks)
{
    cn_array_fini(&hooks->handlers);
    cn_array_fini(&hooks->blocks);
    cn_array_fini(&hooks->commands);
    cn_array_fini(&hooks->creatures);
}

static CraftyModHooks no_hooks(CnAllocator *allocator)
{
    return (CraftyModHooks){.handlers.allocator = allocator,
                            .blocks.allocator = allocator,
                            .commands.allocator = allocator,
                            .creatures.allocator = allocator};
}

bool crafty_mod_start(CraftyModState *mod, CnError *error)
{
    CnLuaSandbox *old = mod->sandbox;
    CraftyModHooks hooks = mod->hooks;
    mod->hooks = no_hooks(mod->mods->allocator);
    mod->sandbox = make_sandbox(mod, error);
    if (mod->sandbox && run_main(mod, error) &&
        (mod->mods->phase != CRAFTY_MODS_DEFINE || crafty_mod_make_variants(mod, error))) {
        cn_lua_sandbox_destroy(old);
        crafty_mod_hooks_fini(&hooks);
        mod->is_fresh = true;
        if (mod->mods->run) /* after loading, which is the same in all worlds */
            cn_lua_sandbox_seed(mod->sandbox, cn_sim_seed(mod->mods->run->sim));
        return true;
    }
    cn_lua_sandbox_destroy(mod->sandbox);
    crafty_mod_hooks_fini(&mod->hooks);
    mod->sandbox = old;
    mod->hooks = hooks;
    return false;
}

bool crafty_mod_load(CraftyModState *mod, CnError *error)
{
    CnError wrong = {0};
    if (mod->is_disabled || crafty_mod_start(mod, &wrong))
        return true;
    if (wrong.code == CN_ERROR_MEMORY && !wrong.file[0])
        return cn_error_set(error, wrong.code, "%s", wrong.message);
    crafty_mod_disable(mod, &wrong);
    return true;
}

/* Names of mods are part of names of blocks. */
static bool check_source(const CraftyModSource *source, CnError *error)
{
    size_t size = strlen(source->name);
    for (const char *c = source->name; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_'))
            return cn_error_set(error, CN_ERROR_FORMAT,
                                "the name of a mod has only a-z, 0-9 and '_'");
    return (size > 0 && size < 32) ||
           cn_error_set(error, CN_ERROR_FORMAT, "the name of a mod has 1 to 31 bytes");
}

/* The standard content has no handlers, so nothing calls its code again. */
static void free_idle(CraftyModState *mod)
{
    const CraftyModHooks *hooks = &mod->hooks;
    if (!mod->source->is_standard || hooks->handlers.count || hooks->blocks.count ||
        hooks->commands.count)
        return;
    cn_lua_sandbox_destroy(mod->sandbox);
    mod->sandbox = NULL;
}

static bool build(CraftyMods *mods, CnError *error)
{
    mods->list =
        cn_alloc_zeroed(mods->allocator, (mods->desc.source_count + 1) * sizeof *mods->list);
    if (!mods->list)
        return cn_error_memory(error, "the mods");
    mods->count = mods->desc.source_count;
    for (uint32_t i = 0; i < mods->count; i++) {
        CraftyModState *mod = &mods->list[i];
        *mod = (CraftyModState){.mods = mods, .index = i, .source = &mods->desc.sources[i]};
        mod->hooks = no_hooks(mods->allocator);
        crafty_mod_store_init(&mod->store, mods->allocator);
    }
    for (uint32_t i = 0; i < mods->count; i++) {
        CnError wrong = {0};
        if (!check_source(mods->list[i].source, &wrong))
            crafty_mod_disable(&mods->list[i], &wrong);
        else if (!crafty_mod_load(&mods->list[i], error))
            return false;
    }
    mods->phase = CRAFTY_MODS_IDLE;
    for (uint32_t i = 0; i < mods->count; i++)
        free_idle(&mods->list[i]);
    return crafty_mods_list_textures(mods, error) && crafty_mods_write_content(mods, error);
}

CraftyMods *crafty_mods_create(const CraftyModsDesc *desc, CnError *error)
{
    CN_ASSERT(desc->source_count <= CRAFTY_MODS_MAX, "at most %u mods", CRAFTY_MODS_MAX);
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CraftyMods *mods = cn_alloc_zeroed(allocator, sizeof *mods);
    if (!mods) {
        cn_error_memory(error, "the mods");
        return NULL;
    }
    mods->allocator = allocator;
    mods->desc = *desc;
    init(mods);
    if (build(mods, error))
        return mods;
    crafty_mods_destroy(mods);
    return NULL;
}

/* ---- Questions ---- */

const CraftyContent *crafty_mods_content(const CraftyMods *mods)
{
    return &mods->content;
}

uint32_t crafty_mods_count(const CraftyMods *mods)
{
    return mods->count;
}

CraftyModStatus crafty_mods_status(const CraftyMods *mods, uint32_t index)
{
    const CraftyModState *mod = &mods->list[index];
    return (CraftyModStatus){.name = mod->source->name,
                             .is_disabled = mod->is_disabled,
                             .error = mod->error,
                             .skipped = mod->skipped,
                             .lua = mod->sandbox ? cn_lua_sandbox_stats(mod->sandbox)
                                                 : (CnLuaSandboxStats){0}};
}
