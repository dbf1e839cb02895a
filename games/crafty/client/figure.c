#include "figure.h"

#include "held_item.h"

#include <cairn/base/math.h>

#include <string.h>

/* Sizes are in pixels of the figure, of which 32 are its height. */
#define PIXEL (1.8f / 32)
#define BLOCK (16 * PIXEL) /* of parts, whose tiles have 16 pixels */
#define TELEPORT 4.0f      /* blocks in a frame */
#define RADIANS_PER_BLOCK 2.3f
#define LEG_DEGREES 38.0f
#define ARM_DEGREES 32.0f
#define FULL_SPEED 4.0f
#define EASE_SECONDS 0.08f
#define BODY_SECONDS 0.15f
#define HEAD_TURN 55.0f /* degrees by which the head may be turned from the body */

typedef struct Color {
    uint8_t red, green, blue;
} Color;

static const Color skin = {222, 170, 134}, hair = {104, 72, 46}, eyes = {38, 60, 110},
                   trousers = {96, 104, 150}, shoes = {92, 84, 80};
static const Color shirts[] = {{60, 160, 168},  {196, 96, 82},  {112, 160, 72},
                               {168, 118, 188}, {214, 166, 70}, {120, 132, 146}};

/* What all parts of a figure share. */
typedef struct Builder {
    CnBlockModels *models;
    CnModelLayer layer;
    CraftyLight light;
    float flash;
    bool is_shadow;
} Builder;

/* ---- Parts ---- */

static CnAffine affine(CnVec3 position, CnVec3 angles)
{
    return cn_affine_from_trs(position, cn_quat_from_euler(angles), cn_vec3(1, 1, 1));
}

static CnAffine product(const CnAffine *a, CnAffine b)
{
    return cn_affine_mul(a, &b);
}

/* Adds a box: its lower corner relative to the joint, and its size, in pixels. */
static void add_box(const Builder *builder, const CnAffine *joint, CnVec3 corner, CnVec3 size,
                    Color color)
{
    CnBlockModelPart *part = cn_block_models_add(builder->models, builder->layer, 1);
    if (!part)
        return;
    CnVec3 at = cn_vec3_scale(corner, PIXEL);
    /* The box fills a unit block that is scaled to its size; the grain has 16 texels on it. */
    part->place =
        product(joint, cn_affine_from_trs(at, (CnQuat){0, 0, 0, 1}, cn_vec3_scale(size, PIXEL)));
    for (uint32_t i = 0; i < 6; i++)
        part->tiles[i] = CN_MODEL_NO_TILE;
    memset(part->high, 16, sizeof part->high);
    part->tint[0] = color.red;
    part->tint[1] = color.green;
    part->tint[2] = color.blue;
    part->sky = builder->light.sky;
    part->block = builder->light.block;
    part->flash = builder->flash;
    part->casts_shadow = builder->layer == CN_MODEL_LAYER_WORLD;
    part->is_hidden = builder->is_shadow;
}

static void add_head(const Builder *builder, const CnAffine *joint)
{
    add_box(builder, joint, cn_vec3(-4, 0, -4), cn_vec3(8, 7, 8), skin);
    add_box(builder, joint, cn_vec3(-4.3f, 6, -4.3f), cn_vec3(8.6f, 2.2f, 8.6f), hair);
    add_box(builder, joint, cn_vec3(-4.3f, 1.5f, 1), cn_vec3(8.6f, 5, 3.3f), hair);
    add_box(builder, joint, cn_vec3(-2.6f, 3, -4.15f), cn_vec3(1.5f, 1.4f, 0.4f), eyes);
    add_box(builder, joint, cn_vec3(1.1f, 3, -4.15f), cn_vec3(1.5f, 1.4f, 0.4f), eyes);
}

/* Hangs down from the shoulder. */
static void add_arm(const Builder *builder, const CnAffine *joint, Color shirt)
{
    add_box(builder, joint, cn_vec3(-2, -4, -2), cn_vec3(4, 6, 4), shirt);
    add_box(builder, joint, cn_vec3(-1.8f, -10, -1.8f), cn_vec3(3.6f, 6, 3.6f), skin);
}

