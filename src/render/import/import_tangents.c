/*
 * Tangents as MikkTSpace defines them, in linear time:
 *
 * 1. Vertices with equal position, normal and texture coordinates are one.
 * 2. Triangles around a vertex are one group if they are connected through edges and their texture
 *    coordinates have the same orientation.
 * 3. The tangent of a group is the sum of the u directions of its triangles, projected onto the
 *    plane of the normal and weighted by the angle of the triangle at the vertex.
 *
 * Triangles without an area, in space or in texture coordinates, take the tangents of a neighbor.
 */
#include "render/import/import.h"

#include <stdlib.h>

#define MAX_PROBES 32u   /* beyond, a vertex is not merged with equal ones */
#define SMALL_BUCKET 24u /* edges that are compared pairwise */
#define LEAST_AREA 1e-30f
#define TINY 1e-37f /* squared lengths below it are 0 */
#define BATCH 32u   /* triangles */

/* The copy of a vertex for a group. */
typedef struct Split {
    uint32_t vertex; /* + 1; 0: none */
    uint32_t copy;
} Split;

typedef struct Tangents {
    CniRenderImport *import;
    CniRenderModelMesh *mesh;
    uint32_t corner_count;
    uint32_t *vertex_of;  /* per vertex: the first equal vertex */
    uint32_t *start;      /* per corner: the first equal vertex */
    uint32_t *group;      /* per corner: union-find parent, which is not behind it */
    uint32_t *neighbor;   /* per corner of a degenerate triangle: a corner to copy, + 1 */
    CnVec3 *sum;          /* per corner that is the root of a group */
    CnVec3 *along_u;      /* per triangle, normalized */
    uint8_t *orientation; /* per triangle */
    uint32_t *first_edge; /* per vertex: first of its edges in `edges`; one more at the end */
    uint32_t *edges;      /* corners where edges begin, by the edge's smaller vertex */
    uint32_t *owner;      /* per vertex: the group that it belongs to, + 1 */
    Split *splits;        /* per group; NULL: none yet */
} Tangents;

enum { MIRRORED, REGULAR, DEGENERATE };

static const CnVertex *vertices_of(const Tangents *t)
{
    return t->import->data->vertices.items + t->mesh->first_vertex;
}

static uint32_t *indices_of(const Tangents *t)
{
    return t->import->data->indices.items + t->mesh->first_index;
}

