#include "net_server_internal.h"

#include "crafty/sim/actions.h"
#include "crafty/sim/chat.h"
#include "crafty/sim/creature/creature.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/player.h"
#include "crafty/sim/player_event.h"
#include "crafty/sim/player_index.h"

#include <cairn/base/log.h>

#include <string.h>

#define DEFAULT_PLAYERS 200u
#define DEFAULT_DISTANCE 10u
#define DEFAULT_SNAPSHOT_HZ 20u
#define DEFAULT_RATE 14000u
/* Commands and messages that a client may send at once, and per second. */
#define COMMAND_BURST 120000u
#define COMMANDS_PER_TICK 1000u /* thousandths: 60 a second */
#define MESSAGE_BURST 600000u
#define MESSAGES_PER_TICK 4000u
#define STATE_TICKS 60u    /* between two messages of time and weather */
#define PREPARE_BUDGET 8u  /* columns of chunks in jobs at the same time */
#define PREPARE_RESULTS 8u /* that are taken over in a tick */

/* ---- Creation ---- */

static bool open_readers(CraftyNetServer *server, CnError *error)
{
    CnWorld *world = server->world;
    server->presence = cn_event_reader_create(cn_channel(world, CraftyPresence), error);
    server->chat = cn_event_reader_create(cn_channel(world, CraftyChatLine), error);
    server->hands = cn_event_reader_create(cn_channel(world, CraftyHandEvent), error);
    server->players = cn_event_reader_create(cn_channel(world, CraftyPlayerEvent), error);
    if (cn_component_find(world, cn_type_CraftyCreatureEvent.name).id)
        server->creatures = cn_event_reader_create(cn_channel(world, CraftyCreatureEvent), error);
    return server->presence && server->chat && server->hands && server->players;
}

/* The players of a restored state have no connections: they come back when they join. */
static bool send_away(CraftyNetServer *server, CnError *error)
{
    uint32_t numbers[CRAFTY_MAX_PLAYERS];
    uint32_t count = crafty_present_players(server->world, numbers, CN_COUNT_OF(numbers));
    for (uint32_t i = 0; i < count && i < CN_COUNT_OF(numbers); i++)
        if (!crafty_connection_send_host(
                server->host,
                &(CraftyHostCommand){.kind = CRAFTY_HOST_LEAVE, .player = numbers[i]}))
            return cn_error_set(error, CN_ERROR_LIMIT, "too many players are in the saved world");
    return true;
}

static bool build(CraftyNetServer *server, CnError *error)
{
    const CraftyWorld *world = server->desc.world;
    if (!crafty_blocks_write_palette(crafty_world_blocks(world), &server->blocks) ||
        !crafty_items_write_palette(crafty_world_items(world), &server->items))
        return cn_error_memory(error, "the palettes of the world");
    server->buffer_bytes = CRAFTY_MESSAGE_BYTES + server->blocks.count + server->items.count;
    server->buffer = cn_alloc(server->allocator, server->buffer_bytes);
    if (!server->buffer)
        return cn_error_memory(error, "messages");
    server->packer = cn_chunk_packer_create(server->allocator, error);
    if (!server->packer)
        return false;
    server->layout = crafty_shared_layout_create(server->world, error);
    if (server->layout)
        server->replication =
            crafty_shared_replication_create(server->world, server->layout, error);
    server->host = crafty_connection_create(server->world, CRAFTY_CONSOLE, error);
    server->logged = cn_edit_log_total(cn_voxels_log(server->voxels));
    return server->replication && server->host && open_readers(server, error) &&
           send_away(server, error);
}

