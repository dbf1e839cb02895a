/*
 * What is wrong with mods while a world is open, shown until the player dismisses it: mods that do
 * not run any more, with file and line, and textures that cannot be shown.
 *
 *     CraftyModErrors errors = {0};
 *     crafty_mod_errors_frame(&errors, mods, tiles);    // each frame
 *     crafty_mod_errors_draw(&errors, canvas, text_size, "Esc");
 *     crafty_mod_errors_dismiss(&errors);
 */
#ifndef CRAFTY_CLIENT_MOD_ERRORS_H
#define CRAFTY_CLIENT_MOD_ERRORS_H

#include "world_tiles.h"

#include <cairn/render/canvas.h>

#define CRAFTY_MOD_ERRORS_SHOWN 4u
#define CRAFTY_MOD_ERROR_TEXT_BYTES (CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 96)

typedef struct CraftyModErrors {
    char texts[CRAFTY_MOD_ERRORS_SHOWN][CRAFTY_MOD_ERROR_TEXT_BYTES];
    uint32_t count; /* of texts */
    uint32_t more;  /* errors that are not shown */
    uint64_t state; /* hash of all errors; 0: none */
    uint64_t dismissed;
} CraftyModErrors;

/* `mods` and `tiles` may be NULL. An error that is new is shown, with those before it. */
void crafty_mod_errors_frame(CraftyModErrors *errors, const CraftyMods *mods,
                             const CraftyWorldTiles *tiles);
/* Returns whether there are errors that were not dismissed. */
bool crafty_mod_errors_exist(const CraftyModErrors *errors);
void crafty_mod_errors_dismiss(CraftyModErrors *errors);
/* Draws them at the top of the screen. `key` opens the menu in which they can be dismissed; NULL:
 * nothing is said about it. */
void crafty_mod_errors_draw(const CraftyModErrors *errors, CnCanvas *canvas, float text_size,
                            const char *key);

#endif
