#include "systems.h"

#include <cairn/scene/presentation.h>

#include <string.h>

typedef struct Place {
    CnStage stage;
    const char *system;
} Place;

/* Physics and scripts may be absent, as in tests. */
static const Place places[] = {
    {CN_STAGE_INPUT, "cn_input_drain"},
    {CN_STAGE_INPUT, "cn_player_actions_drain"},
    {CN_STAGE_INPUT, "CraftyPlayerIndex"},
    {CN_STAGE_INPUT, "CraftyModsBegin"},
    {CN_STAGE_INPUT, "CraftyCommands"},
    {CN_STAGE_INPUT, "CraftyLocate"},
    {CN_STAGE_INPUT, "CraftyFollow"},
    {CN_STAGE_PRE_UPDATE, "RefreshActive.early"},
    {CN_STAGE_PRE_UPDATE, "CraftyPlayerModes"},
    {CN_STAGE_PRE_UPDATE, "CraftyPlaces"},
    {CN_STAGE_UPDATE, "physics.step"},
    {CN_STAGE_UPDATE, "script.update"},
    {CN_STAGE_UPDATE, "CraftyWalking"},
    {CN_STAGE_UPDATE, "CraftyHands"},
    {CN_STAGE_UPDATE, "CraftyEating"},
    {CN_STAGE_UPDATE, "CraftyVitals"},
    {CN_STAGE_UPDATE, "CraftyBeds"},
    {CN_STAGE_UPDATE, "CraftyCreatures"},
    {CN_STAGE_UPDATE, "CraftyDrops"},
    {CN_STAGE_UPDATE, "ChangeWeather"},
    {CN_STAGE_UPDATE, "TurnDay"},
    {CN_STAGE_UPDATE, "CraftyFurnaces"},
    {CN_STAGE_UPDATE, "CraftyVillagers"},
    {CN_STAGE_POST_UPDATE, "RefreshActive"},
    {CN_STAGE_POST_UPDATE, "script.events"},
    {CN_STAGE_POST_UPDATE, "CraftyInventories"},
    {CN_STAGE_POST_UPDATE, "CraftyMods"},
    {CN_STAGE_POST_UPDATE, "CraftyBlocks"},
    {CN_STAGE_POST_UPDATE, "CraftySupport"},
    {CN_STAGE_POST_UPDATE, "CraftyGrowthWatch"},
    {CN_STAGE_POST_UPDATE, "CraftyDropsWake"},
    {CN_STAGE_POST_UPDATE, "CraftyBlockSum"},
    {CN_STAGE_POST_UPDATE, "CraftyModsEnd"},
    {CN_STAGE_PRE_EXTRACT, "ExtractObjects"},
    {CN_STAGE_PRE_EXTRACT, "ExtractParticles"},
    {CN_STAGE_PRE_EXTRACT, "script.particles"},
    {CN_STAGE_PRE_EXTRACT, "ShowAir"},
    {CN_STAGE_PRE_EXTRACT, "ShowLamps"},
    {CN_STAGE_PRE_EXTRACT, "ShowPlayers"},
    {CN_STAGE_PRE_EXTRACT, "ShowDrops"},
    {CN_STAGE_PRE_EXTRACT, "ShowCreatures"},
};

bool crafty_system_add(CnWorld *world, const CnSystemDesc *desc, CnError *error)
{
    CnSystemDesc ordered = *desc;
    uint32_t count = 0, later = 0;
    bool is_found = false;
    if (desc->stage == CN_STAGE_UPDATE && cn_scene_update_set(world))
        ordered.after[count++] = CN_SCENE_UPDATE;
    for (uint32_t i = 0; i < CN_COUNT_OF(places); i++) {
        if (places[i].stage != desc->stage)
            continue;
        if (strcmp(places[i].system, desc->name) == 0)
            is_found = true;
        else if (cn_system_find(world, places[i].system).id && is_found)
            ordered.before[later++] = places[i].system;
        else if (cn_system_find(world, places[i].system).id)
            ordered.after[count++] = places[i].system;
    }
    if (is_found)
        return cn_system_add(world, &ordered, error).id != 0;
    return cn_error_set(error, CN_ERROR_NOT_FOUND,
                        "system %s is missing from the order of systems in systems.c", desc->name);
}