static uint32_t corner_after(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/* ---- Equal vertices ---- */

typedef struct Key {
    CnVec3 position, normal;
    CnVec2 uv;
} Key;

static Key key_of(const CnVertex *v)
{
    /* Adding zero turns -0 into 0. */
    return (Key){{v->position.x + 0, v->position.y + 0, v->position.z + 0},
                 {v->normal.x + 0, v->normal.y + 0, v->normal.z + 0},
                 {v->uv.x + 0, v->uv.y + 0}};
}

/* Quick; the bound on probes keeps keys that were chosen to collide from taking long. */
static uint64_t hash_key(const Key *key)
{
    uint64_t words[4];
    CN_STATIC_ASSERT(sizeof words == sizeof *key, "the key consists of the words");
    memcpy(words, key, sizeof words);
    return cn_hash_mix(words[0] * 0x9E3779B97F4A7C15u ^ words[1] * 0xC2B2AE3D27D4EB4Fu ^
                       words[2] * 0x165667B19E3779F9u ^ words[3] * 0xD6E8FEB86659FD93u);
}

static bool merge_vertices(Tangents *t)
{
    uint32_t count = t->mesh->vertex_count, size = 16;
    while (size < count * 2)
        size *= 2;
    size_t bytes = size * sizeof(uint32_t);
    uint32_t *table = cn_alloc_zeroed(t->import->allocator, bytes); /* vertex + 1 */
    const CnVertex *vertices = vertices_of(t);
    for (uint32_t i = 0; table && i < count; i++) {
        Key key = key_of(&vertices[i]);
        uint32_t slot = (uint32_t)hash_key(&key) & (size - 1);
        t->vertex_of[i] = i;
        for (uint32_t probe = 0; probe < MAX_PROBES; probe++, slot = (slot + 1) & (size - 1)) {
            if (!table[slot]) {
                table[slot] = i + 1;
                break;
            }
            Key other = key_of(&vertices[table[slot] - 1]);
            if (!memcmp(&key, &other, sizeof key)) {
                t->vertex_of[i] = table[slot] - 1;
                break;
            }
        }
    }
    cn_free(t->import->allocator, table, bytes);
    return table != NULL;
}

/* ---- Triangles ---- */

static void measure_triangle(Tangents *t, uint32_t triangle)
{
    const CnVertex *vertices = vertices_of(t);
    const uint32_t *corner = indices_of(t) + (size_t)triangle * 3;
    const CnVertex *a = &vertices[corner[0]], *b = &vertices[corner[1]], *c = &vertices[corner[2]];
    CnVec3 e1 = cn_vec3_sub(b->position, a->position), e2 = cn_vec3_sub(c->position, a->position);
    float u1 = b->uv.x - a->uv.x, v1 = b->uv.y - a->uv.y;
    float u2 = c->uv.x - a->uv.x, v2 = c->uv.y - a->uv.y;
    float area = u1 * v2 - u2 * v1;
    CnVec3 along = cn_vec3_sub(cn_vec3_scale(e1, v2), cn_vec3_scale(e2, v1));
    CnVec3 across = cn_vec3_cross(e1, e2);
    float length = cn_vec3_dot(along, along);
    t->orientation[triangle] = area > 0 ? REGULAR : MIRRORED;
    if (!(cn_fabsf(area) > LEAST_AREA) || !(length > LEAST_AREA * LEAST_AREA) ||
        !(cn_vec3_dot(across, across) > 0) || length - length != 0) {
        t->orientation[triangle] = DEGENERATE;
        t->along_u[triangle] = cn_vec3(0, 0, 0);
        return;
    }
    t->along_u[triangle] = cn_vec3_scale(along, (area > 0 ? 1 : -1) / cn_sqrtf(length));
}

/* ---- Groups ---- */

static uint32_t find_group(const Tangents *t, uint32_t corner)
{
    uint32_t *group = t->group;
    while (group[corner] != corner) {
        group[corner] = group[group[corner]];
        corner = group[corner];
    }
    return corner;
}

static void join_corners(Tangents *t, uint32_t a, uint32_t b)
{
    uint8_t side_a = t->orientation[a / 3], side_b = t->orientation[b / 3];
    if (side_a == DEGENERATE && side_b != DEGENERATE && !t->neighbor[a])
        t->neighbor[a] = b + 1;
    if (side_b == DEGENERATE && side_a != DEGENERATE && !t->neighbor[b])
        t->neighbor[b] = a + 1;
    if (side_a != side_b || side_a == DEGENERATE)
        return;
    a = find_group(t, a);
    b = find_group(t, b);
    if (a < b)
        t->group[b] = a;
    else
        t->group[a] = b;
}

/* Two triangles share an edge that they pass in opposite directions. */
static void join_edges(Tangents *t, uint32_t a, uint32_t b)
{
    join_corners(t, a, corner_after(b));
    join_corners(t, corner_after(a), b);
}

typedef struct SortedEdge {
    uint32_t larger, is_backward, edge;
} SortedEdge;

static int compare_edges(const void *left, const void *right)
{
    const SortedEdge *a = left, *b = right;
    if (a->larger != b->larger)
        return a->larger < b->larger ? -1 : 1;
    if (a->is_backward != b->is_backward)
        return a->is_backward < b->is_backward ? -1 : 1;
    return a->edge < b->edge ? -1 : a->edge > b->edge;
}

/* Pairs the edges of a vertex with many of them. */
static bool join_large_bucket(Tangents *t, const uint32_t *edges, uint32_t count)
{
    size_t bytes = count * sizeof(SortedEdge);
    SortedEdge *sorted = cn_alloc(t->import->allocator, bytes);
    if (!sorted)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t start = t->start[edges[i]], end = t->start[corner_after(edges[i])];
        sorted[i] = (SortedEdge){start > end ? start : end, start > end, edges[i]};
    }
    qsort(sorted, count, sizeof *sorted, compare_edges);
    for (uint32_t first = 0, last; first < count; first = last) {
        uint32_t backward = first;
        while (backward < count && sorted[backward].larger == sorted[first].larger &&
               !sorted[backward].is_backward)
            backward++;
        last = backward;
        while (last < count && sorted[last].larger == sorted[first].larger)
            last++;
        for (uint32_t i = first; i < backward && backward + (i - first) < last; i++)
            join_edges(t, sorted[i].edge, sorted[backward + (i - first)].edge);
    }
    cn_free(t->import->allocator, sorted, bytes);
    return true;
}

