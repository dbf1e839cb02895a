/* The inside of a world, shared by the files of this module. See README.md for the map. */
#ifndef CAIRN_SRC_ECS_STORE_H
#define CAIRN_SRC_ECS_STORE_H

#include <cairn/ecs.h>

#include <string.h>

/* ---- blocks.c: memory for chunks and slot pages ---- */

#define CNI_BLOCK_MIN_CLASS 10u /* 1 KiB */
#define CNI_BLOCK_CLASSES 32u

typedef struct Slab {
    void *memory;
    size_t bytes;
} Slab;

/* Blocks of 2^class bytes, aligned to 64, cut from slabs that grow up to 2 MiB (huge pages). A
 * released block is kept for the next one of its class. */
typedef struct Blocks {
    CnAllocator *allocator;
    CN_ARRAY(Slab) slabs;
    void *free[CNI_BLOCK_CLASSES];
    uint8_t *cursor, *end;
    size_t next_slab_bytes;
    uint32_t live;
} Blocks;

void cni_blocks_init(Blocks *blocks, CnAllocator *allocator);
void cni_blocks_fini(Blocks *blocks);
void *cni_block_acquire(Blocks *blocks, uint32_t block_class); /* NULL when out of memory */
void cni_block_release(Blocks *blocks, void *block, uint32_t block_class);
/* Gives everything back to the allocator when nothing is live. */
void cni_blocks_trim(Blocks *blocks);

static inline uint32_t cni_block_class(size_t bytes)
{
    if (bytes <= (size_t)1 << CNI_BLOCK_MIN_CLASS)
        return CNI_BLOCK_MIN_CLASS;
    return 64u - (uint32_t)__builtin_clzll((unsigned long long)bytes - 1u);
}

/* ---- slots.c: entity ids ---- */

#define CNI_PAGE_SLOTS 4096u
#define CNI_PAGE_CLASS 15u /* 4,096 slots of 8 bytes */
#define CNI_ROW_BITS 12u

typedef struct Slot {
    uint32_t generation; /* odd: alive */
    uint32_t location;   /* chunk << CNI_ROW_BITS | row while alive */
} Slot;

/* Slot numbers come from the free stack, then from the rest of the current page, then from a new
 * page. Page numbers that were skipped lie in `holes`; such pages point to a shared empty one. */
typedef struct Slots {
    Slot **pages;
    uint32_t page_count, page_capacity;
    CnU32Array free;
    CnU32Array holes;
    uint32_t fresh_next, fresh_end;
    uint32_t first_lost; /* index + 1: freed while the stack could not grow; chained by location */
    uint32_t first_generation;
    uint32_t alive, retired;
    CnAllocator *allocator;
    Blocks *blocks;
    bool reserved;    /* some command buffer has taken numbers; see cni_commands_settle */
    uint32_t striped; /* height of the free stack when the first one did */
} Slots;

void cni_slots_init(Slots *slots, CnAllocator *allocator, Blocks *blocks,
                    uint32_t first_generation);
void cni_slots_fini(Slots *slots);
/* Makes `*index` a live slot; false when out of memory or slots. */
bool cni_slot_acquire(Slots *slots, uint32_t *index);
/* Ends a life: the number is free again, or retired when its generation would wrap. */
void cni_slot_release(Slots *slots, uint32_t index);
/* Puts a number that never lived back on the stack. */
void cni_slot_return(Slots *slots, uint32_t index);
/* The page that number `nth` in the sequence holes (last first), then new pages. */
uint32_t cni_slots_nth_page(const Slots *slots, uint32_t nth);
/* Makes the page exist; all its slots are dead and belong to the caller. */
bool cni_slots_install_page(Slots *slots, uint32_t page);
void cni_slots_drain_lost(Slots *slots);

static inline Slot *cni_slot(const Slots *slots, uint32_t index)
{
    return &slots->pages[index / CNI_PAGE_SLOTS][index % CNI_PAGE_SLOTS];
}

/* The slot of a live entity, or NULL. */
static inline Slot *cni_slot_live(const Slots *slots, CnEntity entity)
{
    uint32_t index = cn_entity_index(entity), generation = cn_entity_generation(entity);
    if (CN_UNLIKELY(index / CNI_PAGE_SLOTS >= slots->page_count))
        return NULL;
    Slot *slot = cni_slot(slots, index);
    return CN_LIKELY(slot->generation == generation && (generation & 1u)) ? slot : NULL;
}

/* ---- Components ---- */

typedef struct Archetype Archetype;

