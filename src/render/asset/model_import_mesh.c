#include "render/asset/model_import.h"

static bool no_memory(const CniRenderImport *import)
{
    return cni_render_import_fails(import, CN_ERROR_MEMORY, "no memory for the model");
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(value > 0 ? (value < 1 ? value * 255 + 0.5f : 255) : 0);
}

/* Normalises the vector. */
static CnVec3 unit(const struct aiVector3D *v)
{
    CnVec3 normal = cn_vec3_normalize(cn_vec3(v->x, v->y, v->z));
    float length = cn_vec3_dot(normal, normal);
    return length > 0.9f && length < 1.1f ? normal : cn_vec3(0, 1, 0);
}

static CnVertex read_vertex(const struct aiMesh *mesh, uint32_t i)
{
    const struct aiVector3D *p = &mesh->mVertices[i];
    CnVertex vertex = {.position = {p->x, p->y, p->z}, .normal = {0, 1, 0}};
    memset(vertex.color, 255, sizeof vertex.color);
    if (mesh->mNormals)
        vertex.normal = unit(&mesh->mNormals[i]);
    if (mesh->mTextureCoords[0])
        vertex.uv = (CnVec2){mesh->mTextureCoords[0][i].x, mesh->mTextureCoords[0][i].y};
    if (mesh->mTangents && mesh->mBitangents) {
        CnVec3 t = unit(&mesh->mTangents[i]), b = unit(&mesh->mBitangents[i]);
        float side = cn_vec3_dot(cn_vec3_cross(vertex.normal, t), b) < 0 ? -1.0f : 1.0f;
        vertex.tangent = (CnVec4){t.x, t.y, t.z, side};
    }
    const struct aiColor4D *color = mesh->mColors[0] ? &mesh->mColors[0][i] : NULL;
    if (color) {
        vertex.color[0] = to_byte(color->r);
        vertex.color[1] = to_byte(color->g);
        vertex.color[2] = to_byte(color->b);
        vertex.color[3] = to_byte(color->a);
    }
    return vertex;
}

/* Reads triangles only; points and lines are skipped. */
static bool read_faces(CniRenderImport *import, const struct aiMesh *from, CniRenderModelMesh *mesh)
{
    CniRenderModelData *data = import->data;
    for (uint32_t i = 0; i < from->mNumFaces; i++) {
        const struct aiFace *face = &from->mFaces[i];
        if (face->mNumIndices != 3 || !face->mIndices)
            continue;
        for (int j = 0; j < 3; j++) {
            if (face->mIndices[j] >= from->mNumVertices)
                return cni_render_import_fails(import, CN_ERROR_FORMAT,
                                               "a triangle refers to a vertex that does not exist");
            if (!cn_array_push(&data->indices, face->mIndices[j]))
                return no_memory(import);
        }
    }
    mesh->index_count = data->indices.count - mesh->first_index;
    return true;
}

bool cni_render_import_mesh(CniRenderImport *import, const struct aiMesh *from, uint32_t *number)
{
    CniRenderModelData *data = import->data;
    bool ok = true;
    CniRenderModelMesh mesh = {
        .name = cni_render_model_text(data, cni_render_import_text(&from->mName), &ok),
        .first_vertex = data->vertices.count,
        .vertex_count = from->mNumVertices,
        .first_index = data->indices.count};
    if (from->mMaterialIndex < data->materials.count)
        mesh.material = from->mMaterialIndex + 1;
    uint64_t end = (uint64_t)data->vertices.count + from->mNumVertices;
    if (end > CNI_RENDER_MODEL_MAX_VERTICES ||
        (uint64_t)data->indices.count + (uint64_t)from->mNumFaces * 3 >
            CNI_RENDER_MODEL_MAX_INDICES)
        return cni_render_import_fails(import, CN_ERROR_LIMIT, "the model has too many triangles");
    if (!ok || !from->mVertices || !cn_array_reserve(&data->vertices, end))
        return no_memory(import);
    for (uint32_t i = 0; i < from->mNumVertices; i++)
        data->vertices.items[data->vertices.count++] = read_vertex(from, i);
    if (!read_faces(import, from, &mesh))
        return false;
    if (from->mTextureCoords[0] && !from->mTangents &&
        !cni_render_make_tangents(data->vertices.items + mesh.first_vertex, mesh.vertex_count,
                                  data->indices.items + mesh.first_index, mesh.index_count,
                                  import->allocator))
        return no_memory(import);
    *number = data->meshes.count;
    return cn_array_push(&data->meshes, mesh) || no_memory(import);
}

void cni_render_import_move(CniRenderModelData *data, const CniRenderModelMesh *mesh,
                            const CnAffine *place)
{
    CnVec3 x = {place->m[0][0], place->m[1][0], place->m[2][0]};
    CnVec3 y = {place->m[0][1], place->m[1][1], place->m[2][1]};
    CnVec3 z = {place->m[0][2], place->m[1][2], place->m[2][2]};
    CnVec3 yz = cn_vec3_cross(y, z), zx = cn_vec3_cross(z, x), xy = cn_vec3_cross(x, y);
    bool mirrors = cn_vec3_dot(x, yz) < 0;
    float side = mirrors ? -1.0f : 1.0f;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        CnVertex *v = &data->vertices.items[mesh->first_vertex + i];
        CnVec3 n = v->normal, t = {v->tangent.x, v->tangent.y, v->tangent.z};
        v->position = cn_affine_point(place, v->position);
        n = cn_vec3_add(cn_vec3_add(cn_vec3_scale(yz, n.x), cn_vec3_scale(zx, n.y)),
                        cn_vec3_scale(xy, n.z));
        v->normal = cn_vec3_normalize(cn_vec3_scale(n, side));
        t = cn_vec3_normalize(cn_affine_direction(place, t));
        v->tangent = (CnVec4){t.x, t.y, t.z, v->tangent.w * side};
    }
    uint32_t *indices = data->indices.items + mesh->first_index;
    for (uint32_t i = 0; mirrors && i < mesh->index_count; i += 3) {
        uint32_t second = indices[i + 1];
        indices[i + 1] = indices[i + 2];
        indices[i + 2] = second;
    }
}
