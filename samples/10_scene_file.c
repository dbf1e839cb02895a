/*
 * 10: a scene from a file.
 *
 * Scenes are JSON: nodes with components and children. Files are addressed by virtual paths, which
 * lead only into mounted folders and archives. Invalid files are refused with file, line and
 * column, and the world stays unchanged. Writing and reading a scene reproduces it exactly.
 *
 * Run it in the folder that contains scenes/.
 */
#include <cairn/scene.h>
#include <cairn/vfs.h>

#include <stdio.h>

static int fail(const CnError *error)
{
    char text[512];
    fprintf(stderr, "10_scene_file: %s\n", cn_error_text(error, text, sizeof text));
    return 1;
}

static void show_tree(CnWorld *world, CnEntity object)
{
    CnVec3 at = cn_transform_world_position(world, object);
    const CnPrefabSource *source = cn_get(world, object, CnPrefabSource);
    printf("%*s%s at (%.2f, %.2f, %.2f)%s%s%s%s\n", 2 + 2 * (int)cn_depth(world, object), "",
           cn_object_name(world, object), (double)at.x + 0.0, (double)at.y + 0.0,
           (double)at.z + 0.0, cn_has(world, object, CnCamera) ? ", a camera" : "",
           cn_has(world, object, CnLight) ? ", a light" : "", source ? ", from " : "",
           source ? source->path : "");
    CnEntity child = cn_first_child(world, object);
    for (; child.id; child = cn_next_sibling(world, child))
        show_tree(world, child);
}

/* Writes the world, reads the result into another one, and writes that again. */
static bool survives(CnWorld *world, const CnSceneFile *scene, CnFileSystem *files, CnError *error)
{
    CnTextBuilder first, second;
    cn_array_init(&first, NULL);
    cn_array_init(&second, NULL);
    CnWorld *other = cn_world_create(NULL, error);
    CnSceneFile again = {0};
    bool done =
        cn_scene_write_text(world, &first, scene, error) && cn_scene_add(other, error) &&
        cn_scene_read_text(other, files, "again.json", cn_text(first.items), &again, error) &&
        cn_scene_write_text(other, &second, &again, error);
    if (done)
        printf("written, read and written again: %s\n",
               cn_text_equal(cn_text(first.items), cn_text(second.items)) ? "identical"
                                                                          : "different");
    cn_scene_file_free(&again);
    cn_world_destroy(other);
    cn_array_fini(&first);
    cn_array_fini(&second);
    return done;
}

static void show_refusal(CnWorld *world)
{
    static const char text[] =
        "{\"id\": \"Bad\", \"nodes\": [\n"
        "  {\"id\": \"Box\"},\n"
        "  {\"id\": \"Lamp\", \"components\": [{\"type\": \"LightComponent\",\n"
        "    \"intensity\": \"bright\"}]}]}";
    CnError error = {0};
    uint32_t before = cn_entity_count(world);
    if (!cn_scene_read_text(world, NULL, "bad.json", cn_text(text), NULL, &error))
        printf("refused: %s:%d:%d: %s; %u objects before and after\n", error.file, error.line,
               error.column, error.message, before == cn_entity_count(world) ? before : UINT32_MAX);
}

static bool run(CnVfs *vfs, CnWorld *world, CnError *error)
{
    CnFileSystem *files = cn_vfs_files(vfs);
    CnSceneFile scene;
    if (!cn_vfs_mount(vfs, "project", "scenes/rooms", CN_MOUNT_READ, error) ||
        !cn_vfs_mount(vfs, "assets", "scenes/rooms/assets", CN_MOUNT_READ, error) ||
        !cn_scene_add(world, error) ||
        !cn_scene_read(world, files, "project://main.json", &scene, error))
        return false;
    printf("scene %s, camera %s\n", scene.id, cn_object_name(world, cn_camera_find(world)));
    CnEntity roots[16];
    uint32_t count = cn_object_roots(world, roots, 16);
    for (uint32_t i = 0; i < count; i++)
        show_tree(world, roots[i]);
    bool done = survives(world, &scene, files, error);
    show_refusal(world);
    cn_scene_file_free(&scene);
    return done;
}

int main(void)
{
    CnError error = {0};
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    CnWorld *world = cn_world_create(NULL, NULL);
    int status = vfs && world && run(vfs, world, &error) ? 0 : fail(&error);
    cn_world_destroy(world);
    cn_vfs_destroy(vfs);
    return status;
}
