/*
 * Reflection: how components appear in scene files, scripts and editors.
 *
 * Every registered component can be written in a scene file under its own name with the names of
 * its fields. A table changes how it appears:
 *
 *     static const char *const projections[] = {"Perspective", "Orthographic", NULL};
 *     static const CnShownField camera_fields[] = {
 *         {.key = "view", .field = "view", .kind = CN_SHOWN_CHOICE, .choices = projections},
 *         {.key = "near", .field = "near_plane", .minimum = 1e-6, .maximum = 1e9},
 *     };
 *     static const CnShownType camera_type = {.name = "MyCamera", .type = &cn_type_CnCamera,
 *                                             .fields = camera_fields, .field_count = 2};
 *
 *     bool reflect_camera(CnWorld *world, CnError *error)
 *     {
 *         return cn_show(world, &camera_type, error);
 *     }
 *
 * The table drives reading and writing of files, their JSON schema, field access by name in Lua,
 * and annotations for Lua editors. Tables are not copied and must live as long as the world.
 */
#ifndef CAIRN_SCENE_REFLECTION_H
#define CAIRN_SCENE_REFLECTION_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

typedef enum CnShownKind {
    CN_SHOWN_PLAIN,  /* according to its type: a number, a boolean, a text, an array */
    CN_SHOWN_EULER,  /* a quaternion that appears as three angles in degrees */
    CN_SHOWN_CHOICE, /* an integer that appears as one of `choices` */
    CN_SHOWN_HIDDEN  /* not reflected: neither read nor written here */
} CnShownKind;

typedef struct CnShownField {
    const char *key;   /* in files and Lua; "shape.radius" is a member of an object "shape" */
    const char *field; /* of the component */
    CnShownKind kind;
    const char *const *choices; /* names of the values 0, 1, ...; NULL-terminated */
    /* Restricts the field to one or two values of a choice, such as a height to a capsule, or a
     * radius to a sphere and a capsule. For other values the field is not written, and reading
     * it is an error. NULL: no restriction. */
    const char *of_choice;       /* key of the choice */
    uint32_t of_value, or_value; /* or_value 0: no second value */
    bool required;
    double minimum, maximum; /* of numbers; both 0: the range of the type */
    const char *about;       /* a one-line description for editors */
} CnShownField;

#define CN_MAX_SHOWN 512u /* tables per world, and as many hidden components */

typedef struct CnShownType {
    const char *name; /* "CameraComponent" */
    const CnType *type;
    const CnShownField *fields; /* fields of the component that are not listed are not reflected */
    uint32_t field_count;
    /* Checks what the table cannot express; may be NULL. Also called before a script's write is
     * accepted. */
    bool (*check)(const void *value, CnError *error);
    const char *about;
} CnShownType;

/* Adds a table. Fails when the name is in use or a field does not exist. Adding the same table
 * again has no effect. */
CN_API bool cn_show(CnWorld *world, const CnShownType *shown, CnError *error);
/* Excludes a component from files and scripts: state that is derived or private to the engine. */
CN_API bool cn_hide(CnWorld *world, const CnType *type, CnError *error);

/* A reflected component. Components without a table appear with their own names and fields. */
typedef struct CnShown {
    const char *name;
    CnComponent component;
    const CnShownType *type; /* NULL: no table */
} CnShown;

/* Find a component by its reflected name or its id. Return false if there is no such component,
 * or it is hidden, transient, opaque or a pair. */
CN_API bool cn_shown_find(const CnWorld *world, CnText name, CnShown *shown);
CN_API bool cn_shown_of(const CnWorld *world, CnComponent component, CnShown *shown);
/* Returns the number of reflected components and stores at most `capacity` of them, sorted by
 * name. */
CN_API uint32_t cn_shown_list(const CnWorld *world, CnShown *list, uint32_t capacity);

/* A reflected field. cn_shown_field enumerates the fields, with or without a table, and returns
 * false beyond the last. It includes hidden fields, with their kind. */
