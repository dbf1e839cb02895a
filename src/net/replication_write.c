/*
 * Snapshots for clients. Entities are encoded in the order of their priorities until the snapshot
 * is full, and then put together in the order of their ids. Clients that have the same state of an
 * entity share its encoding (its "body").
 */
#include "net/replication_internal.h"

#define MAX_BODIES (1u << 20) /* bytes; then all are discarded before the next client */
#define MAX_MISSES 16u        /* entities that did not fit; the others wait */
#define ROUNDS 4u             /* of choosing */

/* ---- Encodings ---- */

static uint32_t presence_of(const CnNetReplication *r, const CniNetState *state, uint32_t mask)
{
    uint32_t presence = 0;
    for (uint32_t i = 0; i < r->layout->component_count; i++)
        presence |= (uint32_t)(state->rows[i] != 0) << i;
    return presence & mask;
}

/* A component that the base lacks is encoded from its defaults. */
static void encode_component(const CnNetReplication *r, CnNetBitWriter *writer, uint32_t component,
                             uint32_t row, uint32_t base_row)
{
    const CniNetLayoutComponent *layout = &r->layout->components[component];
    const CniNetRows *rows = &r->rows[component];
    if (!layout->word_count)
        return;
    const uint32_t *words = cni_net_row(rows, row);
    const uint32_t *base = base_row ? cni_net_row(rows, base_row) : layout->defaults;
    const bool differs =
        row != base_row && memcmp(words, base, layout->word_count * sizeof *words) != 0;
    cn_net_write_bits(writer, differs, 1);
    if (differs)
        cni_net_write_words(writer, layout, words, base);
}

static void encode(const CnNetReplication *r, CnNetBitWriter *writer, const CniNetState *state,
                   const CniNetState *base, uint32_t mask)
{
    const uint32_t count = r->layout->component_count;
    const uint32_t presence = presence_of(r, state, mask);
    const uint32_t base_presence = base ? presence_of(r, base, mask) : 0;
    if (base)
        cn_net_write_bits(writer, presence != base_presence, 1);
    if (!base || presence != base_presence)
        cn_net_write_bits(writer, presence, count);
    for (uint32_t i = 0; i < count; i++)
        if (presence >> i & 1)
            encode_component(r, writer, i, state->rows[i],
                             base_presence >> i & 1 ? base->rows[i] : 0);
}

/* Returns the state that the client acknowledged, or NULL if it is too old. An older capture than
 * those in the history had the same state if the entity has not changed since. */
static const CniNetState *find_base(const CnNetReplication *r, const CniNetKnown *known)
{
    const bool is_recent = r->number - known->base < CN_NET_HISTORY;
    const uint32_t number = is_recent ? known->base : r->number - CN_NET_HISTORY + 1;
    const CniNetCapture *capture = &r->captures[number % CN_NET_HISTORY];
    const CniNetState *state = cni_net_state(r, capture, known->slot);
    if (!known->base || !state || capture->number != number)
        return NULL;
    const uint32_t version =
        known->flags & CNI_NET_KNOWN_OWNED ? state->owner_version : state->public_version;
    return is_recent || version <= known->base ? state : NULL;
}

static bool encode_body(CnNetReplication *r, const CniNetKnown *known, const CniNetState *base,
                        uint32_t mask, CniNetBody *body)
{
    const CniNetState *state = cni_net_state(r, cni_net_last_capture(r), known->slot);
    const size_t room = (r->layout->max_bits + 31) / 32 * 4;
    CnNetBitWriter writer;
    if (!cn_array_reserve(&r->bodies, (uint64_t)r->bodies.count + room))
        return false;
    cn_net_bit_writer_init(&writer, r->bodies.items + r->bodies.count, room);
    encode(r, &writer, state, base, mask);
    body->generation = r->generation;
    body->base = base ? known->base : 0;
    body->offset = r->bodies.count;
    body->bits = (uint32_t)cn_net_bits_written(&writer);
    const size_t size = cn_net_bit_writer_finish(&writer);
    CN_ASSERT(size || !body->bits, "an entity needs more bits than its layout");
    const size_t padded = (size + 3) & ~(size_t)3;
    memset(r->bodies.items + r->bodies.count + size, 0, padded - size);
    r->bodies.count += (uint32_t)padded;
    r->stats.encoded++;
    return true;
}

