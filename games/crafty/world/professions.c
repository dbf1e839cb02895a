#include "professions.h"

const char *const crafty_profession_words[CRAFTY_PROFESSION_COUNT] = {
    [CRAFTY_FARMER] = "farmer", [CRAFTY_LIBRARIAN] = "librarian", [CRAFTY_SMITH] = "smith",
    [CRAFTY_FISHER] = "fisher", [CRAFTY_BAKER] = "baker",
};

const char *crafty_profession_name(CraftyProfession profession)
{
    return (unsigned)profession < CRAFTY_PROFESSION_COUNT ? crafty_profession_words[profession]
                                                          : "villager";
}

const char *crafty_profession_title(CraftyProfession profession)
{
    static const char *const titles[CRAFTY_PROFESSION_COUNT] = {
        [CRAFTY_FARMER] = "Farmer", [CRAFTY_LIBRARIAN] = "Librarian", [CRAFTY_SMITH] = "Smith",
        [CRAFTY_FISHER] = "Fisher", [CRAFTY_BAKER] = "Baker",
    };
    return (unsigned)profession < CRAFTY_PROFESSION_COUNT ? titles[profession] : "Villager";
}
