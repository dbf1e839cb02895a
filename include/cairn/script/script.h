/*
 * Lua scripts on objects.
 *
 *     static const char *const trusted[] = {"scripts://", NULL};
 *
 *     CnScenes *create_scenes(CnVfs *vfs, CnError *error)
 *     {
 *         static CnScriptDesc scripts;
 *         scripts = (CnScriptDesc){.files = cn_vfs_files(vfs), .trusted = trusted};
 *         CnPlugin plugins[] = {cn_physics_plugin(NULL), cn_script_plugin(&scripts)};
 *         return cn_scenes_create(&(CnScenesDesc){.plugins = plugins, .plugin_count = 2}, error);
 *     }
 *
 *     void add_script(CnWorld *world, CnEntity box)
 *     {
 *         cn_set(world, box, CnScript, {.script_name = "Box", .script_path = "scripts://box.lua"});
 *     }
 *
 * The file box.lua:
 *
 *   function on_init()
 *       this.state.angle = 0
 *   end
 *
 *   function on_update(dt)
 *       this.state.angle = this.state.angle + 90 * dt
 *       this.eulerAngles = Vec3(0, this.state.angle, 0)
 *   end
 *
 * Callbacks: on_init, on_update(dt), on_fixedupdate(dt), on_collisionenter(other, contact),
 * on_collisionstay(other, contact), on_collisionleave(other), on_soundend(sound), on_destroy,
 * on_reload. on_fixedupdate runs before the physics step and on_update after it, both once per tick
 * with the tick's dt. Scripts run one after the other, in the order of their objects' ids. Scripts
 * of inactive objects are suspended, except for their timers and subscriptions. A new script starts
 * in the next tick: first its body, then on_init, then the other callbacks. Set CnScript with
 * cn_set, so that a changed path is detected. docs/scripting.md is the manual for script authors.
 *
 * Scripts under one of the `trusted` prefixes run with the JIT and Lua's complete library. All
 * others run in a sandbox: an environment of allowed functions, without access to bytecode, files,
 * clocks, the tables of other scripts or the machine, and with limits on instructions and memory.
 * Each owner of sandboxed scripts has a Lua state and limits of its own. The owner is the mount of
 * the script's path with the first folder: "mods://flood" for "mods://flood/lib/a.lua",
 * "scripts://" for "scripts://a.lua".
 * In either case a script that fails is disabled, the error is logged with script and line, and the
 * game continues.
 *
 * The contents of this.state survive reloading of the script's file and are part of cn_sim_save:
 * numbers, strings, booleans, vectors, objects, and tables of these. Everything else of a script
 * starts over: its body and on_reload run, and neither may change the world. Timers and
 * subscriptions are not kept.
 */
#ifndef CAIRN_SCRIPT_SCRIPT_H
#define CAIRN_SCRIPT_SCRIPT_H

#include <cairn/base/file.h>
#include <cairn/scene/object.h>
#include <cairn/sim/plugin.h>

CN_EXTERN_C_BEGIN

CN_COMPONENT(CnScript, (text, script_name, 64), (text, script_path, 128));

typedef struct CnScriptDesc {
    CnFileSystem *files;            /* for script_path and prefabs */
    const char *const *trusted;     /* path prefixes, NULL-terminated; NULL: no script is trusted */
    const char *const *libraries;   /* prefixes from which any script may require; NULL: none */
    size_t memory_bytes;            /* for each owner of sandboxed scripts; 0 selects 64 MiB */
    uint64_t instructions_per_tick; /* for each owner; 0 selects 10 million */
    uint64_t instructions_per_call; /* for one call of a sandboxed script; 0 selects 2 million */
    /* Time of the thread after which an owner is stopped in one tick, as the last resort; 0 selects
     * 10,000. If that happens, the run is not reproducible: see cn_sim_mark_not_reproducible. */
    uint64_t watchdog_ms;
} CnScriptDesc;

/* Returns the plugin. `desc` is not copied and must outlive the plugin. Add physics first:
 * on_fixedupdate and on_update are ordered around the step of a physics plugin that is already
 * present. */
CN_API CnPlugin cn_script_plugin(const CnScriptDesc *desc);

/* Reads changed files again, between ticks. Returns how many scripts were replaced. A script
 * whose new text does not compile keeps running with the old code, and the error is logged. A call
 * while scripts run, for example from a hook that a script triggers, returns 0 and sets the
 * error. */
CN_API uint32_t cn_script_reload(CnWorld *world, CnError *error);

/* Returns whether the file exists and compiles, without running it; between ticks. The error has
 * a line if the text of the script is invalid. */
CN_API bool cn_script_check(CnWorld *world, const char *path, CnError *error);

/* ---- Inspection, for consoles and tests ---- */

typedef enum CnScriptStatus {
    CN_SCRIPT_NONE,    /* the object has no script */
    CN_SCRIPT_WAITING, /* not started yet */
    CN_SCRIPT_RUNNING,
    CN_SCRIPT_FAILED /* disabled by an error */
} CnScriptStatus;
CN_API CnScriptStatus cn_script_status(const CnWorld *world, CnEntity object);
/* Stores the error of a failed script: script, line, message. Returns false if the script has
 * not failed. */
CN_API bool cn_script_error(const CnWorld *world, CnEntity object, CnError *error);

/* Stores the errors that have not been mended: of files whose newest text does not compile, and of
 * scripts that failed, each place once. Returns how many were stored. For displays. */
CN_API uint32_t cn_script_errors(const CnWorld *world, CnError *errors, uint32_t capacity);

typedef struct CnScriptStats {
    size_t trusted_bytes, sandboxed_bytes; /* current memory of Lua */
    size_t sandboxed_peak_bytes;           /* the largest of any owner */
    uint32_t running, failed;
    uint64_t calls, errors;
    uint32_t sounds;         /* that play */
    uint64_t refused_sounds; /* not played because of a limit */
    uint32_t watchdog_stops; /* not 0: the run is not reproducible */
} CnScriptStats;
CN_API CnScriptStats cn_script_stats(const CnWorld *world);

/* What an owner of scripts takes, and what it could not do because its limits were used up. The
 * counts are those since the world was created. */
typedef struct CnScriptOwnerStats {
    char name[64]; /* "mods://flood"; "trusted" for all trusted scripts */
    bool is_trusted;
    size_t bytes, peak_bytes;
    uint64_t tick_instructions; /* in the last tick */
    uint64_t skipped_calls;     /* callbacks that were not called */
    uint64_t deferred_events;   /* events and timers that waited for the next tick, per tick */
    uint64_t lost_events;       /* for which there was no room */
    uint32_t watchdog_stops;
} CnScriptOwnerStats;
/* Stores the owners, trusted scripts first, and returns how many there are. */
CN_API uint32_t cn_script_owners(const CnWorld *world, CnScriptOwnerStats *stats,
                                 uint32_t capacity);

typedef struct CnScriptRunDesc {
    const char *name; /* used in errors; NULL: "code" */
    CnText code;
    bool trusted; /* runs outside of the sandbox, with the rights of a trusted script */
} CnScriptRunDesc;

/* Runs Lua code, for example from a console, and appends its result as text. Must not be called by
 * a script callback. */
CN_API bool cn_script_run(CnWorld *world, const CnScriptRunDesc *desc, CnTextBuilder *result,
                          CnError *error);

/* Appends the content of the file `cairn.lua`: annotations for Lua language servers, generated
 * from the binding tables and the components of this world. */
CN_API bool cn_script_annotations(CnWorld *world, CnTextBuilder *text, CnError *error);

CN_EXTERN_C_END

#endif