CraftyNetServer *crafty_net_server_create(const CraftyNetServerDesc *desc, CnError *error)
{
    CnAllocator *allocator = cn_system_allocator();
    CraftyNetServer *server = cn_alloc_zeroed(allocator, sizeof *server);
    if (!server) {
        cn_error_memory(error, "a server");
        return NULL;
    }
    server->desc = *desc;
    server->allocator = allocator;
    server->world = cn_sim_world(desc->sim);
    server->voxels = crafty_world_voxels(desc->world);
    CraftyNetServerDesc *own = &server->desc;
    own->max_players = own->max_players ? own->max_players : DEFAULT_PLAYERS;
    own->view_distance = own->view_distance ? own->view_distance : DEFAULT_DISTANCE;
    own->snapshot_hz = own->snapshot_hz ? own->snapshot_hz : DEFAULT_SNAPSHOT_HZ;
    own->bytes_per_second = own->bytes_per_second ? own->bytes_per_second : DEFAULT_RATE;
    uint32_t tick_hz = cn_sim_clock(desc->sim)->tick_hz;
    server->snapshot_ticks = tick_hz > own->snapshot_hz ? tick_hz / own->snapshot_hz : 1;
    cn_array_init(&server->sessions, allocator);
    cn_array_init(&server->edits, allocator);
    cn_array_init(&server->eyes, allocator);
    cn_array_init(&server->blocks, allocator);
    cn_array_init(&server->items, allocator);
    cn_hash_map_init(&server->by_connection, allocator, sizeof(CraftyNetSession *));
    if (build(server, error))
        return server;
    crafty_net_server_destroy(server);
    return NULL;
}

/* ---- Sessions ---- */

static CraftyNetSession *session_of(const CraftyNetServer *server, CnNetConnection connection)
{
    CraftyNetSession *const *session = cn_hash_map_get(&server->by_connection, connection.id);
    return session ? *session : NULL;
}

static void begin_session(CraftyNetServer *server, CnNetConnection connection)
{
    CnNetKeyId key;
    CraftyNetSession *session = cn_alloc_zeroed(server->allocator, sizeof *session);
    if (!session || !cn_net_peer_key(server->desc.endpoint, connection, &key) ||
        !cn_array_reserve(&server->sessions, server->sessions.count + 1) ||
        !cn_hash_map_set(&server->by_connection, connection.id, &session)) {
        cn_free(server->allocator, session, sizeof *session);
        cn_net_close(server->desc.endpoint, connection, CRAFTY_LEAVE_INTERNAL,
                     "The server has no memory for another player.");
        return;
    }
    session->connection = connection;
    session->command_credit = COMMAND_BURST;
    session->message_credit = MESSAGE_BURST;
    cn_hash_map_init(&session->columns, server->allocator, sizeof(uint64_t));
    _Static_assert(sizeof session->account.key == sizeof key.bytes, "accounts are public keys");
    memcpy(session->account.key, key.bytes, sizeof key.bytes);
    server->sessions.items[server->sessions.count++] = session;
    server->stats.sessions = server->sessions.count;
}

static void free_session(CraftyNetServer *server, CraftyNetSession *session)
{
    if (session->client)
        cn_net_replication_client_remove(server->replication, session->client);
    crafty_connection_destroy(session->input);
    cn_hash_map_fini(&session->columns);
    cn_hash_map_remove(&server->by_connection, session->connection.id);
    cn_free(server->allocator, session, sizeof *session);
}

void crafty_net_session_close(CraftyNetServer *server, CraftyNetSession *session,
                              CraftyLeaveReason reason, const char *text)
{
    if (session->state == CRAFTY_SESSION_LEAVES)
        return;
    cn_net_close(server->desc.endpoint, session->connection, reason, text);
    session->state = CRAFTY_SESSION_LEAVES;
    session->leave_text = reason == CRAFTY_LEAVE_KICKED ? "kicked" : "disconnected by the server";
}

bool crafty_net_session_send(CraftyNetServer *server, CraftyNetSession *session, uint32_t channel,
                             size_t size)
{
    CN_ASSERT(size > 0, "a message did not fit into the buffer");
    if (size &&
        cn_net_send(server->desc.endpoint, session->connection, channel, server->buffer, size))
        return true;
    crafty_net_session_close(server, session, CRAFTY_LEAVE_FLOOD,
                             "Your connection is too slow for this server.");
    return false;
}

/* The player leaves the simulation; sessions that never joined just end. */
static void end_session(CraftyNetServer *server, uint32_t index)
{
    CraftyNetSession *session = server->sessions.items[index];
    if (session->player) {
        crafty_connection_send_host(server->host, &(CraftyHostCommand){.kind = CRAFTY_HOST_LEAVE,
                                                                       .player = session->player});
        if (server->desc.left)
            server->desc.left(server->desc.user, session->player,
                              session->leave_text ? session->leave_text : "left");
    }
    free_session(server, session);
    server->sessions.items[index] = server->sessions.items[--server->sessions.count];
    server->stats.sessions = server->sessions.count;
}

