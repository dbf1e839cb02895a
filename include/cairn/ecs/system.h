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
 * An update clears old events, runs the fixed stage as often as the accumulated time asks for, then
 * the three others. Within a stage, before and after decide, then order of registration; a cycle
 * is an error that names its members. Commands are flushed after each stage.
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
    CN_STAGE_FIXED_UPDATE,
    CN_STAGE_PRE_UPDATE,
    CN_STAGE_UPDATE,
    CN_STAGE_POST_UPDATE,
    CN_STAGE_COUNT
} CnStage;

CN_API const char *cn_stage_name(CnStage stage);

typedef struct CnSystemContext {
    CnWorld *world;
    CnQuery *query; /* of the description; NULL when it has none */
    CnCommands *commands;
    float dt;          /* seconds */
    uint64_t last_run; /* change tick of this system's previous run; 0 at first */
    void *user;
} CnSystemContext;

typedef struct CnSystemDesc {
    const char *name; /* unique in the world */
    void (*run)(CnSystemContext *context);
    void *user;
    CnStage stage;
    CnQueryDesc query;           /* what it iterates; its access counts as declared */
    CnTerm access[CN_MAX_TERMS]; /* further components, resources and events it reads or writes */
    const char *before[CN_MAX_ORDER]; /* names of systems in the same stage */
    const char *after[CN_MAX_ORDER];
    void (*on_added)(CnWorld *world, void *user);
    void (*on_removed)(CnWorld *world, void *user);
    void (*dispose)(void *user); /* when removed or when the world ends */
    bool disabled;
} CnSystemDesc;

/* Zero is null. */
typedef struct CnSystem {
    uint32_t id;
} CnSystem;

/* The null system and an error for a name in use, a missing function, or a bad stage. */
CN_API CnSystem cn_system_add(CnWorld *world, const CnSystemDesc *desc, CnError *error);
CN_API bool cn_system_remove(CnWorld *world, CnSystem system);
CN_API CnSystem cn_system_find(const CnWorld *world, const char *name);
CN_API bool cn_system_enable(CnWorld *world, CnSystem system, bool enabled);
CN_API const char *cn_system_name(const CnWorld *world, CnSystem system);
/* The sorted order of a stage: fills at most `capacity`, sets *count to how many there are. False
 * and an error that names the systems for a cycle or an unknown name. */
CN_API bool cn_stage_systems(CnWorld *world, CnStage stage, CnSystem *systems, uint32_t capacity,
                             uint32_t *count, CnError *error);

/* Runs the three startup stages. */
CN_API bool cn_world_startup(CnWorld *world, CnError *error);
/* Runs one update. A negative or not finite dt counts as 0. Nothing runs when a stage cannot be
 * sorted. When commands could not all be applied it ends with that stage; a fixed step that ran is
 * spent. */
CN_API bool cn_world_update(CnWorld *world, float dt, CnError *error);
/* Runs one stage and flushes. */
CN_API bool cn_world_run_stage(CnWorld *world, CnStage stage, float dt, CnError *error);
/* How far the fixed accumulator is into its next step, from 0 to 1. */
CN_API float cn_world_fixed_alpha(const CnWorld *world);

/* Adds a system made by CN_SYSTEM; further fields of CnSystemDesc may follow. */
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
    uint32_t offset; /* of the field */
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
#define CNI_DECLARED_3(access, T, name) {&cn_type_##T, 0, false, CNI_WRITES_##access},
#define CNI_DECLARED_4(access, T, field, name)                                                     \
    {&cn_type_##T, (uint32_t)offsetof(T, field), true, CNI_WRITES_##access},
#define CNI_WRITES_write true
#define CNI_WRITES_read false

CN_EXTERN_C_END

#endif
