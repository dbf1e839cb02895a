#include "player_view.h"

#include "crafty/sim/actions.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/motion.h"
#include "crafty/sim/vitals.h"

#include <cairn/base/math.h>

#define HURT_SECONDS 0.5f
#define VIEW_MARGIN 1.25f /* of the field of view, in which creatures are drawn */
#define WALL_GAP 0.25f    /* blocks between the camera and what is behind it */
#define NEAR_CORNER 0.18f /* blocks from the camera to the corners of the near plane */
#define OUT_SECONDS 0.12f /* the camera moves out smoothly, and in at once */

typedef struct ShownFigure {
    CnEntity player;
    CraftyFigure figure;
    bool is_used; /* in this frame */
} ShownFigure;

struct CraftyPlayerView {
    CraftyBodies *bodies;
    CnBlockModels *models;
    CraftyItemModels *item_models; /* NULL: not made yet */
    CraftySignTexts *signs;
    CraftyCreatureView *creatures;
    CnAction look, look_rate;
    CraftyPerspective perspective;
    CraftyCameraMotion motion;
    CraftyLook mouse;
    CraftyHeldItem held;
    bool is_steady; /* a stick turns the view */
    uint64_t seen_ticks, seen_hurt;
    bool has_hurt;  /* seen_hurt is valid */
    float distance; /* of the camera, in third person */
    ShownFigure figures[CRAFTY_MAX_PLAYERS];
};

/* ---- Creation ---- */

CraftyPlayerView *crafty_player_view_create(CnError *error)
{
    CraftyPlayerView *view = cn_alloc_zeroed(cn_system_allocator(), sizeof *view);
    if (!view) {
        cn_error_memory(error, "the view of the player");
        return NULL;
    }
    view->look = cn_action_find(crafty_actions(), "look");
    view->look_rate = cn_action_find(crafty_actions(), "look_rate");
    view->bodies = crafty_bodies_create(error);
    view->signs = view->bodies ? crafty_sign_texts_create(error) : NULL;
    view->creatures = view->signs ? crafty_creature_view_create(error) : NULL;
    view->models = view->creatures ? cn_block_models_create(NULL, error) : NULL;
    if (view->models)
        return view;
    crafty_player_view_destroy(view);
    return NULL;
}

bool crafty_player_view_add(CraftyPlayerView *view, CnWorld *world, CnError *error)
{
    return crafty_bodies_add(world, view->bodies, error) &&
           crafty_creature_view_add(view->creatures, world, error);
}

void crafty_player_view_destroy(CraftyPlayerView *view)
{
    if (!view)
        return;
    cn_block_models_destroy(view->models);
    crafty_item_models_destroy(view->item_models);
    crafty_sign_texts_destroy(view->signs);
    crafty_creature_view_destroy(view->creatures);
    crafty_bodies_destroy(view->bodies);
    cn_free(cn_system_allocator(), view, sizeof *view);
}

CnBlockModels *crafty_player_view_models(const CraftyPlayerView *view)
{
    return view->models;
}

CraftyCreatureView *crafty_player_view_creatures(const CraftyPlayerView *view)
{
    return view->creatures;
}

/* ---- Input ---- */

void crafty_player_view_input(CraftyPlayerView *view, const CnActions *actions, float sensitivity)
{
    CnVec2 look = cn_action_axis2(actions, view->look);
    CnVec2 rate = cn_action_axis2(actions, view->look_rate);
    crafty_look_add(&view->mouse, look.x * sensitivity, look.y * sensitivity);
    view->is_steady = rate.x != 0 || rate.y != 0;
}

void crafty_player_view_set(CraftyPlayerView *view, CraftyPerspective perspective)
{
    view->perspective = perspective;
    view->distance = 0;
}

void crafty_player_view_cycle(CraftyPlayerView *view)
{
    crafty_player_view_set(view,
                           (CraftyPerspective)((view->perspective + 1) % CRAFTY_PERSPECTIVE_COUNT));
}

CraftyPerspective crafty_player_view_perspective(const CraftyPlayerView *view)
{
    return view->perspective;
}

/* ---- Third person ---- */

