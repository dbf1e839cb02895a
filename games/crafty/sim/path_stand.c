/*
 * Where a body can be. A body is in the middle of its cell, or of two or three cells beside each
 * other if it is wider. Heights are in sixteenths of a block, as in the shapes of blocks.
 */
#include "path_internal.h"

#include <cairn/base/math.h>

#define UNITS CRAFTY_PATH_UNITS

/* The part of a cell that the body covers, in units; both ends are of the whole cells except at the
 * edges of the body. */
typedef struct Footprint {
    int32_t low, high;   /* cells from the own one, inclusive */
    int32_t first, last; /* units from the corner of the own cell */
} Footprint;

static Footprint footprint_of(const CraftyPathBody *body)
{
    int32_t width = (int32_t)cn_ceilf(body->width * UNITS);
    int32_t cells = (width + UNITS - 1) / UNITS;
    cells = cells < 1 ? 1 : cells > 3 ? 3 : cells;
    Footprint print = {.low = -(cells - 1) / 2, .high = cells / 2};
    int32_t middle = (print.low + print.high + 1) * UNITS / 2;
    print.first = middle - width / 2;
    print.last = middle + (width + 1) / 2;
    return print;
}

float crafty_path_middle(float width)
{
    Footprint print = footprint_of(&(CraftyPathBody){.width = width});
    return (float)(print.low + print.high + 1) / 2;
}

/* The range of heights that a block occupies below the footprint; empty: low == high. */
typedef struct Extent {
    int32_t low, high;
} Extent;

static bool overlaps(const CnBlockBox *box, int axis, int32_t offset, const Footprint *print)
{
    return box->low[axis] + offset < print->last && box->high[axis] + offset > print->first;
}

static Extent extent_of(const CraftyPathWorld *world, CnBlock block, uint8_t traits, int32_t dx,
                        int32_t dz, const Footprint *print)
{
    if (traits & (CRAFTY_PATH_SOLID | CRAFTY_PATH_DOOR)) /* a door closes its whole cell */
        return (Extent){0, UNITS};
    if (!(traits & CRAFTY_PATH_SHAPED))
        return (Extent){0, 0};
    const CnBlockShape *shape = cn_block_shape(world->blocks.blocks, block);
    Extent extent = {UNITS, 0};
    for (uint32_t i = 0; shape && i < shape->count; i++) {
        const CnBlockBox *box = &shape->boxes[i];
        if (!overlaps(box, 0, dx * UNITS, print) || !overlaps(box, 2, dz * UNITS, print))
            continue;
        extent.low = box->low[1] < extent.low ? box->low[1] : extent.low;
        extent.high = box->high[1] > extent.high ? box->high[1] : extent.high;
    }
    return extent.high > extent.low ? extent : (Extent){0, 0};
}

static CnBlock block_at(const CraftyPathWorld *world, CnCell cell)
{
    return world->blocks.get(world->blocks.user, cell);
}

static bool opens(const CraftyPathBody *body, uint8_t traits)
{
    return body->opens_doors && (traits & CRAFTY_PATH_DOOR);
}

/* What is in one layer of cells below the footprint. */
typedef struct Layer {
    Extent extent; /* of all blocks together */
    uint8_t any;   /* traits of any of them */
    bool in_door;
} Layer;

static Layer layer_at(const CraftyPathWorld *world, const CraftyPathBody *body,
                      const Footprint *print, CnCell cell)
{
    Layer layer = {{UNITS, 0}, 0, false};
    for (int32_t dz = print->low; dz <= print->high; dz++)
        for (int32_t dx = print->low; dx <= print->high; dx++) {
            CnBlock block = block_at(world, (CnCell){cell.x + dx, cell.y, cell.z + dz});
            uint8_t traits = crafty_path_traits_of(world->traits, block);
            layer.any |= traits;
            if (opens(body, traits)) {
                layer.in_door = true;
                continue;
            }
            Extent extent = extent_of(world, block, traits, dx, dz, print);
            if (extent.high == extent.low)
                continue;
            layer.extent.low = extent.low < layer.extent.low ? extent.low : layer.extent.low;
            layer.extent.high = extent.high > layer.extent.high ? extent.high : layer.extent.high;
        }
    if (layer.extent.high <= layer.extent.low)
        layer.extent = (Extent){0, 0};
    return layer;
}

