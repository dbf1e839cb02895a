#include "commands.h"
#include "session.h"

#include <cairn/base/console.h>
#include <cairn/render.h>

#include <stdio.h>
#include <string.h>

/* ---- The files that objects refer to ---- */

/* The results of checking a scene or prefab file. */
typedef struct Checked {
    const Session *session;
    CnWorld *world;
    CnRenderer *renderer;        /* with the materials of the scene */
    const char *path;            /* virtual, of the file */
    CN_ARRAY(const char *) seen; /* paths that were checked; owned by components */
    uint32_t bad;
} Checked;

typedef bool CheckName(const Checked *checked, const char *name, CnError *error);

static bool is_new(Checked *checked, const char *path)
{
    for (uint32_t i = 0; i < checked->seen.count; i++)
        if (!strcmp(checked->seen.items[i], path))
            return false;
    return cn_array_push(&checked->seen, path);
}

/* Finds the first occurrence of this text in quotes. Line 0 if it is not found, for example
 * because it is in a prefab. */
static void find_place(const Checked *checked, const char *text, int *line, int *column)
{
    char quoted[CN_VFS_PATH_BYTES + 2];
    CnFileBytes bytes;
    *line = *column = 0;
    if (!*text || !cn_format(quoted, sizeof quoted, "\"%s\"", text) ||
        !cn_file_read_all(cn_vfs_files(checked->session->project.vfs), checked->path, NULL, &bytes,
                          NULL))
        return;
    const char *begin = (const char *)bytes.data, *at = strstr(begin, quoted);
    for (const char *c = begin; at && c <= at; c++) {
        bool is_first = c == begin || c[-1] == '\n';
        *line += is_first;
        *column = is_first ? 1 : *column + 1;
    }
    cn_file_bytes_free(&bytes);
}

/* An error in the named file is reported with its position there; a file that cannot be read is
 * reported with the position that refers to it. */
static void check_name(Checked *checked, CheckName *check, CnEntity object, const char *path)
{
    CnError error = {0};
    if (!is_new(checked, path) || check(checked, path, &error))
        return;
    if (!error.line) {
        int line, column;
        CnError cause = error;
        find_place(checked, path, &line, &column);
        cn_error_set_at(&error, cause.code, checked->path, line, column, "object '%s': %s",
                        cn_object_name(checked->world, object), cause.message);
    }
    project_real_error(&checked->session->project, &error);
    report(&error);
    checked->bad++;
}

static bool check_script(const Checked *checked, const char *name, CnError *error)
{
    return cn_script_check(checked->world, name, error);
}

static bool check_shape(const Checked *checked, const char *name, CnError *error)
{
    return cn_physics_mesh_check(checked->world, name, error);
}

static bool check_model(const Checked *checked, const char *name, CnError *error)
{
    return cn_model_load(checked->renderer, name, error).id != 0;
}

static bool check_material(const Checked *checked, const char *name, CnError *error)
{
    return cn_material_find(checked->renderer, name).id != 0 ||
           cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no material named %s", name);
}

static void check_scripts(Checked *checked)
{
    CnQuery *query = cn_query_acquire(
        checked->world, &(CnQueryDesc){.all = {cn_reads(CnObject), cn_reads(CnScript)}}, NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        const CnScript *scripts = cn_column_const(&view, CnScript);
        for (uint32_t i = 0; i < view.count; i++)
            check_name(checked, check_script, view.entities[i], scripts[i].script_path);
    }
    cn_query_release(query);
}

static void check_shapes(Checked *checked)
{
    CnQuery *query = cn_query_acquire(
        checked->world, &(CnQueryDesc){.all = {cn_reads(CnObject), cn_reads(CnRigidbody)}}, NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        const CnRigidbody *bodies = cn_column_const(&view, CnRigidbody);
        for (uint32_t i = 0; i < view.count; i++)
            if (bodies[i].shape == CN_SHAPE_MESH)
                check_name(checked, check_shape, view.entities[i], bodies[i].mesh);
    }
    cn_query_release(query);
}

/* A prefab is drawn with the materials of the scene into which it is spawned. */
static void check_looks(Checked *checked, bool is_prefab)
{
    CnQuery *query = cn_query_acquire(
        checked->world, &(CnQueryDesc){.all = {cn_reads(CnObject), cn_reads(CnMeshRenderer)}},
        NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        const CnMeshRenderer *looks = cn_column_const(&view, CnMeshRenderer);
        for (uint32_t i = 0; i < view.count; i++)
            if (looks[i].mesh[0])
                check_name(checked, check_model, view.entities[i], looks[i].mesh);
    }
    cn_array_clear(&checked->seen); /* a material may have the name of a mesh */
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view) && !is_prefab;) {
        const CnMeshRenderer *looks = cn_column_const(&view, CnMeshRenderer);
        for (uint32_t i = 0; i < view.count; i++)
            if (looks[i].material[0])
                check_name(checked, check_material, view.entities[i], looks[i].material);
    }
}

