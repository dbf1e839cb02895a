#include "audio/acoustic_probe.h"

#include <cairn/base/clock.h>
#include <cairn/base/math.h>

/* ---- Blocks ---- */

static CnBlock block_at(const CniAcousticProbe *probe, CnCell cell)
{
    CnChunkPos at = cn_chunk_of(cell);
    int32_t x = at.x - probe->middle.x + CNI_ACOUSTICS_RADIUS;
    int32_t y = at.y - probe->middle.y + CNI_ACOUSTICS_RADIUS;
    int32_t z = at.z - probe->middle.z + CNI_ACOUSTICS_RADIUS;
    const uint32_t width = CNI_ACOUSTICS_WIDTH;
    if ((uint32_t)x >= width || (uint32_t)y >= width || (uint32_t)z >= width)
        return CN_BLOCK_AIR;
    const CnChunk *chunk = probe->chunks[(uint32_t)x + width * ((uint32_t)y + width * (uint32_t)z)];
    return chunk ? cn_chunk_get(chunk, (uint32_t)cell.x & 15, (uint32_t)cell.y & 15,
                                (uint32_t)cell.z & 15)
                 : CN_BLOCK_AIR;
}

static bool is_solid(const CnBlockTable *table, CnBlock block)
{
    return (table->flags[block] & CN_BLOCK_COLLIDES) &&
           (table->flags[block] & (CN_BLOCK_IS_OPAQUE | CN_BLOCK_IS_SEMI));
}

static bool is_foliage(const CnBlockTable *table, CnBlock block)
{
    return table->info[block].appearance & CN_BLOCK_LOOK_FOLIAGE;
}

/* How much of the energy of a sound a surface takes. */
static float absorption_of(const CnBlockTable *table, CnBlock block)
{
    static const float of_surface[CN_BLOCK_SURFACE_COUNT] = {[CN_BLOCK_SURFACE_STONE] = 0.05f,
                                                             [CN_BLOCK_SURFACE_GRASS] = 0.5f,
                                                             [CN_BLOCK_SURFACE_SAND] = 0.4f,
                                                             [CN_BLOCK_SURFACE_WOOD] = 0.15f};
    if (is_foliage(table, block))
        return 0.8f;
    uint8_t surface = table->info[block].surface;
    return of_surface[surface < CN_BLOCK_SURFACE_COUNT ? surface : CN_BLOCK_SURFACE_STONE];
}

/* ---- Rays ---- */

/* A walk through cells, in the order in which a ray meets them. */
typedef struct Walk {
    CnCell cell;
    int32_t step[3];
    float next[3], delta[3]; /* distances to the next border of a cell, and between borders */
    float entered, left;     /* distances at the borders of the cell */
} Walk;

static int32_t floor_of(float value)
{
    int32_t whole = (int32_t)value;
    return (float)whole > value ? whole - 1 : whole;
}

static float least_of(const float values[3])
{
    float least = values[0] < values[1] ? values[0] : values[1];
    return least < values[2] ? least : values[2];
}

static Walk walk_begin(CnVec3 from, CnVec3 direction)
{
    const float origin[3] = {from.x, from.y, from.z};
    const float along[3] = {direction.x, direction.y, direction.z};
    Walk walk = {.cell = {floor_of(from.x), floor_of(from.y), floor_of(from.z)}};
    for (int i = 0; i < 3; i++) {
        float offset = origin[i] - (float)floor_of(origin[i]);
        walk.step[i] = along[i] > 0 ? 1 : -1;
        walk.delta[i] = along[i] != 0 ? 1 / (along[i] > 0 ? along[i] : -along[i]) : 1e30f;
        walk.next[i] = (along[i] > 0 ? 1 - offset : offset) * walk.delta[i];
    }
    walk.left = least_of(walk.next);
    return walk;
}

static void walk_on(Walk *walk)
{
    int axis = walk->next[0] <= walk->next[1] && walk->next[0] <= walk->next[2] ? 0
               : walk->next[1] <= walk->next[2]                                 ? 1
                                                                                : 2;
    int32_t *const cells[3] = {&walk->cell.x, &walk->cell.y, &walk->cell.z};
    walk->entered = walk->next[axis];
    *cells[axis] += walk->step[axis];
    walk->next[axis] += walk->delta[axis];
    walk->left = least_of(walk->next);
}

