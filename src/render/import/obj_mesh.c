/* Meshes of OBJ files: equal corners become one vertex, polygons become triangles. */
#include "render/import/obj_mesh.h"

#define MAX_STEPS 64u     /* vertices of a position; beyond, a corner becomes one of its own */
#define SMOOTH (1u << 31) /* CniRenderObjCorner.normal: a smoothing group instead of a normal */

typedef struct VertexSource {
    CniRenderObjCorner corner;
    uint32_t before; /* the vertex before it at the same position, + 1 */
} VertexSource;

typedef struct Builder {
    CniRenderObj *obj;
    CniRenderModelData *data;
    CniRenderImportMesh mesh;
    uint32_t *last_of;           /* per position: its last vertex + 1 in this mesh */
    CN_ARRAY(VertexSource) made; /* per vertex of the mesh */
} Builder;

static CnVertex *vertices_of(const Builder *builder)
{
    return builder->data->vertices.items + builder->mesh.mesh.first_vertex;
}

/* ---- Vertices ---- */

static void make_vertex(const CniRenderObj *obj, const CniRenderObjCorner *corner, CnVertex *v)
{
    uint32_t color = UINT32_MAX;
    if (corner->position <= obj->colors.count)
        color = obj->colors.items[corner->position - 1];
    v->position = obj->positions.items[corner->position - 1];
    v->normal = cn_vec3(0, 0, 0);
    if (corner->normal && !(corner->normal & SMOOTH))
        v->normal = cni_render_import_unit(obj->normals.items[corner->normal - 1]);
    v->tangent = (CnVec4){0};
    v->uv = corner->uv ? obj->uvs.items[corner->uv - 1] : (CnVec2){0};
    for (uint32_t i = 0; i < 4; i++)
        v->color[i] = (uint8_t)(color >> 8 * i);
}

/* Appends a vertex; memory is reserved. */
static uint32_t push_vertex(Builder *builder, const CniRenderObjCorner *corner, uint32_t before)
{
    CniRenderModelData *data = builder->data;
    make_vertex(builder->obj, corner, &data->vertices.items[data->vertices.count++]);
    builder->made.items[builder->made.count++] = (VertexSource){*corner, before};
    return builder->mesh.mesh.vertex_count++;
}

static uint32_t find_vertex(Builder *builder, const CniRenderObjCorner *corner)
{
    uint32_t *last = &builder->last_of[corner->position - 1], vertex = *last;
    for (uint32_t step = 0; vertex && step < MAX_STEPS; step++) {
        const VertexSource *made = &builder->made.items[vertex - 1];
        if (made->corner.uv == corner->uv && made->corner.normal == corner->normal)
            return vertex - 1;
        vertex = made->before;
    }
    uint32_t number = push_vertex(builder, corner, *last);
    *last = number + 1;
    return number;
}

/* ---- Faces ---- */

/* The sum over the edges (Newell): right for polygons that are not flat, too. */
static CnVec3 face_normal(const CniRenderObj *obj, const CniRenderObjFace *face)
{
    const CniRenderObjCorner *corners = obj->corners.items + face->first_corner;
    CnVec3 origin = obj->positions.items[corners[0].position - 1], sum = {0, 0, 0};
    CnVec3 before = {0, 0, 0};
    for (uint32_t i = 1; i < face->corner_count; i++) {
        CnVec3 edge = cn_vec3_sub(obj->positions.items[corners[i].position - 1], origin);
        sum = cn_vec3_add(sum, cn_vec3_cross(before, edge));
        before = edge;
    }
    return sum;
}

static void push_triangle(Builder *builder, uint32_t a, uint32_t b, uint32_t c)
{
    CniRenderModelData *data = builder->data;
    data->indices.items[data->indices.count++] = a;
    data->indices.items[data->indices.count++] = b;
    data->indices.items[data->indices.count++] = c;
}

/* Returns whether a quad must be cut from its second to its fourth corner, because it is concave at
 * one of these. */
static bool is_cut_across(const CnVertex *vertices, const uint32_t quad[4])
{
    CnVec3 a = vertices[quad[0]].position, diagonal = cn_vec3_sub(vertices[quad[2]].position, a);
    CnVec3 b = cn_vec3_sub(vertices[quad[1]].position, a),
           d = cn_vec3_sub(vertices[quad[3]].position, a);
    return cn_vec3_dot(cn_vec3_cross(b, diagonal), cn_vec3_cross(diagonal, d)) < 0;
}

