#include "connection.h"

#include "actions.h"

#include <cairn/base/assert.h>

/* Room for what a player sends in many ticks; for joins of all players in one tick. */
#define PLAYER_RING_BYTES (16u * 1024)
#define CONSOLE_RING_BYTES (512u * 1024)

struct CraftyConnection {
    CnProducer *producer;
    CnChannel *commands, *host_commands;
    CnPlayerActionsSource actions;
    uint32_t player;
    bool (*relay)(void *user, const CraftyCommand *command); /* NULL: to the world */
    void *relay_user;
};

CraftyConnection *crafty_connection_create(CnWorld *world, uint32_t player, CnError *error)
{
    CraftyConnection *connection = cn_alloc_zeroed(cn_system_allocator(), sizeof *connection);
    if (!connection) {
        cn_error_memory(error, "a connection");
        return NULL;
    }
    connection->player = player;
    connection->producer = cn_producer_create(
        world,
        player ? &(CnProducerDesc){.name = "player", .ring_bytes = PLAYER_RING_BYTES}
               : &(CnProducerDesc){.name = "console", .ring_bytes = CONSOLE_RING_BYTES},
        error);
    connection->commands = cn_channel(world, CraftyCommand);
    connection->host_commands = cn_channel(world, CraftyHostCommand);
    if (connection->producer && connection->commands && connection->host_commands) {
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

void crafty_connection_relay(CraftyConnection *connection,
                             bool (*send)(void *user, const CraftyCommand *command), void *user)
{
    connection->relay = send;
    connection->relay_user = user;
}

bool crafty_connection_send_command(CraftyConnection *connection, const CraftyCommand *command)
{
    CraftyCommand sent = *command;
    sent.sender = connection->player;
    if (connection->relay)
        return crafty_command_valid(&sent) && connection->relay(connection->relay_user, &sent);
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

bool crafty_connection_send_host(CraftyConnection *connection, const CraftyHostCommand *command)
{
    CraftyHostCommand sent = *command;
    sent.sender = connection->player;
    CN_ASSERT(connection->player == CRAFTY_CONSOLE, "only the console sends commands of the host");
    return connection->player == CRAFTY_CONSOLE && crafty_host_command_valid(&sent) &&
           cn_produce_value(connection->producer, connection->host_commands, &sent);
}
