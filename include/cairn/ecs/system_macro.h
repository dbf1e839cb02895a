/*
 * CN_SYSTEM and cn_system; system.h contains an example and explains systems.
 *
 *     CN_SYSTEM(name, terms...) { body }
 *
 * Terms that pass the body a pointer to the rows of a chunk:
 *     (read, Type, p)            const Type *p; the component is required
 *     (write, Type, p)           Type *p; the chunk's column counts as changed
 *     (optional_read, Type, p)   the same for optional components:
 *     (optional_write, Type, p)  p is NULL in chunks without the component
 * Each of them accepts a field between the type and the name, as in (write, Type, field, p), for
 * one field of a component that is stored by fields.
 *
 * Terms that only select entities:
 *     (tag, Type)      the component is required, without access
 *     (without, Type)  entities with the component are excluded
 *     (changed, Type)  the component is required and counts as read; only chunks are visited in
 *                      which it was written, or rows were added or removed, since this system's
 *                      previous run. With several such terms, one changed component suffices.
 *                      The system's own writes do not count. The type must not be a tag. For
 *                      changes of individual entities, see row_changes.h.
 *
 * A system has at most CN_MAX_TERMS terms. The body can use the pointers, `count` (the rows of the
 * chunk), `context` and `chunk`. Both macros compile as C17 and as C++17.
 *
 * This header contains only macros. It is marked as a system header so that compilers report
 * mistakes at their source location.
 */
#ifndef CAIRN_ECS_SYSTEM_MACRO_H
#define CAIRN_ECS_SYSTEM_MACRO_H

#pragma GCC system_header

#include <cairn/ecs/describe.h>
#include <cairn/ecs/system.h>

/* Adds a system defined by CN_SYSTEM. Fields of CnSystemOptions may follow, in C++ in the order of
 * their declaration. On failure, returns the null system; the failure is logged and counted in the
 * world's statistics. */
#define cn_system(world, name_, ...)                                                               \
    cni_ecs_system_add_options((world), #name_, name_, &name_##_query,                             \
                               CNI_OPTIONS_LITERAL{__VA_ARGS__})
#ifdef __cplusplus
#define CNI_OPTIONS_LITERAL CnSystemOptions
#else
#define CNI_OPTIONS_LITERAL (CnSystemOptions)
#endif

#define CN_SYSTEM(system, ...)                                                                     \
    CNI_STATIC_ASSERT(CNI_COUNT(__VA_ARGS__) <= CN_MAX_TERMS,                                      \
                      #system " has more than CN_MAX_TERMS terms");                                \
    CNI_EACH(CNI_CHECK_TERM, #system, __VA_ARGS__)                                                 \
    static const CnQueryDesc system##_query = {{CNI_EACH(CNI_REQUIRED, _, __VA_ARGS__)},           \
                                               {},                                                 \
                                               {CNI_EACH(CNI_EXCLUDED, _, __VA_ARGS__)},           \
                                               {CNI_EACH(CNI_OPTIONAL, _, __VA_ARGS__)}};          \
    static inline __attribute__((always_inline)) void system##_rows(                               \
        CnSystemContext *context, const CnChunkView *chunk,                                        \
        uint32_t count CNI_EACH(CNI_PARAMETER, _, __VA_ARGS__));                                   \
    CN_SIMD_DISPATCH(                                                                              \
        system##_in_chunk,                                                                         \
        (CnSystemContext * context, const CnChunkView *chunk, void *const *addresses),             \
        (context, chunk, addresses))                                                               \
    {                                                                                              \
        struct system##_columns {                                                                  \
            CNI_EACH(CNI_COLUMN, _, __VA_ARGS__)                                                   \
            char end;                                                                              \
        };                                                                                         \
        __attribute__((unused)) const struct system##_columns *columns =                           \
            (const struct system##_columns *)(const void *)addresses;                              \
        system##_rows(context, chunk, chunk->count CNI_EACH(CNI_ARGUMENT, _, __VA_ARGS__));        \
    }                                                                                              \
    __attribute__((unused)) static void system(CnSystemContext *context)                           \
    {                                                                                              \
        static const struct {                                                                      \
            CniEcsSystemCode code;                                                                 \
            CniEcsSystemColumn columns[CNI_COUNT(__VA_ARGS__)];                                    \
        } all __attribute__((aligned(64))) = {                                                     \
            {CN_SIMD_PATHS(system##_in_chunk), 0 CNI_EACH(CNI_COUNT_COLUMN, _, __VA_ARGS__),       \
             0 CNI_EACH(CNI_COUNT_CHANGED, _, __VA_ARGS__),                                        \
             false CNI_EACH(CNI_HAS_OPTIONAL, _, __VA_ARGS__)},                                    \
            {CNI_EACH(CNI_DECLARED, _, __VA_ARGS__) CNI_EACH(CNI_CHANGED, _, __VA_ARGS__)}};       \
        cni_ecs_system_run(context, &all.code);                                                    \
    }                                                                                              \
    static inline __attribute__((always_inline)) void system##_rows(                               \
        __attribute__((unused)) CnSystemContext *context,                                          \
        __attribute__((unused)) const CnChunkView *chunk,                                          \
        __attribute__((unused)) uint32_t count CNI_EACH(CNI_PARAMETER, _, __VA_ARGS__))

