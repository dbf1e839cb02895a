#include "creature_view.h"

#include "creature_motion.h"
#include "creature_names.h"

#include "crafty/sim/systems.h"
#include "crafty/world/game_data.h"

#include <cairn/base/math.h>
#include <cairn/sim/extract.h>

#include <string.h>

#define TELEPORT 8.0f /* blocks in a tick: not interpolated */
#define NEAR 6.0f     /* blocks: drawn in every direction, for shadows */
#define PIXEL (1.0f / 16)

/* A creature in a tick. */
typedef struct Shown {
    const CraftyCreatureModel *model;
    CraftyCreature creature;
    float yaw;
    CraftyCreatureMotion motion;
    CraftyLight light;
    bool has_light;
} Shown;

typedef CN_ARRAY(CnRenderItem) Items;
typedef CN_ARRAY(Shown) ShownList;

struct CraftyCreatureView {
    CraftyCreatureModels *models;
    const CraftyMods *mods;                  /* NULL: none */
    CN_ARRAY(CraftyCreatureModel *) skinned; /* copies with the skins of mods */
    /* Models of kinds by number, found on first use. */
    const CraftyCreatureModel *by_kind[CRAFTY_MAX_CREATURE_NUMBER + 1];
    bool is_known[CRAFTY_MAX_CREATURE_NUMBER + 1];
    Items items[2]; /* of two ticks */
    ShownList shown[2];
    uint32_t current;
    CnSnapshotMatch match;
    CnVec3 eye; /* of the last frame */
    bool has_eye;
};

CraftyCreatureView *crafty_creature_view_create(CnError *error)
{
    CnAllocator *allocator = cn_system_allocator();
    CraftyCreatureView *view = cn_alloc_zeroed(allocator, sizeof *view);
    if (!view) {
        cn_error_memory(error, "the view of creatures");
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        cn_array_init(&view->items[i], allocator);
        cn_array_init(&view->shown[i], allocator);
    }
    cn_array_init(&view->skinned, allocator);
    cn_snapshot_match_init(&view->match, allocator);
    view->models = crafty_creature_models_create(
        &(CraftyCreatureModelsDesc){.file = "creature_models.json",
                                    .text = crafty_creature_models_text()},
        error);
    if (view->models)
        return view;
    crafty_creature_view_destroy(view);
    return NULL;
}

void crafty_creature_view_destroy(CraftyCreatureView *view)
{
    if (!view)
        return;
    for (int i = 0; i < 2; i++) {
        cn_array_fini(&view->items[i]);
        cn_array_fini(&view->shown[i]);
    }
    for (uint32_t i = 0; i < view->skinned.count; i++)
        cn_free(cn_system_allocator(), view->skinned.items[i], sizeof(CraftyCreatureModel));
    cn_array_fini(&view->skinned);
    cn_snapshot_match_fini(&view->match);
    crafty_creature_models_destroy(view->models);
    cn_free(cn_system_allocator(), view, sizeof *view);
}

const CraftyCreatureModels *crafty_creature_view_models(const CraftyCreatureView *view)
{
    return view->models;
}

void crafty_creature_view_set_mods(CraftyCreatureView *view, const CraftyMods *mods)
{
    view->mods = mods;
}

/* ---- Skins of mods ---- */

static CraftyCreatureModel *copy_model(CraftyCreatureView *view, const CraftyCreatureModel *model)
{
    CnAllocator *allocator = cn_system_allocator();
    CraftyCreatureModel *copy = cn_alloc(allocator, sizeof *copy);
    if (!copy || !cn_array_push(&view->skinned, copy)) {
        cn_free(allocator, copy, sizeof *copy);
        return NULL;
    }
    *copy = *model;
    return copy;
}

/* Returns a copy of the model with the skin of a kind; NULL when out of memory. */
static CraftyCreatureModel *put_on(CraftyCreatureView *view, const char *kind,
                                   const CraftyCreatureModel *model)
{
    CraftyCreatureModel *copy = copy_model(view, model);
    if (!copy)
        return NULL;
    for (uint32_t i = 0; i < copy->box_count; i++)
        for (uint32_t face = 0; face < CN_FACE_COUNT; face++) {
            uint16_t *tile = &copy->boxes[i].shape.tiles[face];
            if (*tile != CN_MODEL_NO_TILE)
                *tile = crafty_mods_skin(view->mods, kind, *tile);
        }
    return copy;
}

static const CraftyCreatureModel *model_of_kind(CraftyCreatureView *view,
                                                const CraftyCreatureKind *kind)
{
    const CraftyCreatureModel *model =
        view->mods ? crafty_mods_model(view->mods, kind->name) : NULL;
    if (!model)
        model = crafty_creature_model_find(view->models, kind->model);
    if (!model || !view->mods || !crafty_mods_has_skin(view->mods, kind->name))
        return model;
    CraftyCreatureModel *copy = put_on(view, kind->name, model);
    if (copy && model->young_model)
        copy->young_model = put_on(view, kind->name, model->young_model);
    return copy ? copy : model;
}

