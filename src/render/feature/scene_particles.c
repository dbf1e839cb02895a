/*
 * Particles move along parabolas, so that each is a function of its start and of time. Frames only
 * start and remove them. Random numbers depend on the emitter and on how many particles it has
 * started before.
 */
#include "render/feature/scene_particles.h"
#include "render/core/radix_sort.h"

#include <cairn/base/linear.h>
#include <cairn/base/math.h>
#include <string.h>

#define LEAST_LIFE 1e-3f
#define LEAST_CAPACITY 1024u
#define MAX_RATE 1e6
#define MAX_STARTED 1e15

/* What a number of particles start from. */
typedef struct Source {
    const CnParticleStyle *style;
    CnVec3 position;
    CnQuat rotation;
    uint32_t seed[2];
    uint16_t emitter; /* CniRenderSceneParticle.emitter */
} Source;

void cni_render_scene_particles_init(CniRenderSceneParticles *self, CnAllocator *allocator)
{
    memset(self, 0, sizeof *self);
    cn_array_init(&self->particles, allocator);
    cn_array_init(&self->rows, allocator);
    cn_array_init(&self->order, allocator);
    cn_array_init(&self->scratch, allocator);
    cn_array_init(&self->keys, allocator);
}

void cni_render_scene_particles_fini(CniRenderSceneParticles *self)
{
    cn_array_fini(&self->particles);
    cn_array_fini(&self->rows);
    cn_array_fini(&self->order);
    cn_array_fini(&self->scratch);
    cn_array_fini(&self->keys);
}

static float maxf(float a, float b)
{
    return a > b ? a : b;
}

static double max(double a, double b)
{
    return a > b ? a : b;
}

static double min(double a, double b)
{
    return a < b ? a : b;
}

/* ---- Random numbers: three-dimensional PCG (Jarzynski and Olano 2020), as in particles.glsl ----
 */

static CnVec3 random3(uint32_t x, uint32_t y, uint32_t z)
{
    x = x * 1664525u + 1013904223u;
    y = y * 1664525u + 1013904223u;
    z = z * 1664525u + 1013904223u;
    for (uint32_t i = 0; i < 2; i++) {
        x += y * z;
        y += z * x;
        z += x * y;
        x ^= x >> 16;
        y ^= y >> 16;
        z ^= z >> 16;
    }
    const float unit = 1.0f / 16777216;
    return cn_vec3((float)(x >> 8) * unit, (float)(y >> 8) * unit, (float)(z >> 8) * unit);
}

/* ---- Starting particles ---- */

/* A direction in a cone, uniformly by solid angle. */
static CnVec3 in_cone(CnVec3 axis, float least_cosine, float a, float b)
{
    CnVec3 other = cn_fabsf(axis.x) < 0.9f ? cn_vec3(1, 0, 0) : cn_vec3(0, 1, 0);
    CnVec3 right = cn_vec3_normalize(cn_vec3_cross(axis, other));
    CnVec3 up = cn_vec3_cross(right, axis);
    float cosine = 1 - a * (1 - least_cosine), turn = 2 * CN_PIF * b;
    float side = cn_sqrtf(maxf(1 - cosine * cosine, 0));
    return cn_vec3_add(cn_vec3_scale(axis, cosine),
                       cn_vec3_add(cn_vec3_scale(right, side * cn_cosf(turn)),
                                   cn_vec3_scale(up, side * cn_sinf(turn))));
}

static CnVec3 offset_of(const CnParticleStyle *style, CnVec3 a, CnVec3 b)
{
    CnVec3 extents = style->extents;
    if (style->shape == CN_EMITTER_BOX)
        return cn_vec3(extents.x * (2 * a.x - 1), extents.y * (2 * a.y - 1),
                       extents.z * (2 * a.z - 1));
    if (style->shape != CN_EMITTER_SPHERE)
        return cn_vec3(0, 0, 0);
    /* The greatest of three numbers is distributed like the distance from the center. */
    float distance = extents.x * maxf(maxf(b.x, b.y), b.z);
    return cn_vec3_scale(in_cone(cn_vec3(0, 1, 0), -1, a.x, a.y), distance);
}

static float varied(float value, float variation, float random)
{
    return value * (1 + variation * (2 * random - 1));
}

