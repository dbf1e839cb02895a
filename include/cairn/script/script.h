/*
 * Lua scripts on objects.
 *
 *     static const char *const trusted[] = {"scripts://", NULL};
 *     CnScriptDesc scripts = {.files = cn_vfs_files(vfs), .trusted = trusted};
 *     CnPlugin parts[] = {cn_physics_plugin(NULL), cn_script_plugin(&scripts)};
 *
 *     cn_set(world, box, CnScript, {.script_name = "Box", .script_path = "scripts://box.lua"});
 *
 *     -- box.lua
 *     function on_init()        this.state.angle = 0 end
 *     function on_update(dt)
 *         this.state.angle = this.state.angle + 90 * dt
 *         this.eulerAngles = Vec3(0, this.state.angle, 0)
 *     end
 *
 * Callbacks: on_init, on_update(dt), on_fixedupdate(dt), on_collisionenter(other), on_collisionleave(other),
 * on_destroy, on_reload. on_fixedupdate runs before physics steps, on_update after; both once a tick with
 * its dt. Scripts run one after the other, in order of their objects' ids; those of objects that are not
 * active rest, but for their timers and subscriptions. A new script begins with the next tick: its body,
 * on_init, then the others. Set CnScript with cn_set, so that another path is noticed.
 * docs/scripting.md is for those who write scripts.
 *
 * Scripts under one of the `trusted` prefixes run with the JIT and Lua's whole library. All others are
 * boxed: an environment of listed functions, no way to load bytecode or reach files, clocks, other
 * scripts' tables or the machine; and budgets of instructions and memory. Either way a script that fails
 * is disabled, the error is logged with script and line, and the game goes on.
 *
 * What a script keeps in this.state stays when its file is saved and read again, and is a part of
 * cn_sim_save: numbers, texts, booleans, vectors, objects, and tables of them. All else of a script
 * begins anew then: its body runs, and on_reload; neither may change the world. Timers and
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
    CnFileSystem *files;        /* reads script_path, and prefabs */
    const char *const *trusted; /* prefixes of paths, NULL at the end; NULL: nothing is trusted */
    size_t memory_bytes;        /* of all boxed scripts of a scene; 0 means 64 MiB */
    uint64_t instructions_per_tick; /* of all boxed scripts of a scene; 0 means 10 million */
    uint64_t instructions_per_call; /* of one boxed call; 0 means 2 million */
} CnScriptDesc;

/* `desc` is kept by address and outlives the plugin. Add physics before it: on_fixedupdate and on_update
 * stand around the step of a physics that is there already. */
CN_API CnPlugin cn_script_plugin(const CnScriptDesc *desc);

/* Between ticks: reads changed files again. Returns how many scripts were replaced; one whose new text
 * does not compile keeps running with the old, and the error is logged. */
CN_API uint32_t cn_script_reload(CnWorld *world);

/* Between ticks: whether the file is there and compiles, as a script on an object would; it does not
 * run. The error has the script's line when it is about its text. */
CN_API bool cn_script_check(CnWorld *world, const char *path, CnError *error);

/* ---- Looking, for consoles and tests ---- */

typedef enum CnScriptStatus {
    CN_SCRIPT_NONE,    /* no script here */
    CN_SCRIPT_WAITING, /* not started yet */
    CN_SCRIPT_RUNNING,
    CN_SCRIPT_FAILED /* disabled by an error */
} CnScriptStatus;
CN_API CnScriptStatus cn_script_status(const CnWorld *world, CnEntity object);
/* What a failed script said: script, line, message. Empty otherwise. */
CN_API bool cn_script_error(const CnWorld *world, CnEntity object, CnError *error);

typedef struct CnScriptStats {
    size_t trusted_bytes, boxed_bytes; /* of Lua's memory now */
    size_t boxed_peak_bytes;
    uint32_t running, failed;
    uint64_t calls, errors;
} CnScriptStats;
CN_API CnScriptStats cn_script_stats(const CnWorld *world);

/* Runs a piece of Lua, as of a console; the result as text. `boxed` as an untrusted script. */
CN_API bool cn_script_run(CnWorld *world, const char *name, CnText code, bool boxed,
                          CnTextBuilder *result, CnError *error);

/* The file `cairn.lua`: annotations for Lua language servers, from the tables that scripts are bound by
 * and the components of this world. */
CN_API bool cn_script_annotations(CnWorld *world, CnTextBuilder *text, CnError *error);

CN_EXTERN_C_END

#endif
