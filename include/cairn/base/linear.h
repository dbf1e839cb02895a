/*
 * Vectors, rotations and matrices. Operations are carried out in one fixed order, so results are
 * bit-identical on every platform.
 *
 *     CnQuat rotation = cn_quat_from_euler(cn_vec3(0, 90, 0));          // degrees
 *     CnVec3 forward = cn_quat_rotate(rotation, cn_vec3(0, 0, -1));
 *     CnAffine matrix = cn_affine_from_trs(cn_vec3(0, 2, 0), rotation, cn_vec3(1, 1, 1));
 *     CnVec3 point = cn_affine_point(&matrix, forward);
 *
 * The coordinate system is right-handed: x points right, y up, and -z forward. Matrices multiply
 * column vectors: a * b applies b first. Euler angles are in degrees and are applied in the
 * order z (roll), x (pitch), y (yaw): R = Ry Rx Rz.
 */
#ifndef CAIRN_BASE_LINEAR_H
#define CAIRN_BASE_LINEAR_H

#include <cairn/base/math.h>
#include <cairn/base/vector.h>

CN_EXTERN_C_BEGIN

/* Rotation, scale, shear and translation: the upper three rows of a 4 x 4 matrix whose last row
 * is 0 0 0 1. */
typedef struct CnAffine {
    float m[3][4]; /* row-major; m[i][3] is the translation */
} CnAffine;

static inline CnVec3 cn_vec3(float x, float y, float z)
{
    CnVec3 v = {x, y, z};
    return v;
}

