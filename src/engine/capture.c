/* Writes images, videos and graphs of frames to files. */
#include "engine/engine_internal.h"

#include <cairn/base/clock.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_NS UINT64_C(250000000)

/* ---- File names ---- */

/* Accepts one "%d" or "%0Nd" and no other '%', because the name is passed to printf. */
static bool check_pattern(const char *out, bool *is_sequence, CnError *error)
{
    const char *percent = strchr(out, '%');
    *is_sequence = percent != NULL;
    if (!percent)
        return true;
    const char *at = percent + 1;
    if (at[0] == '0' && at[1] >= '1' && at[1] <= '9')
        at += 2;
    if (*at == 'd' && !strchr(at, '%'))
        return true;
    return cn_error_set(error, CN_ERROR_FORMAT,
                        "\"%s\" must contain %%d or %%04d for the frame number, once", out);
}

static bool is_folder(const char *path)
{
    CnFileInfo info;
    CnFileSystem *files = cn_native_files();
    return cn_text_ends_with(cn_text(path), cn_text("/")) ||
           (files->info(files, path, &info, NULL) && info.is_directory);
}

static bool refuse_missing_folder(const char *path, CnError *error)
{
    return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "write", path,
                             "its folder does not exist; create it or use --make-folders");
}

/* Checks before the first frame whether files can be created in the folder. */
bool cni_engine_prepare_folder(const CnEngine *engine, const char *path, CnError *error)
{
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    CnText text = {path, !slash ? 0 : slash == path ? 1 : (size_t)(slash - path)};
    CnFileSystem *files = cn_native_files();
    if (slash && !cn_copy_text(folder, sizeof folder, text))
        return cn_error_set(error, CN_ERROR_FORMAT, "the folder name is too long");
    if (engine->desc.make_folders && !cn_file_make_folder_of(files, path, error))
        return false;
    if (!cn_file_check_folder_of(files, path, error))
        return error && error->code == CN_ERROR_NOT_FOUND ? refuse_missing_folder(path, error)
                                                          : false;
    return !access(folder, W_OK | X_OK) || cn_file_set_errno(error, "write into", folder, errno);
}

/* Creates a folder that is itself an output. Its parents have to exist, unless the description asks
 * for their creation. */
static bool make_output_folder(const CnEngine *engine, const char *out, CnError *error)
{
    char folder[PATH_MAX];
    CnText text = cn_text(out);
    CnFileSystem *files = cn_native_files();
    while (text.size > 1 && text.data[text.size - 1] == '/')
        text.size--;
    if (!cn_copy_text(folder, sizeof folder, text))
        return cn_error_set(error, CN_ERROR_FORMAT, "the folder name is too long");
    return cni_engine_prepare_folder(engine, folder, error) &&
           files->make_folder(files, folder, error);
}

/* ffmpeg opens the file itself and seeks in it, and would block on a pipe without a reader. */
static bool check_video(const CnEngine *engine, CnError *error)
{
    CnFileWriteTarget target;
    CnFileSystem *files = cn_native_files();
    const char *path = engine->desc.video_path;
    if (!cni_engine_prepare_folder(engine, path, error) ||
        !files->find_write_target(files, path, &target, error))
        return false;
    return target.kind != CN_FILE_WRITE_TARGET_STREAM ||
           cn_file_set_error(error, CN_ERROR_IO, "write", path, "a video needs a regular file");
}

/* Replaces "%04d" by the frame number; the pattern was checked before. */
static bool path_of_frame(const CniEngineCapture *capture, uint64_t number, char path[PATH_MAX])
{
    const char *percent = strchr(capture->out, '%');
    if (!percent)
        return cn_copy_text(path, PATH_MAX, cn_text(capture->out));
    int digits = percent[1] == '0' ? percent[2] - '0' : 1;
    return cn_format(path, PATH_MAX, "%.*s%0*llu%s", (int)(percent - capture->out), capture->out,
                     digits, (unsigned long long)number, strchr(percent, 'd') + 1);
}

static bool too_long(CnError *error)
{
    return cn_error_set(error, CN_ERROR_FORMAT, "the image file name is too long");
}

/* ---- Beginning ---- */

static bool begin_images(CnEngine *engine, CnError *error)
{
    CniEngineCapture *capture = &engine->capture;
    const char *out = engine->desc.image_path;
    char first[PATH_MAX];
    bool is_sequence_folder = is_folder(out);
    if (is_sequence_folder && !make_output_folder(engine, out, error))
        return false;
    bool fits = is_sequence_folder
                    ? cn_format(capture->out, sizeof capture->out, "%s/%%04d.png", out)
                    : cn_copy_text(capture->out, sizeof capture->out, cn_text(out));
    if (!fits)
        return too_long(error);
    if (!cn_text_ends_with(cn_text(capture->out), cn_text(".png")))
        return cn_error_set(error, CN_ERROR_FORMAT, "an image file must end in .png: \"%s\"", out);
    return check_pattern(capture->out, &capture->is_sequence, error) &&
           (path_of_frame(capture, 0, first) || too_long(error)) &&
           cni_engine_prepare_folder(engine, first, error);
}

