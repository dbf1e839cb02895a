#include "net_client.h"

#include "own_state.h"
#include "shared_layout.h"

#include "crafty/sim/actions.h"

#include <cairn/voxel/chunk_pack.h>
#include <cairn/voxel/edited_chunks.h>

#include <string.h>

#define DEFAULT_DISTANCE 10u
#define WAITING_STATES 8u
#define KEPT_STATES 64u
#define KEPT_EVENTS 128u
#define TARGET_LEAD 3      /* ticks by which input should come early */
#define MOST_BEHIND 8      /* ticks too late, from which the client skips ahead */
#define MOST_SKIPPED 240u  /* ticks */
#define SCALE_OF_TICK .01f /* of time, for each tick of a wrong lead */
#define SHOWN_BEHIND 6.0   /* ticks, beside the interval of snapshots */
#define REASON_BYTES 320u

typedef struct OwnState {
    uint32_t snapshot; /* 0: none */
    uint64_t tick;
    uint32_t edits;
    uint8_t bytes[CRAFTY_OWN_STATE_BYTES];
} OwnState;

typedef struct KeptEvent {
    CraftyEventKind kind;
    uint64_t bytes[CRAFTY_EVENT_BYTES / sizeof(uint64_t)];
} KeptEvent;

struct CraftyNetClient {
    CraftyNetClientDesc desc;
    CnAllocator *allocator;
    CnNetConnection connection;
    CraftyNetState state;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    char reason[REASON_BYTES];
    bool may_return;
    CraftyWelcome welcome;
    uint8_t *welcome_bytes; /* what its palettes point into */
    size_t welcome_size;
    CraftyStart start;
    CraftyChunkEdits chunks;
    CnVoxels *voxels;
    CraftyPrediction *prediction;
    CnChunkUnpacker *unpacker;
    CnNetLayout *layout;
    CnNetReplica *replica;
    uint32_t world_messages;          /* received on the world channel */
    OwnState waiting[WAITING_STATES]; /* for changes of blocks; snapshot 0: free */
    OwnState kept[KEPT_STATES];       /* that later states may differ from */
    uint32_t next_kept;
    uint64_t newest_tick; /* of a snapshot */
    uint64_t tick;        /* predicted last */
    CraftyInput input;    /* the last ticks, the newest first */
    bool has_sent;        /* the input of the tick before */
    double shown_tick;    /* of other entities */
    KeptEvent events[KEPT_EVENTS];
    uint32_t first_event, event_count;
    CraftyWorldState world_state;
    uint32_t world_states; /* received */
    CnEntity player;       /* see crafty_net_client_set_player */
    CraftyNetClientStats stats;
};

/* ---- Creation ---- */

static void leave(CraftyNetClient *client, bool may_return, const char *reason)
{
    if (client->state == CRAFTY_NET_LEFT)
        return;
    client->state = CRAFTY_NET_LEFT;
    client->may_return = may_return;
    cn_copy_text(client->reason, sizeof client->reason, cn_text(reason));
}

/* A server that says what no server says. */
static void refuse(CraftyNetClient *client, const char *what)
{
    char reason[REASON_BYTES];
    cn_format(reason, sizeof reason,
              "The server sent %s that this version does not understand. Both need the same "
              "version.",
              what);
    cn_net_close(client->desc.endpoint, client->connection, CRAFTY_LEAVE_MESSAGE, what);
    leave(client, false, reason);
}

CraftyNetClient *crafty_net_client_create(const CraftyNetClientDesc *desc, CnError *error)
{
    CraftyNetClient *client = cn_alloc_zeroed(cn_system_allocator(), sizeof *client);
    if (!client) {
        cn_error_memory(error, "a client");
        return NULL;
    }
    client->desc = *desc;
    client->allocator = cn_system_allocator();
    if (!client->desc.view_distance)
        client->desc.view_distance = DEFAULT_DISTANCE;
    crafty_chunk_edits_init(&client->chunks, client->allocator);
    bool has_name =
        cn_copy_text(client->name, sizeof client->name, cn_text(desc->name ? desc->name : ""));
    if (!has_name)
        cn_error_set(error, CN_ERROR_LIMIT, "a name has at most %u characters",
                     CRAFTY_PLAYER_NAME_LENGTH);
    else if (cn_net_connect(
                 desc->endpoint,
                 &(CnNetConnectDesc){.address = desc->address, .server_key = desc->server_key},
                 &client->connection, error))
        return client;
    client->state = CRAFTY_NET_LEFT;
    crafty_net_client_destroy(client);
    return NULL;
}

