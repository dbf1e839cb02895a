/* Maps tile names to painters. */
#include "paint_creatures.h"
#include "paint_font.h"
#include "paint_items.h"
#include "painter.h"

#include <string.h>

const PaintMaterial *find_material(const PaintMaterial *list, const char *name, size_t length)
{
    for (; list->name; list++)
        if (strlen(list->name) == length && !memcmp(list->name, name, length))
            return list;
    return NULL;
}

/* Returns the material between the two ends of the name, if it is in the list. */
static const PaintMaterial *material_between(const PaintMaterial *list, const char *name,
                                             const char *before, const char *after)
{
    size_t length = strlen(name), head = strlen(before), tail = strlen(after);
    if (length <= head + tail || memcmp(name, before, head) != 0 ||
        memcmp(name + length - tail, after, tail) != 0)
        return NULL;
    return find_material(list, name + head, length - head - tail);
}

static bool paint_shape(Canvas *c, const char *name, const PaintMaterial *list,
                        const PaintShape *shapes)
{
    for (; shapes->after; shapes++) {
        const PaintMaterial *material = material_between(list, name, shapes->before, shapes->after);
        if (material) {
            shapes->paint(c, material);
            return true;
        }
    }
    return false;
}

/* "coal_ore" is in stone, "granite_coal_ore" in granite. */
static bool paint_ore_name(Canvas *c, const char *name)
{
    const PaintMaterial *stone = find_material(paint_stones, "stone", 5);
    const PaintMaterial *ore = material_between(paint_ores, name, "", "_ore");
    for (const char *const *host = paint_ore_hosts; !ore && *host; host++) {
        size_t length = strlen(*host);
        if (strncmp(name, *host, length) != 0 || name[length] != '_')
            continue;
        stone = find_material(paint_stones, *host, length);
        ore = material_between(paint_ores, name + length + 1, "", "_ore");
    }
    if (ore)
        paint_ore(c, ore, stone);
    return ore != NULL;
}

bool paint_by_name(Canvas *c, const char *name)
{
    if (strncmp(name, "item_", 5) == 0)
        return paint_item(c, name + 5);
    if (strncmp(name, "skin_", 5) == 0)
        return paint_creature(c, name + 5);
    if (strncmp(name, "text_", 5) == 0)
        return paint_text(c, name + 5);
    for (const PaintSingle *single = paint_singles; single->name; single++)
        if (!strcmp(single->name, name)) {
            single->paint(c, single);
            return true;
        }
    return paint_shape(c, name, paint_woods, wood_shapes) ||
           paint_shape(c, name, paint_stones, stone_shapes) ||
           paint_shape(c, name, paint_colors, color_shapes) ||
           paint_shape(c, name, paint_metals, metal_shapes) ||
           paint_shape(c, name, paint_gems, gem_shapes) || paint_ore_name(c, name) ||
           paint_shape(c, name, paint_woods, door_shapes) ||
           paint_shape(c, name, paint_metals, metal_door_shapes) ||
           paint_shape(c, name, paint_colors, bed_shapes);
}
