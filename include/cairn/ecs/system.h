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
 * The macro creates the query from its terms, calls the body once per chunk with the columns as
 * restrict pointers, and compiles it for each SIMD path; system_macro.h lists the terms. Terms can
 * also exclude components, make them optional, and skip unchanged chunks:
 *
 *     CN_SYSTEM(fall, (write, Velocity, v), (optional_read, Mass, m), (without, Frozen))
 *     {
 *         for (uint32_t i = 0; i < count; i++)
 *             v[i].y -= 9.81f * context->dt * (m ? m[i].kilograms : 1);
 *     }
 *
 *     CN_SYSTEM(index_positions, (read, Position, p), (changed, Position))
 *     {
 *         for (uint32_t i = 0; i < count; i++)
 *             update_index(chunk->entities[i], p[i].x, p[i].z);
 *     }
 *
 * A system with other needs fills in a CnSystemDesc and iterates its query itself.
 *
 * Stages. Three stages run once, at startup. Five stages make up an update, which is the tick of a
 * simulation: Input, PreUpdate, Update, PostUpdate, PreExtract. Three stages make up a frame:
 * PreFrame, Frame, PostFrame. Frame stages may read the world but write only transient components,
 * because the number of frames is not part of a simulation. Commands are flushed after each stage.
 * Old events are discarded at the start of an update.
 *
 * Order. Within a stage, `before` and `after` determine the order, then the order of registration;
 * a cycle is an error that names its members. Systems may belong to a set (.set = "physics"):
 * `before` and `after` accept the name of a set for all its systems, and cn_system_set_enable
 * switches them together. Systems whose declared accesses do not conflict share a wave; if the
 * world has a job pool, the systems of a wave run at the same time. Conflicting systems run in the
 * order of the schedule, and commands are applied in that order, so the result never depends on the
 * number of threads. A system that declares nothing may access anything and has its own wave. So
 * does a system that writes a component with an on_set hook. A split system also yields the same
 * result for any number of threads, including the ids of the entities that it spawns.
 *
 * The thread that owns the world, and systems that run alone, may add, remove, enable and disable
 * systems at any time. During an update, these changes take effect when the update is complete.
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
    CN_STAGE_INPUT, /* external input becomes state */
    CN_STAGE_PRE_UPDATE,
    CN_STAGE_UPDATE,
    CN_STAGE_POST_UPDATE,
    CN_STAGE_PRE_EXTRACT, /* state is copied for rendering and audio */
    CN_STAGE_PRE_FRAME,
    CN_STAGE_FRAME,
    CN_STAGE_POST_FRAME,
    CN_STAGE_COUNT
} CnStage;

/* Returns the name of a stage, or "unknown" for an invalid number. */
CN_API const char *cn_stage_name(CnStage stage);
static inline bool cn_stage_is_frame(CnStage stage)
{
    return stage >= CN_STAGE_PRE_FRAME && stage <= CN_STAGE_POST_FRAME;
}

typedef struct CnSystemContext {
    CnWorld *world;
    CnQuery *query; /* from the description; NULL if it has none */
    CnCommands *commands;
    CnJobPool *jobs;   /* for splitting work; NULL if the world has none */
    bool split;        /* of the description */
    float dt;          /* seconds */
    uint64_t last_run; /* change tick of the previous run; 0 in the first run */
    void *user;
} CnSystemContext;

/* Zero is null. */
typedef struct CnSystem {
    uint32_t id;
} CnSystem;

/* The fields that CnSystemDesc and CnSystemOptions have in common:
 * - access: further components, resources and events that the system reads or writes.
 * - set: the name of the system's set; NULL for none. No system may have the name of a set.
 * - before, after: names of systems in the same stage, or of sets, which represent their systems in
 *   this stage other than this one; before_system, after_system: systems by handle.
 * - run_if: called before each run; if it returns false, the system is skipped, and the next run
 *   sees the changes made meanwhile as new. It may read what the system may read.
 * - dispose: called when the system is removed or the world is destroyed. At that time the entities
 *   still exist, and structural changes have no effect.
 * - alone: the system conflicts with every other system, whatever is declared; it may change the
 *   structure of the world directly.
 * - split, for systems defined by CN_SYSTEM: the chunks are distributed over the world's jobs. The
 *   body may send events and record into context->commands: the result is that of one thread
 *   visiting the chunks in order, for any number of threads. The body sees neither its own events
 *   nor those of other chunks.
 * - disabled: the system does not run until cn_system_enable is called. */
