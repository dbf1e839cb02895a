/* Meshes: validation, packing and allocation in the pools. */
#include "render/asset/model_data.h"
#include "render/core/renderer_internal.h"

#include <cairn/base/text.h>

#include <math.h>

/* ---- Packing ---- */

static uint32_t to_signed16(float value, float scale)
{
    float clamped = value < -1 ? -1 : value > 1 ? 1 : value;
    float rounded = clamped * scale + (clamped < 0 ? -0.5f : 0.5f);
    return (uint32_t)(int32_t)rounded & 0xFFFFu;
}

/* Octahedral encoding: "A Survey of Efficient Representations for Independent Unit Vectors". */
static inline CnVec2 octahedral(CnVec3 v)
{
    float sum = cn_fabsf(v.x) + cn_fabsf(v.y) + cn_fabsf(v.z);
    if (!(sum > 0))
        return (CnVec2){0, 0};
    CnVec2 p = {v.x / sum, v.y / sum};
    if (v.z >= 0)
        return p;
    return (CnVec2){(1 - cn_fabsf(p.y)) * (p.x < 0 ? -1.0f : 1.0f),
                    (1 - cn_fabsf(p.x)) * (p.y < 0 ? -1.0f : 1.0f)};
}

static uint32_t pack_normal(CnVec3 normal)
{
    CnVec2 p = octahedral(normal);
    return to_signed16(p.x, 32767) | to_signed16(p.y, 32767) << 16;
}

#define NO_TANGENT (1u << 16)

/* 15 bits each above bits 0 and 16; bit 0 is set if the bitangent is flipped, bit 16 if there is no
 * tangent. */
static uint32_t pack_tangent(CnVec4 tangent)
{
    if (tangent.x == 0 && tangent.y == 0 && tangent.z == 0)
        return NO_TANGENT;
    CnVec2 p = octahedral(cn_vec3(tangent.x, tangent.y, tangent.z));
    uint32_t x = to_signed16(p.x, 16383) << 1 & 0xFFFFu, y = to_signed16(p.y, 16383) << 1 & 0xFFFFu;
    return x | y << 16 | (tangent.w < 0 ? 1u : 0u);
}

static inline void pack_vertex(const CnVertex *vertex, CniRenderVertex *packed)
{
    uint32_t color = (uint32_t)vertex->color[0] | (uint32_t)vertex->color[1] << 8 |
                     (uint32_t)vertex->color[2] << 16 | (uint32_t)vertex->color[3] << 24;
    packed->position = vertex->position;
    packed->normal = pack_normal(vertex->normal);
    packed->tangent = pack_tangent(vertex->tangent);
    packed->uv = vertex->uv;
    packed->color = color ? color : 0xFFFFFFFFu;
}

/* Normalizes weights to a sum of 255, with the remainder added to the largest; without weights,
 * only the first joint is used. */
static CnVertexSkin pack_skin(const CnVertexSkin *skin)
{
    CnVertexSkin packed = *skin;
    uint32_t sum = 0, heaviest = 0;
    for (uint32_t i = 0; i < 4; i++) {
        sum += skin->weights[i];
        if (skin->weights[i] > skin->weights[heaviest])
            heaviest = i;
    }
    uint32_t left = 255;
    for (uint32_t i = 0; i < 4; i++) {
        packed.weights[i] = (uint8_t)(sum ? skin->weights[i] * 255u / sum : 0);
        left -= packed.weights[i];
    }
    packed.weights[heaviest] = (uint8_t)(packed.weights[heaviest] + left);
    return packed;
}

/* ---- Validation ---- */

static bool is_finite_vertex(const CnVertex *v)
{
    float sum = v->position.x + v->position.y + v->position.z + v->normal.x + v->normal.y +
                v->normal.z + v->tangent.x + v->tangent.y + v->tangent.z + v->tangent.w + v->uv.x +
                v->uv.y;
    return isfinite(sum);
}

