#include "emitters.h"

#include <cairn/base/math.h>

enum {
    CHIPS,
    RAIN,
    SPLASHES,
    SNOW,
    SMOKE,
    FLAMES,
    EMBERS,
    HEARTS,
    CLOUDS,
    FEATHERS,
    DEBRIS,
    BLAST_SMOKE,
    GLARE,
    EMITTERS
};

#define CHIP_COUNT 4
#define BREAK_COUNT 14
#define GROUND_SIZE 64
#define BIOME_SIZE 8            /* columns in each direction that share one weather lookup */
#define ROWS_A_FRAME BIOME_SIZE /* ground rows looked up per frame */
#define CHIP_SECONDS 2.0f       /* time for which the ground is sampled for debris */
#define DEEPEST 8               /* blocks that debris may fall below a roof */
#define FLAME_REACH 28.0f
#define FLAME_SECONDS 0.1f /* between two flames of a torch */
#define SMOKE_PART 4u      /* one in so many flames emits smoke */
#define EMBER_PART 7u      /* one in so many flames emits an ember */
#define MAX_TORCHES 48u
#define MIN_WEATHER 0.005f

static const CnEmitterDesc descs[EMITTERS] = {
    [CHIPS] = {.name = "chips",
               .max_particles = 1024,
               .radius = 0.15f,
               .cone = 1.5707963f,
               .lifetime = {0.5f, 1.0f},
               .speed = {2.0f, 4.5f},
               .size = {0.025f, 0.05f},
               .gravity = 14,
               .drag = 0.6f,
               .color = {1, 1, 1},
               .vary = 0.35f,
               .alpha = 1,
               .fade = 0.1f,
               .collides = true},
    [RAIN] = {.name = "rain",
              .max_particles = 65536,
              .follows_camera = true,
              .half_extents = {20, 16, 20},
              .lifetime = {1.2f, 1.3f},
              .size = {0.018f, 0.028f},
              .rate = 50000,
              .velocity = {1.2f, -24, 0.5f},
              .color = {0.80f, 0.87f, 0.95f},
              .alpha = 0.36f,
              .shape = CN_PARTICLE_STREAK,
              .collides = true,
              .splash = SPLASHES + 1},
    [SPLASHES] = {.name = "splashes",
                  .max_particles = 1,
                  .cone = 1,
                  .lifetime = {0.1f, 0.22f},
                  .speed = {0.8f, 1.6f},
                  .size = {0.02f, 0.04f},
                  .gravity = 10,
                  .color = {0.80f, 0.87f, 0.95f},
                  .alpha = 0.5f,
                  .fade = 0.1f},
    [SNOW] = {.name = "snow",
              .max_particles = 49152,
              .follows_camera = true,
              .half_extents = {20, 12, 20},
              .lifetime = {7, 8},
              .size = {0.06f, 0.11f},
              .rate = 5500,
              .velocity = {0.5f, -2.4f, 0.2f},
              .flutter = 0.5f,
              .color = {0.92f, 0.94f, 1.0f},
              .alpha = 0.9f,
              .fade = 1,
              .shape = CN_PARTICLE_ROUND,
              .collides = true},
    [SMOKE] = {.name = "smoke",
               .max_particles = 1024,
               .radius = 0.03f,
               .cone = 0.3f,
               .lifetime = {1.0f, 2.0f},
               .speed = {0.35f, 0.6f},
               .size = {0.07f, 0.12f},
               .grow = 3,
               .drag = 0.4f,
               .flutter = 0.06f,
               .color = {0.10f, 0.095f, 0.09f},
               .alpha = 0.35f,
               .fade = 1.2f,
               .shape = CN_PARTICLE_ROUND},
    [FLAMES] = {.name = "flames",
                .max_particles = 1024,
                .radius = 0.03f,
                .cone = 0.2f,
                .lifetime = {0.25f, 0.5f},
                .speed = {0.3f, 0.6f},
                .size = {0.16f, 0.26f},
                .grow = 0.3f,
                .color = {1, 0.42f, 0.08f},
                .vary = 0.2f,
                .alpha = 0.5f,
                .fade = 0.3f,
                .emission = 2.4f,
                .shape = CN_PARTICLE_ROUND},
    [EMBERS] = {.name = "embers",
                .max_particles = 512,
                .radius = 0.05f,
                .cone = 0.7f,
                .lifetime = {0.6f, 1.4f},
                .speed = {0.4f, 1.1f},
                .size = {0.02f, 0.035f},
                .grow = 0.4f,
                .gravity = -0.4f,
                .drag = 0.8f,
                .flutter = 0.25f,
                .color = {1, 0.35f, 0.06f},
                .alpha = 1,
                .fade = 0.5f,
                .emission = 5},
    [HEARTS] = {.name = "hearts",
                .max_particles = 256,
                .radius = 0.35f,
                .cone = 0.5f,
                .lifetime = {0.9f, 1.5f},
                .speed = {0.3f, 0.7f},
                .size = {0.09f, 0.14f},
                .gravity = -0.3f,
                .drag = 1.2f,
                .flutter = 0.15f,
                .color = {0.7f, 0.015f, 0.05f},
                .vary = 0.2f,
                .alpha = 1,
                .fade = 0.4f,
                .emission = 0.15f},
    [CLOUDS] = {.name = "clouds",
                .max_particles = 512,
                .radius = 0.3f,
                .cone = 1.5707963f,
                .lifetime = {0.5f, 1.0f},
                .speed = {0.4f, 1.0f},
                .size = {0.08f, 0.14f},
                .grow = 1.6f,
                .gravity = -0.5f,
                .drag = 2,
                .color = {0.85f, 0.85f, 0.85f},
                .vary = 0.1f,
                .alpha = 0.7f,
                .fade = 0.6f,
                .shape = CN_PARTICLE_ROUND},
    [FEATHERS] = {.name = "feathers",
                  .max_particles = 256,
                  .radius = 0.25f,
                  .cone = 1.5707963f,
                  .lifetime = {1.2f, 2.2f},
                  .speed = {0.6f, 1.5f},
                  .size = {0.03f, 0.055f},
                  .gravity = 0.9f,
                  .drag = 2.5f,
                  .flutter = 0.5f,
                  .color = {1, 1, 1},
                  .vary = 0.15f,
                  .alpha = 1,
                  .fade = 0.4f,
                  .collides = true},
    [DEBRIS] = {.name = "debris",
                .max_particles = 1024,
                .radius = 0.8f,
                .cone = 1.3f,
                .lifetime = {0.8f, 1.8f},
                .speed = {4, 11},
                .size = {0.05f, 0.12f},
                .gravity = 14,
                .drag = 0.5f,
                .color = {1, 1, 1},
                .vary = 0.4f,
                .alpha = 1,
                .fade = 0.2f,
                .collides = true},
    [BLAST_SMOKE] = {.name = "blast smoke",
                     .max_particles = 512,
                     .radius = 1,
                     .cone = 1.5707963f,
                     .lifetime = {1.2f, 2.6f},
                     .speed = {0.8f, 3},
                     .size = {0.25f, 0.5f},
                     .grow = 2,
                     .gravity = -0.4f,
                     .drag = 1.6f,
                     .flutter = 0.2f,
                     .color = {0.16f, 0.155f, 0.15f},
                     .vary = 0.3f,
                     .alpha = 0.6f,
                     .fade = 1.2f,
                     .shape = CN_PARTICLE_ROUND},
    [GLARE] = {.name = "glare",
               .max_particles = 64,
               .radius = 0.3f,
               .cone = 1.5707963f,
               .lifetime = {0.12f, 0.28f},
               .speed = {0.5f, 2},
               .size = {0.6f, 1.2f},
               .grow = 1.5f,
               .color = {1, 0.7f, 0.3f},
               .alpha = 0.9f,
               .fade = 0.2f,
               .emission = 6,
               .shape = CN_PARTICLE_ROUND},
};

