/* Sends the sounds of CnAudioSource as audio commands: what differs from what was sent before. */
#include "scene/component/extract_sounds.h"

#include <cairn/base/log.h>
#include <cairn/scene/presentation.h>
#include <cairn/scene/transform.h>

#include <string.h>

/* What the consumer knows about an entity. */
typedef struct SentSource {
    CnEntity entity; /* null: nothing plays */
    CnAudioCommand command;
    uint64_t seen; /* the run in which the entity played last */
} SentSource;

/* Owned by the system. */
typedef struct CniSceneSounds {
    CnAllocator *allocator;
    CnQuery *sources;
    CN_ARRAY(SentSource) sent; /* by index of the entity */
    uint32_t playing;          /* entries that play */
    uint64_t run;              /* number of runs */
} Sounds;

static CnText text_of(const char *text, size_t bytes)
{
    const char *end = memchr(text, 0, bytes);
    return (CnText){text, end ? (size_t)(end - text) : bytes};
}

static CnAudioCommand command_of(CnWorld *world, CnEntity entity, const CnAudioSource *source,
                                 const CnAffine *matrix)
{
    const float(*m)[4] = matrix->m;
    return (CnAudioCommand){.source = entity,
                            .kind = source->loop ? CN_AUDIO_LOOP : CN_AUDIO_PLAY,
                            .sound =
                                cn_asset_number(world, text_of(source->sound, CN_ASSET_PATH_BYTES)),
                            .position = {m[0][3], m[1][3], m[2][3]},
                            .rotation = {0, 0, 0, 1},
                            .gain = source->gain,
                            .pitch = source->pitch,
                            .flags = source->spatial ? 0 : CN_AUDIO_NOT_SPATIAL,
                            .reference_distance = source->reference_distance,
                            .max_distance = source->max_distance,
                            .rolloff = source->rolloff > 0 ? source->rolloff : -1};
}

static bool is_same_sound(const CnAudioCommand *a, const CnAudioCommand *b)
{
    return a->sound == b->sound && a->kind == b->kind && a->flags == b->flags &&
           a->reference_distance == b->reference_distance && a->max_distance == b->max_distance &&
           a->rolloff == b->rolloff;
}

static bool has_changed(const CnAudioCommand *a, const CnAudioCommand *b)
{
    return memcmp(&a->position, &b->position, sizeof a->position) || a->gain != b->gain ||
           a->pitch != b->pitch;
}

/* Commands that are dropped are sent again in the next tick. */
static void send(Sounds *sounds, CnAudioOut *out, SentSource *sent, const CnAudioCommand *now)
{
    bool is_playing = cn_entity_equal(sent->entity, now->source);
    CnAudioCommand command = *now;
    if (is_playing && is_same_sound(&sent->command, now)) {
        if (!has_changed(&sent->command, now))
            return;
        command.kind = CN_AUDIO_CHANGE;
    }
    if (!cn_extract_audio(out, &command))
        return;
    sounds->playing += cn_entity_is_null(sent->entity);
    sent->entity = now->source;
    sent->command = *now;
}

static void extract_chunk(CnSystemContext *context, const CnChunkView *view, CnAudioOut *out)
{
    Sounds *sounds = context->user;
    const CnAudioSource *sources = cn_column_const(view, CnAudioSource);
    const CnWorldTransform *worlds = cn_column_const(view, CnWorldTransform);
    for (uint32_t i = 0; i < view->count; i++) {
        uint32_t index = cn_entity_index(view->entities[i]);
        if (!sources[i].playing || !sources[i].sound[0])
            continue;
        if (!cn_array_reserve(&sounds->sent, index + 1))
            return; /* tried again in the next tick */
        while (sounds->sent.count <= index)
            sounds->sent.items[sounds->sent.count++] = (SentSource){0};
        SentSource *sent = &sounds->sent.items[index];
        CnAudioCommand now =
            command_of(context->world, view->entities[i], &sources[i], &worlds[i].matrix);
        if (!cn_entity_is_null(sent->entity) && !cn_entity_equal(sent->entity, now.source)) {
            /* Another entity had this index. */
            if (!cn_extract_audio(out,
                                  &(CnAudioCommand){.source = sent->entity, .kind = CN_AUDIO_STOP}))
                continue;
            sent->entity = (CnEntity){0};
            sounds->playing--;
        }
        send(sounds, out, sent, &now);
        sent->seen = sounds->run;
    }
}

/* Stops what no longer plays: sources that were switched off, deactivated or removed. */
static void stop_others(CnSystemContext *context, CnAudioOut *out)
{
    Sounds *sounds = context->user;
    for (uint32_t i = 0; sounds->playing && i < sounds->sent.count; i++) {
        SentSource *sent = &sounds->sent.items[i];
        if (cn_entity_is_null(sent->entity) || sent->seen == sounds->run)
            continue;
        if (!cn_extract_audio(out,
                              &(CnAudioCommand){.source = sent->entity, .kind = CN_AUDIO_STOP}))
            return;
        sent->entity = (CnEntity){0};
        sounds->playing--;
    }
}

static bool has_consumer(const CnSystemContext *context)
{
    return cn_resource(context->world, CnAudioOut) != NULL;
}

static void extract_sounds(CnSystemContext *context)
{
    Sounds *sounds = context->user;
    CnAudioOut *out = cn_resource_mut(context->world, CnAudioOut);
    CnChunkView view;
    sounds->run++;
    for (CnQueryIter it = cn_query_iter(sounds->sources); cn_query_next(&it, &view);)
        extract_chunk(context, &view, out);
    stop_others(context, out);
}

static void dispose(void *user)
{
    Sounds *sounds = user;
    cn_query_release(sounds->sources);
    cn_array_fini(&sounds->sent);
    cn_free(sounds->allocator, sounds, sizeof *sounds);
}

static bool add_system(CnWorld *world, Sounds *sounds, CnError *error)
{
    return cn_system_add(
               world,
               &(CnSystemDesc){.name = "ExtractSounds",
                               .run = extract_sounds,
                               .user = sounds,
                               .stage = CN_STAGE_PRE_EXTRACT,
                               .after = {"ExtractObjects"},
                               .access = {cn_reads(CnAudioSource), cn_reads(CnWorldTransform),
                                          cn_writes(CnPresentation), cn_writes(CnAudioOut)},
                               .run_if = has_consumer,
                               .dispose = dispose},
               error)
               .id != 0;
}

bool cni_scene_extract_sounds_add(CnWorld *world, CnError *error)
{
    if (cn_system_find(world, "ExtractSounds").id)
        return true;
    CnAllocator *allocator = cn_world_allocator(world);
    Sounds *sounds = cn_alloc_zeroed(allocator, sizeof *sounds);
    if (!sounds)
        return cn_error_memory(error, "extraction of sounds");
    sounds->allocator = allocator;
    cn_array_init(&sounds->sent, allocator);
    sounds->sources = cn_query_acquire(
        world,
        &(CnQueryDesc){.all = {cn_reads(CnAudioSource), cn_reads(CnWorldTransform)},
                       .none = {cn_tag(CnInactive)}},
        error);
    if (sounds->sources && add_system(world, sounds, error))
        return true;
    dispose(sounds);
    return false;
}
