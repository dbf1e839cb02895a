#include "boxes.h"

#include <cairn/physics.h>
#include <cairn/scene/object.h>

#define ROW 10u     /* boxes beside each other */
#define SPACE 1.25f /* from one to the next */
#define HALF_TRAY 9.0f
#define WALL 1.0f /* half as thick */
#define HIGH 8.0f /* half as high */

CN_COMPONENT(BoxesSettings, (u32, boxes));
CN_TAG(BoxesBox);

static bool add_body(CnWorld *world, const char *name, const CnTransform *transform,
                     const CnRigidbody *body, bool is_box, CnError *error)
{
    const CnValue values[] = {{.type = &cn_type_CnRigidbody, .data = body},
                              {.type = &cn_type_BoxesBox}};
    return cn_object_create(world,
                            &(CnObjectDesc){.name = name,
                                            .transform = transform,
                                            .values = values,
                                            .value_count = is_box ? 2 : 1},
                            error)
        .id;
}

static bool add_wall(CnWorld *world, const char *name, CnVec3 position, CnVec3 half, CnError *error)
{
    CnRigidbody body = cn_rigidbody(CN_BODY_STATIC, CN_SHAPE_BOX);
    CnTransform transform = CN_TRANSFORM_IDENTITY;
    body.half_extents = half;
    transform.position = position;
    return add_body(world, name, &transform, &body, false, error);
}

static bool add_tray(CnWorld *world, CnError *error)
{
    float side = HALF_TRAY + WALL, high = HIGH;
    return add_wall(world, "Floor", cn_vec3(0, -1, 0), cn_vec3(side + WALL, 1, side + WALL),
                    error) &&
           add_wall(world, "East", cn_vec3(side, high, 0), cn_vec3(WALL, high, side), error) &&
           add_wall(world, "West", cn_vec3(-side, high, 0), cn_vec3(WALL, high, side), error) &&
           add_wall(world, "South", cn_vec3(0, high, side), cn_vec3(side, high, WALL), error) &&
           add_wall(world, "North", cn_vec3(0, high, -side), cn_vec3(side, high, WALL), error);
}

static bool add_box(CnWorld *world, uint32_t number, CnError *error)
{
    CnRigidbody body = cn_rigidbody(CN_BODY_DYNAMIC, CN_SHAPE_BOX);
    CnTransform transform = CN_TRANSFORM_IDENTITY;
    float middle = (float)(ROW - 1) / 2, half = 0.4f + 0.02f * (float)(number % 8);
    uint32_t x = number % ROW, z = number / ROW % ROW, y = number / (ROW * ROW);
    body.half_extents = cn_vec3(half, half, half);
    body.mass = 8 * half * half * half;
    transform.position =
        cn_vec3(((float)x - middle) * SPACE + 0.05f * (float)(y % 3), 2 + (float)y * SPACE,
                ((float)z - middle) * SPACE + 0.03f * (float)(y % 5));
    transform.rotation = cn_quat_from_euler(
        cn_vec3((float)(number % 3) * 4, (float)(number % 23) * 4, (float)(number % 5) * 3));
    return add_body(world, "Box", &transform, &body, true, error);
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    const BoxesDesc *desc = user;
    if (!cn_resource_set(world, BoxesSettings, {desc->boxes}))
        return cn_error_memory(error, "boxes");
    if (!add_tray(world, error))
        return false;
    for (uint32_t i = 0; i < desc->boxes; i++)
        if (!add_box(world, i, error))
            return false;
    return true;
}

static bool clone(CnSim *to, const CnSim *from, void *user, CnError *error)
{
    const BoxesSettings *settings = cn_resource(cn_sim_world(from), BoxesSettings);
    (void)user; /* it was the description, which is gone */
    return boxes_add(to, settings ? &(BoxesDesc){settings->boxes} : NULL, error);
}

bool boxes_add(CnSim *sim, const BoxesDesc *desc, CnError *error)
{
    BoxesDesc filled = {desc && desc->boxes ? desc->boxes : 1000};
    CnPlugin physics = cn_physics_plugin(NULL);
    CnPlugin plugin = {.name = "Boxes",
                       .version = 1,
                       .needs = {"Physics"},
                       .build = build,
                       .clone = clone,
                       .user = &filled};
    if (filled.boxes > BOXES_MAX)
        return cn_error_set(error, CN_ERROR_LIMIT, "at most %u boxes", BOXES_MAX);
    return (cn_sim_has_plugin(sim, "Physics") || cn_sim_add_plugin(sim, &physics, error)) &&
           cn_sim_add_plugin(sim, &plugin, error);
}

BoxesState boxes_state(const CnSim *sim)
{
    BoxesState state = {0};
    CnQuery *query = cn_query_acquire(
        cn_sim_world(sim), &(CnQueryDesc){.all = {cn_reads(CnBodyState), cn_tag(BoxesBox)}}, NULL);
    CnChunkView view;
    double most = 0;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        const CnBodyState *bodies = cn_column_const(&view, CnBodyState);
        for (uint32_t i = 0; i < view.count; i++) {
            const double *v = bodies[i].velocity;
            double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            most = square > most ? square : most;
            state.asleep += bodies[i].asleep;
            state.lost += !(bodies[i].position[1] > 0);
        }
        state.boxes += view.count;
    }
    cn_query_release(query);
    state.fastest = cn_sqrt(most);
    return state;
}

void boxes_report(const CnSim *sim, char *text, size_t text_bytes)
{
    BoxesState state = boxes_state(sim);
    cn_format(text, text_bytes, "%u boxes, %u asleep, %u lost", state.boxes, state.asleep,
              state.lost);
}
