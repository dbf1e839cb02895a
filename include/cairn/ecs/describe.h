/*
 * The implementation of CN_COMPONENT, CN_STRUCT, CN_DESCRIBE, CN_OPAQUE and CN_TAG; component.h
 * explains how to use them.
 *
 * This header contains only macros. It is marked as a system header so that compilers report a
 * mistake in a description as one error at the description, without a note for each expanded macro.
 */
#ifndef CAIRN_ECS_DESCRIBE_H
#define CAIRN_ECS_DESCRIBE_H

#pragma GCC system_header

#include <cairn/base.h>
#include <cairn/ecs/each.h>

/* Like CN_STATIC_ASSERT, but defined in this header, so that compilers report the location of the
 * description. */
#ifdef __cplusplus
#define CNI_STATIC_ASSERT static_assert
#else
#define CNI_STATIC_ASSERT _Static_assert
#endif

/* A field type is known when CNI_KIND_<type> expands to two arguments. */
#define CNI_KIND_f32 ~, VALUE
#define CNI_KIND_f64 ~, VALUE
#define CNI_KIND_i8 ~, VALUE
#define CNI_KIND_i16 ~, VALUE
#define CNI_KIND_i32 ~, VALUE
#define CNI_KIND_i64 ~, VALUE
#define CNI_KIND_u8 ~, VALUE
#define CNI_KIND_u16 ~, VALUE
#define CNI_KIND_u32 ~, VALUE
#define CNI_KIND_u64 ~, VALUE
#define CNI_KIND_bool ~, VALUE
#define CNI_KIND__Bool ~, VALUE
#define CNI_KIND_entity ~, VALUE
#define CNI_KIND_vec2 ~, VALUE
#define CNI_KIND_vec3 ~, VALUE
#define CNI_KIND_vec4 ~, VALUE
#define CNI_KIND_quat ~, VALUE
#define CNI_KIND_mat4 ~, VALUE
#define CNI_KIND_text ~, TEXT
#define CNI_KIND_struct ~, STRUCT

#define CNI_CTYPE_f32 float
#define CNI_CTYPE_f64 double
#define CNI_CTYPE_i8 int8_t
#define CNI_CTYPE_i16 int16_t
#define CNI_CTYPE_i32 int32_t
#define CNI_CTYPE_i64 int64_t
#define CNI_CTYPE_u8 uint8_t
#define CNI_CTYPE_u16 uint16_t
#define CNI_CTYPE_u32 uint32_t
#define CNI_CTYPE_u64 uint64_t
#define CNI_CTYPE_bool bool
#define CNI_CTYPE__Bool bool /* what C's bool expands to */
#define CNI_CTYPE_entity CnEntity
#define CNI_CTYPE_vec2 CnVec2
#define CNI_CTYPE_vec3 CnVec3
#define CNI_CTYPE_vec4 CnVec4
#define CNI_CTYPE_quat CnQuat
#define CNI_CTYPE_mat4 CnMat4

#define CNI_ENUM_f32 CN_FIELD_F32
#define CNI_ENUM_f64 CN_FIELD_F64
#define CNI_ENUM_i8 CN_FIELD_I8
#define CNI_ENUM_i16 CN_FIELD_I16
#define CNI_ENUM_i32 CN_FIELD_I32
#define CNI_ENUM_i64 CN_FIELD_I64
#define CNI_ENUM_u8 CN_FIELD_U8
#define CNI_ENUM_u16 CN_FIELD_U16
#define CNI_ENUM_u32 CN_FIELD_U32
#define CNI_ENUM_u64 CN_FIELD_U64
#define CNI_ENUM_bool CN_FIELD_BOOL
#define CNI_ENUM__Bool CN_FIELD_BOOL
#define CNI_ENUM_entity CN_FIELD_ENTITY
#define CNI_ENUM_vec2 CN_FIELD_VEC2
#define CNI_ENUM_vec3 CN_FIELD_VEC3
#define CNI_ENUM_vec4 CN_FIELD_VEC4
#define CNI_ENUM_quat CN_FIELD_QUAT
#define CNI_ENUM_mat4 CN_FIELD_MAT4

/* Descriptions are weak hidden symbols, so that several source files can include the same
 * header. */
#define CNI_SHARED __attribute__((weak, visibility("hidden")))

/* Keeps records in the program although nothing refers to them. */
#if defined(__has_attribute)
#if __has_attribute(retain)
#define CNI_RECORD_PLACE __attribute__((section("cn_types"), used, retain, aligned(8)))
#endif
#endif
#ifndef CNI_RECORD_PLACE
#define CNI_RECORD_PLACE __attribute__((section("cn_types"), used, aligned(8)))
#endif
/* The bounds of the section, defined by the linker. */
CN_EXTERN_C_BEGIN
CNI_SHARED extern const uint64_t __start_cn_types[], __stop_cn_types[];
CN_EXTERN_C_END