#define CNI_SYSTEM_OPTIONS                                                                         \
    void *user;                                                                                    \
    CnStage stage;                                                                                 \
    CnTerm access[CN_MAX_TERMS];                                                                   \
    const char *set;                                                                               \
    const char *before[CN_MAX_ORDER];                                                              \
    const char *after[CN_MAX_ORDER];                                                               \
    CnSystem before_system[CN_MAX_ORDER];                                                          \
    CnSystem after_system[CN_MAX_ORDER];                                                           \
    bool (*run_if)(const CnSystemContext *context);                                                \
    void (*on_added)(CnWorld * world, void *user);                                                 \
    void (*on_removed)(CnWorld * world, void *user);                                               \
    void (*dispose)(void *user);                                                                   \
    bool alone;                                                                                    \
    bool split;                                                                                    \
    bool disabled;

typedef struct CnSystemDesc {
    const char *name; /* unique in the world */
    void (*run)(CnSystemContext *context);
    CnQueryDesc query; /* its accesses count as declared */
    CNI_SYSTEM_OPTIONS
} CnSystemDesc;

/* The options of cn_system. Name, function and query are defined by CN_SYSTEM, and conditions on
 * the query are terms of CN_SYSTEM, so they are not options. */
typedef struct CnSystemOptions {
    CNI_SYSTEM_OPTIONS
} CnSystemOptions;

/* Adds a system. Returns the null system and sets the error if the name is used by a system or a
 * set, if the function is missing, the stage is invalid or a handle is unknown, or if a frame
 * system declares writing a component that is not transient. */
CN_API CnSystem cn_system_add(CnWorld *world, const CnSystemDesc *desc, CnError *error);
CN_API bool cn_system_remove(CnWorld *world, CnSystem system);
CN_API CnSystem cn_system_find(const CnWorld *world, const char *name);
CN_API bool cn_system_enable(CnWorld *world, CnSystem system, bool enabled);
/* Enables or disables all systems of a set, including those that join it later. A system runs only
 * if both the system and its set are enabled. Returns false and changes nothing if no system
 * belongs to the set or when out of memory. */
CN_API bool cn_system_set_enable(CnWorld *world, const char *set, bool enabled);
CN_API const char *cn_system_name(const CnWorld *world, CnSystem system);

/* Sets the job pool used by stages and split systems. With NULL, the default, everything runs on
 * the calling thread. The world does not own the pool. */
CN_API void cn_world_set_jobs(CnWorld *world, CnJobPool *jobs);

/* Runs the three startup stages. */
CN_API bool cn_world_startup(CnWorld *world, CnError *error);
/* Runs one update. `dt` is in seconds; a negative or non-finite value counts as 0. Runs nothing and
 * returns false if a stage cannot be sorted. */
CN_API bool cn_world_update(CnWorld *world, float dt, CnError *error);
/* Runs the three frame stages. */
CN_API bool cn_world_frame(CnWorld *world, float dt, CnError *error);
/* Runs one stage and flushes its commands. Returns false and sets the error for an invalid
 * stage. */
CN_API bool cn_world_run_stage(CnWorld *world, CnStage stage, float dt, CnError *error);

/* ---- Looking at the schedule ---- */

typedef struct CnScheduled {
    CnSystem system;
    const char *name;
    uint32_t wave; /* systems of one wave may run at the same time */
    bool alone, enabled;
} CnScheduled;

/* Fills `systems` with at most `capacity` systems of a stage in sorted order and sets *count to
 * their number. Returns false and sets an error that names the systems for a cycle or an unknown
 * name; also fails for a stage that is not sorted while an update runs. */
CN_API bool cn_stage_systems(CnWorld *world, CnStage stage, CnScheduled *systems, uint32_t capacity,
                             uint32_t *count, CnError *error);
/* Describes why the second system must wait for the first: "writes Position", "before"; NULL if it
 * need not wait. Both must be systems of one stage, the first earlier in its order. */
