/* What a client sees, and what it needs first. */
#include "net/replication_internal.h"

#define OWN_PRIORITY UINT16_MAX
#define REMOVAL_PRIORITY (UINT16_MAX - 1u)
#define MAX_PRIORITY (UINT16_MAX - 2u)
#define LEAVE_FACTOR 1.125f /* of the view distance: beyond it, an entity is removed */
#define LEAVE_MARGIN 2.0f   /* and at least this far beyond */

typedef struct View {
    float x, y, z;
    float enter, leave; /* squared distances */
    uint32_t viewer;    /* slot; UINT32_MAX: none */
    uint32_t owner;
} View;

static View make_view(const CnNetReplication *r, const CniNetClient *client)
{
    const CnNetClientDesc *desc = &client->desc;
    const float near = desc->view_distance;
    const float far = cn_fabsf(near) * LEAVE_FACTOR;
    const float leave = far > near + LEAVE_MARGIN ? far : near + LEAVE_MARGIN;
    View view = {.x = desc->position.x,
                 .y = desc->position.y,
                 .z = desc->position.z,
                 .enter = near > 0 ? near * near : __builtin_inff(),
                 .leave = near > 0 ? leave * leave : __builtin_inff(),
                 .viewer = UINT32_MAX,
                 .owner = desc->owner};
    if (cn_entity_is_null(desc->viewer))
        return view;
    view.viewer = cn_net_replication_id(r, desc->viewer);
    if (view.viewer != UINT32_MAX && r->flags.items[view.viewer] & CNI_NET_SLOT_HAS_POSITION) {
        const float *position = &r->positions.items[(size_t)view.viewer * 3];
        view.x = position[0];
        view.y = position[1];
        view.z = position[2];
    }
    return view;
}

/* Without a position the entity is as near as it can be. */
static inline float distance_squared(const CnNetReplication *r, const View *view, uint32_t slot)
{
    const float *p = &r->positions.items[(size_t)slot * 3];
    const float x = p[0] - view->x, y = p[1] - view->y, z = p[2] - view->z;
    return r->flags.items[slot] & CNI_NET_SLOT_HAS_POSITION ? x * x + y * y + z * z : 0;
}

static inline bool is_own(const CnNetReplication *r, const View *view, uint32_t slot)
{
    return slot == view->viewer || (view->owner && r->slots.items[slot].owner == view->owner);
}

/* ---- Known entities ---- */

static bool reserve_client(CnNetReplication *r, CniNetClient *client, uint32_t slots)
{
    if (slots > client->index_capacity) {
        const uint32_t capacity = slots + slots / 4 < 64 ? 64 : slots + slots / 4;
        uint16_t *index =
            cn_realloc(r->allocator, client->index, client->index_capacity * sizeof *index,
                       capacity * sizeof *index);
        if (!index)
            return false;
        memset(index + client->index_capacity, 0,
               (capacity - client->index_capacity) * sizeof *index);
        client->index = index;
        client->index_capacity = capacity;
    }
    return cn_array_reserve(&r->candidates, slots) &&
           cn_array_reserve(&r->sorted, (uint64_t)slots * 2);
}

static bool reserve_known(CnNetReplication *r, CniNetClient *client)
{
    uint32_t capacity = client->known_capacity + client->known_capacity / 2;
    capacity = capacity < 32 ? 32 : capacity;
    if (client->known_count < client->known_capacity)
        return true;
    CniNetKnown *known =
        cn_realloc(r->allocator, client->known, client->known_capacity * sizeof *known,
                   capacity * sizeof *known);
    if (!known)
        return false;
    client->known = known;
    client->known_capacity = capacity;
    return true;
}

/* Returns the position of the entity among the known ones + 1; 0 if there is no room for it. */
static uint32_t add_known(CnNetReplication *r, CniNetClient *client, uint32_t slot)
{
    const uint32_t most = client->desc.max_entities < CN_NET_MAX_SHARED ? client->desc.max_entities
                                                                        : CN_NET_MAX_SHARED;
    if (client->known_count >= most || !reserve_known(r, client)) {
        client->stats.refused++;
        return 0;
    }
    client->known[client->known_count] =
        (CniNetKnown){.slot = (uint16_t)slot, .attention = r->number - 1};
    r->slots.items[slot].clients++;
    client->index[slot] = (uint16_t)++client->known_count;
    return client->known_count;
}

static void forget_states(CniNetKnown *known)
{
    known->base = known->last_sent = 0;
    known->sent = 0;
}

/* Follows whether the entity is visible. Returns false if the entity is not known any more. */
static bool update_known(CnNetReplication *r, CniNetClient *client, uint32_t index, bool visible)
{
    CniNetKnown *known = &client->known[index];
    const bool is_removing = known->flags & CNI_NET_KNOWN_REMOVING;
    if (visible != is_removing)
        return true;
    if (!visible && !(known->flags & CNI_NET_KNOWN_ANNOUNCED)) {
        cni_net_forget(r, client, index);
        return false;
    }
    forget_states(known);
    known->flags ^= CNI_NET_KNOWN_REMOVING;
    return true;
}