static CnVec3 axis_of(const CnParticleStyle *style)
{
    float length = cn_vec3_length(style->direction);
    return length > 1e-6f ? cn_vec3_scale(style->direction, 1 / length) : cn_vec3(0, 1, 0);
}

static CniRenderSceneParticle make_particle(const Source *source, uint32_t number, double birth)
{
    const CnParticleStyle *style = source->style;
    uint32_t x = source->seed[0] ^ number * 0x9E3779B9u, y = source->seed[1], z = number * 4;
    CnVec3 a = random3(x, y, z), b = random3(x, y, z + 1), c = random3(x, y, z + 2),
           d = random3(x, y, z + 3);
    CnVec3 start = offset_of(style, a, b);
    CnVec3 velocity = cn_vec3_scale(in_cone(axis_of(style), style->spread_cosine, c.x, c.y),
                                    varied(style->speed, style->variation, c.z));
    float grown = varied(1, style->variation, d.y);
    if (!source->emitter) {
        start = cn_vec3_add(source->position, cn_quat_rotate(source->rotation, start));
        velocity = cn_quat_rotate(source->rotation, velocity);
    }
    return (CniRenderSceneParticle){
        .birth = birth,
        .start = start,
        .velocity = velocity,
        .life = maxf(varied(style->life, style->variation, d.x), LEAST_LIFE),
        .gravity = style->gravity,
        .start_size = style->start_size * grown,
        .end_size = style->end_size * grown,
        .start_color = style->start_color,
        .end_color = style->end_color,
        .emitter = source->emitter,
        .is_additive = (style->flags & CN_PARTICLES_ADDITIVE) != 0};
}

static bool reserve(CniRenderSceneParticles *self, uint32_t count)
{
    count = count < LEAST_CAPACITY ? LEAST_CAPACITY : count;
    return cn_array_reserve(&self->rows, count) && cn_array_reserve(&self->order, count) &&
           cn_array_reserve(&self->scratch, count) && cn_array_reserve(&self->keys, count) &&
           cn_array_reserve(&self->particles, count);
}

/* Returns how many of so many particles may start; the others are counted. */
static uint32_t make_room(CniRenderSceneParticles *self, uint32_t wanted)
{
    uint32_t count = self->particles.count, room = CN_MAX_SCENE_PARTICLES - count;
    uint32_t granted = wanted < room ? wanted : room;
    if (granted && !reserve(self, count + granted))
        granted = 0;
    self->stats.dropped_particles += wanted - granted;
    return granted;
}

static void start_burst(CniRenderSceneParticles *self, const Source *source, uint32_t first,
                        uint32_t count, double birth)
{
    count = make_room(self, count);
    for (uint32_t i = 0; i < count; i++)
        self->particles.items[self->particles.count++] = make_particle(source, first + i, birth);
    if (source->emitter)
        self->emitters[source->emitter - 1].alive += count;
}

/* ---- Emitters ---- */

static CniRenderSceneEmitter *find_emitter(CniRenderSceneParticles *self, CnEntity entity)
{
    for (uint32_t i = 0; i < self->emitter_count; i++)
        if (cn_entity_equal(self->emitters[i].entity, entity))
            return &self->emitters[i];
    return NULL;
}

static CniRenderSceneEmitter *add_emitter(CniRenderSceneParticles *self, CnEntity entity)
{
    uint32_t index = 0;
    while (index < self->emitter_count && !cn_entity_is_null(self->emitters[index].entity))
        index++;
    if (index == CN_MAX_SCENE_EMITTERS)
        return NULL;
    self->emitter_count = index == self->emitter_count ? index + 1 : self->emitter_count;
    self->emitters[index] = (CniRenderSceneEmitter){.entity = entity};
    return &self->emitters[index];
}

/* Interpolated between the snapshots; emitters usually have the same place in both. */
static void pose_of(const CniRenderParticleFrame *frame, uint32_t index, CnVec3 *position,
                    CnQuat *rotation)
{
    const CnRenderEmitter *now = &frame->current->emitters[index];
    const CnRenderSnapshot *previous = frame->previous;
    *position = now->position;
    *rotation = now->rotation;
    if (!previous)
        return;
    for (uint32_t i = 0; i < previous->emitter_count; i++) {
        const CnRenderEmitter *before = &previous->emitters[(index + i) % previous->emitter_count];
        if (!cn_entity_equal(before->entity, now->entity))
            continue;
        *position = cn_vec3_lerp(before->position, now->position, frame->alpha);
        *rotation = cn_quat_slerp(before->rotation, now->rotation, frame->alpha);
        return;
    }
}

