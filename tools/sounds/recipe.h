/*
 * Recipes: sounds as data. A recipe is a JSON object; docs/sound.md lists what it may contain.
 *
 *     "block.stone.dig": {"variants": 4, "seconds": 0.3, "pitch": [0.9, 1.1], "layers": [
 *         {"type": "noise", "decay": 0.04, "filters": [["bandpass", 2500, 0.8]]},
 *         {"type": "modal", "hz": 180, "material": "stone", "decay": 0.1}]}
 *
 * A number may be written as [low, high]: it is then drawn for each variant and each grain. A curve
 * is written as [[time, value], ...], with times from 0 to 1 of the length of the layer.
 */
#ifndef SOUNDS_RECIPE_H
#define SOUNDS_RECIPE_H

#include "curve.h"
#include "signal.h"

#include <jansson.h>

/* What reads a recipe: the random numbers of this variant, and where an error is. */
typedef struct Reader {
    const char *file, *name;
    Random random;
    bool failed; /* the message is printed; what was read is a default */
} Reader;

void reader_fail(Reader *reader, const char *what, const char *key);
/* Reports every key of the object that is not in the list, which ends with NULL. */
void reader_check_keys(Reader *reader, const json_t *object, const char *const *known);
float reader_number(Reader *reader, const json_t *object, const char *key, float standard);
Curve reader_curve(Reader *reader, const json_t *object, const char *key, float standard);
/* The same for a value that is not in an object; NULL: the default. `key` is for messages. */
Curve reader_curve_of(Reader *reader, const json_t *value, const char *key, float standard);
float reader_number_of(Reader *reader, const json_t *value, const char *key, float standard);
const char *reader_text(Reader *reader, const json_t *object, const char *key,
                        const char *standard);
bool reader_flag(Reader *reader, const json_t *object, const char *key);
/* Returns the position of a text in a list that ends with NULL; reports others and returns 0. */
uint32_t reader_choice(Reader *reader, const char *text, const char *const *choices);

/* Where and how a layer is added to a sound. */
typedef struct LayerPlace {
    double at_seconds;
    double seconds; /* of the sound, which a layer without a length of its own has, too */
    float gain, pan, pitch;
} LayerPlace;

void layers_render(Reader *reader, const json_t *layers, const LayerPlace *place, Signal *to);

/* The generators: each fills a mono signal, whose envelope and filters the layer adds. */
void noise_render(Reader *reader, const json_t *layer, Signal *to);
void tone_render(Reader *reader, const json_t *layer, float pitch, Signal *to);
void modal_render(Reader *reader, const json_t *layer, float pitch, Signal *to);
void voice_render(Reader *reader, const json_t *layer, float pitch, Signal *to);
/* Adds many short sounds at random times. */
void grains_render(Reader *reader, const json_t *layer, const LayerPlace *place, Signal *to);

#endif
