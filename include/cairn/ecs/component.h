/*
 * Components: one description feeds columns, files, scripts, network, hashing and inspectors.
 *
 *     CN_COMPONENT(Position, (f32, x), (f32, y), (f32, z));     // a struct and its description
 *     CN_COMPONENT(Inventory, (u16, items, 36), (text, label, 32));
 *     CN_TAG(Frozen);                                           // no data
 *
 * At file scope, in a header or a source file. `Position` is then an ordinary C struct. A struct
 * that exists already is described with CN_DESCRIBE(Position, (f32, x), ...), and one whose inside
 * nobody else may see with CN_OPAQUE(Socket): opaque components are neither saved nor hashed (but
 * see CN_COMPONENT_DERIVED).
 *
 * A described struct can be a field of another:
 *
 *     CN_STRUCT(Range, (f32, lo), (f32, hi));
 *     CN_COMPONENT(Gun, (struct, Range, spread), (struct, Range, zones, 3), (f32, heat));
 *
 * In C, `gun.zones[2].lo` is what it looks like. A registered component has only plain fields:
 * those of a nested struct are listed one by one under dotted names, "spread.lo" and "zones.2.lo".
 * CN_STRUCT is CN_COMPONENT under a name that says what the type is for.
 *
 * The name of a type identifies it in the whole program. Two source files may repeat the same
 * description, which is what including a header does. If they describe different types under one
 * name, registration fails with an error that names both places; spawning with such a type returns
 * the null entity and reading it returns NULL.
 *
 * A component becomes known to a world by its first use, or by cn_register, which also takes
 * options:
 *
 *     cn_register(world, Health, .default_value = &(Health){100, 100}, .hooks = {.on_add = greet});
 *     cn_register(world, Particle, .layout = CN_LAYOUT_FIELDS);
 */
#ifndef CAIRN_ECS_COMPONENT_H
#define CAIRN_ECS_COMPONENT_H

#include <cairn/base.h>
#include <cairn/ecs/describe.h>
#include <cairn/ecs/limits.h>

CN_EXTERN_C_BEGIN

typedef struct CnWorld CnWorld;

/* Index and generation; zero is null. A destroyed entity's id is never valid again. */
typedef struct CnEntity {
    uint64_t id;
} CnEntity;

/* A component of one world; zero is null. */
typedef struct CnComponent {
    uint32_t id;
} CnComponent;

static inline uint32_t cn_entity_index(CnEntity entity)
{
    return (uint32_t)entity.id;
}

static inline uint32_t cn_entity_generation(CnEntity entity)
{
    return (uint32_t)(entity.id >> 32);
}

static inline CnEntity cn_entity_make(uint32_t index, uint32_t generation)
{
    CnEntity entity = {(uint64_t)generation << 32 | index};
    return entity;
}

static inline bool cn_entity_is_null(CnEntity entity)
{
    return entity.id == 0;
}

static inline bool cn_entity_equal(CnEntity a, CnEntity b)
{
    return a.id == b.id;
}

/* ---- Description ---- */

typedef enum CnFieldType {
    CN_FIELD_F32,
    CN_FIELD_F64,
    CN_FIELD_I8,
    CN_FIELD_I16,
    CN_FIELD_I32,
    CN_FIELD_I64,
    CN_FIELD_U8,
    CN_FIELD_U16,
    CN_FIELD_U32,
    CN_FIELD_U64,
    CN_FIELD_BOOL,
    CN_FIELD_ENTITY,
    CN_FIELD_VEC2,
    CN_FIELD_VEC3,
    CN_FIELD_VEC4,
    CN_FIELD_QUAT,
    CN_FIELD_MAT4,
    CN_FIELD_TEXT, /* char[count], terminated UTF-8 */
    CN_FIELD_TYPE_COUNT
} CnFieldType;

/* A nested struct, in descriptions that the macros make; never in a registered component. */
#define CNI_FIELD_STRUCT CN_FIELD_TYPE_COUNT

typedef struct CnField {
    const char *name;
    CnFieldType type;
    uint32_t count;  /* elements; 1 for a plain field, bytes for text */
    uint32_t offset; /* in the struct */
    uint32_t size;   /* bytes of all elements */
} CnField;

