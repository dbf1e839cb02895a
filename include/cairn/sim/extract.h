/*
 * Extraction: copies what the renderer, the user interface and the audio system need out of each
 * tick. Data flows outward only.
 *
 *     CN_COMPONENT(Crate, (vec3, position), (u32, mesh));
 *
 *     CN_SYSTEM(extract_crates, (read, Crate, crate))
 *     {
 *         CnRenderOut *out = cn_resource_mut(context->world, CnRenderOut);
 *         CnRenderItem *items = cn_extract_items(out, count);
 *         for (uint32_t i = 0; items && i < count; i++)
 *             items[i] = (CnRenderItem){.entity = chunk->entities[i],
 *                                       .position = crate[i].position,
 *                                       .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1},
 *                                       .mesh = crate[i].mesh};
 *     }
 *
 *     void run_tick(CnWorld *world, uint64_t tick, double seconds, float dt, CnError *error)
 *     {
 *         CnOutbox *outbox = cn_outbox_create(NULL, error);
 *         cn_extract_add(world, outbox, error);
 *         cn_register(world, Crate);
 *         cn_system(world, extract_crates, .stage = CN_STAGE_PRE_EXTRACT,
 *                   .access = {cn_writes(CnRenderOut)});
 *
 *         cn_outbox_begin(outbox, tick, seconds);      // CnSim does this around each tick
 *         cn_world_update(world, dt, error);
 *         cn_outbox_publish(outbox);
 *
 *         CnSnapshotPair pair;                         // on another thread, at any time
 *         if (cn_outbox_acquire(outbox, &pair))
 *             cn_outbox_release(outbox);
 *     }
 *
 * A snapshot is plain data without references to the world. Its arrays are in push order, which is
 * the order of the schedule, for any number of threads. Render, UI and audio output are separate
 * resources, so systems that write different ones can run in parallel.
 *
 * Neither side blocks. Ticks never wait for the consumer, and the consumer never waits for ticks,
 * however long it holds a pair: it sees the two newest snapshots and may skip some in between.
 * Audio commands must all arrive, so they go through a ring buffer: the consumer receives them in
 * order, once their tick is published. Commands that find the ring full are dropped and counted.
 *
 * When memory runs out, the data that does not fit is omitted from the snapshot, counted and
 * logged, and the tick continues. Memory is reused: ticks that push no more than earlier ones do
 * not allocate.
 */
#ifndef CAIRN_SIM_EXTRACT_H
#define CAIRN_SIM_EXTRACT_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

/* ---- Snapshots. Meshes, materials, sounds and ids are numbers that the game assigns. Items,
 * lights and commands have no padding and may be compared and hashed as bytes. ---- */

typedef struct CnRenderItem {
    CnEntity entity; /* identifies the item in the next snapshot; null: never matched */
    CnVec3 position;
    CnQuat rotation;
    CnVec3 scale;
    uint32_t mesh, material;
    uint32_t flags;
    uint32_t value; /* defined by the game: a tint, an animation frame */
} CnRenderItem;

/* Returns the `value` of an item whose mesh is animated: clip + 1 (0: rest pose) and the time in
 * the clip, which wraps after CN_ANIMATION_WRAP seconds. */
#define CN_ANIMATION_HZ 1024u
#define CN_ANIMATION_WRAP 16384u
#define CN_ANIMATION_CLIPS 255u
static inline uint32_t cn_animation_value(uint32_t clip, double seconds)
{
    if (clip >= CN_ANIMATION_CLIPS)
        return 0;
    double ticks = seconds > 0 ? seconds * CN_ANIMATION_HZ : 0;
    return (clip + 1) << 24 | ((ticks < 1e15 ? (uint32_t)(uint64_t)ticks : 0) & 0xFFFFFFu);
}

/* The second animation of an item, while one clip blends into another. */
typedef struct CnRenderBlend {
    CnEntity entity; /* of the item */
    uint32_t value;  /* of the clip before: see cn_animation_value */
    float weight;    /* of the clip before: 1 at the beginning of the transition, 0 at its end */
} CnRenderBlend;

typedef enum CnLightKind { CN_LIGHT_DIRECTIONAL, CN_LIGHT_POINT, CN_LIGHT_SPOT } CnLightKind;

typedef struct CnRenderLight {
    CnEntity entity;
    CnLightKind kind;
    CnVec3 position;
    CnVec3 direction;                 /* in which the light shines */
    CnVec3 color;                     /* linear, multiplied by the intensity */
    float range;                      /* point and spot lights: no light beyond this distance */
    float inner_cosine, outer_cosine; /* spot lights: cosine of half the cone angle */
    uint32_t flags;
} CnRenderLight;

