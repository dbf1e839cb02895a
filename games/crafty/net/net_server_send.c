/* What clients get besides blocks: the world that they join, events, snapshots. */
#include "net_server_internal.h"

#include "crafty/sim/chat.h"
#include "crafty/sim/creature/creature.h"
#include "crafty/sim/day.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/player.h"
#include "crafty/sim/player_event.h"
#include "crafty/sim/weather.h"

#include <cairn/base/log.h>

#include <string.h>

#define HEARD 40.0f /* blocks within which events of others are sent */

/* ---- Joining ---- */

void crafty_net_session_send_welcome(CraftyNetServer *server, CraftyNetSession *session)
{
    CraftyWelcome welcome = {.player = session->player,
                             .tick = cn_sim_tick(server->desc.sim),
                             .random_seed = cn_sim_seed(server->desc.sim),
                             .layout_hash = cn_net_layout_hash(server->layout),
                             .tick_hz = cn_sim_clock(server->desc.sim)->tick_hz,
                             .snapshot_ticks = server->snapshot_ticks,
                             .view_distance = session->view_distance,
                             .blocks = {server->blocks.items, server->blocks.count},
                             .items = {server->items.items, server->items.count}};
    cn_copy_text(welcome.world, sizeof welcome.world, cn_text(server->desc.name));
    crafty_start_write(server->desc.start, welcome.start, sizeof welcome.start);
    CraftyMessageWriter writer;
    crafty_message_begin(&writer, server->buffer, server->buffer_bytes, CRAFTY_MESSAGE_WELCOME);
    crafty_message_put_welcome(&writer, &welcome);
    crafty_net_session_send(server, session, CRAFTY_CHANNEL_CONTROL, crafty_message_end(&writer));
}

void crafty_net_session_send_state(CraftyNetServer *server, CraftyNetSession *session)
{
    const CraftyDay *day = cn_resource(server->world, CraftyDay);
    const CraftyWeather *weather = cn_resource(server->world, CraftyWeather);
    CraftyMessageWriter writer;
    if (!day || !weather)
        return;
    CraftyWorldState state = {.days = day->days, .speed = day->speed, .weather = *weather};
    crafty_message_begin(&writer, server->buffer, server->buffer_bytes, CRAFTY_MESSAGE_STATE);
    crafty_message_put_state(&writer, &state);
    crafty_net_session_send(server, session, CRAFTY_CHANNEL_CONTROL, crafty_message_end(&writer));
}

/* ---- Events ---- */

static uint32_t id_of(void *user, CnEntity entity)
{
    return cn_net_replication_id(user, entity);
}

static void send_event(CraftyNetServer *server, CraftyNetSession *session, CraftyEventKind kind,
                       const void *event)
{
    CraftyMessageWriter writer;
    crafty_message_begin(&writer, server->buffer, server->buffer_bytes, CRAFTY_MESSAGE_EVENT);
    crafty_message_put_event(&writer, kind, event, id_of, server->replication);
    crafty_net_session_send(server, session, CRAFTY_CHANNEL_CONTROL, crafty_message_end(&writer));
}

static bool is_heard(const CraftyNetServer *server, const CraftyNetSession *session, CnVec3 place)
{
    const CnTransform *transform = cn_get(server->world, session->entity, CnTransform);
    CnVec3 way = transform ? cn_vec3_sub(place, transform->position) : place;
    return transform && cn_vec3_dot(way, way) <= HEARD * HEARD;
}

/* Clients predict the events of their own hands. */
static void send_near(CraftyNetServer *server, CraftyEventKind kind, const void *event,
                      CnVec3 place, CnEntity except)
{
    for (uint32_t i = 0; i < server->sessions.count; i++) {
        CraftyNetSession *session = server->sessions.items[i];
        if (session->state == CRAFTY_SESSION_PLAYS && session->entity.id != except.id &&
            is_heard(server, session, place))
            send_event(server, session, kind, event);
    }
}

static CraftyNetSession *session_of_player(const CraftyNetServer *server, CnEntity player)
{
    for (uint32_t i = 0; i < server->sessions.count; i++)
        if (server->sessions.items[i]->state == CRAFTY_SESSION_PLAYS &&
            server->sessions.items[i]->entity.id == player.id)
            return server->sessions.items[i];
    return NULL;
}

/* Of these, clients predict their own. */
static bool is_predicted(const CraftyPlayerEvent *event)
{
    return event->kind == CRAFTY_PLAYER_LANDED || event->kind == CRAFTY_PLAYER_STEPPED ||
           event->kind == CRAFTY_PLAYER_SPLASHED || event->kind == CRAFTY_PLAYER_MISSED;
}

