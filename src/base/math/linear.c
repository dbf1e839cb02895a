#include <cairn/base/linear.h>

/* Functions outside of hot paths compute in double and round once: angles survive the conversion
 * to a quaternion and back, and products of very small or large scales neither vanish nor
 * overflow. */

typedef struct Vec3d {
    double x, y, z;
} Vec3d;

static bool is_finite(double x)
{
    return x - x == 0;
}

static double length3(Vec3d a)
{
    return cn_sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static Vec3d cross3(Vec3d a, Vec3d b)
{
    return (Vec3d){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Returns false, and changes nothing, if the vector has no direction. */
static bool normalize3(Vec3d *a)
{
    double length = length3(*a);
    if (!(length > 0) || !is_finite(length))
        return false;
    *a = (Vec3d){a->x / length, a->y / length, a->z / length};
    return true;
}

/* ---- Rotations ---- */

static CnQuat normalized(double x, double y, double z, double w)
{
    double length = cn_sqrt(x * x + y * y + z * z + w * w);
    if (!(length > 0) || !is_finite(length))
        return cn_quat_identity();
    return (CnQuat){(float)(x / length), (float)(y / length), (float)(z / length),
                    (float)(w / length)};
}

CnQuat cn_quat_normalize(CnQuat q)
{
    return normalized((double)q.x, (double)q.y, (double)q.z, (double)q.w);
}

bool cn_quat_make_unit(CnQuat *q)
{
    /* Four rounded floats, each off by at most 2^-25, change the squared length by less than
     * this. */
    const double rounding = 1e-6;
    double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
    double square = x * x + y * y + z * z + w * w;
    if (!(square > 0) || !is_finite(square))
        return false;
    if (square < 1 - rounding || square > 1 + rounding)
        *q = cn_quat_normalize(*q);
    return true;
}

CnQuat cn_quat_from_axis(CnVec3 axis, float radians)
{
    double sine, cosine;
    cn_sincos((double)radians / 2, &sine, &cosine);
    return (CnQuat){(float)((double)axis.x * sine), (float)((double)axis.y * sine),
                    (float)((double)axis.z * sine), (float)cosine};
}

static void half_angle(float degrees, double *sine, double *cosine)
{
    cn_sincos(cn_fmod((double)degrees, 720) * (CN_PI / 360), sine, cosine);
}

CnQuat cn_quat_from_euler(CnVec3 degrees)
{
    double sx, cx, sy, cy, sz, cz;
    half_angle(degrees.x, &sx, &cx);
    half_angle(degrees.y, &sy, &cy);
    half_angle(degrees.z, &sz, &cz);
    return normalized(cy * sx * cz + sy * cx * sz, sy * cx * cz - cy * sx * sz,
                      cy * cx * sz - sy * sx * cz, cy * cx * cz + sy * sx * sz);
}

static float to_degrees(double radians)
{
    float degrees = (float)(radians * (180 / CN_PI));
    return degrees <= -180 ? 180 : degrees;
}

CnVec3 cn_quat_to_euler(CnQuat q)
{
    q = cn_quat_normalize(q);
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double m10 = 2 * (x * y + w * z), m11 = 1 - 2 * (x * x + z * z), m12 = 2 * (y * z - w * x);
    double across = cn_hypot(m10, m11); /* the cosine of x */
    CnVec3 euler = {to_degrees(cn_atan2(-m12, across)), 0, 0};
    /* So close to the vertical, y and z cannot be distinguished within the rounding of q. */
    if (across < 1e-6) {
        euler.y = to_degrees(cn_atan2(2 * (w * y - x * z), 1 - 2 * (y * y + z * z)));
        return euler;
    }
    euler.y = to_degrees(cn_atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)));
    euler.z = to_degrees(cn_atan2(m10, m11));
    return euler;
}

/* Converts the three columns of a rotation. Starts from the largest of the four components, so
 * that it never divides by a small number (Shepperd). */
static CnQuat from_basis(Vec3d a, Vec3d b, Vec3d c)
{
    double trace = a.x + b.y + c.z;
    if (trace > 0)
        return normalized(b.z - c.y, c.x - a.z, a.y - b.x, 1 + trace);
    if (a.x >= b.y && a.x >= c.z)
        return normalized(1 + a.x - b.y - c.z, b.x + a.y, c.x + a.z, b.z - c.y);
    if (b.y >= c.z)
        return normalized(b.x + a.y, 1 + b.y - a.x - c.z, c.y + b.z, c.x - a.z);
    return normalized(c.x + a.z, c.y + b.z, 1 + c.z - a.x - b.y, a.y - b.x);
}

static Vec3d column(const CnAffine *a, int j)
{
    return (Vec3d){(double)a->m[0][j], (double)a->m[1][j], (double)a->m[2][j]};
}

CnQuat cn_quat_from_affine(const CnAffine *basis)
{
    return from_basis(column(basis, 0), column(basis, 1), column(basis, 2));
}

/* Returns the rotation with its z axis along `z`, and its y axis in the half plane of `y`. */
static CnQuat from_z_and_y(Vec3d z, Vec3d y)
{
    if (!normalize3(&z))
        return cn_quat_identity();
    Vec3d x = cross3(y, z);
    if (!(length3(x) > 1e-7 * length3(y)) || !normalize3(&x)) {
        /* `z` is parallel to y: x stays as level as possible. */
        x = z.x * z.x < 0.5 ? (Vec3d){1 - z.x * z.x, -z.x * z.y, -z.x * z.z}
                            : (Vec3d){-z.z * z.x, -z.z * z.y, 1 - z.z * z.z};
        normalize3(&x);
    }
    return from_basis(x, cross3(z, x), z);
}

CnQuat cn_quat_look(CnVec3 forward, CnVec3 up)
{
    return from_z_and_y((Vec3d){-(double)forward.x, -(double)forward.y, -(double)forward.z},
                        (Vec3d){(double)up.x, (double)up.y, (double)up.z});
}

CnQuat cn_quat_slerp(CnQuat a, CnQuat b, float t)
{
    double ax = (double)a.x, ay = (double)a.y, az = (double)a.z, aw = (double)a.w;
    double sign =
        ax * (double)b.x + ay * (double)b.y + az * (double)b.z + aw * (double)b.w < 0 ? -1 : 1;
    double bx = sign * (double)b.x, by = sign * (double)b.y, bz = sign * (double)b.z,
           bw = sign * (double)b.w;
    double apart = cn_sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by) + (az - bz) * (az - bz) +
                           (aw - bw) * (aw - bw));
    double together = cn_sqrt((ax + bx) * (ax + bx) + (ay + by) * (ay + by) +
                              (az + bz) * (az + bz) + (aw + bw) * (aw + bw));
    double angle = 2 * cn_atan2(apart, together); /* accurate for small angles, unlike acos */
    double from = 1 - (double)t, to = (double)t;
    if (angle > 1e-6) {
        double sine = cn_sin(angle);
        from = cn_sin(from * angle) / sine;
        to = cn_sin(to * angle) / sine;
    }
    return normalized(from * ax + to * bx, from * ay + to * by, from * az + to * bz,
                      from * aw + to * bw);
}