static inline CnVec3 cn_vec3_add(CnVec3 a, CnVec3 b)
{
    return cn_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline CnVec3 cn_vec3_sub(CnVec3 a, CnVec3 b)
{
    return cn_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline CnVec3 cn_vec3_mul(CnVec3 a, CnVec3 b)
{
    return cn_vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline CnVec3 cn_vec3_scale(CnVec3 a, float factor)
{
    return cn_vec3(a.x * factor, a.y * factor, a.z * factor);
}

static inline float cn_vec3_dot(CnVec3 a, CnVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline CnVec3 cn_vec3_cross(CnVec3 a, CnVec3 b)
{
    return cn_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float cn_vec3_length(CnVec3 a)
{
    return cn_sqrtf(cn_vec3_dot(a, a));
}

/* Returns a zero vector unchanged. */
static inline CnVec3 cn_vec3_normalize(CnVec3 a)
{
    float length = cn_vec3_length(a);
    return length > 0 ? cn_vec3_scale(a, 1 / length) : a;
}

static inline CnVec3 cn_vec3_lerp(CnVec3 a, CnVec3 b, float t)
{
    return cn_vec3_add(a, cn_vec3_scale(cn_vec3_sub(b, a), t));
}

static inline CnQuat cn_quat_identity(void)
{
    CnQuat q = {0, 0, 0, 1};
    return q;
}

/* Returns the rotation that applies b first, then a. */
static inline CnQuat cn_quat_mul(CnQuat a, CnQuat b)
{
    CnQuat q = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return q;
}

/* Returns the inverse of a unit quaternion. */
static inline CnQuat cn_quat_inverse(CnQuat q)
{
    CnQuat r = {-q.x, -q.y, -q.z, q.w};
    return r;
}

/* Rotates a vector by a unit quaternion. */
static inline CnVec3 cn_quat_rotate(CnQuat q, CnVec3 v)
{
    CnVec3 u = {q.x, q.y, q.z};
    CnVec3 t = cn_vec3_scale(cn_vec3_cross(u, v), 2);
    return cn_vec3_add(cn_vec3_add(v, cn_vec3_scale(t, q.w)), cn_vec3_cross(u, t));
}

/* Returns the identity rotation if q cannot be normalized. */
CN_API CnQuat cn_quat_normalize(CnQuat q);
/* Normalizes a rotation that comes from outside. Returns false, and changes nothing, if q is
 * zero or not finite. A quaternion whose length is 1 within rounding keeps its bits. */
CN_API bool cn_quat_make_unit(CnQuat *q);
/* Returns a rotation about a unit axis. */
CN_API CnQuat cn_quat_from_axis(CnVec3 axis, float radians);
/* Returns the rotation of Euler angles in degrees. */
CN_API CnQuat cn_quat_from_euler(CnVec3 degrees);
/* Returns Euler angles in degrees: x in [-90, 90], y and z in (-180, 180]. When looking straight
 * up or down, z is 0 and y holds the whole rotation about the vertical axis. */
CN_API CnVec3 cn_quat_to_euler(CnQuat q);
/* Converts the rotation part of an orthonormal matrix. */
CN_API CnQuat cn_quat_from_affine(const CnAffine *basis);
/* Returns the rotation that points -z along `forward`, with y as close to `up` as possible. */
CN_API CnQuat cn_quat_look(CnVec3 forward, CnVec3 up);
/* Interpolates along the shorter arc at constant angular speed. */
CN_API CnQuat cn_quat_slerp(CnQuat a, CnQuat b, float t);

/* Inline versions of the functions below, for loops. */
CN_FORCE_INLINE void cni_base_affine_from_trs(CnAffine *out, const CnVec3 *position,
                                              const CnQuat *rotation, const CnVec3 *scale)
{
    float x = rotation->x, y = rotation->y, z = rotation->z, w = rotation->w;
    float x2 = x + x, y2 = y + y, z2 = z + z;
    float xx = x * x2, yy = y * y2, zz = z * z2;
    float xy = x * y2, xz = x * z2, yz = y * z2;
    float wx = w * x2, wy = w * y2, wz = w * z2;
    out->m[0][0] = (1 - (yy + zz)) * scale->x;
    out->m[0][1] = (xy - wz) * scale->y;
    out->m[0][2] = (xz + wy) * scale->z;
    out->m[0][3] = position->x;
    out->m[1][0] = (xy + wz) * scale->x;
    out->m[1][1] = (1 - (xx + zz)) * scale->y;
    out->m[1][2] = (yz - wx) * scale->z;
    out->m[1][3] = position->y;
    out->m[2][0] = (xz - wy) * scale->x;
    out->m[2][1] = (yz + wx) * scale->y;
    out->m[2][2] = (1 - (xx + yy)) * scale->z;
    out->m[2][3] = position->z;
}

CN_FORCE_INLINE void cni_base_affine_mul(CnAffine *out, const CnAffine *a, const CnAffine *b)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out->m[i][j] =
                a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
        out->m[i][3] = a->m[i][0] * b->m[0][3] + a->m[i][1] * b->m[1][3] + a->m[i][2] * b->m[2][3] +
                       a->m[i][3];
    }
}

CN_API CnAffine cn_affine_identity(void);
/* Returns the matrix that scales, then rotates, then translates. */
CN_API CnAffine cn_affine_from_trs(CnVec3 position, CnQuat rotation, CnVec3 scale);
/* Returns the product a * b, which applies b first. */
CN_API CnAffine cn_affine_mul(const CnAffine *a, const CnAffine *b);
/* Returns all zeros if the matrix has no inverse. */
CN_API CnAffine cn_affine_inverse(const CnAffine *a);
/* Decomposes a matrix. If the basis is mirrored, scale.x is negative. Shear is lost. */
CN_API void cn_affine_to_trs(const CnAffine *a, CnVec3 *position, CnQuat *rotation, CnVec3 *scale);
CN_API CnMat4 cn_affine_to_mat4(const CnAffine *a);

static inline CnVec3 cn_affine_point(const CnAffine *a, CnVec3 p)
{
    return cn_vec3(a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z + a->m[0][3],
                   a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z + a->m[1][3],
                   a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z + a->m[2][3]);
}

static inline CnVec3 cn_affine_direction(const CnAffine *a, CnVec3 d)
{
    return cn_vec3(a->m[0][0] * d.x + a->m[0][1] * d.y + a->m[0][2] * d.z,
                   a->m[1][0] * d.x + a->m[1][1] * d.y + a->m[1][2] * d.z,
                   a->m[2][0] * d.x + a->m[2][1] * d.y + a->m[2][2] * d.z);
}

CN_API CnMat4 cn_mat4_identity(void);
/* Returns the product a * b, which applies b first. */
CN_API CnMat4 cn_mat4_mul(const CnMat4 *a, const CnMat4 *b);
/* Returns all zeros if the matrix has no inverse. */
CN_API CnMat4 cn_mat4_inverse(const CnMat4 *a);
static inline CnVec4 cn_mat4_transform(const CnMat4 *a, CnVec4 v)
{
    const float *m = a->m;
    CnVec4 r = {m[0] * v.x + m[4] * v.y + m[8] * v.z + m[12] * v.w,
                m[1] * v.x + m[5] * v.y + m[9] * v.z + m[13] * v.w,
                m[2] * v.x + m[6] * v.y + m[10] * v.z + m[14] * v.w,
                m[3] * v.x + m[7] * v.y + m[11] * v.z + m[15] * v.w};
    return r;
}
/* Return projections to Vulkan's clip space: x right, y down, depth from 0 (near) to 1 (far).
 * `fov_degrees` is the vertical field of view; `height` is in world units. */
CN_API CnMat4 cn_mat4_perspective(float fov_degrees, float aspect, float near_plane,
                                  float far_plane);
CN_API CnMat4 cn_mat4_orthographic(float height, float aspect, float near_plane, float far_plane);

CN_EXTERN_C_END

#endif
