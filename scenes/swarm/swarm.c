#include "swarm.h"

#include "grid.h"

#include <cairn/ecs/relation.h>

#include <string.h>

#define CELL 4.0f         /* as far as a boid sees */
#define PER_CELL 2.0f     /* boids in a cell on average */
#define MAX_SPEED 12.0f   /* lengths a second */
#define GROWN_TICKS 180u  /* how long a boid is young */
#define OLD_TICKS 3600u   /* from here on it may die of age */
#define BIRTH_ENERGY 0.8f /* that a boid needs to breed */

typedef enum SwarmFateKind { FATE_NONE, FATE_DIES, FATE_BREEDS, FATE_GROWS } SwarmFateKind;

/* The torus is a whole number of cells wide; a distance goes the shorter way round. */
static float wrap(float at, float size)
{
    at = at < 0 ? at + size : at;
    return at >= size ? at - size : at;
}

static float shortest(float difference, float size)
{
    if (difference > 0.5f * size)
        return difference - size;
    return difference < -0.5f * size ? difference + size : difference;
}

/* ---- Input ---- */

static void read_pointer(CnSystemContext *context)
{
    const CnInputState *input = cn_resource(context->world, CnInputState);
    const SwarmSettings *settings = cn_resource(context->world, SwarmSettings);
    SwarmPointer *pointer = cn_resource_mut(context->world, SwarmPointer);
    pointer->x = wrap(input->mouse_x * settings->size, settings->size);
    pointer->y = wrap(input->mouse_y * settings->size, settings->size);
    bool scares = cn_mouse_held(input, CN_MOUSE_LEFT) || cn_key_held(input, CN_KEY_SPACE);
    pointer->force = scares ? -30.0f : 6.0f;
}

/* ---- Steering ---- */

static uint32_t cells_per_side(uint32_t entities)
{
    uint32_t side = 4;
    while ((float)side * (float)side * PER_CELL < (float)entities)
        side++;
    return side;
}

static uint32_t grid_capacity(uint32_t entities)
{
    return entities + entities / 4 + 64;
}

static bool make_grid(SwarmGrid *grid, CnAllocator *allocator, uint32_t entities)
{
    return swarm_grid_init(grid, allocator, grid_capacity(entities), cells_per_side(entities),
                           CELL);
}

/* The grid is no part of the state: one that was loaded may be of a swarm of another size. */
static void fit_grid(SwarmGrid *grid, uint32_t entities)
{
    SwarmGrid fitting;
    if (entities > SWARM_MAX_ENTITIES || grid->capacity == grid_capacity(entities))
        return;
    if (make_grid(&fitting, grid->allocator, entities)) {
        SwarmGrid old = *grid;
        *grid = fitting;
        fitting = old;
    }
    swarm_grid_fini(&fitting);
}

static void fill_grid(CnSystemContext *context)
{
    SwarmGrid *grid = cn_resource_mut(context->world, SwarmGrid);
    fit_grid(grid, cn_resource(context->world, SwarmSettings)->entities);
    swarm_grid_fill(grid, context->query, context->jobs);
}

/* What the boids near one, itself among them, add up to. */
typedef struct Heed {
    float apart_x, apart_y, along_x, along_y, center_x, center_y, count;
} Heed;

/* Without branches: which of them are near cannot be foretold. */
static inline void heed_items(const SwarmItem *items, uint32_t first, uint32_t end, float x,
                              float y, Heed *heed)
{
    for (uint32_t i = first; i < end; i++) {
        float dx = items[i].x - x, dy = items[i].y - y, square = dx * dx + dy * dy;
        float counts = square <= CELL * CELL ? 1.0f : 0.0f;
        float near = counts / (square + 0.25f);
        heed->apart_x -= dx * near;
        heed->apart_y -= dy * near;
        heed->along_x += items[i].vx * counts;
        heed->along_y += items[i].vy * counts;
        heed->center_x += dx * counts;
        heed->center_y += dy * counts;
        heed->count += counts;
    }
}

/* The cells of a row lie one behind the other; where the torus closes there are two pieces. */
static inline void heed_row(const SwarmGrid *grid, uint32_t row, uint32_t column, float x, float y,
                            float size, Heed *heed)
{
    const uint32_t *start = grid->start + (size_t)row * grid->side;
    const uint32_t last = grid->side - 1;
    uint32_t from = column ? column - 1 : 0, to = column < last ? column + 1 : last;
    heed_items(grid->items, start[from], start[to + 1], x, y, heed);
    if (column == 0)
        heed_items(grid->items, start[last], start[last + 1], x + size, y, heed);
    if (column == last)
        heed_items(grid->items, start[0], start[1], x - size, y, heed);
}

