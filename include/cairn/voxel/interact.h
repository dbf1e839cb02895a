/*
 * Player interaction with blocks: breaking and placing. The module draws nothing; events tell the
 * caller which effects and sounds to play.
 *
 *     CnInteract state = {.player = 1};
 *     CnInteractEvent events[CN_INTERACT_MAX_EVENTS];
 *     uint32_t count = 0;
 *     CnBlock stone = cn_block_find(cn_voxels_blocks(world), "stone");
 *     CnInteractInput input = {.eye = {0, 80, 0}, .forward = {0, 0, -1}, .breaking = true,
 *                              .held = stone, .dt = 1.0f / 60};
 *     cn_interact_update(&state, world, &input, events, &count); // once per tick
 *
 * The target is the first block within reach, other than the block that contains the eye. Breaking
 * takes hardness x 1,500 ms and passes through crack stages 0 to 9. It starts over when the player
 * looks away or releases the button. A block of hardness 0 breaks at once; one of negative hardness
 * never breaks. Placing needs a face to place against, a replaceable cell (air, water, short grass;
 * a replaceable target is itself replaced), no body in that cell, and reach. While the button is
 * held, placing repeats after 700 ms and then every 300 ms. Props stand on collidable blocks (those
 * that stack also on their own kind, lily pads on water) and break together with the block below
 * them.
 */
#ifndef CAIRN_VOXEL_INTERACT_H
#define CAIRN_VOXEL_INTERACT_H

#include <cairn/voxel/voxels.h>

CN_EXTERN_C_BEGIN

#define CN_REACH 6.0f

typedef enum CnInteractKind {
    CN_INTERACT_CHIP,  /* the crack stage advanced: emit 4 particles */
    CN_INTERACT_BREAK, /* emit 14 particles, play the sound of the surface */
    CN_INTERACT_PLACE,
    CN_INTERACT_REFUSED /* see `reason` */
} CnInteractKind;
typedef enum CnInteractReason {
    CN_INTERACT_ALLOWED,
    CN_INTERACT_OUT_OF_REACH,
    CN_INTERACT_OCCUPIED,
    CN_INTERACT_BODY_INSIDE,
    CN_INTERACT_NO_FACE,
    CN_INTERACT_NOT_PLACEABLE,
    CN_INTERACT_UNBREAKABLE,
    CN_INTERACT_NO_SUPPORT /* a prop needs a block below it */
} CnInteractReason;

typedef struct CnInteractEvent {
    CnInteractKind kind;
    CnInteractReason reason;
    CnCell cell;
    CnBlock block;
    uint8_t stage;   /* CHIP: crack stage, 0 to 9 */
    uint8_t surface; /* CnBlockSurface */
    uint8_t face;
    float color[3]; /* linear */
} CnInteractEvent;
#define CN_INTERACT_MAX_EVENTS 16

/* What a game does instead of the rules above. Each function may be NULL; all may edit the world.
 * The functions that break and place report their own events: cn_interact_describe completes
 * them. */
typedef struct CnInteractRules {
    void *user;
    /* Returns the time to break the target in milliseconds; 0: at once, negative: never. */
    float (*break_ms)(void *user, const CnVoxelHit *target);
    /* Breaks the target. */
    void (*break_block)(void *user, const CnVoxelHit *target);
    /* Uses the target or places something at it; NULL: nothing is aimed at. */
    void (*place_block)(void *user, const CnVoxelHit *target);
    /* While the button is held, the time from breaking a block to beginning the next one. */
    float break_delay_ms;
} CnInteractRules;

typedef struct CnInteractInput {
    CnVec3 eye, forward;
    CnVoxelBox body;          /* of the player */
    const CnVoxelBox *others; /* other bodies in which blocks must not be placed */
    uint32_t other_count;
    /* Returns whether another body, not among `others`, overlaps a box of a cell: for games with
     * many bodies, which then look only when a block is placed. `user` is bodies_user. May be
     * NULL. */
    bool (*has_body)(void *user, CnCell cell, const CnBlockBox *box);
    void *bodies_user;
    bool breaking, placing; /* buttons held down */
    CnBlock held;           /* block to place */
    float dt;               /* seconds */
    uint64_t tick;
    const CnInteractRules *rules; /* NULL: those above */
} CnInteractInput;

/* Interaction state of a player. Plain data that can be copied, saved and restored; zero is
 * idle. */
typedef struct CnInteract {
    uint32_t player;
    bool aiming; /* `target` is valid */
    CnVoxelHit target;
    bool breaking;
    CnCell breaking_cell;
    CnBlock breaking_block;
    float progress_ms, break_ms;
    int32_t crack_stage; /* -1, or 0 with `breaking` false: nothing is being broken */
    bool placing;
    float place_wait_ms;
    float break_wait_ms;
} CnInteract;
/* Advances the state by one tick. Writes at most CN_INTERACT_MAX_EVENTS events. A call breaks at
 * most one block, including the props on it, and places at most one. */
CN_API void cn_interact_update(CnInteract *state, CnVoxels *world, const CnInteractInput *input,
                               CnInteractEvent *events, uint32_t *event_count);
/* Returns whether the player may place `held` at the target, or the reason why not. Servers use it
 * to validate requests. Only the cell and the face of `at` are used. */
CN_API CnInteractReason cn_interact_may_place(CnVoxels *world, const CnInteractInput *input,
                                              const CnVoxelHit *at);
/* The two parts of it, for games that choose another block than `held` for the cell. The first
 * stores the cell that a block would be placed into: that of the target, or the one before its
 * face. The second returns whether a block may be placed into a cell: it is replaceable, no body is
 * inside, and a plain prop stands on something. */
CN_API CnInteractReason cn_interact_find_cell(CnVoxels *world, const CnInteractInput *input,
                                              const CnVoxelHit *at, CnCell *place);
CN_API CnInteractReason cn_interact_may_fill(CnVoxels *world, const CnInteractInput *input,
                                             CnCell cell, CnBlock block);
/* Returns whether a body of the input overlaps what the block would fill in the cell. */
CN_API bool cn_interact_has_body_inside(const CnBlockTable *table, const CnInteractInput *input,
                                        CnCell cell, CnBlock block);
/* Returns whether a body overlaps a box of a cell, exactly also far from the origin. */
CN_API bool cn_interact_is_inside(const CnVoxelBox *body, CnCell cell, const CnBlockBox *box);
/* Returns whether a plain prop can stand on the block below it. */
CN_API bool cn_block_stands_on(const CnBlockTable *table, CnBlock prop, CnBlock under);
/* Returns the event with surface and color of its block. */
CN_API CnInteractEvent cn_interact_describe(const CnBlockTable *table, CnInteractEvent event);
/* Returns the time to break a block in milliseconds; negative if it is unbreakable. */
CN_API float cn_block_break_ms(const CnBlockTable *table, CnBlock block);

CN_EXTERN_C_END

#endif
