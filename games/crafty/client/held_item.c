#include "held_item.h"

#include "figure.h"

#include <cairn/base/math.h>

#define LOWER_SECONDS 0.10f
#define RAISE_SECONDS 0.14f
#define BELOW 0.8f /* blocks by which a lowered hand is deeper */
#define EAT_SECONDS 0.08f
#define CHEWS_PER_SECOND 4.5f
#define BOB_FACTOR 1.6f /* the hand moves more than the view */
#define HAND_X 0.66f
#define WIDEST_HAND 1.6f /* aspect from which on the hand stays at its place */

float crafty_swing_of(float swing_ticks)
{
    float part = swing_ticks / (float)CRAFTY_SWING_TICKS;
    if (!(part >= 0 && part < 1))
        return 0;
    return cn_sinf(CN_PIF * cn_sqrtf(part)); /* faster out than back */
}

static float towards(float from, float to, float step)
{
    return from < to ? (from + step < to ? from + step : to) : from - step > to ? from - step : to;
}

/* ---- State ---- */

static void change_item(CraftyHeldItem *held, const CraftyHeldFrame *frame)
{
    float seconds = frame->seconds > 0 ? frame->seconds : 0;
    bool is_same = held->has_item && held->item == frame->item && held->slot == frame->slot;
    if (!is_same && (!held->has_item || held->raised <= 0)) {
        held->has_item = true;
        held->item = frame->item;
        held->slot = frame->slot;
        is_same = true;
    }
    /* The last one of a stack is used up, or the first one picked up, without a change of slot:
     * no need to wait. */
    held->raised = is_same ? towards(held->raised, 1, seconds / RAISE_SECONDS)
                           : towards(held->raised, 0, seconds / LOWER_SECONDS);
    held->eating = towards(held->eating, frame->is_eating ? 1 : 0, seconds / EAT_SECONDS);
    held->chewed = frame->is_eating ? held->chewed + seconds : 0;
    held->light = crafty_light_eased(held->light, frame->light, seconds);
}

/* ---- Places ---- */

static CnAffine affine(CnVec3 position, CnVec3 angles, float size)
{
    return cn_affine_from_trs(position, cn_quat_from_euler(angles), cn_vec3(size, size, size));
}

static CnAffine product(CnAffine a, CnAffine b)
{
    return cn_affine_mul(&a, &b);
}

/* From the middle of a unit block to its corner. */
static CnAffine centered(void)
{
    return affine(cn_vec3(-0.5f, -0.5f, -0.5f), cn_vec3(0, 0, 0), 1);
}

/* Where the hand is, in camera space, without what it holds. */
static CnAffine hand_place(const CraftyHeldItem *held, const CraftyHeldFrame *frame)
{
    float side = frame->is_left_handed ? -1.0f : 1.0f;
    float swing = crafty_swing_of(frame->swing_ticks);
    float narrow =
        frame->aspect > 0 && frame->aspect < WIDEST_HAND ? frame->aspect / WIDEST_HAND : 1;
    float down = 1 - held->raised * held->raised * (3 - 2 * held->raised);
    CnVec3 at = {HAND_X * narrow + BOB_FACTOR * frame->bob.x * side - 0.24f * swing,
                 -0.52f + BOB_FACTOR * frame->bob.y - BELOW * down + 0.16f * swing,
                 -0.85f - 0.18f * swing};
    float chew = held->eating * cn_sinf(2 * CN_PIF * CHEWS_PER_SECOND * held->chewed);
    at.x += (0.12f - at.x) * 0.8f * held->eating;
    at.y += held->eating * (0.12f + 0.05f * chew);
    at.x *= side;
    return affine(
        at, cn_vec3(-48 * swing, side * (14 * swing + 25 * held->eating), side * 8 * swing), 1);
}

static CnAffine item_place(const CraftyItemModel *model, bool is_left_handed)
{
    float side = is_left_handed ? -1.0f : 1.0f;
    if (model->is_flat) /* tools: the grip at the lower right, tilted forward */
        return product(
            affine(cn_vec3(-0.05f * side, 0.17f, 0), cn_vec3(8, side * -62, side * 18), 0.62f),
            centered());
    return product(affine(cn_vec3(0, 0.02f, 0), cn_vec3(4, side * 42, 0), 0.36f), centered());
}

void crafty_held_item_frame(CraftyHeldItem *held, const CraftyHeldFrame *frame,
                            CnBlockModels *models)
{
    change_item(held, frame);
    CnAffine hand = hand_place(held, frame);
    if (held->item == CRAFTY_NO_ITEM) {
        crafty_figure_arm(models, &hand, frame->is_left_handed, held->light);
        return;
    }
    CraftyItemModel model = crafty_item_model(frame->items, frame->blocks, held->item);
    CnAffine place = product(hand, item_place(&model, frame->is_left_handed));
    crafty_item_model_add(&model, models, CN_MODEL_LAYER_HAND, &place, held->light);
}
