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
 * The macro makes the query from its terms, calls the body once per chunk with the columns as
 * restrict pointers, and compiles it for each SIMD path; system_macro.h lists the terms. They can
 * also exclude components, make them optional, and skip chunks that did not change:
 *
 *     CN_SYSTEM(fall, (write, Velocity, v), (optional_read, Mass, m), (without, Frozen))
 *     CN_SYSTEM(index_places, (read, Position, p), (changed, Position))
 *
 * A system with other needs fills in a CnSystemDesc and iterates by itself.
 *
 * Stages. Three run once, at startup. Five make an update, the tick of a simulation: Input,
 * PreUpdate, Update, PostUpdate, PreExtract. Three make a frame: PreFrame, Frame, PostFrame; they
 * see the world and may write only what is transient, because how many frames there are is not part
 * of a simulation. Commands are flushed after each stage. Old events are cleared at the start of an
 * update.
 *
 * Order. Within a stage, before and after decide, then order of registration; a cycle is an error
 * that names its members. Systems may belong to a set (.set = "physics"): before and after take its
 * name for all of them, and cn_system_set_enable switches them together. Systems whose declared
 * accesses do not conflict share a wave, and the systems of a wave run at the same time when the
 * world has a job pool. Systems that conflict run in the order of the schedule, and commands are
 * applied in that order, so the result never depends on the number of threads. A system that
 * declares nothing may touch anything: it has a wave of its own. So has one that writes a component
 * whose on_set hook it may call. A split system, too, gives the same result for any number of
 * threads, ids of the entities it spawns included.
 *
 * Systems may be added, removed, enabled and disabled at any time by the thread that owns the
 * world, and by systems that run alone. During an update this takes effect when the update is over.
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

/* The fields that CnSystemDesc and CnSystemOptions have in common:
 * - access: further components, resources and events the system reads or writes.
 * - set: name of the system's set; NULL: none. No system may have the name of a set.
 * - before, after: names of systems in the same stage, or of sets, which stand for their systems in
 *   this stage other than this one; before_system, after_system: systems by handle.
 * - run_if: called before each run; if it returns false, the system is skipped, and changes made
 *   meanwhile are new to its next run. It may read what the system may read.
 * - dispose: called when the system is removed or when the world ends. Then, the entities are still
 *   there, and structural changes have no effect.
 * - alone: conflicts with every other system, whatever is declared; the system may change the
 *   structure of the world directly.
 * - split, for systems made by CN_SYSTEM: the chunks are spread over the world's jobs. The body may
 *   send events and record into context->commands: the result is that of one thread walking the
 *   chunks in order, for any number of threads. It sees neither its own events nor those of other
 *   chunks.
 * - disabled: the system does not run until cn_system_enable. */
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
    CnQueryDesc query; /* what it iterates; its access counts as declared */
    CNI_SYSTEM_OPTIONS
} CnSystemDesc;

/* What cn_system takes after the name: the name, the function and the query are those of CN_SYSTEM,
 * so they are no options. Conditions on the query are terms of CN_SYSTEM. */
typedef struct CnSystemOptions {
    CNI_SYSTEM_OPTIONS
} CnSystemOptions;

/* The null system and an error for a name in use by a system or a set, a missing function, a bad
 * stage, an unknown handle, or a frame system that declares to write what is not transient. */
CN_API CnSystem cn_system_add(CnWorld *world, const CnSystemDesc *desc, CnError *error);
CN_API bool cn_system_remove(CnWorld *world, CnSystem system);
CN_API CnSystem cn_system_find(const CnWorld *world, const char *name);
CN_API bool cn_system_enable(CnWorld *world, CnSystem system, bool enabled);
/* Switches all systems of a set, beside cn_system_enable: a system runs while it is enabled itself
 * and its set is, too. Holds for systems that join the set later. False when no system belongs to
 * the set or when out of memory: then nothing changes. */
CN_API bool cn_system_set_enable(CnWorld *world, const char *set, bool enabled);
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
/* Why one must wait for the other, for people: "writes Position", "before"; NULL if it need not.
 * Both are systems of one stage, the first earlier in its order. */
CN_API const char *cn_system_conflict(const CnWorld *world, CnSystem first, CnSystem second,
                                      char *text, size_t text_bytes);
/* Draws the stages that have systems as a graph in the language of Graphviz: `write` is called
 * with pieces of text. Edges that a chain of others implies are left out; dashed edges are
 * ambiguities. Not while a stage runs. */
CN_API bool cn_schedule_dot(CnWorld *world, void (*write)(const char *text, void *user), void *user,
                            CnError *error);

/* Lists ambiguities: pairs of systems of one stage that conflict, while before and after give them
 * no order, neither directly nor through others, so that order of registration decides. A line for
 * each, such as "Update: steer, move: both write Velocity", through calls of `write` with pieces of
 * text; names are escaped as by cn_text_escape. Nothing is written when there are none. A system
 * that declares nothing conflicts with all. False and an error when a stage cannot be sorted, or
 * out of memory. Not while a stage runs. */
CN_API bool cn_schedule_ambiguities(CnWorld *world, void (*write)(const char *text, void *user),
                                    void *user, CnError *error);

/* ---- Times ---- */

/* Real time, in nanoseconds; never part of the state of a simulation. The time of a run is from its
 * beginning to its end on the thread that runs it, run_if included: for a split system that is
 * until the last chunk is done. */
typedef struct CnSystemStats {
    uint64_t runs; /* without those that run_if refused */
    uint64_t last_ns, total_ns, max_ns;
} CnSystemStats;

/* Whether runs of systems are counted and timed; at first they are not, and a stage pays one
 * branch. Switching it on begins at zero; switching it off keeps what was measured. No effect while
 * a stage runs. A clone of the world does not measure. By the thread that owns the world. */
CN_API void cn_world_measure_systems(CnWorld *world, bool measure);
/* What was measured of a system. False and zeros for one that does not exist. While a stage runs,
 * only by systems that run alone. */
CN_API bool cn_system_stats(const CnWorld *world, CnSystem system, CnSystemStats *stats);

/* ---- Code that comes and goes, such as plugins ---- */

/* Systems added and hooks set from now on belong to `owner` (0: to nobody); returns the one before.
 */
CN_API uint32_t cn_world_set_owner(CnWorld *world, uint32_t owner);
/* Forgets everything that points into the owner's code: hooks, callbacks, descriptions of types.
 * Its systems keep their places and do not run until they are added again under their names; those
 * that are not are removed by cn_owner_end_replace. Not during a stage. */
CN_API void cn_owner_begin_replace(CnWorld *world, uint32_t owner);
CN_API void cn_owner_end_replace(CnWorld *world, uint32_t owner);

/* ---- What cn_system and CN_SYSTEM of system_macro.h use ---- */

/* cn_system_add with the query beside the description, whose own query is ignored. */
CN_API CnSystem cn_system_add_query(CnWorld *world, const CnSystemDesc *desc,
                                    const CnQueryDesc *query, CnError *error);
CN_API CnSystem cni_ecs_system_add_options(CnWorld *world, const char *name,
                                           void (*run)(CnSystemContext *context),
                                           const CnQueryDesc *query, CnSystemOptions options);

/* Only the loop over rows is compiled for each system: the library walks the chunks. */
typedef struct CniEcsSystemColumn {
    const CnType *type;
    uint32_t size;   /* of a value, or of the field's */
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
