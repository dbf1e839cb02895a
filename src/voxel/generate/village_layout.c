/*
 * Village layout: a well in the center, roads from it, houses with doors towards the roads, then
 * fields, lamps and other pieces.
 */
#include "voxel/generate/feature.h"
#include "voxel/generate/village.h"

#define SIZE CNI_VOXEL_VILLAGE_SIZE
#define EDGE 3 /* margin without buildings at the border of the square */
#define MAX_ROADS 8
#define MAX_STEPS 44
#define MIN_HOUSES 3
#define MAX_HOUSES 14
#define MAX_LAMPS 14

typedef struct Road {
    int32_t x, z;   /* start */
    int32_t dx, dz; /* direction */
    int32_t length;
} Road;

typedef struct Step {
    int32_t x, z, dx, dz;
} Step;

typedef struct Layout {
    CniVoxelVillageSite *site;
    uint32_t step_count, houses, max_houses; /* from hamlets to small towns */
    Step steps[MAX_ROADS * MAX_STEPS];
    uint8_t style; /* of most houses */
    bool has_tower;
} Layout;

typedef struct Box {
    int32_t x, z, width, depth;
} Box;

static uint32_t roll(Layout *layout, uint32_t n)
{
    return cni_voxel_roll(&layout->site->dice, n);
}

static bool is_inside(int32_t x, int32_t z)
{
    return x >= EDGE && z >= EDGE && x < SIZE - EDGE && z < SIZE - EDGE;
}

/* Returns whether a piece with its floor at y fits: ground level within one block, and `room`
 * blocks to the next piece. Paths may touch it. */
static bool is_free(const CniVoxelVillageSite *site, Box box, int32_t y, int32_t room)
{
    int32_t x1 = box.x + box.width, z1 = box.z + box.depth;
    if (!is_inside(box.x - room, box.z - room) || !is_inside(x1 + room - 1, z1 + room - 1))
        return false;
    for (int32_t z = box.z - room; z < z1 + room; z++) {
        for (int32_t x = box.x - room; x < x1 + room; x++) {
            bool rim = x < box.x || z < box.z || x >= x1 || z >= z1;
            int32_t off = site->ground[z][x] - y;
            if (site->use[z][x] == CNI_VOXEL_USE_PIECE)
                return false;
            if (!rim && (site->use[z][x] != CNI_VOXEL_USE_NONE || off > 1 || off < -1))
                return false;
        }
    }
    return true;
}

static void add_piece(CniVoxelVillageSite *site, CniVoxelVillagePieceKind kind, Box box, int32_t y,
                      uint32_t turn, uint32_t height, uint32_t style)
{
    CniVoxelVillage *village = site->village;
    if (village->piece_count == CNI_VOXEL_VILLAGE_PIECES)
        return;
    village->pieces[village->piece_count++] = (CniVoxelVillagePiece){
        .x = village->x + box.x,
        .z = village->z + box.z,
        .y = (int16_t)y,
        .kind = (uint8_t)kind,
        .turn = (uint8_t)turn,
        .width = (uint8_t)box.width,
        .depth = (uint8_t)box.depth,
        .height = (uint8_t)height,
        .style = (uint8_t)style,
        .dice = site->dice,
    };
    for (int32_t z = box.z; z < box.z + box.depth; z++)
        for (int32_t x = box.x; x < box.x + box.width; x++)
            site->use[z][x] = CNI_VOXEL_USE_PIECE;
}

static void pave(CniVoxelVillageSite *site, int32_t x, int32_t z)
{
    if (is_inside(x, z) && site->use[z][x] == CNI_VOXEL_USE_NONE)
        site->use[z][x] = CNI_VOXEL_USE_PATH;
}

/* ---- Roads ---- */

