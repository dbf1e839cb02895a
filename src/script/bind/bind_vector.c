/* Vec2, Vec3, Vec4 and Quat: plain values of 32-bit floats. */
#include "script/bind/bind.h"

#include <cairn/base/linear.h>
#include <string.h>

void cni_script_push_floats(lua_State *lua, const CniScriptBindings *bound, CniScriptClass kind,
                            const float *values)
{
    size_t bytes = cni_script_floats_of(kind) * sizeof(float);
    memcpy(cni_script_push_new(lua, bound, kind, bytes), values, bytes);
}

void cni_script_push_vec3(lua_State *lua, const CniScriptBindings *bound, CnVec3 value)
{
    *(CnVec3 *)cni_script_push_new(lua, bound, CNI_SCRIPT_CLASS_VEC3, sizeof value) = value;
}

void cni_script_push_quat(lua_State *lua, const CniScriptBindings *bound, CnQuat value)
{
    *(CnQuat *)cni_script_push_new(lua, bound, CNI_SCRIPT_CLASS_QUAT, sizeof value) = value;
}

/* Subtracting infinity or NaN from itself yields NaN. */
bool cni_script_all_finite(const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!(values[i] - values[i] == 0))
            return false;
    return true;
}

CnVec3 cni_script_check_vec3(lua_State *lua, int index)
{
    const CnVec3 *v = cni_script_check_class(lua, index, CNI_SCRIPT_CLASS_VEC3);
    if (CN_UNLIKELY(!cni_script_all_finite(&v->x, 3)))
        luaL_argerror(lua, index, "a number in this Vec3 is not finite");
    return *v;
}

static int not_finite(lua_State *lua)
{
    return luaL_error(lua, "'%s' would become infinite or not a number", lua_tostring(lua, 2));
}

CnVec3 cni_script_value_vec3(lua_State *lua)
{
    const CnVec3 *v = cni_script_to_class(lua, cni_script_bindings(lua), 3, CNI_SCRIPT_CLASS_VEC3);
    if (CN_UNLIKELY(!v))
        cni_script_throw_bad_value(lua, "Vec3");
    if (CN_UNLIKELY(!cni_script_all_finite(&v->x, 3)))
        not_finite(lua);
    return *v;
}

CnQuat cni_script_value_quat(lua_State *lua)
{
    const CnQuat *q = cni_script_to_class(lua, cni_script_bindings(lua), 3, CNI_SCRIPT_CLASS_QUAT);
    if (CN_UNLIKELY(!q))
        cni_script_throw_bad_value(lua, "Quat");
    if (CN_UNLIKELY(!cni_script_all_finite(&q->x, 4)))
        not_finite(lua);
    CnQuat unit = *q;
    if (CN_UNLIKELY(!cn_quat_make_unit(&unit)))
        luaL_error(lua, "'%s' cannot be a Quat of zeros", lua_tostring(lua, 2));
    return unit;
}

/* ---- Common parts of Vec2, Vec3 and Vec4 ---- */

static bool is_vector(CniScriptClass kind)
{
    return kind >= CNI_SCRIPT_CLASS_VEC2 && kind <= CNI_SCRIPT_CLASS_VEC4;
}

static int not_a_vector(lua_State *lua, int index)
{
    lua_pushfstring(lua, "vector expected, got %s", cni_script_type_name(lua, index));
    return luaL_argerror(lua, index, lua_tostring(lua, -1));
}

/* Returns the class of an argument; throws when it is not a vector. */
static CniScriptClass vector_class(lua_State *lua, int index)
{
    CniScriptClass kind = cni_script_class_of(lua, cni_script_bindings(lua), index);
    if (!is_vector(kind))
        not_a_vector(lua, index);
    return kind;
}

/* Two arguments of one class; one of them may be a number, which applies to all components. */
typedef struct Operands {
    CniScriptClass kind;
    uint32_t count;
    float a[4], b[4];
} Operands;

static void read_operand(lua_State *lua, int index, const Operands *operands, float *into)
{
    const float *v = lua_touserdata(lua, index);
    float number = v ? 0 : (float)lua_tonumber(lua, index);
    for (uint32_t i = 0; i < operands->count; i++)
        into[i] = v ? v[i] : number;
}