/* Starts the particles of the time since the last frame, from where the emitter was at the time of
 * each. Those that have already ended are left out. */
static void emit(CniRenderSceneParticles *self, CniRenderSceneEmitter *emitter, Source *source,
                 double rate, double from, double to)
{
    double owed = emitter->owed, sum = owed + rate * (to - from);
    if (!(sum >= 1)) {
        emitter->owed = sum > 0 ? sum : 0;
        return;
    }
    double most = (double)CN_MAX_SCENE_PARTICLES;
    double life = (double)(source->style->life * (1 + source->style->variation));
    double skipped = cn_floor(max(owed + rate * (to - life - from), 0));
    double last = cn_floor(sum);
    skipped = max(skipped, last - most);
    emitter->owed = sum - last;
    uint32_t first = emitter->started + (uint32_t)(uint64_t)min(skipped, MAX_STARTED);
    emitter->started += (uint32_t)(uint64_t)min(last, MAX_STARTED);
    uint32_t count = last > skipped ? make_room(self, (uint32_t)(last - skipped)) : 0;
    const CnVec3 position = source->position;
    const CnQuat rotation = source->rotation;
    for (uint32_t i = 0; i < count; i++) {
        double birth = from + (skipped + 1 + i - owed) / rate;
        float t = (float)((birth - from) / (to - from));
        if (!source->emitter) {
            source->position = cn_vec3_lerp(emitter->position, position, t);
            source->rotation = cn_quat_slerp(emitter->rotation, rotation, t);
        }
        self->particles.items[self->particles.count++] = make_particle(source, first + i, birth);
    }
    source->position = position;
    source->rotation = rotation;
    emitter->alive += source->emitter ? count : 0;
}

static void advance_emitter(CniRenderSceneParticles *self, const CniRenderParticleFrame *frame,
                            uint32_t index, double time)
{
    const CnRenderEmitter *now = &frame->current->emitters[index];
    CniRenderSceneEmitter *emitter = find_emitter(self, now->entity);
    if (!emitter && !now->is_playing)
        return;
    if (!emitter)
        emitter = add_emitter(self, now->entity);
    if (!emitter) {
        self->stats.dropped_emitters++;
        return;
    }
    bool is_local = (now->style.flags & CN_PARTICLES_LOCAL) != 0;
    Source source = {.style = &now->style,
                     .seed = {(uint32_t)now->entity.id, (uint32_t)(now->entity.id >> 32)},
                     .emitter = is_local ? (uint16_t)(emitter - self->emitters + 1) : 0};
    pose_of(frame, index, &source.position, &source.rotation);
    emitter->is_seen = true;
    if (now->is_playing && !emitter->is_playing) {
        emitter->owed = 0;
        start_burst(self, &source, emitter->started, now->burst, time);
        emitter->started += now->burst;
    } else if (now->is_playing && now->rate > 0 && time > self->time) {
        emit(self, emitter, &source, min((double)now->rate, MAX_RATE), self->time, time);
    }
    emitter->is_playing = now->is_playing;
    emitter->position = source.position;
    emitter->rotation = source.rotation;
}

static void advance_emitters(CniRenderSceneParticles *self, const CniRenderParticleFrame *frame,
                             double time)
{
    for (uint32_t i = 0; i < self->emitter_count; i++)
        self->emitters[i].is_seen = false;
    for (uint32_t i = 0; i < frame->current->emitter_count; i++)
        advance_emitter(self, frame, i, time);
    self->stats.emitters = 0;
    for (uint32_t i = 0; i < self->emitter_count; i++) {
        CniRenderSceneEmitter *emitter = &self->emitters[i];
        emitter->is_playing = emitter->is_playing && emitter->is_seen;
        if (!emitter->is_playing && !emitter->alive)
            emitter->entity = (CnEntity){0};
        self->stats.emitters += !cn_entity_is_null(emitter->entity);
    }
    while (self->emitter_count && cn_entity_is_null(self->emitters[self->emitter_count - 1].entity))
        self->emitter_count--;
}

/* ---- Frames ---- */

