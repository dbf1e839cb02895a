/*
 * What players do with blocks: break, place. No graphics; events say what to show and to play.
 *
 *     CnInteract state = {.player = 1};
 *     cn_interact_update(&state, world, &(CnInteractInput){.eye = eye, .forward = forward, .body = box,
 *         .breaking = left, .placing = right, .held = CN_BLOCK_STONE, .dt = dt, .tick = tick}, events, &count);
 *
 * Aimed at is the first block in reach, but for the one that the eye is inside of. Breaking takes
 * hardness x 1,500 ms, shown in crack stages 0 to 9; looking away or letting go begins anew; hardness 0
 * breaks at once, negative never. Placing needs a face to place at, a cell whose block gives way (air,
 * water, short grass; one that is aimed at is itself replaced), no body inside it, and reach; it repeats
 * after 700 ms, then every 300 ms. Props stand on blocks that collide (reeds on reeds and lily pads on
 * water as well) and break with the block under them.
 */
#ifndef CAIRN_VOXEL_INTERACT_H
#define CAIRN_VOXEL_INTERACT_H

#include <cairn/voxel/voxels.h>

CN_EXTERN_C_BEGIN

#define CN_REACH 6.0f

typedef enum CnInteractKind {
    CN_INTERACT_CHIP,  /* the crack stage has advanced: 4 particles */
    CN_INTERACT_BREAK, /* 14 particles and the sound of the surface */
    CN_INTERACT_PLACE,
    CN_INTERACT_REFUSED /* see `why` */
} CnInteractKind;
typedef enum CnInteractWhy {
    CN_INTERACT_FINE,
    CN_INTERACT_OUT_OF_REACH,
    CN_INTERACT_OCCUPIED,
    CN_INTERACT_BODY_INSIDE,
    CN_INTERACT_NO_FACE,
    CN_INTERACT_NOT_PLACEABLE,
    CN_INTERACT_UNBREAKABLE,
    CN_INTERACT_NO_SUPPORT /* a prop needs a block under it */
} CnInteractWhy;

typedef struct CnInteractEvent {
    CnInteractKind kind;
    CnInteractWhy why;
    CnCell cell;
    CnBlock block;
    uint8_t stage;   /* of CHIP: 0 to 9 */
    uint8_t surface; /* CnSurface */
    uint8_t face;
    float color[3]; /* linear */
} CnInteractEvent;
#define CN_INTERACT_MAX_EVENTS 16

typedef struct CnInteractInput {
    CnVec3 eye, forward;
    CnVoxelBox body;          /* of the player */
    const CnVoxelBox *others; /* of other bodies that blocks may not be placed in */
    uint32_t other_count;
    bool breaking, placing; /* buttons held */
    CnBlock held;           /* what is placed */
    float dt;               /* seconds */
    uint64_t tick;
} CnInteractInput;

/* Plain data: copied, saved and restored as it is. Zero is "nothing is going on". */
typedef struct CnInteract {
    uint32_t player;
    bool aiming; /* at `target` */
    CnVoxelHit target;
    bool breaking;
    CnCell breaking_cell;
    CnBlock breaking_block;
    float progress_ms, break_ms;
    int32_t crack_stage; /* -1 while nothing is being broken (0 with `breaking` false as well) */
    bool placing;
    float place_wait_ms;
} CnInteract;
/* At most CN_INTERACT_MAX_EVENTS are written; at most one block is broken, with the props on it, and one placed. */
CN_API void cn_interact_update(CnInteract *state, CnVoxels *world, const CnInteractInput *input,
                               CnInteractEvent *events, uint32_t *event_count);
/* Whether `held` may be placed there by this player: what a server asks, too. Of `at` only the cell and the
 * face count. */
CN_API CnInteractWhy cn_interact_may_place(CnVoxels *world, const CnInteractInput *input,
                                           const CnVoxelHit *at);
CN_API float cn_block_break_ms(CnBlock block);

CN_EXTERN_C_END

#endif