void crafty_net_client_destroy(CraftyNetClient *client)
{
    if (!client)
        return;
    if (client->state != CRAFTY_NET_LEFT)
        cn_net_close(client->desc.endpoint, client->connection, CRAFTY_LEAVE_QUIT, "left");
    crafty_prediction_destroy(client->prediction);
    cn_chunk_unpacker_destroy(client->unpacker);
    cn_net_replica_destroy(client->replica);
    cn_net_layout_destroy(client->layout);
    crafty_chunk_edits_fini(&client->chunks);
    cn_free(client->allocator, client->welcome_bytes, client->welcome_size);
    cn_free(client->allocator, client, sizeof *client);
}

/* ---- Joining ---- */

static void send_hello(CraftyNetClient *client)
{
    uint8_t bytes[256];
    CraftyHello hello = {.view_distance = client->desc.view_distance};
    CraftyMessageWriter writer;
    cn_copy_text(hello.name, sizeof hello.name, cn_text(client->name));
    crafty_message_begin(&writer, bytes, sizeof bytes, CRAFTY_MESSAGE_HELLO);
    crafty_message_put_hello(&writer, &hello);
    cn_net_send(client->desc.endpoint, client->connection, CRAFTY_CHANNEL_CONTROL, bytes,
                crafty_message_end(&writer));
    client->state = CRAFTY_NET_JOINS;
}

/* The message is copied, because the palettes point into it. */
static void read_welcome(CraftyNetClient *client, const CnNetEvent *event)
{
    CraftyMessageReader reader;
    CnError error = {0};
    client->welcome_bytes = cn_alloc(client->allocator, event->size);
    if (!client->welcome_bytes) {
        refuse(client, "a world for which there is not enough memory, or one");
        return;
    }
    client->welcome_size = event->size;
    memcpy(client->welcome_bytes, event->bytes, event->size);
    crafty_message_open(&reader, client->welcome_bytes, event->size);
    if (!crafty_message_get_welcome(&reader, &client->welcome) ||
        !crafty_start_read(&client->start, client->welcome.start, &error)) {
        refuse(client, "a description of a world");
        return;
    }
    client->state = CRAFTY_NET_WELCOMED;
}

const CraftyWelcome *crafty_net_client_welcome(const CraftyNetClient *client)
{
    return client->welcome_bytes ? &client->welcome : NULL;
}

const CraftyStart *crafty_net_client_start(const CraftyNetClient *client)
{
    return &client->start;
}

CnVoxelsHooks crafty_net_client_hooks(CraftyNetClient *client)
{
    return (CnVoxelsHooks){.user = &client->chunks,
                           .chunk_store = crafty_chunk_edits_store,
                           .chunk_load = crafty_chunk_edits_load};
}

bool crafty_net_client_enter(CraftyNetClient *client, const CraftySimDesc *sim, CnError *error)
{
    const CraftyPredictionDesc desc = {
        .sim = sim, .player = client->welcome.player, .tick_hz = client->welcome.tick_hz};
    CN_ASSERT(client->state == CRAFTY_NET_WELCOMED, "the server has welcomed the client");
    client->voxels = sim->voxels;
    client->unpacker = cn_chunk_unpacker_create(client->allocator, error);
    client->prediction = client->unpacker ? crafty_prediction_create(&desc, error) : NULL;
    if (!client->prediction)
        return false;
    client->layout =
        crafty_shared_layout_create(crafty_prediction_world(client->prediction), error);
    if (!client->layout)
        return false;
    if (cn_net_layout_hash(client->layout) != client->welcome.layout_hash) {
        refuse(client, "a description of entities");
        return cn_error_set(error, CN_ERROR_MISMATCH, "%s", client->reason);
    }
    client->replica = cn_net_replica_create(&(CnNetReplicaDesc){.layout = client->layout,
                                                                .owner = client->welcome.player,
                                                                .skips_own = true},
                                            error);
    if (!client->replica)
        return false;
    uint8_t bytes[8];
    CraftyMessageWriter writer;
    crafty_message_begin(&writer, bytes, sizeof bytes, CRAFTY_MESSAGE_READY);
    client->state = CRAFTY_NET_ENTERS;
    return cn_net_send(client->desc.endpoint, client->connection, CRAFTY_CHANNEL_CONTROL, bytes,
                       crafty_message_end(&writer)) ||
           cn_error_set(error, CN_ERROR_IO, "the connection to the server is closed");
}

