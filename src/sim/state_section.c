/* State sections: state outside of the world, saved behind it. docs/formats.md describes the
 * format. */
#include "sim/sim_internal.h"

#include <cairn/base/bytes.h>

#define MAGIC "CNSTATE\n"
#define MAGIC_BYTES 8u
#define TRAILER_BYTES (8u + 4u + MAGIC_BYTES)
#define PART_BYTES (4u + 8u)

static CnStateSection *find(const CnSim *sim, CnText name)
{
    for (uint32_t i = 0; i < sim->sections.count; i++)
        if (cn_text_equal(cn_text(sim->sections.items[i].name), name))
            return &sim->sections.items[i];
    return NULL;
}

bool cn_sim_add_state_section(CnSim *sim, const CnStateSection *section, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_ASSERT(section, "%s: section is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    if (find(sim, cn_text(section->name)))
        return cn_error_set(error, CN_ERROR_EXISTS, "state section %s already exists",
                            section->name);
    return cn_array_push(&sim->sections, *section) ||
           cn_error_memory(error, "state section %s", section->name);
}

void cn_sim_remove_state_section(CnSim *sim, const char *name)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    uint32_t n = 0;
    for (uint32_t i = 0; i < sim->sections.count; i++)
        if (strcmp(sim->sections.items[i].name, name) != 0)
            sim->sections.items[n++] = sim->sections.items[i];
    sim->sections.count = n;
}

/* ---- Saving ---- */

static bool append(CnSnapshot *snapshot, const void *bytes, size_t size)
{
    if (size > snapshot->capacity - snapshot->size) {
        size_t capacity = snapshot->size + size + snapshot->size / 4;
        uint8_t *grown =
            cn_realloc(snapshot->allocator, snapshot->bytes, snapshot->capacity, capacity);
        if (!grown)
            return false;
        snapshot->bytes = grown;
        snapshot->capacity = capacity;
    }
    if (size)
        memcpy(snapshot->bytes + snapshot->size, bytes, size);
    snapshot->size += size;
    return true;
}

static bool save_part(const CnStateSection *section, CnSnapshot *snapshot, CnU8Array *part,
                      CnError *error)
{
    cn_array_clear(part);
    if (!section->save(section->user, part, error))
        return false;
    uint32_t name_size = (uint32_t)strlen(section->name);
    uint64_t size = part->count;
    return (append(snapshot, &name_size, sizeof name_size) &&
            append(snapshot, &size, sizeof size) && append(snapshot, section->name, name_size) &&
            append(snapshot, part->items, part->count)) ||
           cn_error_memory(error, "saving %s", section->name);
}

bool cni_sim_state_sections_save(const CnSim *sim, CnSnapshot *snapshot, CnError *error)
{
    uint64_t world_size = snapshot->size;
    uint32_t count = sim->sections.count;
    if (!count)
        return true;
    CnU8Array part;
    cn_array_init(&part, sim->allocator);
    bool done = true;
    for (uint32_t i = 0; i < count && done; i++)
        done = save_part(&sim->sections.items[i], snapshot, &part, error);
    cn_array_fini(&part);
    if (done && !(append(snapshot, &world_size, sizeof world_size) &&
                  append(snapshot, &count, sizeof count) && append(snapshot, MAGIC, MAGIC_BYTES)))
        done = cn_error_memory(error, "saving a simulation");
    if (!done)
        cn_snapshot_free(snapshot);
    return done;
}

/* ---- Restoring ---- */

typedef struct Parts {
    const uint8_t *bytes;
    size_t at, end;
    uint32_t left;
} Parts;

typedef struct Part {
    CnText name;
    const uint8_t *bytes;
    size_t size;
} Part;

/* Returns false if there are no sections and all bytes belong to the world. */
static bool begin_parts(const uint8_t *bytes, size_t size, Parts *parts)
{
    *parts = (Parts){bytes, size, size, 0};
    if (size < TRAILER_BYTES || memcmp(bytes + size - MAGIC_BYTES, MAGIC, MAGIC_BYTES) != 0)
        return false;
    parts->end = size - TRAILER_BYTES;
    uint64_t world_size = cn_load_u64(bytes + parts->end);
    parts->at = world_size < parts->end ? (size_t)world_size : parts->end;
    parts->left = cn_load_u32(bytes + parts->end + 8);
    return true;
}

static bool next_part(Parts *parts, Part *part)
{
    if (!parts->left || parts->end - parts->at < PART_BYTES)
        return false;
    uint32_t name_size = cn_load_u32(parts->bytes + parts->at);
    uint64_t size = cn_load_u64(parts->bytes + parts->at + 4);
    size_t room = parts->end - parts->at - PART_BYTES;
    if (name_size > room || size > room - name_size)
        return false;
    const uint8_t *name = parts->bytes + parts->at + PART_BYTES;
    *part = (Part){{(const char *)name, name_size}, name + name_size, (size_t)size};
    parts->at += PART_BYTES + name_size + (size_t)size;
    parts->left--;
    return true;
}

bool cni_sim_state_sections_split(const void *bytes, size_t size, size_t *world_size,
                                  CnError *error)
{
    Parts parts;
    Part part;
    bool has_parts = begin_parts(bytes, size, &parts);
    *world_size = parts.at;
    while (has_parts && next_part(&parts, &part)) {
    }
    return !has_parts || (!parts.left && parts.at == parts.end) ||
           cn_error_set(error, CN_ERROR_FORMAT, "the saved simulation is damaged at byte %zu",
                        parts.at);
}

static bool find_part(const void *bytes, size_t size, const char *name, Part *part)
{
    Parts parts;
    if (!begin_parts(bytes, size, &parts))
        return false;
    while (next_part(&parts, part))
        if (cn_text_equal(part->name, cn_text(name)))
            return true;
    return false;
}

bool cni_sim_state_sections_restore(CnSim *sim, const void *bytes, size_t size, CnError *error)
{
    for (uint32_t i = 0; i < sim->sections.count; i++) {
        const CnStateSection *section = &sim->sections.items[i];
        Part part = {0};
        if (!find_part(bytes, size, section->name, &part))
            part = (Part){0};
        if (!section->restore(section->user, part.bytes, part.size, error))
            return false;
    }
    return true;
}

bool cni_sim_state_sections_copy(CnSim *to, const CnSim *from, CnError *error)
{
    CnU8Array part;
    cn_array_init(&part, from->allocator);
    bool done = true;
    for (uint32_t i = 0; i < from->sections.count && done; i++)
        if (!find(to, cn_text(from->sections.items[i].name)))
            done = cn_error_set(error, CN_ERROR_NOT_FOUND,
                                "state section %s was not added by a plugin: the clone has none",
                                from->sections.items[i].name);
    for (uint32_t i = 0; i < to->sections.count && done; i++) {
        const CnStateSection *section = &to->sections.items[i];
        const CnStateSection *source = find(from, cn_text(section->name));
        cn_array_clear(&part);
        done = (!source || source->save(source->user, &part, error)) &&
               section->restore(section->user, part.items, part.count, error);
    }
    cn_array_fini(&part);
    return done;
}