/* What CN_COMPONENT makes; fill one in by hand for components that exist only at run time. */
typedef struct CnType {
    const char *name;
    uint32_t size; /* 0 for a tag */
    uint32_t alignment;
    const CnField *fields;
    uint32_t field_count; /* 0 with a size: opaque */
    struct CniEcsTypeSite
        *site; /* made by the macros; NULL in a type that exists only at run time */
} CnType;

/* What the macros know about the place of a description. Not for direct use. */
typedef struct CniEcsTypeSite {
    uint32_t number; /* given on first use, so that a world finds its component without a search */
    uint32_t line;
    const char *file;
    const uint64_t *records, *records_end; /* of all types of this program or shared library */
    const CnType *const *nested;           /* by field: its struct, or NULL; NULL: no fields */
} CniEcsTypeSite;

/* What one source file says about a type, in the linker section cn_types. The description itself is
 * a weak symbol of which the linker keeps one copy, whatever the others say; the records remain and
 * are compared. A record contains no addresses, so it needs no relocation. */
typedef struct CniEcsTypeRecord {
    uint32_t bytes; /* of the record; a multiple of 8 */
    uint32_t size, alignment, line;
    uint32_t field_count;
    uint32_t field_offset; /* of its CniFieldRecords, from the start of the record */
    char text[];           /* name, file, names of the fields; each ends with 0 */
} CniEcsTypeRecord;

typedef struct CniEcsFieldRecord {
    uint32_t type, count, offset, size;
} CniEcsFieldRecord;

CN_API const char *cn_field_type_name(CnFieldType type);
/* Bytes of one element. */
CN_API uint32_t cn_field_type_size(CnFieldType type);

/* ---- Registration ---- */

typedef enum CnLayout {
    CN_LAYOUT_PACKED, /* one column of structs */
    CN_LAYOUT_FIELDS  /* one column per field: faster when loops use a part of the fields */
} CnLayout;

typedef struct CnHook {
    /* Called once per entity. on_add: after the component is there; on_set: after a value was
     * written by set or spawn; on_remove: before it goes, value still readable. Structural changes
     * made inside a hook are deferred until the operation that called it is complete, in a system
     * until its stage is flushed; the id of what it spawns is good at once, also as a parent. A
     * value set on a component that is there is written at once, but not after a hook has removed
     * something: then it waits as well, so that the last change wins. */
    void (*call)(CnWorld *world, CnEntity entity, CnComponent component, void *user);
    void *user;
} CnHook;

/* Several components that come or go at once have their hooks called in order of their names, and
 * pairs of one kind in order of index and generation of their targets. A pair has the hooks of its
 * kind until it gets hooks of its own. */
typedef struct CnHooks {
    CnHook on_add, on_set, on_remove;
} CnHooks;

enum {
    CN_COMPONENT_TRANSIENT = 1 << 0, /* neither saved nor part of the state hash */
    /* Of an opaque one that is computed from the rest: who has it is saved and part of the state
     * hash, its value is not, and frames may write it. After a load it holds its default. In
     * contrast to a transient one, a load leaves its rows where they were. */
    CN_COMPONENT_DERIVED = 1 << 1,
    /* Of an opaque one: its bytes may be copied to another world. It owns nothing and points to
     * nothing that belongs to its world. */
    CN_COMPONENT_COPYABLE = 1 << 2,
    /* Writes are noted for each entity: see row_changes.h. Given before the first entity has it. */
    CN_COMPONENT_TRACKED = 1 << 3,
    CN_COMPONENT_FLAGS = CN_COMPONENT_TRANSIENT | CN_COMPONENT_DERIVED | CN_COMPONENT_COPYABLE |
                         CN_COMPONENT_TRACKED,
};

typedef struct CnComponentDesc {
    const CnType *type;
    CnLayout layout;
    uint32_t flags;
    const void *default_value; /* copied; NULL: zeros */
    CnHooks hooks;
} CnComponentDesc;

/* Registers, or finds by name. Registering again with another shape or layout is an error; other
 * options given again replace the old ones. The null component and an error otherwise; cn_register
 * logs it, each cause once, and counts it in the world's stats. */
CN_API CnComponent cn_component_register(CnWorld *world, const CnComponentDesc *desc,
                                         CnError *error);