void crafty_net_server_destroy(CraftyNetServer *server)
{
    if (!server)
        return;
    for (uint32_t i = 0; i < server->sessions.count; i++) {
        crafty_net_session_close(server, server->sessions.items[i], CRAFTY_LEAVE_STOPPING,
                                 "The server has stopped.");
        free_session(server, server->sessions.items[i]);
    }
    cn_event_reader_destroy(server->presence);
    cn_event_reader_destroy(server->chat);
    cn_event_reader_destroy(server->hands);
    cn_event_reader_destroy(server->players);
    cn_event_reader_destroy(server->creatures);
    crafty_connection_destroy(server->host);
    cn_net_replication_destroy(server->replication);
    cn_net_layout_destroy(server->layout);
    cn_hash_map_fini(&server->by_connection);
    cn_array_fini(&server->sessions);
    cn_array_fini(&server->edits);
    cn_array_fini(&server->eyes);
    cn_array_fini(&server->blocks);
    cn_array_fini(&server->items);
    cn_chunk_packer_destroy(server->packer);
    cn_free(server->allocator, server->buffer, server->buffer_bytes);
    cn_free(server->allocator, server, sizeof *server);
}

/* ---- Messages from clients ---- */

static void refuse(CraftyNetServer *server, CraftyNetSession *session)
{
    server->stats.invalid_messages++;
    crafty_net_session_close(
        server, session, CRAFTY_LEAVE_MESSAGE,
        "The server does not understand this client. Both need the same version.");
}

static uint32_t playing(const CraftyNetServer *server)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < server->sessions.count; i++)
        count += server->sessions.items[i]->state == CRAFTY_SESSION_JOINS ||
                 server->sessions.items[i]->state == CRAFTY_SESSION_PLAYS;
    return count;
}

/* Who joins again takes the place of an older connection, which may be dead. */
static void end_others(CraftyNetServer *server, const CraftyNetSession *session)
{
    for (uint32_t i = 0; i < server->sessions.count; i++) {
        CraftyNetSession *other = server->sessions.items[i];
        if (other != session && other->state != CRAFTY_SESSION_WAITS &&
            crafty_account_equal(&other->account, &session->account))
            crafty_net_session_close(server, other, CRAFTY_LEAVE_ELSEWHERE,
                                     "Your account joined from another place.");
    }
}

static bool admit(CraftyNetServer *server, CraftyNetSession *session, const CraftyHello *hello,
                  CraftyJoinAnswer *admission)
{
    *admission = (CraftyJoinAnswer){0};
    cn_copy_text(admission->name, sizeof admission->name, cn_text(hello->name));
    if (server->is_stopping)
        cn_format(admission->reason, sizeof admission->reason, "The server is stopping.");
    else if (playing(server) >= server->desc.max_players)
        cn_format(admission->reason, sizeof admission->reason, "The server is full.");
    if (admission->reason[0] || !server->desc.admit)
        return !admission->reason[0];
    CraftyJoinRequest request = {
        .connection = session->connection, .account = session->account, .name = hello->name};
    cn_net_peer_address(server->desc.endpoint, session->connection, &request.address);
    return server->desc.admit(server->desc.user, &request, admission);
}

static void read_hello(CraftyNetServer *server, CraftyNetSession *session,
                       CraftyMessageReader *reader)
{
    CraftyHello hello;
    CraftyJoinAnswer admission;
    if (session->state != CRAFTY_SESSION_WAITS || !crafty_message_get_hello(reader, &hello)) {
        refuse(server, session);
        return;
    }
    end_others(server, session);
    if (!admit(server, session, &hello, &admission)) {
        crafty_net_session_close(server, session, CRAFTY_LEAVE_REFUSED, admission.reason);
        return;
    }
    uint32_t most = server->desc.view_distance;
    session->view_distance = hello.view_distance < 2      ? 2
                             : hello.view_distance > most ? most
                                                          : hello.view_distance;
    session->role = admission.role;
    cn_copy_text(session->name, sizeof session->name, cn_text(admission.name));
    session->state = CRAFTY_SESSION_JOINS;
}

