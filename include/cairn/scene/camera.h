/*
 * Cameras.
 *
 *     CnEntity eye = cn_object_create(world, "Eye", CN_NO_PARENT);
 *     cn_add(world, eye, CnCamera);                                  // perspective, 60 degrees
 *     cn_camera_set_perspective(world, eye, 75, 0.1f, 500);
 *     CnRay ray = cn_camera_ray(world, eye, mouse_x / width, mouse_y / height);
 *
 * Cameras look along -z. The view is the inverse of the object's world matrix. The projection is
 * computed when the component is set (a hook), and again when a look finds that a field was written
 * or the window has another size: nobody has to say so. Values that make no projection give identity
 * matrices, never a NaN.
 *
 * The first camera of a world becomes the active one.
 *
 * A look keeps what it computes in CnCameras: systems that call these functions, or set cameras,
 * declare CN_CAMERA_ACCESS.
 */
#ifndef CAIRN_SCENE_CAMERA_H
#define CAIRN_SCENE_CAMERA_H

#include <cairn/scene/object.h>
#include <cairn/sim/input.h>
#include <cairn/sim/loop.h>

CN_EXTERN_C_BEGIN

typedef enum CnProjection { CN_PERSPECTIVE, CN_ORTHOGRAPHIC } CnProjection;

/*
 * view                   a CnProjection
 * fov                    perspective: degrees from bottom to top
 * height                 orthographic: world units from bottom to top
 * near_plane, far_plane  distances
 * aspect                 width over height; 0: that of the window (CnWindowSize), 16:9 without one. The window is
 *                        no part of the state: a system of a tick that uses the matrices of a camera gives it
 *                        an aspect of its own
 *
 * Of a new one: perspective, 60 degrees, height 10, from 0.1 to 1000, aspect of the window.
 */
CN_COMPONENT(CnCamera, (u8, view), (f32, fov), (f32, height), (f32, near_plane), (f32, far_plane),
             (f32, aspect));
#define CN_CAMERA_MIN_FOV 0.01f
#define CN_CAMERA_MAX_FOV 179.0f

/* A resource, part of the state. */
CN_COMPONENT(CnActiveCamera, (entity, camera));

/* Matrices, and what they were made from. */
typedef struct CnCameraMatrices {
    CnEntity entity;
    CnCamera baked;
    float aspect; /* never 0 */
    uint32_t world_version;
    bool valid; /* false: identity matrices */
    CnMat4 projection, view, view_projection;
} CnCameraMatrices;

/* A transient resource: the matrices of cameras that were looked at, each at a place of its own. */
#define CN_CAMERA_PLACES 16u
typedef struct CnCameras {
    CnCameraMatrices places[CN_CAMERA_PLACES]; /* by index of the entity */
    CnQuery *active;                           /* objects with cameras */
} CnCameras;
CN_OPAQUE(CnCameras);

#define CN_CAMERA_ACCESS                                                                           \
    CN_WORLD_TRANSFORM_ACCESS, cn_reads(CnObject), cn_reads(CnCamera), cn_reads(CnActiveCamera),   \
        cn_reads(CnWindowSize), cn_writes(CnCameras)

typedef struct CnRay {
    CnVec3 origin, direction; /* of length 1 */
} CnRay;

/* a x + b y + c z + d >= 0 inside. */
typedef struct CnFrustum {
    CnVec4 planes[6]; /* left, right, bottom, top, near, far; normals of length 1, inwards */
} CnFrustum;

/* Components, hooks, resources and how they are shown; calling it again is harmless. */
CN_API bool cn_camera_add(CnWorld *world, CnError *error);

/* Whether there is a projection: fov from CN_CAMERA_MIN_FOV to CN_CAMERA_MAX_FOV, near > 0 for
 * perspective, far > near, height > 0, aspect >= 0, all of them finite. */
CN_API bool cn_camera_valid(const CnCamera *camera, CnError *error);
/* By field; false and no change without a camera or for values that make none. */
CN_API bool cn_camera_set_perspective(CnWorld *world, CnEntity camera, float fov, float near_plane,
                                      float far_plane);
CN_API bool cn_camera_set_orthographic(CnWorld *world, CnEntity camera, float height,
                                       float near_plane, float far_plane);
CN_API bool cn_camera_set_aspect(CnWorld *world, CnEntity camera, float aspect);

/* Up to date; identity matrices without a camera, with one that is not valid, and where the world
 * matrix has no inverse. */
CN_API CnCameraMatrices cn_camera_matrices(CnWorld *world, CnEntity camera);
/* x and y from 0 to 1, left to right and top to bottom. From the near plane, also orthographic.
 * Without a camera: from the origin along -z. */
CN_API CnRay cn_camera_ray(CnWorld *world, CnEntity camera, float x, float y);
/* Where a point of the world is on the screen, as above, and its depth: 0 at the near plane, 1 at
 * the far plane, more beyond. False for what is before the near plane. */
CN_API bool cn_camera_project(CnWorld *world, CnEntity camera, CnVec3 point, CnVec3 *screen);

/* From the camera's numbers, not from the matrix, in which a far plane hardly shows. */
CN_API CnFrustum cn_camera_frustum(CnWorld *world, CnEntity camera);
CN_API CnFrustum cn_frustum_from_matrix(const CnMat4 *view_projection);
/* False only for what is outside. A few that are outside near a corner count as inside. */
CN_API bool cn_frustum_sphere(const CnFrustum *frustum, CnVec3 centre, float radius);
CN_API bool cn_frustum_box(const CnFrustum *frustum, CnVec3 minimum, CnVec3 maximum);

/* False for what has no camera. A system that does it declares cn_writes(CnActiveCamera). */
CN_API bool cn_camera_set_active(CnWorld *world, CnEntity camera);
/* Null when there is none, or it is gone. */
CN_API CnEntity cn_camera_active(const CnWorld *world);
/* The active one if its object is active too, or else the first active object with a camera, in
 * the order of cn_objects_with; null when there is none. */
CN_API CnEntity cn_find_camera(CnWorld *world);

CN_EXTERN_C_END

#endif
