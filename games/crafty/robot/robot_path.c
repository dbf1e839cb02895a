#include "robot_path.h"

#include <stdlib.h>
#include <string.h>

#define SIDE CRAFTY_ROBOT_PATH_SIDE
#define NODES ((uint32_t)SIDE * SIDE * SIDE)
#define MAX_VISITED 120000u
#define FOREVER 1e9f
#define MAX_DROP 3
#define NO_NODE UINT32_MAX

typedef struct Entry {
    float rank;
    uint32_t node;
} Entry;

typedef struct Search {
    CraftyRobot *robot;
    CraftyRobotGoal goal;
    CnCell origin;  /* of the box */
    float *costs;   /* by node; FOREVER: not reached */
    uint32_t *from; /* by node */
    Entry *heap;
    uint32_t heap_count, heap_capacity, visited;
} Search;

/* ---- Nodes ---- */

static bool node_of(const Search *search, CnCell cell, uint32_t *node)
{
    uint32_t x = (uint32_t)(cell.x - search->origin.x), y = (uint32_t)(cell.y - search->origin.y),
             z = (uint32_t)(cell.z - search->origin.z);
    if (x >= SIDE || y >= SIDE || z >= SIDE)
        return false;
    *node = x + SIDE * (y + SIDE * z);
    return true;
}

static CnCell cell_of(const Search *search, uint32_t node)
{
    return (CnCell){search->origin.x + (int32_t)(node % SIDE),
                    search->origin.y + (int32_t)(node / SIDE % SIDE),
                    search->origin.z + (int32_t)(node / SIDE / SIDE)};
}

bool crafty_robot_at_goal(const CraftyRobotGoal *goal, CnCell cell)
{
    return abs(cell.x - goal->cell.x) <= goal->near && abs(cell.z - goal->cell.z) <= goal->near &&
           (goal->any_height || abs(cell.y - goal->cell.y) <= goal->near);
}

static float guess(const CraftyRobotGoal *goal, CnCell cell)
{
    float x = (float)abs(cell.x - goal->cell.x), z = (float)abs(cell.z - goal->cell.z);
    float y = goal->any_height ? 0 : (float)abs(cell.y - goal->cell.y);
    return x + y + z;
}

/* ---- Heap ---- */

static bool push(Search *search, uint32_t node, float rank)
{
    if (search->heap_count == search->heap_capacity)
        return false;
    uint32_t i = search->heap_count++;
    for (; i > 0 && search->heap[(i - 1) / 2].rank > rank; i = (i - 1) / 2)
        search->heap[i] = search->heap[(i - 1) / 2];
    search->heap[i] = (Entry){rank, node};
    return true;
}

static uint32_t pop(Search *search)
{
    uint32_t top = search->heap[0].node, i = 0;
    Entry last = search->heap[--search->heap_count];
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= search->heap_count)
            break;
        if (child + 1 < search->heap_count &&
            search->heap[child + 1].rank < search->heap[child].rank)
            child++;
        if (search->heap[child].rank >= last.rank)
            break;
        search->heap[i] = search->heap[child];
        i = child;
    }
    search->heap[i] = last;
    return top;
}

/* ---- Costs of cells ---- */

static CnBlock block_at(const Search *search, CnCell cell)
{
    return cn_voxels_get(search->robot->voxels, cell);
}

static uint8_t flags_at(const Search *search, CnCell cell)
{
    return cn_voxels_blocks(search->robot->voxels)->flags[block_at(search, cell)];
}

static bool is_water(const Search *search, CnCell cell)
{
    return (flags_at(search, cell) & CN_BLOCK_IS_WATER) != 0;
}

/* What the robot has built stays. */
static bool is_kept(const char *name)
{
    static const char *const parts[] = {"door",  "bed",    "table", "furnace", "crate",
                                        "chest", "planks", "glass", "cactus"};
    for (uint32_t i = 0; i < CN_COUNT_OF(parts); i++)
        if (strstr(name, parts[i]))
            return true;
    return false;
}

/* Returns what it costs to make a cell free: 0 if it is, FOREVER if that is not possible. */
static float free_cost(const Search *search, CnCell cell)
{
    uint8_t flags = flags_at(search, cell);
    if (flags & CN_BLOCK_IS_WATER)
        return 3;
    if (!(flags & CN_BLOCK_COLLIDES))
        return 0;
    const CnBlockInfo *info =
        cn_block_info(cn_voxels_blocks(search->robot->voxels), block_at(search, cell));
    if (info->hardness < 0 || is_kept(info->name))
        return FOREVER;
    CnCell above = {cell.x, cell.y + 1, cell.z};
    return 4 + 5 * info->hardness + (is_water(search, above) ? 30 : 0);
}

static float body_cost(const Search *search, CnCell feet)
{
    return free_cost(search, feet) + free_cost(search, (CnCell){feet.x, feet.y + 1, feet.z});
}

static bool holds(const Search *search, CnCell feet)
{
    CnCell below = {feet.x, feet.y - 1, feet.z};
    return (flags_at(search, below) & CN_BLOCK_COLLIDES) || is_water(search, feet);
}

