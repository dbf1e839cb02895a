/*
 * Extraction: what a tick shows to those who draw, and what it lets sound. Data only flows outward.
 *
 *     CN_SYSTEM(show, (read, Position, p), (read, Model, m))
 *     {
 *         CnRenderItem *items = cn_render_push(cn_resource_mut(context->world, CnRenderOut), count);
 *         for (uint32_t i = 0; items && i < count; i++)
 *             items[i] = (CnRenderItem){.entity = chunk->entities[i], .position = ..., };
 *     }
 *
 *     CnOutbox *outbox = cn_outbox_create(NULL);
 *     cn_extract_add(world, outbox, &error);
 *     cn_system(world, show, .stage = CN_STAGE_PRE_EXTRACT, .access = {cn_writes(CnRenderOut)});
 *
 *     cn_outbox_begin(outbox, tick, seconds);      // the loop does this around each tick
 *     cn_world_update(world, dt, &error);
 *     cn_outbox_publish(outbox);
 *
 *     CnSnapshotPair pair;                         // another thread, whenever it likes
 *     if (cn_outbox_acquire(outbox, &pair)) {
 *         draw(pair.previous, pair.current, alpha);
 *         cn_outbox_release(outbox);
 *     }
 *
 * A snapshot is plain data and knows nothing of the world. Its arrays are in the order of pushing,
 * which is the order of the schedule, for any number of threads. Render, ui and audio are resources
 * of their own, so systems for each of them share a wave.
 *
 * Nobody waits. Ticks never wait for the consumer and it never waits for them, however long it holds
 * a pair: it sees the two newest snapshots there are, and never those in between. Audio commands go
 * through a ring instead, because each of them counts: they arrive in order, with the publishing of
 * their tick, and those that find it full are dropped and counted.
 *
 * Out of memory, what does not fit is cut from the snapshot, counted and logged, and the tick goes
 * on. Memory is kept: ticks that show no more than earlier ones make no heap call.
 */
#ifndef CAIRN_SIM_EXTRACT_H
#define CAIRN_SIM_EXTRACT_H

#include <cairn/ecs/world.h>

CN_EXTERN_C_BEGIN

/* ---- Snapshots. Meshes, materials, sounds and ids are numbers of the game. Items, lights and
 * commands have no padding: they may be compared and hashed as bytes. ---- */

typedef struct CnRenderItem {
    CnEntity entity; /* by which it is found again in the next snapshot; null: never */
    CnVec3 position;
    CnQuat rotation;
    CnVec3 scale;
    uint32_t mesh, material;
    uint32_t flags;
    uint32_t value; /* the game's: a tint, the frame of an animation */
} CnRenderItem;

/* The value of an item whose mesh has joints: clip + 1 (0: in rest) and the time in it, which wraps after
 * CN_ANIMATION_WRAP seconds. */
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

typedef enum CnLightKind { CN_LIGHT_DIRECTIONAL, CN_LIGHT_POINT, CN_LIGHT_SPOT } CnLightKind;

typedef struct CnRenderLight {
    CnEntity entity;
    CnLightKind kind;
    CnVec3 position;
    CnVec3 direction;                 /* where it shines */
    CnVec3 colour;                    /* linear, times intensity */
    float range;                      /* beyond it there is none; of point and spot lights */
    float inner_cosine, outer_cosine; /* of half the angle of a spot light's cone */
    uint32_t flags;
} CnRenderLight;

typedef struct CnRenderCamera {
    bool valid; /* some system has set it */
    CnVec3 position;
    CnQuat rotation;
    float fov; /* vertical, in radians */
    float near_plane, far_plane;
    float height; /* orthographic: world units from bottom to top; 0: perspective */
    float aspect; /* width over height; 0: that of the picture */
} CnRenderCamera;

