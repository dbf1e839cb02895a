/*
 * Names and lengths of the animation clips in a glTF file, for simulations, which load no models.
 *
 *     float length_of_jump(CnFileSystem *files, CnError *error)
 *     {
 *         CnAnimationClips clips;
 *         if (!cn_animation_clips_read(files, "assets://fox.glb", NULL, &clips, error))
 *             return 0;
 *         uint32_t jump = cn_animation_clips_find(&clips, "Jump");
 *         float seconds = jump < clips.count ? clips.items[jump].seconds : 0;
 *         cn_animation_clips_free(&clips);
 *         return seconds;
 *     }
 *
 * Lengths come from the largest times that the file declares for its clips, which glTF requires.
 */
#ifndef CAIRN_SCENE_ANIMATION_CLIPS_H
#define CAIRN_SCENE_ANIMATION_CLIPS_H

#include <cairn/base/file.h>

CN_EXTERN_C_BEGIN

#define CN_ANIMATION_CLIP_NAME_BYTES 64u
#define CN_ANIMATION_MAX_JSON_BYTES (16u << 20)

typedef struct CnAnimationClip {
    char name[CN_ANIMATION_CLIP_NAME_BYTES]; /* shortened if necessary; "" if it has none */
    float seconds;
} CnAnimationClip;

typedef struct CnAnimationClips {
    CnAnimationClip *items;
    uint32_t count;
    uint32_t text_bytes; /* of the JSON that was read */
    CnAllocator *allocator;
} CnAnimationClips;

/* Reads the clips of a model: a .glb or .gltf file, with or without "#" and the name of a part.
 * Other files have no clips. `allocator` may be NULL. The error names the file. */
CN_API bool cn_animation_clips_read(CnFileSystem *files, const char *path, CnAllocator *allocator,
                                    CnAnimationClips *clips, CnError *error);
CN_API void cn_animation_clips_free(CnAnimationClips *clips);
/* Returns the index of the first clip with a name; `count` if there is none. */
CN_API uint32_t cn_animation_clips_find(const CnAnimationClips *clips, const char *name);

CN_EXTERN_C_END

#endif