static float ground_cost(const Search *search, CnCell feet)
{
    CnCell below = {feet.x, feet.y - 1, feet.z};
    const char *name = crafty_robot_block_name(search->robot, below);
    return !strcmp(name, "magma") ? 50 : 0;
}

/* ---- Steps ---- */

static void reach(Search *search, uint32_t from, CnCell cell, float cost)
{
    uint32_t node;
    if (cost >= FOREVER || !node_of(search, cell, &node))
        return;
    cost += search->costs[from] + ground_cost(search, cell);
    if (cost >= search->costs[node])
        return;
    search->costs[node] = cost;
    search->from[node] = from;
    push(search, node, cost + guess(&search->goal, cell));
}

static void step_level_or_down(Search *search, uint32_t from, CnCell next)
{
    float cost = 1 + body_cost(search, next);
    CnCell cell = next;
    for (int32_t drop = 0; drop <= MAX_DROP && cost < FOREVER; drop++) {
        if (holds(search, cell)) {
            reach(search, from, cell, cost);
            return;
        }
        cell.y--;
        cost += 0.5f + free_cost(search, cell);
    }
}

static void step_up(Search *search, uint32_t from, CnCell here, CnCell next)
{
    if (!(flags_at(search, next) & CN_BLOCK_COLLIDES))
        return;
    CnCell up = {next.x, next.y + 1, next.z};
    float cost =
        2 + free_cost(search, (CnCell){here.x, here.y + 2, here.z}) + body_cost(search, up);
    reach(search, from, up, cost);
}

/* Straight down by mining, and up and down in water. */
static void step_vertical(Search *search, uint32_t from, CnCell here)
{
    CnCell below = {here.x, here.y - 1, here.z}, above = {here.x, here.y + 1, here.z};
    if (holds(search, below))
        reach(search, from, below, 3 + free_cost(search, below));
    if (is_water(search, here) && is_water(search, above)) /* nobody stands on water */
        reach(search, from, above,
              2 + free_cost(search, (CnCell){here.x, here.y + 2, here.z}) +
                  free_cost(search, above));
}

static void expand(Search *search, uint32_t node)
{
    static const int8_t ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    CnCell here = cell_of(search, node);
    for (uint32_t i = 0; i < 4; i++) {
        CnCell next = {here.x + ways[i][0], here.y, here.z + ways[i][1]};
        step_level_or_down(search, node, next);
        step_up(search, node, here, next);
    }
    step_vertical(search, node, here);
}

/* ---- Searching ---- */

/* Returns the node at the goal, or the nearest one. */
static uint32_t run(Search *search, uint32_t start)
{
    uint32_t best = start;
    float best_guess = guess(&search->goal, cell_of(search, start));
    push(search, start, best_guess);
    while (search->heap_count > 0 && search->visited++ < MAX_VISITED) {
        uint32_t node = pop(search);
        CnCell cell = cell_of(search, node);
        if (crafty_robot_at_goal(&search->goal, cell))
            return node;
        float left = guess(&search->goal, cell);
        if (left < best_guess) {
            best_guess = left;
            best = node;
        }
        expand(search, node);
    }
    return best;
}

static void collect(const Search *search, uint32_t start, uint32_t end, CraftyRobotPath *path)
{
    uint32_t length = 0;
    for (uint32_t node = end; node != start; node = search->from[node])
        length++;
    uint32_t place = length;
    for (uint32_t node = end; node != start; node = search->from[node])
        if (--place < CRAFTY_ROBOT_MAX_PATH)
            path->cells[place] = cell_of(search, node);
    path->count = length < CRAFTY_ROBOT_MAX_PATH ? length : CRAFTY_ROBOT_MAX_PATH;
    path->reaches = length <= CRAFTY_ROBOT_MAX_PATH &&
                    crafty_robot_at_goal(&search->goal, cell_of(search, end));
}

bool crafty_robot_find_path(CraftyRobot *robot, const CraftyRobotGoal *goal, CraftyRobotPath *path)
{
    CnCell feet = crafty_robot_feet(robot);
    Search search = {.robot = robot,
                     .goal = *goal,
                     .origin = {feet.x - SIDE / 2, feet.y - SIDE / 2, feet.z - SIDE / 2},
                     .costs = malloc(sizeof *search.costs * NODES),
                     .from = malloc(sizeof *search.from * NODES),
                     .heap_capacity = 4 * MAX_VISITED};
    search.heap = malloc(sizeof *search.heap * search.heap_capacity);
    path->count = 0;
    path->reaches = crafty_robot_at_goal(goal, feet);
    uint32_t start;
    bool is_ready = search.costs && search.from && search.heap && node_of(&search, feet, &start);
    if (is_ready && !path->reaches) {
        for (uint32_t i = 0; i < NODES; i++)
            search.costs[i] = FOREVER;
        search.costs[start] = 0;
        uint32_t end = run(&search, start);
        collect(&search, start, end, path);
    }
    free(search.costs);
    free(search.from);
    free(search.heap);
    return is_ready && (path->reaches || path->count > 0);
}
