/* Starts probes, and applies what they found. */
#include "audio/acoustic_probe.h"

#include <cairn/base/assert.h>
#include <cairn/base/clock.h>

#define DEFAULT_VOICES 32u
#define DEFAULT_INTERVAL_MS 50u
#define TRANSITION_SECONDS 0.6f
#define COORDINATE_LIMIT 1e6f

struct CnAcoustics {
    CnAllocator *allocator;
    CnAcousticsDesc desc; /* with defaults filled in */
    CniAcousticProbe probe;
    CnJob job;
    bool is_running;  /* the job owns the probe */
    bool is_affected; /* occlusion or reverb is set */
    double wait_seconds;
    CnVoice last; /* the voice at which the next probe goes on */
    CnAcousticSpace space;
    CnAcousticsStats stats;
};

CnAcoustics *cn_acoustics_create(const CnAcousticsDesc *desc, CnError *error)
{
    CN_ASSERT(desc && desc->audio, "%s: there is no audio system", __func__);
    CN_REPORT_UNHANDLED(error, "audio", NULL);
    if (desc->voices > CNI_ACOUSTICS_MAX_VOICES) {
        cn_error_set(error, CN_ERROR_LIMIT, "acoustics: %u voices per probe exceed the limit of %u",
                     desc->voices, CNI_ACOUSTICS_MAX_VOICES);
        return NULL;
    }
    CnAcoustics *acoustics = cn_alloc_zeroed(desc->allocator, sizeof *acoustics);
    if (!acoustics) {
        cn_error_memory(error, "acoustics");
        return NULL;
    }
    acoustics->allocator = desc->allocator;
    acoustics->desc = *desc;
    if (!desc->voices)
        acoustics->desc.voices = DEFAULT_VOICES;
    if (!desc->interval_ms)
        acoustics->desc.interval_ms = DEFAULT_INTERVAL_MS;
    acoustics->space = (CnAcousticSpace){.openness = 1, .sky = 1};
    return acoustics;
}

static void release_chunks(CniAcousticProbe *probe)
{
    for (uint32_t i = 0; i < CNI_ACOUSTICS_CHUNKS; i++) {
        cn_chunk_release(probe->chunks[i]);
        probe->chunks[i] = NULL;
    }
}

void cn_acoustics_destroy(CnAcoustics *acoustics)
{
    if (!acoustics)
        return;
    if (acoustics->is_running && acoustics->desc.jobs)
        cn_job_wait(acoustics->desc.jobs, acoustics->job);
    release_chunks(&acoustics->probe);
    cn_free(acoustics->allocator, acoustics, sizeof *acoustics);
}

/* ---- Starting a probe ---- */

static void collect_chunks(CniAcousticProbe *probe, CnVoxels *world)
{
    uint32_t index = 0;
    for (int32_t z = -CNI_ACOUSTICS_RADIUS; z <= CNI_ACOUSTICS_RADIUS; z++)
        for (int32_t y = -CNI_ACOUSTICS_RADIUS; y <= CNI_ACOUSTICS_RADIUS; y++)
            for (int32_t x = -CNI_ACOUSTICS_RADIUS; x <= CNI_ACOUSTICS_RADIUS; x++, index++) {
                CnChunkPos at = {probe->middle.x + x, probe->middle.y + y, probe->middle.z + z};
                const CnChunk *chunk =
                    cn_voxels_is_loaded(world, at) ? cn_voxels_chunk(world, at) : NULL;
                /* A reference of our own; the chunk is only read. */
                probe->chunks[index] = chunk ? cn_chunk_acquire((CnChunk *)(uintptr_t)chunk) : NULL;
            }
}

/* Takes the next voices in turn, so that each is tested even if there are many. */
static void collect_voices(CnAcoustics *acoustics)
{
    CniAcousticProbe *probe = &acoustics->probe;
    CnAudio *audio = acoustics->desc.audio;
    CnVoice first = {0}, at = acoustics->last;
    probe->voice_count = 0;
    while (probe->voice_count < acoustics->desc.voices) {
        at = cn_audio_next_spatial(audio, at);
        if (!at.id && !first.id && acoustics->last.id) /* from the beginning */
            at = cn_audio_next_spatial(audio, at);
        if (!at.id || at.id == first.id)
            break;
        first = first.id ? first : at;
        probe->voices[probe->voice_count++] =
            (CniAcousticVoice){.voice = at, .place = cn_voice_position(audio, at)};
    }
    acoustics->last = at;
}

