#include "preferences.h"

#include "quality.h"

#include <cairn/base/assert.h>

#include <stddef.h>
#include <string.h>

#define OFFSET(field) .offset = offsetof(CraftyPreferences, field)
#define NUMBER(field, from, to)                                                                    \
    .kind = CRAFTY_PREFERENCE_NUMBER, OFFSET(field), .minimum = (from), .maximum = (to)
#define FLAG(field) .kind = CRAFTY_PREFERENCE_FLAG, OFFSET(field), .wanted = "true or false"
#define VOLUME(field) NUMBER(field, 0, 1), .tab = CRAFTY_TAB_AUDIO, .wanted = "a number from 0 to 1"

static const char *const vsync_names[] = {
    [CN_VSYNC_ON] = "on", [CN_VSYNC_OFF] = "off", [CN_VSYNC_MAILBOX] = "mailbox"};

/* In the order in which they are written to the file and shown in their tab. */
static const CraftyPreference table[] = {
    {"fieldOfView", "Field of view", "a number of degrees from 50 to 110", CRAFTY_TAB_VIDEO,
     NUMBER(fov, CRAFTY_MIN_FOV, CRAFTY_MAX_FOV), .standard = 70},
    {"sensitivity", "Sensitivity", "a number from 0.2 to 3", CRAFTY_TAB_CONTROLS,
     NUMBER(sensitivity, CRAFTY_MIN_MOUSE_FACTOR, CRAFTY_MAX_MOUSE_FACTOR), .standard = 1},
    {"vsync", "VSync", "\"on\", \"off\" or \"mailbox\"", CRAFTY_TAB_VIDEO, CRAFTY_PREFERENCE_NAME,
     OFFSET(vsync), .names = vsync_names, .name_count = CN_COUNT_OF(vsync_names)},
    {"fullscreen", "Fullscreen", .tab = CRAFTY_TAB_VIDEO, FLAG(fullscreen)},
    {"interfaceScale", "Interface size", "a number from 0.5 to 2", CRAFTY_TAB_VIDEO,
     NUMBER(ui_scale, 0.5f, 2), .standard = 1},
    {"brightness", "Brightness", "a number from 0.5 to 2", CRAFTY_TAB_VIDEO,
     NUMBER(brightness, 0.5f, 2), .standard = 1},
    {"titleLandscape", "Landscape behind the title", .tab = CRAFTY_TAB_VIDEO, FLAG(landscape),
     .standard = 1},
    {"volume", "Master volume", VOLUME(volume), .standard = 0.5f},
    {"effectsVolume", "Effects", VOLUME(effects_volume), .standard = 0.7f},
    {"musicVolume", "Music", VOLUME(music_volume), .standard = 0.4f},
    {"ambienceVolume", "Ambience", VOLUME(ambience_volume), .standard = 0.7f},
    {"interfaceVolume", "Interface", VOLUME(interface_volume), .standard = 0.7f},
    {"invertY", "Invert vertical look", .tab = CRAFTY_TAB_CONTROLS, FLAG(inverts_y)},
    {"toggleSneak", "Sneak: press to toggle", .tab = CRAFTY_TAB_CONTROLS, FLAG(toggles_sneak)},
    {"toggleSprint", "Sprint: press to toggle", .tab = CRAFTY_TAB_CONTROLS, FLAG(toggles_sprint)},
    {"autoJump", "Jump up blocks by walking", .tab = CRAFTY_TAB_CONTROLS, FLAG(auto_jump),
     .standard = 1},
    {"textSize", "Text size", "a number from 1 to 1.75", CRAFTY_TAB_ACCESSIBILITY,
     NUMBER(text_size, 1, 1.75f), .standard = 1},
    {"highContrast", "High contrast", .tab = CRAFTY_TAB_ACCESSIBILITY, FLAG(high_contrast)},
    {"brightOutline", "Bright block outline", .tab = CRAFTY_TAB_ACCESSIBILITY,
     FLAG(bright_outline)},
    {"bobbing", "View bobbing", .tab = CRAFTY_TAB_ACCESSIBILITY, FLAG(bobbing), .standard = 1},
    {"reduceMotion", "Reduce motion and flashes", .tab = CRAFTY_TAB_ACCESSIBILITY,
     FLAG(reduces_motion)},
    {"subtitles", "Subtitles", .tab = CRAFTY_TAB_ACCESSIBILITY, FLAG(subtitles)},
    {"hints", "Hints for first actions", .tab = CRAFTY_TAB_ACCESSIBILITY, FLAG(hints),
     .standard = 1},
};
_Static_assert(CN_COUNT_OF(table) <= CRAFTY_MAX_PREFERENCES, "bits of CraftyChoices.chosen");

const CraftyPreference *crafty_preference(uint32_t number)
{
    return number < CN_COUNT_OF(table) ? &table[number] : NULL;
}

uint32_t crafty_preference_find(const char *key)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(table); i++)
        if (!strcmp(table[i].key, key))
            return i;
    return UINT32_MAX;
}

float crafty_preference_get(const CraftyPreferences *preferences, uint32_t number)
{
    CN_ASSERT(number < CN_COUNT_OF(table), "there is no preference %u", number);
    const char *field = (const char *)preferences + table[number].offset;
    switch (table[number].kind) {
    case CRAFTY_PREFERENCE_FLAG:
        return *(const bool *)field ? 1 : 0;
    case CRAFTY_PREFERENCE_NAME:
        return (float)*(const CnVsync *)field;
    case CRAFTY_PREFERENCE_NUMBER:
        break;
    }
    return *(const float *)field;
}

void crafty_preference_set(CraftyPreferences *preferences, uint32_t number, float value)
{
    CN_ASSERT(number < CN_COUNT_OF(table), "there is no preference %u", number);
    const CraftyPreference *info = &table[number];
    char *field = (char *)preferences + info->offset;
    float maximum = info->kind == CRAFTY_PREFERENCE_NAME   ? (float)(info->name_count - 1)
                    : info->kind == CRAFTY_PREFERENCE_FLAG ? 1
                                                           : info->maximum;
    value = value >= info->minimum ? value : info->minimum;
    value = value <= maximum ? value : maximum;
    switch (info->kind) {
    case CRAFTY_PREFERENCE_FLAG:
        *(bool *)field = value > 0;
        break;
    case CRAFTY_PREFERENCE_NAME:
        *(CnVsync *)field = (CnVsync)value;
        break;
    case CRAFTY_PREFERENCE_NUMBER:
        *(float *)field = value;
        break;
    }
}

CraftyPreferences crafty_preferences_default(void)
{
    CraftyPreferences preferences = {0};
    for (uint32_t i = 0; i < CN_COUNT_OF(table); i++)
        crafty_preference_set(&preferences, i, table[i].standard);
    return preferences;
}

void crafty_preferences_reset(CraftyPreferences *preferences, CraftyTab tab)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(table); i++)
        if (table[i].tab == tab)
            crafty_preference_set(preferences, i, table[i].standard);
}
