#include "player_event.h"

#include "mod/mod_notes.h"

bool crafty_player_events_add(CnWorld *world, CnError *error)
{
    CnComponentDesc desc = {.type = &cn_type_CraftyPlayerEvent};
    if (!cn_component_register(world, &desc, error).id)
        return false;
    return cn_channel(world, CraftyPlayerEvent) || cn_error_memory(error, "the events of players");
}

void crafty_player_event_send(CnWorld *world, const CraftyPlayerEvent *event)
{
    CnChannel *channel = cn_channel(world, CraftyPlayerEvent);
    if (channel)
        cn_send_value(channel, event);
    crafty_mods_note_player(world, event);
}