static void run_job(void *data, uint32_t lane)
{
    (void)lane;
    cni_acoustics_run(data);
}

static bool is_in_range(CnVec3 p)
{
    return p.x > -COORDINATE_LIMIT && p.x < COORDINATE_LIMIT && p.y > -COORDINATE_LIMIT &&
           p.y < COORDINATE_LIMIT && p.z > -COORDINATE_LIMIT && p.z < COORDINATE_LIMIT;
}

static void start(CnAcoustics *acoustics, CnVoxels *world)
{
    CniAcousticProbe *probe = &acoustics->probe;
    CnVec3 ear = cn_audio_listener(acoustics->desc.audio).position;
    if (!is_in_range(ear))
        return;
    CnCell cell = {(int32_t)ear.x - (ear.x < 0), (int32_t)ear.y - (ear.y < 0),
                   (int32_t)ear.z - (ear.z < 0)};
    probe->table = cn_voxels_blocks(world);
    probe->ear = ear;
    probe->middle = cn_chunk_of(cell);
    collect_chunks(probe, world);
    collect_voices(acoustics);
    acoustics->is_running = true;
    acoustics->wait_seconds = acoustics->desc.interval_ms * 1e-3;
    if (acoustics->desc.jobs)
        acoustics->job =
            cn_job_submit(acoustics->desc.jobs, &(CnJobDesc){.run = run_job, .data = probe});
    else
        cni_acoustics_run(probe);
}

/* ---- Results ---- */

static void apply(CnAcoustics *acoustics)
{
    CniAcousticProbe *probe = &acoustics->probe;
    CnAudio *audio = acoustics->desc.audio;
    for (uint32_t i = 0; i < probe->voice_count; i++)
        cn_voice_set_occlusion(audio, probe->voices[i].voice, probe->voices[i].gain,
                               probe->voices[i].lowpass);
    acoustics->space = probe->space;
    cn_audio_set_reverb(audio, &probe->space.reverb, TRANSITION_SECONDS);
    acoustics->stats.probes++;
    acoustics->stats.rays += probe->rays;
    acoustics->stats.voices += probe->voice_count;
    acoustics->stats.probe_seconds += probe->seconds;
    acoustics->is_running = false;
    acoustics->is_affected = true;
    release_chunks(probe);
}

static void apply_nothing(CnAcoustics *acoustics)
{
    CnAudio *audio = acoustics->desc.audio;
    CnVoice voice = {0};
    while ((voice = cn_audio_next_spatial(audio, voice)).id)
        cn_voice_set_occlusion(audio, voice, 1, 1);
    cn_audio_set_reverb(audio, NULL, TRANSITION_SECONDS);
    acoustics->space = (CnAcousticSpace){.openness = 1, .sky = 1};
    acoustics->is_affected = false;
}

static void finish_probe(CnAcoustics *acoustics)
{
    CnJobPool *jobs = acoustics->desc.jobs;
    if (acoustics->desc.wait && jobs)
        cn_job_wait(jobs, acoustics->job);
    if (!jobs || cn_job_is_done(jobs, acoustics->job))
        apply(acoustics);
}

void cn_acoustics_update(CnAcoustics *acoustics, CnVoxels *world, double seconds)
{
    CN_ASSERT(acoustics, "%s: acoustics is NULL", __func__);
    uint64_t begin_ns = cn_clock_ns();
    acoustics->wait_seconds -= seconds;
    if (acoustics->is_running)
        finish_probe(acoustics);
    if (!acoustics->is_running && world && acoustics->wait_seconds <= 0) {
        start(acoustics, world);
        if (acoustics->is_running && (acoustics->desc.wait || !acoustics->desc.jobs))
            finish_probe(acoustics);
    } else if (!acoustics->is_running && !world && acoustics->is_affected) {
        apply_nothing(acoustics);
    }
    acoustics->stats.update_seconds += cn_seconds(cn_clock_ns() - begin_ns);
}

CnAcousticSpace cn_acoustics_space(const CnAcoustics *acoustics)
{
    CN_ASSERT(acoustics, "%s: acoustics is NULL", __func__);
    return acoustics->space;
}

CnAcousticsStats cn_acoustics_stats(const CnAcoustics *acoustics)
{
    CN_ASSERT(acoustics, "%s: acoustics is NULL", __func__);
    return acoustics->stats;
}
