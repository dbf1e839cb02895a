/*
 * 13: falling boxes.
 *
 * An object with a rigid body falls, slides and comes to rest; physics updates its transform.
 * Bodies at rest fall asleep and cost nothing. The same start yields the same bits with any number
 * of threads: the sample runs the simulation twice and compares.
 *
 * The floor and the ramps are in scenes/boxes/main.json; the boxes are a prefab. out/boxes.png
 * shows the result from a camera. Run it in the folder that contains scenes/.
 */
#include "image.h"

#include <cairn/physics.h>
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/vfs.h>

enum { BOXES = 240, MAX_TICKS = 6000, WIDTH = 1280, HEIGHT = 720 };

/* ---- The boxes ---- */

static bool drop_boxes(CnWorld *world, CnFileSystem *files, CnError *error)
{
    for (int i = 0; i < BOXES; i++) {
        CnEntity box = cn_prefab_spawn(world, files, "assets://box.json", CN_NO_PARENT, error);
        if (!box.id)
            return false;
        CnTransform *transform = cn_get_mut(world, box, CnTransform);
        transform->position = cn_vec3((float)(i % 10) * 1.7f - 8 + (float)(i % 7) * 0.11f,
                                      10 + (float)(i / 20) * 1.1f, (float)(i / 10 % 2) * 2.2f - 1);
        transform->rotation = cn_quat_from_euler(cn_vec3((float)i * 11, (float)i * 7, 0));
    }
    return true;
}

static uint32_t count_asleep(CnWorld *world)
{
    uint32_t count = 0;
    CnChunkView view;
    CnQuery *boxes = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(CnBodyState), cn_tag(CnPrefabSource)}}, NULL);
    for (CnQueryIter it = cn_query_iter(boxes); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            count += cn_body_is_asleep(world, view.entities[i]);
    cn_query_release(boxes);
    return count;
}

static bool run_until_still(CnScene *scene, CnScenes *scenes, CnError *error)
{
    while (count_asleep(cn_scene_world(scene)) < BOXES &&
           cn_sim_tick(cn_scene_sim(scene)) < MAX_TICKS)
        if (!cn_scenes_tick_n(scenes, 100, error))
            return false;
    return true;
}

/* ---- The image ---- */

static ImageColor shade(CnVec3 normal, const float color[3])
{
    float light = cn_vec3_dot(normal, cn_vec3_normalize(cn_vec3(0.35f, 0.8f, 0.5f)));
    float bright = 0.42f + (light > 0 ? 0.58f * light : 0.18f * light);
    return (ImageColor){(uint8_t)(255 * color[0] * bright), (uint8_t)(255 * color[1] * bright),
                        (uint8_t)(255 * color[2] * bright)};
}