/* Without a device, textures are read and surfaces compiled nevertheless. */
static bool make_renderer(const Session *session, CnGpu **gpu, CnRenderer **renderer,
                          CnError *error)
{
    *gpu = cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_NULL}, error);
    *renderer =
        *gpu ? cn_renderer_create(
                   &(CnRendererDesc){.gpu = *gpu, .files = cn_vfs_files(session->project.vfs)},
                   error)
             : NULL;
    return *renderer && cn_preset_forward(*renderer, NULL, NULL, error);
}

static bool check_names(const Session *session, CnRenderer *renderer, const char *file,
                        bool is_prefab)
{
    char path[CN_VFS_PATH_BYTES];
    CnError error = {0};
    if (!project_path(&session->project, file, path, sizeof path, &error))
        return report(&error);
    Checked checked = {.session = session,
                       .world = cn_sim_world(session->sim),
                       .renderer = renderer,
                       .path = path};
    cn_array_init(&checked.seen, NULL);
    check_scripts(&checked);
    check_shapes(&checked);
    cn_array_clear(&checked.seen); /* a valid collision mesh may be an invalid model */
    check_looks(&checked, is_prefab);
    cn_array_fini(&checked.seen);
    return !checked.bad;
}

/* Checks the files, meshes and materials that objects refer to, and the materials of a scene. */
static bool check_content(const Session *session, const char *file, bool is_prefab)
{
    CnError error = {0};
    CnGpu *gpu;
    CnRenderer *renderer;
    bool done =
        make_renderer(session, &gpu, &renderer, &error) &&
        (is_prefab || cn_materials_read_file(
                          renderer, cn_scene_file(cn_scenes_active(session->scenes)), &error));
    if (!done) {
        project_real_error(&session->project, &error);
        report(&error);
    }
    done = done && check_names(session, renderer, file, is_prefab);
    cn_renderer_destroy(renderer);
    cn_gpu_destroy(gpu);
    return done;
}

/* ---- Scenes and prefabs ---- */

/* A scene is read as for running; a prefab is spawned into an empty scene. */
static bool spawn_prefab(Session *session, const char *file)
{
    CnError error = {0};
    char path[CN_VFS_PATH_BYTES];
    if (project_path(&session->project, file, path, sizeof path, &error) &&
        cn_prefab_spawn(cn_sim_world(session->sim), cn_vfs_files(session->project.vfs), path,
                        CN_NO_PARENT, &error)
            .id)
        return true;
    project_real_error(&session->project, &error);
    return report(&error);
}

static bool check_prefab(const char *file, SessionDesc desc)
{
    Session session;
    desc.beside = file;
    bool done = session_begin(&session, &desc) && spawn_prefab(&session, file) &&
                check_content(&session, file, true);
    if (done)
        cn_print("%s: valid prefab", file);
    session_end(&session);
    return done;
}

static bool check_scene(const char *file, SessionDesc desc)
{
    Session session;
    desc.scene = file;
    bool done = session_begin(&session, &desc) && check_content(&session, file, false);
    if (done) {
        const CnScene *scene = cn_scenes_active(session.scenes);
        cn_print("%s: valid scene, %s, with %u objects", file, cn_scene_name(scene),
                 cn_scene_file(scene)->node_count);
    }
    session_end(&session);
    return done;
}

int command_check(int count, char **arguments)
{
    SessionDesc desc = SESSION_DEFAULTS;
    OptionList files = {0};
    bool prefabs = false;
    const Option table[] = {
        {"--prefabs", NULL, "treat the files as prefabs", OPTION_FLAG, &prefabs, 0, 0},
        {"--plugin", "FILE",
         "load a library or a Lua file whose components the files use; may be repeated",
         OPTION_LIST, &desc.plugins, 0, 0},
        {0},
    };
    const Usage usage = {"check",
                         "SCENE... [options]",
                         "Validates scene files, their materials, and the prefabs, scripts, meshes "
                         "and materials that they refer to,\nand reports errors with file, line "
                         "and column. Scripts are\ncompiled, but not run.",
                         table,
                         &files,
                         MAX_LIST};
    ParseResult parsed = parse_options(&usage, count, arguments);
    if (parsed != PARSE_GO_ON)
        return parsed == PARSE_HELPED ? 0 : 2;
    if (!files.count) {
        fprintf(stderr, "cairn check: no files given (try cairn check --help)\n");
        return 2;
    }
    uint32_t bad = 0;
    for (uint32_t i = 0; i < files.count; i++)
        bad += prefabs ? !check_prefab(files.items[i], desc) : !check_scene(files.items[i], desc);
    return bad ? 1 : 0;
}