/* Sky, clouds and weather. */
typedef struct CnRenderAir {
    bool valid;             /* some system has set it */
    CnVec3 to_sun, to_moon; /* directions */
    float moon_phase;       /* 0 new, 0.5 full, 1 new again */
    float star_turn;        /* radians that the stars have turned about the pole */
    float cloud_cover;      /* 0 to 1 */
    float cloud_bottom, cloud_top;
    CnVec2 wind;   /* metres that clouds have moved along x and z */
    float fog;     /* extinction a metre at the ground, beyond that of clear air */
    float rain;    /* 0 to 1 */
    float snow;    /* 0 to 1 */
    float wetness; /* of what lies open: 0 to 1 */
    float murk;    /* metres of water above the eye; 0: it is not under water */
    float shelter; /* of the eye from the sky: 0 under it, 1 deep in a cave */
} CnRenderAir;

typedef struct CnRenderSnapshot {
    uint64_t tick;
    double time; /* seconds of simulation */
    CnRenderCamera camera;
    CnRenderAir air;
    const CnRenderItem *items;
    const CnRenderLight *lights;
    uint32_t item_count, light_count;
    uint64_t cut; /* items and lights that there was no memory for */
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
    uint64_t cut; /* items that there was no memory for */
} CnUiSnapshot;

typedef struct CnTickSnapshot {
    CnRenderSnapshot render;
    CnUiSnapshot ui;
} CnTickSnapshot;

typedef enum CnAudioKind {
    CN_AUDIO_PLAY,    /* once, at position */
    CN_AUDIO_LOOP,    /* until it is stopped */
    CN_AUDIO_CHANGE,  /* position, gain and pitch of what this source plays */
    CN_AUDIO_STOP,    /* what this source plays */
    CN_AUDIO_LISTENER /* position and rotation of the ear */
} CnAudioKind;

typedef struct CnAudioCommand {
    uint64_t tick; /* set by cn_audio_push */
    CnEntity source;
    CnAudioKind kind;
    uint32_t sound;
    CnVec3 position;
    CnQuat rotation;
    float gain, pitch;
    uint32_t flags;
} CnAudioCommand;

/* ---- The outbox: one for each world that is looked at ---- */

typedef struct CnOutbox CnOutbox;

typedef struct CnOutboxDesc {
    CnAllocator *allocator; /* NULL: the system's; thread-safe, because systems push from threads */
    uint32_t max_audio;     /* commands that wait at most, rounded up to a power of two; 0 means
                               1,024, at most CN_OUTBOX_MAX_AUDIO */
} CnOutboxDesc;

#define CN_OUTBOX_MAX_AUDIO (1u << 20)

/* `desc` may be NULL. NULL when out of memory or for a ring that is too large. */
CN_API CnOutbox *cn_outbox_create(const CnOutboxDesc *desc);
/* When nobody holds a pair and the world does not run any more. */
CN_API void cn_outbox_destroy(CnOutbox *outbox);

/* ---- Writing: the thread of the world ---- */

/* Resources of a world; systems in PreExtract declare to write them. Neither saved nor hashed. */
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

/* Gives the world the three resources, or turns them to this outbox. False when out of memory: no
 * change that a system could see. */
CN_API bool cn_extract_add(CnWorld *world, CnOutbox *outbox, CnError *error);

/* Starts the snapshot of a tick. What was pushed since the last begin and not published is gone: a
 * tick that failed shows nothing. */
CN_API void cn_outbox_begin(CnOutbox *outbox, uint64_t tick, double time_seconds);
/* The snapshot becomes the newest one and the tick's audio commands may be taken. */
CN_API void cn_outbox_publish(CnOutbox *outbox);

typedef struct CnOutboxStats {
    uint64_t published;                           /* snapshots */
    uint64_t cut_items, cut_lights, cut_ui_items; /* for lack of memory */
    uint64_t cut_texts;                           /* longer than CN_UI_TEXT_BYTES */
    uint64_t dropped_audio;                       /* commands that found the ring full */
} CnOutboxStats;