static void join_small_bucket(Tangents *t, const uint32_t *edges, uint32_t count)
{
    uint32_t starts[SMALL_BUCKET], ends[SMALL_BUCKET];
    for (uint32_t i = 0; i < count; i++) {
        starts[i] = t->start[edges[i]];
        ends[i] = t->start[corner_after(edges[i])];
    }
    uint32_t paired = 0; /* bits */
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; !(paired >> i & 1) && j < count; j++)
            if (!(paired >> j & 1) && starts[i] == ends[j] && ends[i] == starts[j]) {
                join_edges(t, edges[i], edges[j]);
                paired |= 1u << i | 1u << j;
            }
}

/* Sorts the edges by their smaller vertex, and pairs those of each vertex. */
static bool find_groups(Tangents *t)
{
    uint32_t count = t->mesh->vertex_count;
    const uint32_t *indices = indices_of(t);
    for (uint32_t i = 0; i < t->corner_count; i++) {
        t->start[i] = t->vertex_of[indices[i]];
        t->group[i] = i;
    }
    for (uint32_t i = 0; i < t->corner_count; i++) {
        uint32_t a = t->start[i], b = t->start[corner_after(i)];
        if (a != b)
            t->first_edge[(a < b ? a : b) + 1]++;
    }
    for (uint32_t i = 0; i < count; i++)
        t->first_edge[i + 1] += t->first_edge[i];
    for (uint32_t i = 0; i < t->corner_count; i++) {
        uint32_t a = t->start[i], b = t->start[corner_after(i)];
        if (a != b)
            t->edges[t->first_edge[a < b ? a : b]++] = i;
    }
    /* Each entry has moved to the start of the next one. */
    for (uint32_t i = 0, first = 0; i < count; i++) {
        uint32_t size = t->first_edge[i] - first;
        if (size <= SMALL_BUCKET)
            join_small_bucket(t, t->edges + first, size);
        else if (!join_large_bucket(t, t->edges + first, size))
            return false;
        first = t->first_edge[i];
    }
    for (uint32_t i = 0; i < t->corner_count; i++)
        t->group[i] = t->group[t->group[i]]; /* the root, as parents come first */
    return true;
}

/* ---- Tangents ---- */

static CnVec3 project(CnVec3 v, CnVec3 normal)
{
    return cn_vec3_sub(v, cn_vec3_scale(normal, cn_vec3_dot(normal, v)));
}

/* What the weights of a batch of corners depend on, all of it projected onto the plane of the
 * normal: the product of the two edges, their squared lengths, and that of the u direction. */
typedef struct Corners {
    float product[BATCH * 3], next[BATCH * 3], last[BATCH * 3], along[BATCH * 3];
} Corners;

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

/* Finds the angle at each corner, divided by the length of the projected u direction. Loops that
 * exchange arrays in a function of its own are compiled to vector instructions. The arc
 * cosine is that of Abramowitz and Stegun, 4.4.46, with an error of 2e-8. */
