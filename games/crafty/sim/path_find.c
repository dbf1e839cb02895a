#include "path_find.h"

#include "path_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/math.h>

#include <string.h>

#define UNITS CRAFTY_PATH_UNITS
#define STEP_UNITS 9  /* walked up without a jump */
#define JUMP_UNITS 17 /* reached by a jump */
#define STRAIGHT 10u
#define DIAGONAL 14u
#define SLOTS 32768u /* of the table; a power of two */
#define MAX_ENTRIES (SLOTS / 2)
#define NO_NODE UINT32_MAX
#define MAX_DEFAULT_NODES 1024u

static const CraftyPathCosts default_costs = {
    .water = 20, .jump = 6, .drop = 3, .door = 10, .ladder = 4};

typedef struct Node {
    int8_t at[3]; /* from the start */
    uint8_t kind; /* CraftyStandKind */
    uint8_t height;
    bool in_door, is_closed;
    uint32_t cost, estimate; /* so far; of the rest */
    uint32_t parent;
} Node;

/* An entry of the queue; entries of nodes that became cheaper meanwhile are skipped. */
typedef struct Open {
    uint32_t total, cost, node;
} Open;

struct CraftyPathScratch {
    CnAllocator *allocator;
    uint32_t stamp; /* of the current search */
    uint32_t node_count, open_count;
    uint32_t stamps[SLOTS]; /* a slot is in use if it has the current stamp */
    uint32_t slots[SLOTS];
    Node nodes[MAX_ENTRIES];
    Open open[2 * MAX_ENTRIES];
};

CraftyPathScratch *crafty_path_scratch_create(CnAllocator *allocator, CnError *error)
{
    CraftyPathScratch *scratch = cn_alloc_zeroed(allocator, sizeof *scratch);
    if (!scratch) {
        cn_error_memory(error, "the search for paths");
        return NULL;
    }
    scratch->allocator = allocator;
    return scratch;
}

void crafty_path_scratch_destroy(CraftyPathScratch *scratch)
{
    if (scratch)
        cn_free(scratch->allocator, scratch, sizeof *scratch);
}

/* ---- One search ---- */

typedef struct Search {
    CraftyPathScratch *scratch;
    const CraftyPathWorld *world;
    const CraftyPathDesc *desc;
    CraftyPathCosts costs;
    int32_t max_drop, body_height;
    bool is_full;  /* the table has no room */
    uint32_t best; /* the closed node nearest to the goal */
} Search;

static CnCell cell_of(const Search *search, const Node *node)
{
    CnCell start = search->desc->start;
    return (CnCell){start.x + node->at[0], start.y + node->at[1], start.z + node->at[2]};
}

static uint32_t distance(int32_t a, int32_t b)
{
    return (uint32_t)(a > b ? a - b : b - a);
}

/* Never more than the real cost: every step along the ground costs at least so much. Those who fly
 * and swim also pay for each step up or down. */
static uint32_t estimate(const Search *search, CnCell cell)
{
    const CraftyPathDesc *desc = search->desc;
    uint32_t dx = distance(cell.x, desc->goal.x), dz = distance(cell.z, desc->goal.z);
    dx = dx > desc->near ? dx - desc->near : 0;
    dz = dz > desc->near ? dz - desc->near : 0;
    uint32_t low = dx < dz ? dx : dz, high = dx < dz ? dz : dx;
    uint32_t along = low * DIAGONAL + (high - low) * STRAIGHT;
    if (!desc->body.flies && !desc->body.swims_only)
        return along;
    uint32_t dy = distance(cell.y, desc->goal.y);
    return along + (dy > desc->near ? dy - desc->near : 0) * STRAIGHT;
}

/* ---- The queue: a binary heap ---- */

/* Cheaper ones first; of equals the one that is further on its way, then the older one. */
static bool is_before(const Open *a, const Open *b)
{
    if (a->total != b->total)
        return a->total < b->total;
    return a->cost != b->cost ? a->cost > b->cost : a->node < b->node;
}

static void push(Search *search, uint32_t node)
{
    CraftyPathScratch *scratch = search->scratch;
    const Node *own = &scratch->nodes[node];
    if (scratch->open_count == CN_COUNT_OF(scratch->open)) {
        search->is_full = true;
        return;
    }
    Open entry = {own->cost + own->estimate, own->cost, node};
    uint32_t i = scratch->open_count++;
    for (; i > 0 && is_before(&entry, &scratch->open[(i - 1) / 2]); i = (i - 1) / 2)
        scratch->open[i] = scratch->open[(i - 1) / 2];
    scratch->open[i] = entry;
}

