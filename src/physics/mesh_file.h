/*
 * Meshes for collision, as text: the part of Wavefront's OBJ that has shape.
 *
 *     v 0 0 0              a corner: three numbers
 *     f 1 2 3              a face: corners by number, from 1, or from the last one as -1, -2, ...;
 *     f 1/1/1 2/2/1 3//1   what follows a slash is not read; four and more make a fan
 *
 * '#' begins a comment. Lines that begin with vt, vn, vp, o, g, s, l, usemtl or mtllib are passed over;
 * any other is an error. Triangles without an area are left out.
 */
#ifndef CAIRN_SRC_PHYSICS_MESH_FILE_H
#define CAIRN_SRC_PHYSICS_MESH_FILE_H

#include <cairn/base/error.h>
#include <cairn/base/text.h>

#define CNI_MESH_MAX_CORNERS (1u << 20)
#define CNI_MESH_MAX_TRIANGLES (1u << 20)
#define CNI_MESH_MAX_COORDINATE 1e5

typedef struct CniTriangles {
    CnF32Array corners; /* three numbers each */
    CnU32Array indices; /* three corners each */
} CniTriangles;

void cni_triangles_init(CniTriangles *triangles, CnAllocator *allocator);
void cni_triangles_fini(CniTriangles *triangles);
/* `path` is for errors. What was read before an error is left in `triangles`. */
bool cni_mesh_parse(CniTriangles *triangles, const char *path, CnText text, CnError *error);

#endif