float crafty_camera_distance(CnVoxels *voxels, CnVec3 eye, CnVec3 direction)
{
    float nearest = CRAFTY_CAMERA_DISTANCE;
    CnVoxelHit hit;
    for (uint32_t i = 0; i < 9; i++) { /* the middle, and the corners of a box around the camera */
        CnVec3 from = eye;
        if (i) {
            from.x += i & 1 ? NEAR_CORNER : -NEAR_CORNER;
            from.y += i & 2 ? NEAR_CORNER : -NEAR_CORNER;
            from.z += i & 4 ? NEAR_CORNER : -NEAR_CORNER;
        }
        if (cn_voxels_raycast(voxels, from, direction, CRAFTY_CAMERA_DISTANCE + WALL_GAP,
                              CN_VOXEL_RAY_SOLID, &hit) &&
            hit.distance - WALL_GAP < nearest)
            nearest = hit.distance - WALL_GAP;
    }
    return nearest > 0 ? nearest : 0;
}

static CraftyCamera from_outside(CraftyPlayerView *view, const CraftyPlayerViewFrame *frame,
                                 CraftyCamera camera)
{
    if (view->perspective == CRAFTY_FROM_THE_FRONT) {
        CnVec3 angles = cn_quat_to_euler(camera.rotation);
        camera.rotation = cn_quat_from_euler(cn_vec3(-angles.x, angles.y + 180, 0));
    }
    CnVec3 back = cn_quat_rotate(camera.rotation, cn_vec3(0, 0, 1));
    float room = crafty_camera_distance(frame->voxels, camera.position, back);
    float left = frame->seconds > 0 ? cn_expf(-frame->seconds / OUT_SECONDS) : 1;
    view->distance = view->distance < room ? room + (view->distance - room) * left : room;
    camera.position = cn_vec3_add(camera.position, cn_vec3_scale(back, view->distance));
    return camera;
}

/* ---- Players ---- */

/* What the simulation knows about a player, besides its position. */
typedef struct Known {
    const CraftyPlayer *player;
    const CraftyMotion *motion;
    const CraftyHand *hand;
    const CraftyVitals *vitals;
    uint64_t tick;
} Known;

static Known known_of(const CraftyPlayerViewFrame *frame, CnEntity player)
{
    const CnTickInfo *info = cn_resource(frame->world, CnTickInfo);
    return (Known){.player = cn_get(frame->world, player, CraftyPlayer),
                   .motion = cn_get(frame->world, player, CraftyMotion),
                   .hand = cn_get(frame->world, player, CraftyHand),
                   .vitals = cn_get(frame->world, player, CraftyVitals),
                   .tick = info ? info->tick : 0};
}

static float swing_of(const Known *known, float alpha)
{
    return known->hand ? (float)known->hand->swing + alpha : (float)CRAFTY_SWING_TICKS;
}

/* Just hurt: 1, then falling to 0. */
static float hurt_of(const Known *known, float alpha)
{
    if (!known->vitals || !known->vitals->hurt_tick || known->tick < known->vitals->hurt_tick)
        return 0;
    float seconds = ((float)(known->tick - known->vitals->hurt_tick) + alpha) / 60;
    return seconds < HURT_SECONDS ? 1 - seconds / HURT_SECONDS : 0;
}

static CraftyFigure *figure_of(CraftyPlayerView *view, CnEntity player)
{
    ShownFigure *unused = NULL;
    for (uint32_t i = 0; i < CRAFTY_MAX_PLAYERS; i++) {
        ShownFigure *shown = &view->figures[i];
        if (cn_entity_equal(shown->player, player)) {
            shown->is_used = true;
            return &shown->figure;
        }
        if (!shown->is_used && (!unused || cn_entity_is_null(shown->player)))
            unused = shown;
    }
    if (!unused)
        return NULL;
    *unused = (ShownFigure){.player = player, .is_used = true};
    return &unused->figure;
}