typedef struct CnRenderCamera {
    bool valid; /* set by cn_extract_camera */
    CnVec3 position;
    CnQuat rotation;
    float fov; /* vertical, in radians */
    float near_plane, far_plane;
    float height; /* orthographic: world units from bottom to top; 0: perspective */
    float aspect; /* width over height; 0: that of the image */
} CnRenderCamera;

/* Where particles start, around the position of their source. */
typedef enum CnEmitterShape { CN_EMITTER_POINT, CN_EMITTER_SPHERE, CN_EMITTER_BOX } CnEmitterShape;

#define CN_PARTICLES_LOCAL 1u    /* they move with their emitter */
#define CN_PARTICLES_ADDITIVE 2u /* their light is added to what is behind them */

/* How particles start, move and look. Directions and extents are in the space of the source. */
typedef struct CnParticleStyle {
    CnVec3 direction;           /* need not be normalized; 0: up */
    float spread_cosine;        /* of the angle between `direction` and the edge of the cone */
    CnVec3 extents;             /* half the size of a box; x: the radius of a sphere */
    uint32_t shape;             /* a CnEmitterShape */
    float life;                 /* seconds */
    float speed;                /* at the start, in m/s */
    float variation;            /* of life, speed and size: 0 none, 1 from 0 to twice the value */
    float gravity;              /* downward, in m/s^2 */
    float start_size, end_size; /* diameters in meters */
    CnVec4 start_color, end_color; /* linear, with alpha; may exceed 1 */
    uint32_t flags;                /* CN_PARTICLES_... */
} CnParticleStyle;

/* A source that emits while it is in snapshots. */
typedef struct CnRenderEmitter {
    CnEntity entity;
    CnVec3 position;
    CnQuat rotation;
    float rate;     /* particles per second */
    uint32_t burst; /* particles at once, when it starts */
    bool is_playing;
    CnParticleStyle style;
} CnRenderEmitter;

/* Particles that start at once, without an emitter. A snapshot also contains the bursts of the
 * CN_BURST_SECONDS before it, because a consumer may skip snapshots: those of a tick after the last
 * one that it saw are new. */
typedef struct CnRenderBurst {
    uint64_t tick; /* this, `time` and `number` are set by cn_extract_burst */
    double time;
    uint32_t number; /* in its tick */
    uint32_t count;
    CnVec3 position;
    CnQuat rotation;
    CnParticleStyle style; /* CN_PARTICLES_LOCAL has no effect */
} CnRenderBurst;

#define CN_BURST_SECONDS 0.25
#define CN_MAX_BURSTS 4096u /* new ones in a tick, and in a snapshot as many of earlier ticks */

/* Sky, clouds and weather. */
typedef struct CnRenderAtmosphere {
    bool valid;             /* set by cn_extract_atmosphere */
    CnVec3 to_sun, to_moon; /* directions */
    float moon_phase;       /* 0 new, 0.5 full, 1 new again */
    float star_rotation;    /* rotation of the stars about the pole, in radians */
    float cloud_cover;      /* 0 to 1 */
    float cloud_bottom, cloud_top;
    CnVec2 wind;       /* distance that clouds have moved along x and z, in meters */
    float fog;         /* extinction per meter at the ground, in addition to that of clear air */
    float rain;        /* 0 to 1 */
    float snow;        /* 0 to 1 */
    float wetness;     /* of surfaces under the open sky, 0 to 1 */
    float water_above; /* depth of water above the camera in meters; 0: not under water */
    float shelter;     /* of the camera from the sky: 0 in the open, 1 deep in a cave */
} CnRenderAtmosphere;

typedef struct CnRenderSnapshot {
    uint64_t tick;
    double time; /* simulated seconds */
    CnRenderCamera camera;
    CnRenderAtmosphere atmosphere;
    const CnRenderItem *items;
    const CnRenderLight *lights;
    const CnRenderBlend *blends; /* in the order of their items */
    const CnRenderEmitter *emitters;
    const CnRenderBurst *bursts; /* from the oldest to the newest */
    uint32_t item_count, light_count, blend_count, emitter_count, burst_count;
    uint64_t dropped; /* items and lights omitted for lack of memory */
} CnRenderSnapshot;

#define CN_UI_TEXT_BYTES 56u /* with the terminator */

typedef struct CnUiItem {
    uint32_t id;
    float value;
    char text[CN_UI_TEXT_BYTES];
} CnUiItem;

typedef struct CnUiSnapshot {
    uint64_t tick;
    const CnUiItem *items;
    uint32_t item_count;
    uint64_t dropped; /* items omitted for lack of memory */
} CnUiSnapshot;