#define cn_register(world, T, ...)                                                                 \
    cn_component_register((world), &(CnComponentDesc){.type = &cn_type_##T, __VA_ARGS__}, NULL)

/* What is registered; false for the null component. Name and fields live as long as the world. The
 * fields of nested structs are listed one by one. */
typedef struct CnComponentInfo {
    const char *name;
    uint32_t size, alignment;
    const CnField *fields;
    uint32_t field_count;
    CnLayout layout;
    uint32_t flags;
    const void *default_value; /* NULL: zeros */
    CnComponent pair_kind;     /* of a pair; null otherwise */
    CnEntity pair_target;
} CnComponentInfo;

CN_API bool cn_component_info(const CnWorld *world, CnComponent component, CnComponentInfo *info);
CN_API CnComponent cn_component_find(const CnWorld *world, const char *name);
CN_API const CnField *cn_component_field(const CnWorld *world, CnComponent component,
                                         const char *field);
/* Ids run from 1 to this number; cn_component_info is false for those in between that are free.
 * Which id a component has, and whether it is registered at all, depends on who asked for it first:
 * it is no part of the state, and simulations must not depend on it. */
CN_API uint32_t cn_component_limit(const CnWorld *world);
CN_API void cn_component_set_hooks(CnWorld *world, CnComponent component, const CnHooks *hooks);
/* Further hooks beside those of the component, for others who care about it: called after them, in
 * order of adding. Of a kind of pairs: those of pairs made later, too. False when out of memory. */
CN_API bool cn_component_add_hooks(CnWorld *world, CnComponent component, const CnHooks *hooks);
/* Takes away what was added with the same functions and users; false when there is none. */
CN_API bool cn_component_remove_hooks(CnWorld *world, CnComponent component, const CnHooks *hooks);

/* What the inline functions below read: every world begins with it. Not for direct use. */
typedef struct CniEcsWorldHead {
    uint32_t *component_by_slot;
    uint32_t slot_count;
    uint32_t page_count;
    struct CniEcsSlot **pages;
    struct CniEcsChunk *chunks;
    uint64_t tick;
    uint32_t structure; /* counts structural changes, for guards */
} CniEcsWorldHead;

CN_API CnComponent cni_ecs_component_search(const CnWorld *world, const CnType *type);
CN_API CnComponent cni_ecs_component_add(CnWorld *world, const CnType *type);

static inline uint32_t cni_ecs_component_by_slot(const CnWorld *world, const CnType *type)
{
    const CniEcsWorldHead *head = (const CniEcsWorldHead *)(const void *)world;
    uint32_t number = type->site ? __atomic_load_n(&type->site->number, __ATOMIC_RELAXED) : 0;
    return CN_LIKELY(number < head->slot_count) ? head->component_by_slot[number] : 0;
}

/* The component of a C type in this world: null if it never saw it, ... */
static inline CnComponent cn_component_of(const CnWorld *world, const CnType *type)
{
    CnComponent component = {cni_ecs_component_by_slot(world, type)};
    return CN_LIKELY(component.id != 0) ? component : cni_ecs_component_search(world, type);
}

/* ... or registered now; null when that fails. */
static inline CnComponent cn_component_ensure(CnWorld *world, const CnType *type)
{
    CnComponent component = {cni_ecs_component_by_slot(world, type)};
    return CN_LIKELY(component.id != 0) ? component : cni_ecs_component_add(world, type);
}

#define cn_id(world, T) cn_component_ensure((world), &cn_type_##T)

/* ---- Values: a component with data, for spawning and changing ---- */

typedef struct CnValue {
    const CnType *type;    /* or */
    CnComponent component; /* when type is NULL */
    const void *data;      /* NULL: the default value; leaves a component that is there already */
    uint32_t stride; /* bytes from one entity's value to the next in bulk calls; 0: the same */
} CnValue;

/* cn_with(Position, {1, 2, 3}), cn_with_default(Health), cn_with_tag(Enemy) */
#define cn_with(T, ...) ((CnValue){.type = &cn_type_##T, .data = &(T)__VA_ARGS__})
#define cn_with_default(T) ((CnValue){.type = &cn_type_##T})
#define cn_with_tag(T) ((CnValue){.type = &cn_type_##T})
/* One value per entity, from an array of T, in bulk calls. */
#define cn_with_array(T, values)                                                                   \
    ((CnValue){.type = &cn_type_##T, .data = (const T *){(values)}, .stride = sizeof(T)})

CN_EXTERN_C_END

#endif