static Heed look_around(const SwarmGrid *grid, SwarmPosition at, float size)
{
    Heed heed = {0};
    const uint32_t last = grid->side - 1;
    const uint32_t row = swarm_grid_line(grid, at.y), column = swarm_grid_line(grid, at.x);
    if (row)
        heed_row(grid, row - 1, column, at.x, at.y, size, &heed);
    else
        heed_row(grid, last, column, at.x, at.y + size, size, &heed);
    heed_row(grid, row, column, at.x, at.y, size, &heed);
    if (row < last)
        heed_row(grid, row + 1, column, at.x, at.y, size, &heed);
    else
        heed_row(grid, 0, column, at.x, at.y - size, size, &heed);
    return heed;
}

static void limit_speed(SwarmVelocity *v)
{
    float square = v->x * v->x + v->y * v->y;
    if (square > MAX_SPEED * MAX_SPEED) {
        float scale = MAX_SPEED / cn_sqrtf(square);
        v->x *= scale;
        v->y *= scale;
    }
}

CN_SYSTEM(swarm_steer, (read, SwarmPosition, p), (write, SwarmVelocity, v))
{
    const CnWorld *world = context->world;
    const SwarmGrid *grid = cn_resource(world, SwarmGrid);
    const SwarmPointer *pointer = cn_resource(world, SwarmPointer);
    const float size = cn_resource(world, SwarmSettings)->size;
    for (uint32_t i = 0; i < count; i++) {
        Heed heed = look_around(grid, p[i], size);
        float share = 1.0f / (heed.count < 1.0f ? 1.0f : heed.count);
        float ax = heed.apart_x * 8.0f + heed.center_x * share * 1.5f;
        float ay = heed.apart_y * 8.0f + heed.center_y * share * 1.5f;
        ax += (heed.along_x * share - v[i].x) * 0.8f;
        ay += (heed.along_y * share - v[i].y) * 0.8f;
        float px = shortest(pointer->x - p[i].x, size), py = shortest(pointer->y - p[i].y, size);
        float pull = pointer->force / (px * px + py * py + 16.0f) * 16.0f;
        ax += px * pull * 0.1f;
        ay += py * pull * 0.1f;
        v[i].x += ax * context->dt;
        v[i].y += ay * context->dt;
        limit_speed(&v[i]);
    }
}

/* The young turn to their parents. */
static void follow(CnSystemContext *context)
{
    const CnWorld *world = context->world;
    const float size = cn_resource(world, SwarmSettings)->size, pull = 2.0f * context->dt;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        const SwarmPosition *p = cn_column_const(&view, SwarmPosition);
        SwarmVelocity *v = cn_column(&view, SwarmVelocity);
        for (uint32_t i = 0; i < view.count; i++) {
            CnEntity parent = cn_parent(world, view.entities[i]);
            const SwarmPosition *at = parent.id ? cn_get(world, parent, SwarmPosition) : NULL;
            if (!at)
                continue;
            v[i].x += shortest(at->x - p[i].x, size) * pull;
            v[i].y += shortest(at->y - p[i].y, size) * pull;
            limit_speed(&v[i]);
        }
    }
}

CN_SYSTEM(swarm_move, (write, SwarmPosition, p), (read, SwarmVelocity, v))
{
    const float size = cn_resource(context->world, SwarmSettings)->size;
    for (uint32_t i = 0; i < count; i++) {
        float x = p[i].x + v[i].x * context->dt, y = p[i].y + v[i].y * context->dt;
        x = x < 0 ? x + size : x;
        y = y < 0 ? y + size : y;
        p[i].x = x >= size ? x - size : x;
        p[i].y = y >= size ? y - size : y;
    }
}

/* ---- Life ---- */