/* Continues as long as the ground permits, and shifts sideways to more level ground. */
static void build_road(Layout *layout, const Road *road)
{
    CniVoxelVillageSite *site = layout->site;
    int32_t x = road->x, z = road->z, side_x = road->dz, side_z = road->dx;
    for (int32_t n = 0; n < road->length; n++) {
        int32_t here = site->ground[z][x], next_x = x + road->dx, next_z = z + road->dz;
        if (!is_inside(next_x + 2 * road->dx, next_z + 2 * road->dz) ||
            !is_inside(next_x + 2 * side_x, next_z + 2 * side_z) ||
            !is_inside(next_x - 2 * side_x, next_z - 2 * side_z) ||
            site->use[next_z][next_x] >= CNI_VOXEL_USE_PIECE)
            return;
        if (n > 3 && roll(layout, 5) == 0) { /* a bend */
            int32_t way = roll(layout, 2) ? 1 : -1;
            int32_t off = site->ground[next_z + way * side_z][next_x + way * side_x] - here;
            if (off * off <= 1) {
                next_x += way * side_x;
                next_z += way * side_z;
            }
        }
        int32_t rise = site->ground[next_z][next_x] - here;
        if (rise > 1 || rise < -1)
            return;
        x = next_x;
        z = next_z;
        for (int32_t w = -1; w <= 1; w++)
            pave(site, x + w * side_x, z + w * side_z);
        layout->steps[layout->step_count++] = (Step){x, z, road->dx, road->dz};
    }
}

static void build_roads(Layout *layout)
{
    static const int8_t ways[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    uint32_t first = roll(layout, 4), arms = 3 + roll(layout, 2);
    for (uint32_t i = 0; i < arms; i++) {
        const int8_t *way = ways[(first + i) & 3];
        Road road = {SIZE / 2 + 3 * way[0], SIZE / 2 + 3 * way[1], way[0], way[1],
                     10 + (int32_t)layout->max_houses + (int32_t)roll(layout, 14)};
        uint32_t begun = layout->step_count;
        build_road(layout, &road);
        /* A side lane, further out. */
        uint32_t steps = layout->step_count - begun;
        if (steps > 16 && roll(layout, 3) > 0) {
            Step from = layout->steps[begun + 11 + roll(layout, steps - 15)];
            int32_t turn = roll(layout, 2) ? 1 : -1;
            Road lane = {from.x, from.z, turn * way[1], turn * way[0],
                         14 + (int32_t)roll(layout, 10)};
            build_road(layout, &lane);
        }
    }
}

static void build_square(Layout *layout)
{
    CniVoxelVillageSite *site = layout->site;
    int32_t middle = SIZE / 2;
    for (int32_t z = -4; z <= 4; z++)
        for (int32_t x = -4; x <= 4; x++)
            if (x * x + z * z <= 20)
                pave(site, middle + x, middle + z);
    Box well = {middle - 1, middle - 1, 3, 3};
    for (int32_t z = well.z; z < well.z + 3; z++)
        for (int32_t x = well.x; x < well.x + 3; x++)
            site->use[z][x] = CNI_VOXEL_USE_NONE;
    add_piece(site, CNI_VOXEL_PIECE_WELL, well, site->ground[middle][middle], 0, 5, layout->style);
}

/* ---- Houses ---- */

typedef struct Model {
    CniVoxelVillagePieceKind kind;
    uint8_t width, depth, height; /* seen from the door */
} Model;

/* The first one is the most common. */
static const Model models[] = {
    {CNI_VOXEL_PIECE_HOUSE, 7, 5, 8},  {CNI_VOXEL_PIECE_HOUSE, 5, 5, 8},
    {CNI_VOXEL_PIECE_HOUSE, 9, 7, 9},  {CNI_VOXEL_PIECE_HOUSE, 7, 5, 12},
    {CNI_VOXEL_PIECE_TOWER, 5, 5, 14},
};

static const Model *choose_model(Layout *layout)
{
    uint32_t percent = roll(layout, 100);
    if (layout->houses == 2)
        return &models[2];
    return percent < 48        ? &models[0]
           : percent < 64      ? &models[1]
           : percent < 78      ? &models[2]
           : percent < 92      ? &models[3]
           : layout->has_tower ? &models[0]
                               : &models[4];
}

/* Adds a house beside a step of a road, facing it; `side` is 1 or -1. */
static bool add_house(Layout *layout, const Step *step, int32_t side, const Model *model)
{
    CniVoxelVillageSite *site = layout->site;
    int32_t out_x = side * step->dz, out_z = side * step->dx; /* from the road to the house */
    uint32_t turn = out_z > 0 ? 1 : out_z < 0 ? 0 : out_x > 0 ? 3 : 2;
    int32_t gap = 3 + (int32_t)roll(layout, 2);
    int32_t front_x = step->x + gap * out_x, front_z = step->z + gap * out_z; /* cell of the door */
    Box box = {0, 0, turn < 2 ? model->width : model->depth,
               turn < 2 ? model->depth : model->width};
    box.x = turn < 2 ? front_x - box.width / 2 : out_x > 0 ? front_x : front_x - box.width + 1;
    box.z = turn >= 2 ? front_z - box.depth / 2 : out_z > 0 ? front_z : front_z - box.depth + 1;
    if (!is_inside(front_x, front_z))
        return false;
    int32_t y = site->ground[front_z - out_z][front_x - out_x];
    if (!is_free(site, box, y, 2)) /* roofs extend beyond the walls */
        return false;
    uint32_t style = roll(layout, 3) ? layout->style : roll(layout, 5);
    add_piece(site, model->kind, box, y, turn, model->height, style);
    for (int32_t n = 1; n < gap; n++)
        pave(site, front_x - n * out_x, front_z - n * out_z);
    layout->houses++;
    layout->has_tower |= model->kind == CNI_VOXEL_PIECE_TOWER;
    return true;
}

/* Visits the steps of all roads with a stride coprime to their number, so that houses are spread
 * over all roads, however few there are. */
static void add_houses(Layout *layout)
{
    const uint32_t stride = 397;
    CN_STATIC_ASSERT(MAX_ROADS * MAX_STEPS < 397,
                     "the stride is a prime above the number of steps");
    for (uint32_t i = 0; i < layout->step_count && layout->houses < layout->max_houses; i++) {
        const Step *step = &layout->steps[i * stride % layout->step_count];
        const Model *model = choose_model(layout);
        int32_t side = roll(layout, 2) ? 1 : -1;
        for (int32_t n = 0; n < 2; n++, side = -side)
            if (add_house(layout, step, side, model) ||
                (model != &models[0] && add_house(layout, step, side, &models[0])))
                break;
    }
}

/* ---- Other pieces ---- */

/* Adds a piece on level ground within `reach` of the center. */
static bool add_anywhere(Layout *layout, CniVoxelVillagePieceKind kind, int32_t width,
                         int32_t depth, int32_t reach, uint32_t height)
{
    CniVoxelVillageSite *site = layout->site;
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t turn = roll(layout, 4);
        Box box = {SIZE / 2 - reach + (int32_t)roll(layout, 2 * (uint32_t)reach),
                   SIZE / 2 - reach + (int32_t)roll(layout, 2 * (uint32_t)reach),
                   turn < 2 ? width : depth, turn < 2 ? depth : width};
        if (!is_inside(box.x, box.z))
            continue;
        int32_t y =
            site->ground[box.z + box.depth / 2 < SIZE ? box.z + box.depth / 2 : box.z][box.x];
        if (!is_free(site, box, y, 1))
            continue;
        add_piece(site, kind, box, y, turn, height, layout->style);
        return true;
    }
    return false;
}

