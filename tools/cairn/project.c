#include "project.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const schemes[] = {"project", "assets", "scripts"};
static const char *const trusted[] = {"project://", "assets://", "scripts://", NULL};

/* Returns the folder that cn_vfs_mount_project mounts under a scheme. */
static void folder_of(const Project *project, const char *scheme, char *folder, size_t bytes)
{
    struct stat status;
    bool is_there = strcmp(scheme, "project") &&
                    cn_format(folder, bytes, "%s/%s", project->folder, scheme) &&
                    stat(folder, &status) == 0 && S_ISDIR(status.st_mode);
    if (!is_there)
        cn_copy_text(folder, bytes, cn_text(project->folder));
}

/* A symbolic link to a scene is resolved: its other files are beside the target, not beside the
 * link. */
static const char *behind_link(const char *scene, char real_scene[PATH_MAX])
{
    struct stat status;
    bool is_link = lstat(scene, &status) == 0 && S_ISLNK(status.st_mode);
    return is_link && realpath(scene, real_scene) ? real_scene : scene;
}

bool project_open(Project *project, const char *scene, bool trust_scripts, CnError *error)
{
    *project = (Project){.folder = "."};
    project->vfs = cn_vfs_create(NULL, error);
    if (!project->vfs)
        return false;
    project->physics.files = project->scripts.files = cn_vfs_files(project->vfs);
    project->scripts.trusted = trust_scripts ? trusted : NULL;
    if (!scene)
        return true;
    char real_scene[PATH_MAX];
    scene = behind_link(scene, real_scene);
    const char *slash = strrchr(scene, '/');
    CnText folder = {scene, slash ? (size_t)(slash - scene) : 0};
    if (slash == scene)
        folder.size = 1;
    if (folder.size && !cn_copy_text(project->folder, sizeof project->folder, folder))
        return cn_error_set(error, CN_ERROR_FORMAT, "the path of the scene is too long");
    return cn_vfs_mount_project(project->vfs, project->folder, CN_ORIGIN_USER, error);
}

void project_close(Project *project)
{
    cn_vfs_destroy(project->vfs);
    *project = (Project){0};
}

bool project_path(const Project *project, const char *scene, char *path, size_t path_bytes,
                  CnError *error)
{
    char real_folder[PATH_MAX], real_scene[PATH_MAX];
    if (!realpath(project->folder, real_folder) || !realpath(scene, real_scene))
        return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "read", scene,
                                 "the file does not exist");
    struct stat status;
    if (stat(real_scene, &status) == 0 && S_ISDIR(status.st_mode))
        return cn_file_set_error(error, CN_ERROR_FORMAT, "read", scene,
                                 "it is a folder; give a scene file in it");
    size_t length = strcmp(real_folder, "/") ? strlen(real_folder) : 0;
    if (strncmp(real_scene, real_folder, length) || real_scene[length] != '/')
        return cn_error_set(error, CN_ERROR_PERMISSION,
                            "%s is not below the folder of the first scene, %s", scene,
                            project->folder);
    if (!cn_format(path, path_bytes, "project://%s", real_scene + length + 1))
        return cn_error_set(error, CN_ERROR_FORMAT, "the path of the scene is too long");
    return true;
}

void project_real_error(const Project *project, CnError *error)
{
    for (size_t i = 0; i < CN_COUNT_OF(schemes); i++) {
        char prefix[32], folder[PATH_MAX], file[PATH_MAX];
        cn_format(prefix, sizeof prefix, "%s://", schemes[i]);
        if (!cn_text_starts_with(cn_text(error->file), cn_text(prefix)))
            continue;
        folder_of(project, schemes[i], folder, sizeof folder);
        /* A name that is too long for the error stays unchanged. */
        if (cn_format(file, sizeof file, "%s/%s", folder, error->file + strlen(prefix)) &&
            strlen(file) < sizeof error->file)
            cn_copy_text(error->file, sizeof error->file, cn_text(file));
        return;
    }
}
