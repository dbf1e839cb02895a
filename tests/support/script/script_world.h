/*
 * A simulation with scripts, for tests of what scripts see.
 *
 *     ScriptWorld w;
 *     script_world_init(&w, &(ScriptWorldDesc){.sandboxed = true});
 *     assert_string_equal(script_run(&w, "return 1 + 1"), "2");
 *     script_add(&w, "Box", "function on_update(dt) this.position = Vec3(1, 2, 3) end");
 *     script_tick(&w, 1);
 *     script_world_fini(&w);
 *
 * With `physics` there is a floor, a static box whose upper side is y = 0, and a ball of radius 1
 * and mass 2 at (0, 5, 0).
 *
 * Objects at first: "Car" with the children "Wheel" and "Door"; Wheel has a LampComponent.
 */
#ifndef CAIRN_TESTS_SUPPORT_SCRIPT_SCRIPT_WORLD_H
#define CAIRN_TESTS_SUPPORT_SCRIPT_SCRIPT_WORLD_H

#include "memory_files.h"
#include "scene_world.h"

#include <cairn/physics.h>
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/sim.h>

CN_COMPONENT(ScriptSpeed, (f32, x), (f32, y)); /* laid out by fields */
CN_COMPONENT(ScriptDamage, (entity, target), (f32, amount), (text, kind, 16));
CN_TAG(ScriptAlarm);

typedef struct ScriptWorldDesc {
    bool sandboxed;
    bool physics;
    uint64_t seed;
    CnAllocator *allocator;
    CnJobPool *jobs;
} ScriptWorldDesc;

typedef struct ScriptWorld {
    ScriptWorldDesc desc;
    CnScriptDesc scripts;
    MemoryFiles files;
    CnSim *sim;
    CnWorld *world;
    CnEntity car, wheel, door, floor, ball;
    CnTextBuilder text; /* result of a script, or the last error */
    char paths[16][32]; /* of scripts that were added */
    char *codes[16];
    uint32_t path_count;
} ScriptWorld;

bool script_world_init(ScriptWorld *w, const ScriptWorldDesc *desc);
void script_world_fini(ScriptWorld *w);
/* Runs code and returns its result as text; "error: " and the message if it fails. */
const char *script_run(ScriptWorld *w, const char *code);
/* Creates a root object with this script. */
CnEntity script_add(ScriptWorld *w, const char *name, const char *code);
bool script_tick(ScriptWorld *w, uint64_t ticks);
/* Returns the error of an object's script; "" if it did not fail. */
const char *script_error(ScriptWorld *w, CnEntity object);

#endif
