#include "fair.h"

#define ARMS 4u   /* of a ride */
#define CABINS 3u /* of an arm */
#define BULBS 5u  /* of a cabin */
#define VISITORS 3u
#define RIDE_OBJECTS (1u + ARMS * (1u + CABINS * (1u + BULBS)) + VISITORS)
#define PICKED 256u /* the manager does not look beyond the first ones */

CN_TAG(FairRide);
CN_COMPONENT(FairArm, (vec3, axis), (f32, degrees_per_second));
CN_COMPONENT(FairCabin, (f32, phase));
/* watched: another visitor; distance: to it, when last looked. */
CN_COMPONENT(FairVisitor, (entity, watched), (f32, distance), (u32, hops));

static uint64_t draw(const CnWorld *world, uint64_t who, uint64_t what)
{
    return cn_random_at(who, cn_resource(world, CnTickInfo)->tick, what);
}

/* ---- What moves ---- */

static void turn_arm(const CnBehaviorCall *call, void *self)
{
    const FairArm *arm = self;
    CnTransform *transform = cn_get_mut(call->world, call->object, CnTransform);
    float radians = arm->degrees_per_second * call->dt * 0.0174532925f;
    transform->rotation =
        cn_quat_normalize(cn_quat_mul(cn_quat_from_axis(arm->axis, radians), transform->rotation));
}

CN_SYSTEM(fair_swing, (write, CnTransform, t), (write, FairCabin, cabin))
{
    for (uint32_t i = 0; i < count; i++) {
        cabin[i].phase += 1.7f * context->dt;
        float swing = 20 * cn_sinf(cabin[i].phase);
        t[i].rotation = cn_quat_from_euler(cn_vec3(swing, 3 * cabin[i].phase, swing * 0.5f));
    }
}

/* Sits down where it is, and looks where the other one has come to by now. */
static void sit_and_look(const CnBehaviorCall *call, void *self)
{
    CnWorld *world = call->world;
    FairVisitor *visitor = self;
    CnTransform *transform = cn_get_mut(world, call->object, CnTransform);
    transform->position = cn_vec3_scale(transform->position, 0.95f);
    transform->scale = cn_vec3_lerp(transform->scale, cn_vec3(1, 1, 1), 0.1f);
    if (!cn_is_alive(world, visitor->watched))
        visitor->watched = call->object;
    CnVec3 ahead = cn_vec3_sub(cn_transform_world_position(world, visitor->watched),
                               cn_transform_world_position(world, call->object));
    visitor->distance = cn_vec3_length(ahead);
    CnEntity cabin = cn_parent(world, visitor->watched);
    if (draw(world, cn_object_uid(world, call->object), 1) % 32 == 0 && cabin.id) {
        cn_defer_set_parent(call->commands, call->object, cabin);
        visitor->hops++;
    }
}

/* ---- The manager: what code does that runs alone ---- */

typedef struct Picks {
    CnEntity items[PICKED];
    uint32_t count;
} Picks;

static Picks active_with(CnWorld *world, CnComponent component)
{
    Picks picks;
    uint32_t count = cn_objects_with(world, component, picks.items, PICKED);
    picks.count = count < PICKED ? count : PICKED;
    return picks;
}

static CnEntity pick(const Picks *picks, uint64_t chance)
{
    return picks->count ? picks->items[chance % picks->count] : CN_NO_PARENT;
}

/* Rides come and go, so that there are as many as there should be. */
static void build_or_tear_down(CnWorld *world, const Picks *rides, uint64_t chance)
{
    uint32_t wanted = cn_resource(world, FairSettings)->objects;
    CnEntity ride = pick(rides, chance);
    if (cn_entity_count(world) > wanted) {
        cn_destroy(world, ride);
        return;
    }
    CnEntity copy = cn_object_clone(world, ride, CN_NO_PARENT, NULL);
    CnTransform *transform = cn_get_mut(world, copy, CnTransform);
    if (transform)
        transform->position.x += 15;
}

