/*
 * The cost of physics: boxes that fall and settle (scenes/boxes), compared with the same boxes in
 * bare ODE (persistent bodies and geoms, a hash space, the same contacts, iterations and step);
 * ticks of both sides alternate. `--help` lists the options.
 *
 * ODE has the same boxes but a different order of contacts, so the two piles are similar, not
 * identical. While boxes fall, nothing sleeps. The settled pile sleeps here and is auto-disabled in
 * ODE. Fast balls are compared with the same balls without continuous collision.
 */
#include "measure.h"
#include "options.h"

#include "boxes/boxes.h"

#include <cairn/physics.h>

#include <ode/ode.h>
#include <stdio.h>
#include <string.h>

#define BOXES 1000u
#define FALLING 90u /* ticks from the start */
#define SETTLING 700u
#define RESTING 101u

/* ---- Bare ODE ---- */

typedef struct Bare {
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
} Bare;

static void collide(void *data, dGeomID a, dGeomID b)
{
    const Bare *bare = data;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    dContact contacts[4];
    if (!body_a && !body_b)
        return;
    int count = dCollide(a, b, 4, &contacts[0].geom, sizeof(dContact));
    for (int i = 0; i < count; i++) {
        contacts[i].surface = (dSurfaceParameters){
            .mode = dContactApprox1 | dContactSoftCFM, .mu = .5, .soft_cfm = 1e-4};
        dJointAttach(dJointCreateContact(bare->world, bare->joints, &contacts[i]), body_a, body_b);
    }
}

static void bare_tick(Bare *bare)
{
    dSpaceCollide(bare->space, bare, collide);
    dWorldQuickStep(bare->world, 1.0 / 60);
    dJointGroupEmpty(bare->joints);
}

static void add_bare(Bare *bare, const CnRigidbody *rigid, const CnTransform *transform)
{
    CnVec3 half = rigid->half_extents, at = transform->position;
    double x = 2 * (double)half.x, y = 2 * (double)half.y, z = 2 * (double)half.z;
    const CnQuat *q = &transform->rotation;
    const dQuaternion turn = {(double)q->w, (double)q->x, (double)q->y, (double)q->z};
    dGeomID geom = dCreateBox(bare->space, x, y, z);
    if (rigid->kind == CN_BODY_DYNAMIC) {
        dMass mass;
        dMassSetBoxTotal(&mass, (double)rigid->mass, x, y, z);
        dBodyID body = dBodyCreate(bare->world);
        dBodySetMass(body, &mass);
        dGeomSetBody(geom, body);
    }
    dGeomSetPosition(geom, (double)at.x, (double)at.y, (double)at.z);
    dGeomSetQuaternion(geom, turn);
}

/* The bodies of a simulation. */
static Bare bare_create(CnSim *sim)
{
    Bare bare = {dWorldCreate(), dHashSpaceCreate(NULL), dJointGroupCreate(0)};
    dWorldSetGravity(bare.world, 0, -9.81, 0);
    dWorldSetERP(bare.world, .2);
    dWorldSetContactMaxCorrectingVel(bare.world, 2);
    dWorldSetContactSurfaceLayer(bare.world, .002);
    dWorldSetQuickStepNumIterations(bare.world, 20);
    dWorldSetAutoDisableFlag(bare.world, 1);
    dWorldSetAutoDisableLinearThreshold(bare.world, .15);
    dWorldSetAutoDisableAngularThreshold(bare.world, .3);
    dWorldSetAutoDisableAverageSamplesCount(bare.world, 10);
    dWorldSetAutoDisableTime(bare.world, .5);
    CnQuery *query = cn_query_acquire(
        cn_sim_world(sim), &(CnQueryDesc){.all = {cn_reads(CnRigidbody), cn_reads(CnTransform)}},
        NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            add_bare(&bare, &cn_column_const(&view, CnRigidbody)[i],
                     &cn_column_const(&view, CnTransform)[i]);
    return bare;
}

static void bare_destroy(Bare *bare)
{
    dJointGroupDestroy(bare->joints);
    dSpaceDestroy(bare->space);
    dWorldDestroy(bare->world);
}

/* ---- Measuring ---- */

typedef struct Turns {
    double ours_ns, bare_ns; /* per tick */
} Turns;

static uint64_t time_ours(CnSim *sim)
{
    uint64_t start = cn_clock_ns();
    cn_sim_tick_n(sim, 1, NULL);
    return cn_clock_ns() - start;
}

static uint64_t time_bare(Bare *bare)
{
    uint64_t start = cn_clock_ns();
    bare_tick(bare);
    return cn_clock_ns() - start;
}

/* Uses means: while boxes fall, no two ticks are alike. */
static Turns measure_turns(CnSim *sim, Bare *bare, uint32_t ticks)
{
    uint64_t ours = 0, bares = 0;
    for (uint32_t i = 0; i < ticks; i++) {
        ours += time_ours(sim);
        bares += time_bare(bare);
    }
    return (Turns){(double)ours / ticks, (double)bares / ticks};
}

static void print(const char *name, uint32_t n, double ns, double bare_ns, bool json)
{
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"ns\":%.1f,\"raw_ns\":%.1f}\n", name,
               n, ns, bare_ns);
    else
        printf("%-16s %8u %14.0f %14.0f %8.2f\n", name, n, ns, bare_ns, ns / bare_ns);
}

