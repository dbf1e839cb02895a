/* Breaking and placing, one update per tick. */
#include <cairn/base/assert.h>
#include <cairn/base/math.h>
#include <cairn/voxel/interact.h>

#define BREAK_MS 1500.0f /* per unit of hardness */
#define FIRST_REPEAT_MS 700.0f
#define REPEAT_MS 300.0f
#define CRACK_STAGES 10

typedef struct Update {
    CnInteract *state;
    CnVoxels *world;
    const CnInteractInput *input;
    CnInteractEvent *events;
    uint32_t *event_count;
    float dt_ms;
} Update;

float cn_block_break_ms(const CnBlockTable *table, CnBlock block)
{
    CN_ASSERT(table, "%s: table is NULL", __func__);
    return cn_block_info(table, block)->hardness * BREAK_MS;
}

static const CnBlockTable *table_of(const Update *update)
{
    return cn_voxels_blocks(update->world);
}

/* ---- Events ---- */

static float linear_of(uint8_t srgb)
{
    float value = (float)srgb / 255.0f;
    return value <= 0.04045f ? value / 12.92f : cn_powf((value + 0.055f) / 1.055f, 2.4f);
}

CnInteractEvent cn_interact_describe(const CnBlockTable *table, CnInteractEvent event)
{
    CN_ASSERT(table, "%s: table is NULL", __func__);
    const CnBlockInfo *info = cn_block_info(table, event.block);
    event.surface = info->surface;
    for (int i = 0; i < 3; i++)
        event.color[i] = linear_of(info->color[i]);
    return event;
}

static void emit_event(Update *update, CnInteractEvent event)
{
    if (*update->event_count < CN_INTERACT_MAX_EVENTS)
        update->events[(*update->event_count)++] = cn_interact_describe(table_of(update), event);
}

/* ---- Edits ---- */

static bool is_same(CnCell a, CnCell b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static CnCell above(CnCell cell)
{
    return (CnCell){cell.x, cell.y + 1, cell.z};
}

static CnCell next_to(CnCell cell, uint8_t face)
{
    static const int8_t steps[CN_FACE_COUNT][3] = {
        [CN_FACE_NEG_Z] = {0, 0, -1}, [CN_FACE_POS_Z] = {0, 0, 1},  [CN_FACE_NEG_X] = {-1, 0, 0},
        [CN_FACE_POS_X] = {1, 0, 0},  [CN_FACE_NEG_Y] = {0, -1, 0}, [CN_FACE_POS_Y] = {0, 1, 0}};
    return (CnCell){cell.x + steps[face][0], cell.y + steps[face][1], cell.z + steps[face][2]};
}

/* Applies the edit and emits an event. */
static bool change(Update *update, CnEdit edit, CnInteractKind kind)
{
    CnBlock before = cn_voxels_get(update->world, edit.cell);
    edit.tick = update->input->tick;
    edit.player = update->state->player;
    if (!cn_voxels_edit(update->world, &edit, NULL))
        return false;
    emit_event(update,
               (CnInteractEvent){.kind = kind,
                                 .cell = edit.cell,
                                 .face = edit.face,
                                 .block = kind == CN_INTERACT_BREAK ? before : edit.new_block});
    return true;
}

/* ---- Breaking ---- */

static void stop_breaking(CnInteract *state)
{
    state->breaking = false;
    state->progress_ms = 0;
    state->break_ms = 0;
    state->crack_stage = -1;
}

/* Breaks the block and the plain props stacked on it. */
static void break_block(Update *update)
{
    CnCell cell = update->state->breaking_cell;
    uint8_t face = update->state->target.face;
    const CnInteractRules *rules = update->input->rules;
    stop_breaking(update->state);
    if (rules)
        update->state->break_wait_ms = rules->break_delay_ms;
    if (rules && rules->break_block) {
        rules->break_block(rules->user, &update->state->target);
        return;
    }
    CnEdit edit = {.kind = CN_EDIT_BREAK, .face = face, .cell = cell, .new_block = CN_BLOCK_AIR};
    while (change(update, edit, CN_INTERACT_BREAK)) {
        edit.cell = above(edit.cell);
        edit.face = CN_EDIT_NO_FACE;
        if (!cn_cell_is_in_world(edit.cell) ||
            !cn_block_is_plain_prop(table_of(update), cn_voxels_get(update->world, edit.cell)))
            break;
    }
}

static float break_ms(const Update *update)
{
    const CnInteractRules *rules = update->input->rules;
    const CnVoxelHit *target = &update->state->target;
    return rules && rules->break_ms ? rules->break_ms(rules->user, target)
                                    : cn_block_break_ms(table_of(update), target->block);
}

static void begin_breaking(Update *update)
{
    CnInteract *state = update->state;
    stop_breaking(state);
    state->breaking = true;
    state->breaking_cell = state->target.cell;
    state->breaking_block = state->target.block;
    state->break_ms = break_ms(update);
    if (state->break_ms < 0)
        emit_event(update, (CnInteractEvent){.kind = CN_INTERACT_REFUSED,
                                             .reason = CN_INTERACT_UNBREAKABLE,
                                             .cell = state->breaking_cell,
                                             .face = state->target.face,
                                             .block = state->breaking_block});
}

static void update_breaking(Update *update)
{
    CnInteract *state = update->state;
    state->break_wait_ms = update->input->breaking ? state->break_wait_ms - update->dt_ms : 0;
    if (!update->input->breaking || !state->aiming || state->break_wait_ms > 0) {
        stop_breaking(state);
        return;
    }
    state->break_wait_ms = 0;
    if (!state->breaking || !is_same(state->breaking_cell, state->target.cell) ||
        state->breaking_block != state->target.block)
        begin_breaking(update);
    if (state->break_ms < 0)
        return;
    state->progress_ms += update->dt_ms;
    if (state->progress_ms >= state->break_ms) {
        break_block(update);
        return;
    }
    int32_t stage = (int32_t)(state->progress_ms / state->break_ms * CRACK_STAGES);
    if (stage != state->crack_stage && stage < CRACK_STAGES) {
        state->crack_stage = stage;
        emit_event(update, (CnInteractEvent){.kind = CN_INTERACT_CHIP,
                                             .cell = state->breaking_cell,
                                             .block = state->breaking_block,
                                             .face = state->target.face,
                                             .stage = (uint8_t)stage});
    }
}

/* ---- Placing ---- */

/* Measures from the eye to the nearest point of the cell. */
static bool is_in_reach(const CnInteractInput *input, CnCell cell)
{
    const double eye[3] = {input->eye.x, input->eye.y, input->eye.z};
    const double low[3] = {cell.x, cell.y, cell.z};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double beside = eye[i] < low[i]       ? low[i] - eye[i]
                        : eye[i] > low[i] + 1 ? eye[i] - low[i] - 1
                                              : 0;
        sum += beside * beside;
    }
    return sum <= (double)CN_REACH * CN_REACH;
}

