/*
 * Particles: spawned, updated and compacted by compute passes, and drawn by one indirect draw. Each
 * emitter has a ring of slots in one buffer; new particles replace the oldest. Emitters without
 * particles cost nothing.
 */
#include "render/block/block_view.h"
#include "render/feature/particle_system.h"

#include "shaders/render/feature/particles.frag.h"
#include "shaders/render/feature/particles.vert.h"
#include "shaders/render/feature/particles_spawn.comp.h"
#include "shaders/render/feature/particles_update.comp.h"

#include <cairn/base/math.h>

#include <string.h>

#define GROUP 64u
#define MAX_SPAWNS (CNI_RENDER_MAX_BURSTS + CN_MAX_EMITTERS)
#define MAX_SECONDS 0.1f /* per step */
#define ORIGIN_STEP 256  /* blocks: origins are multiples of it */
#define DRAW_WORDS 4u    /* of an indirect draw */
#define HEAD_WORDS 5u    /* and the number of draws */
#define NO_FLOOR (-2000.0f)
#define MAX_LAMPS 16u  /* that light particles, the nearest */
#define FAR_JUMP 12.0f /* blocks per frame: weather is filled in at once, as after a start */

enum { EMITTER_COLLIDES = 16, EMITTER_AROUND_EYE = 32 };

typedef struct ParticleRow { /* the struct Particle of particles.glsl */
    float numbers[9];
    uint32_t color, light, emitter;
} ParticleRow;

typedef struct EmitterRow { /* particles.glsl */
    CnVec4 box, velocity, color, ranges, more, last, looks;
    uint32_t first, count, flags, splash;
} EmitterRow;

typedef struct SpawnRow { /* particles.glsl */
    CnVec3 position;
    uint32_t emitter;
    CnVec3 color;
    uint32_t end;
    float sky, block;
    uint32_t slot, seed;
    float floor;     /* relative to the origin; NO_FLOOR: the ground */
    uint32_t is_old; /* spawned as if they had existed for a while */
    uint32_t unused[2];
} SpawnRow;

typedef struct ParticleData { /* particles.glsl, without spawns */
    CnVec4 eye, shift;
    int32_t ground[4];
    uint32_t counts[4];
    EmitterRow emitters[CN_MAX_EMITTERS];
} ParticleData;

typedef struct DrawConstants { /* particles.vert */
    CnMat4 eye_to_clip;
    uint32_t lamps;
} DrawConstants;

typedef struct Ring {
    uint32_t next;   /* slot */
    uint32_t made;   /* in this frame: at most all slots, so that none is written twice */
    float owed;      /* fraction of the next particle */
    double busy_end; /* time at which the last particle dies, in seconds of `now` */
} Ring;

typedef struct Particles {
    CnRenderer *renderer;
    CnParticleSystem *particle_system; /* NULL: not attached */
    CnRenderPipeline spawn, update, draw;
    CnGpuBuffer buffer, draw_buffer;
    bool is_clear; /* the buffers were initialized */
    /* Number of drawn particles, read back when a frame completes. */
    CnGpuBuffer counts[CN_GPU_FRAMES];
    bool is_counted[CN_GPU_FRAMES];
    uint64_t counted_in[CN_GPU_FRAMES]; /* number of that frame */
    Ring rings[CN_MAX_EMITTERS];
    int32_t origin[3];
    uint32_t seed;
    double now;      /* particle time in seconds */
    CnVec3 last_eye; /* camera position of the previous frame */

    /* Of the frame. */
    CnFrame *frame;
    SpawnRow spawns[MAX_SPAWNS];
    uint32_t spawn_count, made;
    CnGpuUpload data, ground;
    uint64_t data_bytes, ground_bytes;
    CnGraphBuffer particles, draws, count;
    CnGraphTexture irradiance, depth;
    bool is_fresh, has_lamps;
} Particles;

/* ---- Setup ---- */

static CnRenderPipeline make_compute(CnRenderer *renderer, const char *name, CnShader shader,
                                     CnError *error)
{
    return cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){
            .compute = shader,
            .state = {.name = name,
                      .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_STORAGE, CN_GPU_BIND_STORAGE,
                                   CN_GPU_BIND_STORAGE, CN_GPU_BIND_STORAGE},
                      .constants = sizeof(uint32_t)}},
        error);
}