/* ---- Ticks ---- */

static const CraftyCreatureModel *model_of(CraftyCreatureView *view, const CnWorld *world,
                                           uint16_t number)
{
    if (number > CRAFTY_MAX_CREATURE_NUMBER)
        return NULL;
    const CraftyCreatureList *list = cn_resource(world, CraftyCreatureList);
    if (!view->is_known[number] && list && list->kinds) {
        const CraftyCreatureKind *kind = crafty_creature_kind(list->kinds, number);
        view->by_kind[number] = kind ? model_of_kind(view, kind) : NULL;
        view->is_known[number] = true;
    }
    return view->by_kind[number];
}

static void note(CraftyCreatureView *view, CnEntity entity, const CnTransform *transform,
                 const CraftyCreatureModel *model, const CraftyCreature *creature)
{
    CnVec3 angles = cn_quat_to_euler(transform->rotation);
    Items *items = &view->items[view->current];
    ShownList *shown = &view->shown[view->current];
    Shown added = {.model = model, .creature = *creature, .yaw = angles.y};
    CnRenderItem item = {.entity = entity, .position = transform->position};
    /* Out of memory: a creature is not shown in this tick. */
    if (cn_array_reserve(items, items->count + 1u) && cn_array_push(shown, added))
        (void)cn_array_push(items, item);
}

static bool is_near(const CraftyCreatureView *view, CnVec3 position)
{
    return !view->has_eye ||
           cn_vec3_length(cn_vec3_sub(position, view->eye)) < CRAFTY_CREATURE_REACH;
}

static float way_between(CnVec3 from, CnVec3 to)
{
    float x = to.x - from.x, z = to.z - from.z;
    float way = cn_sqrtf(x * x + z * z);
    return way < TELEPORT ? way : 0;
}

/* Continues the motion of the last tick. */
static void advance(CraftyCreatureView *view, const CnWorld *world, float dt)
{
    const Items *before = &view->items[view->current ^ 1], *now = &view->items[view->current];
    ShownList *shown = &view->shown[view->current];
    for (uint32_t i = 0; i < now->count; i++) {
        uint32_t matched = view->match.previous.items[i];
        Shown *own = &shown->items[i];
        float way = 0;
        if (matched == CN_NO_MATCH) {
            crafty_creature_motion_begin(&own->motion, own->creature.seed);
        } else {
            const Shown *last = &view->shown[view->current ^ 1].items[matched];
            own->motion = last->motion;
            own->light = last->light;
            own->has_light = last->has_light;
            way = way_between(before->items[matched].position, now->items[i].position);
        }
        CraftyCreatureInput input = {.creature = &own->creature,
                                     .body = cn_get(world, now->items[i].entity, CraftyBody),
                                     .way = way,
                                     .stride = own->model->stride};
        crafty_creature_motion_tick(&own->motion, &input, dt);
    }
}

static void show_creatures(CnSystemContext *context)
{
    CraftyCreatureView *view = context->user;
    view->current ^= 1;
    cn_array_clear(&view->items[view->current]);
    cn_array_clear(&view->shown[view->current]);
    CnChunkView chunk;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &chunk);)
        for (uint32_t i = 0; i < chunk.count; i++) {
            const CraftyCreature *creature = &cn_column_const(&chunk, CraftyCreature)[i];
            const CnTransform *transform = &cn_column_const(&chunk, CnTransform)[i];
            const CraftyCreatureModel *model = model_of(view, context->world, creature->kind);
            if (model && is_near(view, transform->position))
                note(view, chunk.entities[i], transform, model, creature);
        }
    Items *before = &view->items[view->current ^ 1], *now = &view->items[view->current];
    CnRenderSnapshot snapshots[2] = {{.items = before->items, .item_count = before->count},
                                     {.items = now->items, .item_count = now->count}};
    if (cn_snapshot_match(&view->match, &snapshots[0], &snapshots[1]))
        advance(view, context->world, context->dt);
    else /* out of memory */
        cn_array_clear(now);
}

bool crafty_creature_view_add(CraftyCreatureView *view, CnWorld *world, CnError *error)
{
    const CnSystemDesc system = {
        .name = "ShowCreatures",
        .run = show_creatures,
        .user = view,
        .stage = CN_STAGE_PRE_EXTRACT,
        .query = {.all = {cn_reads(CraftyCreature), cn_reads(CnTransform)}},
        .access = {cn_reads(CraftyBody), cn_reads(CraftyCreatureList)},
        .alone = true};
    bool has_creatures = cn_component_find(world, cn_type_CraftyCreature.name).id != 0;
    return !has_creatures || crafty_system_add(world, &system, error);
}