static void manage(CnSystemContext *context)
{
    CnWorld *world = context->world;
    const uint64_t tick = cn_resource(world, CnTickInfo)->tick, chance = draw(world, 1, 0);
    Picks rides = active_with(world, cn_id(world, FairRide));
    Picks cabins = active_with(world, cn_id(world, FairCabin));
    Picks visitors = active_with(world, cn_id(world, FairVisitor));
    for (uint64_t i = 0; i < 4; i++)
        cn_object_set_parent(world, pick(&visitors, draw(world, 2, i)),
                             pick(&cabins, draw(world, 3, i)),
                             i % 2 ? CN_REPARENT_KEEP_WORLD : CN_REPARENT_KEEP_LOCAL, NULL);
    if (tick % 16 == 1)
        cn_object_set_enabled(world, pick(&rides, chance), false);
    if (tick % 16 == 15) {
        Picks closed;
        CnQuery *query = cn_query_acquire(
            world, &(CnQueryDesc){.all = {cn_tag(FairRide), cn_tag(CnInactive)}}, NULL);
        closed.count = query ? cn_query_entities(query, closed.items, PICKED) : 0;
        cn_query_release(query);
        for (uint32_t i = 0; i < closed.count && i < PICKED; i++)
            cn_object_set_enabled(world, closed.items[i], true);
    }
    if (tick % 8 == 5)
        build_or_tear_down(world, &rides, chance >> 8);
    if (tick % 24 == 7) {
        Picks cameras = active_with(world, cn_id(world, CnCamera));
        cn_camera_set_active(world, pick(&cameras, chance >> 16));
    }
}

/* ---- The beginning ---- */

static CnEntity add(CnWorld *world, const char *name, CnEntity parent, CnVec3 position)
{
    CnTransform transform = CN_TRANSFORM_IDENTITY;
    transform.position = position;
    return cn_object_create(
        world, &(CnObjectDesc){.name = name, .parent = parent, .transform = &transform}, NULL);
}

static CnEntity add_cabin(CnWorld *world, CnEntity arm, uint32_t number)
{
    CnEntity cabin = add(world, "Cabin", arm, cn_vec3(0.5f, -1, 2 + (float)number));
    cn_set(world, cabin, FairCabin, {.phase = (float)number * 0.7f});
    for (uint32_t i = 0; i < BULBS; i++) {
        CnEntity bulb = add(world, "Bulb", cabin, cn_vec3((float)i * 0.3f, 1.1f, -0.2f));
        if (bulb.id)
            cn_get_mut(world, bulb, CnTransform)->scale =
                cn_vec3(0.1f, 0.2f + 0.01f * (float)i, 0.1f);
    }
    return cabin;
}

static CnEntity add_arm(CnWorld *world, CnEntity ride, uint32_t number)
{
    CnEntity arm = add(world, "Arm", ride, cn_vec3((float)number * 1.5f - 2, 4, 0));
    CnVec3 axis = cn_vec3_normalize(cn_vec3(0.1f * (float)number, 1, 0.2f));
    cn_set(world, arm, FairArm, {.axis = axis, .degrees_per_second = 20 + 13 * (float)number});
    if (arm.id)
        cn_get_mut(world, arm, CnTransform)->scale = cn_vec3(1, 0.9f, 1.1f);
    for (uint32_t i = 1; i < CABINS; i++)
        add_cabin(world, arm, i);
    return add_cabin(world, arm, 0);
}

static bool add_ride(CnWorld *world, uint32_t number)
{
    char name[32];
    cn_format(name, sizeof name, "Ride %u", number);
    CnEntity ride = add(world, name, CN_NO_PARENT,
                        cn_vec3((float)(number % 20) * 30, 0, (float)(number / 20) * 30));
    CnEntity cabins[ARMS], last = CN_NO_PARENT;
    cn_add(world, ride, FairRide);
    for (uint32_t i = 0; i < ARMS; i++)
        cabins[i] = add_arm(world, ride, i);
    for (uint32_t i = 0; i < VISITORS; i++) {
        CnEntity visitor = add(world, "Visitor", cabins[i % ARMS], cn_vec3(0, 0, 0));
        cn_set(world, visitor, FairVisitor, {.watched = last});
        last = visitor;
    }
    return last.id != 0;
}

/* Somebody on the ground, and a camera that flies about beside a cabin that moves. */
static bool add_people(CnWorld *world)
{
    CnEntity player = add(world, "Player", CN_NO_PARENT, cn_vec3(0, 3, 20));
    CnEntity head = add(world, "Head", player, cn_vec3(0, 0, 0));
    CnEntity eye = add(world, "Eye", cn_object_find(world, "Ride 0/Arm/Cabin"), cn_vec3(0, 2, 0));
    return cn_add(world, player, CnPlayerController) && cn_add(world, head, CnCamera) &&
           cn_add(world, eye, CnFlyCamera) && cn_add(world, eye, CnCamera);
}