typedef struct CnTickSnapshot {
    CnRenderSnapshot render;
    CnUiSnapshot ui;
} CnTickSnapshot;

typedef enum CnAudioKind {
    CN_AUDIO_PLAY,    /* plays once, at `position` */
    CN_AUDIO_LOOP,    /* plays until it is stopped */
    CN_AUDIO_CHANGE,  /* changes position, gain and pitch of the source */
    CN_AUDIO_STOP,    /* stops the source */
    CN_AUDIO_LISTENER /* moves the listener to `position` and `rotation` */
} CnAudioKind;

/* Groups of sounds with a common volume. */
typedef enum CnAudioBus {
    CN_AUDIO_BUS_EFFECTS,
    CN_AUDIO_BUS_MUSIC,
    CN_AUDIO_BUS_AMBIENCE,
    CN_AUDIO_BUS_INTERFACE,
    CN_AUDIO_BUS_MASTER, /* of all others; sounds do not play on it */
    CN_AUDIO_BUS_COUNT
} CnAudioBus;

/* Flags of audio commands. */
#define CN_AUDIO_NOT_SPATIAL 1u /* heard at the listener, whatever its position */

typedef struct CnAudioCommand {
    uint64_t tick; /* set by cn_extract_audio */
    CnEntity source;
    CnAudioKind kind;
    uint32_t sound;
    CnVec3 position;
    CnQuat rotation;
    float gain, pitch;
    uint32_t flags;
    /* Of the distance model (cairn/audio/audio.h); 0 selects its defaults. */
    float reference_distance, max_distance, rolloff;
    uint16_t bus;     /* a CnAudioBus */
    uint16_t fade_ms; /* of CN_AUDIO_STOP, in milliseconds; 0: as short as clicks allow */
} CnAudioCommand;

/* ---- The outbox: one per world whose output is consumed ---- */

typedef struct CnOutbox CnOutbox;

typedef struct CnOutboxDesc {
    /* NULL: the system allocator. Must be thread-safe, because systems push from several
     * threads. */
    CnAllocator *allocator;
    /* Capacity of the audio ring in commands, rounded up to a power of two; 0 selects the
     * default, 1,024. At most CN_OUTBOX_MAX_AUDIO. */
    uint32_t max_audio;
} CnOutboxDesc;

#define CN_OUTBOX_MAX_AUDIO (1u << 20)

/* Creates an outbox. `desc` may be NULL. Returns NULL and sets the error when out of memory
 * or when max_audio is too large. */
CN_API CnOutbox *cn_outbox_create(const CnOutboxDesc *desc, CnError *error);
/* Frees the outbox. No pair may be held, and the world must not run any more. NULL is ignored. */
CN_API void cn_outbox_destroy(CnOutbox *outbox);

/* ---- Writing: on the thread of the world ---- */

/* Resources of a world. Systems of PreExtract that push declare that they write them. Neither
 * saved nor hashed. */
typedef struct CnRenderOut {
    CnOutbox *outbox;
} CnRenderOut;
typedef struct CnUiOut {
    CnOutbox *outbox;
} CnUiOut;
typedef struct CnAudioOut {
    CnOutbox *outbox;
} CnAudioOut;
CN_OPAQUE(CnRenderOut);
CN_OPAQUE(CnUiOut);
CN_OPAQUE(CnAudioOut);

/* Adds the three resources to the world, or points existing ones to this outbox. Returns false
 * when out of memory; systems then see no change. */
CN_API bool cn_extract_add(CnWorld *world, CnOutbox *outbox, CnError *error);

/* Begins the snapshot of a tick. Discards everything that was pushed since the last begin and
 * not published, so a tick that failed leaves no output. */
CN_API void cn_outbox_begin(CnOutbox *outbox, uint64_t tick, double time_seconds);
/* Makes the snapshot the newest one and the audio commands of the tick available. */
CN_API void cn_outbox_publish(CnOutbox *outbox);

typedef struct CnOutboxStats {
    uint64_t published;                                       /* snapshots */
    uint64_t dropped_items, dropped_lights, dropped_ui_items; /* omitted for lack of memory */
    uint64_t truncated_texts;                                 /* truncated to CN_UI_TEXT_BYTES */
    uint64_t dropped_audio; /* commands that found the ring full */
    uint64_t dropped_emitters;
    uint64_t dropped_bursts; /* omitted for lack of memory, or more than CN_MAX_BURSTS in a tick */
} CnOutboxStats;

/* Returns the counts up to the last publish. Call it on the thread of the world. */
CN_API CnOutboxStats cn_outbox_stats(const CnOutbox *outbox);

