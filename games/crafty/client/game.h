/*
 * The program: engine, controls, menus and statistics, and the open world (play.h). The client only
 * reads the simulation; it changes it by sending input and commands.
 *
 *     Crafty *crafty = crafty_create(&options, &error);
 *     int status = crafty_run(crafty);
 *     crafty_destroy(crafty);
 */
#ifndef CRAFTY_CLIENT_GAME_H
#define CRAFTY_CLIENT_GAME_H

#include "touch_controls.h"
#include "backdrop.h"
#include "controls.h"
#include "glyphs.h"
#include "hints.h"
#include "hud.h"
#include "leave.h"
#include "lens.h"
#include "menu.h"
#include "options.h"
#include "play.h"
#include "recovery_dialog.h"
#include "settings_file.h"
#include "sound_game.h"
#include "stats.h"
#include "world_menu.h"

struct Crafty {
    CraftyOptions options;
    CraftyQuality quality;
    CraftySettings settings;
    CraftyQuality device_quality; /* default of the device */
    CraftyPreferences preferences;
    CraftySettingsFile file; /* of the player's choices; empty without a window */
    CnEngine *engine;
    CraftyControls *controls;
    CraftyGlyphs glyphs;
    CraftyTouchControls touch;
    CraftyHints hints;
    CraftyLens lens;
    CraftyMenu menu;
    CraftyChatScreen chat;
    CraftyHud hud;
    CraftyPlay *play; /* the open world; NULL: none */
    CraftyLeave leave;
    CraftyWorldMenu worlds;
    CraftyBackdrop backdrop;
    CraftyRecoveryDialog recovery;
    CraftyGameSound sound;

    uint64_t begin_ns, frame;
    bool is_untimed;        /* exclude this frame from the frame times */
    uint64_t all_frames;    /* 0: until the player quits */
    uint64_t progress_ns;   /* time of the last progress line */
    CraftyFrameTimes times; /* of this frame */
    CraftyStats stats;
};

Crafty *crafty_create(const CraftyOptions *options, CnError *error);
void crafty_destroy(Crafty *crafty);
/* Runs frames until the game ends, and finishes the recording. Returns the exit status. */
int crafty_run(Crafty *crafty);

/* Writes the settings file if the player changed something. Errors are printed. */
void crafty_settings_keep(Crafty *crafty);
/* Logs how long a step of the start took; CAIRN_LOG=debug shows it. */
void crafty_log_step(const Crafty *crafty, const char *step);

#endif