static void add_figure(CraftyPlayerView *view, const CraftyPlayerViewFrame *frame,
                       const CraftyShownBody *body, bool is_shadow)
{
    Known known = known_of(frame, body->entity);
    if (!known.player || known.player->mode == CRAFTY_MODE_SPECTATOR ||
        (known.vitals && known.vitals->dead))
        return;
    CraftyFigure *figure = figure_of(view, body->entity);
    if (!figure)
        return;
    CnVec3 angles = cn_quat_to_euler(body->rotation);
    const CnPlayerActions *own = cn_get(frame->world, body->entity, CnPlayerActions);
    CraftyFigureFrame shown = {
        .feet = {body->position.x, body->position.y - CRAFTY_PLAYER_EYE, body->position.z},
        .yaw = angles.y,
        .pitch = angles.x,
        .sneaks = known.motion && known.motion->sneaks,
        .swims = known.player->swims,
        .grounded = known.motion && known.motion->grounded,
        .swing_ticks = swing_of(&known, frame->alpha),
        .hurt = hurt_of(&known, frame->alpha),
        .held = crafty_item_model(frame->items, cn_voxels_blocks(frame->voxels),
                                  crafty_player_held(frame->items, known.player).item),
        .number = own ? own->player : 0,
        .is_left_handed =
            cn_entity_equal(body->entity, frame->player) && frame->options.is_left_handed,
        .is_shadow = is_shadow,
        .light = crafty_light_at(frame->voxels, body->position),
        .seconds = frame->seconds};
    crafty_figure_frame(figure, &shown, view->models);
}

static void add_bodies(CraftyPlayerView *view, const CraftyPlayerViewFrame *frame, CnVec3 eye)
{
    CraftyDropsFrame drops = {.item_models = view->item_models,
                              .voxels = frame->voxels,
                              .eye = eye,
                              .is_still = frame->options.reduces_motion};
    for (uint32_t i = 0; i < CRAFTY_MAX_PLAYERS; i++)
        view->figures[i].is_used = false;
    for (uint32_t i = 0; i < crafty_bodies_count(view->bodies); i++) {
        CraftyShownBody body = crafty_bodies_at(view->bodies, i, frame->alpha);
        bool is_own = cn_entity_equal(body.entity, frame->player);
        if (body.is_drop && !view->item_models)
            continue;
        if (body.is_drop)
            crafty_drop_model_add(&drops,
                                  &(CraftyShownDrop){.position = body.position,
                                                     .item = body.item,
                                                     .count = body.count,
                                                     .age = body.age,
                                                     .seed = (uint32_t)body.entity.id},
                                  view->models);
        else if (!is_own || view->perspective != CRAFTY_FIRST_PERSON)
            add_figure(view, frame, &body, false);
        else if (frame->shows_hand)
            add_figure(view, frame, &body, true);
    }
}

/* ---- Creatures ---- */

/* `has_camera` is false if the camera is another one than that of the player. */
static void add_creatures(CraftyPlayerView *view, const CraftyPlayerViewFrame *frame,
                          const CraftyCamera *camera, bool has_camera)
{
    const CnCamera *lens = cn_get(frame->world, frame->player, CnCamera);
    CraftyCreatureViewFrame shown = {.world = frame->world,
                                     .voxels = frame->voxels,
                                     .eye = camera->position,
                                     .cone = -1,
                                     .alpha = frame->alpha,
                                     .seconds = frame->seconds,
                                     .is_still = frame->options.reduces_motion};
    if (has_camera && lens) {
        /* From the middle to a corner of the image. */
        float up = cn_tanf(0.5f * lens->fov * camera->fov_factor * VIEW_MARGIN * (CN_PIF / 180));
        float corner = up * cn_sqrtf(1 + frame->aspect * frame->aspect);
        shown.cone = 1 / cn_sqrtf(1 + corner * corner);
        shown.forward = cn_quat_rotate(camera->rotation, cn_vec3(0, 0, -1));
    }
    crafty_creature_view_frame(view->creatures, &shown, view->models);
}

/* ---- Frame ---- */

static bool is_hurt(CraftyPlayerView *view, const Known *known)
{
    uint64_t tick = known->vitals ? known->vitals->hurt_tick : 0;
    bool hurt = view->has_hurt && tick != view->seen_hurt && tick != 0;
    view->has_hurt = true;
    view->seen_hurt = tick;
    return hurt;
}

