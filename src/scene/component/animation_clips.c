#include <cairn/scene/animation_clips.h>

#include <cairn/base/bytes.h>
#include <cairn/base/json_size.h>
#include <cairn/base/text.h>
#include <cairn/sim/extract.h>

#include <jansson.h>
#include <string.h>

#define MAX_TREE_BYTES ((uint64_t)256 << 20) /* of the parsed JSON */
#define PATH_BYTES 512u

typedef struct Clips {
    CnFileSystem *files;
    CnAllocator *allocator;
    const char *path;
    CnError *error;
} Clips;

static bool fail(const Clips *clips, const char *message)
{
    return cn_error_set_at(clips->error, CN_ERROR_FORMAT, clips->path, 0, 0, "%s", message);
}

/* ---- The text ---- */

/* Finds the JSON chunk of a .glb file: 12 bytes of header, and the header of the first chunk. */
static bool find_chunk(const Clips *clips, CnFile *file, uint64_t size, uint64_t *at,
                       uint64_t *bytes)
{
    uint8_t head[20];
    size_t done = 0;
    if (size < sizeof head)
        return fail(clips, "the file is too short for a .glb file");
    if (!clips->files->read(clips->files, file, 0, head, sizeof head, &done, clips->error))
        return false;
    if (done < sizeof head || memcmp(head, "glTF", 4) != 0 || memcmp(head + 16, "JSON", 4) != 0)
        return fail(clips, "the file does not begin as a .glb file");
    *at = sizeof head;
    *bytes = cn_load_u32(head + 12);
    return *bytes <= size - sizeof head || fail(clips, "the JSON chunk is cut off");
}

static bool read_range(const Clips *clips, CnFile *file, uint64_t at, uint64_t bytes, char **text)
{
    size_t done = 0;
    if (bytes > CN_ANIMATION_MAX_JSON_BYTES)
        return fail(clips, "the JSON of the model is larger than 16 MiB");
    *text = cn_alloc(clips->allocator, (size_t)bytes + 1);
    if (!*text)
        return cn_error_memory(clips->error, "the clips of a model");
    if (clips->files->read(clips->files, file, at, *text, (size_t)bytes, &done, clips->error) &&
        (done == bytes || fail(clips, "the file is shorter than expected")))
        return true;
    cn_free(clips->allocator, *text, (size_t)bytes + 1);
    return false;
}

static bool read_text(const Clips *clips, bool is_binary, char **text, uint64_t *bytes)
{
    CnFileInfo info;
    if (!clips->files->info(clips->files, clips->path, &info, clips->error))
        return false;
    CnFile *file;
    if (!clips->files->open(clips->files, clips->path, CN_FILE_READ, &file, clips->error))
        return false;
    uint64_t at = 0;
    *bytes = info.size_bytes;
    bool done = (!is_binary || find_chunk(clips, file, info.size_bytes, &at, bytes)) &&
                read_range(clips, file, at, *bytes, text);
    clips->files->close(clips->files, file);
    return done;
}

/* ---- The clips ---- */

/* Returns the length of the longest sampler, or a negative number if a value is wrong. */
static double length_of(json_t *animation, json_t *accessors)
{
    json_t *samplers = json_object_get(animation, "samplers");
    double length = 0;
    for (size_t i = 0; i < json_array_size(samplers); i++) {
        json_t *input = json_object_get(json_array_get(samplers, i), "input");
        json_int_t index = json_is_integer(input) ? json_integer_value(input) : -1;
        json_t *accessor = index < 0 ? NULL : json_array_get(accessors, (size_t)index);
        json_t *last = json_array_get(json_object_get(accessor, "max"), 0);
        double seconds = json_is_number(last) ? json_number_value(last) : -1;
        if (!(seconds >= 0 && seconds < CN_ANIMATION_WRAP))
            return -1;
        length = seconds > length ? seconds : length;
    }
    return length;
}

static bool fill(const Clips *clips, json_t *json, CnAnimationClips *out)
{
    json_t *animations = json_object_get(json, "animations");
    json_t *accessors = json_object_get(json, "accessors");
    size_t count = json_array_size(animations);
    count = count < CN_ANIMATION_CLIPS ? count : CN_ANIMATION_CLIPS;
    out->items = cn_alloc_zeroed(clips->allocator, count * sizeof *out->items + 1);
    if (!out->items)
        return cn_error_memory(clips->error, "the clips of a model");
    out->count = (uint32_t)count;
    for (uint32_t i = 0; i < count; i++) {
        json_t *animation = json_array_get(animations, i);
        const char *name = json_string_value(json_object_get(animation, "name"));
        double seconds = length_of(animation, accessors);
        if (seconds < 0)
            return fail(clips,
                        "a clip has no valid length: the accessors of its times have no max");
        cn_copy_text(out->items[i].name, sizeof out->items[i].name, cn_text(name ? name : ""));
        out->items[i].seconds = (float)seconds;
    }
    return true;
}

static bool parse(const Clips *clips, CnText text, CnAnimationClips *out)
{
    json_error_t wrong;
    if (cn_json_measure(text).tree_bytes > MAX_TREE_BYTES)
        return fail(clips, "the JSON of the model takes too much memory");
    json_t *json = json_loadb(text.data, text.size, 0, &wrong);
    bool done = json ? fill(clips, json, out) : fail(clips, wrong.text);
    json_decref(json);
    if (!done)
        cn_animation_clips_free(out);
    return done;
}

bool cn_animation_clips_read(CnFileSystem *files, const char *path, CnAllocator *allocator,
                             CnAnimationClips *clips, CnError *error)
{
    CN_ASSERT(path, "%s: path is NULL", __func__);
    CN_ASSERT(clips, "%s: clips is NULL", __func__);
    char name[PATH_BYTES];
    *clips = (CnAnimationClips){.allocator = allocator ? allocator : cn_system_allocator()};
    if (!cn_copy_text(name, sizeof name, (CnText){path, strcspn(path, "#")}))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of a model is too long");
    bool is_binary = cn_text_ends_with(cn_text(name), cn_text(".glb"));
    if (!is_binary && !cn_text_ends_with(cn_text(name), cn_text(".gltf")))
        return true;
    if (!files)
        return cn_error_set_at(error, CN_ERROR_UNSUPPORTED, name, 0, 0,
                               "no file system was given to read models from");
    const Clips reading = {files, clips->allocator, name, error};
    char *text = NULL;
    uint64_t bytes;
    if (!read_text(&reading, is_binary, &text, &bytes))
        return false;
    bool done = parse(&reading, (CnText){text, (size_t)bytes}, clips);
    clips->text_bytes = (uint32_t)bytes;
    cn_free(reading.allocator, text, (size_t)bytes + 1);
    return done;
}

void cn_animation_clips_free(CnAnimationClips *clips)
{
    cn_free(clips->allocator, clips->items, clips->count * sizeof *clips->items + 1);
    *clips = (CnAnimationClips){.allocator = clips->allocator};
}

uint32_t cn_animation_clips_find(const CnAnimationClips *clips, const char *name)
{
    uint32_t i = 0;
    while (i < clips->count && strcmp(clips->items[i].name, name) != 0)
        i++;
    return i;
}