/* Finds or makes the encoding for a candidate. Returns false when out of memory. */
static bool find_body(CnNetReplication *r, CniNetKnown *known, CniNetCandidate *candidate)
{
    const CniNetState *base = find_base(r, known);
    CniNetBody own;
    CniNetBody *body = &own;
    if (!base)
        known->base = 0;
    candidate->record = base ? CNI_NET_RECORD_UPDATE : CNI_NET_RECORD_WHOLE;
    uint32_t mask = UINT32_MAX;
    if (!(known->flags & CNI_NET_KNOWN_OWNED)) {
        const uint32_t entry = known->base ? (r->number - known->base) % CNI_NET_CACHED_BODIES : 0;
        mask = r->layout->public_mask;
        body = &r->cache.items[(size_t)known->slot * CNI_NET_CACHED_BODIES + entry];
    }
    if (body == &own || body->generation != r->generation || body->base != known->base) {
        if (!encode_body(r, known, base, mask, body))
            return false;
    } else {
        r->stats.copied++;
    }
    candidate->body = body->offset;
    candidate->bits = body->bits;
    return true;
}

/* ---- Choosing ---- */

static uint32_t gap_bits(uint32_t gap)
{
    return 1 + (gap ? cn_net_number_bits(gap) : 0);
}

/* Without the gap before its id. */
static uint32_t record_bits(const CnNetReplication *r, const CniNetClient *client,
                            const CniNetCandidate *candidate)
{
    const CniNetKnown *known = &client->known[candidate->known];
    const bool is_update = candidate->record == CNI_NET_RECORD_UPDATE;
    if (is_update && known->base == client->last_acknowledged)
        return 1 + candidate->bits;
    return 3 + (is_update ? cn_net_number_bits(r->number - known->base) : 0) + candidate->bits;
}

static size_t header_bits(const CnNetReplication *r, const CniNetClient *client)
{
    return 32 + 64 + 1 + 16 + cn_net_number_bits(r->number - client->last_acknowledged);
}

typedef struct Room {
    size_t most, limit; /* bits of a packet, and of a snapshot of this client */
    size_t used;
} Room;

/* Chooses further candidates, with the longest gap that an id can have. Returns false when out of
 * memory. */
static bool fill(CnNetReplication *r, CniNetClient *client, Room *room, CnNetWritten *written)
{
    const uint32_t gap = gap_bits(cni_net_last_capture(r)->count);
    uint32_t misses = 0;
    for (uint32_t i = 0; i < r->candidates.count && misses < MAX_MISSES; i++) {
        CniNetCandidate *candidate = &r->candidates.items[r->sorted.items[i] & 0xffffu];
        if (candidate->is_chosen)
            continue;
        candidate->known = client->index[candidate->slot] - 1u;
        if (candidate->record != CNI_NET_RECORD_REMOVAL && !candidate->bits &&
            !find_body(r, &client->known[candidate->known], candidate))
            return false;
        const size_t bits = gap + record_bits(r, client, candidate);
        const size_t limit = written->records ? room->limit : room->most;
        if (room->used + bits > limit) {
            misses++;
            continue;
        }
        room->used += bits;
        candidate->is_chosen = true;
        written->records++;
    }
    return true;
}

/* Replaces the longest gaps by those between the chosen ids. */
static void measure(const CnNetReplication *r, const CniNetClient *client, Room *room)
{
    uint32_t next = 0;
    room->used = header_bits(r, client);
    for (uint32_t i = 0; i < r->candidates.count; i++) {
        const CniNetCandidate *candidate = &r->candidates.items[i];
        if (!candidate->is_chosen)
            continue;
        room->used += gap_bits(candidate->slot - next) + record_bits(r, client, candidate);
        next = candidate->slot + 1u;
    }
}

static void count_oversized(CnNetReplication *r, CniNetClient *client, const Room *room)
{
    const size_t least = header_bits(r, client) + gap_bits(cni_net_last_capture(r)->count);
    for (uint32_t i = 0; i < r->candidates.count; i++) {
        const CniNetCandidate *candidate = &r->candidates.items[i];
        if (candidate->bits && least + record_bits(r, client, candidate) > room->most)
            client->stats.oversized++;
    }
}

/* Chooses what fits, in a few rounds: a further record shortens the gap after it. Returns false
 * when out of memory. */
static bool choose(CnNetReplication *r, CniNetClient *client, size_t capacity,
                   CnNetWritten *written)
{
    const size_t wanted = client->desc.bytes_per_snapshot;
    Room room = {.most = capacity * 8,
                 .limit = wanted && wanted < capacity ? wanted * 8 : capacity * 8,
                 .used = header_bits(r, client)};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t before = written->records;
        if (!fill(r, client, &room, written))
            return false;
        written->waiting = r->candidates.count - written->records;
        if (!written->waiting || written->records == before)
            break;
        measure(r, client, &room);
    }
    if (written->waiting)
        count_oversized(r, client, &room);
    return true;
}