static Open pop(CraftyPathScratch *scratch)
{
    Open first = scratch->open[0], last = scratch->open[--scratch->open_count];
    uint32_t i = 0, count = scratch->open_count;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= count)
            break;
        if (child + 1 < count && is_before(&scratch->open[child + 1], &scratch->open[child]))
            child++;
        if (!is_before(&scratch->open[child], &last))
            break;
        scratch->open[i] = scratch->open[child];
        i = child;
    }
    scratch->open[i] = last;
    return first;
}

/* ---- The table of nodes ---- */

static uint32_t slot_of(const CraftyPathScratch *scratch, const int8_t at[3])
{
    uint32_t key =
        (uint32_t)(uint8_t)at[0] | (uint32_t)(uint8_t)at[1] << 8 | (uint32_t)(uint8_t)at[2] << 16;
    uint32_t i = (key * 2654435761u) >> 17;
    for (;; i = (i + 1) & (SLOTS - 1)) {
        if (scratch->stamps[i] != scratch->stamp)
            return i;
        if (memcmp(scratch->nodes[scratch->slots[i]].at, at, 3) == 0)
            return i;
    }
}

/* Returns the node of a cell, which may be one where nobody can be; NO_NODE if it is out of
 * reach. */
static uint32_t node_at(Search *search, CnCell cell)
{
    CraftyPathScratch *scratch = search->scratch;
    CnCell start = search->desc->start;
    int32_t dx = cell.x - start.x, dy = cell.y - start.y, dz = cell.z - start.z;
    if (dx < -CRAFTY_PATH_REACH || dx > CRAFTY_PATH_REACH || dy < -CRAFTY_PATH_REACH ||
        dy > CRAFTY_PATH_REACH || dz < -CRAFTY_PATH_REACH || dz > CRAFTY_PATH_REACH)
        return NO_NODE;
    const int8_t at[3] = {(int8_t)dx, (int8_t)dy, (int8_t)dz};
    uint32_t slot = slot_of(scratch, at);
    if (scratch->stamps[slot] == scratch->stamp)
        return scratch->slots[slot];
    if (scratch->node_count == MAX_ENTRIES) {
        search->is_full = true;
        return NO_NODE;
    }
    CraftyStand stand = crafty_path_stand(search->world, &search->desc->body, cell);
    uint32_t index = scratch->node_count++;
    scratch->nodes[index] = (Node){.at = {at[0], at[1], at[2]},
                                   .kind = (uint8_t)stand.kind,
                                   .height = (uint8_t)stand.height,
                                   .in_door = stand.in_door,
                                   .cost = UINT32_MAX,
                                   .estimate = estimate(search, cell),
                                   .parent = NO_NODE};
    scratch->stamps[slot] = scratch->stamp;
    scratch->slots[slot] = index;
    return index;
}

/* ---- Moves ---- */

static void reach(Search *search, uint32_t from, uint32_t to, uint32_t cost)
{
    Node *nodes = search->scratch->nodes;
    Node *target = &nodes[to];
    if (target->kind == CRAFTY_STAND_WATER && !search->desc->body.swims_only)
        cost += search->costs.water;
    if (target->in_door)
        cost += search->costs.door;
    uint32_t total = nodes[from].cost + cost;
    if (target->is_closed || total >= target->cost)
        return;
    target->cost = total;
    target->parent = from;
    push(search, to);
}

static bool fits(const Search *search, CnCell cell, int32_t low, int32_t high)
{
    bool in_door = false;
    return crafty_path_fits(search->world, &search->desc->body, cell, low, high, &in_door);
}

static int32_t height_of(const Node *node, CnCell cell)
{
    return cell.y * UNITS + node->height;
}

static CnCell beside(CnCell cell, int32_t dx, int32_t dy, int32_t dz)
{
    return (CnCell){cell.x + dx, cell.y + dy, cell.z + dz};
}

/* Stairs are walked up by half blocks. */
static int32_t lift_to(const Search *search, CnCell to, int32_t rise)
{
    CnCell below = beside(to, 0, -1, 0);
    CnBlock block = search->world->blocks.get(search->world->blocks.user, below);
    uint8_t traits = crafty_path_traits_of(search->world->traits, block);
    return (traits & CRAFTY_PATH_SHAPED) && rise <= UNITS ? UNITS / 2 : rise;
}

