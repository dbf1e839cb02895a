#include "village_prefetch.h"

#include <string.h>

void crafty_village_prefetch_init(CraftyVillagePrefetch *prefetch, CnJobPool *jobs,
                                  CnGenerator *generator)
{
    *prefetch = (CraftyVillagePrefetch){.jobs = jobs, .generator = generator};
}

void crafty_village_prefetch_fini(CraftyVillagePrefetch *prefetch)
{
    if (prefetch->jobs)
        cn_job_wait(prefetch->jobs, prefetch->job);
    cn_generate_scratch_destroy(prefetch->scratch);
    *prefetch = (CraftyVillagePrefetch){0};
}

static void plan(void *data, uint32_t lane)
{
    const CraftyVillagePrefetch *prefetch = data;
    CnCell found;
    (void)lane;
    for (uint32_t i = 0; i < prefetch->count; i++)
        cn_generate_village(prefetch->generator, prefetch->scratch, prefetch->regions[i].x,
                            prefetch->regions[i].z, &found);
}

void crafty_village_prefetch(CraftyVillagePrefetch *prefetch, const CraftyRegion *regions,
                             uint32_t count)
{
    if (!prefetch || !count || !cn_job_pool_workers(prefetch->jobs) ||
        !cn_job_is_done(prefetch->jobs, prefetch->job))
        return;
    if (!prefetch->scratch)
        prefetch->scratch = cn_generate_scratch_create(prefetch->generator);
    if (!prefetch->scratch)
        return;
    prefetch->count = count < CRAFTY_PREFETCH_REGIONS ? count : CRAFTY_PREFETCH_REGIONS;
    memcpy(prefetch->regions, regions, prefetch->count * sizeof *regions);
    prefetch->jobs_begun++;
    prefetch->job = cn_job_submit(prefetch->jobs, &(CnJobDesc){.run = plan, .data = prefetch});
}