/* ---- Writing ---- */

static void write_body(const CnNetReplication *r, CnNetBitWriter *writer,
                       const CniNetCandidate *candidate)
{
    const uint8_t *bytes = r->bodies.items + candidate->body;
    uint32_t left = candidate->bits;
    for (; left >= 32; left -= 32, bytes += 4)
        cn_net_write_bits(writer, cn_load_u32(bytes), 32);
    if (left)
        cn_net_write_bits(writer, cn_load_u32(bytes) & ((1u << left) - 1), left);
}

static void write_record(const CnNetReplication *r, const CniNetClient *client,
                         CnNetBitWriter *writer, const CniNetCandidate *candidate, uint32_t gap)
{
    const CniNetKnown *known = &client->known[candidate->known];
    cn_net_write_bits(writer, gap != 0, 1);
    if (gap)
        cn_net_write_number(writer, gap);
    const bool is_usual =
        candidate->record == CNI_NET_RECORD_UPDATE && known->base == client->last_acknowledged;
    cn_net_write_bits(writer, !is_usual, 1);
    if (!is_usual) {
        cn_net_write_bits(writer, candidate->record, 2);
        if (candidate->record == CNI_NET_RECORD_UPDATE)
            cn_net_write_number(writer, r->number - known->base);
    }
    if (candidate->record != CNI_NET_RECORD_REMOVAL)
        write_body(r, writer, candidate);
}

static void mark_sent(const CnNetReplication *r, CniNetKnown *known)
{
    known->last_sent = known->attention = r->number;
    known->sent |= (uint64_t)1 << r->number % CN_NET_HISTORY;
    known->flags |= CNI_NET_KNOWN_ANNOUNCED;
}

static size_t write_chosen(CnNetReplication *r, CniNetClient *client, void *buffer, size_t capacity,
                           const CnNetWritten *written)
{
    const uint64_t tick = cni_net_last_capture(r)->tick;
    const uint32_t usual = client->last_acknowledged ? r->number - client->last_acknowledged : 0;
    CnNetBitWriter writer;
    cn_net_bit_writer_init(&writer, buffer, capacity);
    cn_net_write_bits(&writer, r->number, 32);
    cn_net_write_bits(&writer, (uint32_t)tick, 32);
    cn_net_write_bits(&writer, (uint32_t)(tick >> 32), 32);
    cn_net_write_bits(&writer, written->waiting == 0, 1);
    cn_net_write_bits(&writer, written->records, 16);
    cn_net_write_number(&writer, usual);
    uint32_t next = 0;
    for (uint32_t i = 0; i < r->candidates.count; i++) {
        const CniNetCandidate *candidate = &r->candidates.items[i];
        if (!candidate->is_chosen)
            continue;
        write_record(r, client, &writer, candidate, candidate->slot - next);
        next = candidate->slot + 1u;
        mark_sent(r, &client->known[candidate->known]);
    }
    return cn_net_bit_writer_finish(&writer);
}

bool cn_net_replication_write(CnNetReplication *r, uint32_t number, void *buffer, size_t capacity,
                              CnNetWritten *written, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "net", cn_world_unhandled_errors(r->world));
    CniNetClient *client = cn_slot_table_get(&r->clients, number);
    CN_ASSERT(client, "the replication has no client %u", number);
    CN_ASSERT(capacity >= CN_NET_MIN_SNAPSHOT_BYTES, "a snapshot needs %u bytes",
              CN_NET_MIN_SNAPSHOT_BYTES);
    *written = (CnNetWritten){.snapshot = r->number};
    if (!client || !r->number || client->last_written == r->number)
        return true;
    capacity = capacity < CN_NET_MAX_SNAPSHOT_BYTES ? capacity : CN_NET_MAX_SNAPSHOT_BYTES;
    if (r->bodies.count > MAX_BODIES) {
        r->generation++;
        cn_array_clear(&r->bodies);
    }
    if (!cni_net_select(r, client))
        return cn_error_memory(error, "the snapshot of a client");
    cni_net_sort(r);
    if (!choose(r, client, capacity, written)) {
        *written = (CnNetWritten){0};
        return cn_error_memory(error, "the snapshot of a client");
    }
    written->size = write_chosen(r, client, buffer, capacity, written);
    CN_ASSERT(written->size, "a snapshot is larger than computed");
    client->written[r->number % CN_NET_HISTORY] = r->number;
    client->last_written = r->number;
    return true;
}
