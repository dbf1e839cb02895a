/*
 * Reflection: how components appear in scene files, scripts and editors.
 *
 * Every registered component can be written in a scene file under its own name with the names of
 * its fields. A table changes how it appears:
 *
 *     static const char *const projections[] = {"Perspective", "Orthographic", NULL};
 *     static const CnReflectedField camera_fields[] = {
 *         {.key = "projection", .field = "projection", .kind = CN_REFLECTED_CHOICE, .choices =
 * projections},
 *         {.key = "near", .field = "near_plane", .minimum = 1e-6, .maximum = 1e9},
 *     };
 *     static const CnReflectedType camera_type = {.name = "MyCamera",
 *                                                 .type = &cn_type_CnCamera,
 *                                                 .fields = camera_fields,
 *                                                 .field_count = 2};
 *
 *     bool reflect_camera(CnWorld *world, CnError *error)
 *     {
 *         return cn_reflection_add(world, &camera_type, error);
 *     }
 *
 * The table drives reading and writing of files, their JSON schema, field access by name in Lua,
 * and annotations for Lua editors. Tables are not copied and must live as long as the world.
 */
#ifndef CAIRN_SCENE_REFLECTION_H
#define CAIRN_SCENE_REFLECTION_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

typedef enum CnReflectedKind {
    CN_REFLECTED_PLAIN,  /* according to its type: a number, a boolean, a text, an array */
    CN_REFLECTED_EULER,  /* a quaternion that appears as three angles in degrees */
    CN_REFLECTED_CHOICE, /* an integer that appears as one of `choices` */
    CN_REFLECTED_HIDDEN  /* not reflected: neither read nor written here */
} CnReflectedKind;

typedef struct CnReflectedField {
    const char *key;   /* in files and Lua; "shape.radius" is a member of an object "shape" */
    const char *alias; /* another spelling that is read but never written; NULL: none */
    const char *field; /* of the component */
    CnReflectedKind kind;
    const char *const *choices; /* names of the values 0, 1, ...; NULL-terminated */
    /* Restricts the field to one or two values of a choice, such as a height to a capsule, or a
     * radius to a sphere and a capsule. For other values the field is not written, and reading
     * it is an error. NULL: no restriction. */
    const char *of_choice;       /* key of the choice */
    uint32_t of_value, or_value; /* or_value 0: no second value */
    bool required;
    double minimum, maximum; /* of numbers; both 0: the range of the type */
    const char *unit;        /* "m", "degrees", "m/s"; NULL: none */
    const char *about;       /* a one-line description for editors */
} CnReflectedField;

#define CN_MAX_REFLECTED_TYPES 512u /* tables per world, and as many hidden components */

typedef struct CnReflectedType {
    const char *name;  /* "CameraComponent" */
    const char *alias; /* another name that is read but never written; NULL: none */
    const CnType *type;
    const CnReflectedField
        *fields; /* fields of the component that are not listed are not reflected */
    uint32_t field_count;
    /* Checks what the table cannot express; may be NULL. Also called before a script's write is
     * accepted. */
    bool (*check)(const void *value, CnError *error);
    const char *about;
    /* A resource that programs set in C. It appears in cn_reflection_reference only, neither in
     * files nor in scripts. */
    bool is_resource;
} CnReflectedType;

/* Adds a table. Fails when the name is in use or a field does not exist. Adding the same table
 * again has no effect. */
CN_API bool cn_reflection_add(CnWorld *world, const CnReflectedType *reflected, CnError *error);
/* Excludes a component from files and scripts: state that is derived or private to the engine. */
CN_API bool cn_reflection_hide(CnWorld *world, const CnType *type, CnError *error);

/* A reflected component. Components without a table appear with their own names and fields. */
typedef struct CnReflectedComponent {
    const char *name;
    CnComponent component;
    const CnReflectedType *type; /* NULL: no table */
} CnReflectedComponent;

/* Find a component by its reflected name or alias, or by its id. Names take precedence over
 * aliases. Return false if there is no such component,
 * or it is hidden, transient, opaque or a pair. */
CN_API bool cn_reflection_find(const CnWorld *world, CnText name, CnReflectedComponent *reflected);
CN_API bool cn_reflection_of(const CnWorld *world, CnComponent component,
                             CnReflectedComponent *reflected);
/* Returns the number of reflected components and stores at most `capacity` of them, sorted by
 * name. */
CN_API uint32_t cn_reflection_list(const CnWorld *world, CnReflectedComponent *list,
                                   uint32_t capacity);

/* A reflected field. cn_reflection_field enumerates the fields, with or without a table, and
 * returns false beyond the last. It includes hidden fields, with their kind. */
typedef struct CnReflectedMember {
    CnReflectedField reflected;
    const CnField *field; /* of the component */
} CnReflectedMember;
CN_API bool cn_reflection_field(const CnWorld *world, const CnReflectedComponent *reflected,
                                uint32_t index, CnReflectedMember *item);
