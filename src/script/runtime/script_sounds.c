/*
 * Sounds that scripts play. Their ends are ticks, computed from the lengths of files, never from a
 * device. Audio commands are derived from the list in PreExtract, so that a tick sends one command
 * per sound at most, however often a script changes it.
 */
#include "script/runtime/script_sounds.h"
#include "script/runtime/runtime.h"
#include "script/runtime/sound_length.h"

#include <cairn/scene/transform.h>
#include <cairn/sim/loop.h>

#define EXTRACT_SOUNDS "ExtractSounds"
#define TICK_TOLERANCE 1e-7 /* the duration of a tick is a 32-bit float */

void cni_script_sounds_init(CniScriptSounds *sounds, CnAllocator *allocator)
{
    cn_array_init(&sounds->playing, allocator);
    cn_array_init(&sounds->teams, allocator);
    cn_array_init(&sounds->stops, allocator);
    cn_array_init(&sounds->lengths, allocator);
    cn_names_init(&sounds->paths, allocator);
}

void cni_script_sounds_fini(CniScriptSounds *sounds)
{
    cn_array_fini(&sounds->playing);
    cn_array_fini(&sounds->teams);
    cn_array_fini(&sounds->stops);
    cn_array_fini(&sounds->lengths);
    cn_names_fini(&sounds->paths);
}

/* ---- Time ---- */

static uint64_t tick_now(const CniScriptRuntime *runtime)
{
    const CnTickInfo *info = cn_resource(runtime->shared.world, CnTickInfo);
    return info ? info->tick : 0;
}

static double tick_seconds(const CniScriptRuntime *runtime)
{
    const CnTickInfo *info = cn_resource(runtime->shared.world, CnTickInfo);
    return info && info->dt > 0 ? (double)info->dt : 1.0 / 60;
}

/* The end is in the first tick at or after the last sample, but not in the tick of the start. */
static void set_due(const CniScriptRuntime *runtime, CniScriptSound *sound)
{
    double ticks = sound->left / ((double)sound->pitch * tick_seconds(runtime));
    ticks -= ticks * TICK_TOLERANCE;
    uint64_t whole = (uint64_t)ticks;
    whole += (double)whole < ticks;
    sound->due = sound->from + (whole ? whole : 1);
}

void cni_script_sounds_set_pitch(CniScriptRuntime *runtime, CniScriptSound *sound, float pitch)
{
    uint64_t now = tick_now(runtime);
    if (!sound->loop) {
        double played = (double)(now - sound->from) * tick_seconds(runtime) * (double)sound->pitch;
        sound->left = sound->left > played ? sound->left - played : 0;
        sound->from = now;
    }
    sound->pitch = pitch;
    sound->is_changed = true;
    set_due(runtime, sound);
}

bool cni_script_sounds_length(CniScriptRuntime *runtime, const char *path, double *seconds,
                              CnError *error)
{
    CniScriptSounds *sounds = &runtime->sounds;
    uint32_t name = cn_name_find(&sounds->paths, cn_text(path)).id;
    if (name && name <= sounds->lengths.count) {
        *seconds = sounds->lengths.items[name - 1];
        return true;
    }
    if (!cni_script_sound_length(runtime->shared.desc->files, runtime->shared.allocator, path,
                                 seconds, error))
        return false;
    /* Not remembering it costs time only. */
    if (sounds->lengths.count < CNI_SCRIPT_MAX_LENGTHS &&
        cn_array_reserve(&sounds->lengths, sounds->lengths.count + 1u)) {
        name = cn_name_from_text(&sounds->paths, cn_text(path)).id;
        if (name == sounds->lengths.count + 1u)
            sounds->lengths.items[sounds->lengths.count++] = *seconds;
    }
    return true;
}

/* ---- The list ---- */

uint64_t cni_script_team_of(const char *owner, bool is_sandboxed)
{
    return is_sandboxed ? cn_hash_bytes(owner, strlen(owner), 1) : 0;
}

CniScriptTeam *cni_script_sounds_team(CniScriptSounds *sounds, uint64_t team)
{
    for (uint32_t i = 0; i < sounds->teams.count; i++)
        if (sounds->teams.items[i].team == team)
            return &sounds->teams.items[i];
    bool done = cn_array_push(&sounds->teams, (CniScriptTeam){.team = team});
    return done ? &sounds->teams.items[sounds->teams.count - 1] : NULL;
}