/* ---- Frames ---- */

uint32_t crafty_creature_view_count(const CraftyCreatureView *view)
{
    return view->items[view->current].count;
}

static float turn_between(float from, float to)
{
    float turn = to - from;
    return turn - 360 * cn_roundf(turn / 360);
}

/* Returns whether a sphere may be in view, or its shadow. */
static bool is_in_view(const CraftyCreatureViewFrame *frame, CnVec3 middle, float radius,
                       float *distance)
{
    CnVec3 way = cn_vec3_sub(middle, frame->eye);
    *distance = cn_vec3_length(way);
    if (*distance > CRAFTY_CREATURE_REACH)
        return false;
    if (*distance < NEAR + radius || frame->cone <= -1)
        return true;
    /* The cone around the view, wider by the sphere. */
    float sine = radius / *distance, cosine = cn_sqrtf(1 - sine * sine);
    float edge = frame->cone * cosine - cn_sqrtf(1 - frame->cone * frame->cone) * sine;
    return cn_vec3_dot(way, frame->forward) >= *distance * edge;
}

/* Between the last two ticks. Returns where the feet are. */
static CnVec3 interpolate(const CraftyCreatureView *view, uint32_t index, float alpha,
                          CraftyCreaturePose *pose)
{
    const CnRenderItem *item = &view->items[view->current].items[index];
    const Shown *now = &view->shown[view->current].items[index], *before = now;
    uint32_t matched = view->match.previous.items[index];
    CnVec3 feet = item->position;
    if (matched != CN_NO_MATCH) {
        CnVec3 from = view->items[view->current ^ 1].items[matched].position;
        before = &view->shown[view->current ^ 1].items[matched];
        if (cn_vec3_length(cn_vec3_sub(feet, from)) < TELEPORT)
            feet = cn_vec3_lerp(from, feet, alpha);
    }
    const CraftyCreature *then = &before->creature, *own = &now->creature;
    pose->feet = feet;
    pose->yaw = before->yaw + turn_between(before->yaw, now->yaw) * alpha;
    pose->look_yaw = then->head_yaw + (own->head_yaw - then->head_yaw) * alpha;
    pose->look_pitch = then->head_pitch + (own->head_pitch - then->head_pitch) * alpha;
    pose->is_young = own->growth > 0;
    pose->is_tame = own->owner != 0;
    pose->is_shorn = own->sheared;
    pose->variant = own->seed;
    crafty_creature_motion_pose(&before->motion, &now->motion, alpha, pose);
    return feet;
}

static void light_up(Shown *shown, const CraftyCreatureViewFrame *frame, CnVec3 at)
{
    CraftyLight light = crafty_light_at(frame->voxels, at);
    shown->light =
        shown->has_light ? crafty_light_eased(shown->light, light, frame->seconds) : light;
    shown->has_light = true;
}

static bool add_creature(CraftyCreatureView *view, const CraftyCreatureViewFrame *frame,
                         uint32_t index, CnBlockModels *models)
{
    Shown *shown = &view->shown[view->current].items[index];
    CraftyCreaturePose pose = {0};
    CnVec3 feet = interpolate(view, index, frame->alpha, &pose);
    const CraftyCreatureModel *model = crafty_creature_model_shown(shown->model, pose.is_young);
    float half = 0.5f * model->height * PIXEL * model->scale, distance;
    CnVec3 middle = {feet.x, feet.y + half, feet.z};
    if (!is_in_view(frame, middle, model->radius * PIXEL * model->scale + half, &distance))
        return false;
    light_up(shown, frame, middle);
    pose.light = shown->light;
    pose.casts_shadow = distance < CRAFTY_CREATURE_SHADOWS;
    crafty_creature_damage_pose(&shown->creature, frame->alpha, frame->is_still, &pose);
    if (!crafty_creature_model_add(shown->model, &pose, models))
        return false;
    if (shown->creature.label[0] && distance < CRAFTY_CREATURE_NAMES)
        crafty_creature_name_add(shown->creature.label,
                                 cn_vec3(feet.x, feet.y + 2 * half + 0.3f, feet.z), frame->eye,
                                 models);
    return true;
}

uint32_t crafty_creature_view_frame(CraftyCreatureView *view, const CraftyCreatureViewFrame *frame,
                                    CnBlockModels *models)
{
    uint32_t drawn = 0;
    view->eye = frame->eye;
    view->has_eye = true;
    for (uint32_t i = 0; i < view->items[view->current].count; i++)
        drawn += add_creature(view, frame, i, models);
    return drawn;
}
