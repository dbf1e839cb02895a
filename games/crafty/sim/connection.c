#include "connection.h"

#include "actions.h"

#include <cairn/base/assert.h>

struct CraftyConnection {
    CnProducer *producer;
    CnChannel *commands;
    CnPlayerActionsSource actions;
    uint32_t player;
};

CraftyConnection *crafty_connection_create(CnWorld *world, uint32_t player, CnError *error)
{
    CraftyConnection *connection = cn_alloc_zeroed(cn_system_allocator(), sizeof *connection);
    if (!connection) {
        cn_error_memory(error, "a connection");
        return NULL;
    }
    connection->player = player;
    connection->producer =
        cn_producer_create(world, &(CnProducerDesc){.name = player ? "player" : "console"}, error);
    connection->commands = cn_channel(world, CraftyCommand);
    if (connection->producer && connection->commands) {
        connection->actions = cn_player_actions_source(world, connection->producer);
        return connection;
    }
    cn_error_memory(error, "a connection");
    crafty_connection_destroy(connection);
    return NULL;
}

void crafty_connection_destroy(CraftyConnection *connection)
{
    if (!connection)
        return;
    if (connection->producer)
        cn_producer_destroy(connection->producer);
    cn_free(cn_system_allocator(), connection, sizeof *connection);
}

uint32_t crafty_connection_player(const CraftyConnection *connection)
{
    return connection->player;
}

bool crafty_connection_send_command(CraftyConnection *connection, const CraftyCommand *command)
{
    CraftyCommand sent = *command;
    sent.sender = connection->player;
    return crafty_command_valid(&sent) &&
           cn_produce_value(connection->producer, connection->commands, &sent);
}

bool crafty_connection_send_actions(CraftyConnection *connection, const CnActions *actions)
{
    CN_ASSERT(connection->player != CRAFTY_CONSOLE, "a console has no actions");
    return connection->player != CRAFTY_CONSOLE &&
           cn_player_actions_send(connection->actions, connection->player, crafty_actions(),
                                  actions);
}
