/*
 * The files of a scene: project:// is the folder of the scene file; assets:// and scripts:// are
 * its subfolders `assets` and `scripts`, or the folder itself.
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

/* `scene` may be NULL: nothing is mounted. Call project_close in any case. */
bool project_open(Project *project, const char *scene, bool trust_scripts, CnError *error);
void project_close(Project *project);

/* Converts the path of a scene file, which must be below the project's folder, to a virtual
 * path. */
bool project_path(const Project *project, const char *scene, char *path, size_t path_bytes,
                  CnError *error);
/* Replaces the virtual path in the error by the real one. */
void project_real_error(const Project *project, CnError *error);

#endif
