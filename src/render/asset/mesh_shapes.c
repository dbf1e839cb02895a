/* Shapes: most of them are an outline, from top to bottom, revolved about y. */
#include "render/core/renderer_internal.h"

#include <string.h>

#define SEGMENTS 48u
#define RINGS 24u
#define MAX_OUTLINE (RINGS * 2u + 8u)
#define PI 3.14159265358979f

static const char *const names[CN_MESH_SHAPE_COUNT] = {
    [CN_MESH_CUBE] = "cube",       [CN_MESH_SPHERE] = "sphere",     [CN_MESH_PLANE] = "plane",
    [CN_MESH_QUAD] = "quad",       [CN_MESH_CYLINDER] = "cylinder", [CN_MESH_CONE] = "cone",
    [CN_MESH_CAPSULE] = "capsule", [CN_MESH_TORUS] = "torus"};

typedef struct Builder {
    CN_ARRAY(CnVertex) vertices;
    CnU32Array indices;
    bool failed;
} Builder;

static void add_triangle(Builder *b, uint32_t i, uint32_t j, uint32_t k)
{
    const CnVertex *v = b->vertices.items;
    CnVec3 normal = cn_vec3_cross(cn_vec3_sub(v[j].position, v[i].position),
                                  cn_vec3_sub(v[k].position, v[i].position));
    if (cn_vec3_dot(normal, normal) < 1e-14f) /* at a pole */
        return;
    if (!cn_array_push(&b->indices, i) || !cn_array_push(&b->indices, j) ||
        !cn_array_push(&b->indices, k))
        b->failed = true;
}

/* Corners from the top left: a b in the upper row, c d in the lower. */
static void add_quad(Builder *b, uint32_t a, uint32_t right, uint32_t c, uint32_t d)
{
    add_triangle(b, a, c, d);
    add_triangle(b, a, d, right);
}

static void add_vertex(Builder *b, CnVertex vertex)
{
    if (!cn_array_push(&b->vertices, vertex))
        b->failed = true;
}

/* ---- Flat shapes ---- */

static void add_face(Builder *b, CnVec3 center, CnVec3 right, CnVec3 up)
{
    uint32_t first = b->vertices.count;
    CnVec3 normal = cn_vec3_cross(right, up);
    for (uint32_t i = 0; i < 4; i++) {
        float u = (float)(i % 2), v = (float)(i / 2);
        CnVec3 at = cn_vec3_add(
            center, cn_vec3_add(cn_vec3_scale(right, u - 0.5f), cn_vec3_scale(up, 0.5f - v)));
        add_vertex(b, (CnVertex){.position = at,
                                 .normal = normal,
                                 .tangent = {right.x, right.y, right.z, 1},
                                 .uv = {u, v}});
    }
    if (!b->failed)
        add_quad(b, first, first + 1, first + 2, first + 3);
}

static void make_cube(Builder *b)
{
    static const CnVec3 sides[6][2] = {{{0, 0, -1}, {0, 1, 0}}, {{0, 0, 1}, {0, 1, 0}},
                                       {{1, 0, 0}, {0, 0, -1}}, {{1, 0, 0}, {0, 0, 1}},
                                       {{1, 0, 0}, {0, 1, 0}},  {{-1, 0, 0}, {0, 1, 0}}};
    for (uint32_t i = 0; i < 6; i++) {
        CnVec3 normal = cn_vec3_cross(sides[i][0], sides[i][1]);
        add_face(b, cn_vec3_scale(normal, 0.5f), sides[i][0], sides[i][1]);
    }
}

/* ---- Shapes of revolution ---- */

typedef struct Point {
    float radius, y;
    float normal_radius, normal_y;
    float v;
    bool is_cap;   /* uv is projected from above or below */
    bool is_apart; /* not connected to the previous point */
} Point;

static CnVertex turn_point(const Point *p, float u)
{
    float angle = 2 * PI * u, s = cn_sinf(angle), c = cn_cosf(angle);
    CnVertex vertex = {.position = {p->radius * s, p->y, p->radius * c},
                       .normal = {p->normal_radius * s, p->normal_y, p->normal_radius * c},
                       .tangent = {c, 0, -s, 1},
                       .uv = {u, p->v}};
    if (p->is_cap) {
        vertex.tangent = (CnVec4){1, 0, 0, 1};
        vertex.uv = (CnVec2){0.5f + vertex.position.x, 0.5f + p->normal_y * vertex.position.z};
    }
    return vertex;
}

static void turn_outline(Builder *b, const Point *points, uint32_t count)
{
    uint32_t first = b->vertices.count;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j <= SEGMENTS; j++)
            add_vertex(b, turn_point(&points[i], (float)j / SEGMENTS));
    }
    for (uint32_t i = 0; i + 1 < count && !b->failed; i++) {
        if (points[i + 1].is_apart)
            continue;
        for (uint32_t j = 0; j < SEGMENTS; j++) {
            uint32_t a = first + i * (SEGMENTS + 1) + j, c = a + SEGMENTS + 1;
            add_quad(b, a, a + 1, c, c + 1);
        }
    }
}