bool cni_engine_capture_begin(CnEngine *engine, CnError *error)
{
    CnEngineDesc *desc = &engine->desc;
    CnText graph = cn_text(desc->graph_path ? desc->graph_path : ".svg");
    if (!cn_text_ends_with(graph, cn_text(".svg")) && !cn_text_ends_with(graph, cn_text(".dot")))
        return cn_error_set(error, CN_ERROR_FORMAT, "a graph file must end in .svg or .dot: \"%s\"",
                            desc->graph_path);
    if (desc->image_path && !begin_images(engine, error))
        return false;
    if (desc->image_path && !desc->frames && !engine->capture.is_sequence && !desc->video_path)
        desc->frames = 1;
    engine->capture.has_progress =
        desc->frames > 1 && (desc->image_path || desc->video_path) && isatty(STDERR_FILENO);
    return (!desc->video_path || check_video(engine, error)) &&
           (!desc->graph_path || cni_engine_prepare_folder(engine, desc->graph_path, error));
}

bool cn_engine_screenshot(CnEngine *engine, const char *path, CnError *error)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return cn_copy_text(engine->capture.screenshot, sizeof engine->capture.screenshot,
                        cn_text(path)) ||
           too_long(error);
}

/* ---- Frames ---- */

bool cni_engine_capture_needs_frame(const CnEngine *engine, bool is_last)
{
    const CniEngineCapture *capture = &engine->capture;
    return engine->desc.video_path || capture->screenshot[0] ||
           (engine->desc.image_path && (capture->is_sequence || is_last));
}

static bool write_image(CnEngine *engine, const CnImage *image, const char *path, CnError *error)
{
    engine->capture.written++;
    return cni_engine_prepare_folder(engine, path, error) &&
           cn_image_write(image, cn_native_files(), path, error);
}

static bool write_video(CnEngine *engine, const CnImage *image, CnError *error)
{
    CniEngineCapture *capture = &engine->capture;
    if (!capture->video) /* its size is that of the first frame */
        capture->video =
            cni_engine_video_open(&(CniEngineVideoDesc){.allocator = engine->allocator,
                                                        .path = engine->desc.video_path,
                                                        .program = "ffmpeg",
                                                        .width = image->width,
                                                        .height = image->height,
                                                        .fps = engine->desc.fps},
                                  error);
    return capture->video && cni_engine_video_write(capture->video, image, error);
}

bool cni_engine_capture_frame(CnEngine *engine, CnError *error)
{
    CniEngineCapture *capture = &engine->capture;
    const CniEngineFramePacket *packet = &engine->packet;
    CnImage image = {0};
    char path[PATH_MAX];
    const uint8_t *pixels =
        cn_renderer_pixels(engine->renderer, &image.width, &image.height, error);
    if (!pixels)
        return false;
    image.pixels = (uint8_t *)(uintptr_t)pixels; /* only read */
    if (capture->screenshot[0]) {
        if (write_image(engine, &image, capture->screenshot, error))
            CN_LOG_INFO("engine", "wrote %s", capture->screenshot);
        else
            CN_LOG_ERROR("engine", "cannot save the screenshot: %s", error->message);
        capture->screenshot[0] = '\0';
    }
    if (engine->desc.video_path && !write_video(engine, &image, error))
        return false;
    bool is_last = engine->is_over || packet->number + 1 == engine->desc.frames;
    if (!engine->desc.image_path || !(capture->is_sequence || is_last))
        return true;
    if (!path_of_frame(capture, packet->number, path))
        return too_long(error);
    return write_image(engine, &image, path, error);
}

void cni_engine_capture_progress(CnEngine *engine)
{
    CniEngineCapture *capture = &engine->capture;
    uint64_t now_ns = capture->has_progress ? cn_clock_ns() : 0;
    if (!capture->has_progress || (!engine->is_over && now_ns - capture->progress_ns < PROGRESS_NS))
        return;
    capture->progress_ns = now_ns;
    fprintf(stderr, "\rframe %llu of %llu", (unsigned long long)engine->frame,
            (unsigned long long)engine->desc.frames);
    fputs(engine->is_over ? "\n" : "", stderr);
    fflush(stderr);
}

/* ---- The end ---- */

static bool write_graph(CnEngine *engine, CnError *error)
{
    const char *path = engine->desc.graph_path;
    const CnGraph *graph = cn_renderer_graph(engine->renderer);
    CnTextBuilder text;
    cn_array_init(&text, engine->allocator);
    bool is_dot = cn_text_ends_with(cn_text(path), cn_text(".dot"));
    bool is_made =
        graph && (is_dot ? cn_graph_write_dot(graph, &text) : cn_graph_write_svg(graph, &text));
    bool done = is_made
                    ? cni_engine_prepare_folder(engine, path, error) &&
                          cn_file_write_all(cn_native_files(), path, text.items, text.count, error)
                    : cn_error_set(error, CN_ERROR_NOT_FOUND,
                                   "no frame was rendered, so there is no graph");
    cn_array_fini(&text);
    return done;
}

bool cni_engine_capture_end(CnEngine *engine, CnError *error)
{
    CniEngineCapture *capture = &engine->capture;
    CniEngineVideo *video = capture->video;
    capture->video = NULL;
    bool done = !video || cni_engine_video_close(video, error);
    if (!engine->is_over || engine->error.code != CN_OK)
        return done;
    if (done && engine->desc.image_path && !capture->written)
        done = cn_error_set(error, CN_ERROR_NOT_FOUND, "%s: the program ended before its frame",
                            engine->desc.image_path);
    if (done && engine->desc.graph_path)
        done = write_graph(engine, error);
    engine->desc.image_path = engine->desc.graph_path = NULL; /* write them only once */
    return done;
}
