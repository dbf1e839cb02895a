/*
 * Collision meshes as text: the geometric part of Wavefront's OBJ format.
 *
 *     v 0 0 0              a vertex: three numbers
 *     f 1 2 3              a face: vertices by number, from 1, or from the last as -1, -2, ...;
 *     f 1/1/1 2/2/1 3//1   text after a slash is ignored; four or more vertices form a fan
 *
 * '#' begins a comment. Lines that begin with vt, vn, vp, o, g, s, l, usemtl or mtllib are ignored;
 * any other line is an error. Triangles without an area are omitted.
 */
#ifndef CAIRN_SRC_PHYSICS_COLLISION_MESH_FILE_H
#define CAIRN_SRC_PHYSICS_COLLISION_MESH_FILE_H

#include <cairn/base/error.h>
#include <cairn/base/text.h>

#define CNI_PHYSICS_MESH_MAX_CORNERS (1u << 20)
#define CNI_PHYSICS_MESH_MAX_TRIANGLES (1u << 20)
#define CNI_PHYSICS_MESH_MAX_COORDINATE 1e5

typedef struct CniPhysicsTriangles {
    CnF32Array corners; /* three numbers per vertex */
    CnU32Array indices; /* three vertices per triangle */
} CniPhysicsTriangles;

void cni_physics_triangles_init(CniPhysicsTriangles *triangles, CnAllocator *allocator);
void cni_physics_triangles_fini(CniPhysicsTriangles *triangles);
/* `path` is used in errors. After an error, `triangles` holds what was read before it. */
bool cni_physics_mesh_parse(CniPhysicsTriangles *triangles, const char *path, CnText text,
                            CnError *error);

#endif