static void read_command(CraftyNetServer *server, CraftyNetSession *session,
                         CraftyMessageReader *reader)
{
    CraftyCommand command;
    if (session->state != CRAFTY_SESSION_PLAYS || !crafty_message_get_command(reader, &command)) {
        refuse(server, session);
        return;
    }
    bool has_credit = session->command_credit >= 1000;
    session->command_credit -= has_credit ? 1000 : 0;
    if (!has_credit || !crafty_connection_send_command(session->input, &command))
        server->stats.dropped_commands++;
}

/* Keeps the actions of ticks to come; the server's tick decides, not the order of arrival. */
static void read_input(CraftyNetServer *server, CraftyNetSession *session,
                       CraftyMessageReader *reader)
{
    CraftyInput input;
    uint64_t now = cn_sim_tick(server->desc.sim);
    if (session->state != CRAFTY_SESSION_PLAYS)
        return; /* of a client that is joining again */
    if (!crafty_message_get_input(reader, &input)) {
        refuse(server, session);
        return;
    }
    cn_net_replication_acknowledge(server->replication, session->client, &input.acks);
    for (uint32_t i = 0; i < CRAFTY_OWN_STATES; i++) {
        uint32_t snapshot = session->states[i].snapshot, behind = input.acks.newest - snapshot;
        bool is_read =
            snapshot && (!behind || (behind <= 32 && input.acks.before >> (behind - 1) & 1u));
        if (is_read && snapshot > session->acked_state)
            session->acked_state = snapshot;
    }
    int64_t lead = (int64_t)(input.newest - now);
    lead = lead > INT16_MAX ? INT16_MAX : lead < INT16_MIN ? INT16_MIN : lead;
    if (!session->has_lead || lead < session->lead)
        session->lead = (int32_t)lead;
    session->has_lead = true;
    for (uint32_t i = 0; i < input.count && i <= input.newest; i++) {
        uint64_t tick = input.newest - i;
        CraftyTickInput *slot = &session->inputs[tick % CRAFTY_INPUT_RING];
        if (tick < now)
            server->stats.late_inputs += slot->tick != tick && tick + 3 > now;
        else if (tick - now < CRAFTY_INPUT_RING && slot->tick != tick)
            *slot = (CraftyTickInput){tick, input.actions[i]};
    }
}

/* Before this, the client has no world for blocks and snapshots. */
static void read_ready(CraftyNetServer *server, CraftyNetSession *session,
                       CraftyMessageReader *reader)
{
    if (session->state != CRAFTY_SESSION_PLAYS || session->is_ready ||
        !crafty_message_is_complete(reader))
        refuse(server, session);
    else
        session->is_ready = true;
}

static void read_repair(CraftyNetServer *server, CraftyNetSession *session,
                        CraftyMessageReader *reader)
{
    CnCell column = crafty_message_get_cell(reader);
    if (session->state != CRAFTY_SESSION_PLAYS || !crafty_message_is_complete(reader)) {
        refuse(server, session);
        return;
    }
    crafty_net_session_repair(server, session, column.x, column.z);
}

static void read_message(CraftyNetServer *server, CraftyNetSession *session,
                         const CnNetEvent *event)
{
    CraftyMessageReader reader;
    bool is_datagram = event->kind == CN_NET_DATAGRAM;
    CraftyMessageKind kind = crafty_message_open(&reader, event->bytes, event->size);
    if (session->state == CRAFTY_SESSION_LEAVES)
        return;
    if (session->message_credit < 1000) {
        crafty_net_session_close(server, session, CRAFTY_LEAVE_FLOOD,
                                 "This client sends too many messages.");
        return;
    }
    session->message_credit -= 1000;
    if (kind == CRAFTY_MESSAGE_INPUT && is_datagram)
        read_input(server, session, &reader);
    else if (kind == CRAFTY_MESSAGE_HELLO && !is_datagram)
        read_hello(server, session, &reader);
    else if (kind == CRAFTY_MESSAGE_READY && !is_datagram)
        read_ready(server, session, &reader);
    else if (kind == CRAFTY_MESSAGE_COMMAND && !is_datagram)
        read_command(server, session, &reader);
    else if (kind == CRAFTY_MESSAGE_REPAIR && !is_datagram)
        read_repair(server, session, &reader);
    else
        refuse(server, session);
}