static bool make_pipelines(CnRenderer *renderer, Particles *self, CnError *error)
{
    self->spawn = make_compute(renderer, "make particles",
                               (CnShader)CN_SHADER(render_feature_particles_spawn_comp), error);
    self->update = make_compute(renderer, "move particles",
                                (CnShader)CN_SHADER(render_feature_particles_update_comp), error);
    self->draw = cn_render_pipeline_create(
        renderer,
        &(CnRenderPipelineDesc){
            .vertex = CN_SHADER(render_feature_particles_vert),
            .fragment = CN_SHADER(render_feature_particles_frag),
            .state = {.name = "particles",
                      .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_STORAGE, CN_GPU_BIND_STORAGE,
                                   CN_GPU_BIND_STORAGE, CN_GPU_BIND_TEXTURE, CN_GPU_BIND_TEXTURE,
                                   CN_GPU_BIND_STORAGE},
                      .constants = sizeof(DrawConstants),
                      .color = {CN_HDR_FORMAT},
                      .blend = {CN_GPU_BLEND_PREMULTIPLIED},
                      .depth = CN_DEPTH_FORMAT,
                      .depth_test = CN_GPU_GREATER_EQUAL}},
        error);
    return self->spawn.id && self->update.id && self->draw.id;
}

static bool setup(CnRenderer *renderer, void *feature, const void *options, CnError *error)
{
    Particles *self = feature;
    CnParticleSystem *particle_system =
        options ? ((const CnParticlesOptions *)options)->system : NULL;
    if (!particle_system || particle_system->emitter_count == 0)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "particles need a particle system with emitters");
    if (particle_system->users > 0)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "another feature already draws this particle system");
    self->renderer = renderer;
    self->particle_system = particle_system;
    particle_system->users++;
    self->buffer = cn_gpu_buffer_create(
        renderer->gpu,
        &(CnGpuBufferDesc){.name = "particles",
                           .size =
                               (uint64_t)particle_system->firsts[particle_system->emitter_count] *
                               sizeof(ParticleRow),
                           .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_COPY_TO},
        error);
    self->draw_buffer = cn_gpu_buffer_create(
        renderer->gpu,
        &(CnGpuBufferDesc){
            .name = "particles to draw",
            .size =
                (HEAD_WORDS + (uint64_t)particle_system->firsts[particle_system->emitter_count]) *
                sizeof(uint32_t),
            .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_INDIRECT | CN_GPU_USE_COPY_TO |
                     CN_GPU_USE_COPY_FROM},
        error);
    bool has_counts = true;
    for (uint32_t i = 0; i < CN_GPU_FRAMES && has_counts; i++) {
        self->counts[i] = cn_gpu_buffer_create(renderer->gpu,
                                               &(CnGpuBufferDesc){.name = "particle count",
                                                                  .size = sizeof(uint32_t),
                                                                  .usage = CN_GPU_USE_COPY_TO,
                                                                  .memory = CN_GPU_MEMORY_READBACK},
                                               error);
        has_counts = self->counts[i].id != 0;
    }
    return self->buffer.id && self->draw_buffer.id && has_counts &&
           make_pipelines(renderer, self, error);
}

static void destroy(CnRenderer *renderer, void *feature)
{
    Particles *self = feature;
    CnRenderPipeline pipelines[] = {self->spawn, self->update, self->draw};
    for (uint32_t i = 0; i < CN_COUNT_OF(pipelines); i++)
        cn_render_pipeline_destroy(renderer, pipelines[i]);
    if (self->buffer.id)
        cn_gpu_buffer_destroy(renderer->gpu, self->buffer);
    if (self->draw_buffer.id)
        cn_gpu_buffer_destroy(renderer->gpu, self->draw_buffer);
    for (uint32_t i = 0; i < CN_GPU_FRAMES; i++) {
        if (self->counts[i].id)
            cn_gpu_buffer_destroy(renderer->gpu, self->counts[i]);
    }
    if (self->particle_system)
        self->particle_system->users--;
}

/* ---- Spawning ---- */

static float longest_life(const CnParticleSystem *particle_system, uint32_t emitter)
{
    const CnEmitterDesc *desc = &particle_system->emitters[emitter];
    float splash = desc->splash ? particle_system->emitters[desc->splash - 1].lifetime[1] : 0;
    return desc->lifetime[1] + splash;
}