/* ---- Affine matrices ---- */

CnAffine cn_affine_identity(void)
{
    return (CnAffine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

CnAffine cn_affine_from_trs(CnVec3 position, CnQuat rotation, CnVec3 scale)
{
    CnAffine a;
    cni_base_affine_from_trs(&a, &position, &rotation, &scale);
    return a;
}

CnAffine cn_affine_mul(const CnAffine *a, const CnAffine *b)
{
    CnAffine product;
    cni_base_affine_mul(&product, a, b);
    return product;
}

static bool all_finite(const float *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!is_finite((double)values[i]))
            return false;
    return true;
}

CnAffine cn_affine_inverse(const CnAffine *a)
{
    Vec3d x = column(a, 0), y = column(a, 1), z = column(a, 2), p = column(a, 3);
    Vec3d rows[3] = {cross3(y, z), cross3(z, x), cross3(x, y)};
    double determinant = x.x * rows[0].x + x.y * rows[0].y + x.z * rows[0].z;
    CnAffine inverse = {0};
    if (determinant == 0)
        return inverse;
    for (int i = 0; i < 3; i++) {
        Vec3d r = {rows[i].x / determinant, rows[i].y / determinant, rows[i].z / determinant};
        inverse.m[i][0] = (float)r.x;
        inverse.m[i][1] = (float)r.y;
        inverse.m[i][2] = (float)r.z;
        inverse.m[i][3] = (float)-(r.x * p.x + r.y * p.y + r.z * p.z);
    }
    return all_finite(&inverse.m[0][0], 12) ? inverse : (CnAffine){0};
}

void cn_affine_to_trs(const CnAffine *a, CnVec3 *position, CnQuat *rotation, CnVec3 *scale)
{
    Vec3d x = column(a, 0), y = column(a, 1), z = column(a, 2);
    Vec3d yz = cross3(y, z);
    bool mirrored = x.x * yz.x + x.y * yz.y + x.z * yz.z < 0;
    double size_x = length3(x), size_y = length3(y), size_z = length3(z);
    *position = cn_vec3(a->m[0][3], a->m[1][3], a->m[2][3]);
    *scale = cn_vec3((float)(mirrored ? -size_x : size_x), (float)size_y, (float)size_z);
    /* An axis that was scaled to zero is perpendicular to the other two. */
    if (size_z == 0)
        z = cross3(x, y);
    else if (size_y == 0)
        y = cross3(z, x);
    /* x follows from y and z, which makes the basis right-handed; a mirror ends up in x. */
    *rotation = from_z_and_y(z, y);
}

CnMat4 cn_affine_to_mat4(const CnAffine *a)
{
    CnMat4 r;
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < 3; i++)
            r.m[j * 4 + i] = a->m[i][j];
        r.m[j * 4 + 3] = j == 3 ? 1 : 0;
    }
    return r;
}