static Operands check_operands(lua_State *lua, bool numbers)
{
    const CniScriptBindings *bound = cni_script_bindings(lua);
    CniScriptClass a = cni_script_class_of(lua, bound, 1), b = cni_script_class_of(lua, bound, 2);
    CniScriptClass kind = is_vector(a) ? a : b;
    if (CN_UNLIKELY(!is_vector(kind)))
        not_a_vector(lua, 1);
    for (int i = 1; i <= 2; i++)
        if (CN_UNLIKELY((i == 1 ? a : b) != kind) && !(numbers && lua_type(lua, i) == LUA_TNUMBER))
            cni_script_check_class(lua, i, kind);
    Operands operands = {.kind = kind, .count = cni_script_floats_of(kind)};
    read_operand(lua, 1, &operands, operands.a);
    read_operand(lua, 2, &operands, operands.b);
    return operands;
}

static int push_result(lua_State *lua, const Operands *operands, const float *values)
{
    cni_script_push_floats(lua, cni_script_bindings(lua), operands->kind, values);
    return 1;
}

static int vector_add(lua_State *lua)
{
    Operands o = check_operands(lua, false);
    for (uint32_t i = 0; i < o.count; i++)
        o.a[i] += o.b[i];
    return push_result(lua, &o, o.a);
}

static int vector_sub(lua_State *lua)
{
    Operands o = check_operands(lua, false);
    for (uint32_t i = 0; i < o.count; i++)
        o.a[i] -= o.b[i];
    return push_result(lua, &o, o.a);
}

static int vector_mul(lua_State *lua)
{
    Operands o = check_operands(lua, true);
    for (uint32_t i = 0; i < o.count; i++)
        o.a[i] *= o.b[i];
    return push_result(lua, &o, o.a);
}

static int vector_div(lua_State *lua)
{
    Operands o = check_operands(lua, true);
    for (uint32_t i = 0; i < o.count; i++)
        o.a[i] /= o.b[i];
    return push_result(lua, &o, o.a);
}

static int vector_unm(lua_State *lua)
{
    Operands o = {.kind = vector_class(lua, 1)};
    o.count = cni_script_floats_of(o.kind);
    const float *v = lua_touserdata(lua, 1);
    for (uint32_t i = 0; i < o.count; i++)
        o.a[i] = -v[i];
    return push_result(lua, &o, o.a);
}

static int vector_eq(lua_State *lua)
{
    CniScriptClass kind = vector_class(lua, 1);
    const float *a = lua_touserdata(lua, 1),
                *b = cni_script_to_class(lua, cni_script_bindings(lua), 2, kind);
    bool equal = b != NULL;
    for (uint32_t i = 0; equal && i < cni_script_floats_of(kind); i++)
        equal = a[i] == b[i];
    lua_pushboolean(lua, equal);
    return 1;
}

static int push_text(lua_State *lua, const char *name, const float *v, uint32_t count)
{
    char text[128], parts[4][24];
    for (uint32_t i = 0; i < count; i++) /* + 0 avoids -0 */
        cn_format(parts[i], sizeof parts[i], "%s%g", i ? ", " : "", (double)(v[i] + 0.0f));
    cn_format(text, sizeof text, "%s(%s%s%s%s)", name, parts[0], parts[1],
              count > 2 ? parts[2] : "", count > 3 ? parts[3] : "");
    lua_pushstring(lua, text);
    return 1;
}

static int vector_tostring(lua_State *lua)
{
    CniScriptClass kind = vector_class(lua, 1);
    return push_text(lua, cni_script_class_name(kind), lua_touserdata(lua, 1),
                     cni_script_floats_of(kind));
}