static bool check_desc(const CnMeshDesc *desc, CnError *error)
{
    const char *name = desc->name ? desc->name : "unnamed";
    if (!desc->vertex_count || !desc->index_count || desc->index_count % 3)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "mesh %s: %u vertices and %u indices do not form triangles", name,
                            desc->vertex_count, desc->index_count);
    uint32_t most = 0;
    for (uint32_t i = 0; i < desc->index_count; i++)
        most = desc->indices[i] > most ? desc->indices[i] : most;
    for (uint32_t i = 0; most >= desc->vertex_count && i < desc->index_count; i++) {
        if (desc->indices[i] >= desc->vertex_count)
            return cn_error_set(error, CN_ERROR_FORMAT,
                                "mesh %s: index %u is %u, but there are only %u vertices", name, i,
                                desc->indices[i], desc->vertex_count);
    }
    for (uint32_t i = 0; i < desc->vertex_count; i++) {
        if (!is_finite_vertex(&desc->vertices[i]))
            return cn_error_set(error, CN_ERROR_FORMAT,
                                "mesh %s: vertex %u has a number that is not finite", name, i);
        if (desc->second_uv && !isfinite(desc->second_uv[i].x + desc->second_uv[i].y))
            return cn_error_set(error, CN_ERROR_FORMAT,
                                "mesh %s: the second uv of vertex %u is not finite", name, i);
    }
    return true;
}

/* The positions that a vertex may have. */
typedef struct Reach {
    CnVec3 least, most;
} Reach;

