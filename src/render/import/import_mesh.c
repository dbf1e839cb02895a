/* Meshes of both formats: limits, flat normals, order for the GPU. */
#include "render/import/import.h"

#include <meshoptimizer.h>
#include <pthread.h>
#include <stdlib.h>

#define EXPANSION 64u              /* vertices or indices per byte of the files */
#define SMALL_EXPANSION (1u << 20) /* always allowed */
#define CACHE_SIZE 16u             /* vertices that GPUs keep at least */

bool cni_render_import_reserve(CniRenderImport *import, uint64_t vertices, uint64_t indices)
{
    CniRenderModelData *data = import->data;
    uint64_t most = import->total_bytes * EXPANSION + SMALL_EXPANSION;
    vertices += data->vertices.count;
    indices += data->indices.count;
    const CnBudget *budget = import->budget;
    if (vertices > budget->model_vertices)
        return cn_budget_refuse(import->error, budget, import->path, "model_vertices", vertices,
                                budget->model_vertices);
    if (indices > budget->model_indices)
        return cn_budget_refuse(import->error, budget, import->path, "model_indices", indices,
                                budget->model_indices);
    if (vertices > CNI_RENDER_MODEL_MAX_VERTICES || indices > CNI_RENDER_MODEL_MAX_INDICES ||
        vertices > most || indices > most)
        return cni_render_import_fails(import, CN_ERROR_LIMIT,
                                       "the model has too many vertices or triangles");
    return (cn_array_reserve(&data->vertices, vertices) &&
            cn_array_reserve(&data->indices, indices)) ||
           cni_render_import_memory(import);
}

/* ---- Normals ---- */

CnVec3 cni_render_import_face_normal(const CnVertex corners[3])
{
    CnVec3 a = cn_vec3_sub(corners[1].position, corners[0].position),
           b = cn_vec3_sub(corners[2].position, corners[0].position);
    /* Scaled first, so that tiny triangles have a normal, too. */
    float size = 0, numbers[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    for (uint32_t i = 0; i < 6; i++)
        size = cn_fabsf(numbers[i]) > size ? cn_fabsf(numbers[i]) : size;
    if (!(size > 0))
        return cn_vec3(0, 1, 0);
    CnVec3 normal = cn_vec3_cross(cn_vec3_scale(a, 1 / size), cn_vec3_scale(b, 1 / size));
    normal = cn_vec3_normalize(normal);
    return cn_vec3_dot(normal, normal) > 0.5f ? normal : cn_vec3(0, 1, 0);
}

/* Gives every corner of a triangle its own vertex with the normal of the triangle. */
static bool make_flat(CniRenderImport *import, CniRenderModelMesh *mesh)
{
    CniRenderModelData *data = import->data;
    uint32_t corners = mesh->index_count, old = mesh->vertex_count;
    size_t vertex_bytes = old * sizeof(CnVertex);
    size_t skin_bytes = mesh->first_skin ? old * sizeof(CnVertexSkin) : 0;
    if (!cni_render_import_reserve(import, corners, 0))
        return false;
    size_t origin_bytes = import->origins.count * sizeof(uint32_t);
    if ((mesh->first_skin &&
         !cn_array_reserve(&data->skins, (uint64_t)data->skins.count + corners)) ||
        (origin_bytes && !cn_array_reserve(&import->origins, corners)))
        return cni_render_import_memory(import);
    CnVertex *vertices = cn_alloc(import->allocator, vertex_bytes);
    CnVertexSkin *skins = cn_alloc(import->allocator, skin_bytes);
    uint32_t *origins = cn_alloc(import->allocator, origin_bytes);
    bool ok = vertices && (skins || !skin_bytes) && (origins || !origin_bytes);
    if (ok) {
        memcpy(vertices, data->vertices.items + mesh->first_vertex, vertex_bytes);
        if (skins)
            memcpy(skins, data->skins.items + mesh->first_skin - 1, skin_bytes);
        if (origins)
            memcpy(origins, import->origins.items, origin_bytes);
        CnVertex *out = data->vertices.items + mesh->first_vertex;
        uint32_t *indices = data->indices.items + mesh->first_index;
        for (uint32_t i = 0; i < corners; i++) {
            out[i] = vertices[indices[i]];
            if (skins)
                data->skins.items[mesh->first_skin - 1 + i] = skins[indices[i]];
            if (origins)
                import->origins.items[i] = origins[indices[i]];
            indices[i] = i;
        }
        for (uint32_t i = 0; i + 2 < corners; i += 3)
            out[i].normal = out[i + 1].normal = out[i + 2].normal =
                cni_render_import_face_normal(&out[i]);
        mesh->vertex_count = corners;
        data->vertices.count = mesh->first_vertex + corners;
        if (skins)
            data->skins.count = mesh->first_skin - 1 + corners;
        if (origins)
            import->origins.count = corners;
    }
    cn_free(import->allocator, vertices, vertex_bytes);
    cn_free(import->allocator, skins, skin_bytes);
    cn_free(import->allocator, origins, origin_bytes);
    return ok || cni_render_import_memory(import);
}

/* ---- Order ---- */

/* The scratch memory of meshoptimizer, which cannot report that memory is exhausted. */
typedef struct ScratchBlock {
    size_t bytes;
    CnAllocator *allocator;
} ScratchBlock;

static _Thread_local CnAllocator *scratch_allocator; /* NULL: the system allocator */

static void *take_scratch(size_t bytes)
{
    CnAllocator *allocator = scratch_allocator;
    bytes += sizeof(ScratchBlock);
    ScratchBlock *block = cn_alloc(allocator, bytes);
    if (!block)
        block = cn_alloc(allocator = NULL, bytes);
    if (!block)
        abort();
    *block = (ScratchBlock){bytes, allocator};
    return block + 1;
}

static void give_scratch(void *memory)
{
    ScratchBlock *block = memory ? (ScratchBlock *)memory - 1 : NULL;
    if (block)
        cn_free(block->allocator, block, block->bytes);
}

static void use_scratch(void)
{
    meshopt_setAllocator(take_scratch, give_scratch);
}

/* The FIFO variant takes linear time; meshopt_optimizeVertexCache is quadratic in the number of
 * triangles at one vertex. */
bool cni_render_import_order(CniRenderImport *import, uint32_t *indices, uint32_t index_count,
                             uint32_t vertex_count)
{
    uint32_t i = 0;
    while (i < index_count && indices[i] == i)
        i++;
    if (i == index_count)
        return true; /* no vertex is shared */
    size_t bytes = index_count * sizeof *indices;
    uint32_t *ordered = cn_alloc(import->allocator, bytes);
    if (!ordered)
        return cni_render_import_memory(import);
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, use_scratch);
    scratch_allocator = import->allocator;
    meshopt_optimizeVertexCacheFifo(ordered, indices, index_count, vertex_count, CACHE_SIZE);
    scratch_allocator = NULL;
    memcpy(indices, ordered, bytes);
    cn_free(import->allocator, ordered, bytes);
    return true;
}