static float dot(const float *a, const float *b, uint32_t count)
{
    float sum = a[0] * b[0];
    for (uint32_t i = 1; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static int vector_dot(lua_State *lua)
{
    Operands o = check_operands(lua, false);
    lua_pushnumber(lua, (lua_Number)dot(o.a, o.b, o.count));
    return 1;
}

static int vector_length(lua_State *lua)
{
    CniScriptClass kind = vector_class(lua, 1);
    const float *v = lua_touserdata(lua, 1);
    lua_pushnumber(lua, (lua_Number)cn_sqrtf(dot(v, v, cni_script_floats_of(kind))));
    return 1;
}

static int vector_normalized(lua_State *lua)
{
    Operands o = {.kind = vector_class(lua, 1)};
    o.count = cni_script_floats_of(o.kind);
    const float *v = lua_touserdata(lua, 1);
    float length = cn_sqrtf(dot(v, v, o.count));
    for (uint32_t i = 0; i < o.count; i++)
        o.a[i] = length > 0 ? v[i] * (1 / length) : v[i];
    return push_result(lua, &o, o.a);
}

static int vector_lerp(lua_State *lua)
{
    float t = (float)luaL_checknumber(lua, 3);
    Operands o = check_operands(lua, false);
    for (uint32_t i = 0; i < o.count; i++)
        o.a[i] += (o.b[i] - o.a[i]) * t;
    return push_result(lua, &o, o.a);
}

static int vector_distance(lua_State *lua)
{
    Operands o = check_operands(lua, false);
    for (uint32_t i = 0; i < o.count; i++)
        o.a[i] -= o.b[i];
    lua_pushnumber(lua, (lua_Number)cn_sqrtf(dot(o.a, o.a, o.count)));
    return 1;
}

static int vec3_cross(lua_State *lua)
{
    const CnVec3 *a = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_VEC3),
                 *b = cni_script_check_class(lua, 2, CNI_SCRIPT_CLASS_VEC3);
    cni_script_push_vec3(lua, cni_script_bindings(lua), cn_vec3_cross(*a, *b));
    return 1;
}

/* Components, by the first letter of their names. */
static int get_part(lua_State *lua)
{
    const float *v = lua_touserdata(lua, 1);
    char name = lua_tostring(lua, 2)[0];
    lua_pushnumber(lua, (lua_Number)v[name == 'w' ? 3 : name - 'x']);
    return 1;
}

static int set_part(lua_State *lua)
{
    float *v = lua_touserdata(lua, 1);
    char name = lua_tostring(lua, 2)[0];
    if (lua_type(lua, 3) != LUA_TNUMBER)
        return cni_script_throw_bad_value(lua, "number");
    v[name == 'w' ? 3 : name - 'x'] = (float)lua_tonumber(lua, 3);
    return 0;
}

#define PART(name_, about_)                                                                        \
    {                                                                                              \
        name_, CNI_SCRIPT_PROPERTY, get_part, set_part, "number", about_                           \
    }
#define VECTOR_METHODS(V)                                                                          \
    {"dot", CNI_SCRIPT_METHOD, vector_dot, NULL, "(other: " V "): number", "The dot product."},    \
        {"length", CNI_SCRIPT_METHOD, vector_length, NULL, "(): number", "The length."},           \
        {"distance", CNI_SCRIPT_METHOD,        vector_distance,                                    \
         NULL,       "(other: " V "): number", "The distance to another point."},                  \
        {"normalized", CNI_SCRIPT_METHOD, vector_normalized,                                       \
         NULL,         "(): " V,          "The vector with length 1; zero stays zero."},           \
        {"lerp",                                                                                   \
         CNI_SCRIPT_METHOD,                                                                        \
         vector_lerp,                                                                              \
         NULL,                                                                                     \
         "(other: " V ", t: number): " V,                                                          \
         "Interpolates linearly from this (t = 0) to the other (t = 1)."},                         \
        {"__add", CNI_SCRIPT_OPERATOR, vector_add, NULL, "(other: " V "): " V, "Componentwise."},  \
        {"__sub", CNI_SCRIPT_OPERATOR, vector_sub, NULL, "(other: " V "): " V, "Componentwise."},  \
        {"__mul", CNI_SCRIPT_OPERATOR,         vector_mul,                                         \
         NULL,    "(other: " V "|number): " V, "Componentwise."},                                  \
        {"__div", CNI_SCRIPT_OPERATOR,         vector_div,                                         \
         NULL,    "(other: " V "|number): " V, "Componentwise."},                                  \
        {"__unm", CNI_SCRIPT_OPERATOR, vector_unm, NULL, "(): " V, "The negated vector."},         \
        {"__eq", CNI_SCRIPT_OPERATOR,       vector_eq,                                             \
         NULL,   "(other: " V "): boolean", "Whether all components are equal."},                  \
    {                                                                                              \
        "__tostring", CNI_SCRIPT_OPERATOR, vector_tostring, NULL, "(): string",                    \
            "The value as Lua code."                                                               \
    }

static const CniScriptBinding vec2_rows[] = {
    PART("x", "To the right."), PART("y", "Up."), VECTOR_METHODS("Vec2"), {.name = NULL}};
const CniScriptBindingTable cni_script_bind_vec2 = {"Vec2", "Two single-precision numbers.",
                                                    vec2_rows};

static const CniScriptBinding vec3_rows[] = {
    PART("x", "To the right."),
    PART("y", "Up."),
    PART("z", "Backwards: forward is -z."),
    VECTOR_METHODS("Vec3"),
    {"cross", CNI_SCRIPT_METHOD, vec3_cross, NULL, "(other: Vec3): Vec3", "The cross product."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_vec3 = {
    "Vec3", "Three single-precision numbers. Properties return copies.", vec3_rows};

static const CniScriptBinding vec4_rows[] = {
    PART("x", "Red, of a color."), PART("y", "Green."),    PART("z", "Blue."),
    PART("w", "Alpha."),           VECTOR_METHODS("Vec4"), {.name = NULL}};
const CniScriptBindingTable cni_script_bind_vec4 = {
    "Vec4", "Four single-precision numbers, such as a color.", vec4_rows};

/* ---- Quat ---- */

static int quat_mul(lua_State *lua)
{
    const CnQuat *a = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_QUAT);
    const CniScriptBindings *bound = cni_script_bindings(lua);
    const CnVec3 *v = cni_script_to_class(lua, bound, 2, CNI_SCRIPT_CLASS_VEC3);
    if (v) {
        cni_script_push_vec3(lua, bound, cn_quat_rotate(*a, *v));
        return 1;
    }
    const CnQuat *b = cni_script_check_class(lua, 2, CNI_SCRIPT_CLASS_QUAT);
    cni_script_push_quat(lua, bound, cn_quat_mul(*a, *b));
    return 1;
}

static int quat_eq(lua_State *lua)
{
    const CnQuat *a = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_QUAT),
                 *b = cni_script_to_class(lua, cni_script_bindings(lua), 2, CNI_SCRIPT_CLASS_QUAT);
    lua_pushboolean(lua, b && a->x == b->x && a->y == b->y && a->z == b->z && a->w == b->w);
    return 1;
}

static int quat_tostring(lua_State *lua)
{
    const CnQuat *q = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_QUAT);
    return push_text(lua, "Quat", &q->x, 4);
}