/* ---- 4 x 4 matrices ---- */

CnMat4 cn_mat4_identity(void)
{
    return (CnMat4){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
}

CnMat4 cn_mat4_mul(const CnMat4 *a, const CnMat4 *b)
{
    CnMat4 r;
    for (int j = 0; j < 4; j++) {
        const float *c = &b->m[j * 4];
        for (int i = 0; i < 4; i++)
            r.m[j * 4 + i] =
                a->m[i] * c[0] + a->m[4 + i] * c[1] + a->m[8 + i] * c[2] + a->m[12 + i] * c[3];
    }
    return r;
}

/* By 2 x 2 minors of the left and right halves. */
CnMat4 cn_mat4_inverse(const CnMat4 *a)
{
    double m[16], s[6], c[6];
    for (int i = 0; i < 16; i++)
        m[i] = (double)a->m[i];
    static const int pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int i = 0; i < 6; i++) {
        int p = pairs[i][0], q = pairs[i][1];
        s[i] = m[p] * m[4 + q] - m[4 + p] * m[q];
        c[i] = m[8 + p] * m[12 + q] - m[12 + p] * m[8 + q];
    }
    double determinant =
        s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0];
    if (determinant == 0)
        return (CnMat4){0};
    double adjugate[16] = {
        m[5] * c[5] - m[6] * c[4] + m[7] * c[3],     -m[1] * c[5] + m[2] * c[4] - m[3] * c[3],
        m[13] * s[5] - m[14] * s[4] + m[15] * s[3],  -m[9] * s[5] + m[10] * s[4] - m[11] * s[3],
        -m[4] * c[5] + m[6] * c[2] - m[7] * c[1],    m[0] * c[5] - m[2] * c[2] + m[3] * c[1],
        -m[12] * s[5] + m[14] * s[2] - m[15] * s[1], m[8] * s[5] - m[10] * s[2] + m[11] * s[1],
        m[4] * c[4] - m[5] * c[2] + m[7] * c[0],     -m[0] * c[4] + m[1] * c[2] - m[3] * c[0],
        m[12] * s[4] - m[13] * s[2] + m[15] * s[0],  -m[8] * s[4] + m[9] * s[2] - m[11] * s[0],
        -m[4] * c[3] + m[5] * c[1] - m[6] * c[0],    m[0] * c[3] - m[1] * c[1] + m[2] * c[0],
        -m[12] * s[3] + m[13] * s[1] - m[14] * s[0], m[8] * s[3] - m[9] * s[1] + m[10] * s[0],
    };
    CnMat4 r;
    for (int i = 0; i < 16; i++)
        r.m[i] = (float)(adjugate[i] / determinant);
    return all_finite(r.m, 16) ? r : (CnMat4){0};
}

CnMat4 cn_mat4_perspective(float fov_degrees, float aspect, float near_plane, float far_plane)
{
    double focal = 1 / cn_tan((double)fov_degrees * (CN_PI / 360));
    double depth = (double)near_plane - (double)far_plane;
    CnMat4 r = {0};
    r.m[0] = (float)(focal / (double)aspect);
    r.m[5] = (float)-focal;
    r.m[10] = (float)((double)far_plane / depth);
    r.m[11] = -1;
    r.m[14] = (float)((double)near_plane * (double)far_plane / depth);
    return r;
}

CnMat4 cn_mat4_orthographic(float height, float aspect, float near_plane, float far_plane)
{
    double depth = (double)near_plane - (double)far_plane;
    CnMat4 r = {0};
    r.m[0] = (float)(2 / ((double)height * (double)aspect));
    r.m[5] = (float)(-2 / (double)height);
    r.m[10] = (float)(1 / depth);
    r.m[14] = (float)((double)near_plane / depth);
    r.m[15] = 1;
    return r;
}