CN_API const char *cn_system_conflict(const CnWorld *world, CnSystem first, CnSystem second,
                                      char *text, size_t text_bytes);
/* Writes the stages that have systems as a graph in the Graphviz language; `write` is called with
 * pieces of text. Edges implied by a chain of other edges are omitted; dashed edges are
 * ambiguities. Must not be called while a stage runs. */
CN_API bool cn_schedule_dot(CnWorld *world, void (*write)(const char *text, void *user), void *user,
                            CnError *error);

/* Lists ambiguities: pairs of conflicting systems of one stage that `before` and `after` do not
 * order, neither directly nor through others, so that the order of registration decides. Calls
 * `write` with pieces of text that form one line per pair, such as "Update: steer, move: both write
 * Velocity"; names are escaped as by cn_text_escape. Writes nothing if there are none. A system
 * that declares nothing conflicts with all others. Returns false and sets the error if a stage
 * cannot be sorted or when out of memory. Must not be called while a stage runs. */
CN_API bool cn_schedule_ambiguities(CnWorld *world, void (*write)(const char *text, void *user),
                                    void *user, CnError *error);

/* ---- Times ---- */

/* Wall-clock times in nanoseconds; never part of the state of a simulation. The time of a run is
 * measured from its start to its end on the thread that runs it, including run_if; for a split
 * system, until its last chunk is done. */
typedef struct CnSystemStats {
    uint64_t runs; /* not counting those skipped by run_if */
    uint64_t last_ns, total_ns, max_ns;
} CnSystemStats;

/* Enables or disables counting and timing of system runs. It is disabled by default; a stage then
 * pays for one branch. Enabling it resets the statistics; disabling it keeps them. Has no effect
 * while a stage runs. Measuring is disabled in a clone of the world. Call it on the thread that
 * owns the world. */
CN_API void cn_world_measure_systems(CnWorld *world, bool measure);
/* Returns the statistics of a system; false and zeros if it does not exist. While a stage runs,
 * only systems that run alone may call it. */
CN_API bool cn_system_stats(const CnWorld *world, CnSystem system, CnSystemStats *stats);

/* ---- Code that comes and goes, such as plugins ---- */

/* Sets the owner of systems and hooks that are added from now on; 0 means none. Returns the
 * previous owner. */
CN_API uint32_t cn_world_set_owner(CnWorld *world, uint32_t owner);
/* Removes everything that points into the owner's code: hooks, callbacks and type descriptions. Its
 * systems keep their positions and do not run until they are added again under their names;
 * cn_owner_end_replace removes those that are not. Must not be called during a stage. */
CN_API void cn_owner_begin_replace(CnWorld *world, uint32_t owner);
CN_API void cn_owner_end_replace(CnWorld *world, uint32_t owner);

/* ---- What cn_system and CN_SYSTEM of system_macro.h use ---- */

/* Like cn_system_add with a separate query; the query in the description is ignored. */
CN_API CnSystem cn_system_add_query(CnWorld *world, const CnSystemDesc *desc,
                                    const CnQueryDesc *query, CnError *error);
CN_API CnSystem cni_ecs_system_add_options(CnWorld *world, const char *name,
                                           void (*run)(CnSystemContext *context),
                                           const CnQueryDesc *query, CnSystemOptions options);

/* Only the loop over rows is compiled for each system; the library iterates over the chunks. */
typedef struct CniEcsSystemColumn {
    const CnType *type;
    uint32_t size;   /* of a value or of the field */
    uint16_t offset; /* of the field */
    uint8_t flags;   /* CNI_COLUMN_... */
    bool writes;
} CniEcsSystemColumn;

#define CNI_COLUMN_BY_FIELD 1u
#define CNI_COLUMN_OPTIONAL 2u

typedef struct CniEcsSystemCode {
    void (*rows[CN_SIMD_PATH_COUNT])(CnSystemContext *context, const CnChunkView *chunk,
                                     void *const *addresses);
    uint32_t column_count;  /* columns that follow */
    uint16_t changed_count; /* `changed` terms that follow them */
    bool has_optional;
} CniEcsSystemCode;

CN_API void cni_ecs_system_run(CnSystemContext *context, const CniEcsSystemCode *code);

CN_EXTERN_C_END

#include <cairn/ecs/system_macro.h>

#endif