static void send_player_event(CraftyNetServer *server, const CraftyPlayerEvent *event)
{
    CraftyNetSession *own = session_of_player(server, event->player);
    if (own && !is_predicted(event))
        send_event(server, own, CRAFTY_EVENT_PLAYER, event);
    if (event->kind != CRAFTY_PLAYER_STEPPED && event->kind != CRAFTY_PLAYER_REFUSED)
        send_near(server, CRAFTY_EVENT_PLAYER, event, event->position, event->player);
}

static void send_chat_line(CraftyNetServer *server, const CraftyChatLine *line)
{
    for (uint32_t i = 0; i < server->sessions.count; i++) {
        CraftyNetSession *session = server->sessions.items[i];
        if (session->state == CRAFTY_SESSION_PLAYS && crafty_chat_is_for(line, session->player))
            send_event(server, session, CRAFTY_EVENT_CHAT, line);
    }
}

void crafty_net_server_send_events(CraftyNetServer *server)
{
    for (const CraftyChatLine *line; (line = cn_read_next(server->chat, CraftyChatLine));)
        send_chat_line(server, line);
    for (const CraftyHandEvent *event; (event = cn_read_next(server->hands, CraftyHandEvent));)
        if (event->kind == CN_INTERACT_BREAK || event->kind == CN_INTERACT_PLACE)
            send_near(server, CRAFTY_EVENT_HAND, event,
                      cn_vec3((float)event->cell[0], (float)event->cell[1], (float)event->cell[2]),
                      event->player);
    for (const CraftyPlayerEvent *event;
         (event = cn_read_next(server->players, CraftyPlayerEvent));)
        send_player_event(server, event);
    for (const CraftyCreatureEvent *event;
         server->creatures && (event = cn_read_next(server->creatures, CraftyCreatureEvent));)
        send_near(server, CRAFTY_EVENT_CREATURE, event, event->position, (CnEntity){0});
}

/* ---- Snapshots ---- */

static const uint8_t *base_of(const CraftyNetSession *session, uint32_t *number)
{
    static const uint8_t zeros[CRAFTY_OWN_STATE_BYTES];
    for (uint32_t i = 0; i < CRAFTY_OWN_STATES; i++)
        if (session->acked_state && session->states[i].snapshot == session->acked_state) {
            *number = session->acked_state;
            return session->states[i].bytes;
        }
    *number = 0;
    return zeros;
}

static size_t write_own_part(uint8_t bytes[CN_NET_DATAGRAM_BYTES], const CraftySnapshotHead *head,
                             const uint8_t *state, const uint8_t *base)
{
    CraftyMessageWriter writer;
    crafty_message_begin(&writer, bytes, CN_NET_DATAGRAM_BYTES, CRAFTY_MESSAGE_SNAPSHOT);
    crafty_message_put_snapshot(&writer, head);
    crafty_message_put_difference(&writer, state, base, CRAFTY_OWN_STATE_BYTES);
    return crafty_message_end(&writer);
}

/* The state of the player comes first; what is left of the budget is for other entities. */
void crafty_net_session_send_snapshot(CraftyNetServer *server, CraftyNetSession *session)
{
    uint8_t bytes[CN_NET_DATAGRAM_BYTES], entities[CN_NET_DATAGRAM_BYTES];
    CraftySentState state = {0};
    CnNetWritten written;
    CnError error = {0};
    if (!crafty_own_state_read(server->world, session->entity, state.bytes))
        return;
    CraftySnapshotHead head = {.tick = cn_sim_tick(server->desc.sim) - 1,
                               .edits = session->world_messages,
                               .lead = session->lead,
                               .snapshot = UINT32_MAX}; /* as long as any number */
    const uint8_t *base = base_of(session, &head.base);
    size_t size = write_own_part(bytes, &head, state.bytes, base);
    uint32_t budget = server->desc.bytes_per_second / server->desc.snapshot_hz;
    size_t room = sizeof bytes - size, most = budget > size ? budget - size : 0;
    most = most < CN_NET_MIN_SNAPSHOT_BYTES ? CN_NET_MIN_SNAPSHOT_BYTES : most;
    if (!size || !cn_net_replication_write(server->replication, session->client, entities,
                                           most < room ? most : room, &written, &error)) {
        CN_LOG_WARNING("net", "a snapshot could not be written: %s", error.message);
        return;
    }
    head.snapshot = written.snapshot;
    size = write_own_part(bytes, &head, state.bytes, base);
    memcpy(bytes + size, entities, written.size);
    if (!cn_net_send_datagram(server->desc.endpoint, session->connection, bytes,
                              size + written.size, written.snapshot))
        return; /* the connection is congested; the next one contains everything */
    state.snapshot = written.snapshot;
    session->states[written.snapshot / server->snapshot_ticks % CRAFTY_OWN_STATES] = state;
    session->has_lead = false;
    server->stats.snapshots++;
    server->stats.snapshot_bytes += size + written.size;
}