struct CraftyEmitters {
    CnParticleSystem *particles;
    /* The ground around the camera, looked up row by row. */
    CnGroundColumn columns[GROUND_SIZE * GROUND_SIZE];
    int32_t x, z;  /* of its corner */
    uint32_t row;  /* next row to look up */
    bool is_known; /* every row is known */
    float chip_seconds, flame_seconds;
    uint32_t flame_round;
};

CraftyEmitters *crafty_emitters_create(CnError *error)
{
    CraftyEmitters *emitters = cn_alloc_zeroed(cn_system_allocator(), sizeof *emitters);
    if (!emitters) {
        cn_error_memory(error, "particle emitters");
        return NULL;
    }
    emitters->particles = cn_particle_system_create(
        &(CnParticleSystemDesc){
            .allocator = cn_system_allocator(), .emitters = descs, .emitter_count = EMITTERS},
        error);
    if (emitters->particles)
        return emitters;
    crafty_emitters_destroy(emitters);
    return NULL;
}

void crafty_emitters_destroy(CraftyEmitters *emitters)
{
    if (!emitters)
        return;
    cn_particle_system_destroy(emitters->particles);
    cn_free(cn_system_allocator(), emitters, sizeof *emitters);
}

CnParticleSystem *crafty_emitters_particles(CraftyEmitters *emitters)
{
    return emitters->particles;
}