/* A semicircle from pole to pole; its lower half is moved down by `gap`, its upper half up. */
static void make_ball(Builder *b, float gap)
{
    Point points[MAX_OUTLINE];
    uint32_t count = 0;
    float length = PI / 2 + 2 * gap; /* of the outline */
    for (uint32_t i = 0; i <= RINGS; i++) {
        float t = (float)i / RINGS, s = cn_sinf(PI * t), c = cn_cosf(PI * t);
        bool is_pole = i == 0 || i == RINGS;
        Point p = {is_pole ? 0 : s / 2, c / 2, is_pole ? 0 : s, c, 0, false, false};
        for (int half = 0; half < 2; half++) { /* the equator belongs to both halves */
            if ((half == 0 && i > RINGS / 2) || (half == 1 && i < RINGS / 2) ||
                (half == 1 && i == RINGS / 2 && gap <= 0))
                continue;
            Point moved = p;
            moved.y += half == 0 ? gap : -gap;
            moved.v = (PI / 2 * t + (half == 0 ? 0 : 2 * gap)) / length;
            points[count++] = moved;
        }
    }
    turn_outline(b, points, count);
}

static void make_cylinder(Builder *b)
{
    const Point points[] = {
        {0, 0.5f, 0, 1, 0, true, false},     {0.5f, 0.5f, 0, 1, 0, true, false},
        {0.5f, 0.5f, 1, 0, 0, false, true},  {0.5f, -0.5f, 1, 0, 1, false, false},
        {0.5f, -0.5f, 0, -1, 0, true, true}, {0, -0.5f, 0, -1, 0, true, false}};
    turn_outline(b, points, CN_COUNT_OF(points));
}

static void make_cone(Builder *b)
{
    const float side = 0.894427191f, up = 0.447213595f; /* normal of a slope of 2:1 */
    const Point points[] = {{0, 0.5f, side, up, 0, false, false},
                            {0.5f, -0.5f, side, up, 1, false, false},
                            {0.5f, -0.5f, 0, -1, 0, true, true},
                            {0, -0.5f, 0, -1, 0, true, false}};
    turn_outline(b, points, CN_COUNT_OF(points));
}

/* From the inside over the top to the outside, and back below. */
static void make_torus(Builder *b)
{
    Point points[RINGS + 1];
    for (uint32_t i = 0; i <= RINGS; i++) {
        float v = (float)i / RINGS, t = PI - 2 * PI * v, c = cn_cosf(t), s = cn_sinf(t);
        points[i] = (Point){0.35f + 0.15f * c, 0.15f * s, c, s, v, false, false};
    }
    turn_outline(b, points, RINGS + 1);
}

static void make_shape(Builder *b, CnMeshShape shape)
{
    switch (shape) {
    case CN_MESH_CUBE:
        make_cube(b);
        break;
    case CN_MESH_SPHERE:
        make_ball(b, 0);
        break;
    case CN_MESH_PLANE:
        add_face(b, cn_vec3(0, 0, 0), cn_vec3(1, 0, 0), cn_vec3(0, 0, -1));
        break;
    case CN_MESH_QUAD:
        add_face(b, cn_vec3(0, 0, 0), cn_vec3(1, 0, 0), cn_vec3(0, 1, 0));
        break;
    case CN_MESH_CYLINDER:
        make_cylinder(b);
        break;
    case CN_MESH_CONE:
        make_cone(b);
        break;
    case CN_MESH_CAPSULE:
        make_ball(b, 0.5f);
        break;
    case CN_MESH_TORUS:
    case CN_MESH_SHAPE_COUNT:
        make_torus(b);
        break;
    }
}

CnMesh cn_mesh_shape(CnRenderer *renderer, CnMeshShape shape, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT((uint32_t)shape < CN_MESH_SHAPE_COUNT, "invalid shape %d", (int)shape);
    if ((uint32_t)shape >= CN_MESH_SHAPE_COUNT) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "invalid shape %d", (int)shape);
        return (CnMesh){0};
    }
    if (cn_slot_table_get(&renderer->meshes, renderer->shapes[shape].id))
        return renderer->shapes[shape];
    Builder b = {0};
    CnMesh mesh = {0};
    cn_array_init(&b.vertices, renderer->allocator);
    cn_array_init(&b.indices, renderer->allocator);
    make_shape(&b, shape);
    if (b.failed)
        cn_error_memory(error, "a %s", names[shape]);
    else
        mesh = cn_mesh_create(renderer,
                              &(CnMeshDesc){.name = names[shape],
                                            .vertices = b.vertices.items,
                                            .vertex_count = b.vertices.count,
                                            .indices = b.indices.items,
                                            .index_count = b.indices.count},
                              error);
    cn_array_fini(&b.vertices);
    cn_array_fini(&b.indices);
    renderer->shapes[shape] = mesh;
    return mesh;
}

CnMeshShape cn_mesh_shape_from_name(const char *name)
{
    uint32_t i = 0;
    while (i < CN_MESH_SHAPE_COUNT && strcmp(names[i], name) != 0)
        i++;
    return (CnMeshShape)i;
}