static bool add_systems(CnWorld *world, CnError *error)
{
    const CnBehavior arm = {.type = &cn_type_FairArm, .update = turn_arm};
    const CnBehavior visitor = {
        .type = &cn_type_FairVisitor, .update = sit_and_look, .after = {"fair_swing"}};
    const CnSystemDesc manager = {.name = "fair_manage",
                                  .run = manage,
                                  .stage = CN_STAGE_PRE_UPDATE,
                                  .after = {"RefreshActive.early"},
                                  .alone = true};
    const CnSystemDesc swing = {.name = "fair_swing",
                                .run = fair_swing,
                                .stage = CN_STAGE_UPDATE,
                                .after = {"FairArm.update"},
                                .split = true};
    return cn_register(world, FairRide).id && cn_behavior_add(world, &arm, error) &&
           cn_system_add_query(world, &swing, &fair_swing_query, error).id &&
           cn_behavior_add(world, &visitor, error) && cn_system_add(world, &manager, error).id;
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    const FairDesc *desc = user;
    if (!add_systems(world, error))
        return false;
    bool done = cn_resource_set(world, FairSettings, {desc->objects}) != NULL;
    uint32_t rides = (desc->objects + RIDE_OBJECTS - 1) / RIDE_OBJECTS;
    for (uint32_t i = 0; done && i < rides; i++)
        done = add_ride(world, i);
    return (done && add_people(world)) || cn_error_memory(error, "fair");
}

static bool clone(CnSim *to, const CnSim *from, void *user, CnError *error)
{
    const FairSettings *settings = cn_resource(cn_sim_world(from), FairSettings);
    (void)user; /* it was the description, which is gone */
    return fair_add(to, settings ? &(FairDesc){settings->objects} : NULL, error);
}

bool fair_add(CnSim *sim, const FairDesc *desc, CnError *error)
{
    FairDesc filled = {desc && desc->objects ? desc->objects : 2000};
    const CnPlugin plugin = {.name = "Fair",
                             .version = 1,
                             .needs = {"Scene"},
                             .build = build,
                             .clone = clone,
                             .user = &filled};
    if (filled.objects > FAIR_MAX_OBJECTS)
        return cn_error_set(error, CN_ERROR_LIMIT, "fair: at most %u objects", FAIR_MAX_OBJECTS);
    return cn_sim_add_plugin(sim, &plugin, error);
}

/* ---- For people ---- */

void fair_report(const CnSim *sim, char *text, size_t text_bytes)
{
    CnWorld *world = cn_sim_world(sim);
    CnQuery *rides = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(FairRide)}}, NULL);
    CnQuery *closed = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_tag(FairRide), cn_tag(CnInactive)}}, NULL);
    CnQuery *visitors =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(FairVisitor)}}, NULL);
    uint64_t hops = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(visitors); cn_query_next(&it, &view);) {
        const FairVisitor *column = cn_column_const(&view, FairVisitor);
        for (uint32_t i = 0; i < view.count; i++)
            hops += column[i].hops;
    }
    cn_format(text, text_bytes, "%u objects, %u rides (%u closed), %u visitors, %llu hops",
              cn_entity_count(world), cn_query_count(rides), cn_query_count(closed),
              cn_query_count(visitors), (unsigned long long)hops);
    cn_query_release(rides);
    cn_query_release(closed);
    cn_query_release(visitors);
}

void fair_play(CnSim *sim, uint64_t seed, uint64_t tick)
{
    static const uint32_t keys[] = {CN_KEY_W,     CN_KEY_A,          CN_KEY_S,         CN_KEY_D,
                                    CN_KEY_SPACE, CN_KEY_LEFT_SHIFT, CN_KEY_LEFT_CTRL, CN_KEY_E};
    CnInputSource input = cn_sim_input(sim);
    const uint64_t key = cn_random_make(seed, "fair.player").key;
    const uint64_t action = cn_random_at(key, tick, 0), move = cn_random_at(key, tick, 1);
    if (tick == 0)
        cn_input_mouse_button(input, CN_MOUSE_LEFT, true);
    cn_input_key(input, keys[action % CN_COUNT_OF(keys)], (action >> 8) % 3 != 0);
    cn_input_mouse_move(input, 0, 0, (float)(move % 81) - 40, (float)(move >> 16 & 31) - 15.5f);
    if (action >> 16 & 1)
        return;
    cn_input_gamepad_connected(input, 0, true);
    cn_input_gamepad_axis(input, 0, (uint32_t)(action >> 20) % CN_GAMEPAD_AXIS_COUNT,
                          (float)(action >> 32 & 1023) / 1024);
}
