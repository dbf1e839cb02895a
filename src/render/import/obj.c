/*
 * Reads Wavefront OBJ: polygons with texture coordinates, normals, vertex colors, smoothing groups
 * and materials. Lines, points, curves and surfaces are skipped. The triangles of an object or
 * group with the same material are one mesh.
 */
#include "render/import/obj_mesh.h"

#include <cairn/base/log.h>

#define MAX_LINE_NUMBER 2147483647
#define MAX_INDEX_DIGITS 19 /* as many fit into 64 bits */

static bool fails_at(const CniRenderObj *obj, CnErrorCode code, const char *what)
{
    int line = obj->line_number < MAX_LINE_NUMBER ? (int)obj->line_number : 0;
    return cn_error_set_at(obj->import->error, code, obj->import->path, line, 0, "%s", what);
}

static bool no_memory(const CniRenderObj *obj)
{
    return cni_render_import_memory(obj->import);
}

/* ---- Vertices ---- */

static bool read_floats(CniRenderObjLine *line, uint32_t count, float *values)
{
    for (uint32_t i = 0; i < count; i++)
        if (!cni_render_obj_float(line, &values[i]))
            return false;
    return true;
}

static uint8_t to_byte(float value)
{
    return (uint8_t)(value > 0 ? (value < 1 ? value * 255 + 0.5f : 255) : 0);
}

/* Some programs write a color behind the position. */
static bool read_vertex_color(CniRenderObj *obj, CniRenderObjLine *line)
{
    float color[3];
    if (line->at >= line->end || !read_floats(line, 3, color))
        return true;
    while (obj->colors.count + 1 < obj->positions.count)
        if (!cn_array_push(&obj->colors, UINT32_MAX))
            return no_memory(obj);
    uint32_t packed = (uint32_t)to_byte(color[0]) | (uint32_t)to_byte(color[1]) << 8 |
                      (uint32_t)to_byte(color[2]) << 16 | 255u << 24;
    return cn_array_push(&obj->colors, packed) || no_memory(obj);
}

static bool read_position(CniRenderObj *obj, CniRenderObjLine *line)
{
    float v[3];
    if (!read_floats(line, 3, v))
        return fails_at(obj, CN_ERROR_FORMAT, "a vertex needs three numbers");
    return (cn_array_push(&obj->positions, cn_vec3(v[0], v[1], v[2])) || no_memory(obj)) &&
           read_vertex_color(obj, line);
}

static bool read_normal(CniRenderObj *obj, CniRenderObjLine *line)
{
    float v[3];
    if (!read_floats(line, 3, v))
        return fails_at(obj, CN_ERROR_FORMAT, "a normal needs three numbers");
    return cn_array_push(&obj->normals, cn_vec3(v[0], v[1], v[2])) || no_memory(obj);
}

/* The origin of the file is at the bottom left of the image. */
static bool read_uv(CniRenderObj *obj, CniRenderObjLine *line)
{
    float v[2] = {0, 0};
    if (!read_floats(line, 1, v))
        return fails_at(obj, CN_ERROR_FORMAT, "a texture coordinate needs a number");
    read_floats(line, 1, &v[1]);
    return cn_array_push(&obj->uvs, (CnVec2){v[0], 1 - v[1]}) || no_memory(obj);
}

/* ---- Faces ---- */

/* Takes an index, which counts from 1, or backwards from -1; *value receives it counted from 1.
 * Returns NULL if there is none or it does not refer to one of `count` items. */
static inline const char *take_index(const char *at, const char *end, uint32_t count,
                                     uint32_t *value)
{
    bool is_negative = at < end && *at == '-';
    uint64_t number = 0;
    at += is_negative;
    const char *start = at;
    for (; at < end && (uint8_t)(*at - '0') < 10; at++)
        number = number * 10 + (uint8_t)(*at - '0');
    if (number == 0 || number > count || at - start > MAX_INDEX_DIGITS)
        return NULL;
    *value = is_negative ? count + 1 - (uint32_t)number : (uint32_t)number;
    return at;
}

/* Takes "1", "1/2", "1//3" or "1/2/3". Returns NULL if that is not next. */
static inline const char *take_corner(const CniRenderObj *obj, const char *at, const char *end,
                                      CniRenderObjCorner *corner)
{
    at = take_index(at, end, obj->positions.count, &corner->position);
    if (!at || at >= end || *at != '/')
        return at;
    at++;
    if (at < end && *at != '/' && *at != ' ' &&
        !(at = take_index(at, end, obj->uvs.count, &corner->uv)))
        return NULL;
    return at < end && *at == '/' ? take_index(at + 1, end, obj->normals.count, &corner->normal)
                                  : at;
}

static bool read_face(CniRenderObj *obj, CniRenderObjLine *line)
{
    CniRenderObjFace face = {
        .first_corner = obj->corners.count, .mesh = obj->mesh, .smoothing = obj->smoothing};
    const char *at = line->at, *end = line->end;
    for (;;) {
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        if (at >= end || *at == '#')
            break;
        CniRenderObjCorner corner = {0};
        at = take_corner(obj, at, end, &corner);
        if (!at || (at < end && *at != ' ' && *at != '\t'))
            return fails_at(obj, CN_ERROR_FORMAT,
                            "a face refers to a vertex, texture coordinate or normal that is not "
                            "defined above");
        if (!cn_array_push(&obj->corners, corner))
            return no_memory(obj);
    }
    face.corner_count = obj->corners.count - face.first_corner;
    if (face.corner_count < 3)
        return fails_at(obj, CN_ERROR_FORMAT, "a face needs at least three corners");
    obj->meshes.items[face.mesh].face_count++;
    obj->meshes.items[face.mesh].corner_count += face.corner_count;
    return cn_array_push(&obj->faces, face) || no_memory(obj);
}

