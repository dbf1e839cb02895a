/* The queue of a particle system. */
#include "render/feature/particle_system.h"

#include <cairn/base/assert.h>

#include <string.h>

/* Total of all emitters: the limit of one buffer and one dispatch. */
#define MAX_PARTICLES (1u << 20)

static bool check_emitters(const CnParticleSystemDesc *desc, CnError *error)
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
    if (sum > MAX_PARTICLES)
        return cn_error_set(error, CN_ERROR_LIMIT, "more than %u particles", MAX_PARTICLES);
    return true;
}

CnParticleSystem *cn_particle_system_create(const CnParticleSystemDesc *desc, CnError *error)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    if (!check_emitters(desc, error))
        return NULL;
    CnParticleSystem *particle_system = cn_alloc_zeroed(desc->allocator, sizeof *particle_system);
    if (!particle_system) {
        cn_error_memory(error, "particles");
        return NULL;
    }
    particle_system->allocator = desc->allocator;
    particle_system->emitter_count = desc->emitter_count;
    for (uint32_t i = 0; i < desc->emitter_count; i++) {
        particle_system->emitters[i] = desc->emitters[i];
        particle_system->emitters[i].name = NULL;
        particle_system->firsts[i + 1] =
            particle_system->firsts[i] + desc->emitters[i].max_particles;
    }
    pthread_mutex_init(&particle_system->lock, NULL);
    return particle_system;
}

void cn_particle_system_destroy(CnParticleSystem *particle_system)
{
    if (!particle_system)
        return;
    CN_ASSERT(particle_system->users == 0, "a feature still uses this particle system");
    pthread_mutex_destroy(&particle_system->lock);
    cn_free(particle_system->allocator, particle_system, sizeof *particle_system);
}

static bool has_emitter(const CnParticleSystem *particle_system, uint32_t emitter)
{
    CN_ASSERT(emitter < particle_system->emitter_count, "emitter %u does not exist", emitter);
    return emitter < particle_system->emitter_count;
}

bool cn_particle_system_burst(CnParticleSystem *particle_system, const CnBurst *burst)
{
    CN_ASSERT(particle_system, "%s: particle_system is NULL", __func__);
    CN_ASSERT(burst, "%s: burst is NULL", __func__);
    if (!has_emitter(particle_system, burst->emitter))
        return false;
    pthread_mutex_lock(&particle_system->lock);
    bool fits = particle_system->burst_count < CNI_RENDER_MAX_BURSTS;
    if (fits)
        particle_system->bursts[particle_system->burst_count++] = *burst;
    particle_system->dropped += !fits;
    pthread_mutex_unlock(&particle_system->lock);
    return fits;
}

void cn_particle_system_set_strength(CnParticleSystem *particle_system, uint32_t emitter,
                                     float strength)
{
    CN_ASSERT(particle_system, "%s: particle_system is NULL", __func__);
    if (!has_emitter(particle_system, emitter))
        return;
    pthread_mutex_lock(&particle_system->lock);
    particle_system->strengths[emitter] = strength > 1 ? 1 : strength > 0 ? strength : 0;
    pthread_mutex_unlock(&particle_system->lock);
}

bool cn_particle_system_set_ground(CnParticleSystem *particle_system, int32_t x, int32_t z,
                                   uint32_t size, const CnGroundColumn *columns)
{
    CN_ASSERT(particle_system, "%s: particle_system is NULL", __func__);
    if (size > CNI_RENDER_MAX_GROUND)
        return false;
    pthread_mutex_lock(&particle_system->lock);
    particle_system->ground.x = x;
    particle_system->ground.z = z;
    particle_system->ground.size = size;
    memcpy(particle_system->ground.columns, columns, (size_t)size * size * sizeof *columns);
    pthread_mutex_unlock(&particle_system->lock);
    return true;
}

uint64_t cn_particle_system_dropped(CnParticleSystem *particle_system)
{
    CN_ASSERT(particle_system, "%s: particle_system is NULL", __func__);
    pthread_mutex_lock(&particle_system->lock);
    uint64_t dropped = particle_system->dropped;
    pthread_mutex_unlock(&particle_system->lock);
    return dropped;
}