/* One archetype that has the component, with what a query needs to know about it. */
typedef struct ArchetypeRef {
    Archetype *archetype;
    CniColumn column;
} ArchetypeRef;

enum { CNI_HOOK_ADD = 1, CNI_HOOK_SET = 2, CNI_HOOK_REMOVE = 4 };

typedef struct Component {
    CnComponentInfo info; /* name NULL: the id is free */
    CnHooks hooks;
    uint32_t hook_flags;
    bool has_padding;
    bool is_any_tag;
    uint32_t any_tag;   /* of a pair kind: the tag all its pairs share */
    uint32_t next_pair; /* of a pair: the next one with the same target */
    uint64_t name_hash;
    CN_ARRAY(ArchetypeRef) archetypes; /* component index, in order of creation */
    CN_ARRAY(CnQuery *) queries;       /* that are looked at when such an archetype appears */
    CnBitSet pairs;                    /* of a pair kind: ids of its pairs */
    void *resource;
    CnChannel *channel;
} Component;

/* ---- Archetypes ---- */

typedef struct Column {
    uint32_t component;
    uint32_t prefix; /* bytes per row before it; times capacity: its place in the chunk */
    uint32_t size;
    uint32_t field_count; /* of a component laid out by fields; 0: packed */
    const CnField *fields;
} Column;

typedef struct ColumnSlot {
    uint32_t component; /* 0: free */
    uint32_t column;
} ColumnSlot;

/* Adding a component and removing it is one edge with two ends: it leads to the archetype with the
 * component toggled. */
typedef struct Edge {
    uint32_t component; /* 0: free */
    Archetype *to;
} Edge;

struct Archetype {
    CniArchetype head;
    uint32_t *ids; /* sorted components, tags included */
    uint32_t id_count;
    uint64_t *words; /* the mask */
    uint32_t word_count;
    uint32_t column_count;
    Column *columns; /* sorted by component */
    ColumnSlot *lookup;
    uint32_t lookup_mask;
    uint32_t edge_mask; /* table size - 1; no table yet: 0 */
    Edge *edges;
    uint32_t edge_count;
    uint32_t row_bytes;
    uint32_t full_capacity; /* rows of a full chunk */
    uint32_t full_class, row_count;
    uint32_t chunk_capacity; /* of head.chunk_ids and head.ticks */
    bool has_spare;          /* chunk_ids[0] is kept though the archetype is empty */
    uint8_t hook_flags;
    bool has_node;
    uint32_t hash;
    size_t allocated_bytes;
};

/* ---- Queries ---- */

struct CnQuery {
    CniQueryHead head;
    CnWorld *world;
    CnBitSet all, any, none, optional, write;
    uint32_t *term_ids;
    uint32_t match_capacity;
    uint64_t hash;
};

/* ---- Commands: see commands.c ---- */

typedef struct CommandBlock CommandBlock;
struct Record;

/* ---- World ---- */

typedef struct System System;
typedef struct Tree Tree;

struct CnWorld {
    CnAllocator *allocator;
    uint64_t tick;
    uint32_t structure; /* counts structural changes */
    uint32_t hook_depth;
    bool flushing;
    Blocks blocks;
    Slots slots;

    CN_ARRAY(Component) components; /* by id; [0] is unused */
    CnU32Array free_components;
    CnU32Array component_by_slot;
    CnU32Array component_by_name;
    CnNames names;
    uint32_t node; /* id of CnNode; 0 until the first use */
    CnBitSet pair_targets; /* indices of entities that some pair points to */
    CnHashMap pairs;       /* kind and target -> pair component */
    CnHashMap pair_heads;  /* target -> its first pair component */

    CN_ARRAY(CniChunk) chunks;
    CnU32Array free_chunks;
    CN_ARRAY(Archetype *) archetypes; /* [0] is the empty one */
    Archetype **archetype_table;
    uint32_t archetype_table_size;
    CnU32Array scratch_ids;

    CN_ARRAY(CnQuery *) queries;
    CnHashMap query_by_hash;
    CN_ARRAY(CnQuery *) free_queries; /* without `all`: looked at for every new archetype */
    CN_ARRAY(CnQuery *) matching;     /* scratch of archetype creation */

    CN_ARRAY(CnCommands *) commands; /* [0] is hook_commands */
    CnCommands *hook_commands;
    uint32_t spawning_buffers;
    CN_ARRAY(struct Record *) pending; /* by entity index: its last record while a flush links */
    bool has_commands; /* since the last flush */
    uint64_t skipped_commands, failed_commands, oversize_commands;

    CN_ARRAY(CnChannel *) channels;
    CnU32Array resources; /* components that have one, in order of creation */