/* Tries to walk or jump to a cell beside this one. */
static bool try_step(Search *search, uint32_t from, CnCell cell, CnCell to, uint32_t cost,
                     bool is_diagonal)
{
    uint32_t target = node_at(search, to);
    if (target == NO_NODE)
        return false;
    const Node *own = &search->scratch->nodes[from], *other = &search->scratch->nodes[target];
    if (other->kind == CRAFTY_STAND_NOT)
        return false;
    int32_t rise = height_of(other, to) - height_of(own, cell);
    bool leaves_water = own->kind == CRAFTY_STAND_WATER && to.y == cell.y + 1;
    if (rise > (leaves_water ? UNITS + JUMP_UNITS : JUMP_UNITS) || rise < -STEP_UNITS)
        return false;
    if (is_diagonal && rise > STEP_UNITS)
        return false;
    if (rise > STEP_UNITS) {
        int32_t lift = lift_to(search, to, rise);
        if (!fits(search, cell, own->height, own->height + search->body_height + lift))
            return false;
        cost += search->costs.jump;
    }
    reach(search, from, target, cost);
    return true;
}

/* Tries to go over an edge: down to the first floor or water. */
static void try_drop(Search *search, uint32_t from, CnCell cell, CnCell edge)
{
    const Node own = search->scratch->nodes[from];
    if (!fits(search, edge, own.height, own.height + search->body_height))
        return;
    for (int32_t down = 1; down <= search->max_drop; down++) {
        CnCell to = beside(edge, 0, -down, 0);
        uint32_t target = node_at(search, to);
        if (target == NO_NODE)
            return;
        const Node *other = &search->scratch->nodes[target];
        if (other->kind == CRAFTY_STAND_NOT) {
            if (!fits(search, to, 0, UNITS)) /* a floor where nobody can stand, or danger */
                return;
            continue;
        }
        int32_t fall = height_of(&own, cell) - height_of(other, to);
        uint32_t cost = STRAIGHT;
        if (fall > STEP_UNITS)
            cost += search->costs.drop * (uint32_t)((fall + UNITS - 1) / UNITS);
        if (fall <= search->max_drop * UNITS)
            reach(search, from, target, cost);
        return;
    }
}

static void try_direction(Search *search, uint32_t from, CnCell cell, int32_t dx, int32_t dz)
{
    bool steps = try_step(search, from, cell, beside(cell, dx, 1, dz), STRAIGHT, false);
    steps = try_step(search, from, cell, beside(cell, dx, 0, dz), STRAIGHT, false) || steps;
    if (!steps)
        try_drop(search, from, cell, beside(cell, dx, 0, dz));
}

/* Both sides of a diagonal step must be free at the height of the body, and not higher. */
static void try_diagonal(Search *search, uint32_t from, CnCell cell, int32_t dx, int32_t dz)
{
    const Node *own = &search->scratch->nodes[from];
    int32_t low = own->height, high = low + search->body_height;
    CnCell to = beside(cell, dx, 0, dz);
    if (!fits(search, beside(cell, dx, 0, 0), low, high) ||
        !fits(search, beside(cell, 0, 0, dz), low, high))
        return;
    try_step(search, from, cell, to, DIAGONAL, true);
}

/* Up and down in water and on ladders. */
static void try_vertical(Search *search, uint32_t from, CnCell cell, int32_t dy)
{
    const Node own = search->scratch->nodes[from];
    CnCell to = beside(cell, 0, dy, 0);
    uint32_t target = node_at(search, to);
    if (target == NO_NODE)
        return;
    const Node *other = &search->scratch->nodes[target];
    if (other->kind == CRAFTY_STAND_NOT)
        return;
    bool on_ladder = own.kind == CRAFTY_STAND_LADDER || other->kind == CRAFTY_STAND_LADDER;
    bool in_water = own.kind == CRAFTY_STAND_WATER && other->kind == CRAFTY_STAND_WATER;
    bool is_free = own.kind == CRAFTY_STAND_AIR;
    if (!on_ladder && !in_water && !is_free)
        return;
    if (dy > 0 && !fits(search, cell, own.height, UNITS + search->body_height))
        return;
    reach(search, from, target, STRAIGHT + (on_ladder ? search->costs.ladder : 0));
}

