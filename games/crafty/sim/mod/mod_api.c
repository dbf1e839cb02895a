/* The tables of the API of mods, in the order of the reference, and the parts of their state. */
#include "mod_area.h"
#include "mods_internal.h"

const CnLuaTable *const *crafty_mods_tables(void)
{
    static const CnLuaTable *const tables[] = {
        &crafty_mod_block_table,     &crafty_mod_define_table,
        &crafty_mod_feature_table,   &crafty_mod_generation_table,
        &crafty_mod_weather_table,   &crafty_mod_event_table,
        &crafty_mod_world_table,     &crafty_mod_players_table,
        &crafty_mod_creatures_table, &crafty_mod_data_table,
        &crafty_mod_slots_table,     &crafty_mod_storage_table,
        &crafty_mod_chat_table,      &crafty_mod_hud_table,
        &crafty_mod_sound_table,     NULL};
    return tables;
}

const CraftyModPart *const crafty_mod_parts[CRAFTY_MOD_PARTS_MAX + 1] = {
    &crafty_mod_area_part, &crafty_mod_hud_part, &crafty_mod_schedule_part, NULL};

void *crafty_mod_part(const CraftyModRun *run, const CraftyModPart *part)
{
    for (uint32_t i = 0; crafty_mod_parts[i]; i++)
        if (crafty_mod_parts[i] == part)
            return run->parts[i];
    return NULL;
}