/* Copies of the arrays of a mesh, from which they are put in a new order. */
typedef struct Order {
    uint32_t *new_of; /* per vertex: its new number + 1 */
    CnVertex *vertices;
    CnVertexSkin *skins; /* NULL: none */
    uint32_t *origins;   /* NULL: none */
} Order;

/* Numbers vertices by first use; those without a use are dropped. */
static void reorder(CniRenderImport *import, CniRenderModelMesh *mesh, const Order *order)
{
    CniRenderModelData *data = import->data;
    uint32_t *indices = data->indices.items + mesh->first_index, used = 0;
    CnVertex *vertices = data->vertices.items + mesh->first_vertex;
    CnVertexSkin *skins = order->skins ? data->skins.items + mesh->first_skin - 1 : NULL;
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        uint32_t old = indices[i];
        if (!order->new_of[old]) {
            vertices[used] = order->vertices[old];
            if (skins)
                skins[used] = order->skins[old];
            if (order->origins)
                import->origins.items[used] = order->origins[old];
            order->new_of[old] = ++used;
        }
        indices[i] = order->new_of[old] - 1;
    }
    data->vertices.count -= mesh->vertex_count - used;
    if (skins)
        data->skins.count -= mesh->vertex_count - used;
    if (order->origins)
        import->origins.count = used;
    mesh->vertex_count = used;
}

static bool order_vertices(CniRenderImport *import, CniRenderModelMesh *mesh)
{
    CniRenderModelData *data = import->data;
    CnAllocator *allocator = import->allocator;
    size_t vertex_bytes = mesh->vertex_count * sizeof(CnVertex);
    size_t map_bytes = mesh->vertex_count * sizeof(uint32_t);
    size_t skin_bytes = mesh->first_skin ? mesh->vertex_count * sizeof(CnVertexSkin) : 0;
    size_t origin_bytes = import->origins.count * sizeof(uint32_t);
    Order order = {.new_of = cn_alloc_zeroed(allocator, map_bytes),
                   .vertices = cn_alloc(allocator, vertex_bytes),
                   .skins = cn_alloc(allocator, skin_bytes),
                   .origins = cn_alloc(allocator, origin_bytes)};
    bool ok = order.new_of && order.vertices && (order.skins || !skin_bytes) &&
              (order.origins || !origin_bytes);
    if (ok) {
        memcpy(order.vertices, data->vertices.items + mesh->first_vertex, vertex_bytes);
        if (order.skins)
            memcpy(order.skins, data->skins.items + mesh->first_skin - 1, skin_bytes);
        if (order.origins)
            memcpy(order.origins, import->origins.items, origin_bytes);
        reorder(import, mesh, &order);
    }
    cn_free(allocator, order.origins, origin_bytes);
    cn_free(allocator, order.skins, skin_bytes);
    cn_free(allocator, order.vertices, vertex_bytes);
    cn_free(allocator, order.new_of, map_bytes);
    return ok || cni_render_import_memory(import);
}

