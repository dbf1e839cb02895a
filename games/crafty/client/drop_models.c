#include "drop_models.h"

#include <cairn/base/math.h>

#define TURN_DEGREES 60.0f /* per second */
#define HOVER 0.05f        /* blocks up and down */
#define HOVER_RATE 2.4f    /* radians per second */
#define BLOCK_SIZE 0.25f
#define SPRITE_SIZE 0.42f
#define SPREAD 0.09f /* blocks between copies */
#define NEAR 16.0f   /* blocks: farther drops show a single copy */

uint32_t crafty_drop_copies(uint32_t count)
{
    return count > 32 ? 4 : count > 8 ? 3 : count > 1 ? 2 : 1;
}

/* Copies lie around the first one; sprites behind each other. */
static CnVec3 offset_of(uint32_t copy, bool is_flat)
{
    static const CnVec3 offsets[] = {
        {0, 0, 0}, {1, 0.7f, -0.6f}, {-0.8f, 0.4f, 0.9f}, {0.3f, 1.2f, 0.5f}};
    CnVec3 offset = cn_vec3_scale(offsets[copy % CN_COUNT_OF(offsets)], SPREAD);
    return is_flat ? cn_vec3(0.35f * offset.x, 0.35f * offset.y, (float)copy * 0.04f) : offset;
}

bool crafty_drop_model_add(const CraftyDropsFrame *frame, const CraftyShownDrop *drop,
                           CnBlockModels *models)
{
    float distance = cn_vec3_length(cn_vec3_sub(drop->position, frame->eye));
    if (!(distance < CRAFTY_DROPS_REACH))
        return false;
    const CraftyItemModel *model = crafty_item_models_get(frame->item_models, drop->item);
    CraftyLight light = crafty_light_at(frame->voxels, drop->position);
    float phase = (float)(drop->seed * 2654435761u >> 16) / 65536;
    float turn = 360 * phase, hover = 0;
    if (!frame->is_still) {
        turn += drop->age * TURN_DEGREES;
        hover = HOVER * (1 + cn_sinf(drop->age * HOVER_RATE + 2 * CN_PIF * phase));
    }
    float size = model->is_flat ? SPRITE_SIZE : BLOCK_SIZE;
    CnVec3 at = {drop->position.x, drop->position.y + hover, drop->position.z};
    CnAffine middle =
        cn_affine_from_trs(at, cn_quat_from_euler(cn_vec3(0, turn, 0)), cn_vec3(1, 1, 1));
    uint32_t copies = distance < NEAR ? crafty_drop_copies(drop->count) : 1;
    for (uint32_t i = 0; i < copies; i++) {
        CnVec3 corner = cn_vec3_add(offset_of(i, model->is_flat),
                                    cn_vec3(-0.5f * size, -0.5f * size, -0.5f * size));
        CnAffine local =
            cn_affine_from_trs(corner, (CnQuat){0, 0, 0, 1}, cn_vec3(size, size, size));
        CnAffine place = cn_affine_mul(&middle, &local);
        crafty_item_model_add(model, models, CN_MODEL_LAYER_WORLD, &place, light);
    }
    return true;
}