/* Adds a polygon as a fan around its first corner. */
static void add_face(Builder *builder, const CniRenderObjFace *face)
{
    const CniRenderObj *obj = builder->obj;
    const CniRenderObjCorner *corners = obj->corners.items + face->first_corner;
    bool has_computed = false;
    for (uint32_t i = 0; i < face->corner_count; i++)
        has_computed |= !corners[i].normal;
    CnVec3 normal = has_computed ? face_normal(obj, face) : cn_vec3(0, 0, 0),
           flat = cni_render_import_unit(normal);
    uint32_t quad[4] = {0}, first = 0, last = 0;
    for (uint32_t i = 0; i < face->corner_count; i++) {
        CniRenderObjCorner corner = corners[i];
        bool is_flat = !corner.normal && !face->smoothing;
        if (!corner.normal && face->smoothing)
            corner.normal = SMOOTH | face->smoothing;
        uint32_t vertex =
            is_flat ? push_vertex(builder, &corner, 0) : find_vertex(builder, &corner);
        CnVertex *v = &vertices_of(builder)[vertex];
        if (is_flat)
            v->normal = flat;
        else if (corner.normal & SMOOTH)
            v->normal = cn_vec3_add(v->normal, normal);
        builder->mesh.has_uv |= corner.uv != 0;
        if (i < 4)
            quad[i] = vertex;
        if (face->corner_count != 4 && i >= 2)
            push_triangle(builder, first, last, vertex);
        first = i ? first : vertex;
        last = vertex;
    }
    if (face->corner_count != 4)
        return;
    bool across = is_cut_across(vertices_of(builder), quad);
    push_triangle(builder, quad[0], quad[1], across ? quad[3] : quad[2]);
    push_triangle(builder, across ? quad[1] : quad[0], quad[2], quad[3]);
}

/* ---- Meshes ---- */

static bool begin_mesh(Builder *builder, const CniRenderObjMesh *from)
{
    CniRenderImport *import = builder->obj->import;
    CniRenderModelData *data = builder->data;
    uint64_t indices = ((uint64_t)from->corner_count - 2 * (uint64_t)from->face_count) * 3;
    bool ok = true;
    builder->mesh = (CniRenderImportMesh){
        .mesh = {.name = cni_render_model_text(data, from->name, &ok),
                 .first_vertex = data->vertices.count,
                 .first_index = data->indices.count,
                 .material = from->material},
        .has_normals = true,
        .needs_tangents = from->material &&
                          data->materials.items[from->material - 1].textures[CN_TEXTURE_NORMAL]};
    if (!ok)
        return cni_render_import_memory(import);
    if (!cni_render_import_reserve(import, from->corner_count, indices))
        return false;
    cn_array_clear(&builder->made);
    return cn_array_reserve(&builder->made, from->corner_count) || cni_render_import_memory(import);
}

static bool add_mesh(Builder *builder, const CniRenderObjMesh *from, const uint32_t *order)
{
    const CniRenderObj *obj = builder->obj;
    CnAffine identity = cn_affine_identity();
    uint32_t number;
    bool ok = begin_mesh(builder, from);
    for (uint32_t i = 0; ok && i < from->face_count; i++)
        add_face(builder, &obj->faces.items[order[from->first_face + i]]);
    for (uint32_t i = 0; i < builder->made.count; i++)
        builder->last_of[builder->made.items[i].corner.position - 1] = 0;
    if (!ok)
        return false;
    CniRenderModelMesh *mesh = &builder->mesh.mesh;
    mesh->index_count = builder->data->indices.count - mesh->first_index;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (builder->made.items[i].corner.normal & SMOOTH)
            vertices_of(builder)[i].normal = cni_render_import_unit(vertices_of(builder)[i].normal);
    return cni_render_import_finish_mesh(obj->import, &builder->mesh, &number) &&
           cni_render_import_part(obj->import, number, from->name, &identity, 0);
}

/* Sorts the faces by mesh. */
static void order_faces(CniRenderObj *obj, uint32_t *order)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < obj->meshes.count; i++) {
        obj->meshes.items[i].first_face = first;
        first += obj->meshes.items[i].face_count;
    }
    for (uint32_t i = 0; i < obj->faces.count; i++)
        order[obj->meshes.items[obj->faces.items[i].mesh].first_face++] = i;
    for (uint32_t i = 0; i < obj->meshes.count; i++)
        obj->meshes.items[i].first_face -= obj->meshes.items[i].face_count;
}

bool cni_render_obj_add_meshes(CniRenderObj *obj)
{
    Builder builder = {.obj = obj, .data = obj->import->data};
    CnAllocator *allocator = obj->import->allocator;
    size_t bytes = (size_t)obj->faces.count * sizeof(uint32_t);
    size_t last_bytes = (size_t)obj->positions.count * sizeof(uint32_t);
    uint32_t *order = cn_alloc(allocator, bytes);
    builder.last_of = cn_alloc_zeroed(allocator, last_bytes);
    bool ok = (order || !bytes) && (builder.last_of || !last_bytes);
    cn_array_init(&builder.made, allocator);
    if (ok)
        order_faces(obj, order);
    else
        cni_render_import_memory(obj->import);
    for (uint32_t i = 0; ok && i < obj->meshes.count; i++)
        if (obj->meshes.items[i].face_count)
            ok = add_mesh(&builder, &obj->meshes.items[i], order);
    cn_array_fini(&builder.made);
    cn_free(allocator, builder.last_of, last_bytes);
    cn_free(allocator, order, bytes);
    return ok;
}