/* Finds a field by key or alias; hidden fields are not found. */
CN_API bool cn_reflection_find_field(const CnWorld *world, const CnReflectedComponent *reflected,
                                     CnText key, CnReflectedMember *item);
/* Returns whether the key is the one of the field or its alias. */
static inline bool cn_reflected_field_matches(const CnReflectedField *field, CnText key)
{
    return cn_text_equal(cn_text(field->key), key) ||
           (field->alias && cn_text_equal(cn_text(field->alias), key));
}
/* Returns whether the field applies to the choice in this value of the component (see
 * of_choice). */
CN_API bool cn_reflection_field_applies(const CnWorld *world, const CnReflectedComponent *reflected,
                                        const CnReflectedMember *item, const void *value);
/* Calls the check function of the type, if any, for a value of the component. */
CN_API bool cn_reflection_check(const CnReflectedComponent *reflected, const void *value,
                                CnError *error);

/* ---- Values, as exchanged with files and scripts ---- */

typedef enum CnReflectedValueType {
    CN_REFLECTED_NUMBER,  /* numbers[0] */
    CN_REFLECTED_INTEGER, /* whole */
    CN_REFLECTED_BOOL,    /* truth */
    CN_REFLECTED_TEXT,    /* text; also the name of a choice */
    CN_REFLECTED_ENTITY,  /* entity */
    CN_REFLECTED_VECTOR   /* the first `count` of numbers */
} CnReflectedValueType;

typedef struct CnReflectedValue {
    CnReflectedValueType form;
    bool boolean;
    bool negative;    /* `whole` is less than 0 */
    uint32_t count;   /* of numbers */
    uint64_t integer; /* two's complement when negative */
    double numbers[16];
    CnText text; /* points into the component or the table */
    CnEntity entity;
} CnReflectedValue;

static inline CnReflectedValue cn_reflected_number(double number)
{
    CnReflectedValue value = {CN_REFLECTED_NUMBER, false, false, 1, 0, {number}, {NULL, 0}, {0}};
    return value;
}

static inline CnReflectedValue cn_reflected_integer(int64_t whole)
{
    CnReflectedValue value = {CN_REFLECTED_INTEGER, false, whole < 0, 0,
                              (uint64_t)whole,      {0},   {NULL, 0}, {0}};
    return value;
}

static inline CnReflectedValue cn_reflected_bool(bool boolean)
{
    CnReflectedValue value = {CN_REFLECTED_BOOL, boolean, false, 0, 0, {0}, {NULL, 0}, {0}};
    return value;
}

static inline CnReflectedValue cn_reflected_text(CnText text)
{
    CnReflectedValue value = {CN_REFLECTED_TEXT, false, false, 0, 0, {0}, text, {0}};
    return value;
}

static inline CnReflectedValue cn_reflected_entity(CnEntity entity)
{
    CnReflectedValue value = {CN_REFLECTED_ENTITY, false, false, 0, 0, {0}, {NULL, 0}, entity};
    return value;
}

/* The form of an element of the field, the number of components of a vector, and the number of
 * elements (1: not an array). */
typedef struct CnReflectedShape {
    CnReflectedValueType form;
    uint32_t numbers;
    uint32_t elements;
} CnReflectedShape;
CN_API CnReflectedShape cn_reflection_shape(const CnReflectedMember *item);

/* Reads an element of a field. `field` is the address of the field, from cn_get_field or
 * computed from its offset. A choice whose value has no name is read as an integer. */
CN_API void cn_reflection_read(const CnReflectedMember *item, const void *field, uint32_t element,
                               CnReflectedValue *value);
/* Writes an element of a field. Accepts a number without a fraction as an integer, and an
 * integer as a number. Returns false and an error, and writes nothing, for a wrong form, numbers
 * that are not finite or outside the range of the type or the table, texts that do not fit or
 * are not UTF-8, and unknown names of choices. Angles are three numbers, or the four numbers of
 * a quaternion. Quaternions are normalized; a zero quaternion is an error. */
CN_API bool cn_reflection_write(const CnReflectedMember *item, void *field, uint32_t element,
                                const CnReflectedValue *value, CnError *error);

/* Appends a reference in Markdown: all reflected components and resources of this world with their
 * names in files and in C, and all fields with types, defaults, units and ranges. Returns false and
 * an error when out of memory. Call it between ticks. */
CN_API bool cn_reflection_reference(CnWorld *world, CnTextBuilder *text, CnError *error);

/* Computes the shortest decimal angles that yield exactly this rotation. Returns false when
 * there are none, and the nearest angles. */
CN_API bool cn_reflection_euler_angles(CnQuat rotation, CnVec3 *degrees);

CN_EXTERN_C_END

#endif
