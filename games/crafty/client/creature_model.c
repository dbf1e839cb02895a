#include "creature_model.h"

#include <cairn/base/math.h>

#include <string.h>

#define PIXEL (1.0f / 16)
#define MIN_WEIGHT 1e-3f

/* ---- Tracks ---- */

/* Two pecks at the end of each period. */
static float peck(float at)
{
    float time = (at - cn_floorf(at) - 0.6f) / 0.4f;
    return time < 0 ? 0 : 0.5f - 0.5f * cn_cosf(4 * CN_PIF * time);
}

static float wave_at(CraftyWave wave, float at)
{
    float sine = wave == CRAFTY_WAVE_PECK ? peck(at) : cn_sinf(2 * CN_PIF * at);
    return wave == CRAFTY_WAVE_BOUNCE && sine < 0 ? -sine : sine;
}

static CnVec3 key_at(const CraftyModelTrack *track, float clock)
{
    uint32_t last = track->key_count - 1, next = 0;
    while (next < last && track->key_times[next] < clock)
        next++;
    if (next == 0 || clock >= track->key_times[last])
        return track->keys[clock >= track->key_times[last] ? last : 0];
    float begin = track->key_times[next - 1], end = track->key_times[next];
    float part = (clock - begin) / (end - begin);
    part = part * part * (3 - 2 * part);
    return cn_vec3_lerp(track->keys[next - 1], track->keys[next], part);
}

CnVec3 crafty_model_track_at(const CraftyModelTrack *track, float clock)
{
    if (track->key_count)
        return key_at(track, clock);
    float wave = wave_at(track->wave, clock * track->rate + track->phase);
    return cn_vec3_add(track->hold, cn_vec3_scale(track->swing, wave));
}

/* ---- Joints ---- */

typedef struct Joint {
    CnVec3 turn, move, grow;
} Joint;

static void add_tracks(const CraftyCreatureModel *model, const CraftyCreaturePose *pose,
                       Joint *joints)
{
    for (uint32_t i = 0; i < model->track_count; i++) {
        const CraftyModelTrack *track = &model->tracks[i];
        float weight = pose->weights[track->animation];
        if (!(weight > MIN_WEIGHT))
            continue;
        CnVec3 value = crafty_model_track_at(track, pose->clocks[track->animation]);
        Joint *joint = &joints[track->part];
        CnVec3 *changed = track->kind == CRAFTY_TRACK_TURN   ? &joint->turn
                          : track->kind == CRAFTY_TRACK_MOVE ? &joint->move
                                                             : &joint->grow;
        *changed = cn_vec3_add(*changed, cn_vec3_scale(value, weight));
    }
}

/* The places of all parts in the world. */
static void pose_parts(const CraftyCreatureModel *model, const CraftyCreaturePose *pose,
                       bool is_small, CnAffine places[CRAFTY_MODEL_MAX_PARTS])
{
    Joint joints[CRAFTY_MODEL_MAX_PARTS] = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    add_tracks(model, pose, joints);
    float scale =
        pose->scale > 0 ? pose->scale : model->scale * (is_small ? model->young_scale : 1);
    CnAffine root =
        cn_affine_from_trs(pose->feet, cn_quat_from_euler(cn_vec3(0, pose->yaw, pose->roll)),
                           cn_vec3(scale, scale, scale));
    for (uint32_t i = 0; i < model->part_count; i++) {
        const CraftyModelPart *part = &model->parts[i];
        Joint *joint = &joints[i];
        CnVec3 turn = cn_vec3_add(part->turn, joint->turn);
        turn.x += part->looks * pose->look_pitch;
        turn.y += part->looks * pose->look_yaw;
        CnVec3 at = cn_vec3_scale(cn_vec3_add(part->pivot, joint->move), PIXEL);
        float young = is_small ? part->young : 1;
        CnVec3 grow = {young * (1 + joint->grow.x), young * (1 + joint->grow.y),
                       young * (1 + joint->grow.z)};
        CnAffine own = cn_affine_from_trs(at, cn_quat_from_euler(turn), grow);
        const CnAffine *parent = part->parent < i ? &places[part->parent] : &root;
        places[i] = cn_affine_mul(parent, &own);
    }
}

/* ---- Boxes ---- */

static bool is_drawn(const CraftyModelBox *box, const CraftyCreaturePose *pose, uint32_t variant)
{
    uint32_t holds = (pose->is_shorn ? CRAFTY_BOX_SHORN : CRAFTY_BOX_WOOLLY) |
                     (pose->is_young ? CRAFTY_BOX_YOUNG : CRAFTY_BOX_ADULT) |
                     (pose->is_tame ? CRAFTY_BOX_TAME : 0);
    return (box->conditions & ~holds) == 0 && (!box->variants || (box->variants >> variant & 1u));
}

_Static_assert(CRAFTY_MODEL_NO_TILE == CN_MODEL_NO_TILE, "shapes are copied");

static void fill_box(const CraftyCreatureModel *model, const CraftyModelBox *box,
                     const CraftyCreaturePose *pose, uint32_t variant, const CnAffine *part,
                     CnBlockModelPart *out)
{
    const CraftyModelShape *shape = &box->shape;
    *out = (CnBlockModelPart){.has_skin = true, .glow = shape->glow};
    memcpy(out->tiles, shape->tiles, sizeof out->tiles);
    memcpy(out->origins, shape->origins, sizeof out->origins);
    memcpy(out->high, shape->high, sizeof out->high);
    memcpy(out->tint, shape->tint, sizeof out->tint);
    out->place = cn_affine_mul(part, &box->place);
    if (box->is_tinted)
        for (uint32_t i = 0; i < 3; i++)
            out->tint[i] = model->tints[variant][i];
    out->sky = pose->light.sky;
    out->block = pose->light.block;
    out->flash = pose->flash;
    out->white = pose->white;
    out->fade = pose->fade;
    out->casts_shadow = pose->casts_shadow && pose->fade < 0.5f;
}

const CraftyCreatureModel *crafty_creature_model_shown(const CraftyCreatureModel *model,
                                                       bool is_young)
{
    return is_young && model->young_model ? model->young_model : model;
}

uint32_t crafty_creature_model_add(const CraftyCreatureModel *model, const CraftyCreaturePose *pose,
                                   CnBlockModels *models)
{
    const CraftyCreatureModel *shown = crafty_creature_model_shown(model, pose->is_young);
    bool is_small = pose->is_young && shown == model;
    uint32_t variant = pose->variant % shown->variant_count, count = 0;
    CnAffine places[CRAFTY_MODEL_MAX_PARTS];
    for (uint32_t i = 0; i < shown->box_count; i++)
        count += is_drawn(&shown->boxes[i], pose, variant);
    CnBlockModelPart *parts =
        count ? cn_block_models_add(models, CN_MODEL_LAYER_WORLD, count) : NULL;
    if (!parts)
        return 0;
    pose_parts(shown, pose, is_small, places);
    for (uint32_t i = 0; i < shown->box_count; i++) {
        const CraftyModelBox *box = &shown->boxes[i];
        if (is_drawn(box, pose, variant))
            fill_box(shown, box, pose, variant, &places[box->part], parts++);
    }
    return count;
}