/* Who dies and who breeds is drawn by boid and tick, so it does not matter which thread asks. */
CN_SYSTEM(swarm_live, (write, SwarmLife, life), (write, SwarmFate, fate), (read, SwarmVelocity, v))
{
    const CnWorld *world = context->world;
    const SwarmCounts *counts = cn_resource(world, SwarmCounts);
    const uint32_t wanted = cn_resource(world, SwarmSettings)->entities;
    const uint64_t tick = cn_resource(world, CnTickInfo)->tick;
    const uint64_t key = cn_random_key(world, *(const CnComponent *)context->user);
    /* In 2^-32: at the number wanted as many are born as die. */
    const uint64_t death = counts->alive > wanted ? 8000000u : 2000000u;
    const uint64_t birth = counts->alive < wanted ? 16000000u : 0u;
    for (uint32_t i = 0; i < count; i++) {
        float speed = v[i].x * v[i].x + v[i].y * v[i].y;
        float energy = life[i].energy + (0.004f - speed * 0.00002f);
        life[i].energy = energy > 1.0f ? 1.0f : energy < 0 ? 0 : energy;
        uint32_t age = ++life[i].age;
        uint64_t draw = cn_random_at(key, chunk->entities[i].id, tick);
        uint64_t low = draw & UINT32_MAX, high = draw >> 32;
        bool dies = low < death * (age > OLD_TICKS ? 8u : 1u) || life[i].energy <= 0;
        bool breeds = age >= GROWN_TICKS && life[i].energy > BIRTH_ENERGY && high < birth;
        fate[i].kind = (uint8_t)(dies                 ? FATE_DIES
                                 : breeds             ? FATE_BREEDS
                                 : age == GROWN_TICKS ? FATE_GROWS
                                                      : FATE_NONE);
    }
}

typedef struct Acting {
    CnSystemContext *context;
    CnChannel *births, *deaths;
    CnRandom *random;
    SwarmCounts *counts;
    float size;
    uint32_t room; /* how many may still be born: the grid has a capacity */
} Acting;

static void give_birth(Acting *acting, CnEntity parent, SwarmPosition at, SwarmVelocity v)
{
    if (!acting->room)
        return;
    acting->room--;
    CnVec2 side = cn_random_unit2(acting->random);
    SwarmPosition beside = {wrap(at.x + side.x, acting->size), wrap(at.y + side.y, acting->size)};
    CnCommands *commands = acting->context->commands;
    CnEntity child = cn_defer_spawn(
        commands, cn_with(SwarmPosition, {beside.x, beside.y}), cn_with(SwarmVelocity, {v.x, v.y}),
        cn_with(SwarmLife, {0.5f, 0}), cn_with_default(SwarmFate), cn_with_tag(SwarmYoung));
    if (child.id && cn_defer_set_parent(commands, child, parent))
        cn_send(acting->births, SwarmBirth, {parent, child});
}

static void act_out(Acting *acting, const CnChunkView *view, uint32_t row, SwarmFateKind fate)
{
    CnEntity boid = view->entities[row];
    CnCommands *commands = acting->context->commands;
    switch (fate) {
    case FATE_DIES:
        cn_defer_destroy(commands, boid);
        cn_send(acting->deaths, SwarmDeath, {boid, cn_column_const(view, SwarmLife)[row].age});
        break;
    case FATE_BREEDS:
        give_birth(acting, boid, cn_column_const(view, SwarmPosition)[row],
                   cn_column_const(view, SwarmVelocity)[row]);
        break;
    case FATE_GROWS:
        cn_defer_remove(commands, boid, SwarmYoung);
        cn_defer_set_parent(commands, boid, (CnEntity){0});
        acting->counts->grown++;
        break;
    default:
        break;
    }
}

static void act_fates(CnSystemContext *context)
{
    CnWorld *world = context->world;
    const SwarmGrid *grid = cn_resource(world, SwarmGrid);
    Acting acting = {context,
                     cn_channel(world, SwarmBirth),
                     cn_channel(world, SwarmDeath),
                     cn_random_of(world, *(const CnComponent *)context->user),
                     cn_resource_mut(world, SwarmCounts),
                     cn_resource(world, SwarmSettings)->size,
                     grid->capacity - grid->count};
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        const SwarmFate *fate = cn_column_const(&view, SwarmFate);
        for (uint32_t i = 0; i < view.count; i++)
            if (fate[i].kind != FATE_NONE)
                act_out(&acting, &view, i, (SwarmFateKind)fate[i].kind);
    }
}

static void count_all(CnSystemContext *context)
{
    CnWorld *world = context->world;
    SwarmCounts *counts = cn_resource_mut(world, SwarmCounts);
    counts->births += cn_event_count(cn_channel(world, SwarmBirth));
    counts->deaths += cn_event_count(cn_channel(world, SwarmDeath));
    counts->alive = cn_query_count(context->query);
}

/* ---- Images ---- */

#define MAX_DRAWN 16384u

static void extract(CnSystemContext *context)
{
    CnRenderOut *out = cn_resource_mut(context->world, CnRenderOut);
    uint32_t left = cn_query_count(context->query);
    left = left < MAX_DRAWN ? left : MAX_DRAWN;
    CnRenderItem *item = cn_extract_items(out, left);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query);
         item && left && cn_query_next(&it, &view);) {
        const SwarmPosition *p = cn_column_const(&view, SwarmPosition);
        for (uint32_t i = 0; i < view.count && left; i++, left--)
            *item++ = (CnRenderItem){.entity = view.entities[i],
                                     .position = {p[i].x, p[i].y, 0},
                                     .rotation = {0, 0, 0, 1},
                                     .scale = {1, 1, 1}};
    }
}

