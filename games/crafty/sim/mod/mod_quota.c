#include "mod_quota.h"

#include "mod_resource.h"
#include "mods_internal.h"

#include "crafty/sim/creature/creature.h"
#include "crafty/sim/drops.h"

#include <cairn/base/hash_map.h>
#include <cairn/base/log.h>

#include <string.h>

/* What one mod gets at most, and what all mods get together: the rest is for the players. */
static const struct {
    const char *what;
    uint32_t most, together;
} quotas[CRAFTY_MOD_QUOTA_COUNT] = {
    [CRAFTY_MOD_NOTES] = {"events", 48, CRAFTY_MOD_MAX_NOTES * 3 / 8},
    [CRAFTY_MOD_LINES] = {"lines of the chat", 32, 2048},
    [CRAFTY_MOD_EFFECTS] = {"sounds and particles", 128, 8192},
    [CRAFTY_MOD_SCHEDULES] = {"scheduled ticks", 512, 32768},
    [CRAFTY_MOD_CREATURES] = {"creatures", 1024, CRAFTY_MAX_CREATURES / 2},
    [CRAFTY_MOD_DROPS] = {"drops", 512, CRAFTY_MAX_DROP_ENTITIES * 3 / 4},
    [CRAFTY_MOD_PENDING] = {"scheduled ticks that have not run yet", CRAFTY_MOD_MOST_PENDING,
                            65536}};

static uint32_t share_of(const CraftyMods *mods, CraftyModQuota quota)
{
    uint32_t count = mods->count > 1 ? mods->count - 1 : 1; /* without the standard content */
    uint32_t share = quotas[quota].together / count;
    return share < quotas[quota].most ? share : quotas[quota].most;
}

static void refuse(CraftyModState *mod, CraftyModQuota quota)
{
    mod->skipped++;
    if (!(mod->logged_quotas >> quota & 1))
        CN_LOG_WARNING("mods", "the mod %s has used up its quota of %u %s", mod->source->name,
                       share_of(mod->mods, quota), quotas[quota].what);
    mod->logged_quotas |= 1u << quota;
}

bool crafty_mod_take_quota(CraftyModState *mod, CraftyModQuota quota)
{
    if (mod->used[quota] >= share_of(mod->mods, quota)) {
        refuse(mod, quota);
        return false;
    }
    mod->used[quota]++;
    return true;
}

bool crafty_mod_take_schedule(CraftyModState *mod)
{
    if (crafty_mod_pending(mod) < share_of(mod->mods, CRAFTY_MOD_PENDING))
        return crafty_mod_take_quota(mod, CRAFTY_MOD_SCHEDULES);
    refuse(mod, CRAFTY_MOD_PENDING);
    return false;
}

void crafty_mod_begin_quotas(CraftyModState *mod)
{
    memset(mod->used, 0, sizeof mod->used);
    mod->logged_quotas = 0;
}

/* ---- Creatures and drops ---- */

static CraftyModRun *run_of(const CnWorld *world)
{
    const CraftyModding *modding = cn_resource(world, CraftyModding);
    return modding && modding->run && modding->run->is_active ? modding->run : NULL;
}

static uint64_t key_of(const CraftyModState *mod)
{
    return cn_hash_bytes(mod->source->name, strlen(mod->source->name), 0);
}

static uint32_t count_owned(CraftyModRun *run, uint64_t mod, CraftyModQuota quota)
{
    CnChunkView view;
    uint32_t count = 0;
    if (!run->owned)
        run->owned =
            cn_query_acquire(run->world, &(CnQueryDesc){.all = {cn_reads(CraftyModOwned)}}, NULL);
    if (!run->owned)
        return UINT32_MAX;
    for (CnQueryIter it = cn_query_iter(run->owned); cn_query_next(&it, &view);) {
        const CraftyModOwned *owned = cn_column_const(&view, CraftyModOwned);
        for (uint32_t i = 0; i < view.count; i++)
            count += owned[i].mod == mod && owned[i].quota == (uint32_t)quota;
    }
    return count;
}

bool crafty_mods_may_add(CnWorld *world, CraftyModQuota quota)
{
    CraftyModRun *run = run_of(world);
    CraftyModState *mod = run ? run->mods->running : NULL;
    if (!mod || count_owned(run, key_of(mod), quota) < share_of(run->mods, quota))
        return true;
    refuse(mod, quota);
    return false;
}

void crafty_mods_added(CnWorld *world, CraftyModQuota quota, CnEntity entity)
{
    CraftyModRun *run = run_of(world);
    CraftyModState *mod = run ? run->mods->running : NULL;
    if (mod && entity.id)
        cn_set(world, entity, CraftyModOwned, {.mod = key_of(mod), .quota = (uint32_t)quota});
}