static CnVec3 smaller(CnVec3 a, CnVec3 b)
{
    return cn_vec3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static CnVec3 larger(CnVec3 a, CnVec3 b)
{
    return cn_vec3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

static Reach find_reach(const CnMeshDesc *desc, const CniRenderMorphTargets *targets,
                        uint32_t vertex)
{
    CnVec3 p = desc->vertices[vertex].position;
    Reach reach = {p, p};
    for (uint32_t i = 0; targets && i < targets->count; i++) {
        CnVec3 d = targets->deltas[(size_t)i * desc->vertex_count + vertex].position;
        CnVec3 a = cn_vec3_scale(d, targets->least_weight),
               b = cn_vec3_scale(d, targets->most_weight);
        reach.least = cn_vec3_add(reach.least, smaller(a, b));
        reach.most = cn_vec3_add(reach.most, larger(a, b));
    }
    return reach;
}

/* Bounds of all shapes that the morph targets can give the mesh. */
static void find_morph_bounds(CniRenderMesh *mesh, const CnMeshDesc *desc,
                              const CniRenderMorphTargets *targets)
{
    Reach whole = find_reach(desc, targets, 0);
    for (uint32_t i = 1; i < mesh->vertex_count; i++) {
        Reach reach = find_reach(desc, targets, i);
        whole.least = smaller(whole.least, reach.least);
        whole.most = larger(whole.most, reach.most);
    }
    mesh->minimum = whole.least;
    mesh->maximum = whole.most;
    mesh->center = cn_vec3_lerp(whole.least, whole.most, 0.5f);
    mesh->radius = cn_vec3_length(cn_vec3_sub(whole.most, mesh->center));
}

static void find_bounds(CniRenderMesh *mesh, const CnVertex *vertices)
{
    CnVec3 least = vertices[0].position, most = least;
    for (uint32_t i = 1; i < mesh->vertex_count; i++) {
        CnVec3 p = vertices[i].position;
        least = cn_vec3(p.x < least.x ? p.x : least.x, p.y < least.y ? p.y : least.y,
                        p.z < least.z ? p.z : least.z);
        most = cn_vec3(p.x > most.x ? p.x : most.x, p.y > most.y ? p.y : most.y,
                       p.z > most.z ? p.z : most.z);
    }
    mesh->minimum = least;
    mesh->maximum = most;
    mesh->center = cn_vec3_lerp(least, most, 0.5f);
    float squared = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        CnVec3 away = cn_vec3_sub(vertices[i].position, mesh->center);
        float d = cn_vec3_dot(away, away);
        squared = d > squared ? d : squared;
    }
    mesh->radius = cn_sqrtf(squared);
}

/* ---- Creation ---- */

static bool stage_vertices(CnRenderer *renderer, const CniRenderMesh *mesh, const CnMeshDesc *desc,
                           CnError *error)
{
    const uint64_t size = sizeof(CniRenderVertex);
    CniRenderVertex *packed =
        cni_render_stage_pool_memory(renderer, CNI_RENDER_POOL_VERTICES, mesh->first_vertex * size,
                                     desc->vertex_count * size, error);
    for (uint32_t i = 0; packed && i < desc->vertex_count; i++)
        pack_vertex(&desc->vertices[i], &packed[i]);
    return packed != NULL;
}

/* Units of the pool per vertex: its skin, and after it its second uv. */
static uint32_t units_per_vertex(const CniRenderMesh *mesh)
{
    return mesh->has_second_uv ? 2 : mesh->is_skinned ? 1 : 0;
}

CN_STATIC_ASSERT(sizeof(CnVec2) == sizeof(CnVertexSkin), "a second uv has the size of a skin");

static bool stage_skins(CnRenderer *renderer, const CniRenderMesh *mesh, const CnMeshDesc *desc,
                        CnError *error)
{
    const uint64_t size = sizeof(CnVertexSkin), units = units_per_vertex(mesh);
    CnVertexSkin *packed =
        cni_render_stage_pool_memory(renderer, CNI_RENDER_POOL_SKINS, mesh->first_skin * size,
                                     desc->vertex_count * units * size, error);
    for (uint32_t i = 0; packed && i < desc->vertex_count; i++) {
        packed[i * units] = desc->skin ? pack_skin(&desc->skin[i]) : (CnVertexSkin){0};
        if (desc->second_uv)
            memcpy(&packed[i * units + 1], &desc->second_uv[i], sizeof(CnVec2));
    }
    return packed != NULL;
}

/* Deltas in units of the pool. */
#define DELTA_UNITS 3u
CN_STATIC_ASSERT(sizeof(CniRenderModelDelta) == DELTA_UNITS * sizeof(CnVertexSkin),
                 "a delta has the size of three skins");

static uint32_t delta_units(const CniRenderMesh *mesh)
{
    return mesh->target_count * mesh->vertex_count * DELTA_UNITS;
}

static bool stage_deltas(CnRenderer *renderer, const CniRenderMesh *mesh,
                         const CniRenderMorphTargets *targets, CnError *error)
{
    return cni_render_stage_pool(
        renderer, CNI_RENDER_POOL_SKINS, (uint64_t)mesh->first_delta * sizeof(CnVertexSkin),
        targets->deltas, (uint64_t)delta_units(mesh) * sizeof(CnVertexSkin), error);
}

static void drop_ranges(CnRenderer *renderer, const CniRenderMesh *mesh, uint32_t taken)
{
    if (taken > 0)
        cni_render_pool_free(renderer, CNI_RENDER_POOL_VERTICES, mesh->first_vertex,
                             mesh->vertex_count);
    if (taken > 1)
        cni_render_pool_free(renderer, CNI_RENDER_POOL_INDICES, mesh->first_index,
                             mesh->index_count);
    if (taken > 2 && units_per_vertex(mesh))
        cni_render_pool_free(renderer, CNI_RENDER_POOL_SKINS, mesh->first_skin,
                             mesh->vertex_count * units_per_vertex(mesh));
    if (taken > 3 && mesh->target_count)
        cni_render_pool_free(renderer, CNI_RENDER_POOL_SKINS, mesh->first_delta, delta_units(mesh));
}

/* Allocates from the pools and fills the ranges; on failure nothing stays allocated. */
static bool fill_mesh(CnRenderer *renderer, CniRenderMesh *mesh, const CnMeshDesc *desc,
                      const CniRenderMorphTargets *targets, CnError *error)
{
    uint32_t taken = 0;
    bool ok =
        cni_render_pool_alloc(renderer, CNI_RENDER_POOL_VERTICES, mesh->vertex_count,
                              &mesh->first_vertex, error) &&
        ++taken &&
        cni_render_pool_alloc(renderer, CNI_RENDER_POOL_INDICES, mesh->index_count,
                              &mesh->first_index, error) &&
        ++taken &&
        (!units_per_vertex(mesh) ||
         cni_render_pool_alloc(renderer, CNI_RENDER_POOL_SKINS,
                               mesh->vertex_count * units_per_vertex(mesh), &mesh->first_skin,
                               error)) &&
        ++taken &&
        (!mesh->target_count ||
         cni_render_pool_alloc(renderer, CNI_RENDER_POOL_SKINS, delta_units(mesh),
                               &mesh->first_delta, error)) &&
        ++taken && stage_vertices(renderer, mesh, desc, error) &&
        cni_render_stage_pool(renderer, CNI_RENDER_POOL_INDICES, (uint64_t)mesh->first_index * 4,
                              desc->indices, (uint64_t)desc->index_count * 4, error) &&
        (!units_per_vertex(mesh) || stage_skins(renderer, mesh, desc, error)) &&
        (!mesh->target_count || stage_deltas(renderer, mesh, targets, error));
    if (!ok)
        drop_ranges(renderer, mesh, taken);
    return ok;
}

CnMesh cn_mesh_create(CnRenderer *renderer, const CnMeshDesc *desc, CnError *error)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    return cni_render_mesh_create(renderer, desc, NULL, error);
}