static void add_spawn(Particles *self, uint32_t count, SpawnRow row)
{
    Ring *ring = &self->rings[row.emitter];
    uint32_t most = self->particle_system->emitters[row.emitter].max_particles;
    count = count < most - ring->made ? count : most - ring->made;
    if (count == 0 || self->spawn_count == MAX_SPAWNS)
        return;
    self->made += count;
    ring->made += count;
    row.end = self->made;
    row.slot = ring->next;
    row.seed = self->seed++;
    self->spawns[self->spawn_count++] = row;
    ring->next = (ring->next + count) % most;
    double end =
        self->now + (double)longest_life(self->particle_system, row.emitter) + (double)MAX_SECONDS;
    ring->busy_end = end > ring->busy_end ? end : ring->busy_end;
}

static CnVec3 from_origin(const Particles *self, CnVec3 position)
{
    return cn_vec3((float)((double)position.x - self->origin[0]),
                   (float)((double)position.y - self->origin[1]),
                   (float)((double)position.z - self->origin[2]));
}

/* Called with the lock of the particle system held. */
static void take_bursts(Particles *self)
{
    CnParticleSystem *particle_system = self->particle_system;
    for (uint32_t i = 0; i < particle_system->burst_count; i++) {
        const CnBurst *burst = &particle_system->bursts[i];
        add_spawn(self, burst->count,
                  (SpawnRow){.position = from_origin(self, burst->position),
                             .emitter = burst->emitter,
                             .color = burst->color,
                             .sky = burst->sky_light,
                             .block = burst->block_light,
                             .floor = burst->has_floor
                                          ? (float)((double)burst->floor - self->origin[1])
                                          : NO_FLOOR});
    }
    particle_system->burst_count = 0;
}

static bool is_busy(const Particles *self, uint32_t emitter)
{
    return self->rings[emitter].busy_end > self->now;
}

/* Weather that starts, or that the camera jumps to, is filled with particles of all ages. */
static void take_weather(Particles *self, CnVec3 eye, float seconds)
{
    CnParticleSystem *particle_system = self->particle_system;
    bool jumps = cn_vec3_length(cn_vec3_sub(eye, self->last_eye)) > FAR_JUMP;
    for (uint32_t i = 0; i < particle_system->emitter_count; i++) {
        const CnEmitterDesc *desc = &particle_system->emitters[i];
        Ring *ring = &self->rings[i];
        if (!desc->follows_camera)
            continue;
        bool is_old = particle_system->strengths[i] > 0 && (jumps || !is_busy(self, i));
        float life = 0.5f * (desc->lifetime[0] + desc->lifetime[1]);
        ring->owed += desc->rate * particle_system->strengths[i] * (is_old ? life : seconds);
        uint32_t count = (uint32_t)ring->owed;
        ring->owed -= (float)count;
        add_spawn(
            self, count,
            (SpawnRow){
                .emitter = i, .color = {1, 1, 1}, .sky = 1, .floor = NO_FLOOR, .is_old = is_old});
    }
    self->last_eye = eye;
}

static CnVec3 eye_of(const CnFrame *frame)
{
    return cn_vec3_add(frame->view.position, frame->origin);
}

/* Keeps positions small wherever the camera is. */
static CnVec4 move_origin(Particles *self, CnVec3 eye)
{
    const float at[3] = {eye.x, eye.y, eye.z};
    float shift[3] = {0, 0, 0};
    for (uint32_t axis = 0; axis < 3; axis++) {
        float from = at[axis] - (float)self->origin[axis];
        if (from >= -2 * ORIGIN_STEP && from <= 2 * ORIGIN_STEP)
            continue;
        int32_t origin = (int32_t)cn_floorf(at[axis] / ORIGIN_STEP) * ORIGIN_STEP;
        shift[axis] = (float)(self->origin[axis] - origin);
        self->origin[axis] = origin;
    }
    return (CnVec4){shift[0], shift[1], shift[2], 0};
}

/* ---- Shader data ---- */

static EmitterRow row_of(const CnParticleSystem *particle_system, uint32_t emitter)
{
    const CnEmitterDesc *desc = &particle_system->emitters[emitter];
    uint32_t flags = (uint32_t)desc->shape | (desc->collides ? EMITTER_COLLIDES : 0) |
                     (desc->follows_camera ? EMITTER_AROUND_EYE : 0);
    CnVec3 half = desc->half_extents, velocity = desc->velocity, color = desc->color;
    return (EmitterRow){
        .box = {half.x, half.y, half.z, desc->radius},
        .velocity = {velocity.x, velocity.y, velocity.z, desc->gravity},
        .color = {color.x, color.y, color.z, desc->alpha},
        .ranges = {desc->lifetime[0], desc->lifetime[1], desc->speed[0], desc->speed[1]},
        .more = {desc->size[0], desc->size[1], desc->drag, desc->flutter},
        .last = {desc->fade, desc->emission, desc->cone > 0 ? cn_cosf(desc->cone) : -1, 0},
        .looks = {desc->grow > 0 ? desc->grow : 1, desc->vary, 0, 0},
        .first = particle_system->firsts[emitter],
        .count = desc->max_particles,
        .flags = flags,
        .splash = desc->splash};
}