CniScriptSound *cni_script_sounds_find(CniScriptSounds *sounds, uint64_t team, uint32_t number)
{
    for (uint32_t i = 0; i < sounds->playing.count; i++)
        if (sounds->playing.items[i].number == number && sounds->playing.items[i].team == team)
            return &sounds->playing.items[i];
    return NULL;
}

static bool is_id_in_use(const CniScriptSounds *sounds, uint32_t id)
{
    for (uint32_t i = 0; i < sounds->playing.count; i++)
        if (sounds->playing.items[i].id == id)
            return true;
    return false;
}

CniScriptSound *cni_script_sounds_play(CniScriptRuntime *runtime, const CniScriptSound *sound)
{
    CniScriptSounds *sounds = &runtime->sounds;
    CN_ASSERT(sounds->playing.count < CNI_SCRIPT_MAX_SOUNDS, "too many sounds play");
    CniScriptTeam *team = cni_script_sounds_team(sounds, sound->team);
    if (!team || !cn_array_reserve(&sounds->playing, sounds->playing.count + 1u))
        return NULL;
    do
        sounds->last_id++; /* 0 is not an id */
    while (!sounds->last_id || is_id_in_use(sounds, sounds->last_id));
    do
        team->last++; /* nor a number */
    while (!team->last || cni_script_sounds_find(sounds, sound->team, team->last));
    team->playing++;
    CniScriptSound *added = &sounds->playing.items[sounds->playing.count++];
    *added = *sound;
    added->id = sounds->last_id;
    added->number = team->last;
    added->from = tick_now(runtime);
    added->is_sent = added->is_changed = false;
    set_due(runtime, added);
    return added;
}

static void remove_sound(CniScriptSounds *sounds, CniScriptSound *sound)
{
    CniScriptSound *end = sounds->playing.items + sounds->playing.count--;
    CniScriptTeam *team = cni_script_sounds_team(sounds, sound->team);
    if (team && team->playing)
        team->playing--;
    memmove(sound, sound + 1, (size_t)(end - sound - 1) * sizeof *sound);
}

static void push_stop(CniScriptSounds *sounds, uint32_t id, uint16_t fade_ms)
{
    if (sounds->stops.count < CNI_SCRIPT_MAX_STOPS &&
        cn_array_reserve(&sounds->stops, sounds->stops.count + 1u))
        sounds->stops.items[sounds->stops.count++] = (CniScriptSoundStop){id, fade_ms};
}

void cni_script_sounds_stop(CniScriptSounds *sounds, CniScriptSound *sound, double fade_seconds)
{
    CN_ASSERT(fade_seconds >= 0 && fade_seconds <= CNI_SCRIPT_MAX_FADE, "fade of %g s",
              fade_seconds);
    if (sound->is_sent)
        push_stop(sounds, sound->id, (uint16_t)(fade_seconds * 1000 + 0.5));
    remove_sound(sounds, sound);
}

void cni_script_sounds_drop(CniScriptSounds *sounds, CnEntity owner)
{
    for (uint32_t i = sounds->playing.count; i-- > 0;) {
        CniScriptSound *sound = &sounds->playing.items[i];
        if (!cn_entity_equal(sound->owner, owner))
            continue;
        sound->owner = (CnEntity){0};
        if (sound->loop)
            cni_script_sounds_stop(sounds, sound, 0);
    }
}

/* ---- Ends ---- */

static bool is_orphan(const CniScriptRuntime *runtime, const CniScriptSound *sound, uint64_t now)
{
    const CniScriptInstance *instance = cni_script_instance_find(runtime, sound->owner);
    if (sound->owner.id && (!instance || instance->gone || instance->status == CN_SCRIPT_FAILED))
        return true;
    /* An object that was created in a hook of this tick may not exist yet. */
    return sound->object.id && sound->from != now &&
           !cn_is_alive(runtime->shared.world, sound->object);
}

/* The end waits until the script can be told: while its object is inactive and while the
 * instructions of the tick are used up. */
static bool must_wait(const CniScriptRuntime *runtime, const CniScriptSound *sound)
{
    const CniScriptInstance *instance = cni_script_instance_find(runtime, sound->owner);
    if (!instance || instance->gone || instance->status != CN_SCRIPT_RUNNING)
        return false;
    return cn_has_component(runtime->shared.world, sound->owner, runtime->inactive) ||
           cni_script_budget_spent(instance->file->state);
}

