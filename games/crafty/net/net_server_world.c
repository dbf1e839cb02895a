/* What clients get of the blocks: the edited chunks around their players, then every change. */
#include "net_server_internal.h"

#include "crafty/sim/player.h"

#include <cairn/voxel/edited_chunks.h>

#define BYTES_PER_TICK 32768u /* of chunks to one client, before compression */
#define MOST_WAITING 131072u  /* bytes of messages on their way, above which chunks wait */
#define KEPT_COLUMNS 2u       /* beyond the view distance, so that walking to and fro is cheap */

/* ---- Changes ---- */

void crafty_net_server_collect_edits(CraftyNetServer *server)
{
    const CnEditLog *log = cn_voxels_log(server->voxels);
    uint64_t total = cn_edit_log_total(log);
    uint32_t count = cn_edit_log_count(log);
    uint64_t made = total - server->logged;
    cn_array_clear(&server->edits);
    server->logged = total;
    bool fits =
        made <= count && made <= UINT32_MAX / 2 && cn_array_reserve(&server->edits, (uint32_t)made);
    if (!fits) { /* the columns are sent anew */
        for (uint32_t i = 0; i < server->sessions.count; i++) {
            cn_hash_map_clear(&server->sessions.items[i]->columns);
            server->sessions.items[i]->is_complete = false;
        }
        return;
    }
    for (uint64_t i = made; i > 0; i--) {
        CnEdit edit = cn_edit_log_at(log, count - (uint32_t)i);
        server->edits.items[server->edits.count++] = (CraftyBlockEdit){edit.cell, edit.new_block};
    }
}

static uint64_t column_key(int32_t x, int32_t z)
{
    return (uint64_t)(uint32_t)x << 32 | (uint32_t)z;
}

static bool has_column_of(const CraftyNetSession *session, CnCell cell)
{
    CnChunkPos chunk = cn_chunk_of(cell);
    return cn_hash_map_get(&session->columns, column_key(chunk.x, chunk.z)) != NULL;
}

static bool send_edits(CraftyNetServer *server, CraftyNetSession *session)
{
    CraftyBlockEdit edits[CRAFTY_MESSAGE_EDITS_MAX];
    for (uint32_t i = 0; i < server->edits.count;) {
        uint32_t count = 0;
        for (; i < server->edits.count && count < CN_COUNT_OF(edits); i++)
            if (has_column_of(session, server->edits.items[i].cell))
                edits[count++] = server->edits.items[i];
        if (!count)
            return true;
        CraftyMessageWriter writer;
        crafty_message_begin(&writer, server->buffer, server->buffer_bytes, CRAFTY_MESSAGE_EDITS);
        crafty_message_put_edits(&writer, edits, count);
        if (!crafty_net_session_send(server, session, CRAFTY_CHANNEL_WORLD,
                                     crafty_message_end(&writer)))
            return false;
        session->world_messages++;
        server->stats.edits += count;
    }
    return true;
}

/* ---- Columns ---- */

typedef struct Sending {
    CraftyNetServer *server;
    CraftyNetSession *session;
    uint32_t bytes; /* sent, before compression */
} Sending;

static uint32_t packed_bytes(const Sending *sending)
{
    return sending->bytes + cn_chunk_packer_bytes(sending->server->packer);
}

static bool send_pack(Sending *sending)
{
    CraftyNetServer *server = sending->server;
    CraftyMessageWriter writer;
    size_t pack_bytes;
    uint32_t chunks = cn_chunk_packer_chunks(server->packer);
    uint32_t bytes = cn_chunk_packer_bytes(server->packer);
    if (!chunks)
        return true;
    const uint8_t *pack = cn_chunk_packer_finish(server->packer, &pack_bytes);
    crafty_message_begin(&writer, server->buffer, server->buffer_bytes, CRAFTY_MESSAGE_CHUNKS);
    crafty_message_put_bytes(&writer, pack, pack_bytes);
    size_t size = crafty_message_end(&writer);
    if (!crafty_net_session_send(server, sending->session, CRAFTY_CHANNEL_WORLD, size))
        return false;
    sending->session->world_messages++;
    sending->bytes += bytes;
    server->stats.chunks += chunks;
    server->stats.chunk_bytes += size;
    return true;
}

/* If the storage of a chunk fails, the client finds out by the hash of the column. */
static bool pack_chunk(void *user, const CnEditedChunk *edited)
{
    Sending *sending = user;
    CnStoredBlock blocks[CN_CHUNK_BLOCKS];
    CnStoredChunk chunk = {.position = edited->position, .blocks = blocks};
    CraftyNetServer *server = sending->server;
    if (!cn_voxels_read_edits(server->voxels, chunk.position, blocks, &chunk.count, NULL) ||
        cn_chunk_packer_add(server->packer, &chunk))
        return true;
    return send_pack(sending) && cn_chunk_packer_add(server->packer, &chunk);
}

static bool give_column(Sending *sending, int32_t x, int32_t z)
{
    CnVoxels *voxels = sending->server->voxels;
    uint64_t version = cn_voxels_column_version(voxels, x, z);
    return (!version || cn_voxels_edited_chunks(voxels, &(CnEditedChunks){.center = {x, 0, z},
                                                                          .visit = pack_chunk,
                                                                          .user = sending})) &&
           cn_hash_map_set(&sending->session->columns, column_key(x, z), &version) != NULL;
}

