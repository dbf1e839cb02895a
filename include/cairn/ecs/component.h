/*
 * Components. One description of a type serves storage, files, scripts, the network, hashing and
 * inspectors.
 *
 *     CN_COMPONENT(Position, (f32, x), (f32, y), (f32, z));     // a struct and its description
 *     CN_COMPONENT(Inventory, (u16, items, 36), (text, label, 32));
 *     CN_TAG(Frozen);                                           // no data
 *
 * Use these macros at file scope, in a header or a source file. `Position` is then an ordinary C
 * struct. CN_DESCRIBE(Position, (f32, x), ...) describes an existing struct, and CN_OPAQUE(Socket)
 * one without accessible fields. Opaque components are neither saved nor hashed, except for derived
 * ones (see CN_COMPONENT_DERIVED).
 *
 * A described struct can be a field of another:
 *
 *     CN_STRUCT(Range, (f32, lo), (f32, hi));
 *     CN_COMPONENT(Gun, (struct, Range, spread), (struct, Range, zones, 3), (f32, heat));
 *
 * C code accesses nested fields as usual: `gun.zones[2].lo`. A registered component has only plain
 * fields: the fields of a nested struct are listed individually under dotted names, such as
 * "spread.lo" and "zones.2.lo". CN_STRUCT is the same as CN_COMPONENT; the name documents the
 * purpose of the type.
 *
 * The name of a type identifies it in the whole program. Several source files may contain the same
 * description, as is the case when they include the same header. If two of them describe different
 * types under one name, registration fails with an error that names both locations; spawning with
 * such a type returns the null entity, and reading it returns NULL.
 *
 * A world registers a component on its first use, or by cn_register, which also takes options:
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

/* An index and a generation; zero is the null entity. The id of a destroyed entity never becomes
 * valid again. */
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

/* The type of a nested struct in descriptions made by the macros; it does not occur in registered
 * components. */
#define CNI_FIELD_STRUCT CN_FIELD_TYPE_COUNT

typedef struct CnField {
    const char *name;
    CnFieldType type;
    uint32_t count;  /* elements; 1 for a plain field, bytes for text */
    uint32_t offset; /* in the struct */
    uint32_t size;   /* bytes of all elements */
} CnField;

/* The description of a type, as defined by CN_COMPONENT. Fill in one by hand for a component that
 * exists only at run time. */
typedef struct CnType {
    const char *name;
    uint32_t size; /* 0 for a tag */
    uint32_t alignment;
    const CnField *fields;
    uint32_t field_count;        /* 0 with a size: opaque */
    struct CniEcsTypeSite *site; /* NULL for run-time types */
} CnType;

/* The source location of a description and data for lookups. Not for direct use. */
typedef struct CniEcsTypeSite {
    uint32_t number; /* assigned on first use; worlds index their components by it */
    uint32_t line;
    const char *file;
    const uint64_t *records, *records_end; /* of all types of this program or shared library */
    const CnType *const *nested; /* per field: its struct or NULL; NULL if there are no fields */
} CniEcsTypeSite;

/* The description of a type in one source file, stored in the linker section cn_types. The
 * description itself is a weak symbol, of which the linker keeps one copy even if the copies
 * differ; the records of all source files remain and are compared. A record contains no addresses,
 * so it needs no relocation. */
typedef struct CniEcsTypeRecord {
    uint32_t bytes; /* of the record; a multiple of 8 */
    uint32_t size, alignment, line;
    uint32_t field_count;
    uint32_t field_offset; /* of its CniEcsFieldRecords, from the start of the record */
    char text[];           /* name, file, names of the fields; each ends with 0 */
} CniEcsTypeRecord;

typedef struct CniEcsFieldRecord {
    uint32_t type, count, offset, size;
} CniEcsFieldRecord;

CN_API const char *cn_field_type_name(CnFieldType type);
/* Returns the size of one element in bytes. */
CN_API uint32_t cn_field_type_size(CnFieldType type);

/* ---- Registration ---- */

typedef enum CnLayout {
    CN_LAYOUT_PACKED, /* one column of structs */
    CN_LAYOUT_FIELDS  /* one column per field: faster for loops that use few of the fields */
} CnLayout;

