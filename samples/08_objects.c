/*
 * 08: objects.
 *
 * An object is an entity with a name and a transform. Custom components, queries and systems work
 * with it as with any entity. Its transform is a plain component that any code may write; the world
 * transform is computed when it is read. A uid identifies the object in files.
 *
 * A disabled object still exists, but has the tag CnInactive, so that systems can skip it.
 */
#include <cairn/scene.h>

#include <inttypes.h>
#include <stdio.h>

CN_COMPONENT(Lamp, (f32, watts));

static int rounded(float number)
{
    return (int)(number < 0 ? number - 0.5f : number + 0.5f);
}

static void show(CnWorld *world, CnEntity object)
{
    CnVec3 at = cn_transform_world_position(world, object);
    CnVec3 turned = cn_quat_to_euler(cn_transform_world_rotation(world, object));
    printf("%s (uid %" PRIu64 ", %s) at (%g, %g, %g), turned by (%d, %d, %d) degrees\n",
           cn_object_name(world, object), cn_object_uid(world, object),
           cn_object_is_active(world, object) ? "active" : "inactive", (double)at.x, (double)at.y,
           (double)at.z, rounded(turned.x), rounded(turned.y), rounded(turned.z));
}

int main(void)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    cn_scene_add(world, NULL); /* objects, transforms, cameras and so on */

    CnEntity lamp = cn_object(world, "Lamp");
    show(world, lamp);

    CnTransform *transform = cn_get_mut(world, lamp, CnTransform);
    transform->position = cn_vec3(0, 2, 0);
    transform->rotation = cn_quat_from_euler(cn_vec3(30, 45, 0)); /* degrees */
    show(world, lamp);

    cn_set(world, lamp, Lamp, {.watts = 40}); /* any component, at any time */
    CnEntity found = cn_object_find(world, "Lamp");
    printf("found by name: %g watts\n", (double)cn_get(world, found, Lamp)->watts);

    cn_object_set_enabled(world, lamp, false);
    show(world, lamp);

    CnError error = {0};
    if (!cn_object_rename(world, lamp, "No/Name", &error))
        printf("refused: %s\n", error.message);
    cn_world_destroy(world);
}