/* ---- Blocks ---- */

static void read_edits(CraftyNetClient *client, CraftyMessageReader *reader)
{
    CraftyBlockEdit edits[CRAFTY_MESSAGE_EDITS_MAX];
    uint32_t count = 0;
    CnError error = {0};
    if (!crafty_message_get_edits(reader, edits, &count)) {
        refuse(client, "changes of blocks");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!crafty_prediction_set_block(client->prediction, edits[i].cell, edits[i].block,
                                         &error)) {
            refuse(client, "a block");
            return;
        }
    client->stats.edits += count;
}

/* Returns whether the pack was valid. */
static bool set_chunks(CraftyNetClient *client, const uint8_t *pack, size_t size)
{
    CnStoredChunk chunk;
    CnError error = {0};
    if (!cn_chunk_unpacker_begin(client->unpacker, pack, size, &error))
        return false;
    for (; cn_chunk_unpacker_next(client->unpacker, &chunk); client->stats.chunks++) {
        crafty_prediction_forget_chunk(client->prediction, chunk.position);
        if (!cn_voxels_set_edits(client->voxels, &chunk, &error))
            return false;
    }
    return true;
}

static void read_chunks(CraftyNetClient *client, CraftyMessageReader *reader)
{
    size_t size;
    const uint8_t *pack = crafty_message_rest(reader, &size);
    if (!set_chunks(client, pack, size))
        refuse(client, "chunks");
}

static void ask_again(CraftyNetClient *client, const CraftyColumnState *column)
{
    uint8_t bytes[32];
    CraftyMessageWriter writer;
    crafty_message_begin(&writer, bytes, sizeof bytes, CRAFTY_MESSAGE_REPAIR);
    crafty_message_put_cell(&writer, (CnCell){column->x, 0, column->z});
    cn_net_send(client->desc.endpoint, client->connection, CRAFTY_CHANNEL_CONTROL, bytes,
                crafty_message_end(&writer));
}

/* A column in which the player has just changed something is compared another time. */
static void read_column(CraftyNetClient *client, CraftyMessageReader *reader)
{
    CraftyColumnState column;
    uint64_t hash;
    if (!crafty_message_get_column(reader, &column)) {
        refuse(client, "a column");
        return;
    }
    if (crafty_prediction_is_open(client->prediction, column.x, column.z) ||
        !cn_voxels_column_hash(client->voxels, column.x, column.z, column.low, column.high, &hash))
        return;
    client->stats.columns_compared++;
    if (hash == column.hash)
        return;
    client->stats.columns_different++;
    ask_again(client, &column);
}

static void read_world(CraftyNetClient *client, CraftyMessageKind kind, CraftyMessageReader *reader)
{
    if (!client->prediction)
        refuse(client, "blocks");
    else if (kind == CRAFTY_MESSAGE_EDITS)
        read_edits(client, reader);
    else if (kind == CRAFTY_MESSAGE_CHUNKS)
        read_chunks(client, reader);
    else if (kind == CRAFTY_MESSAGE_COLUMN)
        read_column(client, reader);
    else
        refuse(client, "a message");
    client->world_messages++;
}

/* ---- Events ---- */

static CnEntity entity_of(void *user, uint32_t id)
{
    const CraftyNetClient *client = user;
    if (client->replica && id == cn_net_replica_owned(client->replica, client->welcome.player))
        return client->player;
    return client->replica ? cn_net_replica_entity(client->replica, id) : (CnEntity){0};
}

