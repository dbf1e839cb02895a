/*
 * The editor of signs: one field per line. The text is sent when the editor is closed.
 */
#ifndef CRAFTY_CLIENT_SIGN_EDITOR_H
#define CRAFTY_CLIENT_SIGN_EDITOR_H

#include "crafty/sim/connection.h"
#include "crafty/sim/sign.h"

#include <cairn/engine.h>

typedef struct CraftySignEditor {
    bool is_open;
    int32_t cell[3];
    uint32_t shown; /* number of frames */
    uint32_t line;  /* that gets the focus next; CRAFTY_SIGN_LINES: none */
    char lines[CRAFTY_SIGN_LINES][CRAFTY_SIGN_BYTES];
    char before[CRAFTY_SIGN_BYTES]; /* the text when it was opened */
} CraftySignEditor;

/* Draws the editor of the sign in this cell. Returns false if the player is done. */
bool crafty_sign_editor_frame(CraftySignEditor *editor, CnEngine *engine, CnVoxels *voxels,
                              const int32_t cell[3]);
/* Sends the text, if it was changed, and closes the editor. */
void crafty_sign_editor_finish(CraftySignEditor *editor, CraftyConnection *connection);
/* Writes the text of all lines, cut to what a sign can show. */
void crafty_sign_editor_text(const CraftySignEditor *editor, char text[CRAFTY_SIGN_BYTES]);

#endif