bool cn_interact_is_inside(const CnVoxelBox *body, CnCell cell, const CnBlockBox *box)
{
    CN_ASSERT(body, "%s: body is NULL", __func__);
    CN_ASSERT(box, "%s: box is NULL", __func__);
    const double low[3] = {body->min.x, body->min.y, body->min.z};
    const double high[3] = {body->max.x, body->max.y, body->max.z};
    const int32_t at[3] = {cell.x, cell.y, cell.z};
    for (int i = 0; i < 3; i++)
        if (low[i] >= at[i] + box->high[i] / (double)CN_BLOCK_SHAPE_UNITS ||
            high[i] <= at[i] + box->low[i] / (double)CN_BLOCK_SHAPE_UNITS)
            return false;
    return true;
}

bool cn_interact_has_body_inside(const CnBlockTable *table, const CnInteractInput *input,
                                 CnCell cell, CnBlock block)
{
    CN_ASSERT(table, "%s: table is NULL", __func__);
    CN_ASSERT(input, "%s: input is NULL", __func__);
    static const CnBlockShape cube = {1, {{{0, 0, 0}, {16, 16, 16}}}};
    const CnBlockShape *shape = cn_block_shape(table, block);
    shape = shape ? shape : &cube;
    for (uint32_t box = 0; box < shape->count; box++) {
        if (cn_interact_is_inside(&input->body, cell, &shape->boxes[box]))
            return true;
        for (uint32_t i = 0; i < input->other_count; i++)
            if (cn_interact_is_inside(&input->others[i], cell, &shape->boxes[box]))
                return true;
        if (input->has_body && input->has_body(input->bodies_user, cell, &shape->boxes[box]))
            return true;
    }
    return false;
}

bool cn_block_stands_on(const CnBlockTable *table, CnBlock prop, CnBlock under)
{
    CN_ASSERT(table, "%s: table is NULL", __func__);
    const CnBlockInfo *info = cn_block_info(table, prop);
    return (info->stands_on_water && under == CN_BLOCK_WATER) || (info->stacks && under == prop) ||
           (table->flags[under] & CN_BLOCK_COLLIDES) != 0;
}

static CnInteractReason find_cell(CnVoxels *world, const CnInteractInput *input, CnCell aimed,
                                  uint8_t face, CnCell *place)
{
    const CnBlockTable *table = cn_voxels_blocks(world);
    CnBlock held = input->held;
    if (!cn_block_info(table, held)->placeable)
        return CN_INTERACT_NOT_PLACEABLE;
    if (face >= CN_FACE_COUNT || !cn_cell_is_in_world(aimed))
        return CN_INTERACT_NO_FACE;
    if (!is_in_reach(input, aimed))
        return CN_INTERACT_OUT_OF_REACH;
    CnBlock at = cn_voxels_get(world, aimed);
    if (table->flags[at] & (CN_BLOCK_IS_AIR | CN_BLOCK_IS_WATER))
        return CN_INTERACT_NO_FACE;
    *place = cn_block_info(table, at)->replaceable && at != held ? aimed : next_to(aimed, face);
    return CN_INTERACT_ALLOWED;
}