__attribute__((noinline)) static void find_weights(const Corners *corners, float *restrict weights)
{
    float cosine[BATCH * 3], rest[BATCH * 3], is_valid[BATCH * 3];
    for (uint32_t i = 0; i < BATCH * 3; i++)
        cosine[i] = corners->product[i] /
                    __builtin_sqrtf(larger(corners->next[i] * corners->last[i], TINY));
    for (uint32_t i = 0; i < BATCH * 3; i++)
        rest[i] = larger(1 - cn_fabsf(cosine[i]), 0);
    for (uint32_t i = 0; i < BATCH * 3; i++)
        is_valid[i] = (float)(corners->along[i] > TINY);
    for (uint32_t i = 0; i < BATCH * 3; i++) {
        float x = 1 - rest[i], series = -0.0012624911f;
        series = series * x + 0.0066700901f;
        series = series * x - 0.0170881256f;
        series = series * x + 0.0308918810f;
        series = series * x - 0.0501743046f;
        series = series * x + 0.0889789874f;
        series = series * x - 0.2145988016f;
        series = series * x + 1.5707963050f;
        float below = CN_PIF / 2 - __builtin_sqrtf(rest[i]) * series; /* a right angle */
        float angle = CN_PIF / 2 - __builtin_copysignf(below, cosine[i]);
        weights[i] = angle * is_valid[i] / __builtin_sqrtf(larger(corners->along[i], TINY));
    }
}

static void measure_corners(const Tangents *t, uint32_t triangle, uint32_t first, Corners *corners)
{
    const CnVertex *vertices = vertices_of(t);
    const uint32_t *index = indices_of(t) + (size_t)triangle * 3;
    const CnVertex *v[3] = {&vertices[index[0]], &vertices[index[1]], &vertices[index[2]]};
    CnVec3 edges[3], u = t->along_u[triangle];
    for (uint32_t i = 0; i < 3; i++)
        edges[i] = cn_vec3_sub(v[i == 2 ? 0 : i + 1]->position, v[i]->position);
    for (uint32_t i = 0; i < 3; i++) {
        CnVec3 normal = v[i]->normal, a = edges[i], b = edges[i ? i - 1 : 2]; /* b ends here */
        float na = cn_vec3_dot(normal, a), nb = cn_vec3_dot(normal, b), nu = cn_vec3_dot(normal, u);
        corners->product[first + i] = na * nb - cn_vec3_dot(a, b);
        corners->next[first + i] = larger(0, cn_vec3_dot(a, a) - na * na);
        corners->last[first + i] = larger(0, cn_vec3_dot(b, b) - nb * nb);
        corners->along[first + i] = larger(0, cn_vec3_dot(u, u) - nu * nu);
    }
}

/* Adds up the tangents of all groups, and normalizes them. */
static void sum_tangents(Tangents *t)
{
    const CnVertex *vertices = vertices_of(t);
    const uint32_t *indices = indices_of(t);
    uint32_t triangles = t->corner_count / 3;
    for (uint32_t first = 0; first < triangles; first += BATCH) {
        Corners corners = {0};
        float weights[BATCH * 3];
        uint32_t end = triangles - first < BATCH ? triangles : first + BATCH;
        for (uint32_t i = first; i < end; i++)
            if (t->orientation[i] != DEGENERATE)
                measure_corners(t, i, (i - first) * 3, &corners);
        find_weights(&corners, weights);
        for (uint32_t i = first * 3; i < end * 3; i++) {
            CnVec3 *sum = &t->sum[t->group[i]];
            CnVec3 along = project(t->along_u[i / 3], vertices[indices[i]].normal);
            *sum = cn_vec3_add(*sum, cn_vec3_scale(along, weights[i - first * 3]));
        }
    }
    for (uint32_t i = 0; i < t->corner_count; i++)
        if (t->group[i] == i)
            t->sum[i] = cn_vec3_normalize(t->sum[i]);
}

/* The bitangent points to the top of the image, where v is small. */
static CnVec4 tangent_of(const Tangents *t, uint32_t group)
{
    CnVec3 sum = t->sum[group];
    if (!(cn_vec3_dot(sum, sum) > 0.5f))
        return (CnVec4){0};
    return (CnVec4){sum.x, sum.y, sum.z, t->orientation[group / 3] == REGULAR ? -1.0f : 1.0f};
}