/* ---- Occlusion ---- */

#define SOLID_DECIBELS 9.0f /* of high frequencies, per meter */
#define LEAVES_DECIBELS 1.5f
#define WATER_DECIBELS 6.0f
#define MOST_DECIBELS 42.0f
#define LOW_SHARE 0.3f /* of the loss that affects all frequencies */

static float loss_per_meter(const CnBlockTable *table, CnBlock block)
{
    if (table->flags[block] & CN_BLOCK_IS_WATER)
        return WATER_DECIBELS;
    if (!is_solid(table, block))
        return 0;
    return is_foliage(table, block) ? LEAVES_DECIBELS : SOLID_DECIBELS;
}

static float gain_of(float decibels)
{
    return cn_exp2f(decibels * -0.166096f); /* 10 ^ (-decibels / 20) */
}

/* Water around the listener is the medium, not an obstacle. */
static void occlude(const CniAcousticProbe *probe, CniAcousticVoice *voice, bool in_water)
{
    CnVec3 way = cn_vec3_sub(voice->place, probe->ear);
    float length = cn_vec3_length(way), decibels = 0;
    voice->gain = voice->lowpass = 1;
    if (length < 0.01f)
        return;
    /* The block that a voice lies in does not muffle it: most sounds are made by blocks. */
    CnCell last = {floor_of(voice->place.x), floor_of(voice->place.y), floor_of(voice->place.z)};
    float end = length < CNI_ACOUSTICS_REACH ? length : CNI_ACOUSTICS_REACH;
    Walk walk = walk_begin(probe->ear, cn_vec3_scale(way, 1 / length));
    while (walk.entered < end && decibels < MOST_DECIBELS) {
        CnBlock block = block_at(probe, walk.cell);
        bool is_last = walk.cell.x == last.x && walk.cell.y == last.y && walk.cell.z == last.z;
        bool is_medium = in_water && (probe->table->flags[block] & CN_BLOCK_IS_WATER);
        float way_inside = (walk.left < end ? walk.left : end) - walk.entered;
        if (!is_last && !is_medium)
            decibels += loss_per_meter(probe->table, block) * way_inside;
        walk_on(&walk);
    }
    decibels = decibels < MOST_DECIBELS ? decibels : MOST_DECIBELS;
    voice->gain = gain_of(decibels * LOW_SHARE);
    voice->lowpass = gain_of(decibels * (1 - LOW_SHARE));
}

/* ---- Space ---- */

#define CANOPY 0.2f

/* Directions that cover the sphere evenly: points of a Fibonacci spiral. */
static CnVec3 direction_of(uint32_t ray)
{
    float y = 1 - (2 * (float)ray + 1) / (float)CNI_ACOUSTICS_RAYS;
    float radius = cn_sqrtf(1 - y * y), angle = 2.39996323f * (float)ray, sine, cosine;
    cn_sincosf(angle, &sine, &cosine);
    return cn_vec3(cosine * radius, y, sine * radius);
}

typedef struct RayEnd {
    float distance; /* negative: the ray ended nowhere */
    CnBlock block;
} RayEnd;

static RayEnd trace(const CniAcousticProbe *probe, CnVec3 direction)
{
    Walk walk = walk_begin(probe->ear, direction);
    while (walk.entered < CNI_ACOUSTICS_REACH) {
        CnBlock block = block_at(probe, walk.cell);
        if (is_solid(probe->table, block))
            return (RayEnd){walk.entered, block};
        walk_on(&walk);
    }
    return (RayEnd){-1, CN_BLOCK_AIR};
}

/* `foliage`: share of the rays that end at leaves. Under a closed canopy no ray may be free. */
static CnSpaceKind kind_of(const CnAcousticSpace *space, float foliage, bool in_water)
{
    if (in_water)
        return CN_SPACE_WATER;
    if (foliage > CANOPY)
        return CN_SPACE_FOREST;
    if (space->openness < 0.12f && space->sky < 0.2f)
        return space->mean_path < 6 && space->openness < 0.05f ? CN_SPACE_ROOM : CN_SPACE_CAVE;
    return space->forest > 0.12f ? CN_SPACE_FOREST : CN_SPACE_FIELD;
}