/* Called with the lock of the particle system held. */
static bool send_ground(Particles *self, CnGpuCommands *commands)
{
    const CniRenderParticleGround *ground = &self->particle_system->ground;
    uint64_t bytes = (uint64_t)ground->size * ground->size * sizeof *ground->columns;
    self->ground_bytes = bytes + sizeof *ground->columns; /* nonzero */
    self->ground = cn_gpu_upload(commands, self->ground_bytes, 0);
    if (self->ground.data)
        memcpy(self->ground.data, ground->columns, bytes);
    return self->ground.data != NULL;
}

static bool send_data(Particles *self, CnVec4 shift, float seconds)
{
    const CnParticleSystem *particle_system = self->particle_system;
    self->data_bytes = sizeof(ParticleData) + MAX_SPAWNS * sizeof(SpawnRow);
    self->data = cn_gpu_upload(self->frame->commands, self->data_bytes, 0);
    if (!self->data.data)
        return false;
    CnVec3 eye = from_origin(self, eye_of(self->frame));
    ParticleData data = {.eye = {eye.x, eye.y, eye.z, seconds},
                         .shift = shift,
                         .ground = {particle_system->ground.x - self->origin[0],
                                    particle_system->ground.z - self->origin[2],
                                    (int32_t)particle_system->ground.size, self->origin[1]},
                         .counts = {self->spawn_count, self->made, 0, 0}};
    for (uint32_t i = 0; i < particle_system->emitter_count; i++)
        data.emitters[i] = row_of(particle_system, i);
    memcpy(self->data.data, &data, sizeof data);
    memcpy((char *)self->data.data + sizeof data, self->spawns,
           self->spawn_count * sizeof *self->spawns);
    return true;
}

static bool any_busy(const Particles *self)
{
    for (uint32_t i = 0; i < self->particle_system->emitter_count; i++) {
        if (is_busy(self, i))
            return true;
    }
    return false;
}

/* ---- Passes ---- */

static void run_clear(const CnGraphRun *run)
{
    Particles *self = run->user;
    if (self->is_fresh)
        cn_gpu_fill_buffer(run->commands, self->buffer, 0,
                           cn_gpu_buffer_size(self->renderer->gpu, self->buffer), 0);
    self->is_clear = true; /* not set by frames that fail before */
    CnGpuBuffer draws = cn_graph_get_buffer(run->graph, self->draws);
    cn_gpu_fill_buffer(run->commands, draws, 0, sizeof(uint32_t), 6);
    cn_gpu_fill_buffer(run->commands, draws, sizeof(uint32_t), 3 * sizeof(uint32_t), 0);
    cn_gpu_fill_buffer(run->commands, draws, DRAW_WORDS * sizeof(uint32_t), sizeof(uint32_t), 1);
}

static void bind(const Particles *self, const CnGraphRun *run, CnRenderPipeline pipeline)
{
    const CnGpuUpload *frame_data = &self->frame->frame_data;
    cn_gpu_bind_pipeline(run->commands, cn_render_pipeline_get(self->renderer, pipeline));
    cn_gpu_bind_buffer(run->commands, 0, frame_data->buffer, frame_data->offset,
                       sizeof(CniRenderFrameData));
    cn_gpu_bind_buffer(run->commands, 1, self->data.buffer, self->data.offset, self->data_bytes);
    cn_gpu_bind_buffer(run->commands, 2, self->buffer, 0, 0);
}

static void bind_compute(const Particles *self, const CnGraphRun *run, CnRenderPipeline pipeline)
{
    bind(self, run, pipeline);
    cn_gpu_bind_buffer(run->commands, 3, self->ground.buffer, self->ground.offset,
                       self->ground_bytes);
    cn_gpu_bind_buffer(run->commands, 4, cn_graph_get_buffer(run->graph, self->draws), 0, 0);
}

static void run_spawn(const CnGraphRun *run)
{
    const Particles *self = run->user;
    const uint32_t unused = 0;
    bind_compute(self, run, self->spawn);
    cn_gpu_push_constants(run->commands, &unused, sizeof unused);
    cn_gpu_dispatch(run->commands, (self->made + GROUP - 1) / GROUP, 1, 1);
}