/* ---- Pushing: systems of PreExtract, between begin and publish. The results of these functions
 * depend on available memory and on the consumer: simulation state must not depend on them. ---- */

/* Append `count` zeroed entries for the caller to fill in; they are valid until the next push of
 * the same kind. Return NULL when `count` is 0 or when out of memory; the entries are then
 * omitted. */
CN_API CnRenderItem *cn_extract_items(CnRenderOut *out, uint32_t count);
CN_API CnRenderLight *cn_extract_lights(CnRenderOut *out, uint32_t count);
CN_API CnRenderBlend *cn_extract_blends(CnRenderOut *out, uint32_t count);
CN_API CnRenderEmitter *cn_extract_emitters(CnRenderOut *out, uint32_t count);
/* Adds a burst to this snapshot and to those that follow within CN_BURST_SECONDS. Returns false,
 * and counts it, when out of memory or when the tick has CN_MAX_BURSTS of them. */
CN_API bool cn_extract_burst(CnRenderOut *out, const CnRenderBurst *burst);
/* Copy the value and mark it valid. The last call in a tick wins. */
CN_API void cn_extract_camera(CnRenderOut *out, const CnRenderCamera *camera);
CN_API void cn_extract_atmosphere(CnRenderOut *out, const CnRenderAtmosphere *atmosphere);

/* Returns false when out of memory; the item is then omitted. */
CN_API bool cn_extract_ui_value(CnUiOut *out, uint32_t id, float value);
/* Truncates a text that is too long at a character boundary, and counts it. */
CN_API bool cn_extract_ui_text(CnUiOut *out, uint32_t id, const char *text);

/* Returns false when the ring is full or the kind is invalid; the command is then dropped. */
CN_API bool cn_extract_audio(CnAudioOut *out, const CnAudioCommand *command);

/* ---- Reading: on any thread ---- */

typedef struct CnSnapshotPair {
    /* Published before `current`; NULL when there is none. */
    const CnTickSnapshot *previous;
    const CnTickSnapshot *current; /* the newest */
} CnSnapshotPair;

/* Acquires the two newest snapshots, which stay unchanged until release. Returns false when
 * nothing has been published yet; there is then nothing to release. Never blocks. One thread at
 * a time may hold a pair; different threads may take turns. If current->render.tick does not
 * directly follow the tick of `previous`, for example after loading, the pair must not be
 * interpolated. */
CN_API bool cn_outbox_acquire(CnOutbox *outbox, CnSnapshotPair *pair);
/* Releases the pair of the last successful acquire. */
CN_API void cn_outbox_release(CnOutbox *outbox);

/* Takes the oldest published command; returns false when there is none. One thread at a time,
 * which need not be the thread that holds the snapshots. */
CN_API bool cn_outbox_next_audio(CnOutbox *outbox, CnAudioCommand *command);

/* ---- Interpolation: on the thread that holds the pair ---- */

#define CN_NO_MATCH UINT32_MAX

/* Reuses its memory from one match to the next. */
typedef struct CnSnapshotMatch {
    CnU32Array previous; /* per item of the current snapshot: its old index, or CN_NO_MATCH */
    CnU32Array heads, next;
} CnSnapshotMatch;

/* Initializes a match. `allocator` may be NULL (the system allocator). */
CN_API void cn_snapshot_match_init(CnSnapshotMatch *match, CnAllocator *allocator);
CN_API void cn_snapshot_match_fini(CnSnapshotMatch *match);
/* Finds the items of `current` in `previous` by entity, in linear time; the n-th item of an
 * entity matches its n-th item in `previous`, which may be NULL. Returns false when out of
 * memory; match->previous is then empty. */
CN_API bool cn_snapshot_match(CnSnapshotMatch *match, const CnRenderSnapshot *previous,
                              const CnRenderSnapshot *current);

/* Interpolates position, rotation and scale, and copies the rest from `current`. `alpha` is 0 at
 * `previous` and 1 at `current`. `out` may alias either input. */
CN_API void cn_render_item_lerp(const CnRenderItem *previous, const CnRenderItem *current,
                                float alpha, CnRenderItem *out);
/* Interpolates a camera, including fov, planes and height. Copies `current` when one of the two
 * is not valid. */
CN_API void cn_render_camera_lerp(const CnRenderCamera *previous, const CnRenderCamera *current,
                                  float alpha, CnRenderCamera *out);
/* Interpolates the atmosphere. Directions keep length 1; the moon phase takes the shorter way
 * around. */
CN_API void cn_render_atmosphere_lerp(const CnRenderAtmosphere *previous,
                                      const CnRenderAtmosphere *current, float alpha,
                                      CnRenderAtmosphere *out);

CN_EXTERN_C_END

#endif
