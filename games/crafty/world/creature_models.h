/*
 * Models of creatures and villagers as data: boxes on a tree of parts, with skins and animations,
 * from data/creature_models.json and from mods.
 *
 *     CraftyCreatureModels *models = crafty_creature_models_create(
 *         &(CraftyCreatureModelsDesc){.file = "creature_models.json", .text = text}, &error);
 *     const CraftyCreatureModel *duck = crafty_creature_model_find(models, "duck");
 *     crafty_creature_models_destroy(models);
 *
 * Lengths in the file are pixels: 16 are one block. Models look along -z and stand on y = 0. The
 * client poses and draws them (client/creature_model.h).
 */
#ifndef CRAFTY_WORLD_CREATURE_MODELS_H
#define CRAFTY_WORLD_CREATURE_MODELS_H

#include <cairn/base/linear.h>
#include <cairn/base/text.h>

#define CRAFTY_MODEL_NAME_BYTES 32u
#define CRAFTY_MAX_CREATURE_MODELS 64u
#define CRAFTY_MODEL_MAX_PARTS 24u /* joints */
#define CRAFTY_MODEL_MAX_BOXES 40u
#define CRAFTY_MODEL_MAX_TRACKS 48u
#define CRAFTY_MODEL_MAX_KEYS 8u
#define CRAFTY_MODEL_MAX_VARIANTS 8u
#define CRAFTY_MODEL_NO_PART UINT8_MAX
#define CRAFTY_MODEL_NO_TILE UINT16_MAX /* the color alone */

/* Animations are added to each other, each with its weight. */
typedef enum CraftyAnimation {
    CRAFTY_ANIMATION_ALWAYS,
    CRAFTY_ANIMATION_STAND,
    CRAFTY_ANIMATION_WALK, /* its clock is the distance walked, in blocks */
    CRAFTY_ANIMATION_EAT,
    CRAFTY_ANIMATION_FLY,
    CRAFTY_ANIMATION_SWIM,
    CRAFTY_ANIMATION_SIT,
    CRAFTY_ANIMATION_HANG,
    CRAFTY_ANIMATION_FUSE,
    CRAFTY_ANIMATION_ATTACK,
    CRAFTY_ANIMATION_HURT,
    CRAFTY_ANIMATION_DIE,
    CRAFTY_ANIMATION_COUNT
} CraftyAnimation;
extern const char *const crafty_animation_words[CRAFTY_ANIMATION_COUNT];

/* When a box is drawn: all given conditions must hold. */
#define CRAFTY_BOX_WOOLLY 1u
#define CRAFTY_BOX_SHORN 2u
#define CRAFTY_BOX_TAME 4u
#define CRAFTY_BOX_ADULT 8u
#define CRAFTY_BOX_YOUNG 16u

typedef struct CraftyModelPart {
    char name[CRAFTY_MODEL_NAME_BYTES];
    uint8_t parent; /* an earlier part, or CRAFTY_MODEL_NO_PART */
    CnVec3 pivot;   /* relative to that of the parent, pixels */
    CnVec3 turn;    /* degrees */
    float looks;    /* part of the look by which it turns: 1 for heads */
    float young;    /* size of the young, in addition to that of the whole model */
} CraftyModelPart;

/* A box with a skin; the client draws it as a CnBlockModelPart (cairn/render/block_models.h). */
typedef struct CraftyModelShape {
    uint16_t tiles[6];  /* layers of the block textures, by CnFace; or CRAFTY_MODEL_NO_TILE */
    uint8_t origins[6]; /* of faces: column and row of the top left texel, as column + 16 * row */
    uint8_t high[3];    /* texels that it shows, 1 to 16 */
    uint8_t tint[3];    /* sRGB; all 0 means no tint */
    float glow;
} CraftyModelShape;

typedef struct CraftyModelBox {
    uint8_t part;
    uint8_t conditions; /* CRAFTY_BOX_ bits */
    uint8_t variants;   /* bits of the variants that have it; 0: all */
    bool is_tinted;     /* by the color of the variant */
    CnAffine place;     /* of the unit block, relative to the pivot */
    CraftyModelShape shape;
} CraftyModelBox;

typedef enum CraftyTrackKind {
    CRAFTY_TRACK_TURN, /* degrees */
    CRAFTY_TRACK_MOVE, /* pixels */
    CRAFTY_TRACK_GROW, /* added to the size of the part, which is 1 */
    CRAFTY_TRACK_KIND_COUNT
} CraftyTrackKind;

typedef enum CraftyWave {
    CRAFTY_WAVE_SINE,
    CRAFTY_WAVE_BOUNCE, /* 0 to 1: the half waves of a sine, all upwards */
    CRAFTY_WAVE_PECK,   /* 0 to 1: rests, then two quick pecks */
    CRAFTY_WAVE_COUNT
} CraftyWave;

/* A pose that is held, a wave around it, or keys. */
typedef struct CraftyModelTrack {
    uint8_t part;
    CraftyAnimation animation;
    CraftyTrackKind kind;
    CnVec3 hold, swing;
    CraftyWave wave;
    float rate;  /* periods per second; of walking: per block */
    float phase; /* periods */
    uint32_t key_count;
    float key_times[CRAFTY_MODEL_MAX_KEYS]; /* seconds, ascending */
    CnVec3 keys[CRAFTY_MODEL_MAX_KEYS];
} CraftyModelTrack;

typedef struct CraftyCreatureModel {
    char name[CRAFTY_MODEL_NAME_BYTES];
    char young[CRAFTY_MODEL_NAME_BYTES]; /* model of the young; empty: the same, smaller */
    const struct CraftyCreatureModel *young_model;
    float scale, young_scale;
    float stride; /* blocks per second at which steps have their full size */
    float height; /* pixels, for names above it and for culling */
    float radius; /* pixels, around the middle */
    uint8_t tints[CRAFTY_MODEL_MAX_VARIANTS][3];
    uint32_t variant_count; /* at least 1 */
    CraftyModelPart parts[CRAFTY_MODEL_MAX_PARTS];
    CraftyModelBox boxes[CRAFTY_MODEL_MAX_BOXES];
    CraftyModelTrack tracks[CRAFTY_MODEL_MAX_TRACKS];
    uint32_t part_count, box_count, track_count;
} CraftyCreatureModel;

typedef struct CraftyCreatureModels CraftyCreatureModels;
typedef struct CraftyCreatureModelsDesc {
    CnAllocator *allocator; /* NULL: the system allocator */
    const char *file;       /* for errors */
    CnText text;
    uint32_t max_models; /* 0: CRAFTY_MAX_CREATURE_MODELS */
    bool has_layers;     /* a skin may be "#" and a layer, as those of mods */
} CraftyCreatureModelsDesc;
/* Returns NULL and an error with file and line if the text is not valid, or when out of memory. */
CraftyCreatureModels *crafty_creature_models_create(const CraftyCreatureModelsDesc *desc,
                                                    CnError *error);
void crafty_creature_models_destroy(CraftyCreatureModels *models); /* NULL is ignored */
uint32_t crafty_creature_models_count(const CraftyCreatureModels *models);
/* In the order of the file. */
const CraftyCreatureModel *crafty_creature_model_at(const CraftyCreatureModels *models,
                                                    uint32_t index);
/* Returns NULL if there is no such model. */
const CraftyCreatureModel *crafty_creature_model_find(const CraftyCreatureModels *models,
                                                      const char *name);

#endif
