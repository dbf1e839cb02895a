/* Animation clips of models, by path, and the ends of clips. */
#ifndef CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_CLIPS_H
#define CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_CLIPS_H

#include "script/script_internal.h"

#include <cairn/base/array.h>
#include <cairn/base/hash_map.h>
#include <cairn/scene/animation_clips.h>

#define CNI_SCRIPT_MAX_MODELS 1024u /* whose clips are kept */

/* Files that were read. Not part of the state: files are content. */
typedef struct CniScriptModels {
    CN_ARRAY(CnAnimationClips) clips;
    CnHashMap by_path; /* hash of the path -> index */
} CniScriptModels;

typedef struct CniScriptRuntime CniScriptRuntime;

void cni_script_models_init(CniScriptModels *models, CnAllocator *allocator);
void cni_script_models_fini(CniScriptModels *models);
/* Returns the clips of a model, valid until the next call, or NULL and an error. */
const CnAnimationClips *cni_script_model_clips(CniScriptRuntime *runtime, const char *path,
                                               CnError *error);
/* Calls on_animationend of the scripts whose objects have a clip that ended in this tick. */
void cni_script_animations_notify(CniScriptRuntime *runtime);

#endif
