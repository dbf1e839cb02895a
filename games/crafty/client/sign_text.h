/*
 * The texts of signs near the eye, as block models: one flat part per character.
 *
 *     CraftySignTexts *texts = crafty_sign_texts_create(&error);
 *     CraftySignFrame frame = {.voxels = voxels, .eye = eye, .seconds = seconds};
 *     crafty_sign_texts_frame(texts, &frame, models); // after cn_block_models_begin
 *
 * Signs are found in the block data of loaded chunks when data changes, and a few times per second.
 * Frames do not allocate, apart from the list of models.
 */
#ifndef CRAFTY_CLIENT_SIGN_TEXT_H
#define CRAFTY_CLIENT_SIGN_TEXT_H

#include "crafty/sim/sign.h"
#include "crafty/world/glyph_tiles.h"

#include <cairn/render/block_models.h>

#define CRAFTY_SIGN_TEXTS_MAX 64u     /* the nearest signs */
#define CRAFTY_SIGN_TEXTS_REACH 24.0f /* blocks */
#define CRAFTY_SIGN_GLYPHS (CRAFTY_SIGN_LINES * CRAFTY_SIGN_LINE_CHARACTERS)

/* ---- Layout ---- */

/* A character on a board, in blocks. */
typedef struct CraftySignGlyph {
    const CraftyGlyph *glyph;
    float x, y;     /* its left upper corner, from the middle of the board: right and up */
    float pixel[2]; /* width and height of a pixel */
} CraftySignGlyph;

/* Places the characters of a text in the middle of a board of this size. Lines that are too wide
 * become narrower. Spaces have no glyph. Returns how many there are. */
uint32_t crafty_sign_layout(CnText text, float width, float height,
                            CraftySignGlyph glyphs[CRAFTY_SIGN_GLYPHS]);

/* ---- Signs around the eye ---- */

typedef struct CraftySignTexts CraftySignTexts;

/* Returns NULL and an error when out of memory. */
CraftySignTexts *crafty_sign_texts_create(CnError *error);
/* NULL is ignored. */
void crafty_sign_texts_destroy(CraftySignTexts *texts);

typedef struct CraftySignFrame {
    CnVoxels *voxels;
    CnVec3 eye;
    float seconds; /* since the last frame */
} CraftySignFrame;
/* Adds the texts on the sides of signs that can be seen from the eye. */
void crafty_sign_texts_frame(CraftySignTexts *texts, const CraftySignFrame *frame,
                             CnBlockModels *models);
/* Returns how many signs with a text were found, also those seen from behind. */
uint32_t crafty_sign_texts_count(const CraftySignTexts *texts);

#endif
