/*
 * Models of creatures in a frame: poses, and the boxes that are drawn.
 *
 *     CraftyCreaturePose pose = {.feet = feet, .yaw = 90, .light = light};
 *     pose.weights[CRAFTY_ANIMATION_STAND] = 1;
 *     crafty_creature_model_add(duck, &pose, block_models); // every frame; does not allocate
 */
#ifndef CRAFTY_CLIENT_CREATURE_MODEL_H
#define CRAFTY_CLIENT_CREATURE_MODEL_H

#include "crafty/world/creature_models.h"
#include "item_model.h"

typedef struct CraftyCreaturePose {
    CnVec3 feet;
    float yaw;                  /* of the body, degrees: 0 looks along -z, 90 along -x */
    float roll;                 /* of the whole model, degrees: the dead fall over */
    float look_yaw, look_pitch; /* of the head: degrees to the left, up */
    float weights[CRAFTY_ANIMATION_COUNT];
    float clocks[CRAFTY_ANIMATION_COUNT]; /* seconds, blocks */
    float scale;                          /* 0: that of the model */
    bool is_young, is_tame, is_shorn;
    uint32_t variant; /* modulo the number of variants */
    CraftyLight light;
    float flash, white, fade;
    bool casts_shadow;
} CraftyCreaturePose;

/* Returns the model that is drawn: that of the young if there is one. */
const CraftyCreatureModel *crafty_creature_model_shown(const CraftyCreatureModel *model,
                                                       bool is_young);
/* Adds the boxes to the layer of the world. Returns the number of boxes, 0 if they do not fit. */
uint32_t crafty_creature_model_add(const CraftyCreatureModel *model, const CraftyCreaturePose *pose,
                                   CnBlockModels *models);
/* Returns the value of a track at a time of its clock, before its weight. */
CnVec3 crafty_model_track_at(const CraftyModelTrack *track, float clock);

#endif
