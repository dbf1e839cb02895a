/*
 * Professions of villagers: the word that files use, and the title that players read.
 *
 *     crafty_profession_name(CRAFTY_BAKER);  // "baker"
 *     crafty_profession_title(CRAFTY_BAKER); // "Baker"
 */
#ifndef CRAFTY_WORLD_PROFESSIONS_H
#define CRAFTY_WORLD_PROFESSIONS_H

/* In the order of the looks in data/creature_models.json. Saved worlds contain the numbers. */
typedef enum CraftyProfession {
    CRAFTY_FARMER,    /* in the fields */
    CRAFTY_LIBRARIAN, /* at home */
    CRAFTY_SMITH,     /* at home, or in the tower */
    CRAFTY_FISHER,    /* at the well */
    CRAFTY_BAKER,     /* at a stall */
    CRAFTY_PROFESSION_COUNT
} CraftyProfession;

extern const char *const crafty_profession_words[CRAFTY_PROFESSION_COUNT];

/* Return "villager" and "Villager" for a number that is no profession. */
const char *crafty_profession_name(CraftyProfession profession);
const char *crafty_profession_title(CraftyProfession profession);

#endif