static void expand(Search *search, uint32_t from)
{
    static const int32_t straight[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    static const int32_t diagonal[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    CnCell cell = cell_of(search, &search->scratch->nodes[from]);
    bool is_free = search->desc->body.flies || search->desc->body.swims_only;
    for (int i = 0; i < 4; i++) {
        if (is_free)
            try_step(search, from, cell, beside(cell, straight[i][0], 0, straight[i][1]), STRAIGHT,
                     false);
        else
            try_direction(search, from, cell, straight[i][0], straight[i][1]);
    }
    for (int i = 0; i < 4; i++)
        try_diagonal(search, from, cell, diagonal[i][0], diagonal[i][1]);
    try_vertical(search, from, cell, 1);
    try_vertical(search, from, cell, -1);
}

/* ---- The result ---- */

static bool is_goal(const CraftyPathDesc *desc, CnCell cell)
{
    return distance(cell.x, desc->goal.x) <= desc->near &&
           distance(cell.z, desc->goal.z) <= desc->near &&
           distance(cell.y, desc->goal.y) <= desc->near;
}

static uint32_t squared_distance(const Search *search, const Node *node)
{
    CnCell cell = cell_of(search, node), goal = search->desc->goal;
    uint32_t x = distance(cell.x, goal.x), y = distance(cell.y, goal.y),
             z = distance(cell.z, goal.z);
    uint32_t limit = 1u << 14; /* goals out of reach may be anywhere */
    x = x < limit ? x : limit;
    y = y < limit ? y : limit;
    z = z < limit ? z : limit;
    return x * x + y * y + z * z;
}

static void remember_best(Search *search, uint32_t index)
{
    const Node *nodes = search->scratch->nodes;
    if (search->best == NO_NODE ||
        squared_distance(search, &nodes[index]) < squared_distance(search, &nodes[search->best]))
        search->best = index;
}

static void write_path(const Search *search, uint32_t last, CraftyPath *path)
{
    const Node *nodes = search->scratch->nodes;
    uint32_t count = 0;
    for (uint32_t i = last; nodes[i].parent != NO_NODE; i = nodes[i].parent)
        count++;
    path->is_shortened = count > CRAFTY_PATH_MAX_CELLS;
    path->count = path->is_shortened ? CRAFTY_PATH_MAX_CELLS : count;
    path->cost = nodes[last].cost;
    uint32_t k = count;
    for (uint32_t i = last; nodes[i].parent != NO_NODE; i = nodes[i].parent)
        if (--k < CRAFTY_PATH_MAX_CELLS)
            path->cells[k] = cell_of(search, &nodes[i]);
}

static void begin(Search *search)
{
    CraftyPathScratch *scratch = search->scratch;
    scratch->node_count = scratch->open_count = 0;
    if (++scratch->stamp == 0) { /* wrapped around */
        memset(scratch->stamps, 0, sizeof scratch->stamps);
        scratch->stamp = 1;
    }
}

static CraftyPathCosts costs_of(const CraftyPathCosts *given)
{
    CraftyPathCosts costs = *given;
    costs.water = costs.water ? costs.water : default_costs.water;
    costs.jump = costs.jump ? costs.jump : default_costs.jump;
    costs.drop = costs.drop ? costs.drop : default_costs.drop;
    costs.door = costs.door ? costs.door : default_costs.door;
    costs.ladder = costs.ladder ? costs.ladder : default_costs.ladder;
    return costs;
}

/* Returns the goal, or NO_NODE when nothing is left or enough was visited. */
static uint32_t run(Search *search, CraftyPath *path)
{
    CraftyPathScratch *scratch = search->scratch;
    uint32_t limit = search->desc->max_nodes ? search->desc->max_nodes : MAX_DEFAULT_NODES;
    limit = limit < CRAFTY_PATH_MAX_NODES ? limit : CRAFTY_PATH_MAX_NODES;
    while (scratch->open_count > 0 && path->nodes < limit && !search->is_full) {
        Open next = pop(scratch);
        Node *node = &scratch->nodes[next.node];
        if (node->is_closed)
            continue;
        node->is_closed = true;
        path->nodes++;
        if (is_goal(search->desc, cell_of(search, node)))
            return next.node;
        remember_best(search, next.node);
        expand(search, next.node);
    }
    return NO_NODE;
}

CraftyPathResult crafty_path_find(CraftyPathScratch *scratch, const CraftyPathWorld *world,
                                  const CraftyPathDesc *desc, CraftyPath *path)
{
    CN_ASSERT(scratch && world && desc && path, "%s: an argument is NULL", __func__);
    Search search = {.scratch = scratch,
                     .world = world,
                     .desc = desc,
                     .costs = costs_of(&desc->costs),
                     .max_drop = desc->body.max_drop ? desc->body.max_drop : 3,
                     .body_height = (int32_t)cn_ceilf(desc->body.height * UNITS),
                     .best = NO_NODE};
    path->count = path->cost = path->nodes = 0;
    path->is_shortened = false;
    begin(&search);
    uint32_t start = node_at(&search, desc->start);
    if (start == NO_NODE || scratch->nodes[start].kind == CRAFTY_STAND_NOT)
        return CRAFTY_PATH_NO_START;
    scratch->nodes[start].cost = 0;
    push(&search, start);
    uint32_t goal = run(&search, path);
    if (goal == NO_NODE && search.best == start)
        return CRAFTY_PATH_NONE;
    write_path(&search, goal == NO_NODE ? search.best : goal, path);
    return goal == NO_NODE ? CRAFTY_PATH_PARTIAL : CRAFTY_PATH_FOUND;
}