    CN_ARRAY(System *) systems; /* in order of registration */
    CN_ARRAY(System *) sorted[CN_PHASE_COUNT];
    bool sorted_valid[CN_PHASE_COUNT];
    uint32_t last_system;
    System *running; /* for guards */
    bool in_phase, systems_removed;
    double fixed_timestep, accumulator;
    uint32_t max_fixed_steps;

    Tree *tree;
    uint32_t tree_version;
};

/* component.c */
void cni_component_release(CnWorld *world, uint32_t id); /* a pair whose target died */
static inline Component *cni_component(const CnWorld *world, uint32_t id)
{
    return id < world->components.count && world->components.items[id].info.name
               ? &world->components.items[id]
               : NULL;
}
/* The component a value or term means; 0 when unknown. Registers C types when `world` is allowed to
 * change. */
uint64_t cni_pair_key(uint32_t kind, CnEntity target);
uint32_t cni_value_component(CnWorld *world, const CnType *type, CnComponent component);

/* archetype.c */
Archetype *cni_archetype_find_or_create(CnWorld *world, const uint32_t *ids, uint32_t count);
void cni_archetype_destroy(CnWorld *world, Archetype *archetype);
Archetype *cni_archetype_toggle_slow(CnWorld *world, Archetype *archetype, uint32_t component);
void cni_archetypes_fini(CnWorld *world);

static inline bool cni_archetype_has(const Archetype *archetype, uint32_t component)
{
    uint32_t word = component >> 6;
    return word < archetype->word_count && (archetype->words[word] >> (component & 63u) & 1u);
}

/* The column of a component, or NULL (absent, or a tag). */
static inline const Column *cni_archetype_column(const Archetype *archetype, uint32_t component)
{
    uint32_t i = component & archetype->lookup_mask;
    while (archetype->lookup[i].component != component) {
        if (!archetype->lookup[i].component)
            return NULL;
        i = (i + 1) & archetype->lookup_mask;
    }
    return &archetype->columns[archetype->lookup[i].column];
}

/* The archetype with this component added or removed, whichever applies; NULL when out of memory. */
static inline Archetype *cni_archetype_toggle(CnWorld *world, Archetype *archetype,
                                              uint32_t component)
{
    if (CN_LIKELY(archetype->edge_mask)) {
        uint32_t i = component & archetype->edge_mask;
        while (archetype->edges[i].component) {
            if (CN_LIKELY(archetype->edges[i].component == component))
                return archetype->edges[i].to;
            i = (i + 1) & archetype->edge_mask;
        }
    }
    return cni_archetype_toggle_slow(world, archetype, component);
}

/* rows.c: chunks and rows */
typedef struct Place {
    uint32_t chunk, row;
} Place;

static inline Place cni_place(uint32_t location)
{
    Place place = {location >> CNI_ROW_BITS, location & (CN_CHUNK_MAX_ROWS - 1u)};
    return place;
}

static inline uint32_t cni_location(Place place)
{
    return place.chunk << CNI_ROW_BITS | place.row;
}

static inline Archetype *cni_chunk_archetype(const CniChunk *chunk)
{
    return (Archetype *)(void *)chunk->archetype;
}

static inline CnEntity *cni_chunk_entities(const CniChunk *chunk)
{
    return (CnEntity *)(void *)chunk->data;
}

static inline uint64_t *cni_chunk_ticks(const CniChunk *chunk)
{
    const CniArchetype *head = chunk->archetype;
    return head->ticks + (size_t)chunk->position * head->tick_stride;
}

/* Where a column starts in a chunk. */
static inline uint8_t *cni_column_base(const CniChunk *chunk, const Column *column)
{
    return chunk->data + (size_t)column->prefix * chunk->capacity;
}

/* A new chunk at the end of the archetype (or a larger first one) with room for at least one row;
 * false when out of memory or chunks. Sets *place to the first free row. */
bool cni_rows_extend(CnWorld *world, Archetype *archetype);
/* Gives the last chunk's memory back, or keeps it as the spare. Its rows are gone. */
void cni_rows_drop_last_chunk(CnWorld *world, Archetype *archetype);
void cni_rows_drop_spare(CnWorld *world, Archetype *archetype);
/* Fills the hole with the archetype's last row. */
void cni_row_remove(CnWorld *world, Place place);
/* Moves a live entity's row into another archetype: shared columns are copied, new ones hold their
 * default. `toggled` is the one component that differs, or 0 for any difference. False when out of
 * memory, and nothing changed. */
