/* Change tracking per entity: a bit per entity index in each reader. Several threads may write, so
 * bits are set atomically. The memory for them grows when entities get the component, which only
 * one thread does. */
#include "ecs/world/world_internal.h"

#include <cairn/ecs/row_changes.h>

#define WORD_BITS 64u

struct CnRowChanges {
    CnWorld *world;
    CnComponent component;
    uint64_t *words;
    uint32_t word_count;
    uint32_t next;      /* index to continue with */
    uint32_t loads;     /* of the world, at the last call */
    bool has_lost_some; /* memory was exhausted: all entities count as changed */
};

static void mark(CnRowChanges *changes, uint32_t index)
{
    if (CN_LIKELY(index / WORD_BITS < changes->word_count))
        __atomic_fetch_or(&changes->words[index / WORD_BITS], UINT64_C(1) << index % WORD_BITS,
                          __ATOMIC_RELAXED);
    else
        __atomic_store_n(&changes->has_lost_some, true, __ATOMIC_RELAXED);
}

/* Makes room for all entity indices of the world. */
static bool make_room(CnRowChanges *changes)
{
    const CnWorld *world = changes->world;
    uint32_t needed = world->head.page_count * (CNI_ECS_PAGE_SLOTS / WORD_BITS);
    if (needed <= changes->word_count)
        return true;
    uint32_t count = changes->word_count * 2 > needed ? changes->word_count * 2 : needed;
    uint64_t *words = cn_realloc(world->allocator, changes->words,
                                 changes->word_count * sizeof *words, count * sizeof *words);
    if (!words)
        return false;
    memset(words + changes->word_count, 0, (count - changes->word_count) * sizeof *words);
    changes->words = words;
    changes->word_count = count;
    return true;
}

/* ---- Writes ---- */

/* Only one thread at a time adds rows. */
static void note_added(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    CnRowChanges *changes = user;
    (void)world, (void)component;
    make_room(changes); /* mark handles a failure */
    mark(changes, cn_entity_index(entity));
}

/* Systems that share a wave may set values concurrently. */
static void note_set(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    (void)world, (void)component;
    mark(user, cn_entity_index(entity));
}

bool cni_ecs_is_row_changes_hook(const CnHooks *hooks)
{
    return hooks->on_add.call == note_added;
}

void cni_ecs_row_mark_written(const CnWorld *world, CnEntity entity, CnComponent component)
{
    for (uint32_t i = 0; i < world->row_changes.count; i++)
        if (world->row_changes.items[i]->component.id == component.id)
            mark(world->row_changes.items[i], cn_entity_index(entity));
}

void cni_ecs_rows_mark_written(const CnChunkView *view, const CniEcsQueryColumn *column)
{
    const CnWorld *world = cn_query_world((const CnQuery *)(const void *)view->query);
    const CniEcsArchetype *archetype = cni_ecs_chunk_archetype(view->chunk);
    uint32_t component = archetype->columns[cni_ecs_column_tick_index(column)].component;
    view->ticks[cni_ecs_column_tick_index(column)] = view->tick;
    for (uint32_t i = 0; i < world->row_changes.count; i++) {
        CnRowChanges *changes = world->row_changes.items[i];
        for (uint32_t row = 0; row < view->count && changes->component.id == component; row++)
            mark(changes, cn_entity_index(view->entities[row]));
    }
}

/* ---- Readers ---- */

static CnHooks hooks_of(CnRowChanges *changes)
{
    return (CnHooks){.on_add = {note_added, changes}, .on_set = {note_set, changes}};
}