void crafty_net_server_event(CraftyNetServer *server, const CnNetEvent *event)
{
    CraftyNetSession *session = session_of(server, event->connection);
    if (event->kind == CN_NET_CONNECTED && !session)
        begin_session(server, event->connection);
    if (!session)
        return;
    if (event->kind == CN_NET_MESSAGE || event->kind == CN_NET_DATAGRAM)
        read_message(server, session, event);
    if (event->kind == CN_NET_CLOSED && session->state != CRAFTY_SESSION_LEAVES) {
        session->state = CRAFTY_SESSION_LEAVES;
        session->leave_text = cn_net_close_cause_text(event->cause);
    }
}

/* ---- Ticks ---- */

static void send_join(CraftyNetServer *server, CraftyNetSession *session)
{
    CraftyHostCommand join = {
        .kind = CRAFTY_HOST_JOIN, .account = session->account, .role = (uint8_t)session->role};
    cn_copy_text(join.name, sizeof join.name, cn_text(session->name));
    if (!crafty_connection_send_host(server->host, &join))
        crafty_net_session_close(server, session, CRAFTY_LEAVE_INTERNAL,
                                 "The server is too busy; try again.");
}

/* Without actions of this tick, those of the last one go on. */
static void send_actions(CraftyNetServer *server, CraftyNetSession *session, uint64_t tick)
{
    CraftyTickInput *slot = &session->inputs[tick % CRAFTY_INPUT_RING];
    bool is_there = slot->tick == tick;
    if (is_there) {
        session->last = slot->actions;
    } else {
        uint32_t relative = cn_actions_relative_axes(crafty_actions());
        session->last.pressed = session->last.released = 0;
        for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++)
            session->last.axes[i] = relative >> i & 1u ? 0 : session->last.axes[i];
        session->missing_inputs++;
        server->stats.missing_inputs++;
    }
    slot->tick = 0;
    crafty_connection_send_actions(session->input, &session->last);
}

/* Loads the chunks around all players in jobs. */
static void prepare_chunks(CraftyNetServer *server)
{
    cn_array_clear(&server->eyes);
    if (!cn_array_reserve(&server->eyes, server->sessions.count))
        return;
    for (uint32_t i = 0; i < server->sessions.count; i++) {
        const CraftyNetSession *session = server->sessions.items[i];
        const CnTransform *transform = session->state == CRAFTY_SESSION_PLAYS
                                           ? cn_get(server->world, session->entity, CnTransform)
                                           : NULL;
        if (transform)
            server->eyes.items[server->eyes.count++] = transform->position;
    }
    cn_voxels_prepare(server->voxels, &(CnVoxelsPrepare){.centers = server->eyes.items,
                                                         .count = server->eyes.count,
                                                         .budget = PREPARE_BUDGET,
                                                         .results = PREPARE_RESULTS});
}

void crafty_net_server_before_tick(CraftyNetServer *server)
{
    uint64_t tick = cn_sim_tick(server->desc.sim);
    prepare_chunks(server);
    for (uint32_t i = 0; i < server->sessions.count;) {
        CraftyNetSession *session = server->sessions.items[i];
        if (session->state == CRAFTY_SESSION_LEAVES) {
            end_session(server, i);
            continue;
        }
        session->command_credit += session->command_credit < COMMAND_BURST ? COMMANDS_PER_TICK : 0;
        session->message_credit += session->message_credit < MESSAGE_BURST ? MESSAGES_PER_TICK : 0;
        if (session->state == CRAFTY_SESSION_JOINS && !session->turn) {
            session->turn = 1 + server->next_turn++ % server->snapshot_ticks;
            send_join(server, session);
        }
        if (session->state == CRAFTY_SESSION_PLAYS)
            send_actions(server, session, tick);
        i++;
    }
}