bool cni_row_move(CnWorld *world, Slot *slot, CnEntity entity, Archetype *to, uint32_t toggled);
void cni_value_write(const CniChunk *chunk, const Column *column, uint32_t row, const void *value);
void cni_value_read(const CniChunk *chunk, const Column *column, uint32_t row, void *value);
/* The same value (stride 0) or an array of them into `count` rows; NULL: the default. */
void cni_values_write(const CnWorld *world, const CniChunk *chunk, const Column *column,
                      uint32_t row, uint32_t count, const void *values, uint32_t stride);
/* Moves all rows of one archetype to another. False when out of memory: what moved stays moved. */
bool cni_rows_move_all(CnWorld *world, Archetype *from, Archetype *to);

/* Room for one more row. */
static inline bool cni_rows_make_room(CnWorld *world, Archetype *archetype)
{
    const CniArchetype *head = &archetype->head;
    if (CN_LIKELY(head->chunk_count)) {
        const CniChunk *last = &world->chunks.items[head->chunk_ids[head->chunk_count - 1]];
        if (CN_LIKELY(last->count < last->capacity))
            return true;
    }
    return cni_rows_extend(world, archetype);
}

/* Appends a row for the entity and points its slot there; the columns hold garbage. */
static inline bool cni_row_append(CnWorld *world, Archetype *archetype, CnEntity entity,
                                  Slot *slot, Place *place)
{
    CniArchetype *head = &archetype->head;
    if (CN_UNLIKELY(!cni_rows_make_room(world, archetype)))
        return false;
    uint32_t position = head->chunk_count - 1;
    place->chunk = head->chunk_ids[position];
    CniChunk *chunk = &world->chunks.items[place->chunk];
    place->row = chunk->count++;
    cni_chunk_entities(chunk)[place->row] = entity;
    head->ticks[(size_t)position * head->tick_stride] = world->tick;
    archetype->row_count++;
    slot->location = cni_location(*place);
    return true;
}

/* hooks.c */
void cni_hook_call(CnWorld *world, const CnHook *hook, CnEntity entity, uint32_t component);
/* Calls on_remove for what `from` has and `to` (NULL: nothing) lacks. */
void cni_hooks_removed(CnWorld *world, CnEntity entity, const Archetype *from,
                       const Archetype *to);
/* The same for every row of an archetype, which hooks cannot move. */
void cni_hooks_removed_all(CnWorld *world, const Archetype *from, const Archetype *to);
/* Calls on_add for what `to` has and `from` (NULL: nothing) lacked. */
void cni_hooks_added(CnWorld *world, CnEntity entity, const Archetype *from, const Archetype *to);
void cni_hook_set(CnWorld *world, CnEntity entity, uint32_t component);
/* Applies what hooks recorded, once the operation that called them is complete. */
void cni_hooks_settle(CnWorld *world);
void cni_archetype_update_hook_flags(CnWorld *world, Archetype *archetype);

static inline void cni_structure_changed(CnWorld *world)
{
    CN_ASSERT(!world->running, "a system changes the structure of the world directly; use its "
                               "commands");
    world->structure++;
}

/* entity.c */
bool cni_may_change(const CnWorld *world, uint32_t component);
bool cni_destroy_now(CnWorld *world, CnEntity entity);

/* query.c */
bool cni_query_matches_archetype(const CnQuery *query, const Archetype *archetype);
bool cni_query_reserve(CnQuery *query, uint32_t matches);
void cni_query_push(CnQuery *query, Archetype *archetype);
void cni_query_forget(CnQuery *query, const Archetype *archetype);
void cni_queries_fini(CnWorld *world);

/* commands.c, flush.c */
void cni_commands_free(CnCommands *commands);
/* Forgets what was recorded and gives reserved ids back. */
void cni_commands_discard(CnCommands *commands);
bool cni_commands_apply(CnWorld *world, CnCommands *const *buffers, uint32_t count);
/* Turns numbers that buffers took into ids they own, so that others can be handed out. */
bool cni_commands_settle(CnWorld *world);
/* Puts the numbers that a buffer owns and did not use back on the free stack. */
void cni_commands_return_owned(CnCommands *commands);

/* relation.c, tree.c */
void cni_node_unlink(CnWorld *world, CnEntity entity);
void cni_pairs_target_died(CnWorld *world, CnEntity target);
void cni_tree_fini(CnWorld *world);

/* event.c, system.c */
void cni_channels_fini(CnWorld *world);
void cni_systems_fini(CnWorld *world);
/* Guards only: may the running system touch this component so? */
bool cni_access_declared(const CnWorld *world, uint32_t component, CnAccess access);

#endif