static void read_event(CraftyNetClient *client, CraftyMessageReader *reader)
{
    uint32_t at = (client->first_event + client->event_count) % KEPT_EVENTS;
    KeptEvent *event = &client->events[at];
    if (client->event_count == KEPT_EVENTS) {
        client->first_event = (client->first_event + 1) % KEPT_EVENTS;
        client->event_count--;
        client->stats.lost_events++;
    }
    if (!crafty_message_get_event(reader, &event->kind, event->bytes, entity_of, client))
        refuse(client, "an event");
    else
        client->event_count++;
}

bool crafty_net_client_next_event(CraftyNetClient *client, CraftyEventKind *kind, void *event)
{
    if (!client->event_count)
        return false;
    const KeptEvent *kept = &client->events[client->first_event];
    *kind = kept->kind;
    memcpy(event, kept->bytes, crafty_event_type(kept->kind)->size);
    client->first_event = (client->first_event + 1) % KEPT_EVENTS;
    client->event_count--;
    return true;
}

static void read_world_state(CraftyNetClient *client, CraftyMessageReader *reader)
{
    CraftyWorldState state;
    if (!crafty_message_get_state(reader, &state)) {
        refuse(client, "time and weather");
        return;
    }
    client->world_state = state;
    client->world_states++;
}

/* ---- Snapshots ---- */

static const OwnState *kept_state(const CraftyNetClient *client, uint32_t snapshot)
{
    for (uint32_t i = 0; i < KEPT_STATES; i++)
        if (client->kept[i].snapshot == snapshot)
            return &client->kept[i];
    return NULL;
}

/* Of states that wait for blocks, the oldest one gives way. */
static void add_waiting(CraftyNetClient *client, const OwnState *state)
{
    OwnState *oldest = &client->waiting[0];
    for (uint32_t i = 0; i < WAITING_STATES; i++)
        if (client->waiting[i].snapshot < oldest->snapshot)
            oldest = &client->waiting[i];
    *oldest = *state;
}

/* Snapshots that arrive late, or differ from a state that was never read, are ignored. */
static void read_snapshot(CraftyNetClient *client, CraftyMessageReader *reader)
{
    static const OwnState zeros;
    CraftySnapshotHead head;
    OwnState state = {0};
    CnNetSnapshot snapshot;
    if (!client->replica)
        return;
    if (!crafty_message_get_snapshot(reader, &head) || !head.snapshot) {
        refuse(client, "a snapshot");
        return;
    }
    const OwnState *base = head.base ? kept_state(client, head.base) : &zeros;
    if (!base)
        return;
    size_t rest = 0;
    if (!crafty_message_get_difference(reader, state.bytes, base->bytes, CRAFTY_OWN_STATE_BYTES)) {
        refuse(client, "a snapshot");
        return;
    }
    const uint8_t *entities = crafty_message_rest(reader, &rest);
    if (!cn_net_replica_read(client->replica, entities, rest, &snapshot, NULL) || !snapshot.is_new)
        return;
    state.snapshot = head.snapshot;
    state.tick = head.tick;
    state.edits = head.edits;
    client->kept[client->next_kept++ % KEPT_STATES] = state;
    add_waiting(client, &state);
    client->newest_tick = head.tick;
    client->stats.lead = head.lead;
    client->stats.snapshots++;
}

/* ---- Events of the endpoint ---- */

static void read_message(CraftyNetClient *client, const CnNetEvent *event)
{
    CraftyMessageReader reader;
    CraftyMessageKind kind = crafty_message_open(&reader, event->bytes, event->size);
    if (event->kind == CN_NET_DATAGRAM) {
        if (kind == CRAFTY_MESSAGE_SNAPSHOT)
            read_snapshot(client, &reader);
        return;
    }
    if (event->channel == CRAFTY_CHANNEL_WORLD)
        read_world(client, kind, &reader);
    else if (kind == CRAFTY_MESSAGE_WELCOME && client->state == CRAFTY_NET_JOINS)
        read_welcome(client, event);
    else if (kind == CRAFTY_MESSAGE_EVENT)
        read_event(client, &reader);
    else if (kind == CRAFTY_MESSAGE_STATE)
        read_world_state(client, &reader);
    else
        refuse(client, "a message");
}