static bool is_free(const Layer *layer, int32_t low, int32_t high)
{
    return layer->extent.high == layer->extent.low || layer->extent.low >= high ||
           layer->extent.high <= low;
}

bool crafty_path_fits(const CraftyPathWorld *world, const CraftyPathBody *body, CnCell cell,
                      int32_t low, int32_t high, bool *in_door)
{
    Footprint print = footprint_of(body);
    int32_t first = low >= 0 ? low / UNITS : -((UNITS - 1 - low) / UNITS);
    for (int32_t y = first; y * UNITS < high; y++) {
        Layer layer = layer_at(world, body, &print, (CnCell){cell.x, cell.y + y, cell.z});
        if ((layer.any & CRAFTY_PATH_HURTS) || !is_free(&layer, low - y * UNITS, high - y * UNITS))
            return false;
        *in_door |= layer.in_door;
    }
    return true;
}

static int32_t height_of(const CraftyPathBody *body)
{
    return (int32_t)cn_ceilf(body->height * UNITS);
}

/* Those who fly or swim need a free cell only. */
static CraftyStand stand_freely(const CraftyPathWorld *world, const CraftyPathBody *body,
                                CnCell cell, const Layer *own)
{
    bool is_water = (own->any & CRAFTY_PATH_WATER) != 0;
    CraftyStand stand = {0};
    if (is_water != body->swims_only || (own->any & CRAFTY_PATH_HURTS) ||
        !crafty_path_fits(world, body, cell, 0, height_of(body), &stand.in_door))
        return stand;
    stand.kind = is_water ? CRAFTY_STAND_WATER : CRAFTY_STAND_AIR;
    return stand;
}

/* Returns the height of the floor in the cell; negative: there is none. */
static int32_t floor_in(const Layer *own, const Layer *below)
{
    if (own->any & CRAFTY_PATH_FENCE)
        return -1;
    if (own->extent.high > 0)
        return own->extent.low == 0 && own->extent.high < UNITS ? own->extent.high : -1;
    return below->extent.high == UNITS ? 0 : -1;
}

CraftyStand crafty_path_stand(const CraftyPathWorld *world, const CraftyPathBody *body, CnCell cell)
{
    Footprint print = footprint_of(body);
    Layer own = layer_at(world, body, &print, cell);
    CraftyStand stand = {0};
    if (body->flies || body->swims_only)
        return stand_freely(world, body, cell, &own);
    if (own.any & CRAFTY_PATH_HURTS)
        return stand;
    Layer below = layer_at(world, body, &print, (CnCell){cell.x, cell.y - 1, cell.z});
    int32_t height = floor_in(&own, &below);
    bool is_wet = (own.any & CRAFTY_PATH_WATER) && own.extent.high == 0;
    bool climbs = body->climbs && (own.any & CRAFTY_PATH_LADDER);
    if (is_wet && body->avoids_water)
        return stand;
    if (!is_wet && (below.any & (CRAFTY_PATH_HURTS | CRAFTY_PATH_FENCE)) && height == 0)
        return stand;
    if (height < 0 && !is_wet && !climbs)
        return stand;
    stand.height = height > 0 ? height : 0;
    if (!crafty_path_fits(world, body, cell, stand.height, stand.height + height_of(body),
                          &stand.in_door))
        return (CraftyStand){0};
    stand.kind = climbs ? CRAFTY_STAND_LADDER : is_wet ? CRAFTY_STAND_WATER : CRAFTY_STAND_FLOOR;
    return stand;
}

bool crafty_path_can_stand(const CraftyPathWorld *world, const CraftyPathBody *body, CnCell cell)
{
    return crafty_path_stand(world, body, cell).kind != CRAFTY_STAND_NOT;
}