bool cni_script_sounds_next_end(CniScriptRuntime *runtime, CniScriptSound *ended)
{
    CniScriptSounds *sounds = &runtime->sounds;
    uint64_t now = tick_now(runtime);
    for (uint32_t i = 0; i < sounds->playing.count;) {
        CniScriptSound *sound = &sounds->playing.items[i];
        if (sound->loop && is_orphan(runtime, sound, now)) {
            cni_script_sounds_stop(sounds, sound, 0);
            continue;
        }
        if (!sound->loop && sound->due <= now && !must_wait(runtime, sound)) {
            *ended = *sound;
            remove_sound(sounds, sound);
            return true;
        }
        i++;
    }
    return false;
}

/* ---- Audio commands ---- */

static CnAudioCommand command_of(CnWorld *world, const CniScriptSound *sound)
{
    return (CnAudioCommand){.source = {sound->id},
                            .kind = sound->is_sent ? CN_AUDIO_CHANGE
                                    : sound->loop  ? CN_AUDIO_LOOP
                                                   : CN_AUDIO_PLAY,
                            .sound = cn_asset_number(world, cn_text(sound->path)),
                            .position = sound->position,
                            .rotation = {0, 0, 0, 1},
                            .gain = sound->gain,
                            .pitch = sound->pitch,
                            .flags = sound->is_spatial ? 0 : CN_AUDIO_NOT_SPATIAL,
                            .bus = sound->bus};
}

/* Positions are part of the state, so they are followed without a consumer, too. */
static void follow(CnWorld *world, CniScriptSound *sound)
{
    const CnWorldTransform *transform =
        sound->object.id ? cn_get(world, sound->object, CnWorldTransform) : NULL;
    if (!transform)
        return;
    const float(*m)[4] = transform->matrix.m;
    CnVec3 position = {m[0][3], m[1][3], m[2][3]};
    if (memcmp(&position, &sound->position, sizeof position) != 0) {
        sound->position = position;
        sound->is_changed = true;
    }
}

/* Loops and stops that find the ring full are sent again in the next tick. */
static void send_stops(CniScriptSounds *sounds, CnAudioOut *out)
{
    uint32_t done = 0;
    while (done < sounds->stops.count &&
           cn_extract_audio(out, &(CnAudioCommand){.source = {sounds->stops.items[done].id},
                                                   .kind = CN_AUDIO_STOP,
                                                   .fade_ms = sounds->stops.items[done].fade_ms}))
        done++;
    sounds->stops.count -= done;
    memmove(sounds->stops.items, sounds->stops.items + done,
            sounds->stops.count * sizeof *sounds->stops.items);
}

static void send(CnWorld *world, CnAudioOut *out, CniScriptSound *sound)
{
    if (sound->is_sent && !sound->is_changed)
        return;
    CnAudioCommand command = command_of(world, sound);
    bool done = cn_extract_audio(out, &command);
    sound->is_changed = sound->is_changed && !done;
    sound->is_sent = sound->is_sent || done || !sound->loop;
}

static void send_sounds(CnSystemContext *context)
{
    CniScriptSounds *sounds = &((CniScriptRuntime *)context->user)->sounds;
    CnAudioOut *out = cn_resource(context->world, CnAudioOut)
                          ? cn_resource_mut(context->world, CnAudioOut)
                          : NULL;
    if (out && sounds->stops.count)
        send_stops(sounds, out);
    if (!out)
        cn_array_clear(&sounds->stops);
    for (uint32_t i = 0; i < sounds->playing.count; i++) {
        CniScriptSound *sound = &sounds->playing.items[i];
        follow(context->world, sound);
        if (out)
            send(context->world, out, sound);
        else
            sound->is_sent = sound->is_sent || !sound->loop;
    }
}

bool cni_script_sounds_system_add(CniScriptRuntime *runtime, CnError *error)
{
    CnSystemDesc desc = {
        .name = "script.sounds",
        .run = send_sounds,
        .user = runtime,
        .stage = CN_STAGE_PRE_EXTRACT,
        .access = {cn_reads(CnWorldTransform), cn_writes(CnPresentation), cn_writes(CnAudioOut)}};
    /* Both number names of assets. Naming systems that do not exist is an error. */
    if (cn_system_find(runtime->shared.world, EXTRACT_SOUNDS).id)
        desc.after[0] = EXTRACT_SOUNDS;
    return cn_system_add(runtime->shared.world, &desc, error).id != 0;
}