static uint32_t distance_between(CnChunkPos a, int32_t x, int32_t z)
{
    uint32_t dx = a.x > x ? (uint32_t)a.x - (uint32_t)x : (uint32_t)x - (uint32_t)a.x;
    uint32_t dz = a.z > z ? (uint32_t)a.z - (uint32_t)z : (uint32_t)z - (uint32_t)a.z;
    return dx > dz ? dx : dz;
}

static void forget_far_columns(CraftyNetSession *session)
{
    for (uint32_t i = 0; i < session->columns.count;) {
        uint64_t key = cn_hash_map_key(&session->columns, i);
        uint32_t distance =
            distance_between(session->center, (int32_t)(key >> 32), (int32_t)(uint32_t)key);
        if (distance <= session->view_distance + KEPT_COLUMNS ||
            !cn_hash_map_remove(&session->columns, key))
            i++;
    }
}

/* Gives the columns of one ring around the center. Returns false when it is enough for this
 * tick. */
static bool give_ring(Sending *sending, int32_t radius)
{
    CnChunkPos center = sending->session->center;
    for (int32_t z = -radius; z <= radius; z++) {
        bool is_edge = z == -radius || z == radius;
        for (int32_t x = -radius; x <= radius; x += is_edge || radius == 0 ? 1 : 2 * radius) {
            int32_t at_x = center.x + x, at_z = center.z + z;
            if (cn_hash_map_get(&sending->session->columns, column_key(at_x, at_z)))
                continue;
            if (packed_bytes(sending) >= BYTES_PER_TICK || !give_column(sending, at_x, at_z))
                return false;
        }
    }
    return true;
}

static void give_columns(CraftyNetServer *server, CraftyNetSession *session)
{
    Sending sending = {server, session, 0};
    CnNetConnectionStats stats;
    if (!cn_net_connection_stats(server->desc.endpoint, session->connection, &stats) ||
        stats.queued_bytes > MOST_WAITING)
        return;
    bool is_complete = true;
    for (uint32_t radius = 0; radius <= session->view_distance && is_complete; radius++)
        is_complete = give_ring(&sending, (int32_t)radius);
    session->is_complete = send_pack(&sending) && is_complete;
}

#define CHECK_TICKS 30u /* between two hashes of columns */
#define CHECK_SIDE 5    /* columns around the player whose hashes are sent in turn */
#define CHECK_HEIGHT 1  /* chunks above and below the player */

/* Both have the same blocks exactly when the hashes are equal. Chunks that are not loaded are
 * compared another time. */
static void send_hash(CraftyNetServer *server, CraftyNetSession *session)
{
    int32_t turn = (int32_t)(session->checks++ % (CHECK_SIDE * CHECK_SIDE));
    CraftyColumnState column = {.x = session->center.x + turn % CHECK_SIDE - CHECK_SIDE / 2,
                                .z = session->center.z + turn / CHECK_SIDE - CHECK_SIDE / 2,
                                .low = session->center.y - CHECK_HEIGHT,
                                .high = session->center.y + CHECK_HEIGHT + 1};
    if (!cn_hash_map_get(&session->columns, column_key(column.x, column.z)) ||
        !cn_voxels_column_hash(server->voxels, column.x, column.z, column.low, column.high,
                               &column.hash))
        return;
    CraftyMessageWriter writer;
    crafty_message_begin(&writer, server->buffer, server->buffer_bytes, CRAFTY_MESSAGE_COLUMN);
    crafty_message_put_column(&writer, &column);
    session->world_messages++;
    crafty_net_session_send(server, session, CRAFTY_CHANNEL_WORLD, crafty_message_end(&writer));
}

void crafty_net_session_send_world(CraftyNetServer *server, CraftyNetSession *session)
{
    const CnTransform *transform = cn_get(server->world, session->entity, CnTransform);
    if (!send_edits(server, session) || !transform)
        return;
    CnVec3 eye = transform->position;
    CnChunkPos center = cn_chunk_of(
        (CnCell){(int32_t)cn_floorf(eye.x), (int32_t)cn_floorf(eye.y), (int32_t)cn_floorf(eye.z)});
    bool has_moved =
        !session->has_center || center.x != session->center.x || center.z != session->center.z;
    session->center = center;
    session->has_center = true;
    if (has_moved) {
        forget_far_columns(session);
        session->is_complete = false;
    }
    if (!session->is_complete)
        give_columns(server, session);
    if (session->state == CRAFTY_SESSION_PLAYS &&
        (cn_sim_tick(server->desc.sim) + session->player) % CHECK_TICKS == 0)
        send_hash(server, session);
}

/* Chunks that nobody edited here are sent, too: the client may have edits there. */
void crafty_net_session_repair(CraftyNetServer *server, CraftyNetSession *session, int32_t x,
                               int32_t z)
{
    Sending sending = {server, session, 0};
    if (!cn_hash_map_get(&session->columns, column_key(x, z)))
        return;
    for (int32_t y = -CHECK_HEIGHT; y <= CHECK_HEIGHT; y++)
        if (!pack_chunk(&sending, &(CnEditedChunk){.position = {x, session->center.y + y, z}}))
            return;
    send_pack(&sending);
}
