/*
 * Sounds of scripts as a state section:
 *
 *     u32 version, u32 number of sounds, u32 last id, u32 number of teams; for each sound a
 *     SavedSound; for each team u64 team, u32 last number, u32 0
 *
 * Version 1 had no teams: `number` was 0, `team` missing, and the id was the number, too.
 *
 * A restored loop starts again. A restored sound that plays once is not heard again, but its end
 * comes in the same tick as without the save.
 */
#include "script/runtime/runtime.h"
#include "script/runtime/script_sounds.h"

#include <cairn/base/bytes.h>
#include <cairn/sim/loop.h>
#include <float.h>

#define VERSION 2u
#define OLD_SOUND_BYTES 200u /* of version 1 */
#define TEAM_BYTES 16u
#define MAX_TEAMS 4096u
#define HEAD_BYTES 16u

typedef struct SavedSound {
    uint64_t owner, object, from, due;
    double left;
    uint32_t id;
    CnVec3 position;
    float gain, pitch;
    uint8_t bus, loop, is_spatial, zero;
    char path[CN_ASSET_PATH_BYTES];
    uint32_t number;
    uint64_t team;
} SavedSound;
_Static_assert(sizeof(SavedSound) == OLD_SOUND_BYTES + 8, "saved sounds have no padding");

static SavedSound to_saved(const CniScriptSound *sound)
{
    SavedSound saved = {.owner = sound->owner.id,
                        .object = sound->object.id,
                        .from = sound->from,
                        .due = sound->due,
                        .left = sound->left,
                        .id = sound->id,
                        .position = sound->position,
                        .gain = sound->gain,
                        .pitch = sound->pitch,
                        .bus = sound->bus,
                        .loop = sound->loop,
                        .is_spatial = sound->is_spatial,
                        .number = sound->number,
                        .team = sound->team};
    memcpy(saved.path, sound->path, sizeof saved.path);
    return saved;
}

static bool save(void *user, CnU8Array *bytes, CnError *error)
{
    const CniScriptSounds *sounds = &((CniScriptRuntime *)user)->sounds;
    uint32_t head[4] = {VERSION, sounds->playing.count, sounds->last_id, sounds->teams.count};
    if (!sounds->last_id)
        return true;
    bool done = cn_bytes_append(bytes, head, sizeof head);
    for (uint32_t i = 0; i < sounds->playing.count && done; i++) {
        SavedSound saved = to_saved(&sounds->playing.items[i]);
        done = cn_bytes_append(bytes, &saved, sizeof saved);
    }
    for (uint32_t i = 0; i < sounds->teams.count && done; i++) {
        const CniScriptTeam *team = &sounds->teams.items[i];
        uint32_t last[2] = {team->last, 0};
        done = cn_bytes_append(bytes, &team->team, sizeof team->team) &&
               cn_bytes_append(bytes, last, sizeof last);
    }
    return done || cn_error_memory(error, "saving sounds of scripts");
}

/* ---- Restoring ---- */

static bool damaged(CnError *error)
{
    return cn_error_set(error, CN_ERROR_FORMAT, "the saved sounds of scripts are damaged");
}

static bool is_in(double value, double low, double high)
{
    return value >= low && value <= high; /* not for NaN */
}

static bool is_finite(float value)
{
    return value >= -FLT_MAX && value <= FLT_MAX;
}

static bool is_valid(const SavedSound *saved)
{
    const CnVec3 *at = &saved->position;
    return saved->id && saved->number && saved->from <= saved->due && is_in(saved->left, 0, 1e9) &&
           is_finite(at->x) && is_finite(at->y) && is_finite(at->z) &&
           is_in((double)saved->gain, 0, CNI_SCRIPT_MAX_GAIN) &&
           is_in((double)saved->pitch, CNI_SCRIPT_MIN_PITCH * 0.999, CNI_SCRIPT_MAX_PITCH) &&
           saved->bus < CN_AUDIO_BUS_MASTER && saved->loop <= 1 && saved->is_spatial <= 1 &&
           saved->path[0] && memchr(saved->path, 0, sizeof saved->path);
}

static CniScriptSound from_saved(const SavedSound *saved)
{
    CniScriptSound sound = {.owner = {saved->owner},
                            .object = {saved->object},
                            .from = saved->from,
                            .due = saved->due,
                            .left = saved->left,
                            .id = saved->id,
                            .position = saved->position,
                            .gain = saved->gain,
                            .pitch = saved->pitch,
                            .bus = saved->bus,
                            .loop = saved->loop != 0,
                            .is_spatial = saved->is_spatial != 0,
                            .number = saved->number,
                            .team = saved->team,
                            .is_sent = !saved->loop};
    memcpy(sound.path, saved->path, sizeof sound.path);
    return sound;
}

