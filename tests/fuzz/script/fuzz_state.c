/*
 * The state section of scripts, with this.state of each. It is refused, or restored, and can be
 * saved and restored again. Scripts run afterwards in any case.
 */
#include "fuzz_surface.h"
#include "script_world.h"

#include "sim/sim_internal.h"

#include <string.h>

static ScriptWorld w;

static const CnStateSection *section(void)
{
    for (uint32_t i = 0; i < w.sim->sections.count; i++)
        if (!strcmp(w.sim->sections.items[i].name, "Script"))
            return &w.sim->sections.items[i];
    abort();
}

static void make_world(void)
{
    static const char code[] =
        "function on_init() local s = this.state s.n = 1/3 s.text = 'a\\0b' s.yes = true "
        "s.deep = {1, {2, {3}}} s.same = s.deep s.self = s s.where = Vec3(1, 2, 3) s.turn = "
        "Quat() s.me = this s[2] = Vec2(1, 2) end "
        "function on_reload() restored = this.state end "
        "function on_update() local s = this.state s.n = (tonumber(s.n) or 0) + 1 end";
    if (w.sim)
        return;
    FUZZ_CHECK(script_world_init(&w, &(ScriptWorldDesc){.sandboxed = true}));
    script_add(&w, "A", code);
    script_add(&w, "B", "function on_update() error('no') end");
    script_add(&w, "C", "function on_reload() this.state.x = 1 end");
    FUZZ_CHECK(script_tick(&w, 2));
}

static void add_seeds(FuzzSeeds *seeds)
{
    CnU8Array bytes;
    make_world();
    cn_array_init(&bytes, NULL);
    FUZZ_CHECK(section()->save(section()->user, &bytes, NULL));
    fuzz_add(seeds, bytes.items, bytes.count);
    cn_array_fini(&bytes);
}

/* Functions that ran again may have changed this.state, so only whether it can be restored is
 * checked. */
static void check_saved(void)
{
    CnU8Array bytes;
    CnError error = {0};
    cn_array_init(&bytes, NULL);
    FUZZ_CHECK(section()->save(section()->user, &bytes, &error));
    FUZZ_CHECK(section()->restore(section()->user, bytes.items, bytes.count, &error));
    cn_array_fini(&bytes);
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    make_world();
    bool accepted = section()->restore(section()->user, bytes, size, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    if (accepted)
        check_saved();
    FUZZ_CHECK(script_tick(&w, 1));
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = 1024, .add_seeds = add_seeds, .run = run};