/* Hangs down from the hip. */
static void add_leg(const Builder *builder, const CnAffine *joint)
{
    add_box(builder, joint, cn_vec3(-2, -9, -2), cn_vec3(4, 9, 4), trousers);
    add_box(builder, joint, cn_vec3(-2.1f, -12, -2.6f), cn_vec3(4.2f, 3, 4.8f), shoes);
}

/* ---- State ---- */

static float eased(float from, float to, float seconds, float constant)
{
    return to + (from - to) * cn_expf(-seconds / constant);
}

/* From -180 to 180. */
static float turn_between(float from, float to)
{
    float turn = to - from;
    return turn - 360 * cn_roundf(turn / 360);
}

static void step(CraftyFigure *figure, const CraftyFigureFrame *frame, float seconds)
{
    CnVec3 moved = cn_vec3_sub(frame->feet, figure->last);
    if (!figure->has_last || !(cn_vec3_length(moved) < TELEPORT)) {
        *figure = (CraftyFigure){.has_last = true, .body_yaw = frame->yaw, .light = frame->light};
        moved = cn_vec3(0, 0, 0);
    }
    figure->last = frame->feet;
    float way = cn_sqrtf(moved.x * moved.x + moved.z * moved.z);
    float speed = seconds > 0 ? way / seconds : 0;
    float stride = speed / FULL_SPEED < 1 ? speed / FULL_SPEED : 1;
    figure->stride = eased(figure->stride, stride, seconds, EASE_SECONDS);
    figure->phase += way * RADIANS_PER_BLOCK;
    figure->phase -= 2 * CN_PIF * cn_floorf(figure->phase / (2 * CN_PIF));
    figure->sneak = eased(figure->sneak, frame->sneaks ? 1 : 0, seconds, EASE_SECONDS);
    bool lies = frame->swims && !frame->grounded && speed > 0.8f;
    figure->swim = eased(figure->swim, lies ? 1 : 0, seconds, 2 * EASE_SECONDS);
    figure->light = crafty_light_eased(figure->light, frame->light, seconds);
    /* The body follows the head while walking, and when the head is turned far. */
    float turn = turn_between(figure->body_yaw, frame->yaw);
    float wanted = figure->body_yaw + turn * stride;
    figure->body_yaw = eased(figure->body_yaw, wanted, seconds, BODY_SECONDS);
    turn = turn_between(figure->body_yaw, frame->yaw);
    if (turn > HEAD_TURN || turn < -HEAD_TURN)
        figure->body_yaw = frame->yaw - (turn > 0 ? HEAD_TURN : -HEAD_TURN);
}

/* ---- Figure ---- */

static CnAffine body_place(const CraftyFigure *figure, const CraftyFigureFrame *frame)
{
    CnAffine feet = affine(frame->feet, cn_vec3(0, figure->body_yaw, 0));
    /* Lying: turned forward around the hips. */
    CnVec3 hips = {0, 12 * PIXEL, 0};
    CnAffine up = affine(hips, cn_vec3(-78 * figure->swim, 0, 0));
    CnAffine down = affine(cn_vec3_scale(hips, -1), cn_vec3(0, 0, 0));
    CnAffine lying = product(&up, down);
    return product(&feet, lying);
}

static void add_item(const Builder *builder, const CnAffine *arm, const CraftyItemModel *held)
{
    CnVec3 at = {0, -9.5f * PIXEL, -2.5f * PIXEL};
    CnVec3 angles = held->is_flat ? cn_vec3(-75, 90, 0) : cn_vec3(0, 45, 0);
    float size = held->is_flat ? 0.5f : 0.3f;
    CnAffine grip =
        product(arm, cn_affine_from_trs(at, cn_quat_from_euler(angles), cn_vec3(size, size, size)));
    CnAffine place = product(
        &grip, affine(held->is_flat ? cn_vec3(-0.25f, -0.25f, -0.5f) : cn_vec3(-0.5f, -0.5f, -0.5f),
                      cn_vec3(0, 0, 0)));
    if (!builder->is_shadow)
        crafty_item_model_add(held, builder->models, CN_MODEL_LAYER_WORLD, &place, builder->light);
}