/* ---- Building ---- */

typedef struct Swarm {
    CnAllocator *allocator;
    SwarmDesc desc;
    CnComponent fate_stream, birth_stream;
    bool has_grid; /* the one in the world is its own */
} Swarm;

static bool spawn_all(CnWorld *world, const Swarm *swarm, float size)
{
    CnRandom *random = cn_random_of(world, swarm->birth_stream);
    for (uint32_t i = 0; i < swarm->desc.entities; i++) {
        float x = cn_random_f32_range(random, 0, size), y = cn_random_f32_range(random, 0, size);
        CnVec2 way = cn_random_unit2(random);
        uint32_t age = GROWN_TICKS + 1 + (uint32_t)cn_random_below(random, OLD_TICKS);
        if (!cn_spawn(world, cn_with(SwarmPosition, {x, y}),
                      cn_with(SwarmVelocity, {way.x * 4.0f, way.y * 4.0f}),
                      cn_with(SwarmLife, {0.5f, age}), cn_with_default(SwarmFate))
                 .id)
            return false;
    }
    return true;
}

static bool add_resources(CnWorld *world, Swarm *swarm, CnError *error)
{
    const uint32_t side = cells_per_side(swarm->desc.entities);
    const float size = (float)side * CELL;
    SwarmGrid grid;
    bool done = make_grid(&grid, swarm->allocator, swarm->desc.entities) &&
                cn_resource_set_value(world, cn_id(world, SwarmGrid), &grid);
    if (!done) {
        swarm_grid_fini(&grid);
        return cn_error_memory(error, "swarm");
    }
    swarm->has_grid = true;
    swarm->fate_stream = cn_random_stream(world, "swarm.fate", error);
    swarm->birth_stream = cn_random_stream(world, "swarm.birth", error);
    done = swarm->fate_stream.id && swarm->birth_stream.id &&
           cn_resource_set(world, SwarmSettings, {swarm->desc.entities, size, side}) &&
           cn_resource_set(world, SwarmCounts, {.alive = swarm->desc.entities}) &&
           cn_resource_set(world, SwarmPointer, {0}) && cn_channel(world, SwarmBirth) &&
           cn_channel(world, SwarmDeath) && cn_register(world, SwarmYoung).id &&
           spawn_all(world, swarm, size);
    return done || cn_error_memory(error, "swarm");
}

static bool add_systems(CnWorld *world, Swarm *swarm, CnError *error)
{
    const CnSystemDesc pointer = {
        .name = "swarm_pointer",
        .run = read_pointer,
        .stage = CN_STAGE_PRE_UPDATE,
        .access = {cn_reads(CnInputState), cn_reads(SwarmSettings), cn_writes(SwarmPointer)}};
    const CnSystemDesc grid = {.name = "swarm_grid",
                               .run = fill_grid,
                               .stage = CN_STAGE_PRE_UPDATE,
                               .query = {.all = {cn_reads(SwarmPosition), cn_reads(SwarmVelocity)}},
                               .access = {cn_writes(SwarmGrid), cn_reads(SwarmSettings)}};
    const CnSystemDesc following = {
        .name = "swarm_follow",
        .run = follow,
        .stage = CN_STAGE_UPDATE,
        .query = {.all = {cn_reads(SwarmPosition), cn_writes(SwarmVelocity), cn_tag(SwarmYoung)}},
        .access = {cn_reads(CnNode), cn_reads(SwarmSettings)},
        .after = {"swarm_steer"}};
    const CnSystemDesc acting = {.name = "swarm_act",
                                 .run = act_fates,
                                 .user = &swarm->birth_stream,
                                 .stage = CN_STAGE_POST_UPDATE,
                                 .query = {.all = {cn_reads(SwarmFate), cn_reads(SwarmPosition),
                                                   cn_reads(SwarmVelocity), cn_reads(SwarmLife)}},
                                 .access = {cn_writes(SwarmBirth), cn_writes(SwarmDeath),
                                            cn_writes(SwarmCounts), cn_reads(SwarmSettings),
                                            cn_reads(SwarmGrid),
                                            cn_writes_id(swarm->birth_stream)}};
    const CnSystemDesc counting = {
        .name = "swarm_count",
        .run = count_all,
        .stage = CN_STAGE_PRE_EXTRACT,
        .query = {.all = {cn_reads(SwarmFate)}},
        .access = {cn_reads(SwarmBirth), cn_reads(SwarmDeath), cn_writes(SwarmCounts)}};
    const CnSystemDesc extraction = {.name = "swarm_extract",
                                     .run = extract,
                                     .stage = CN_STAGE_PRE_EXTRACT,
                                     .query = {.all = {cn_reads(SwarmPosition)}},
                                     .access = {cn_writes(CnRenderOut)}};
    return cn_system_add(world, &pointer, error).id && cn_system_add(world, &grid, error).id &&
           cn_system(
               world, swarm_steer, .stage = CN_STAGE_UPDATE, .split = true,
               .access = {cn_reads(SwarmGrid), cn_reads(SwarmPointer), cn_reads(SwarmSettings)})
               .id &&
           cn_system_add(world, &following, error).id &&
           cn_system(world, swarm_live, .stage = CN_STAGE_UPDATE, .split = true,
                     .user = &swarm->fate_stream, .after = {"swarm_follow"},
                     .access = {cn_reads(SwarmCounts), cn_reads(SwarmSettings),
                                cn_reads(CnTickInfo), cn_reads_id(swarm->fate_stream)})
               .id &&
           cn_system(world, swarm_move, .stage = CN_STAGE_UPDATE, .split = true,
                     .after = {"swarm_follow"}, .access = {cn_reads(SwarmSettings)})
               .id &&
           cn_system_add(world, &acting, error).id && cn_system_add(world, &counting, error).id &&
           cn_system_add(world, &extraction, error).id;
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    if (add_resources(world, user, error) && add_systems(world, user, error))
        return true;
    if (!error->code)
        cn_error_memory(error, "swarm");
    return false;
}