typedef struct CnShownItem {
    CnShownField shown;
    const CnField *field; /* of the component */
} CnShownItem;
CN_API bool cn_shown_field(const CnWorld *world, const CnShown *shown, uint32_t index,
                           CnShownItem *item);
/* Finds a field by key; hidden fields are not found. */
CN_API bool cn_shown_field_find(const CnWorld *world, const CnShown *shown, CnText key,
                                CnShownItem *item);
/* Returns whether the field applies to the choice in this value of the component (see
 * of_choice). */
CN_API bool cn_shown_applies(const CnWorld *world, const CnShown *shown, const CnShownItem *item,
                             const void *value);
/* Calls the check function of the type, if any, for a value of the component. */
CN_API bool cn_shown_check(const CnShown *shown, const void *value, CnError *error);

/* ---- Values, as exchanged with files and scripts ---- */

typedef enum CnShownForm {
    CN_SHOWN_NUMBER, /* numbers[0] */
    CN_SHOWN_WHOLE,  /* whole */
    CN_SHOWN_TRUTH,  /* truth */
    CN_SHOWN_TEXT,   /* text; also the name of a choice */
    CN_SHOWN_ENTITY, /* entity */
    CN_SHOWN_VECTOR  /* the first `count` of numbers */
} CnShownForm;

typedef struct CnShownValue {
    CnShownForm form;
    bool truth;
    bool negative;  /* `whole` is less than 0 */
    uint32_t count; /* of numbers */
    uint64_t whole; /* two's complement when negative */
    double numbers[16];
    CnText text; /* points into the component or the table */
    CnEntity entity;
} CnShownValue;

static inline CnShownValue cn_shown_number(double number)
{
    CnShownValue value = {CN_SHOWN_NUMBER, false, false, 1, 0, {number}, {NULL, 0}, {0}};
    return value;
}

static inline CnShownValue cn_shown_whole(int64_t whole)
{
    CnShownValue value = {CN_SHOWN_WHOLE,  false, whole < 0, 0,
                          (uint64_t)whole, {0},   {NULL, 0}, {0}};
    return value;
}

static inline CnShownValue cn_shown_truth(bool truth)
{
    CnShownValue value = {CN_SHOWN_TRUTH, truth, false, 0, 0, {0}, {NULL, 0}, {0}};
    return value;
}

static inline CnShownValue cn_shown_text(CnText text)
{
    CnShownValue value = {CN_SHOWN_TEXT, false, false, 0, 0, {0}, text, {0}};
    return value;
}

static inline CnShownValue cn_shown_entity(CnEntity entity)
{
    CnShownValue value = {CN_SHOWN_ENTITY, false, false, 0, 0, {0}, {NULL, 0}, entity};
    return value;
}

/* The form of an element of the field, the number of components of a vector, and the number of
 * elements (1: not an array). */
typedef struct CnShownShape {
    CnShownForm form;
    uint32_t numbers;
    uint32_t elements;
} CnShownShape;
CN_API CnShownShape cn_shown_shape(const CnShownItem *item);

/* Reads an element of a field. `field` is the address of the field, from cn_get_field or
 * computed from its offset. A choice whose value has no name is read as an integer. */
CN_API void cn_shown_read(const CnShownItem *item, const void *field, uint32_t element,
                          CnShownValue *value);
/* Writes an element of a field. Accepts a number without a fraction as an integer, and an
 * integer as a number. Returns false and an error, and writes nothing, for a wrong form, numbers
 * that are not finite or outside the range of the type or the table, texts that do not fit or
 * are not UTF-8, and unknown names of choices. Angles are three numbers, or the four numbers of
 * a quaternion. Quaternions are normalized; a zero quaternion is an error. */
CN_API bool cn_shown_write(const CnShownItem *item, void *field, uint32_t element,
                           const CnShownValue *value, CnError *error);

/* Computes the shortest decimal angles that yield exactly this rotation. Returns false when
 * there are none, and the nearest angles. */
CN_API bool cn_shown_angles(CnQuat rotation, CnVec3 *degrees);

CN_EXTERN_C_END

#endif
