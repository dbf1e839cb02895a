/* Declarations of the names that examples in public headers use without declaring them; see
 * test_header_examples.py. OWN_<type> is defined for a type that the example declares itself, and
 * HEADER_<path> for the header that contains the example. */
#include <cairn/audio.h>
#include <cairn/base.h>
#include <cairn/ecs.h>
#include <cairn/engine.h>
#include <cairn/gpu.h>
#include <cairn/input.h>
#include <cairn/net.h>
#include <cairn/physics.h>
#include <cairn/plugin.h>
#include <cairn/postgres.h>
#include <cairn/render.h>
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/sim.h>
#include <cairn/store.h>
#include <cairn/ui.h>
#include <cairn/vfs.h>
#include <cairn/voxel.h>

#include <stdio.h>
#include <string.h>

#ifndef OWN_Position
CN_COMPONENT(Position, (f32, x), (f32, y), (f32, z));
#endif
#ifndef OWN_Velocity
CN_COMPONENT(Velocity, (f32, x), (f32, y), (f32, z));
#endif
#ifndef OWN_Damage
CN_COMPONENT(Damage, (entity, target), (f32, amount));
#endif
CN_COMPONENT(Health, (f32, now), (f32, most));
CN_COMPONENT(Likes, (f32, strength));
CN_COMPONENT(Packet, (u32, size));
CN_COMPONENT(Particle, (f32, age));
CN_COMPONENT(Sprite, (u32, layer));
CN_COMPONENT(Mass, (f32, kilograms));
#ifndef OWN_Frozen
CN_TAG(Frozen);
#endif
CN_TAG(Enemy);
CN_TAG(Employee);
CN_TAG(Retired);
CN_TAG(InRegion);

#ifndef OWN_Tint
typedef struct Tint {
    CnRenderer *renderer;
    CnRenderPipeline pipeline;
    CnGraphTexture hdr;
    CnGpuSampler sampler;
} Tint;
#endif
typedef struct LitConstants {
    float color[4];
} LitConstants;

/* ---- Variables that examples of several headers share ---- */

extern CnAllocator *allocator;
extern CnError error;
extern CnFileSystem *files;
extern CnSim *sim;
extern CnEntity e, entity, player, wheel, car, bob, alice, crate, lamp;
extern CnComponent likes;
extern CnChannel *channel;
extern CnVfs *vfs;
extern CnGpu *gpu;
extern CnGpuCommands *commands;
extern CnRenderer *renderer;
extern CnFonts *fonts;
extern CnCanvas *canvas;
extern CnUi *ui;
extern CnOutbox *outbox;
#ifndef HEADER_cairn_audio_audio_h
extern CnAudio *audio;
#endif
extern CnNetEndpoint *endpoint;
extern CnJobPool *pool;
extern CnGenerator *generator;
#ifndef HEADER_cairn_voxel_block_h
extern CnBlockTable *table;
#endif
extern uint8_t bytes[];
extern size_t size;
extern FILE *file;
extern float dt, alpha, width, height;
extern double seconds, real_seconds, now(void);
extern uint64_t seed, key, tick;
extern uint32_t count, i, n, m;

#ifdef HEADER_cairn_voxel_interact_h
extern CnVoxels *world;
extern CnVec3 eye, forward;
extern CnVoxelBox box;
extern CnInteractEvent events[CN_INTERACT_MAX_EVENTS];
#elif defined HEADER_cairn_voxel_edit_h
extern CnVoxels *world;
extern CnEdit edit;
#define player 1u
#elif defined HEADER_cairn_voxel_voxels_h
extern CnVoxels *world;
extern CnVec3 eye, forward;
extern CnCell cell;
#elif defined HEADER_cairn_physics_physics_h
extern CnWorld *world;
extern CnVec3 eye, ahead;
#else
extern CnWorld *world, *other;
extern CnEntity eye, box;
#endif

#ifdef HEADER_cairn_ecs_component_h
extern CnHook greet;
#elif defined HEADER_cairn_audio_acoustics_h
extern CnVoxels *voxels;
extern bool is_running;
#elif defined HEADER_cairn_engine_options_h
bool start(CnEngine *engine, void *user, CnError *error);
#elif defined HEADER_cairn_ecs_event_h
extern CnEventReader *reader;
#elif defined HEADER_cairn_ecs_row_changes_h
extern CnRowChanges *changes;
#elif defined HEADER_cairn_net_replica_h
extern CnNetLayout *layout;
extern CnNetAcks acks;
#elif defined HEADER_cairn_net_replication_h
extern CnNetReplication *replication;
extern CnNetAcks acks;
#elif defined HEADER_cairn_render_full_screen_h
extern CnFrame *frame;
#elif defined HEADER_cairn_render_graph_h
extern CnGraph *graph;
void run_lit(const CnGraphRun *run), run_tone(const CnGraphRun *run);
#elif defined HEADER_cairn_render_mesh_h
extern CnVertex vertices[];
extern uint32_t indices[], vertex_count, index_count;
#elif defined HEADER_cairn_render_shader_h
extern CnGraphRun *run;
#elif defined HEADER_cairn_store_batch_h
enum { INFO, EDITS };
extern CnStore *store;
extern uint8_t edit[16];
#elif defined HEADER_cairn_store_maintenance_h
extern CnStoreDesc desc;
#elif defined HEADER_cairn_ui_input_h
extern CnInputEvent events[];
extern uint32_t event_count;
#elif defined HEADER_cairn_ui_overlay_h
extern float frame_ms, tick_ms, gpu_ms;
#elif defined HEADER_cairn_ui_ui_h
extern CnUiInput input;
extern float volume;
extern bool quit;
#elif defined HEADER_cairn_voxel_light_h
extern CnLightScratch *scratch;
extern CnNeighborhood around;
extern CnLightSky sky;
#elif defined HEADER_cairn_voxel_lod_h
extern CnGenerateScratch *scratch;
#elif defined HEADER_cairn_voxel_mesh_h
extern CnChunkMeshScratch *scratch;
extern CnNeighborhood around;
extern CnLightBox light;
#elif defined HEADER_cairn_voxel_water_h
extern void *user;
CnBlock get(void *user, CnCell cell);
void set(void *user, CnCell cell, CnBlock block);
#endif