bool cni_render_import_finish_mesh(CniRenderImport *import, CniRenderImportMesh *from,
                                   uint32_t *number)
{
    CniRenderModelData *data = import->data;
    CniRenderModelMesh *mesh = &from->mesh;
    if (data->meshes.count >= CNI_RENDER_MODEL_MAX_MESHES)
        return cni_render_import_fails(import, CN_ERROR_LIMIT, "the model has more than %u meshes",
                                       CNI_RENDER_MODEL_MAX_MESHES);
    if (mesh->index_count) {
        if (!from->has_normals && !make_flat(import, mesh))
            return false;
        if (cni_render_import_lacks_tangents(from) && !cni_render_import_tangents(import, mesh))
            return false;
        if (from->has_normals && !from->is_ordered && /* flat ones share no vertices */
            (!cni_render_import_order(import, data->indices.items + mesh->first_index,
                                      mesh->index_count, mesh->vertex_count) ||
             !order_vertices(import, mesh)))
            return false;
    }
    *number = data->meshes.count;
    return cn_array_push(&data->meshes, *mesh) || cni_render_import_memory(import);
}

/* The parts of a transform that normals and morph targets need. */
typedef struct Move {
    const CnAffine *place;
    CnVec3 yz, zx, xy; /* cofactors */
    float side;        /* -1: mirrored */
} Move;

static CnVec3 move_normal(const Move *move, CnVec3 n)
{
    CnVec3 sum =
        cn_vec3_add(cn_vec3_add(cn_vec3_scale(move->yz, n.x), cn_vec3_scale(move->zx, n.y)),
                    cn_vec3_scale(move->xy, n.z));
    return cn_vec3_scale(sum, move->side);
}

static CnVec3 load_halves(const uint16_t halves[3])
{
    return cn_vec3(cni_render_half_to_float(halves[0]), cni_render_half_to_float(halves[1]),
                   cni_render_half_to_float(halves[2]));
}

static void store_halves(CnVec3 v, uint16_t halves[3])
{
    halves[0] = cni_render_half_from_float(v.x);
    halves[1] = cni_render_half_from_float(v.y);
    halves[2] = cni_render_half_from_float(v.z);
}

/* `normal` and `tangent`: lengths of the moved vectors of the vertex before normalization. */
static void move_delta(const Move *move, float normal, float tangent, CniRenderModelDelta *delta)
{
    CnVec3 n = move_normal(move, load_halves(delta->normal));
    CnVec3 t = cn_affine_direction(move->place, load_halves(delta->tangent));
    delta->position = cn_affine_direction(move->place, delta->position);
    store_halves(cn_vec3_scale(n, normal > 0 ? 1 / normal : 1), delta->normal);
    store_halves(cn_vec3_scale(t, tangent > 0 ? 1 / tangent : 1), delta->tangent);
}

void cni_render_import_move(CniRenderModelData *data, const CniRenderModelMesh *mesh,
                            const CnAffine *place)
{
    CnVec3 x = {place->m[0][0], place->m[1][0], place->m[2][0]};
    CnVec3 y = {place->m[0][1], place->m[1][1], place->m[2][1]};
    CnVec3 z = {place->m[0][2], place->m[1][2], place->m[2][2]};
    Move move = {.place = place,
                 .yz = cn_vec3_cross(y, z),
                 .zx = cn_vec3_cross(z, x),
                 .xy = cn_vec3_cross(x, y)};
    bool mirrors = cn_vec3_dot(x, move.yz) < 0;
    move.side = mirrors ? -1.0f : 1.0f;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        CnVertex *v = &data->vertices.items[mesh->first_vertex + i];
        v->position = cn_affine_point(place, v->position);
        CnVec3 n = move_normal(&move, v->normal);
        CnVec3 t = cn_affine_direction(place, (CnVec3){v->tangent.x, v->tangent.y, v->tangent.z});
        for (uint32_t j = 0; j < mesh->target_count; j++)
            move_delta(
                &move, cn_vec3_length(n), cn_vec3_length(t),
                &data->deltas.items[mesh->first_delta - 1 + (size_t)j * mesh->vertex_count + i]);
        v->normal = cn_vec3_normalize(n);
        t = cn_vec3_normalize(t);
        v->tangent = (CnVec4){t.x, t.y, t.z, v->tangent.w * move.side};
    }
    uint32_t *indices = data->indices.items + mesh->first_index;
    for (uint32_t i = 0; mirrors && i < mesh->index_count; i += 3) {
        uint32_t second = indices[i + 1];
        indices[i + 1] = indices[i + 2];
        indices[i + 2] = second;
    }
}