static void read_close(CraftyNetClient *client, const CnNetEvent *event)
{
    char reason[REASON_BYTES];
    bool is_peer = event->cause == CN_NET_CLOSE_PEER;
    if (is_peer)
        cn_format(reason, sizeof reason, "%s",
                  event->text[0] ? event->text : "The server closed the connection.");
    else
        cn_format(reason, sizeof reason, "The connection was lost: %s.",
                  cn_net_close_cause_text(event->cause));
    leave(client,
          (is_peer && event->reason == CRAFTY_LEAVE_RESTARTING) ||
              event->cause == CN_NET_CLOSE_TIMEOUT || event->cause == CN_NET_CLOSE_RESET ||
              event->cause == CN_NET_CLOSE_SHUTDOWN,
          reason);
}

void crafty_net_client_event(CraftyNetClient *client, const CnNetEvent *event)
{
    if (event->connection.id != client->connection.id || client->state == CRAFTY_NET_LEFT)
        return;
    if (event->kind == CN_NET_CONNECTED)
        send_hello(client);
    else if (event->kind == CN_NET_CLOSED)
        read_close(client, event);
    else if (event->kind == CN_NET_MESSAGE || event->kind == CN_NET_DATAGRAM)
        read_message(client, event);
}

/* ---- Ticks ---- */

/* Takes the newest state whose changes of blocks have all arrived. */
static bool confirm(CraftyNetClient *client, CnError *error)
{
    OwnState *best = NULL;
    for (uint32_t i = 0; i < WAITING_STATES; i++) {
        OwnState *state = &client->waiting[i];
        bool is_ready = state->snapshot && (int32_t)(client->world_messages - state->edits) >= 0;
        if (is_ready && (!best || state->tick > best->tick))
            best = state;
    }
    if (!best)
        return true;
    CraftyCorrection correction = {0};
    bool begins = client->state == CRAFTY_NET_ENTERS;
    bool is_done = begins
                       ? crafty_prediction_begin(client->prediction, best->tick, best->bytes, error)
                       : crafty_prediction_confirm(client->prediction, best->tick, best->bytes,
                                                   &correction, error);
    if (begins || correction.is_out_of_range)
        client->tick = best->tick;
    uint64_t tick = best->tick;
    for (uint32_t i = 0; i < WAITING_STATES; i++)
        if (client->waiting[i].tick <= tick)
            client->waiting[i] = (OwnState){0};
    client->state = CRAFTY_NET_PLAYS;
    client->stats.confirmed++;
    client->stats.corrections += correction.is_needed;
    float moved = cn_vec3_length(correction.moved);
    if (moved > client->stats.largest_correction)
        client->stats.largest_correction = moved;
    return is_done;
}

static bool predict(CraftyNetClient *client, const CnActions *actions, CnError *error)
{
    CraftyInput *input = &client->input;
    memmove(&input->actions[1], &input->actions[0],
            (CRAFTY_INPUT_TICKS - 1) * sizeof input->actions[0]);
    input->actions[0] = *actions;
    input->count = input->count < CRAFTY_INPUT_TICKS ? input->count + 1 : CRAFTY_INPUT_TICKS;
    input->newest = ++client->tick;
    client->stats.ticks++;
    return crafty_prediction_tick(client->prediction, client->tick, actions, error);
}

/* Every second tick: twice the new ticks and those of the message before. */
static void send_input(CraftyNetClient *client)
{
    uint8_t bytes[512];
    client->has_sent = !client->has_sent;
    if (!client->has_sent)
        return;
    CraftyInput sent = client->input;
    sent.count = sent.count < 4 ? sent.count : 4;
    sent.acks = cn_net_replica_acks(client->replica);
    CraftyMessageWriter writer;
    crafty_message_begin(&writer, bytes, sizeof bytes, CRAFTY_MESSAGE_INPUT);
    crafty_message_put_input(&writer, &sent);
    cn_net_send_datagram(client->desc.endpoint, client->connection, bytes,
                         crafty_message_end(&writer), 0);
}

/* Ticks that the client should be ahead of the newest snapshot when it begins. */
static uint64_t first_lead(const CraftyNetClient *client)
{
    CnNetConnectionStats stats = {0};
    cn_net_connection_stats(client->desc.endpoint, client->connection, &stats);
    uint64_t ticks = (uint64_t)stats.rtt_us * client->welcome.tick_hz / 1000000 + TARGET_LEAD + 2;
    return ticks < MOST_SKIPPED ? ticks : MOST_SKIPPED;
}

