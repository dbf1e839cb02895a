/*
 * Cameras.
 *
 *     CnRay click_ray(CnWorld *world, float mouse_x, float mouse_y, float width, float height)
 *     {
 *         CnEntity camera = cn_object(world, "Camera");
 *         cn_add(world, camera, CnCamera);                           // perspective, 60 degrees
 *         cn_camera_set_perspective(world, camera, 75, 0.1f, 500);
 *         return cn_camera_ray(world, camera, mouse_x / width, mouse_y / height);
 *     }
 *
 * Cameras look along -z. The view matrix is the inverse of the object's world matrix. The
 * projection is computed when the component is set (by a hook), and again when one of the functions
 * below finds that a field or the window size has changed; no notification is necessary. Values
 * that do not define a projection yield identity matrices, never NaN.
 *
 * The first camera of a world becomes the active one.
 *
 * The functions below cache their results in CnCameras: systems that call them, or set cameras,
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
 * projection             a CnProjection
 * fov                    perspective: vertical field of view in degrees
 * height                 orthographic: world units from bottom to top
 * near_plane, far_plane  distances
 * aspect                 width over height; 0: that of the window (CnWindowSize), or 16:9 without a
 *                        window. The window is not part of the state: a camera whose matrices are
 *                        used in a tick must have its own aspect.
 *
 * Defaults: perspective, fov 60, height 10, planes at 0.1 and 1000, aspect 0.
 */
CN_COMPONENT(CnCamera, (u8, projection), (f32, fov), (f32, height), (f32, near_plane),
             (f32, far_plane), (f32, aspect));
#define CN_CAMERA_MIN_FOV 0.01f
#define CN_CAMERA_MAX_FOV 179.0f

/* A resource; part of the state. */
CN_COMPONENT(CnActiveCamera, (entity, camera));

/* Cached matrices and the values from which they were computed. */
typedef struct CnCameraMatrices {
    CnEntity entity;
    CnCamera baked;
    float aspect; /* never 0 */
    uint32_t world_version;
    bool valid; /* false: identity matrices */
    CnMat4 projection, view, view_projection;
} CnCameraMatrices;

/* A transient resource: the cached matrices of cameras that were used, one slot each. */
#define CN_CAMERA_CACHE_SLOTS 16u
typedef struct CnCameras {
    CnCameraMatrices matrices[CN_CAMERA_CACHE_SLOTS]; /* by index of the entity */
    CnQuery *active;                                  /* objects with cameras */
} CnCameras;
CN_OPAQUE(CnCameras);

#define CN_CAMERA_ACCESS                                                                           \
    CN_WORLD_TRANSFORM_ACCESS, cn_reads(CnObject), cn_reads(CnCamera), cn_reads(CnActiveCamera),   \
        cn_reads(CnWindowSize), cn_writes(CnCameras)

typedef struct CnRay {
    CnVec3 origin, direction; /* the direction has length 1 */
} CnRay;

/* A point is inside when a x + b y + c z + d >= 0 for every plane. */
typedef struct CnFrustum {
    CnVec4 planes[6]; /* left, right, bottom, top, near, far; unit normals, pointing inwards */
} CnFrustum;

/* Adds the components, their hooks, resources and reflection. Calling it again has no effect. */
CN_API bool cn_camera_add(CnWorld *world, CnError *error);

/* Returns whether the values define a projection: fov from CN_CAMERA_MIN_FOV to
 * CN_CAMERA_MAX_FOV, near > 0 for perspective, far > near, height > 0, aspect >= 0, all finite. */
CN_API bool cn_camera_valid(const CnCamera *camera, CnError *error);
/* Set the fields of a camera. Return false, and change nothing, if the object has no camera or
 * the values do not define a projection. */
CN_API bool cn_camera_set_perspective(CnWorld *world, CnEntity camera, float fov, float near_plane,
                                      float far_plane);
CN_API bool cn_camera_set_orthographic(CnWorld *world, CnEntity camera, float height,
                                       float near_plane, float far_plane);
CN_API bool cn_camera_set_aspect(CnWorld *world, CnEntity camera, float aspect);

/* Returns up-to-date matrices; identity matrices if there is no camera, the camera is not valid,
 * or the world matrix has no inverse. */
CN_API CnCameraMatrices cn_camera_matrices(CnWorld *world, CnEntity camera);
/* Returns the ray through a point on the screen; x and y run from 0 to 1, left to right and top
 * to bottom. The ray starts at the near plane, also for orthographic cameras. Without a camera,
 * it starts at the origin and points along -z. */
CN_API CnRay cn_camera_ray(CnWorld *world, CnEntity camera, float x, float y);
/* Projects a point of the world to the screen: x and y as above, z is the depth: 0 at the near
 * plane, 1 at the far plane, greater beyond it. Returns false for points in front of the near
 * plane. */
CN_API bool cn_camera_project(CnWorld *world, CnEntity camera, CnVec3 point, CnVec3 *screen);

/* Computes the frustum from the camera's fields, not from the matrix, in which the far plane has
 * little precision. */
CN_API CnFrustum cn_camera_frustum(CnWorld *world, CnEntity camera);
/* Extracts the planes from a matrix. */
CN_API CnFrustum cn_frustum_from_matrix(const CnMat4 *view_projection);
/* Return false only if the volume is outside. Some volumes outside, near a corner, count as
 * inside. */
CN_API bool cn_frustum_intersects_sphere(const CnFrustum *frustum, CnVec3 center, float radius);
CN_API bool cn_frustum_intersects_box(const CnFrustum *frustum, CnVec3 minimum, CnVec3 maximum);

/* Returns false if the object has no camera. Systems that call it declare
 * cn_writes(CnActiveCamera). */
CN_API bool cn_camera_set_active(CnWorld *world, CnEntity camera);
/* Returns the active camera; null if there is none or it no longer exists. */
CN_API CnEntity cn_camera_active(const CnWorld *world);
/* Returns the active camera if its object is active; otherwise the first active object with a
 * camera, in the order of cn_objects_with; null when there is none. */
CN_API CnEntity cn_camera_find(CnWorld *world);

CN_EXTERN_C_END

#endif