static uint64_t rays_per_call(CnWorld *world, uint32_t count)
{
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < count; i++) {
        CnRaycastQuery query = {.origin = {(float)(i % 17) - 8, 30, (float)(i / 17 % 17) - 8},
                                .direction = {0, -1, 0},
                                .distance = 60};
        CnRaycastHit hit;
        measure_keep(cn_physics_raycast(world, &query, &hit));
    }
    return (cn_clock_ns() - start) / count;
}

static void keep_nearest(void *data, dGeomID ray, dGeomID other)
{
    double *nearest = data;
    dContactGeom contact;
    if (dCollide(ray, other, 1, &contact, sizeof contact) && contact.depth < *nearest)
        *nearest = contact.depth;
}

static uint64_t bare_rays(const Bare *bare, uint32_t count)
{
    dGeomID ray = dCreateRay(NULL, 60);
    uint64_t start = cn_clock_ns();
    for (uint32_t i = 0; i < count; i++) {
        double nearest = 60;
        dGeomRaySet(ray, (double)(i % 17) - 8, 30, (double)(i / 17 % 17) - 8, 0, -1, 0);
        dSpaceCollide2(ray, (dGeomID)bare->space, &nearest, keep_nearest);
        measure_keep(nearest);
    }
    uint64_t ns = (cn_clock_ns() - start) / count;
    dGeomDestroy(ray);
    return ns;
}

/* ---- Fast bodies ---- */

/* Balls of 10 cm at 100 m/s, in rows above a floor: each is near others on its way. */
static CnSim *make_flight(bool continuous)
{
    CnError error = {0};
    CnSim *sim = cn_sim_create(NULL, &error);
    CnPlugin physics = cn_physics_plugin(NULL);
    if (!sim || !cn_sim_add_plugin(sim, &physics, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    CnWorld *world = cn_sim_world(sim);
    CnRigidbody floor = cn_rigidbody(CN_BODY_STATIC, CN_SHAPE_BOX);
    CnRigidbody ball = cn_rigidbody(CN_BODY_DYNAMIC, CN_SHAPE_SPHERE);
    floor.half_extents = cn_vec3(1000, 1, 1000);
    ball.radius = .05f;
    ball.gravity_scale = 0;
    ball.continuous = continuous;
    cn_set_component(world, cn_object(world, "Floor"), cn_id(world, CnRigidbody), &floor);
    for (uint32_t i = 0; i < BOXES; i++) {
        CnEntity entity = cn_object(world, "Ball");
        cn_get_mut(world, entity, CnTransform)->position =
            cn_vec3((float)(i % 10) * 1.5f, 1.5f + (float)(i / 100) * .5f, (float)(i / 10 % 10));
        cn_set_component(world, entity, cn_id(world, CnRigidbody), &ball);
        cn_body_set_velocity(world, entity, cn_vec3(100, 0, 0));
    }
    cn_sim_tick_n(sim, 2, NULL);
    return sim;
}

static void measure_flight(bool json)
{
    CnSim *continuous = make_flight(true), *discrete = make_flight(false);
    uint64_t ours = 0, without = 0;
    for (uint32_t i = 0; i < FALLING; i++) {
        ours += time_ours(continuous);
        without += time_ours(discrete);
    }
    print("fast_continuous", BOXES, (double)ours / FALLING, (double)without / FALLING, json);
    cn_sim_destroy(continuous);
    cn_sim_destroy(discrete);
}

static void measure(uint32_t boxes, bool json)
{
    CnError error = {0};
    CnSim *sim = cn_sim_create(NULL, &error);
    if (!sim || !boxes_add(sim, &(BoxesDesc){boxes}, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    Bare bare = bare_create(sim);
    Turns falling = measure_turns(sim, &bare, FALLING);
    Turns settling = measure_turns(sim, &bare, SETTLING - FALLING);
    Turns resting = measure_turns(sim, &bare, RESTING);
    print("boxes_falling", boxes, falling.ours_ns, falling.bare_ns, json);
    print("boxes_settling", boxes, settling.ours_ns, settling.bare_ns, json);
    print("boxes_resting", boxes, resting.ours_ns, resting.bare_ns, json);
    print("ray", boxes, (double)rays_per_call(cn_sim_world(sim), 2000),
          (double)bare_rays(&bare, 2000), json);
    bare_destroy(&bare);
    cn_sim_destroy(sim);
}

int main(int argc, char **argv)
{
    bool json = false;
    char about[512];
    cn_format(about, sizeof about,
              "Nanoseconds per tick of %u boxes that fall for %u ticks, settle until tick %u, and\n"
              "rest, and of a ray cast down at them, compared with bare ODE.",
              BOXES, FALLING, SETTLING);
    const BenchOption options[] = {BENCH_OPTION_JSON(&json)};
    bench_read_options(&(BenchUsage){"bench_physics", about, options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    machine_print(json);
    if (!json)
        printf("%-16s %8s %14s %14s %8s\n", "", "boxes", "ns", "bare ODE ns", "ratio");
    measure(BOXES, json);
    measure_flight(json);
}