/* What is heard belongs to the replaced state: it stops. */
static void clear(CniScriptSounds *sounds)
{
    while (sounds->playing.count)
        cni_script_sounds_stop(sounds, &sounds->playing.items[sounds->playing.count - 1], 0);
    sounds->last_id = 0;
    cn_array_clear(&sounds->teams);
    sounds->console = (CniScriptPlayCount){0};
    sounds->log_tick = 0;
}

/* A sound of version 1 belongs to the owner of the script that plays it. */
static void complete_old(const CniScriptRuntime *runtime, SavedSound *saved)
{
    char owner[CNI_SCRIPT_OWNER_BYTES];
    const CnScript *script = cn_get(runtime->shared.world, ((CnEntity){saved->owner}), CnScript);
    saved->number = saved->id;
    saved->team = 0;
    if (!script)
        return;
    cni_script_owner_name(script->script_path, owner);
    bool is_trusted = cni_script_is_trusted(runtime->shared.desc, script->script_path);
    saved->team = cni_script_team_of(owner, !is_trusted);
}

static bool add_sound(CniScriptSounds *sounds, const SavedSound *saved, CnError *error)
{
    CniScriptTeam *team = cni_script_sounds_team(sounds, saved->team);
    if (!team)
        return cn_error_memory(error, "sounds of scripts");
    team->playing++;
    if (saved->number > team->last)
        team->last = saved->number;
    sounds->playing.items[sounds->playing.count++] = from_saved(saved);
    return true;
}

static bool take_teams(CniScriptSounds *sounds, const uint8_t *bytes, uint32_t count,
                       CnError *error)
{
    for (uint32_t i = 0; i < count; i++, bytes += TEAM_BYTES) {
        CniScriptTeam *team = cni_script_sounds_team(sounds, cn_load_u64(bytes));
        if (!team)
            return cn_error_memory(error, "sounds of scripts");
        team->last = cn_load_u32(bytes + 8);
    }
    return true;
}

static bool take_sounds(CniScriptRuntime *runtime, const uint8_t *bytes, size_t size,
                        CnError *error)
{
    CniScriptSounds *sounds = &runtime->sounds;
    uint32_t count = cn_load_u32(bytes + 4), teams = cn_load_u32(bytes + 12);
    bool is_old = cn_load_u32(bytes) == 1;
    size_t sound_bytes = is_old ? OLD_SOUND_BYTES : sizeof(SavedSound);
    if (count > CNI_SCRIPT_MAX_SOUNDS || teams > MAX_TEAMS || (is_old && teams) ||
        size != HEAD_BYTES + count * sound_bytes + teams * (size_t)TEAM_BYTES)
        return damaged(error);
    if (!cn_array_reserve(&sounds->playing, count))
        return cn_error_memory(error, "sounds of scripts");
    for (uint32_t i = 0; i < count; i++) {
        SavedSound saved = {0};
        memcpy(&saved, bytes + HEAD_BYTES + i * sound_bytes, sound_bytes);
        if (is_old)
            complete_old(runtime, &saved);
        if (!is_valid(&saved))
            return damaged(error);
        if (!add_sound(sounds, &saved, error))
            return false;
    }
    sounds->last_id = cn_load_u32(bytes + 8);
    return take_teams(sounds, bytes + HEAD_BYTES + count * sound_bytes, teams, error);
}

static bool restore(void *user, const uint8_t *bytes, size_t size, CnError *error)
{
    CniScriptRuntime *runtime = user;
    clear(&runtime->sounds);
    if (!size)
        return true;
    if (size < HEAD_BYTES)
        return damaged(error);
    if (cn_load_u32(bytes) < 1 || cn_load_u32(bytes) > VERSION)
        return cn_error_set(error, CN_ERROR_VERSION,
                            "the saved sounds of scripts have another version");
    if (take_sounds(runtime, bytes, size, error))
        return true;
    cn_array_clear(&runtime->sounds.playing);
    cn_array_clear(&runtime->sounds.teams);
    return false;
}

static const char section_name[] = "ScriptSounds";

bool cni_script_sounds_section_begin(CniScriptRuntime *runtime, CnError *error)
{
    CnStateSection section = {section_name, save, restore, runtime};
    return cn_sim_add_state_section(runtime->sim, &section, error);
}

void cni_script_sounds_section_end(CniScriptRuntime *runtime)
{
    cn_sim_remove_state_section(runtime->sim, section_name);
}
