/*
 * How components appear to people: in scene files, in scripts, in editors.
 *
 * Every registered component can be written in a scene file under its own name and the names of its
 * fields. One that should look different says how:
 *
 *     static const char *const views[] = {"Perspective", "Orthographic", NULL};
 *     static const CnShownField camera_fields[] = {
 *         {.key = "view", .field = "view", .kind = CN_SHOWN_CHOICE, .choices = views},
 *         {.key = "near", .field = "near_plane", .minimum = 1e-6, .maximum = 1e9},
 *         ...
 *     };
 *     cn_show(world, &(CnShownType){.name = "CameraComponent", .type = &cn_type_CnCamera,
 *                                   .fields = camera_fields, .field_count = 5}, &error);
 *
 * From this table come reading and writing of files, their JSON schema, fields by name in Lua, and
 * the annotations for editors of Lua. Tables are not copied and live as long as the world.
 */
#ifndef CAIRN_SCENE_SHOWN_H
#define CAIRN_SCENE_SHOWN_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

typedef enum CnShownKind {
    CN_SHOWN_PLAIN,  /* as its type is: a number, true or false, a text, an array */
    CN_SHOWN_EULER,  /* a quaternion, shown as three angles in degrees */
    CN_SHOWN_CHOICE, /* a whole number, shown as one of `choices` */
    CN_SHOWN_HIDDEN  /* not shown: state that is neither read nor written here */
} CnShownKind;

typedef struct CnShownField {
    const char *key;   /* in files and Lua; "shape.radius" is a member of an object "shape" */
    const char *field; /* of the component */
    CnShownKind kind;
    const char *const *choices; /* the values 0, 1, ..., NULL at the end */
    /* Belongs to this value of that choice only, such as a height to a capsule, or to one of two, such
     * as a radius to a sphere and a capsule: elsewhere it is not written, and an error when read.
     * NULL: always. */
    const char *of_choice;       /* key of the choice */
    uint32_t of_value, or_value; /* or_value 0: no second one */
    bool required;
    double minimum, maximum; /* of numbers; both 0: any that the type holds */
    const char *about;       /* one line for editors */
} CnShownField;

#define CN_MAX_SHOWN 512u /* tables of one world, and as many hidden components */

typedef struct CnShownType {
    const char *name; /* "CameraComponent" */
    const CnType *type;
    const CnShownField *fields; /* those of the component that are missing are not shown */
    uint32_t field_count;
    /* What the table cannot say; NULL: nothing. Also asked before a script's write is kept. */
    bool (*check)(const void *value, CnError *error);
    const char *about;
} CnShownType;

/* An error when the name is taken or a field does not exist. Showing the same table again is fine. */
CN_API bool cn_show(CnWorld *world, const CnShownType *shown, CnError *error);
/* Keeps a component out of files and scripts: state that is computed or belongs to the engine. */
CN_API bool cn_hide(CnWorld *world, const CnType *type, CnError *error);

/* One component as it is shown; those without a table are shown by their own names and fields. */
typedef struct CnShown {
    const char *name;
    CnComponent component;
    const CnShownType *type; /* NULL: without a table */
} CnShown;

/* By shown name; false: no such component, or it is hidden, transient, opaque or a pair. */
CN_API bool cn_shown_find(const CnWorld *world, CnText name, CnShown *shown);
CN_API bool cn_shown_of(const CnWorld *world, CnComponent component, CnShown *shown);
/* All, in order of names: fills at most `capacity` with the first ones, returns how many there are. */
CN_API uint32_t cn_shown_list(const CnWorld *world, CnShown *list, uint32_t capacity);

/* Field by field, with or without a table: false beyond the last. Hidden ones are there as well, with
 * their kind. */
typedef struct CnShownItem {
    CnShownField shown;
    const CnField *field; /* of the component */
} CnShownItem;
CN_API bool cn_shown_field(const CnWorld *world, const CnShown *shown, uint32_t index,
                           CnShownItem *item);
/* By key; hidden ones are not found. */
CN_API bool cn_shown_field_find(const CnWorld *world, const CnShown *shown, CnText key,
                                CnShownItem *item);
/* Whether the field belongs to the choice that stands in this value of the component (of_choice). */
CN_API bool cn_shown_applies(const CnWorld *world, const CnShown *shown, const CnShownItem *item,
                             const void *value);
/* Whether the type's check is content with a value of the component. */
CN_API bool cn_shown_check(const CnShown *shown, const void *value, CnError *error);

/* ---- Values: what files and scripts have in common ---- */

typedef enum CnShownForm {
    CN_SHOWN_NUMBER, /* numbers[0] */
    CN_SHOWN_WHOLE,  /* whole */
    CN_SHOWN_TRUTH,  /* truth */
    CN_SHOWN_TEXT,   /* text; also of a choice */
    CN_SHOWN_ENTITY, /* entity */
    CN_SHOWN_VECTOR  /* count numbers */
} CnShownForm;

typedef struct CnShownValue {
    CnShownForm form;
    bool truth;
    bool negative;  /* whole is less than 0 */
    uint32_t count; /* of numbers */
    uint64_t whole; /* two's complement when negative */
    double numbers[16];
    CnText text; /* lies in the component or the table */
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

/* What one element of the field looks like, and for vectors how many numbers it has; how many
 * elements there are (1: not an array). */
typedef struct CnShownShape {
    CnShownForm form;
    uint32_t numbers;
    uint32_t elements;
} CnShownShape;
CN_API CnShownShape cn_shown_shape(const CnShownItem *item);

/* `field` is the address of the field: cn_get_field, or its offset in a value in memory. A choice
 * whose number has no name reads as a whole number. */
CN_API void cn_shown_read(const CnShownItem *item, const void *field, uint32_t element,
                          CnShownValue *value);
/* Takes also a number without a fraction for a whole one and a whole one for a number. False and an
 * error for a wrong form, numbers that are not finite, beyond the type or the table's limits, texts
 * that do not fit or are not UTF-8, and names that are no choice; nothing is written then. Angles are
 * three numbers, or four that are the quaternion itself. A quaternion is made as long as 1, and refused
 * when it is zero. */
CN_API bool cn_shown_write(const CnShownItem *item, void *field, uint32_t element,
                           const CnShownValue *value, CnError *error);

/* The shortest angles that give exactly this rotation back; false when there are none, and then the
 * nearest. */
CN_API bool cn_shown_angles(CnQuat rotation, CnVec3 *degrees);

CN_EXTERN_C_END

#endif