/* ---- Debris ---- */

/* Returns the brightest light next to a block; the cell of the block itself is dark. */
static void light_around(CnVoxels *voxels, CnCell cell, CnBurst *burst)
{
    static const int8_t steps[7][3] = {{0, 0, 0}, {0, 0, -1}, {0, 0, 1}, {-1, 0, 0},
                                       {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
    int sky = 0, block = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(steps); i++) {
        CnCell next = {cell.x + steps[i][0], cell.y + steps[i][1], cell.z + steps[i][2]};
        if (!cn_cell_is_in_world(next))
            continue;
        uint8_t light = cn_voxels_light(voxels, next);
        sky = light >> 4 > sky ? light >> 4 : sky;
        block = (light & 15) > block ? light & 15 : block;
    }
    burst->sky_light = (float)sky / 15;
    burst->block_light = (float)block / 15;
}

/* Finds the floor on which debris from a block under a roof lands. */
static void find_floor(CnVoxels *voxels, CnCell cell, CnBurst *burst)
{
    burst->has_floor = cn_voxels_height(voxels, cell.x, cell.z) > cell.y;
    burst->floor = (float)(cell.y - DEEPEST);
    for (int32_t y = cell.y - 1; y > cell.y - DEEPEST; y--) {
        CnBlock block = cn_voxels_get(voxels, (CnCell){cell.x, y, cell.z});
        if (!(cn_voxels_blocks(voxels)->flags[block] & CN_BLOCK_COLLIDES))
            continue;
        burst->floor = (float)(y + 1);
        return;
    }
}

void crafty_emitters_interact(CraftyEmitters *emitters, CnVoxels *voxels,
                              const CnInteractEvent *events, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const CnInteractEvent *event = &events[i];
        if (event->kind != CN_INTERACT_CHIP && event->kind != CN_INTERACT_BREAK)
            continue;
        CnCell cell = event->cell;
        CnBurst burst = {
            .emitter = CHIPS,
            .count = event->kind == CN_INTERACT_CHIP ? CHIP_COUNT : BREAK_COUNT,
            .position = {(float)cell.x + 0.5f, (float)cell.y + 0.5f, (float)cell.z + 0.5f},
            .color = {event->color[0], event->color[1], event->color[2]}};
        light_around(voxels, cell, &burst);
        find_floor(voxels, cell, &burst);
        emitters->chip_seconds = CHIP_SECONDS;
        cn_particle_system_burst(emitters->particles, &burst);
    }
}

/* ---- Creatures ---- */

void crafty_emitters_burst(CraftyEmitters *emitters, CnVoxels *voxels, CraftyBurst kind,
                           uint32_t count, CnVec3 position, CnVec3 color)
{
    static const uint8_t kinds[CRAFTY_BURST_COUNT] = {HEARTS, CLOUDS, FEATHERS, CHIPS, DEBRIS};
    CnCell cell = {(int32_t)cn_floorf(position.x), (int32_t)cn_floorf(position.y),
                   (int32_t)cn_floorf(position.z)};
    bool is_plain = kind == CRAFTY_BURST_HEARTS || kind == CRAFTY_BURST_POOF;
    CnBurst burst = {.emitter = kinds[kind],
                     .count = count,
                     .position = position,
                     .color = is_plain ? cn_vec3(1, 1, 1) : color};
    light_around(voxels, cell, &burst);
    find_floor(voxels, cell, &burst);
    emitters->chip_seconds = CHIP_SECONDS;
    cn_particle_system_burst(emitters->particles, &burst);
    if (kind != CRAFTY_BURST_BLAST)
        return;
    burst.color = cn_vec3(1, 1, 1);
    burst.emitter = BLAST_SMOKE;
    burst.count = count / 2 + 1;
    cn_particle_system_burst(emitters->particles, &burst);
    burst.emitter = GLARE;
    burst.count = count / 8 + 1;
    cn_particle_system_burst(emitters->particles, &burst);
}

