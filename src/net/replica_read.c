/*
 * Reading snapshots, in three steps: all records are read and checked, then memory is reserved for
 * all of them, then they are stored, which cannot fail.
 */
#include "net/replica_internal.h"

#define MAX_STATES (CN_NET_HISTORY + 34u) /* of an entity; older ones are no bases any more */
#define FIRST_MOTION_TICKS 18u            /* of an entity that has just been spawned, at most */

typedef struct Header {
    uint32_t number;
    uint64_t tick;
    bool is_complete;
    uint32_t records;
    uint32_t usual_base; /* 0: none */
} Header;

/* ---- Checking ---- */

static bool fail(const CnNetBitReader *reader, CnError *error, const char *what)
{
    return cn_error_set(error, CN_ERROR_FORMAT, "the snapshot is invalid at bit %zu of %zu: %s",
                        reader->position, reader->size * 8, what);
}

static bool read_header(CnNetBitReader *reader, Header *header, CnError *error)
{
    header->number = cn_net_read_bits(reader, 32);
    const uint32_t low = cn_net_read_bits(reader, 32), high = cn_net_read_bits(reader, 32);
    header->tick = (uint64_t)high << 32 | low;
    header->is_complete = cn_net_read_bits(reader, 1);
    header->records = cn_net_read_bits(reader, 16);
    const uint32_t age = cn_net_read_number(reader);
    header->usual_base = age && age < header->number ? header->number - age : 0;
    if (reader->failed)
        return fail(reader, error, "the header is cut off");
    if (!header->number || age >= header->number)
        return fail(reader, error, "its number or its base is not valid");
    return true;
}

static uint32_t find_state(const CnNetReplica *replica, uint32_t index, uint32_t snapshot)
{
    const CniNetReplicaEntity *entity = &replica->entities.items[index];
    for (uint32_t i = entity->count; i-- > 0;)
        if (cni_net_replica_state(replica, entity, i)->snapshot == snapshot)
            return i;
    return UINT32_MAX;
}

static const uint32_t *base_rows(const CnNetReplica *replica, const CniNetReplicaRecord *record)
{
    if (record->record == CNI_NET_RECORD_WHOLE)
        return NULL;
    const CniNetReplicaEntity *entity = &replica->entities.items[record->entity];
    return cni_net_replica_state(replica, entity, record->base_state)->rows;
}

/* Returns the row from which the record's component is encoded. */
static uint32_t base_row(const CnNetReplica *replica, const uint32_t *rows, uint32_t component)
{
    return rows && rows[component] ? rows[component] : replica->default_rows[component];
}

static bool read_component(CnNetReplica *replica, CnNetBitReader *reader, uint32_t component,
                           const uint32_t *rows)
{
    const CniNetLayoutComponent *layout = &replica->layout->components[component];
    if (!cn_array_reserve(&replica->words, (uint64_t)replica->words.count + layout->word_count))
        return false;
    uint32_t *words = replica->words.items + replica->words.count;
    memcpy(words, cni_net_row(&replica->rows[component], base_row(replica, rows, component)),
           layout->word_count * sizeof *words);
    cni_net_read_words(reader, layout, words);
    replica->words.count += layout->word_count;
    return true;
}

static bool read_entity(CnNetReplica *replica, CnNetBitReader *reader, CniNetReplicaRecord *record,
                        CnError *error)
{
    const uint32_t count = replica->layout->component_count;
    const uint32_t *rows = base_rows(replica, record);
    for (uint32_t i = 0; rows && i < count; i++)
        record->presence |= (uint32_t)(rows[i] != 0) << i;
    if (!rows || cn_net_read_bits(reader, 1))
        record->presence = cn_net_read_bits(reader, count);
    if (!reader->failed && !(record->presence & 1))
        return fail(reader, error, "an entity has no kind");
    for (uint32_t i = 0; i < count && !reader->failed; i++) {
        if (!(record->presence >> i & 1) || !replica->layout->components[i].word_count ||
            !cn_net_read_bits(reader, 1))
            continue;
        record->changed |= 1u << i;
        if (!read_component(replica, reader, i, rows))
            return cn_error_memory(error, "a snapshot");
    }
    return !reader->failed || fail(reader, error, "an entity is not valid");
}

static bool read_base(CnNetReplica *replica, CnNetBitReader *reader, const Header *header,
                      bool is_usual, CniNetReplicaRecord *record, CnError *error)
{
    const uint32_t age = is_usual ? 0 : cn_net_read_number(reader);
    if (reader->failed || (!is_usual && (!age || age >= header->number)))
        return fail(reader, error, "the base of an entity is not valid");
    record->base = is_usual ? header->usual_base : header->number - age;
    if (record->entity != UINT32_MAX)
        record->base_state = find_state(replica, record->entity, record->base);
    if (record->entity == UINT32_MAX || record->base_state == UINT32_MAX)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "snapshot %u needs entity %u of snapshot %u, which was not read; the "
                            "server must send everything again",
                            header->number, record->id, record->base);
    return true;
}