/* ---- What each kind of term contributes ---- */

/* A kind is known when CNI_TERM_KIND_<kind> expands to two arguments. */
#define CNI_TERM_KIND_read ~, true
#define CNI_TERM_KIND_write ~, true
#define CNI_TERM_KIND_optional_read ~, true
#define CNI_TERM_KIND_optional_write ~, true
#define CNI_TERM_KIND_tag ~, true
#define CNI_TERM_KIND_without ~, true
#define CNI_TERM_KIND_changed ~, true
#define CNI_SECOND_(a, b, ...) b
#define CNI_SECOND_OF(...) CNI_SECOND_(__VA_ARGS__)
#define CNI_CHECK_TERM(system, term) CNI_CHECK_KIND(system, CNI_PICK term)
#define CNI_CHECK_KIND(...) CNI_CHECK_KIND_(__VA_ARGS__)
#define CNI_CHECK_KIND_(system, kind, ...)                                                         \
    CNI_STATIC_ASSERT(CNI_SECOND_OF(CNI_TERM_KIND_##kind, false, _),                               \
                      system ": " #kind " is not a kind of term; use read, write, optional_read, " \
                             "optional_write, tag, without or changed");

/* Chooses by the number of arguments after the kind: (T, name) or (T, field, name). */
#define CNI_BY_ARITY(a, b, c, n, ...) n

/* Lists of the query. */
#define CNI_REQUIRED(x, term) CNI_REQUIRED_ term
#define CNI_REQUIRED_(kind, ...) CNI_REQUIRED_##kind(__VA_ARGS__)
#define CNI_REQUIRED_read(T, ...) cn_reads(T),
#define CNI_REQUIRED_write(T, ...) cn_writes(T),
#define CNI_REQUIRED_optional_read(...)
#define CNI_REQUIRED_optional_write(...)
#define CNI_REQUIRED_tag(T) cn_tag(T),
#define CNI_REQUIRED_without(T)
#define CNI_REQUIRED_changed(T) cn_reads(T),

#define CNI_EXCLUDED(x, term) CNI_EXCLUDED_ term
#define CNI_EXCLUDED_(kind, ...) CNI_EXCLUDED_##kind(__VA_ARGS__)
#define CNI_EXCLUDED_read(...)
#define CNI_EXCLUDED_write(...)
#define CNI_EXCLUDED_optional_read(...)
#define CNI_EXCLUDED_optional_write(...)
#define CNI_EXCLUDED_tag(T)
#define CNI_EXCLUDED_without(T) cn_tag(T),
#define CNI_EXCLUDED_changed(T)

#define CNI_OPTIONAL(x, term) CNI_OPTIONAL_ term
#define CNI_OPTIONAL_(kind, ...) CNI_OPTIONAL_##kind(__VA_ARGS__)
#define CNI_OPTIONAL_read(...)
#define CNI_OPTIONAL_write(...)
#define CNI_OPTIONAL_optional_read(T, ...) cn_reads(T),
#define CNI_OPTIONAL_optional_write(T, ...) cn_writes(T),
#define CNI_OPTIONAL_tag(T)
#define CNI_OPTIONAL_without(T)
#define CNI_OPTIONAL_changed(T)

/* Calls macro(flags, qualifier, writes, T, name) or (..., T, field, name) of a term with a column.
 */
#define CNI_WITH_COLUMN(suffix, kind, ...) CNI_WITH_COLUMN_##kind(suffix, __VA_ARGS__)
#define CNI_WITH_COLUMN_read(suffix, ...) CNI_##suffix(0, const, false, __VA_ARGS__)
#define CNI_WITH_COLUMN_write(suffix, ...) CNI_##suffix(0, , true, __VA_ARGS__)
#define CNI_WITH_COLUMN_optional_read(suffix, ...)                                                 \
    CNI_##suffix(CNI_COLUMN_OPTIONAL, const, false, __VA_ARGS__)
#define CNI_WITH_COLUMN_optional_write(suffix, ...)                                                \
    CNI_##suffix(CNI_COLUMN_OPTIONAL, , true, __VA_ARGS__)
#define CNI_WITH_COLUMN_tag(suffix, T)
#define CNI_WITH_COLUMN_without(suffix, T)
#define CNI_WITH_COLUMN_changed(suffix, T)

/* Parameters of the body, and the arguments for them. */
#define CNI_PARAMETER(x, term) CNI_PARAMETER_ term
#define CNI_PARAMETER_(kind, ...) CNI_WITH_COLUMN(AS_PARAMETER, kind, __VA_ARGS__)
#define CNI_AS_PARAMETER(flags, qualifier, writes, ...)                                            \
    CNI_BY_ARITY(__VA_ARGS__, CNI_FIELD_PARAMETER, CNI_WHOLE_PARAMETER, _)(qualifier, __VA_ARGS__)
#define CNI_WHOLE_PARAMETER(qualifier, T, name) , qualifier T *__restrict name
#define CNI_FIELD_PARAMETER(qualifier, T, field, name)                                             \
    , qualifier __typeof__(((T *)0)->field) *__restrict name

#define CNI_ARGUMENT(x, term) CNI_ARGUMENT_ term
#define CNI_ARGUMENT_(kind, ...) CNI_WITH_COLUMN(AS_ARGUMENT, kind, __VA_ARGS__)
#define CNI_AS_ARGUMENT(flags, qualifier, writes, ...)                                             \
    CNI_BY_ARITY(__VA_ARGS__, CNI_FIELD_ARGUMENT, CNI_WHOLE_ARGUMENT, _)(__VA_ARGS__)
#define CNI_WHOLE_ARGUMENT(T, name) , (T *)columns->name
#define CNI_FIELD_ARGUMENT(T, field, name) , (__typeof__(((T *)0)->field) *)columns->name

/* Addresses of columns, under the names of the terms. */
#define CNI_COLUMN(x, term) CNI_COLUMN_ term
#define CNI_COLUMN_(kind, ...) CNI_WITH_COLUMN(AS_COLUMN, kind, __VA_ARGS__)
#define CNI_AS_COLUMN(flags, qualifier, writes, ...)                                               \
    CNI_BY_ARITY(__VA_ARGS__, CNI_FIELD_COLUMN, CNI_WHOLE_COLUMN, _)(__VA_ARGS__)
#define CNI_WHOLE_COLUMN(T, name) void *name;
#define CNI_FIELD_COLUMN(T, field, name) void *name;

/* Descriptions of columns. */
#define CNI_DECLARED(x, term) CNI_DECLARED_ term
#define CNI_DECLARED_(kind, ...) CNI_WITH_COLUMN(AS_DECLARED, kind, __VA_ARGS__)
#define CNI_AS_DECLARED(flags, qualifier, writes, ...)                                             \
    CNI_BY_ARITY(__VA_ARGS__, CNI_FIELD_DECLARED, CNI_WHOLE_DECLARED, _)(flags, writes, __VA_ARGS__)
#define CNI_WHOLE_DECLARED(flags, writes, T, name)                                                 \
    {&cn_type_##T, (uint32_t)sizeof(T), 0, flags, writes},
#define CNI_FIELD_DECLARED(flags, writes, T, field, name)                                          \
    {&cn_type_##T, (uint32_t)sizeof(((T *)0)->field), (uint16_t)offsetof(T, field),                \
     (flags) | CNI_COLUMN_BY_FIELD, writes},

#define CNI_COUNT_COLUMN(x, term) CNI_COUNT_COLUMN_ term
#define CNI_COUNT_COLUMN_(kind, ...) CNI_WITH_COLUMN(AS_COUNT, kind, __VA_ARGS__)
#define CNI_AS_COUNT(...) +1

#define CNI_HAS_OPTIONAL(x, term) CNI_HAS_OPTIONAL_ term
#define CNI_HAS_OPTIONAL_(kind, ...) CNI_WITH_COLUMN(AS_OPTIONAL, kind, __VA_ARGS__)
#define CNI_AS_OPTIONAL(flags, ...) || (flags) != 0

/* Types whose changes are waited for. */
#define CNI_CHANGED(x, term) CNI_CHANGED_ term
#define CNI_CHANGED_(kind, ...) CNI_CHANGED_##kind(__VA_ARGS__)
#define CNI_CHANGED_read(...)
#define CNI_CHANGED_write(...)
#define CNI_CHANGED_optional_read(...)
#define CNI_CHANGED_optional_write(...)
#define CNI_CHANGED_tag(T)
#define CNI_CHANGED_without(T)
#define CNI_CHANGED_changed(T) {&cn_type_##T, (uint32_t)sizeof(T), 0, 0, false},

#define CNI_COUNT_CHANGED(x, term) CNI_COUNT_CHANGED_ term
#define CNI_COUNT_CHANGED_(kind, ...) CNI_COUNT_CHANGED_##kind(__VA_ARGS__)
#define CNI_COUNT_CHANGED_read(...)
#define CNI_COUNT_CHANGED_write(...)
#define CNI_COUNT_CHANGED_optional_read(...)
#define CNI_COUNT_CHANGED_optional_write(...)
#define CNI_COUNT_CHANGED_tag(T)
#define CNI_COUNT_CHANGED_without(T)
#define CNI_COUNT_CHANGED_changed(T) +1

#endif