static CraftyNetSession *joining(CraftyNetServer *server, const CraftyAccount *account)
{
    for (uint32_t i = 0; i < server->sessions.count; i++) {
        CraftyNetSession *session = server->sessions.items[i];
        if (session->state == CRAFTY_SESSION_JOINS &&
            crafty_account_equal(&session->account, account))
            return session;
    }
    return NULL;
}

static bool begin_playing(CraftyNetServer *server, CraftyNetSession *session,
                          const CraftyPresence *presence)
{
    session->player = presence->player;
    session->entity = crafty_player_by_number(server->world, presence->player);
    cn_copy_text(session->name, sizeof session->name, cn_text(presence->name));
    session->input = crafty_connection_create(server->world, presence->player, NULL);
    session->client = cn_net_replication_client_add(
        server->replication,
        &(CnNetClientDesc){.owner = presence->player,
                           .viewer = session->entity,
                           .view_distance = (float)(session->view_distance * CN_CHUNK_SIZE)},
        NULL);
    if (!session->entity.id || !session->input || !session->client) {
        crafty_net_session_close(server, session, CRAFTY_LEAVE_INTERNAL,
                                 "The server has no memory for another player.");
        return false;
    }
    session->state = CRAFTY_SESSION_PLAYS;
    crafty_net_session_send_welcome(server, session);
    if (server->desc.joined)
        server->desc.joined(server->desc.user, session->player, &session->account, session->name);
    return true;
}

static void read_presence(CraftyNetServer *server)
{
    for (const CraftyPresence *event; (event = cn_read_next(server->presence, CraftyPresence));) {
        CraftyNetSession *session = joining(server, &event->account);
        if (session && event->kind == CRAFTY_PRESENCE_JOINED)
            begin_playing(server, session, event);
        else if (session && event->kind == CRAFTY_PRESENCE_REFUSED)
            crafty_net_session_close(server, session, CRAFTY_LEAVE_REFUSED,
                                     crafty_join_refusal_text((CraftyJoinRefusal)event->reason));
    }
}

void crafty_net_server_after_tick(CraftyNetServer *server)
{
    CnError error = {0};
    uint64_t tick = cn_sim_tick(server->desc.sim);
    read_presence(server);
    crafty_net_server_collect_edits(server);
    crafty_net_server_send_events(server);
    if (server->sessions.count && !cn_net_replication_capture(server->replication, tick, &error))
        CN_LOG_WARNING("net", "%s", error.message);
    server->stats.players = 0;
    for (uint32_t i = 0; i < server->sessions.count; i++) {
        CraftyNetSession *session = server->sessions.items[i];
        if (session->state != CRAFTY_SESSION_PLAYS)
            continue;
        server->stats.players++;
        if (!session->is_ready)
            continue;
        crafty_net_session_send_world(server, session);
        if ((tick + session->player) % STATE_TICKS == 0)
            crafty_net_session_send_state(server, session);
        if (session->state == CRAFTY_SESSION_PLAYS &&
            tick % server->snapshot_ticks == session->turn - 1)
            crafty_net_session_send_snapshot(server, session);
    }
}

/* ---- The host ---- */

bool crafty_net_server_kick(CraftyNetServer *server, uint32_t player, CraftyLeaveReason reason,
                            const char *text)
{
    for (uint32_t i = 0; i < server->sessions.count; i++)
        if (player && server->sessions.items[i]->player == player) {
            crafty_net_session_close(server, server->sessions.items[i], reason, text);
            return true;
        }
    return false;
}

void crafty_net_server_stop(CraftyNetServer *server, CraftyLeaveReason reason, const char *text)
{
    server->is_stopping = true;
    for (uint32_t i = 0; i < server->sessions.count; i++)
        crafty_net_session_close(server, server->sessions.items[i], reason, text);
}

CraftyNetServerStats crafty_net_server_stats(const CraftyNetServer *server)
{
    return server->stats;
}

bool crafty_net_server_player(const CraftyNetServer *server, uint32_t player, CraftyNetPlayer *info)
{
    for (uint32_t i = 0; i < server->sessions.count; i++) {
        const CraftyNetSession *session = server->sessions.items[i];
        if (!player || session->player != player || session->state != CRAFTY_SESSION_PLAYS)
            continue;
        *info = (CraftyNetPlayer){session->connection, session->lead, session->missing_inputs};
        return true;
    }
    return false;
}
