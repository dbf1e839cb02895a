/*
 * Preferences: settings of a player that do not depend on the quality, in a table that the settings
 * file (choices.h) and the settings screen share.
 *
 *     CraftyPreferences preferences = crafty_preferences_default();
 *     preferences.fov = 90;
 *     for (uint32_t i = 0; crafty_preference(i); i++)
 *         cn_print("%s %g\n", crafty_preference(i)->key, crafty_preference_get(&preferences, i));
 *
 * They belong to the client. Those that concern the simulation are sent to it as commands or change
 * the actions that are sent.
 */
#ifndef CRAFTY_CLIENT_PREFERENCES_H
#define CRAFTY_CLIENT_PREFERENCES_H

#include <cairn/gpu/device.h>

typedef struct CraftyPreferences {
    /* Video. */
    float fov; /* degrees */
    CnVsync vsync;
    bool fullscreen;
    float ui_scale;   /* factor of the size that fits the window */
    float brightness; /* factor of the exposure */
    bool landscape;   /* behind the title */

    /* Audio: volumes from 0 to 1. */
    float volume, effects_volume, music_volume, ambience_volume, interface_volume;

    /* Controls. */
    float sensitivity;                  /* of the mouse; 1 is the default */
    bool inverts_y;                     /* the view moves against the mouse and the stick */
    bool toggles_sneak, toggles_sprint; /* a press switches them on and off */
    bool auto_jump;

    /* Accessibility. */
    float text_size; /* factor */
    bool high_contrast;
    bool bright_outline; /* of blocks: visible on every color, and without seeing colors */
    bool bobbing;        /* the view bobs while walking */
    bool reduces_motion; /* no shaking, flashing or fast zooms; menus do not slide */
    bool subtitles;      /* of sounds */
    bool hints;          /* for the first actions */
} CraftyPreferences;

typedef enum CraftyTab {
    CRAFTY_TAB_VIDEO,
    CRAFTY_TAB_AUDIO,
    CRAFTY_TAB_CONTROLS,
    CRAFTY_TAB_ACCESSIBILITY,
    CRAFTY_TAB_COUNT
} CraftyTab;

typedef enum CraftyPreferenceKind {
    CRAFTY_PREFERENCE_FLAG,
    CRAFTY_PREFERENCE_NUMBER,
    CRAFTY_PREFERENCE_NAME /* one of several */
} CraftyPreferenceKind;

#define CRAFTY_MAX_PREFERENCES 64u /* bits of CraftyChoices.chosen */

typedef struct CraftyPreference {
    const char *key;    /* in the settings file */
    const char *title;  /* in the settings screen */
    const char *wanted; /* what values are valid, for messages */
    CraftyTab tab;
    CraftyPreferenceKind kind;
    size_t offset;          /* in CraftyPreferences */
    float minimum, maximum; /* of a number */
    float standard;         /* default: a number, 0 or 1, or the number of a name */
    const char *const *names;
    uint32_t name_count;
} CraftyPreference;

/* Returns the preference with this number, or NULL beyond the last one. */
const CraftyPreference *crafty_preference(uint32_t number);
/* Returns the number of the preference with this key, or UINT32_MAX. */
uint32_t crafty_preference_find(const char *key);

CraftyPreferences crafty_preferences_default(void);
/* Flags are 0 or 1, and names are numbers. Setting restricts the value to its range. */
float crafty_preference_get(const CraftyPreferences *preferences, uint32_t number);
void crafty_preference_set(CraftyPreferences *preferences, uint32_t number, float value);
/* Gives all preferences of a tab their default. */
void crafty_preferences_reset(CraftyPreferences *preferences, CraftyTab tab);

#endif