/* Returns a copy of the vertex for another group. */
static bool copy_vertex(Tangents *t, uint32_t vertex, uint32_t *copy)
{
    CniRenderModelData *data = t->import->data;
    if (!cni_render_import_reserve(t->import, 1, 0))
        return false;
    *copy = t->mesh->vertex_count++;
    data->vertices.items[data->vertices.count++] =
        data->vertices.items[t->mesh->first_vertex + vertex];
    if (t->import->origins.count &&
        !cn_array_push(&t->import->origins, t->import->origins.items[vertex]))
        return cni_render_import_memory(t->import);
    if (!t->mesh->first_skin)
        return true;
    CnVertexSkin skin = data->skins.items[t->mesh->first_skin - 1 + vertex];
    return cn_array_push(&data->skins, skin) || cni_render_import_memory(t->import);
}

static size_t split_bytes(const Tangents *t)
{
    return t->corner_count * sizeof(Split);
}

/* Gives a corner a vertex with the tangent of its group: the vertex that it has, if no other group
 * owns that, otherwise a copy. */
static bool assign_corner(Tangents *t, uint32_t corner)
{
    uint32_t from = t->neighbor[corner] ? t->neighbor[corner] - 1 : corner;
    uint32_t group = t->group[from], *index = &indices_of(t)[corner], vertex = *index;
    if (t->owner[vertex] == group + 1)
        return true;
    if (!t->owner[vertex]) {
        t->owner[vertex] = group + 1;
    } else if (t->splits && t->splits[group].vertex == vertex + 1) {
        *index = t->splits[group].copy;
        return true;
    } else {
        uint32_t copy;
        if (!t->splits && !(t->splits = cn_alloc_zeroed(t->import->allocator, split_bytes(t))))
            return cni_render_import_memory(t->import);
        if (!copy_vertex(t, vertex, &copy))
            return false;
        t->splits[group] = (Split){vertex + 1, copy};
        indices_of(t)[corner] = vertex = copy;
    }
    t->import->data->vertices.items[t->mesh->first_vertex + vertex].tangent = tangent_of(t, group);
    return true;
}

static bool compute(Tangents *t)
{
    if (!merge_vertices(t))
        return cni_render_import_memory(t->import);
    for (uint32_t i = 0; i < t->corner_count / 3; i++)
        measure_triangle(t, i);
    if (!find_groups(t))
        return cni_render_import_memory(t->import);
    sum_tangents(t);
    for (uint32_t i = 0; i < t->corner_count; i++)
        if (!assign_corner(t, i))
            return false;
    return true;
}

bool cni_render_import_tangents(CniRenderImport *import, CniRenderModelMesh *mesh)
{
    Tangents t = {.import = import, .mesh = mesh, .corner_count = mesh->index_count};
    size_t corners = mesh->index_count, triangles = corners / 3, vertices = mesh->vertex_count;
    /* One block: first what begins as zeros; words per corner, per vertex and per triangle, then
     * bytes per triangle. */
    size_t zeros = corners * 4 + vertices * 2 + 1;
    size_t words = zeros + corners * 3 + vertices + triangles * 3;
    size_t bytes = words * sizeof(uint32_t) + triangles;
    uint32_t *block = cn_alloc(import->allocator, bytes);
    if (!block)
        return cni_render_import_memory(import);
    memset(block, 0, zeros * sizeof *block);
    t.sum = (CnVec3 *)(void *)block;
    t.neighbor = block + corners * 3;
    t.owner = t.neighbor + corners;
    t.first_edge = t.owner + vertices;
    t.along_u = (CnVec3 *)(void *)(block + zeros);
    t.group = block + zeros + triangles * 3;
    t.start = t.group + corners;
    t.edges = t.start + corners;
    t.vertex_of = t.edges + corners;
    t.orientation = (uint8_t *)(t.vertex_of + vertices);
    bool ok = compute(&t);
    cn_free(import->allocator, t.splits, split_bytes(&t));
    cn_free(import->allocator, block, bytes);
    return ok;
}