/* ---- Weather ---- */

/* Returns what falls in a biome: snow where it is cold, nothing in deserts, rain elsewhere. Weather
 * that the camera's own biome does not have was set explicitly and applies everywhere. */
static uint16_t falls_at(const CraftyEmittersFrame *frame, int32_t x, int32_t z)
{
    const uint16_t rain = 1 << RAIN, snow = 1 << SNOW;
    CraftyWeatherKind kind = frame->snow > frame->rain ? CRAFTY_LIGHT_SNOW : CRAFTY_LIGHT_RAIN;
    if (!crafty_weather_weight(frame->biome, kind))
        return kind == CRAFTY_LIGHT_SNOW ? snow : rain;
    CnBiome biome = cn_generate_column(frame->generator, frame->scratch, x, z).biome;
    return (uint16_t)((crafty_weather_weight(biome, CRAFTY_LIGHT_RAIN) ? rain : 0) |
                      (crafty_weather_weight(biome, CRAFTY_LIGHT_SNOW) ? snow : 0));
}

static void look_up_row(CraftyEmitters *emitters, const CraftyEmittersFrame *frame)
{
    CnGroundColumn *row = &emitters->columns[emitters->row * GROUND_SIZE];
    int32_t z = emitters->z + (int32_t)emitters->row;
    for (int32_t i = 0; i < GROUND_SIZE; i++) {
        int32_t x = emitters->x + i;
        row[i].height = (int16_t)(cn_voxels_height(frame->voxels, x, z) + 1);
        if (emitters->row % BIOME_SIZE)
            row[i].falls = row[i - GROUND_SIZE].falls;
        else
            row[i].falls = i % BIOME_SIZE ? row[i - 1].falls : falls_at(frame, x, z);
    }
    emitters->row++;
}

/* Looks up a few rows per frame, and all of them before the first drop falls. */
static void look_at_ground(CraftyEmitters *emitters, const CraftyEmittersFrame *frame)
{
    if (emitters->row == 0) {
        emitters->x = (int32_t)cn_floorf(frame->eye.x) - GROUND_SIZE / 2;
        emitters->z = (int32_t)cn_floorf(frame->eye.z) - GROUND_SIZE / 2;
    }
    uint32_t rows = emitters->is_known ? ROWS_A_FRAME : GROUND_SIZE;
    for (uint32_t i = 0; i < rows && emitters->row < GROUND_SIZE; i++)
        look_up_row(emitters, frame);
    if (emitters->row < GROUND_SIZE)
        return;
    emitters->row = 0;
    emitters->is_known = true;
    cn_particle_system_set_ground(emitters->particles, emitters->x, emitters->z, GROUND_SIZE,
                                  emitters->columns);
}

/* ---- Torches ---- */

static void let_torches_burn(CraftyEmitters *emitters, const CraftyEmittersFrame *frame)
{
    emitters->flame_seconds += frame->seconds;
    if (emitters->flame_seconds < FLAME_SECONDS)
        return;
    emitters->flame_seconds = 0;
    emitters->flame_round++;
    CnVec3 flames[MAX_TORCHES];
    uint32_t count =
        crafty_lamps_flames(frame->lamps, frame->eye, FLAME_REACH, flames, MAX_TORCHES);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t turn = emitters->flame_round + i;
        CnBurst burst = {.emitter = FLAMES, .count = 1, .position = flames[i], .color = {1, 1, 1}};
        cn_particle_system_burst(emitters->particles, &burst);
        burst.emitter = EMBERS;
        if (turn % EMBER_PART == 0)
            cn_particle_system_burst(emitters->particles, &burst);
        burst.emitter = SMOKE;
        if (turn % SMOKE_PART == 0)
            cn_particle_system_burst(emitters->particles, &burst);
    }
}

void crafty_emitters_frame(CraftyEmitters *emitters, const CraftyEmittersFrame *frame)
{
    /* Eased values never reach their target exactly. */
    float falls = frame->rain > frame->snow ? frame->rain : frame->snow;
    falls = falls > MIN_WEATHER ? falls : 0;
    if (falls > 0 || emitters->chip_seconds > 0)
        look_at_ground(emitters, frame);
    emitters->chip_seconds -= frame->seconds;
    cn_particle_system_set_strength(emitters->particles, RAIN, falls);
    cn_particle_system_set_strength(emitters->particles, SNOW, falls);
    let_torches_burn(emitters, frame);
}