CnInteractReason cn_interact_may_fill(CnVoxels *world, const CnInteractInput *input, CnCell cell,
                                      CnBlock block)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnBlockTable *table = cn_voxels_blocks(world);
    if (!cn_cell_is_in_world(cell) ||
        !cn_block_info(table, cn_voxels_get(world, cell))->replaceable)
        return CN_INTERACT_OCCUPIED;
    if ((table->flags[block] & CN_BLOCK_COLLIDES) &&
        cn_interact_has_body_inside(table, input, cell, block))
        return CN_INTERACT_BODY_INSIDE;
    CnCell under = {cell.x, cell.y - 1, cell.z};
    if (cn_block_is_plain_prop(table, block) &&
        !(cn_cell_is_in_world(under) &&
          cn_block_stands_on(table, block, cn_voxels_get(world, under))))
        return CN_INTERACT_NO_SUPPORT;
    return CN_INTERACT_ALLOWED;
}

/* Finds the cell to place into, and whether placing is allowed. */
static CnInteractReason find_place(CnVoxels *world, const CnInteractInput *input, CnCell aimed,
                                   uint8_t face, CnCell *place)
{
    CnInteractReason reason = find_cell(world, input, aimed, face, place);
    return reason == CN_INTERACT_ALLOWED ? cn_interact_may_fill(world, input, *place, input->held)
                                         : reason;
}

CnInteractReason cn_interact_may_place(CnVoxels *world, const CnInteractInput *input,
                                       const CnVoxelHit *at)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(at, "%s: at is NULL", __func__);
    CnCell place;
    return find_place(world, input, at->cell, at->face, &place);
}

CnInteractReason cn_interact_find_cell(CnVoxels *world, const CnInteractInput *input,
                                       const CnVoxelHit *at, CnCell *place)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(at, "%s: at is NULL", __func__);
    CN_ASSERT(place, "%s: place is NULL", __func__);
    *place = at->cell;
    return find_cell(world, input, at->cell, at->face, place);
}

static void place_block(Update *update)
{
    const CnInteract *state = update->state;
    const CnInteractRules *rules = update->input->rules;
    CnBlock held = update->input->held;
    CnCell place = state->target.cell;
    if (rules && rules->place_block) {
        rules->place_block(rules->user, state->aiming ? &state->target : NULL);
        return;
    }
    CnInteractReason reason = CN_INTERACT_NO_FACE;
    if (state->aiming)
        reason = find_place(update->world, update->input, state->target.cell, state->target.face,
                            &place);
    if (reason == CN_INTERACT_ALLOWED)
        change(update,
               (CnEdit){.kind = CN_EDIT_PLACE,
                        .face = state->target.face,
                        .cell = place,
                        .new_block = held},
               CN_INTERACT_PLACE);
    else
        emit_event(update,
                   (CnInteractEvent){.kind = CN_INTERACT_REFUSED,
                                     .reason = reason,
                                     .cell = place,
                                     .face = state->aiming ? state->target.face : CN_EDIT_NO_FACE,
                                     .block = cn_block_exists(table_of(update), held)
                                                  ? held
                                                  : (CnBlock)CN_BLOCK_AIR});
}

static void update_placing(Update *update)
{
    CnInteract *state = update->state;
    if (!update->input->placing) {
        state->placing = false;
        state->place_wait_ms = 0;
        return;
    }
    if (!state->placing) {
        state->placing = true;
        state->place_wait_ms = FIRST_REPEAT_MS;
        place_block(update);
        return;
    }
    state->place_wait_ms -= update->dt_ms;
    if (state->place_wait_ms > 0)
        return;
    state->place_wait_ms += REPEAT_MS;
    if (state->place_wait_ms < 0) /* do not catch up after a long frame */
        state->place_wait_ms = 0;
    place_block(update);
}

void cn_interact_update(CnInteract *state, CnVoxels *world, const CnInteractInput *input,
                        CnInteractEvent *events, uint32_t *event_count)
{
    CN_ASSERT(state, "%s: state is NULL", __func__);
    CN_ASSERT(input, "%s: input is NULL", __func__);
    CN_ASSERT(event_count, "%s: event_count is NULL", __func__);
    Update update = {state,  world,       input,
                     events, event_count, input->dt > 0 ? input->dt * 1000 : 0};
    *event_count = 0;
    state->aiming = cn_voxels_raycast(world, input->eye, input->forward, CN_REACH,
                                      CN_VOXEL_RAY_AIMED, &state->target);
    update_breaking(&update);
    update_placing(&update);
}