static void add_arms(const Builder *builder, const CraftyFigure *figure,
                     const CraftyFigureFrame *frame, const CnAffine *chest, Color shirt)
{
    float step = cn_sinf(figure->phase) * ARM_DEGREES * figure->stride;
    float crawl = figure->swim * (60 + 40 * cn_sinf(figure->phase));
    float swing = crafty_swing_of(frame->swing_ticks);
    for (int i = 0; i < 2; i++) {
        float side = i ? 1.0f : -1.0f;
        bool is_main = (side > 0) != frame->is_left_handed;
        float forward = side * step + crawl + (is_main && frame->held.count ? 18 : 0);
        float lift = is_main ? 85 * swing : 0;
        CnAffine joint = product(
            chest, affine(cn_vec3(side * 6 * PIXEL, 10 * PIXEL, 0),
                          cn_vec3(forward + lift, is_main ? 25 * swing * side : 0, side * 3)));
        add_arm(builder, &joint, shirt);
        if (is_main)
            add_item(builder, &joint, &frame->held);
    }
}

static void add_legs(const Builder *builder, const CraftyFigure *figure, const CnAffine *body)
{
    float step = cn_sinf(figure->phase) * LEG_DEGREES * figure->stride;
    for (int i = 0; i < 2; i++) {
        float side = i ? 1.0f : -1.0f;
        CnAffine joint =
            product(body, affine(cn_vec3(side * 2 * PIXEL, 12 * PIXEL, 3 * PIXEL * figure->sneak),
                                 cn_vec3(-side * step, 0, 0)));
        add_leg(builder, &joint);
    }
}

void crafty_figure_frame(CraftyFigure *figure, const CraftyFigureFrame *frame,
                         CnBlockModels *models)
{
    step(figure, frame, frame->seconds > 0 ? frame->seconds : 0);
    Builder builder = {.models = models,
                       .layer = CN_MODEL_LAYER_WORLD,
                       .light = figure->light,
                       .flash = frame->hurt,
                       .is_shadow = frame->is_shadow};
    Color shirt = shirts[frame->number % CN_COUNT_OF(shirts)];
    CnAffine body = body_place(figure, frame);
    add_legs(&builder, figure, &body);
    CnAffine chest = product(&body, affine(cn_vec3(0, (12 - 1.5f * figure->sneak) * PIXEL, 0),
                                           cn_vec3(-24 * figure->sneak, 0, 0)));
    add_box(&builder, &chest, cn_vec3(-4, 0, -2), cn_vec3(8, 12, 4), shirt);
    add_arms(&builder, figure, frame, &chest, shirt);
    float turn = turn_between(figure->body_yaw, frame->yaw);
    CnVec3 neck = {0, 12 * PIXEL, 0};
    CnAffine head = product(
        &chest,
        affine(neck, cn_vec3(frame->pitch + 24 * figure->sneak + 70 * figure->swim, turn, 0)));
    add_head(&builder, &head);
}

void crafty_figure_arm(CnBlockModels *models, const CnAffine *hand, bool is_left_handed,
                       CraftyLight light)
{
    Builder builder = {.models = models, .layer = CN_MODEL_LAYER_HAND, .light = light};
    float side = is_left_handed ? -1.0f : 1.0f;
    /* It points forward, up and to the middle; the hand is at its end. */
    CnVec3 forward = cn_vec3_normalize(cn_vec3(-0.42f * side, 0.5f, -0.75f));
    CnVec3 end = {-0.1f * side, 0.12f, -0.1f};
    CnVec3 shoulder = cn_vec3_sub(end, cn_vec3_scale(forward, 10 * PIXEL));
    CnAffine ahead =
        cn_affine_from_trs(shoulder, cn_quat_look(forward, cn_vec3(0, 1, 0)), cn_vec3(1, 1, 1));
    CnAffine turned = product(hand, ahead);
    CnAffine joint = product(&turned, affine(cn_vec3(0, 0, 0), cn_vec3(90, 0, 0)));
    add_arm(&builder, &joint, shirts[1 % CN_COUNT_OF(shirts)]);
}
