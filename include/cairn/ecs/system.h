/*
 * Systems and their schedule.
 *
 *     CN_SYSTEM(move, (write, Position, p), (read, Velocity, v))
 *     {
 *         for (uint32_t i = 0; i < count; i++)
 *             p[i].x += v[i].x * context->dt;
 *     }
 *
 *     cn_system(world, move, .stage = CN_STAGE_UPDATE, .after = {"steer"});
 *     cn_world_startup(world, &error);
 *     for (;;)
 *         cn_world_update(world, dt, &error);
 *
 * The macro makes the query from the arguments, calls the body once per chunk with the columns as
 * restrict pointers, and compiles it for each SIMD path. A system with other needs fills in a
 * CnSystemDesc and iterates by itself.
 *
 * Stages. Three run once, at startup. Five make an update, the tick of a simulation: Input, PreUpdate,
 * Update, PostUpdate, PreExtract. Three make a frame: PreFrame, Frame, PostFrame; they see the world
 * and may write only what is transient, because how many frames there are is not part of a
 * simulation. Commands are flushed after each stage. Old events are cleared at the start of an
 * update.
 *
 * Order. Within a stage, before and after decide, then order of registration; a cycle is an error
 * that names its members. Systems whose declared accesses do not conflict share a wave, and the
 * systems of a wave run at the same time when the world has a job pool. Systems that conflict run in
 * the order of the schedule, and commands are applied in that order, so the result never depends on
 * the number of threads. A system that declares nothing may touch anything: it has a wave of its own.
 * So has one that writes a component whose on_set hook it may call. A split system, too, gives the same
 * result for any number of threads, ids of the entities it spawns included.
 *
 * Systems may be added, removed, enabled and disabled at any time by the thread that owns the world,
 * and by systems that run alone. During an update this takes effect when the update is over.
 */
#ifndef CAIRN_ECS_SYSTEM_H
#define CAIRN_ECS_SYSTEM_H

#include <cairn/ecs/command.h>
#include <cairn/ecs/event.h>
#include <cairn/ecs/query.h>

CN_EXTERN_C_BEGIN

typedef enum CnStage {
    CN_STAGE_PRE_STARTUP,
    CN_STAGE_STARTUP,
    CN_STAGE_POST_STARTUP,
    CN_STAGE_INPUT, /* what came from outside becomes state */
    CN_STAGE_PRE_UPDATE,
    CN_STAGE_UPDATE,
    CN_STAGE_POST_UPDATE,
    CN_STAGE_PRE_EXTRACT, /* state is copied out for those who draw and sound */
    CN_STAGE_PRE_FRAME,
    CN_STAGE_FRAME,
    CN_STAGE_POST_FRAME,
    CN_STAGE_COUNT
} CnStage;

/* "unknown" for a number that is no stage. */
CN_API const char *cn_stage_name(CnStage stage);
static inline bool cn_stage_is_frame(CnStage stage)
{
    return stage >= CN_STAGE_PRE_FRAME && stage <= CN_STAGE_POST_FRAME;
}

typedef struct CnSystemContext {
    CnWorld *world;
    CnQuery *query; /* of the description; NULL when it has none */
    CnCommands *commands;
    CnJobPool *jobs;   /* to split work over; NULL: none */
    bool split;        /* of the description */
    float dt;          /* seconds */
    uint64_t last_run; /* change tick of this system's previous run; 0 at first */
    void *user;
} CnSystemContext;

/* Zero is null. */
typedef struct CnSystem {
    uint32_t id;
} CnSystem;

typedef struct CnSystemDesc {
    const char *name; /* unique in the world */
    void (*run)(CnSystemContext *context);
    void *user;
    CnStage stage;
    CnQueryDesc query;           /* what it iterates; its access counts as declared */
    CnTerm access[CN_MAX_TERMS]; /* further components, resources and events it reads or writes */
    const char *before[CN_MAX_ORDER]; /* names of systems in the same stage */
    const char *after[CN_MAX_ORDER];
    CnSystem before_system[CN_MAX_ORDER]; /* the same by handle */
    CnSystem after_system[CN_MAX_ORDER];
    /* Asked before each run; false: the system rests this time, and what changes meanwhile is new
     * to its next run. It may read what the system may read. */
    bool (*run_if)(const CnSystemContext *context);
    void (*on_added)(CnWorld *world, void *user);
    void (*on_removed)(CnWorld *world, void *user);
    /* When removed or when the world ends. Then, the entities are still there, and structural changes
     * have no effect. */
    void (*dispose)(void *user);
    bool alone; /* conflicts with every other system, whatever is declared; it may change the
                   structure of the world directly */
    /* Of CN_SYSTEM: its chunks are spread over the world's jobs. The body may send events and record
     * into context->commands: the result is that of one thread walking the chunks in order, for any
     * number of threads. It sees neither its own events nor those of other chunks. */
    bool split;
    bool disabled;
} CnSystemDesc;