void swarm_report(const CnSim *sim, char *text, size_t text_bytes)
{
    const SwarmCounts *counts = cn_resource(cn_sim_world(sim), SwarmCounts);
    if (counts)
        cn_format(text, text_bytes, "%u alive, %llu born, %llu grown, %llu died", counts->alive,
                  (unsigned long long)counts->births, (unsigned long long)counts->grown,
                  (unsigned long long)counts->deaths);
    else
        cn_format(text, text_bytes, "no swarm");
}

static void finish(CnSim *sim, void *user)
{
    Swarm *swarm = user;
    if (swarm->has_grid) {
        swarm_grid_fini(cn_resource_mut(cn_sim_world(sim), SwarmGrid));
        cn_resource_remove(cn_sim_world(sim), SwarmGrid);
    }
    cn_free(swarm->allocator, swarm, sizeof *swarm);
}

static bool clone(CnSim *to, const CnSim *from, void *user, CnError *error)
{
    (void)from;
    const Swarm *swarm = user;
    return swarm_add(to, &swarm->desc, error);
}

bool swarm_add(CnSim *sim, const SwarmDesc *desc, CnError *error)
{
    CnAllocator *allocator = cn_sim_allocator(sim);
    uint32_t entities = desc && desc->entities ? desc->entities : 10000;
    if (entities > SWARM_MAX_ENTITIES)
        return cn_error_set(error, CN_ERROR_LIMIT, "swarm: at most %u entities",
                            SWARM_MAX_ENTITIES);
    Swarm *swarm = cn_alloc_zeroed(allocator, sizeof *swarm);
    if (!swarm)
        return cn_error_memory(error, "swarm");
    swarm->allocator = allocator;
    swarm->desc.entities = entities;
    const CnPlugin plugin = {.name = "Swarm",
                             .version = 1,
                             .needs = {"Random", "Io"},
                             .build = build,
                             .finish = finish,
                             .clone = clone,
                             .user = swarm};
    if (cn_sim_add_plugin(sim, &plugin, error))
        return true;
    finish(sim, swarm);
    return false;
}

/* ---- A player ---- */

void swarm_play(CnSim *sim, uint64_t seed, uint64_t tick)
{
    CnInputSource input = cn_sim_input(sim);
    const uint64_t key = cn_random_make(seed, "swarm.player").key;
    /* The hand rests for most ticks; each half second it goes somewhere else. */
    if (tick % 30 == 0) {
        uint64_t to = cn_random_at(key, tick, 0);
        cn_input_mouse_move(input, (float)(to & 1023) / 1024.0f, (float)(to >> 10 & 1023) / 1024.0f,
                            0, 0);
    }
    uint64_t action = cn_random_at(key, tick, 1);
    if (action % 97 == 0)
        cn_input_mouse_button(input, CN_MOUSE_LEFT, (action >> 32 & 1) != 0);
    if (action % 89 == 0)
        cn_input_key(input, CN_KEY_SPACE, (action >> 33 & 1) != 0);
}