static bool read_record(CnNetReplica *replica, CnNetBitReader *reader, const Header *header,
                        uint32_t *next_id, CnError *error)
{
    CniNetReplicaRecord record = {.words = replica->words.count};
    const uint32_t gap = cn_net_read_bits(reader, 1) ? cn_net_read_number(reader) : 0;
    const bool is_usual = !cn_net_read_bits(reader, 1);
    record.record = is_usual ? CNI_NET_RECORD_UPDATE : cn_net_read_bits(reader, 2);
    if (reader->failed || record.record >= CNI_NET_RECORD_COUNT)
        return fail(reader, error, "a record is cut off or of an unknown kind");
    if (gap >= CN_NET_MAX_SHARED - *next_id)
        return fail(reader, error, "the id of an entity is too large");
    record.id = *next_id + gap;
    *next_id = record.id + 1;
    record.entity = cni_net_replica_find(replica, record.id);
    if (record.record == CNI_NET_RECORD_UPDATE &&
        !read_base(replica, reader, header, is_usual, &record, error))
        return false;
    if (record.record != CNI_NET_RECORD_REMOVAL && !read_entity(replica, reader, &record, error))
        return false;
    return cn_array_push(&replica->records, record) || cn_error_memory(error, "a snapshot");
}

static bool read_records(CnNetReplica *replica, CnNetBitReader *reader, const Header *header,
                         CnError *error)
{
    uint32_t next_id = 0;
    cn_array_clear(&replica->records);
    cn_array_clear(&replica->words);
    for (uint32_t i = 0; i < header->records; i++)
        if (!read_record(replica, reader, header, &next_id, error))
            return false;
    return cn_net_bit_reader_finish(reader) || fail(reader, error, "bytes follow the last record");
}

/* ---- Memory ---- */

static bool reserve_rows(CnNetReplica *replica)
{
    uint32_t counts[CNI_NET_COMPONENTS] = {0};
    for (uint32_t i = 0; i < replica->records.count; i++)
        for (uint32_t bits = replica->records.items[i].changed; bits; bits &= bits - 1)
            counts[__builtin_ctz(bits)]++;
    for (uint32_t i = 0; i < replica->layout->component_count; i++)
        if (!cni_net_rows_reserve(&replica->rows[i], counts[i]))
            return false;
    return true;
}

static bool reserve_state(CnNetReplica *replica, CniNetReplicaEntity *entity)
{
    if (entity->count < entity->capacity)
        return true;
    const uint32_t capacity = entity->capacity ? entity->capacity * 2u : 4;
    uint8_t *states =
        cn_realloc(replica->allocator, entity->states, entity->capacity * replica->state_bytes,
                   capacity * replica->state_bytes);
    if (!states)
        return false;
    entity->states = states;
    entity->capacity = (uint16_t)capacity;
    return true;
}

static bool reserve_ids(CnNetReplica *replica)
{
    const uint32_t count = replica->records.count;
    const uint32_t ids = count ? replica->records.items[count - 1].id + 1 : 0;
    if (!cn_array_reserve(&replica->entity_of, ids) ||
        !cn_array_reserve(&replica->leaving, (uint64_t)replica->leaving.count + count))
        return false;
    while (replica->entity_of.count < ids)
        replica->entity_of.items[replica->entity_of.count++] = 0;
    return true;
}

/* Appends entities for records of new ones, which have no state yet. */
static bool reserve_entities(CnNetReplica *replica)
{
    for (uint32_t i = 0; i < replica->records.count; i++) {
        CniNetReplicaRecord *record = &replica->records.items[i];
        if (record->record == CNI_NET_RECORD_REMOVAL)
            continue;
        if (record->entity == UINT32_MAX) {
            if (!cn_array_push(&replica->entities,
                               (CniNetReplicaEntity){.id = (uint16_t)record->id}))
                return false;
            record->entity = replica->entities.count - 1;
        }
        if (!reserve_state(replica, &replica->entities.items[record->entity]))
            return false;
    }
    return true;
}

static bool reserve(CnNetReplica *replica, CnError *error)
{
    uint32_t added = 0;
    const uint32_t count = replica->entities.count;
    for (uint32_t i = 0; i < replica->records.count; i++)
        added += replica->records.items[i].record == CNI_NET_RECORD_WHOLE &&
                 replica->records.items[i].entity == UINT32_MAX;
    if (count + added > replica->desc.max_entities)
        return cn_error_set(error, CN_ERROR_LIMIT, "the snapshot makes %u entities, more than %u",
                            count + added, replica->desc.max_entities);
    if (reserve_ids(replica) && reserve_rows(replica) && reserve_entities(replica))
        return true;
    while (replica->entities.count > count) {
        const CniNetReplicaEntity entity = cn_array_pop(&replica->entities);
        cn_free(replica->allocator, entity.states, entity.capacity * replica->state_bytes);
    }
    return cn_error_memory(error, "a snapshot");
}

/* ---- Storing ---- */

/* The server never uses an older base than this one any more. A whole state, whose base is 0, means
 * nothing: an acknowledgement of an earlier state may still be on its way. */