/* The null system and an error for a name in use, a missing function, a bad stage, an unknown handle,
 * or a frame system that declares to write what is not transient. */
CN_API CnSystem cn_system_add(CnWorld *world, const CnSystemDesc *desc, CnError *error);
CN_API bool cn_system_remove(CnWorld *world, CnSystem system);
CN_API CnSystem cn_system_find(const CnWorld *world, const char *name);
CN_API bool cn_system_enable(CnWorld *world, CnSystem system, bool enabled);
CN_API const char *cn_system_name(const CnWorld *world, CnSystem system);

/* The pool that stages and split systems use; NULL (at first): everything runs on this thread. The
 * world does not own it. */
CN_API void cn_world_set_jobs(CnWorld *world, CnJobPool *jobs);

/* Runs the three startup stages. */
CN_API bool cn_world_startup(CnWorld *world, CnError *error);
/* Runs one update. A negative or not finite dt counts as 0. Nothing runs when a stage cannot be
 * sorted. */
CN_API bool cn_world_update(CnWorld *world, float dt, CnError *error);
/* Runs the three frame stages. */
CN_API bool cn_world_frame(CnWorld *world, float dt, CnError *error);
/* Runs one stage and flushes. False and an error for a number that is no stage. */
CN_API bool cn_world_run_stage(CnWorld *world, CnStage stage, float dt, CnError *error);

/* ---- Looking at the schedule ---- */

typedef struct CnScheduled {
    CnSystem system;
    const char *name;
    uint32_t wave; /* systems of one wave may run at the same time */
    bool alone, enabled;
} CnScheduled;

/* The sorted order of a stage: fills at most `capacity`, sets *count to how many there are. False
 * and an error that names the systems for a cycle or an unknown name, and for a stage that is not
 * sorted while an update runs. */
CN_API bool cn_stage_systems(CnWorld *world, CnStage stage, CnScheduled *systems, uint32_t capacity,
                             uint32_t *count, CnError *error);
/* Why one must wait for the other, for people: "writes Position", "before"; NULL if it need not. Both
 * are systems of one stage, the first earlier in its order. */
CN_API const char *cn_system_conflict(const CnWorld *world, CnSystem first, CnSystem second,
                                      char *text, size_t text_bytes);
/* Draws the stages that have systems as a graph in the language of Graphviz: `write` is called
 * with pieces of text. */
CN_API bool cn_schedule_dot(CnWorld *world, void (*write)(const char *text, void *user), void *user,
                            CnError *error);

/* ---- Code that comes and goes, such as plugins ---- */

/* Systems added and hooks set from now on belong to `owner` (0: to nobody); returns the one before. */
CN_API uint32_t cn_world_set_owner(CnWorld *world, uint32_t owner);
/* Forgets everything that points into the owner's code: hooks, callbacks, descriptions of types. Its
 * systems keep their places and do not run until they are added again under their names; those that
 * are not are removed by cn_owner_end_replace. Not during a stage. */
CN_API void cn_owner_begin_replace(CnWorld *world, uint32_t owner);
CN_API void cn_owner_end_replace(CnWorld *world, uint32_t owner);

/* Adds a system made by CN_SYSTEM; further fields of CnSystemDesc may follow. A failure is logged and
 * counted in the world's stats. */
