/*
 * Systems in Lua: a plugin file registers components, and systems that run over batches of
 * entities, in the same schedule as systems in C.
 *
 *     CnSim *create_world(CnError *error)
 *     {
 *         static const CnScriptSystemDesc mover = {
 *             .files = NULL, .path = "plugins/mover.lua", .trusted = true};
 *         CnSim *sim = cn_sim_create(NULL, error);
 *         CnPlugin plugin = cn_script_system_plugin(&mover);
 *         if (sim && cn_sim_add_plugin(sim, &plugin, error))
 *             return sim;
 *         cn_sim_destroy(sim);
 *         return NULL;
 *     }
 *
 * The file plugins/mover.lua:
 *
 *   local Position = component("Position", { x = "f32", y = "f32", z = "f32" })
 *   local Velocity = component("Velocity", { x = "f32", y = "f32", z = "f32" })
 *
 *   system {
 *       name = "move",
 *       reads = { Velocity },
 *       writes = { Position },
 *       run = function(batch, dt)
 *           local p, v = batch.Position, batch.Velocity
 *           for i = 0, batch.count - 1 do
 *               p[i].x = p[i].x + v[i].x * dt
 *           end
 *       end,
 *   }
 *
 * docs/scripting.md is the manual for authors of such files.
 *
 * The components are ordinary ones: scene files, snapshots, state hashes, recordings and other
 * scripts contain or use them. Views of columns refer to the data of the world through LuaJIT's
 * FFI, without copies; the JIT compiles the loops. The schedule orders the systems by what they
 * declare. Each file has a Lua state of its own, and its systems never run at the same time, but
 * they share waves with systems in C and with those of other files.
 *
 * With the FFI at hand, a plugin file has all rights of the program, like a native plugin. There is
 * no sandbox for it: files that are not declared as trusted, and files of foreign origin, are
 * refused.
 *
 * A system that throws an error is logged with file and line and stays disabled until its file is
 * reloaded; the tick continues. All state is in components, so reloading loses nothing but the
 * local variables of the file.
 */
#ifndef CAIRN_SCRIPT_SYSTEM_PLUGIN_H
#define CAIRN_SCRIPT_SYSTEM_PLUGIN_H

#include <cairn/base/file.h>
#include <cairn/sim/plugin.h>

CN_EXTERN_C_BEGIN

typedef struct CnScriptSystemDesc {
    CnFileSystem *files; /* NULL: the native files */
    const char *path;    /* of the Lua file; its last part is the name of the plugin */
    bool trusted;        /* required: the file has all rights of the program */
    /* Views are plain pointers: loops are faster by about a fifth, but a wrong index damages
     * memory. By default, and always with CN_GUARDS, a wrong index and a view that is used after
     * its batch are errors. */
    bool unchecked;
} CnScriptSystemDesc;

/* Returns the plugin of a file. `desc` is not copied and must outlive the plugin. Adding it fails
 * with file and line if the file cannot be read, is not trusted, does not compile, throws, or
 * declares something that the world refuses: a component with other fields than a registered one, a
 * system whose name is in use, an unknown component or an unknown name in `before` or `after`. */
CN_API CnPlugin cn_script_system_plugin(const CnScriptSystemDesc *desc);

/* Reads changed plugin files again, between ticks. Returns how many were replaced. Systems keep
 * their positions in the schedule. A file that cannot be added in its new form keeps its old code,
 * and `error` describes the last failure. */
CN_API uint32_t cn_script_system_reload(CnSim *sim, CnError *error);

/* Stores the error of a disabled system. Returns false if there is no such system, or it has not
 * failed. */
CN_API bool cn_script_system_error(const CnWorld *world, const char *system, CnError *error);

/* Stores the errors that have not been mended: of files whose newest text is not in use, and of
 * disabled systems. Returns how many were stored. For displays. */
CN_API uint32_t cn_script_system_errors(const CnWorld *world, CnError *errors, uint32_t capacity);

/* Returns the path of a plugin file of a simulation by its number from 0, or NULL. *files receives
 * its file system; NULL: the native files. */
CN_API const char *cn_script_system_file(const CnSim *sim, uint32_t index, CnFileSystem **files);

/* Returns the number of disabled systems. */
CN_API uint32_t cn_script_system_failures(const CnWorld *world);

CN_EXTERN_C_END

#endif
