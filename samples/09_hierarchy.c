/*
 * 09: a tree of objects.
 *
 * The transform of a child is relative to its parent. No code needs to be notified when a parent
 * turns, a child moves or a child gets another parent: reading a world transform compares a few
 * version numbers up the tree and computes only what changed.
 */
#include <cairn/scene.h>

#include <stdio.h>

static void show(CnWorld *world, CnEntity object)
{
    char path[CN_OBJECT_PATH_BYTES];
    cn_object_path(world, object, path, sizeof path);
    CnVec3 local = cn_get(world, object, CnTransform)->position;
    CnVec3 at = cn_transform_world_position(world, object);
    printf("  %-20s (%5.1f, %5.1f) in its parent, (%5.1f, %5.1f) in the world\n", path,
           (double)local.x, (double)local.z, (double)at.x + 0.0, (double)at.z + 0.0);
}

static CnEntity put(CnWorld *world, const char *name, CnEntity parent, float x)
{
    CnEntity object = cn_object(world, name, .parent = parent);
    cn_get_mut(world, object, CnTransform)->position.x = x;
    return object;
}

int main(void)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    CnError error = {0};
    cn_scene_add(world, NULL);

    CnEntity sun = put(world, "Sun", CN_NO_PARENT, 0);
    CnEntity earth = put(world, "Earth", sun, 10);
    CnEntity moon = put(world, "Moon", earth, 2);
    puts("in a row");
    show(world, moon);

    puts("a quarter of a year later");
    cn_get_mut(world, sun, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(0, 90, 0));
    show(world, earth);
    show(world, moon);

    puts("the moon leaves the earth and keeps its position in the world");
    cn_object_set_parent(world, moon, CN_NO_PARENT, CN_REPARENT_KEEP_WORLD, NULL);
    show(world, moon);

    puts("the moon joins the sun and keeps its local position");
    cn_get_mut(world, moon, CnTransform)->position = cn_vec3(4, 0, 0);
    cn_object_set_parent(world, moon, sun, CN_REPARENT_KEEP_LOCAL, NULL);
    show(world, moon);

    puts("a copy of the whole tree");
    CnEntity other = cn_object_clone(world, sun, CN_NO_PARENT, NULL);
    cn_object_rename(world, other, "Other", NULL);
    cn_get_mut(world, other, CnTransform)->position.x = 100;
    show(world, cn_object_find(world, "Other/Earth"));

    if (!cn_object_set_parent(world, sun, earth, CN_REPARENT_KEEP_LOCAL, &error))
        printf("refused: %s\n", error.message);

    cn_destroy(world, sun); /* with its subtree */
    printf("%u objects are left, %s\n", cn_entity_count(world),
           cn_is_alive(world, earth) ? "the earth too" : "without the earth");
    cn_world_destroy(world);
}