#define cn_system(world, name_, ...)                                                               \
    cn_system_add_query((world), &(const CnSystemDesc){.name = #name_, .run = name_, __VA_ARGS__}, \
                        &name_##_query, NULL)
/* The same as cn_system_add with the query beside the description. */
CN_API CnSystem cn_system_add_query(CnWorld *world, const CnSystemDesc *desc,
                                    const CnQueryDesc *query, CnError *error);

/* Arguments are (write, Type, name) or (read, Type, name) for packed components, and
 * (write, Type, field, name) or (read, Type, field, name) for one field of a component laid out by
 * fields. The body sees them, `count`, `context` and `chunk`. */
#define CN_SYSTEM(system, ...)                                                                     \
    static const CnQueryDesc system##_query = {.all = {CNI_EACH(CNI_TERM, _, __VA_ARGS__)}};       \
    struct system##_columns {                                                                      \
        CNI_EACH(CNI_COLUMN, _, __VA_ARGS__)                                                       \
    };                                                                                             \
    static inline __attribute__((always_inline)) void system##_rows(                               \
        CnSystemContext *context, const CnChunkView *chunk,                                        \
        uint32_t count CNI_EACH(CNI_PARAMETER, _, __VA_ARGS__));                                   \
    CN_SIMD_DISPATCH(                                                                              \
        system##_in_chunk,                                                                         \
        (CnSystemContext * context, const CnChunkView *chunk, void *const *addresses),             \
        (context, chunk, addresses))                                                               \
    {                                                                                              \
        const struct system##_columns *columns = (const void *)addresses;                          \
        system##_rows(context, chunk, chunk->count CNI_EACH(CNI_ARGUMENT, _, __VA_ARGS__));        \
    }                                                                                              \
    __attribute__((unused)) static void system(CnSystemContext *context)                           \
    {                                                                                              \
        static const struct {                                                                      \
            CniSystemCode code;                                                                    \
            CniSystemColumn columns[CNI_COUNT(__VA_ARGS__)];                                       \
        } all __attribute__((aligned(64))) = {                                                     \
            {CN_SIMD_PATHS(system##_in_chunk), CNI_COUNT(__VA_ARGS__)},                            \
            {CNI_EACH(CNI_DECLARED, _, __VA_ARGS__)}};                                             \
        cni_system_run(context, &all.code);                                                        \
    }                                                                                              \
    static inline __attribute__((always_inline)) void system##_rows(                               \
        __attribute__((unused)) CnSystemContext *context,                                          \
        __attribute__((unused)) const CnChunkView *chunk,                                          \
        uint32_t count CNI_EACH(CNI_PARAMETER, _, __VA_ARGS__))

/* What CN_SYSTEM gives to the library, which walks the chunks: only the loop over rows is compiled
 * for each system. */
typedef struct CniSystemColumn {
    const CnType *type;
    uint32_t size;   /* of a value, or of the field's */
    uint16_t offset; /* of the field */
    bool by_field;
    bool writes;
} CniSystemColumn;

typedef struct CniSystemCode {
    void (*rows[CN_SIMD_PATH_COUNT])(CnSystemContext *context, const CnChunkView *chunk,
                                     void *const *addresses);
    uint64_t column_count; /* columns that follow */
} CniSystemCode;

CN_API void cni_system_run(CnSystemContext *context, const CniSystemCode *code);

#define CNI_TERM(x, tuple) CNI_TERM_ tuple
#define CNI_TERM_(access, T, ...) CNI_TERM_##access(T)
#define CNI_TERM_write(T) cn_writes(T),
#define CNI_TERM_read(T) cn_reads(T),

#define CNI_PARAMETER(x, tuple) CNI_PARAMETER_(CNI_PICK tuple)
#define CNI_PARAMETER_(...) CNI_PARAMETER_N(__VA_ARGS__, 4, 3, _)(__VA_ARGS__)
#define CNI_PARAMETER_N(a, b, c, d, n, ...) CNI_PARAMETER_##n
#define CNI_PARAMETER_3(access, T, name) , CNI_QUALIFIER_##access T *restrict name
#define CNI_PARAMETER_4(access, T, field, name)                                                    \
    , CNI_QUALIFIER_##access __typeof__(((T *)0)->field) *restrict name
#define CNI_QUALIFIER_write
#define CNI_QUALIFIER_read const

#define CNI_ARGUMENT(x, tuple) CNI_ARGUMENT_(CNI_PICK tuple)
#define CNI_ARGUMENT_(...) CNI_ARGUMENT_N(__VA_ARGS__, 4, 3, _)(__VA_ARGS__)
#define CNI_ARGUMENT_N(a, b, c, d, n, ...) CNI_ARGUMENT_##n
#define CNI_ARGUMENT_3(access, T, name) , columns->name
#define CNI_ARGUMENT_4(access, T, field, name) , columns->name

#define CNI_COLUMN(x, tuple) CNI_COLUMN_(CNI_PICK tuple)
#define CNI_COLUMN_(...) CNI_COLUMN_N(__VA_ARGS__, 4, 3, _)(__VA_ARGS__)
#define CNI_COLUMN_N(a, b, c, d, n, ...) CNI_COLUMN_##n
#define CNI_COLUMN_3(access, T, name) void *name;
#define CNI_COLUMN_4(access, T, field, name) void *name;

#define CNI_DECLARED(x, tuple) CNI_DECLARED_(CNI_PICK tuple)
#define CNI_DECLARED_(...) CNI_DECLARED_N(__VA_ARGS__, 4, 3, _)(__VA_ARGS__)
#define CNI_DECLARED_N(a, b, c, d, n, ...) CNI_DECLARED_##n
#define CNI_DECLARED_3(access, T, name)                                                            \
    {&cn_type_##T, (uint32_t)sizeof(T), 0, false, CNI_WRITES_##access},
#define CNI_DECLARED_4(access, T, field, name)                                                     \
    {&cn_type_##T, (uint32_t)sizeof(((T *)0)->field), (uint16_t)offsetof(T, field), true,          \
     CNI_WRITES_##access},
#define CNI_WRITES_write true
#define CNI_WRITES_read false

CN_EXTERN_C_END

#endif