static void start_bursts(CniRenderSceneParticles *self, const CnRenderSnapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->burst_count; i++) {
        const CnRenderBurst *burst = &snapshot->bursts[i];
        if (burst->tick < self->next_tick)
            continue;
        Source source = {.style = &burst->style,
                         .position = burst->position,
                         .rotation = burst->rotation,
                         .seed = {(uint32_t)burst->tick, burst->number}};
        start_burst(self, &source, 0, burst->count, burst->time);
    }
}

/* Keeps the order, which random access to memory must not decide. */
static void remove_ended(CniRenderSceneParticles *self, double time)
{
    uint32_t kept = 0;
    CniRenderSceneParticle *items = self->particles.items;
    for (uint32_t i = 0; i < self->particles.count; i++) {
        if (time - items[i].birth < (double)items[i].life) {
            if (kept != i)
                items[kept] = items[i];
            kept++;
        } else if (items[i].emitter) {
            self->emitters[items[i].emitter - 1].alive--;
        }
    }
    self->particles.count = kept;
}

/* After a jump to another world or back in time. */
static void clear(CniRenderSceneParticles *self, double time)
{
    cn_array_clear(&self->particles);
    memset(self->emitters, 0, self->emitter_count * sizeof *self->emitters);
    self->emitter_count = 0;
    self->next_tick = 0;
    self->time = time;
}

void cni_render_scene_particles_advance(CniRenderSceneParticles *self,
                                        const CniRenderParticleFrame *frame)
{
    double time = frame->current->time;
    if (frame->previous)
        time = frame->previous->time + (time - frame->previous->time) * (double)frame->alpha;
    if (!self->is_started || frame->world != self->world || time < self->time ||
        frame->current->tick + 1 < self->next_tick)
        clear(self, time);
    self->is_started = true;
    self->world = frame->world;
    remove_ended(self, time);
    advance_emitters(self, frame, time);
    start_bursts(self, frame->current);
    remove_ended(self, time); /* bursts of skipped snapshots */
    self->time = time;
    self->next_tick = frame->current->tick + 1;
    self->stats.particles = self->particles.count;
}

/* ---- Rows ---- */

static CniRenderParticleRow row_of(const CniRenderSceneParticles *self,
                                   const CniRenderSceneParticle *particle, CnVec3 eye)
{
    float age = (float)(self->time - particle->birth), t = age / particle->life;
    CnVec3 position = cn_vec3_add(particle->start, cn_vec3_scale(particle->velocity, age));
    if (particle->emitter) {
        const CniRenderSceneEmitter *emitter = &self->emitters[particle->emitter - 1];
        position = cn_vec3_add(emitter->position, cn_quat_rotate(emitter->rotation, position));
    }
    position.y -= 0.5f * particle->gravity * age * age;
    float size = particle->start_size + (particle->end_size - particle->start_size) * t;
    const CnVec4 *a = &particle->start_color, *b = &particle->end_color;
    return (CniRenderParticleRow){.from_eye = cn_vec3_sub(position, eye),
                                  .size = particle->is_additive ? -size : size,
                                  .color = {a->x + (b->x - a->x) * t, a->y + (b->y - a->y) * t,
                                            a->z + (b->z - a->z) * t, a->w + (b->w - a->w) * t}};
}

/* Bits of positive floats are in the order of their values. */
static uint64_t farthest_first(float depth)
{
    uint32_t bits;
    depth = depth > 0 ? depth : 0;
    memcpy(&bits, &depth, sizeof bits);
    return ~bits & 0xFFFFFFFFu;
}

void cni_render_scene_particles_sort(CniRenderSceneParticles *self, CnVec3 eye, CnVec3 forward)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->particles.count; i++) {
        const CniRenderSceneParticle *particle = &self->particles.items[i];
        if (particle->birth > self->time)
            continue;
        CniRenderParticleRow row = row_of(self, particle, eye);
        float depth = cn_vec3_dot(row.from_eye, forward);
        if (!(depth > -cn_fabsf(row.size)) || row.size == 0)
            continue;
        self->rows.items[count] = row;
        self->keys.items[count] = farthest_first(depth);
        self->order.items[count] = count;
        count++;
    }
    self->rows.count = self->order.count = count;
    if (count)
        cni_render_radix_sort(self->order.items, self->scratch.items, self->keys.items, count);
    self->stats.drawn = count;
}
