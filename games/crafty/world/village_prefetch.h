/*
 * Plans villages in a job, ahead of a search: planning the village of a region takes milliseconds,
 * tens of them at worst, and asking for a plan that exists takes microseconds.
 *
 *     CraftyRegion next[] = {{3, 0}, {3, 1}};
 *     crafty_village_prefetch(prefetch, next, 2);            // in one tick
 *     cn_generate_village(generator, scratch, 3, 0, &found); // in a later one
 *
 * Plans are functions of the seed, so the result of a search does not depend on whether a job was
 * done in time; a search that is early waits for the plan or makes it itself. One thread uses a
 * prefetch.
 */
#ifndef CRAFTY_WORLD_VILLAGE_PREFETCH_H
#define CRAFTY_WORLD_VILLAGE_PREFETCH_H

#include <cairn/base/job.h>
#include <cairn/voxel/generate.h>

#define CRAFTY_PREFETCH_REGIONS 4u /* so few that they do not evict each other from the cache */

typedef struct CraftyRegion {
    int32_t x, z; /* of CN_VILLAGE_REGION blocks */
} CraftyRegion;

typedef struct CraftyVillagePrefetch {
    CnJobPool *jobs;
    CnGenerator *generator;
    CnGenerateScratch *scratch; /* NULL until it is used */
    CnJob job;
    CraftyRegion regions[CRAFTY_PREFETCH_REGIONS]; /* of the job */
    uint32_t count;
    uint64_t jobs_begun;
} CraftyVillagePrefetch;

/* `jobs` and `generator` outlive it. Without workers nothing is prefetched. */
void crafty_village_prefetch_init(CraftyVillagePrefetch *prefetch, CnJobPool *jobs,
                                  CnGenerator *generator);
/* Waits for the job. */
void crafty_village_prefetch_fini(CraftyVillagePrefetch *prefetch);

/* Begins a job that plans the first CRAFTY_PREFETCH_REGIONS of these regions, unless one is
 * running. Does nothing when out of memory, or if `prefetch` is NULL. */
void crafty_village_prefetch(CraftyVillagePrefetch *prefetch, const CraftyRegion *regions,
                             uint32_t count);

#endif