static int quat_inverse(lua_State *lua)
{
    const CnQuat *q = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_QUAT);
    cni_script_push_quat(lua, cni_script_bindings(lua), cn_quat_inverse(cn_quat_normalize(*q)));
    return 1;
}

static int quat_normalized(lua_State *lua)
{
    const CnQuat *q = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_QUAT);
    cni_script_push_quat(lua, cni_script_bindings(lua), cn_quat_normalize(*q));
    return 1;
}

static int quat_slerp(lua_State *lua)
{
    const CnQuat *a = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_QUAT),
                 *b = cni_script_check_class(lua, 2, CNI_SCRIPT_CLASS_QUAT);
    float t = (float)luaL_checknumber(lua, 3);
    cni_script_push_quat(lua, cni_script_bindings(lua),
                         cn_quat_slerp(cn_quat_normalize(*a), cn_quat_normalize(*b), t));
    return 1;
}

static int quat_euler(lua_State *lua)
{
    const CnQuat *q = cni_script_check_class(lua, 1, CNI_SCRIPT_CLASS_QUAT);
    cni_script_push_vec3(lua, cni_script_bindings(lua), cn_quat_to_euler(cn_quat_normalize(*q)));
    return 1;
}

static const CniScriptBinding quat_rows[] = {
    PART("x", "Of the axis, times the sine of half the angle."),
    PART("y", "Of the axis."),
    PART("z", "Of the axis."),
    PART("w", "The cosine of half the angle."),
    {"inverse", CNI_SCRIPT_METHOD, quat_inverse, NULL, "(): Quat", "The inverse rotation."},
    {"normalized", CNI_SCRIPT_METHOD, quat_normalized, NULL, "(): Quat",
     "The quaternion with length 1."},
    {"slerp", CNI_SCRIPT_METHOD, quat_slerp, NULL, "(other: Quat, t: number): Quat",
     "Interpolates from this (t = 0) to the other (t = 1) along the shorter arc, at constant "
     "speed."},
    {"toEuler", CNI_SCRIPT_METHOD, quat_euler, NULL, "(): Vec3",
     "The rotation as angles in degrees."},
    {"__mul", CNI_SCRIPT_OPERATOR, quat_mul, NULL, "(other: Quat): Quat",
     "Applies the other rotation first, then this one; with a Vec3, rotates the vector."},
    {"__eq", CNI_SCRIPT_OPERATOR, quat_eq, NULL, "(other: Quat): boolean",
     "Whether all components are equal."},
    {"__tostring", CNI_SCRIPT_OPERATOR, quat_tostring, NULL, "(): string",
     "The value as Lua code."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_quat = {"Quat", "A rotation.", quat_rows};

/* ---- Constructors ---- */

static int make_vector(lua_State *lua, CniScriptClass kind)
{
    float v[4] = {0, 0, 0, 0};
    if (kind == CNI_SCRIPT_CLASS_QUAT)
        v[3] = 1;
    uint32_t count = cni_script_floats_of(kind);
    if (!lua_isnone(lua, 1))
        for (uint32_t i = 0; i < count; i++)
            v[i] = (float)luaL_checknumber(lua, (int)i + 1);
    cni_script_push_floats(lua, cni_script_bindings(lua), kind, v);
    return 1;
}

static int new_vec2(lua_State *lua)
{
    return make_vector(lua, CNI_SCRIPT_CLASS_VEC2);
}

static int new_vec3(lua_State *lua)
{
    return make_vector(lua, CNI_SCRIPT_CLASS_VEC3);
}

static int new_vec4(lua_State *lua)
{
    return make_vector(lua, CNI_SCRIPT_CLASS_VEC4);
}

static int new_quat(lua_State *lua)
{
    return make_vector(lua, CNI_SCRIPT_CLASS_QUAT);
}

static int quat_from_euler(lua_State *lua)
{
    cni_script_push_quat(lua, cni_script_bindings(lua),
                         cn_quat_from_euler(cni_script_check_vec3(lua, 1)));
    return 1;
}

static int quat_from_axis(lua_State *lua)
{
    CnVec3 axis = cn_vec3_normalize(cni_script_check_vec3(lua, 1));
    double degrees = luaL_checknumber(lua, 2);
    cni_script_push_quat(lua, cni_script_bindings(lua),
                         cn_quat_from_axis(axis, (float)(degrees * (CN_PI / 180))));
    return 1;
}

static int quat_look(lua_State *lua)
{
    CnVec3 forward = cni_script_check_vec3(lua, 1), up = cn_vec3(0, 1, 0);
    if (!lua_isnoneornil(lua, 2))
        up = cni_script_check_vec3(lua, 2);
    cni_script_push_quat(lua, cni_script_bindings(lua), cn_quat_look(forward, up));
    return 1;
}

static const CniScriptBinding value_rows[] = {
    {"Vec2", CNI_SCRIPT_FUNCTION, new_vec2, NULL, "(x: number, y: number): Vec2",
     "A Vec2; without arguments, zero."},
    {"Vec3", CNI_SCRIPT_FUNCTION, new_vec3, NULL, "(x: number, y: number, z: number): Vec3",
     "A Vec3; without arguments, zero."},
    {"Vec4", CNI_SCRIPT_FUNCTION, new_vec4, NULL,
     "(x: number, y: number, z: number, w: number): Vec4", "A Vec4; without arguments, zero."},
    {"Quat", CNI_SCRIPT_FUNCTION, new_quat, NULL,
     "(x: number, y: number, z: number, w: number): Quat",
     "A quaternion from its components; without arguments, the identity."},
    {"quatFromEuler", CNI_SCRIPT_FUNCTION, quat_from_euler, NULL, "(degrees: Vec3): Quat",
     "A rotation from angles, applied in the order z (roll), x (pitch), y (yaw)."},
    {"quatFromAxis", CNI_SCRIPT_FUNCTION, quat_from_axis, NULL,
     "(axis: Vec3, degrees: number): Quat", "A rotation about an axis."},
    {"quatLook", CNI_SCRIPT_FUNCTION, quat_look, NULL, "(forward: Vec3, up?: Vec3): Quat",
     "A rotation that points -z along `forward`, with y as close to `up` as possible."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_values = {NULL, "Vectors and rotations", value_rows};