CnRowChanges *cn_row_changes_create(CnWorld *world, CnComponent component, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CNI_ECS_REPORT_UNHANDLED(world, error);
    const CniEcsComponent *found = cni_ecs_component_get(world, component.id);
    if (!found || !(found->info.flags & CN_COMPONENT_TRACKED)) {
        cn_error_set(error, CN_ERROR_MISMATCH,
                     "changes of %s are not tracked: register it with CN_COMPONENT_TRACKED",
                     found ? found->info.name : "a component that is not registered");
        return NULL;
    }
    CnRowChanges *changes = cn_alloc_zeroed(world->allocator, sizeof *changes);
    if (changes)
        *changes = (CnRowChanges){.world = world, .component = component, .loads = world->loads};
    CnHooks hooks = hooks_of(changes);
    bool is_listed = changes && make_room(changes) && cn_array_push(&world->row_changes, changes);
    if (is_listed && cn_component_add_hooks(world, component, &hooks))
        return changes;
    if (is_listed)
        world->row_changes.count--;
    if (changes)
        cn_free(world->allocator, changes->words, changes->word_count * sizeof *changes->words);
    cn_free(world->allocator, changes, sizeof *changes);
    cn_error_memory(error, "tracking changes of %s", found->info.name);
    return NULL;
}

static void free_changes(CnRowChanges *changes)
{
    CnAllocator *allocator = changes->world->allocator;
    cn_free(allocator, changes->words, changes->word_count * sizeof *changes->words);
    cn_free(allocator, changes, sizeof *changes);
}

void cn_row_changes_destroy(CnRowChanges *changes)
{
    if (!changes)
        return;
    CnWorld *world = changes->world;
    CnHooks hooks = hooks_of(changes);
    cn_component_remove_hooks(world, changes->component, &hooks);
    uint32_t retained = 0;
    for (uint32_t i = 0; i < world->row_changes.count; i++)
        if (world->row_changes.items[i] != changes)
            world->row_changes.items[retained++] = world->row_changes.items[i];
    world->row_changes.count = retained;
    free_changes(changes);
}

void cni_ecs_row_changes_fini(CnWorld *world)
{
    for (uint32_t i = 0; i < world->row_changes.count; i++)
        free_changes(world->row_changes.items[i]);
    cn_array_fini(&world->row_changes);
}

static bool mark_all(CnRowChanges *changes)
{
    const CnWorld *world = changes->world;
    const CniEcsComponent *component = &world->components.items[changes->component.id];
    if (!make_room(changes))
        return false;
    for (uint32_t a = 0; a < component->archetypes.count; a++) {
        const CniEcsArchetypeHead *head = &component->archetypes.items[a].archetype->head;
        for (uint32_t c = 0; c < head->chunk_count; c++) {
            const CniEcsChunk *chunk = &world->chunks.items[head->chunk_ids[c]];
            for (uint32_t row = 0; row < chunk->count; row++)
                mark(changes, cn_entity_index(cni_ecs_chunk_entities(chunk)[row]));
        }
    }
    return true;
}

/* Returns the next index whose bit is set and clears the bit; UINT32_MAX if there is none. */
static uint32_t take_next(CnRowChanges *changes)
{
    for (uint32_t w = changes->next / WORD_BITS; w < changes->word_count; w++) {
        uint64_t word = __atomic_load_n(&changes->words[w], __ATOMIC_RELAXED);
        if (w == changes->next / WORD_BITS)
            word &= ~UINT64_C(0) << changes->next % WORD_BITS;
        if (!word)
            continue;
        uint64_t bit = word & (0 - word);
        __atomic_fetch_and(&changes->words[w], ~bit, __ATOMIC_RELAXED);
        return w * WORD_BITS + (uint32_t)__builtin_ctzll(word);
    }
    return UINT32_MAX;
}

bool cn_row_changes_next(CnRowChanges *changes, CnEntity *entity)
{
    CN_ASSERT(changes, "%s: changes is NULL", __func__);
    CN_ASSERT(entity, "%s: entity is NULL", __func__);
    const CnWorld *world = changes->world;
    CN_ASSERT(cni_ecs_may_read(world, changes->component.id), "%s",
              cni_ecs_access_text(world, changes->component.id, "read"));
    if (CN_UNLIKELY(changes->has_lost_some || changes->loads != world->loads)) {
        /* When out of memory, this is repeated later; nothing is lost. */
        changes->has_lost_some = !mark_all(changes);
        changes->loads = world->loads;
    }
    for (uint32_t index; (index = take_next(changes)) != UINT32_MAX;) {
        changes->next = index + 1;
        *entity = cn_entity_at(world, index);
        if (entity->id && cn_has_component(world, *entity, changes->component))
            return true;
    }
    changes->next = 0;
    return false;
}