/* ---- Candidates ---- */

static uint16_t priority_of(float distance, uint32_t waited)
{
    const uint32_t weight = distance < 8 * 8     ? 16
                            : distance < 16 * 16 ? 10
                            : distance < 32 * 32 ? 6
                            : distance < 64 * 64 ? 4
                                                 : 3;
    const uint64_t priority = (uint64_t)weight * waited;
    return (uint16_t)(priority < MAX_PRIORITY ? priority : MAX_PRIORITY);
}

/* A state that was sent and not acknowledged is sent again when it changed, or after a while. The
 * first state is long; it is only sent again after a while. */
static bool is_due(const CnNetReplication *r, const CniNetClient *client, const CniNetKnown *known,
                   uint32_t version, bool own)
{
    if (known->base && version <= known->base)
        return false;
    if (!known->last_sent || r->number - known->last_sent >= client->desc.resend_after || own)
        return true;
    return known->base && version > known->last_sent;
}

static void add_candidate(CnNetReplication *r, uint32_t slot, uint16_t priority,
                          CniNetRecord record)
{
    r->candidates.items[r->candidates.count++] =
        (CniNetCandidate){.slot = (uint16_t)slot, .priority = priority, .record = (uint8_t)record};
}

static void consider(CnNetReplication *r, CniNetClient *client, const View *view,
                     const CniNetState *state, uint32_t index)
{
    CniNetKnown *known = &client->known[index];
    const uint32_t slot = known->slot;
    known->sent &= ~((uint64_t)1 << r->number % CN_NET_HISTORY); /* of the snapshot before it */
    if (known->flags & CNI_NET_KNOWN_REMOVING) {
        if (!known->last_sent || r->number - known->last_sent >= client->desc.resend_after)
            add_candidate(r, slot, REMOVAL_PRIORITY, CNI_NET_RECORD_REMOVAL);
        return;
    }
    const bool owned = view->owner && r->slots.items[slot].owner == view->owner;
    if (owned != ((known->flags & CNI_NET_KNOWN_OWNED) != 0)) {
        forget_states(known);
        known->flags ^= CNI_NET_KNOWN_OWNED;
    }
    const bool own = owned || slot == view->viewer;
    const uint32_t version = owned ? state->owner_version : state->public_version;
    if (!is_due(r, client, known, version, own))
        return;
    const uint32_t waited = r->number - known->attention;
    const uint16_t priority =
        own ? OWN_PRIORITY : priority_of(distance_squared(r, view, slot), waited);
    add_candidate(r, slot, priority, CNI_NET_RECORD_UPDATE);
}

bool cni_net_select(CnNetReplication *r, CniNetClient *client)
{
    const CniNetCapture *capture = cni_net_last_capture(r);
    const View view = make_view(r, client);
    if (!reserve_client(r, client, capture->count))
        return false;
    cn_array_clear(&r->candidates);
    client->stats.refused = client->stats.oversized = 0;
    for (uint32_t slot = 0; slot < capture->count; slot++) {
        uint32_t known = client->index[slot];
        const bool alive =
            r->flags.items[slot] & CNI_NET_SLOT_ALIVE && r->slots.items[slot].born <= r->number;
        if (!alive && !known)
            continue;
        const float limit = known ? view.leave : view.enter;
        const bool visible =
            alive && (distance_squared(r, &view, slot) <= limit || is_own(r, &view, slot));
        if (!known && visible)
            known = add_known(r, client, slot);
        else if (known && !update_known(r, client, known - 1, visible))
            known = 0;
        if (known)
            consider(r, client, &view, cni_net_state(r, capture, slot), known - 1);
    }
    return true;
}

/* ---- Sorting by priority, byte by byte; equal ones keep the order of their ids ---- */

static void sort_by_byte(uint32_t *to, const uint32_t *from, uint32_t count, uint32_t shift)
{
    uint32_t starts[256] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        starts[from[i] >> shift & 255u]++;
    for (uint32_t i = 0; i < 256; i++) {
        const uint32_t n = starts[i];
        starts[i] = sum;
        sum += n;
    }
    for (uint32_t i = 0; i < count; i++)
        to[starts[from[i] >> shift & 255u]++] = from[i];
}

void cni_net_sort(CnNetReplication *r)
{
    const uint32_t count = r->candidates.count;
    uint32_t *keys = r->sorted.items, *other = keys + count;
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (uint32_t)(UINT16_MAX - r->candidates.items[i].priority) << 16 | i;
    sort_by_byte(other, keys, count, 16);
    sort_by_byte(keys, other, count, 24);
}