typedef struct CnHook {
    /* Called once per entity. on_add is called after the component was added, on_set after a value
     * was written by a set or a spawn, and on_remove before the component is removed, while its
     * value can still be read. Structural changes made in a hook are deferred until the operation
     * that called the hook is complete; in a system, until its stage is flushed. The id of an
     * entity spawned in a hook is valid at once, also as a parent. A value set for an existing
     * component is written at once, unless a hook has removed something before: then it is deferred
     * as well, so that the last change wins. */
    void (*call)(CnWorld *world, CnEntity entity, CnComponent component, void *user);
    void *user;
} CnHook;

/* The hooks of components that are added or removed together are called in the order of the
 * components' names, and those of pairs of one kind in order of index and generation of their
 * targets. A pair uses the hooks of its kind until it gets hooks of its own. */
typedef struct CnHooks {
    CnHook on_add, on_set, on_remove;
} CnHooks;

enum {
    CN_COMPONENT_TRANSIENT = 1 << 0, /* neither saved nor part of the state hash */
    /* For an opaque component whose value is computed from other state. Which entities have it is
     * saved and part of the state hash; its value is not, and frame stages may write it. After a
     * load it holds its default. Unlike with a transient component, loading preserves the order of
     * rows. */
    CN_COMPONENT_DERIVED = 1 << 1,
    /* For an opaque component whose bytes may be copied to another world: it owns nothing and
     * points to nothing that belongs to its world. */
    CN_COMPONENT_COPYABLE = 1 << 2,
    /* Records writes for each entity; see row_changes.h. Must be set before the first entity has
     * the component. */
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

/* Registers a component, or finds it by name. Registering it again with different fields or another
 * layout is an error; other options replace the previous ones. On failure, returns the null
 * component and sets the error; cn_register logs each cause once and counts it in the world's
 * statistics. */
CN_API CnComponent cn_component_register(CnWorld *world, const CnComponentDesc *desc,
                                         CnError *error);
#define cn_register(world, T, ...)                                                                 \
    cn_component_register((world), &(CnComponentDesc){.type = &cn_type_##T, __VA_ARGS__}, NULL)

/* A registered component. Name and fields are valid as long as the world exists. The fields of
 * nested structs are listed individually. */
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
/* Returns the highest component id. Ids start at 1; cn_component_info returns false for unused ids.
 * The id of a component, and whether it is registered at all, depends on the order of first uses.
 * It is not part of the state, and simulations must not depend on it. */
CN_API uint32_t cn_component_limit(const CnWorld *world);
CN_API void cn_component_set_hooks(CnWorld *world, CnComponent component, const CnHooks *hooks);
/* Adds further hooks, which are called after those of the component itself, in the order in which
 * they were added. Hooks added to a kind of pairs also apply to pairs that are created later.
 * Returns false when out of memory. */
CN_API bool cn_component_add_hooks(CnWorld *world, CnComponent component, const CnHooks *hooks);
/* Removes hooks that were added with the same functions and user pointers. Returns false if there
 * are none. */
CN_API bool cn_component_remove_hooks(CnWorld *world, CnComponent component, const CnHooks *hooks);

/* The first member of every world, which the inline functions below read. Not for direct use. */
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

/* Returns the component of a C type in this world, or null if it is not registered. */
static inline CnComponent cn_component_of(const CnWorld *world, const CnType *type)
{
    CnComponent component = {cni_ecs_component_by_slot(world, type)};
    return CN_LIKELY(component.id != 0) ? component : cni_ecs_component_search(world, type);
}

/* Returns the component of a C type and registers it if necessary; null if that fails. */
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
    const void *data;      /* NULL: the default; keeps the value of an existing component */
    uint32_t stride;       /* bytes between values in bulk calls; 0: one value for all */
} CnValue;

/* cn_with(Position, {1, 2, 3}), cn_with_default(Health), cn_with_tag(Enemy) */
#define cn_with(T, ...) ((CnValue){.type = &cn_type_##T, .data = &(T)__VA_ARGS__})
#define cn_with_default(T) ((CnValue){.type = &cn_type_##T})
#define cn_with_tag(T) ((CnValue){.type = &cn_type_##T})
/* For bulk calls: one value per entity, from an array of T. */
#define cn_with_array(T, values)                                                                   \
    ((CnValue){.type = &cn_type_##T, .data = (const T *){(values)}, .stride = sizeof(T)})

CN_EXTERN_C_END

#endif