static void drop_states(CnNetReplica *replica, CniNetReplicaEntity *entity, uint32_t base)
{
    uint32_t drop = 0;
    while (entity->count - drop > replica->desc.kept_states &&
           (cni_net_replica_state(replica, entity, drop)->snapshot < base ||
            entity->count - drop > MAX_STATES))
        cni_net_release_state(replica, cni_net_replica_state(replica, entity, drop++));
    if (!drop)
        return;
    memmove(entity->states, entity->states + drop * replica->state_bytes,
            (entity->count - drop) * replica->state_bytes);
    entity->count = (uint16_t)(entity->count - drop);
}

/* A motion begins where the entity last was known not to have moved: at its state before, or at a
 * later snapshot with all changes that did not contain it. */
static uint64_t motion_start(const CnNetReplica *replica, const CniNetReplicaEntity *entity,
                             uint64_t tick)
{
    if (!entity->count)
        return tick;
    const uint64_t before = cni_net_newest_state(replica, entity)->tick;
    uint64_t known = replica->complete_tick;
    if (entity->count == 1)
        known = tick > FIRST_MOTION_TICKS ? tick - FIRST_MOTION_TICKS : 0;
    return known > before ? known : before;
}

static void store_state(CnNetReplica *replica, const Header *header,
                        const CniNetReplicaRecord *record)
{
    CniNetReplicaEntity *entity = &replica->entities.items[record->entity];
    const uint32_t *rows = base_rows(replica, record);
    CniNetReplicaState *state = cni_net_replica_state(replica, entity, entity->count);
    uint32_t words = record->words;
    state->snapshot = header->number;
    state->tick = header->tick;
    state->from_tick = motion_start(replica, entity, header->tick);
    for (uint32_t i = 0; i < replica->layout->component_count; i++) {
        state->rows[i] = 0;
        if (record->changed >> i & 1) {
            state->rows[i] = cni_net_rows_add(&replica->rows[i], replica->words.items + words);
            words += replica->layout->components[i].word_count;
        } else if (record->presence >> i & 1) {
            state->rows[i] = cni_net_rows_share(&replica->rows[i], base_row(replica, rows, i));
        }
    }
    entity->count++;
    replica->entity_of.items[record->id] = (uint16_t)(record->entity + 1);
    drop_states(replica, entity, record->base);
}

static void remove_entity(CnNetReplica *replica, const Header *header, uint32_t id)
{
    const uint32_t index = cni_net_replica_find(replica, id);
    if (index == UINT32_MAX)
        return; /* the removal was repeated */
    CniNetReplicaEntity entity = replica->entities.items[index];
    for (uint32_t i = 0; i < entity.count; i++)
        cni_net_release_state(replica, cni_net_replica_state(replica, &entity, i));
    cn_free(replica->allocator, entity.states, entity.capacity * replica->state_bytes);
    replica->entity_of.items[id] = 0;
    cn_array_remove_swap(&replica->entities, index);
    if (index < replica->entities.count)
        replica->entity_of.items[replica->entities.items[index].id] = (uint16_t)(index + 1);
    if (!cn_entity_is_null(entity.entity))
        replica->leaving.items[replica->leaving.count++] =
            (CniNetLeaving){entity.entity, header->tick};
}

static void store(CnNetReplica *replica, const Header *header)
{
    for (uint32_t i = 0; i < replica->records.count; i++)
        if (replica->records.items[i].record != CNI_NET_RECORD_REMOVAL)
            store_state(replica, header, &replica->records.items[i]);
    for (uint32_t i = 0; i < replica->records.count; i++)
        if (replica->records.items[i].record == CNI_NET_RECORD_REMOVAL)
            remove_entity(replica, header, replica->records.items[i].id);
    const uint32_t step = header->number - replica->acks.newest;
    const uint64_t read = (uint64_t)replica->acks.before << 1 | (replica->acks.newest != 0);
    replica->acks.before = step > 32 ? 0 : (uint32_t)(read << (step - 1));
    replica->acks.newest = header->number;
    replica->newest_tick = header->tick;
    if (header->is_complete)
        replica->complete_tick = header->tick;
    replica->stats.snapshots++;
}

bool cn_net_replica_read(CnNetReplica *replica, const void *bytes, size_t size,
                         CnNetSnapshot *snapshot, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "net", NULL);
    CnNetBitReader reader;
    Header header;
    *snapshot = (CnNetSnapshot){0};
    if (size > CN_NET_MAX_SNAPSHOT_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "the snapshot has %zu bytes, more than %u", size,
                            CN_NET_MAX_SNAPSHOT_BYTES);
    cn_net_bit_reader_init(&reader, bytes, size);
    if (!read_header(&reader, &header, error))
        return false;
    *snapshot = (CnNetSnapshot){header.number, header.tick, header.records, false};
    if (header.number <= replica->acks.newest) {
        replica->stats.ignored++;
        return true;
    }
    if (header.tick <= replica->newest_tick && replica->acks.newest)
        return fail(&reader, error, "its tick is not after that of the snapshot before");
    if (!read_records(replica, &reader, &header, error) || !reserve(replica, error))
        return false;
    store(replica, &header);
    snapshot->is_new = true;
    return true;
}
