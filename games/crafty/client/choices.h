/*
 * The settings that a player chose, as the text of a settings file. docs/formats.md describes it.
 *
 *     CraftyChoices choices;
 *     CraftyChoicesResult result = crafty_choices_read(&choices, "settings.json", text, &problems);
 *     CraftySettings settings = crafty_settings(quality);
 *     crafty_choices_apply(&choices, &settings);
 *
 * Only what the player changed is chosen; the rest has the defaults of the quality and the device.
 */
#ifndef CRAFTY_CLIENT_CHOICES_H
#define CRAFTY_CLIENT_CHOICES_H

#include "preferences.h"
#include "quality.h"

#include <cairn/base/text.h>

#define CRAFTY_CHOICES_VERSION 1
#define CRAFTY_CHOICES_MAX_BYTES (64u << 10)
#define CRAFTY_CHOICES_MAX_VALUES 4096u
#define CRAFTY_CHOICES_MAX_DEPTH 32u

/* All zeros: nothing was chosen. */
typedef struct CraftyChoices {
    bool has_quality;
    CraftyQuality quality;
    uint32_t effects_on, effects_off; /* bits of CraftyEffect; no bit is in both */
    uint32_t view_distance;           /* chunks */
    uint64_t chosen;                  /* bits of preferences by number */
    CraftyPreferences preferences;    /* the chosen ones; the others are 0 */
    uint32_t hints_done;              /* bits of CraftyHint */
} CraftyChoices;

typedef enum CraftyChoicesResult {
    CRAFTY_CHOICES_FINE,   /* there may be unknown keys */
    CRAFTY_CHOICES_PARTLY, /* some values are not valid and were ignored */
    CRAFTY_CHOICES_DAMAGED /* the text is not a settings file: nothing was chosen */
} CraftyChoicesResult;

/* Reads the text of a file. `name` is used in messages. Appends a line for each problem, with its
 * position: values that are not valid, and unknown keys. */
CraftyChoicesResult crafty_choices_read(CraftyChoices *choices, const char *name, CnText text,
                                        CnTextBuilder *problems);
/* Appends the text of a file with these choices. Keys of `old`, the file to be replaced, that this
 * program does not know are kept; it may be empty or damaged. Returns false when out of memory. */
bool crafty_choices_write(const CraftyChoices *choices, CnText old, CnTextBuilder *text);

/* Applies effects and view distance to the settings of a quality. */
void crafty_choices_apply(const CraftyChoices *choices, CraftySettings *settings);

/* Returns the chosen preferences, and the defaults of the others. */
CraftyPreferences crafty_choices_preferences(const CraftyChoices *choices);

/* What the settings screen changes. */
typedef struct CraftyTuning {
    CraftyQuality quality;
    uint32_t effects, view_distance;
    CraftyPreferences preferences;
} CraftyTuning;
/* Chooses what the player changed; a preference that was given its default value is no longer
 * chosen. Returns whether that was something. */
bool crafty_choices_note(CraftyChoices *choices, const CraftyTuning *before,
                         const CraftyTuning *after);

#endif