/* Up to the last publish. On the thread of the world. */
CN_API CnOutboxStats cn_outbox_stats(const CnOutbox *outbox);

/* ---- Pushing: systems in PreExtract, between begin and publish. What these functions return hangs
 * on memory and on the consumer: no state of a simulation may depend on it. ---- */

/* `count` new ones, zeros, to be filled in; valid until the next push of the same kind. NULL when
 * `count` is 0 or out of memory; they are cut then. */
CN_API CnRenderItem *cn_render_push(CnRenderOut *out, uint32_t count);
CN_API CnRenderLight *cn_render_push_lights(CnRenderOut *out, uint32_t count);
/* Copies it and makes it valid; the last one of a tick counts. */
CN_API void cn_render_camera(CnRenderOut *out, const CnRenderCamera *camera);
CN_API void cn_render_air(CnRenderOut *out, const CnRenderAir *air);

/* False when out of memory: the item is cut. */
CN_API bool cn_ui_push_value(CnUiOut *out, uint32_t id, float value);
/* Too long a text is cut at a character and counted. */
CN_API bool cn_ui_push_text(CnUiOut *out, uint32_t id, const char *text);

/* False when the ring is full, or when there is no such kind: the command is dropped. */
CN_API bool cn_audio_push(CnAudioOut *out, const CnAudioCommand *command);

/* ---- Reading: any thread ---- */

typedef struct CnSnapshotPair {
    const CnTickSnapshot
        *previous;                 /* the one published before `current`; NULL when there is none */
    const CnTickSnapshot *current; /* the newest */
} CnSnapshotPair;

/* The two newest snapshots, the same memory until release; false when nothing was published yet, and
 * there is nothing to release then. Never waits. One thread at a time holds a pair; the next to
 * acquire may be another one. Where current->render.tick is not the one after the previous, as after
 * loading, there is nothing to interpolate. */
CN_API bool cn_outbox_acquire(CnOutbox *outbox, CnSnapshotPair *pair);
CN_API void cn_outbox_release(CnOutbox *outbox);

/* Takes the oldest published command; false when none waits. From one thread at a time, which need
 * not be the one that holds the snapshots. */
CN_API bool cn_outbox_next_audio(CnOutbox *outbox, CnAudioCommand *command);

/* ---- Between two snapshots: the thread that holds them ---- */

#define CN_NO_MATCH UINT32_MAX

/* Keeps its memory from one match to the next. */
typedef struct CnSnapshotMatch {
    CnU32Array previous; /* for each item of the current snapshot: where it was, or CN_NO_MATCH */
    CnU32Array heads, next;
} CnSnapshotMatch;

CN_API void cn_snapshot_match_init(CnSnapshotMatch *match, CnAllocator *allocator);
CN_API void cn_snapshot_match_fini(CnSnapshotMatch *match);
/* Finds the items of `current` in `previous` by their entities, in linear time; the n-th item of an
 * entity was the n-th before. `previous` may be NULL. False when out of memory: match->previous is
 * empty then. */
CN_API bool cn_snapshot_match(CnSnapshotMatch *match, const CnRenderSnapshot *previous,
                              const CnRenderSnapshot *current);

/* Position, rotation and scale between the two, the rest from `current`. `alpha` is 0 at the
 * previous and 1 at the current. `out` may be one of them. */
CN_API void cn_render_lerp(const CnRenderItem *previous, const CnRenderItem *current, float alpha,
                           CnRenderItem *out);
/* The same with fov, planes and height; `current` as it is when one of them is not valid. */
CN_API void cn_camera_lerp(const CnRenderCamera *previous, const CnRenderCamera *current,
                           float alpha, CnRenderCamera *out);
/* The same of the air: directions stay of length 1, the phase goes the short way round. */
CN_API void cn_air_lerp(const CnRenderAir *previous, const CnRenderAir *current, float alpha,
                        CnRenderAir *out);

CN_EXTERN_C_END

#endif
