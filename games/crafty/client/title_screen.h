/*
 * The title screen: what a window without a world shows first. It is drawn over the landscape of
 * backdrop.h, or over a plain background until that is loaded.
 *
 *     CraftyTitleEvent event = crafty_title_screen_frame(&title, engine, &view); // in before_frame
 */
#ifndef CRAFTY_CLIENT_TITLE_SCREEN_H
#define CRAFTY_CLIENT_TITLE_SCREEN_H

#include "glyphs.h"

typedef enum CraftyTitleEvent {
    CRAFTY_TITLE_STAYS,
    CRAFTY_TITLE_PLAY, /* show the list of worlds */
    CRAFTY_TITLE_NEW_WORLD,
    CRAFTY_TITLE_SETTINGS,
    CRAFTY_TITLE_QUIT
} CraftyTitleEvent;

typedef struct CraftyTitleScreen {
    bool has_focus; /* the first button got the focus since the screen was opened */
} CraftyTitleScreen;

/* What is behind the title (backdrop.h). */
typedef struct CraftyLandscape {
    float visible;   /* share, 0 to 1 */
    CnTexture still; /* a picture of it; null: it is drawn in every frame */
} CraftyLandscape;

typedef struct CraftyTitleView {
    CraftyLandscape landscape;
    const CraftyGlyphs *glyphs;
} CraftyTitleView;

CraftyTitleEvent crafty_title_screen_frame(CraftyTitleScreen *screen, CnEngine *engine,
                                           const CraftyTitleView *view);
/* Draws the background of screens without a world: the plain one fades out as the landscape becomes
 * visible, which stays a little dimmed for the text on it. */
void crafty_title_background(CnCanvas *canvas, CraftyLandscape landscape);
/* Draws the name of the game in large letters. */
void crafty_title_name(CnCanvas *canvas, float y, float size);

#endif
