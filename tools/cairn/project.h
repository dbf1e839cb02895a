/*
 * The files of a scene: project:// is the folder of its file; assets:// and scripts:// are the folders
 * `assets` and `scripts` in it, or that folder itself.
 */
#ifndef TOOLS_CAIRN_PROJECT_H
#define TOOLS_CAIRN_PROJECT_H

#include <cairn/physics.h>
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/vfs.h>

#include <limits.h>

typedef struct Project {
    char folder[PATH_MAX];
    CnVfs *vfs;
    CnPhysicsDesc physics;
    CnScriptDesc scripts;
} Project;

/* `scene` may be NULL: nothing is mounted. project_close in any case. */
bool project_open(Project *project, const char *scene, bool trust_scripts, CnError *error);
void project_close(Project *project);

/* The virtual path of a scene file, which must be below the project's folder. */
bool project_path(const Project *project, const char *scene, char *path, size_t path_bytes,
                  CnError *error);
/* Puts a real path where the error names a virtual one. */
void project_real_error(const Project *project, CnError *error);

#endif