CnMesh cni_render_mesh_create(CnRenderer *renderer, const CnMeshDesc *desc,
                              const CniRenderMorphTargets *targets, CnError *error)
{
    CnMesh none = {0}, made;
    if (!check_desc(desc, error))
        return none;
    CniRenderMesh *mesh = cn_slot_table_acquire(&renderer->meshes, &made.id);
    if (!mesh) {
        bool full = renderer->meshes.live >= CN_MAX_MESHES;
        cn_error_set(error, full ? CN_ERROR_LIMIT : CN_ERROR_MEMORY,
                     "too many meshes: cannot create %s", desc->name ? desc->name : "unnamed");
        return none;
    }
    cn_copy_text(mesh->name, sizeof mesh->name, cn_text(desc->name ? desc->name : "unnamed"));
    mesh->vertex_count = desc->vertex_count;
    mesh->index_count = desc->index_count;
    mesh->is_skinned = desc->skin != NULL;
    mesh->has_second_uv = desc->second_uv != NULL;
    if (targets && targets->count) {
        mesh->target_count = targets->count;
        find_morph_bounds(mesh, desc, targets);
    } else {
        find_bounds(mesh, desc->vertices);
    }
    if (!fill_mesh(renderer, mesh, desc, targets, error)) {
        cn_slot_table_release(&renderer->meshes, cn_slot_index(made.id));
        return none;
    }
    return made;
}

void cn_mesh_destroy(CnRenderer *renderer, CnMesh mesh)
{
    const CniRenderMesh *found = cn_slot_table_get(&renderer->meshes, mesh.id);
    if (!found)
        return;
    drop_ranges(renderer, found, 4);
    renderer->plan_version++;
    cn_slot_table_release(&renderer->meshes, cn_slot_index(mesh.id));
}

CnMeshInfo cn_mesh_info(const CnRenderer *renderer, CnMesh mesh)
{
    CN_ASSERT(renderer, "%s: renderer is NULL", __func__);
    const CniRenderMesh *found = cn_slot_table_get(&renderer->meshes, mesh.id);
    if (!found)
        return (CnMeshInfo){.name = ""};
    return (CnMeshInfo){.name = found->name,
                        .vertex_count = found->vertex_count,
                        .index_count = found->index_count,
                        .minimum = found->minimum,
                        .maximum = found->maximum,
                        .center = found->center,
                        .radius = found->radius,
                        .is_skinned = found->is_skinned};
}