/* ---- Meshes ---- */

/* Selects the mesh of the current object and material. */
static bool select_mesh(CniRenderObj *obj)
{
    uint64_t key = cn_hash_keyed(obj->name.data, obj->name.size, obj->material);
    const uint32_t *found = cn_hash_map_get(&obj->mesh_of, key);
    if (found) {
        obj->mesh = *found;
        return true;
    }
    obj->mesh = obj->meshes.count;
    CniRenderObjMesh mesh = {.name = obj->name, .material = obj->material};
    return (cn_array_push(&obj->meshes, mesh) && cn_hash_map_set(&obj->mesh_of, key, &obj->mesh)) ||
           no_memory(obj);
}

static bool read_library(CniRenderObj *obj, CniRenderObjLine *line)
{
    CnText name = cni_render_obj_rest(line); /* one name, which may contain blanks */
    return !name.size || cni_render_obj_read_library(obj->import, name, &obj->materials);
}

static bool read_other(CniRenderObj *obj, CniRenderObjLine *line)
{
    CnText key = cni_render_obj_word(line);
    if (cn_text_equal(key, cn_text("o")) || cn_text_equal(key, cn_text("g"))) {
        obj->name = cni_render_obj_rest(line);
        return select_mesh(obj);
    }
    if (cn_text_equal(key, cn_text("usemtl"))) {
        obj->material = cni_render_obj_find_material(&obj->materials, cni_render_obj_rest(line));
        return select_mesh(obj);
    }
    if (cn_text_equal(key, cn_text("s"))) {
        float group = 0;
        bool is_on = cni_render_obj_float(line, &group) && group > 0;
        obj->smoothing = !is_on ? 0 : group < 0xFFFFFF ? (uint32_t)group : 0xFFFFFFu;
        return true;
    }
    if (cn_text_equal(key, cn_text("mtllib")))
        return read_library(obj, line);
    return true;
}

static bool read_line(CniRenderObj *obj, CniRenderObjLine *line)
{
    const char *at = line->at;
    size_t size = (size_t)(line->end - at);
    if (size < 2)
        return true;
    bool ends = at[1] == ' ' || at[1] == '\t', ends_later = size > 2 && at[2] == ' ';
    if (at[0] == 'v' && (ends || ends_later)) {
        line->at += ends ? 1 : 2;
        if (ends)
            return read_position(obj, line);
        if (at[1] == 't')
            return read_uv(obj, line);
        return at[1] != 'n' || read_normal(obj, line);
    }
    if (at[0] == 'f' && ends) {
        line->at++;
        return read_face(obj, line);
    }
    return read_other(obj, line);
}

static bool read_lines(CniRenderObj *obj)
{
    CnText text = obj->import->main;
    CniRenderObjLine line;
    while (cni_render_obj_line(&text, &line)) {
        obj->line_number++;
        if (!read_line(obj, &line))
            return false;
    }
    return true;
}

/* ---- Materials ---- */

/* Removes the materials that no mesh uses. */
static bool drop_materials(CniRenderObj *obj)
{
    CniRenderModelData *data = obj->import->data;
    size_t bytes = (size_t)data->materials.count * sizeof(uint32_t);
    if (!bytes)
        return true;
    uint32_t *new_of = cn_alloc_zeroed(obj->import->allocator, bytes); /* index + 1 */
    if (!new_of)
        return no_memory(obj);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < data->meshes.count; i++)
        if (data->meshes.items[i].material)
            new_of[data->meshes.items[i].material - 1] = 1;
    for (uint32_t i = 0; i < data->materials.count; i++)
        if (new_of[i]) {
            data->materials.items[kept++] = data->materials.items[i];
            new_of[i] = kept;
        }
    for (uint32_t i = 0; i < data->meshes.count; i++) {
        uint32_t *material = &data->meshes.items[i].material;
        *material = *material ? new_of[*material - 1] : 0;
    }
    data->materials.count = kept;
    cn_free(obj->import->allocator, new_of, bytes);
    return true;
}

bool cni_render_import_obj(CniRenderImport *import)
{
    CniRenderObj obj = {.import = import};
    CnAllocator *allocator = import->allocator;
    cn_array_init(&obj.positions, allocator);
    cn_array_init(&obj.normals, allocator);
    cn_array_init(&obj.uvs, allocator);
    cn_array_init(&obj.colors, allocator);
    cn_array_init(&obj.corners, allocator);
    cn_array_init(&obj.faces, allocator);
    cn_array_init(&obj.meshes, allocator);
    cn_hash_map_init_keyed(&obj.mesh_of, allocator, sizeof(uint32_t));
    cn_hash_map_init_keyed(&obj.materials.by_name, allocator, sizeof(uint32_t));
    bool ok = select_mesh(&obj) && read_lines(&obj) && cni_render_obj_add_meshes(&obj) &&
              drop_materials(&obj);
    cn_hash_map_fini(&obj.materials.by_name);
    cn_hash_map_fini(&obj.mesh_of);
    cn_array_fini(&obj.meshes);
    cn_array_fini(&obj.faces);
    cn_array_fini(&obj.corners);
    cn_array_fini(&obj.colors);
    cn_array_fini(&obj.uvs);
    cn_array_fini(&obj.normals);
    cn_array_fini(&obj.positions);
    return ok;
}