static void run_update(const CnGraphRun *run)
{
    const Particles *self = run->user;
    bind_compute(self, run, self->update);
    for (uint32_t i = 0; i < self->particle_system->emitter_count; i++) {
        if (!is_busy(self, i))
            continue;
        cn_gpu_push_constants(run->commands, &i, sizeof i);
        cn_gpu_dispatch(run->commands,
                        (self->particle_system->emitters[i].max_particles + GROUP - 1) / GROUP, 1,
                        1);
    }
}

static void run_draw(const CnGraphRun *run)
{
    const Particles *self = run->user;
    const CnFrame *frame = self->frame;
    const CniRenderDefaults *defaults = &self->renderer->defaults;
    bool lit = self->has_lamps && frame->light_data.data;
    DrawConstants constants = {.eye_to_clip = cni_render_view_from_eye(&frame->view),
                               .lamps = !lit                             ? 0
                                        : frame->light_count < MAX_LAMPS ? frame->light_count
                                                                         : MAX_LAMPS};
    CnGpuBuffer draws = cn_graph_get_buffer(run->graph, self->draws);
    bind(self, run, self->draw);
    cn_gpu_bind_buffer(run->commands, 3, draws, 0, 0);
    cn_gpu_bind_texture(run->commands, 4,
                        self->irradiance.id ? cn_graph_get_texture(run->graph, self->irradiance)
                                            : defaults->black_cube,
                        defaults->linear_clamp);
    cn_gpu_bind_texture(run->commands, 5, cn_graph_get_texture(run->graph, self->depth),
                        defaults->nearest_clamp);
    if (lit)
        cn_gpu_bind_buffer(run->commands, 6, frame->light_data.buffer, frame->light_data.offset, 0);
    else
        cn_gpu_bind_buffer(run->commands, 6, defaults->zeros, 0, 0);
    cn_gpu_push_constants(run->commands, &constants, sizeof constants);
    /* Mesa's CPU driver (22.3) takes the number of draws of a plain indirect draw from the last
     * counted draw of blocks. */
    if (cn_gpu_info(self->renderer->gpu).indirect_count)
        cn_gpu_draw_indirect_count(run->commands, draws, 0, draws, DRAW_WORDS * sizeof(uint32_t), 1,
                                   DRAW_WORDS * sizeof(uint32_t));
    else
        cn_gpu_draw_indirect(run->commands, draws, 0, 1, DRAW_WORDS * sizeof(uint32_t));
    self->renderer->stats.draws++;
    self->renderer->stats.draw_calls++;
}

static void run_count(const CnGraphRun *run)
{
    Particles *self = run->user;
    uint32_t slot = self->frame->number % CN_GPU_FRAMES;
    self->is_counted[slot] = true; /* not set by frames that fail before */
    self->counted_in[slot] = self->frame->number;
    cn_gpu_copy_buffer(run->commands, cn_graph_get_buffer(run->graph, self->draws),
                       sizeof(uint32_t), cn_graph_get_buffer(run->graph, self->count), 0,
                       sizeof(uint32_t));
}

static CnGraphPass add_pass(Particles *self, const char *name, CnGraphPassKind kind,
                            void (*run)(const CnGraphRun *run))
{
    return cn_graph_add_pass(
        self->frame->graph,
        &(CnGraphPassDesc){.name = name, .kind = kind, .run = run, .user = self});
}