CnReverb cni_acoustics_reverb(const CnAcousticSpace *space)
{
    float closed = 1 - space->openness;
    CnReverb reverb = {.muffle = 1};
    if (space->kind == CN_SPACE_WATER)
        return (CnReverb){.gain = 0.25f,
                          .decay_seconds = 1.5f,
                          .high_decay = 0.2f,
                          .high_gain = 0.1f,
                          .reflections_gain = 0.1f,
                          .reflections_delay = 0.005f,
                          .late_delay = 0.011f,
                          .muffle = 0.15f};
    /* Sabine's formula, 0.161 V / (a A), with 4 V / A for the mean free path. Rays that end
     * nowhere absorb everything. */
    float absorption = space->absorption * closed + space->openness;
    absorption = absorption > 0.03f ? absorption : 0.03f;
    reverb.decay_seconds = 0.04f * space->mean_path / absorption;
    reverb.decay_seconds = reverb.decay_seconds > 0.15f ? reverb.decay_seconds : 0.15f;
    reverb.decay_seconds = reverb.decay_seconds < 6 ? reverb.decay_seconds : 6;
    float level = closed * closed * (1 - space->absorption);
    reverb.gain = 0.35f * level * closed;
    reverb.high_decay = 0.85f - 0.6f * space->absorption;
    reverb.high_gain = 0.95f - 0.6f * space->absorption;
    reverb.reflections_gain = 0.25f * level + 0.05f * space->forest;
    reverb.reflections_delay = space->mean_path / 343;
    reverb.late_delay = space->mean_path / 686;
    reverb.diffusion = space->kind == CN_SPACE_FOREST ? 0.4f : 0.9f;
    return reverb;
}

static CnAcousticSpace survey(CniAcousticProbe *probe, bool in_water)
{
    CnAcousticSpace space = {0};
    uint32_t ends = 0, up = 0, free_up = 0, leaves = 0, trees = 0;
    float distances = 0, absorption = 0;
    for (uint32_t i = 0; i < CNI_ACOUSTICS_RAYS; i++) {
        CnVec3 direction = direction_of(i);
        RayEnd end = trace(probe, direction);
        bool is_up = direction.y > 0.3f, is_free = end.distance < 0;
        up += is_up;
        free_up += is_up && is_free;
        if (is_free)
            continue;
        ends++;
        distances += end.distance;
        absorption += absorption_of(probe->table, end.block);
        bool is_wood = probe->table->info[end.block].surface == CN_BLOCK_SURFACE_WOOD;
        bool is_leaf = is_foliage(probe->table, end.block);
        leaves += is_leaf;
        trees += is_leaf || (is_wood && direction.y > -0.3f);
    }
    probe->rays += CNI_ACOUSTICS_RAYS;
    space.openness = 1 - (float)ends / (float)CNI_ACOUSTICS_RAYS;
    space.sky = up ? (float)free_up / (float)up : 0;
    space.mean_path = ends ? distances / (float)ends : CNI_ACOUSTICS_REACH;
    space.absorption = ends ? absorption / (float)ends : 1;
    space.forest = (float)trees / (float)CNI_ACOUSTICS_RAYS;
    space.kind = kind_of(&space, (float)leaves / (float)CNI_ACOUSTICS_RAYS, in_water);
    space.reverb = cni_acoustics_reverb(&space);
    return space;
}

void cni_acoustics_run(CniAcousticProbe *probe)
{
    uint64_t begin_ns = cn_clock_ns();
    CnCell cell = {floor_of(probe->ear.x), floor_of(probe->ear.y), floor_of(probe->ear.z)};
    bool in_water = probe->table->flags[block_at(probe, cell)] & CN_BLOCK_IS_WATER;
    probe->rays = probe->voice_count;
    probe->space = survey(probe, in_water);
    for (uint32_t i = 0; i < probe->voice_count; i++)
        occlude(probe, &probe->voices[i], in_water);
    probe->seconds = cn_seconds(cn_clock_ns() - begin_ns);
}
