#include "creature_kinds.h"

#include "creature_kinds_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

const char *const crafty_medium_words[CRAFTY_MEDIUM_COUNT] = {"ground", "water", "air"};
const char *const crafty_habitat_words[CRAFTY_HABITAT_COUNT] = {"surface", "shore", "flowers",
                                                                "water",   "cave",  "dark"};
const char *const crafty_behaviour_words[CRAFTY_BEHAVIOUR_COUNT] = {
    "panic", "fuse",  "attack",       "revenge",       "hunt",  "shelter", "sit",
    "tempt", "breed", "follow_owner", "follow_parent", "flock", "avoid",   "hang",
    "visit", "graze", "look",         "wander",        "script"};

CraftyCreatureKinds *crafty_creature_kinds_create(CnAllocator *allocator, CnError *error)
{
    CraftyCreatureKinds *kinds = cn_alloc_zeroed(allocator, sizeof *kinds);
    if (!kinds) {
        cn_error_memory(error, "the kinds of creatures");
        return NULL;
    }
    kinds->allocator = allocator;
    return kinds;
}

void crafty_creature_kinds_destroy(CraftyCreatureKinds *kinds)
{
    if (kinds)
        cn_free(kinds->allocator, kinds, sizeof *kinds);
}

uint32_t crafty_creature_kinds_count(const CraftyCreatureKinds *kinds)
{
    return kinds ? kinds->count : 0;
}

const CraftyCreatureKind *crafty_creature_kind_at(const CraftyCreatureKinds *kinds, uint32_t index)
{
    return kinds && index < kinds->count ? &kinds->kinds[index] : NULL;
}

const CraftyCreatureKind *crafty_creature_kind(const CraftyCreatureKinds *kinds, uint32_t number)
{
    if (!kinds || number > CRAFTY_MAX_CREATURE_NUMBER || !kinds->by_number[number])
        return NULL;
    return &kinds->kinds[kinds->by_number[number] - 1];
}

const CraftyCreatureKind *crafty_creature_kind_find(const CraftyCreatureKinds *kinds,
                                                    const char *name)
{
    for (uint32_t i = 0; kinds && name && i < kinds->count; i++)
        if (strcmp(kinds->kinds[i].name, name) == 0)
            return &kinds->kinds[i];
    return NULL;
}

bool crafty_creature_flower(const CraftyCreatureKinds *kinds, CnBlock block)
{
    return kinds && block <= CN_BLOCK_MAX && (kinds->flowers[block / 64] >> (block % 64) & 1);
}

const CraftyBehaviour *crafty_creature_behaviour(const CraftyCreatureKind *kind,
                                                 CraftyBehaviourKind behaviour)
{
    for (uint32_t i = 0; i < kind->behaviour_count; i++)
        if (kind->behaviours[i].kind == behaviour)
            return &kind->behaviours[i];
    return NULL;
}