static void add_compute(Particles *self)
{
    CnGraph *graph = self->frame->graph;
    self->is_fresh = !self->is_clear;
    self->particles = cn_graph_import_buffer(
        graph, "particles", self->buffer, self->is_fresh ? CN_GPU_ACCESS_NONE : CN_GPU_ACCESS_READ,
        CN_GPU_ACCESS_READ);
    self->draws = cn_graph_import_buffer(
        graph, "particles to draw", self->draw_buffer,
        self->is_fresh ? CN_GPU_ACCESS_NONE : CN_GPU_ACCESS_INDIRECT, CN_GPU_ACCESS_INDIRECT);
    CnGraphPass clear = add_pass(self, "clear particles", CN_GRAPH_TRANSFER, run_clear);
    self->draws = cn_graph_write_buffer(graph, clear, self->draws, CN_GPU_ACCESS_COPY_TO,
                                        &(CnGraphSubresource){.overwrite = true});
    if (self->is_fresh)
        self->particles =
            cn_graph_write_buffer(graph, clear, self->particles, CN_GPU_ACCESS_COPY_TO,
                                  &(CnGraphSubresource){.overwrite = true});
    if (self->made > 0) {
        CnGraphPass spawn = add_pass(self, "make particles", CN_GRAPH_COMPUTE, run_spawn);
        self->particles =
            cn_graph_write_buffer(graph, spawn, self->particles, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
        cn_graph_read_buffer(graph, spawn, self->draws, CN_GPU_ACCESS_READ_COMPUTE);
    }
    CnGraphPass update = add_pass(self, "move particles", CN_GRAPH_COMPUTE, run_update);
    self->particles =
        cn_graph_write_buffer(graph, update, self->particles, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    self->draws =
        cn_graph_write_buffer(graph, update, self->draws, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
}

static void add_draw(Particles *self)
{
    CnFrame *frame = self->frame;
    CnGraph *graph = frame->graph;
    self->irradiance = frame->irradiance;
    self->depth = frame->depth;
    self->has_lamps = frame->light_tiles.id != 0; /* they also light the surroundings */
    CnGraphPass draw = add_pass(self, "particles", CN_GRAPH_GRAPHICS, run_draw);
    cn_graph_read_buffer(graph, draw, self->particles, CN_GPU_ACCESS_READ);
    cn_graph_read_buffer(graph, draw, self->draws, CN_GPU_ACCESS_READ);
    cn_graph_read_buffer(graph, draw, self->draws, CN_GPU_ACCESS_INDIRECT);
    if (self->irradiance.id)
        cn_graph_read_texture(graph, draw, self->irradiance, CN_GPU_ACCESS_SAMPLE, NULL);
    frame->hdr = cn_graph_color_attachment(graph, draw, frame->hdr, NULL);
    cn_graph_depth_attachment(graph, draw, self->depth, &(CnGraphAttachment){.read_only = true});
    cn_graph_read_texture(graph, draw, self->depth, CN_GPU_ACCESS_SAMPLE, NULL);
}

static void add_count(Particles *self)
{
    CnGraph *graph = self->frame->graph;
    uint32_t slot = self->frame->number % CN_GPU_FRAMES;
    CnGraphPass pass = add_pass(self, "count particles", CN_GRAPH_TRANSFER, run_count);
    cn_graph_read_buffer(graph, pass, self->draws, CN_GPU_ACCESS_COPY_FROM);
    self->count = cn_graph_import_buffer(
        graph, "particle count", self->counts[slot],
        self->is_counted[slot] ? CN_GPU_ACCESS_HOST : CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_HOST);
    self->count = cn_graph_write_buffer(graph, pass, self->count, CN_GPU_ACCESS_COPY_TO, NULL);
}

/* Counts two triangles for each particle of the completed frame that used this slot before. */
static void update(CnFrame *frame, void *feature)
{
    const Particles *self = feature;
    uint32_t slot = frame->number % CN_GPU_FRAMES;
    if (!self->is_counted[slot] || self->counted_in[slot] + CN_GPU_FRAMES != frame->number)
        return;
    const uint32_t *count = cn_gpu_buffer_data(frame->gpu, self->counts[slot]);
    frame->renderer->stats.triangles += 2 * (uint64_t)*count;
}

static void add_passes(CnFrame *frame, void *feature)
{
    Particles *self = feature;
    if (!frame->hdr.id || !frame->depth.id)
        return;
    float delta = frame->delta > 0 ? frame->delta : 0; /* from the program, may be any value */
    float seconds = delta < MAX_SECONDS ? delta : MAX_SECONDS;
    self->frame = frame;
    self->spawn_count = self->made = 0;
    for (uint32_t i = 0; i < self->particle_system->emitter_count; i++)
        self->rings[i].made = 0;
    CnVec4 shift = move_origin(self, eye_of(frame));
    CnParticleSystem *particle_system = self->particle_system;
    pthread_mutex_lock(&particle_system->lock);
    take_bursts(self);
    take_weather(self, eye_of(frame), seconds);
    bool is_sent =
        any_busy(self) && send_ground(self, frame->commands) && send_data(self, shift, seconds);
    pthread_mutex_unlock(&particle_system->lock);
    self->now += (double)seconds;
    if (!is_sent)
        return;
    add_compute(self);
    add_draw(self);
    add_count(self);
}

const CnFeatureType cn_feature_particles = {.name = "Particles",
                                            .size = sizeof(Particles),
                                            .setup = setup,
                                            .update = update,
                                            .add_passes = add_passes,
                                            .destroy = destroy};
