/* The queue of a particle system. */
#include "render/feature/particle_system.h"

#include <cairn/base/assert.h>

#include <string.h>

/* Total of all emitters: the limit of one buffer and one dispatch. */
#define MOST_PARTICLES (1u << 20)

static bool check_emitters(const CnParticleBoxDesc *desc, CnError *error)
{
    if (desc->emitter_count > CN_MAX_EMITTERS)
        return cn_error_set(error, CN_ERROR_LIMIT, "%u emitters exceed the limit of %u",
                            desc->emitter_count, CN_MAX_EMITTERS);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < desc->emitter_count; i++) {
        const CnEmitterDesc *emitter = &desc->emitters[i];
        sum += emitter->max_particles;
        if (emitter->max_particles == 0)
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "emitter %u (%s): max_particles must not be 0", i, emitter->name);
        if (emitter->splash > desc->emitter_count)
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "emitter %u (%s): its splash emitter does not exist", i,
                                emitter->name);
    }
    if (sum > MOST_PARTICLES)
        return cn_error_set(error, CN_ERROR_LIMIT, "more than %u particles", MOST_PARTICLES);
    return true;
}

CnParticleBox *cn_particle_box_create(const CnParticleBoxDesc *desc, CnError *error)
{
    if (!check_emitters(desc, error))
        return NULL;
    CnParticleBox *box = cn_alloc_zeroed(desc->allocator, sizeof *box);
    if (!box) {
        cn_error_set(error, CN_ERROR_MEMORY, "no memory for particles");
        return NULL;
    }
    box->allocator = desc->allocator;
    box->emitter_count = desc->emitter_count;
    for (uint32_t i = 0; i < desc->emitter_count; i++) {
        box->emitters[i] = desc->emitters[i];
        box->emitters[i].name = NULL;
        box->firsts[i + 1] = box->firsts[i] + desc->emitters[i].max_particles;
    }
    pthread_mutex_init(&box->lock, NULL);
    return box;
}

void cn_particle_box_destroy(CnParticleBox *box)
{
    if (!box)
        return;
    CN_ASSERT(box->users == 0, "a feature still uses this particle system");
    pthread_mutex_destroy(&box->lock);
    cn_free(box->allocator, box, sizeof *box);
}

static bool has_emitter(const CnParticleBox *box, uint32_t emitter)
{
    CN_ASSERT(emitter < box->emitter_count, "emitter %u does not exist", emitter);
    return emitter < box->emitter_count;
}

bool cn_particle_box_burst(CnParticleBox *box, const CnBurst *burst)
{
    if (!has_emitter(box, burst->emitter))
        return false;
    pthread_mutex_lock(&box->lock);
    bool fits = box->burst_count < CNI_MOST_BURSTS;
    if (fits)
        box->bursts[box->burst_count++] = *burst;
    box->dropped += !fits;
    pthread_mutex_unlock(&box->lock);
    return fits;
}

void cn_particle_box_strength(CnParticleBox *box, uint32_t emitter, float strength)
{
    if (!has_emitter(box, emitter))
        return;
    pthread_mutex_lock(&box->lock);
    box->strengths[emitter] = strength > 1 ? 1 : strength > 0 ? strength : 0;
    pthread_mutex_unlock(&box->lock);
}

bool cn_particle_box_ground(CnParticleBox *box, int32_t x, int32_t z, uint32_t size,
                            const CnGroundColumn *columns)
{
    if (size > CNI_MOST_GROUND)
        return false;
    pthread_mutex_lock(&box->lock);
    box->ground.x = x;
    box->ground.z = z;
    box->ground.size = size;
    memcpy(box->ground.columns, columns, (size_t)size * size * sizeof *columns);
    pthread_mutex_unlock(&box->lock);
    return true;
}

uint64_t cn_particle_box_dropped(CnParticleBox *box)
{
    pthread_mutex_lock(&box->lock);
    uint64_t dropped = box->dropped;
    pthread_mutex_unlock(&box->lock);
    return dropped;
}