#define CNI_SECOND(...) CNI_SECOND_(__VA_ARGS__)
#define CNI_SECOND_(a, b, ...) b
#define CNI_KIND(type) CNI_SECOND(CNI_KIND_##type, UNKNOWN, ~)
#define CNI_JOIN(a, b, c, d) CNI_JOIN_(a, b, c, d)
#define CNI_JOIN_(a, b, c, d) a##b##c##d

/* CNI_FIELD(op, T, tuple) calls op(T, C type, field type, name, array, count, description of a
 * nested struct, label, is valid, message), whatever the form of the tuple. */
#define CNI_FIELD(op, T, tuple) CNI_FIELD_(op, T, CNI_PICK tuple)
#define CNI_FIELD_(...) CNI_FIELD_2(__VA_ARGS__)
#define CNI_FIELD_2(op, T, type, ...)                                                              \
    CNI_JOIN(CNI_, CNI_KIND(type), _, CNI_COUNT(__VA_ARGS__))(op, T, type, __VA_ARGS__)

#define CNI_VALUE_1(op, T, type, name)                                                             \
    op(T, CNI_CTYPE_##type, CNI_ENUM_##type, name, , 1, NULL, #name, 1,                            \
       #T "." #name " is not " #type)
#define CNI_VALUE_2(op, T, type, name, count)                                                      \
    op(T, CNI_CTYPE_##type, CNI_ENUM_##type, name, [count], (count), NULL, #name, 1,               \
       #T "." #name " is not " #type "[" #count "]")
#define CNI_TEXT_1(op, T, type, name)                                                              \
    op(T, char, CN_FIELD_TEXT, name, [1], 1, NULL, #name, 0,                                       \
       #T "." #name " needs a size in bytes, as in (text, " #name ", 32)")
#define CNI_TEXT_2(op, T, type, name, count)                                                       \
    op(T, char, CN_FIELD_TEXT, name, [count], (count), NULL, #name, 1,                             \
       #T "." #name " is not char[" #count "]")
#define CNI_STRUCT_1(op, T, type, name)                                                            \
    op(T, char, CN_FIELD_U8, name, , 1, NULL, #name, 0,                                            \
       #T "." #name " needs the type of the struct, as in (struct, Range, " #name ")")
#define CNI_STRUCT_2(op, T, type, S, name)                                                         \
    op(T, S, CNI_FIELD_STRUCT, name, , 1, &cn_type_##S, #name " " #S, 1, #T "." #name " is not " #S)
#define CNI_STRUCT_3(op, T, type, S, name, count)                                                  \
    op(T, S, CNI_FIELD_STRUCT, name, [count], (count), &cn_type_##S, #name " " #S, 1,              \
       #T "." #name " is not " #S "[" #count "]")
#define CNI_NO_TYPE(T, type, name)                                                                 \
#T "." #name ": " #type " is not a field type; use f32, f64, i8 to i64, u8 to u64, bool, "     \
       "entity, vec2, vec3, vec4, quat, mat4, (text, name, bytes) or (struct, Type, name)"
#define CNI_UNKNOWN_1(op, T, type, name)                                                           \
    op(T, type, CN_FIELD_U8, name, , 1, NULL, #name, 0, CNI_NO_TYPE(T, type, name))
#define CNI_UNKNOWN_2(op, T, type, name, count)                                                    \
    op(T, type, CN_FIELD_U8, name, [count], (count), NULL, #name, 0, CNI_NO_TYPE(T, type, name))

#define CNI_MEMBER(T, tuple) CNI_FIELD(CNI_MEMBER_OP, T, tuple)
#define CNI_MEMBER_OP(T, C, field_type, name, array, count, nested, label, valid, message)         \
    C name array;

#define CNI_DESCRIBE(T, tuple) CNI_FIELD(CNI_DESCRIBE_OP, T, tuple)
#define CNI_DESCRIBE_OP(T, C, field_type, name, array, count, nested, label, valid, message)       \
    {#name, field_type, count, (uint32_t)offsetof(T, name), (uint32_t)(sizeof(C) * count)},

#define CNI_CHECK(T, tuple) CNI_FIELD(CNI_CHECK_OP, T, tuple)
#define CNI_CHECK_OP(T, C, field_type, name, array, count, nested, label, valid, message)          \
    CNI_STATIC_ASSERT(valid && sizeof(((T *)0)->name) == sizeof(C) * count, message);

#define CNI_LABEL(T, tuple) CNI_FIELD(CNI_LABEL_OP, T, tuple)
#define CNI_LABEL_OP(T, C, field_type, name, array, count, nested, label, valid, message) label ","

#define CNI_SHAPE(T, tuple) CNI_FIELD(CNI_SHAPE_OP, T, tuple)
#define CNI_SHAPE_OP(T, C, field_type, name, array, count, nested, label, valid, message)          \
    {(uint32_t)field_type, count, (uint32_t)offsetof(T, name), (uint32_t)(sizeof(C) * count)},

#define CNI_NESTED(T, tuple) CNI_FIELD(CNI_NESTED_OP, T, tuple)
#define CNI_NESTED_OP(T, C, field_type, name, array, count, nested, label, valid, message) nested,

/* Defines the record of a type in this source file. The last arguments are its fields in braces. */
#define CNI_RECORD(T, type_size, type_alignment, count, labels, ...)                               \
    static const struct cni_ecs_record_of_##T {                                                    \
        uint32_t bytes, size, alignment, line, field_count, field_offset;                          \
        char text[sizeof(#T "\0" __FILE__ "\0" labels)];                                           \
        CniEcsFieldRecord fields[(count) + 1];                                                     \
    } __attribute__((aligned(8))) cni_ecs_record_##T CNI_RECORD_PLACE = {                          \
        (uint32_t)sizeof(struct cni_ecs_record_of_##T),                                            \
        type_size,                                                                                 \
        type_alignment,                                                                            \
        __LINE__,                                                                                  \
        count,                                                                                     \
        (uint32_t)offsetof(struct cni_ecs_record_of_##T, fields),                                  \
        #T "\0" __FILE__ "\0" labels,                                                              \
        {__VA_ARGS__{0, 0, 0, 0}}}

#define CNI_TYPE(T, type_size, type_alignment, fields, count, nested)                              \
    CNI_SHARED extern CniEcsTypeSite cn_site_##T;                                                  \
    CniEcsTypeSite cn_site_##T = {                                                                 \
        0, __LINE__, __FILE__, __start_cn_types, __stop_cn_types, nested};                         \
    CNI_SHARED extern const CnType cn_type_##T;                                                    \
    const CnType cn_type_##T = {#T, type_size, type_alignment, fields, count, &cn_site_##T}

#define CN_DESCRIBE(T, ...)                                                                        \
    CNI_EACH(CNI_CHECK, T, __VA_ARGS__)                                                            \
    CNI_RECORD(T, (uint32_t)sizeof(T), (uint32_t)CN_ALIGN_OF(T), CNI_COUNT(__VA_ARGS__),           \
               CNI_EACH(CNI_LABEL, T, __VA_ARGS__), CNI_EACH(CNI_SHAPE, T, __VA_ARGS__));          \
    CNI_SHARED extern const CnField cn_fields_##T[CNI_COUNT(__VA_ARGS__)];                         \
    const CnField cn_fields_##T[CNI_COUNT(__VA_ARGS__)] = {                                        \
        CNI_EACH(CNI_DESCRIBE, T, __VA_ARGS__)};                                                   \
    CNI_SHARED extern const CnType *const cn_nested_##T[CNI_COUNT(__VA_ARGS__)];                   \
    const CnType *const cn_nested_##T[CNI_COUNT(__VA_ARGS__)] = {                                  \
        CNI_EACH(CNI_NESTED, T, __VA_ARGS__)};                                                     \
    CNI_TYPE(T, (uint32_t)sizeof(T), (uint32_t)CN_ALIGN_OF(T), cn_fields_##T,                      \
             CNI_COUNT(__VA_ARGS__), cn_nested_##T)

#define CN_COMPONENT(T, ...)                                                                       \
    typedef struct T {                                                                             \
        CNI_EACH(CNI_MEMBER, T, __VA_ARGS__)                                                       \
    } T;                                                                                           \
    CN_DESCRIBE(T, __VA_ARGS__)

#define CN_STRUCT(T, ...) CN_COMPONENT(T, __VA_ARGS__)

#define CN_OPAQUE(T)                                                                               \
    CNI_RECORD(T, (uint32_t)sizeof(T), (uint32_t)CN_ALIGN_OF(T), 0, "", );                         \
    CNI_TYPE(T, (uint32_t)sizeof(T), (uint32_t)CN_ALIGN_OF(T), NULL, 0, NULL)

#define CN_TAG(T)                                                                                  \
    CNI_RECORD(T, 0, 1, 0, "", );                                                                  \
    CNI_TYPE(T, 0, 1, NULL, 0, NULL)

#endif
