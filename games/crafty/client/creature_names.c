#include "creature_names.h"

#include "crafty/world/glyph_tiles.h"

#include <cairn/base/math.h>
#include <cairn/base/text.h>

#define NAME_PIXEL 0.022f /* blocks */
#define GAP 1.0f          /* pixels between characters */
#define TILE_PIXELS 16.0f
#define PAD 2.0f /* pixels of the plate around the text */
#define MAX_CHARACTERS 32u

static float width_of(CnText name)
{
    float width = 0;
    uint32_t character;
    for (size_t at = 0; at < name.size;) {
        at = cn_utf8_next(name, at, &character);
        width += (float)crafty_glyph(character)->width + GAP;
    }
    return width > 0 ? width - GAP : 0;
}

/* Directions of a plate that faces the eye, upright. */
typedef struct Plate {
    CnVec3 at, right, normal;
} Plate;

/* A flat box: `x` and `y` of its lower left corner and its size, in pixels from the middle. */
static CnAffine place(const Plate *plate, float x, float y, float width, float height, float out)
{
    CnVec3 r = plate->right, n = plate->normal, m = plate->at;
    float across = width * NAME_PIXEL, up = height * NAME_PIXEL;
    float left = x * NAME_PIXEL, low = y * NAME_PIXEL;
    return (CnAffine){{{r.x * across, 0, n.x * up, m.x + r.x * left + n.x * out},
                       {0, up, 0, m.y + low},
                       {r.z * across, 0, n.z * up, m.z + r.z * left + n.z * out}}};
}

static void add_back(const Plate *plate, float width, CnBlockModels *models)
{
    CnBlockModelPart *part = cn_block_models_add(models, CN_MODEL_LAYER_WORLD, 1);
    if (!part)
        return;
    part->place = place(plate, -0.5f * width - PAD, -PAD, width + 2 * PAD,
                        (float)CRAFTY_GLYPH_ROWS + PAD, -0.01f);
    part->high[0] = part->high[1] = 16;
    part->tint[0] = part->tint[1] = part->tint[2] = 28;
    part->sky = 0.2f;
    part->fade = 0.5f;
    for (int face = 0; face < CN_FACE_COUNT; face++)
        part->tiles[face] = CN_MODEL_NO_TILE;
}

void crafty_creature_name_add(const char *name, CnVec3 at, CnVec3 eye, CnBlockModels *models)
{
    CnText text = cn_text(name);
    float width = width_of(text), x = -0.5f * width;
    CnVec3 to_eye = {eye.x - at.x, 0, eye.z - at.z};
    if (width <= 0 || cn_vec3_length(to_eye) < 1e-3f)
        return;
    CnVec3 n = cn_vec3_normalize(to_eye);
    Plate plate = {at, {n.z, 0, -n.x}, n};
    add_back(&plate, width, models);
    uint32_t character, count = 0;
    for (size_t next = 0; next < text.size && count < MAX_CHARACTERS; count++) {
        next = cn_utf8_next(text, next, &character);
        const CraftyGlyph *glyph = crafty_glyph(character);
        CnBlockModelPart *part =
            character == ' ' ? NULL : cn_block_models_add(models, CN_MODEL_LAYER_WORLD, 1);
        if (part) {
            part->place =
                place(&plate, x - (float)glyph->left, (float)CRAFTY_GLYPH_ROWS - TILE_PIXELS,
                      TILE_PIXELS, TILE_PIXELS, 0);
            part->low[0] = glyph->left;
            part->low[1] = (uint8_t)(TILE_PIXELS - CRAFTY_GLYPH_ROWS);
            part->high[0] = (uint8_t)(glyph->left + glyph->width);
            part->high[1] = (uint8_t)TILE_PIXELS;
            part->tint[0] = part->tint[1] = part->tint[2] = 255;
            part->sky = 0.5f;
            part->glow = 0.6f;
            for (int face = 0; face < CN_FACE_COUNT; face++)
                part->tiles[face] = glyph->layer;
        }
        x += (float)glyph->width + GAP;
    }
}