/* Runs ticks whose input comes too late anyway, with nothing pressed. */
static bool skip_ahead(CraftyNetClient *client, uint64_t tick, CnError *error)
{
    CnActions held = client->input.count ? client->input.actions[0] : (CnActions){0};
    uint32_t relative = cn_actions_relative_axes(crafty_actions());
    held.pressed = held.released = 0;
    for (uint32_t i = 0; i < CN_MAX_ACTION_AXES; i++)
        held.axes[i] = relative >> i & 1u ? 0 : held.axes[i];
    for (uint32_t i = 0; i < MOST_SKIPPED && client->tick < tick; i++)
        if (!predict(client, &held, error))
            return false;
    return true;
}

static void advance_shown(CraftyNetClient *client)
{
    double target = (double)client->newest_tick - client->welcome.snapshot_ticks - SHOWN_BEHIND / 2;
    double behind = target - client->shown_tick;
    if (behind > 30 || behind < -30)
        client->shown_tick = target;
    else
        client->shown_tick += 1 + behind * 0.05;
}

bool crafty_net_client_tick(CraftyNetClient *client, const CnActions *actions, CnError *error)
{
    bool was_playing = client->state == CRAFTY_NET_PLAYS;
    if (client->state != CRAFTY_NET_PLAYS && client->state != CRAFTY_NET_ENTERS)
        return true;
    uint64_t newest = client->tick;
    if (!confirm(client, error))
        return false;
    if (client->state != CRAFTY_NET_PLAYS)
        return true;
    if (!was_playing || client->tick < newest) /* began, or began anew */
        newest = client->newest_tick + first_lead(client);
    else if (client->stats.lead < -MOST_BEHIND)
        newest = client->newest_tick + first_lead(client);
    if (client->tick < newest && !skip_ahead(client, newest, error))
        return false;
    CnActions rounded = crafty_actions_rounded(actions);
    if (!predict(client, &rounded, error))
        return false;
    send_input(client);
    advance_shown(client);
    return true;
}

float crafty_net_client_time_scale(const CraftyNetClient *client)
{
    float scale = 1 + (float)(TARGET_LEAD - client->stats.lead) * SCALE_OF_TICK;
    return client->state != CRAFTY_NET_PLAYS ? 1 : scale < .9f ? .9f : scale > 1.1f ? 1.1f : scale;
}

bool crafty_net_client_send_command(CraftyNetClient *client, const CraftyCommand *command)
{
    uint8_t bytes[512];
    CraftyMessageWriter writer;
    if (client->state != CRAFTY_NET_PLAYS || !crafty_command_valid(command))
        return false;
    crafty_message_begin(&writer, bytes, sizeof bytes, CRAFTY_MESSAGE_COMMAND);
    crafty_message_put_command(&writer, command);
    return cn_net_send(client->desc.endpoint, client->connection, CRAFTY_CHANNEL_CONTROL, bytes,
                       crafty_message_end(&writer));
}

bool crafty_net_client_show(CraftyNetClient *client, CnWorld *world, CnError *error)
{
    return !client->replica ||
           cn_net_replica_apply(client->replica, world, client->shown_tick, error);
}

/* ---- Access ---- */

void crafty_net_client_set_player(CraftyNetClient *client, CnEntity player)
{
    client->player = player;
}

uint32_t crafty_net_client_world_state(const CraftyNetClient *client, CraftyWorldState *state)
{
    *state = client->world_state;
    return client->world_states;
}

CraftyNetState crafty_net_client_state(const CraftyNetClient *client)
{
    return client->state;
}

const char *crafty_net_client_reason(const CraftyNetClient *client)
{
    return client->reason;
}

bool crafty_net_client_may_return(const CraftyNetClient *client)
{
    return client->may_return;
}

CnNetConnection crafty_net_client_connection(const CraftyNetClient *client)
{
    return client->connection;
}

CraftyPrediction *crafty_net_client_prediction(const CraftyNetClient *client)
{
    return client->prediction;
}

CraftyNetClientStats crafty_net_client_stats(const CraftyNetClient *client)
{
    CraftyNetClientStats stats = client->stats;
    if (client->replica)
        stats.entities = cn_net_replica_stats(client->replica).entities;
    return stats;
}