/* Draws the side of a box along an axis, 0 to 2, in one of both directions. */
static void draw_side(Image *image, CnWorld *world, CnEntity box, CnVec3 half, int axis,
                      float direction, const float color[3])
{
    static const float ring[4][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
    CnAffine place = cn_transform_world_affine(world, box);
    CnEntity camera = cn_camera_find(world);
    CnVec3 corners[4], normal = {0, 0, 0};
    (&normal.x)[axis] = direction;
    for (int i = 0; i < 4; i++) {
        CnVec3 corner;
        (&corner.x)[axis] = direction;
        (&corner.x)[(axis + 1) % 3] = ring[i][0];
        (&corner.x)[(axis + 2) % 3] = ring[i][1] * direction;
        if (!cn_camera_project(world, camera, cn_affine_point(&place, cn_vec3_mul(corner, half)),
                               &corners[i]))
            return;
    }
    image_quad(image, corners,
               shade(cn_vec3_normalize(cn_affine_direction(&place, normal)), color));
}

static CnVec3 on_ball(float radius, int turn, int height)
{
    float around = (float)turn * 0.2617994f, up = (float)height * 0.2617994f - 1.5707963f;
    return cn_vec3(radius * cn_cosf(up) * cn_cosf(around), radius * cn_sinf(up),
                   -radius * cn_cosf(up) * cn_sinf(around));
}

/* Draws 24 by 12 patches, striped to make the rotation visible. */
static void draw_ball(Image *image, CnWorld *world, CnEntity ball, float radius)
{
    static const float stripes[2][3] = {{0.92f, 0.92f, 0.88f}, {0.80f, 0.22f, 0.20f}};
    CnAffine place = cn_transform_world_affine(world, ball);
    CnEntity camera = cn_camera_find(world);
    for (int patch = 0; patch < 24 * 12; patch++) {
        int turn = patch % 24, height = patch / 24;
        CnVec3 corners[4] = {on_ball(radius, turn, height), on_ball(radius, turn, height + 1),
                             on_ball(radius, turn + 1, height + 1),
                             on_ball(radius, turn + 1, height)};
        CnVec3 normal =
            cn_vec3_normalize(cn_affine_direction(&place, cn_vec3_add(corners[0], corners[2])));
        bool seen = true;
        for (int i = 0; i < 4; i++)
            seen &=
                cn_camera_project(world, camera, cn_affine_point(&place, corners[i]), &corners[i]);
        if (seen)
            image_quad(image, corners, shade(normal, stripes[turn / 4 % 2]));
    }
}

static void draw_body(Image *image, CnWorld *world, CnEntity entity)
{
    static const float stone[3] = {0.66f, 0.68f, 0.72f};
    static const float colors[5][3] = {{0.93f, 0.42f, 0.29f},
                                       {0.97f, 0.72f, 0.31f},
                                       {0.45f, 0.70f, 0.42f},
                                       {0.30f, 0.60f, 0.74f},
                                       {0.62f, 0.44f, 0.68f}};
    const CnRigidbody *body = cn_get(world, entity, CnRigidbody);
    const CnMeshRenderer *look = cn_get(world, entity, CnMeshRenderer);
    if (look && !look->visible)
        return;
    if (body->shape == CN_SHAPE_SPHERE) {
        draw_ball(image, world, entity, body->radius);
        return;
    }
    const float *color =
        body->kind == CN_BODY_STATIC ? stone : colors[cn_entity_index(entity) * 7 % 5];
    for (int axis = 0; axis < 3; axis++)
        for (float direction = -1; direction <= 1; direction += 2)
            draw_side(image, world, entity, body->half_extents, axis, direction, color);
}

static bool draw(CnWorld *world)
{
    CnEntity eye = cn_object(world, "Eye");
    CnTransform *transform = cn_get_mut(world, eye, CnTransform);
    transform->position = cn_vec3(0, 9, 27);
    transform->rotation = cn_quat_from_euler(cn_vec3(-13, 0, 0));
    cn_add(world, eye, CnCamera);
    cn_camera_set_perspective(world, eye, 38, 1, 100);
    cn_camera_set_aspect(world, eye, (float)WIDTH / HEIGHT);
    cn_camera_set_active(world, eye);
    Image image;
    bool done = image_init(&image, WIDTH, HEIGHT);
    CnQuery *bodies = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnRigidbody)}}, NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(bodies); done && cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            draw_body(&image, world, view.entities[i]);
    cn_query_release(bodies);
    done = done && image_write(&image, "out/boxes.png");
    image_fini(&image);
    return done;
}

/* ---- One run ---- */

static bool fall(CnVfs *vfs, CnJobPool *jobs, bool draws, uint64_t *hash, CnError *error)
{
    CnFileSystem *files = cn_vfs_files(vfs);
    const CnScriptDesc scripts = {.files = files};
    const CnPlugin plugins[] = {cn_physics_plugin(NULL), cn_script_plugin(&scripts)};
    CnScenes *scenes = cn_scenes_create(
        &(CnScenesDesc){.jobs = jobs, .plugins = plugins, .plugin_count = 2}, error);
    CnScene *scene = scenes ? cn_scene_load(scenes, files, "project://main.json", error) : NULL;
    CnWorld *world = scene ? cn_scene_world(scene) : NULL;
    bool done = scene && drop_boxes(world, files, error) && run_until_still(scene, scenes, error);
    if (done) {
        *hash = cn_sim_hash(cn_scene_sim(scene));
        printf("%d boxes fell, with %u threads; %u of them sleep\n", BOXES,
               jobs ? cn_job_pool_workers(jobs) + 1 : 1, count_asleep(world));
    }
    if (done && draws)
        done = draw(world);
    cn_scenes_destroy(scenes);
    return done;
}

int main(void)
{
    CnError error = {0};
    uint64_t first = 0, second = 1;
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    CnJobPool *jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    bool done = vfs && jobs &&
                cn_vfs_mount(vfs, "project", "scenes/boxes", CN_MOUNT_READ, &error) &&
                cn_vfs_mount(vfs, "assets", "scenes/boxes/assets", CN_MOUNT_READ, &error) &&
                cn_vfs_mount(vfs, "scripts", "scenes/boxes/scripts", CN_MOUNT_READ, &error) &&
                fall(vfs, NULL, false, &first, &error) && fall(vfs, jobs, true, &second, &error);
    if (done)
        printf("both runs are identical: %s\nimage: out/boxes.png\n",
               first == second ? "yes" : "no");
    else
        fprintf(stderr, "13_falling_boxes: %s\n", error.message);
    cn_job_pool_destroy(jobs);
    cn_vfs_destroy(vfs);
    return done ? 0 : 1;
}
