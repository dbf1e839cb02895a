/* Screenshots of all screens of Crafty: which there are, and what a screenshot consists of. */
#ifndef CRAFTY_CAPTURE_CAPTURE_H
#define CRAFTY_CAPTURE_CAPTURE_H

#include <crafty/client/hints.h>
#include <crafty/client/hud.h>
#include <crafty/client/menu.h>
#include <crafty/client/touch_controls.h>
#include <crafty/client/use_prompt.h>
#include <crafty/client/world_screen.h>
#include <crafty/sim/crafty_sim.h>
#include <crafty/world/world.h>

typedef enum Screen {
    SCREEN_TITLE,
    SCREEN_WORLDS,
    SCREEN_NEW_WORLD,
    SCREEN_VIDEO,
    SCREEN_AUDIO,
    SCREEN_CONTROLS,
    SCREEN_ACCESSIBILITY,
    SCREEN_BINDINGS,
    SCREEN_PAUSE,
    SCREEN_HUD,
    SCREEN_HURT,
    SCREEN_HUD_CREATIVE,
    SCREEN_HINT,
    SCREEN_DEBUG_INFO,
    SCREEN_CHAT,
    SCREEN_TOUCH,
    SCREEN_INVENTORY,
    SCREEN_DRAG,
    SCREEN_CREATIVE,
    SCREEN_TABLE,
    SCREEN_CHEST,
    SCREEN_FURNACE,
    SCREEN_SIGN,
    SCREEN_TRADE,
    SCREEN_USE_PROMPT,
    SCREEN_DEATH,
    SCREEN_COUNT
} Screen;

typedef struct Capture {
    Screen screen;
    CnEngine *engine;
    CraftySimDesc sim;
    CnEntity player;
    CraftyConnection *connection;
    CraftyHud hud;
    CraftyMenu menu;
    CraftyChatScreen chat;
    CraftyTouchControls touch;
    CraftyTitleScreen title;
    CraftyWorldScreen *worlds;
    CraftyControls *controls;
    CraftyGlyphs glyphs;
    CraftyQuality quality;
    CraftySettings settings;
    CraftyPreferences preferences;
    CnTexture backdrop;
    uint32_t frame;
} Capture;

/* Gives the player items and opens the screen. It changes the simulation between two ticks, as a
 * test does. */
void capture_prepare(Capture *capture);

#endif