static void add_hand(CraftyPlayerView *view, const CraftyPlayerViewFrame *frame, const Known *known,
                     CnVec3 eye, CnVec2 bob)
{
    CraftyHeldFrame held = {.items = frame->items,
                            .blocks = cn_voxels_blocks(frame->voxels),
                            .item = crafty_player_held(frame->items, known->player).item,
                            .slot = known->player->slot,
                            .swing_ticks = swing_of(known, frame->alpha),
                            .is_eating = known->vitals && known->vitals->eating > 0,
                            .is_left_handed = frame->options.is_left_handed,
                            .bob = bob,
                            .aspect = frame->aspect,
                            .light = crafty_light_at(frame->voxels, eye),
                            .seconds = frame->seconds};
    crafty_held_item_frame(&view->held, &held, view->models);
}

/* Returns the camera of the player; false if that of the simulation is used. */
static bool find_camera(CraftyPlayerView *view, const CraftyPlayerViewFrame *frame,
                        const Known *known, CraftyCamera *camera)
{
    CraftyShownBody body;
    const CnTransform *transform = cn_get(frame->world, frame->player, CnTransform);
    uint64_t ticks = crafty_bodies_ticks(view->bodies) - view->seen_ticks;
    view->seen_ticks += ticks;
    if (!known->player || !transform ||
        !crafty_bodies_find(view->bodies, frame->player, frame->alpha, &body))
        return false;
    CnQuat rotation = crafty_look_frame(&view->mouse, transform->rotation, (uint32_t)ticks,
                                        frame->alpha, view->is_steady);
    bool is_free = known->player->mode == CRAFTY_MODE_SPECTATOR || known->player->flies;
    CraftyEye eye = {.position = body.position,
                     .rotation = rotation,
                     .grounded = known->motion && known->motion->grounded && !is_free,
                     .sneaks = crafty_player_is_low(frame->world, frame->player),
                     .sprints = known->motion && known->motion->sprints,
                     .is_hurt = is_hurt(view, known)};
    *camera = crafty_camera_motion_frame(&view->motion, &eye, &frame->options, frame->seconds);
    return true;
}

void crafty_player_view_frame(CraftyPlayerView *view, const CraftyPlayerViewFrame *frame,
                              CraftyShownView *shown)
{
    if (!view->item_models) /* out of memory: no drops until there is some */
        view->item_models =
            crafty_item_models_create(frame->items, cn_voxels_blocks(frame->voxels), NULL);
    Known known = known_of(frame, frame->player);
    const CnTransform *transform = cn_get(frame->world, frame->player, CnTransform);
    const CnCamera *lens = cn_get(frame->world, frame->player, CnCamera);
    CraftyCamera camera = {.position = transform ? transform->position : cn_vec3(0, 0, 0),
                           .fov_factor = 1};
    bool has_player = find_camera(view, frame, &known, &camera);
    bool has_body = has_player && known.player->mode != CRAFTY_MODE_SPECTATOR;
    bool is_inside = view->perspective == CRAFTY_FIRST_PERSON || !has_body;
    bool is_dead = known.vitals && known.vitals->dead;
    cn_block_models_begin(view->models);
    if (has_body && is_inside && !is_dead && frame->shows_hand)
        add_hand(view, frame, &known, camera.position, camera.bob);
    if (!is_inside)
        camera = from_outside(view, frame, camera);
    add_bodies(view, frame, camera.position);
    add_creatures(view, frame, &camera, has_player);
    crafty_sign_texts_frame(view->signs,
                            &(CraftySignFrame){.voxels = frame->voxels,
                                               .eye = camera.position,
                                               .seconds = frame->seconds},
                            view->models);
    cn_block_models_end(view->models);
    *shown = (CraftyShownView){.fov_factor = camera.fov_factor};
    if (has_player && lens && (frame->moves_camera || !is_inside))
        shown->camera = (CnRenderCamera){.valid = true,
                                         .position = camera.position,
                                         .rotation = camera.rotation,
                                         .fov = lens->fov * (CN_PIF / 180),
                                         .near_plane = lens->near_plane,
                                         .far_plane = lens->far_plane};
}