static void add_lamps(Layout *layout)
{
    CniVoxelVillageSite *site = layout->site;
    uint32_t lamps = 0;
    for (uint32_t i = 4; i < layout->step_count && lamps < MAX_LAMPS; i += 9) {
        const Step *step = &layout->steps[i];
        int32_t side = i & 1 ? 2 : -2;
        int32_t x = step->x + side * step->dz, z = step->z + side * step->dx;
        if (!is_inside(x, z) || site->use[z][x] != CNI_VOXEL_USE_NONE)
            continue;
        Box box = {x, z, 1, 1};
        add_piece(site, CNI_VOXEL_PIECE_LAMP, box, site->ground[z][x], 0, 4, layout->style);
        lamps++;
    }
}

bool cni_voxel_village_lay_out(CniVoxelVillageSite *site)
{
    Layout layout = {.site = site};
    layout.style = (uint8_t)roll(&layout, 5);
    layout.max_houses = MIN_HOUSES + 1 + roll(&layout, MAX_HOUSES - MIN_HOUSES);
    build_square(&layout);
    build_roads(&layout);
    add_houses(&layout);
    if (layout.houses < MIN_HOUSES)
        return false;
    for (uint32_t i = 0, fields = 1 + roll(&layout, 1 + layout.houses / 4); i < fields; i++)
        add_anywhere(&layout, CNI_VOXEL_PIECE_FIELD, 9, 7, 34, 2);
    for (uint32_t i = 0, stalls = 1 + roll(&layout, 2); i < stalls; i++)
        add_anywhere(&layout, CNI_VOXEL_PIECE_STALL, 5, 3, 12, 4);
    for (uint32_t i = 0, heaps = 1 + roll(&layout, 3); i < heaps; i++)
        add_anywhere(&layout, CNI_VOXEL_PIECE_HAY, 3, 2, 28, 3);
    add_lamps(&layout);
    return true;
}
