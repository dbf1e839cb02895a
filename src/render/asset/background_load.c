#include "render/asset/background_load.h"

#include "render/asset/model_file.h"
#include <cairn/vfs/decode_job.h>

#include <cairn/base/log.h>

#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef struct Load {
    struct Load *next;
    char path[CNI_RENDER_PATH_BYTES];
    CnTexture texture; /* null: a model */
    /* The result, of which only one exists; none if there is an error. */
    CniRenderModelFile *model_file;
    CnImage image;
    CnError error;
} Load;

typedef struct Queue {
    Load *first, *last;
} Queue;

struct CniRenderLoader {
    CnRenderer *renderer;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Guarded by the mutex: */
    Queue waiting, done;
    Load *running;
    bool is_stopping;
    int cancel; /* an event that ends the helper process */
};

static void push(Queue *queue, Load *load)
{
    load->next = NULL;
    if (queue->last)
        queue->last->next = load;
    else
        queue->first = load;
    queue->last = load;
}

static Load *pop(Queue *queue)
{
    Load *load = queue->first;
    if (load)
        queue->first = load->next;
    if (!queue->first)
        queue->last = NULL;
    return load;
}

/* ---- The thread ---- */

static void run(CnRenderer *renderer, Load *load)
{
    CnFileBytes bytes;
    if (!load->texture.id) {
        load->model_file = cni_render_model_file_open(renderer, load->path, &load->error);
        if (load->model_file && !cni_render_model_file_decode_images(renderer, load->model_file))
            cn_error_memory(&load->error, "the textures of %s", load->path);
    } else if (cn_file_read_all(renderer->files, load->path, renderer->allocator, &bytes,
                                &load->error)) {
        cn_image_read(&(CnImageReadDesc){.bytes = bytes.data,
                                         .size = bytes.size,
                                         .name = load->path,
                                         .budget = bytes.budget,
                                         .allocator = renderer->allocator},
                      &load->image, &load->error);
        cn_file_bytes_free(&bytes);
    }
}

static void *run_loads(void *data)
{
    CniRenderLoader *loader = data;
    cn_decode_set_cancel(loader->cancel);
    pthread_mutex_lock(&loader->mutex);
    while (!loader->is_stopping) {
        loader->running = pop(&loader->waiting);
        if (!loader->running) {
            pthread_cond_wait(&loader->changed, &loader->mutex);
            continue;
        }
        pthread_mutex_unlock(&loader->mutex);
        run(loader->renderer, loader->running);
        pthread_mutex_lock(&loader->mutex);
        push(&loader->done, loader->running);
        loader->running = NULL;
        pthread_cond_broadcast(&loader->changed);
    }
    pthread_mutex_unlock(&loader->mutex);
    return NULL;
}

/* Returns NULL if there are no resources for a thread. */
static CniRenderLoader *start_loader(CnRenderer *renderer)
{
    CniRenderLoader *loader = cn_alloc_zeroed(renderer->allocator, sizeof *loader);
    if (!loader)
        return NULL;
    loader->renderer = renderer;
    loader->cancel = eventfd(0, EFD_CLOEXEC);
    pthread_mutex_init(&loader->mutex, NULL);
    pthread_cond_init(&loader->changed, NULL);
    if (loader->cancel >= 0 && pthread_create(&loader->thread, NULL, run_loads, loader) == 0)
        return loader;
    if (loader->cancel >= 0)
        close(loader->cancel);
    pthread_cond_destroy(&loader->changed);
    pthread_mutex_destroy(&loader->mutex);
    cn_free(renderer->allocator, loader, sizeof *loader);
    return NULL;
}

/* ---- Requests ---- */

bool cni_render_is_foreign(CnRenderer *renderer, const char *path)
{
    CnFileSystem *files = renderer->files;
    CnFile *file;
    char name[CNI_RENDER_PATH_BYTES]; /* without a selector */
    if (!files || !files->budget ||
        !cn_copy_text(name, sizeof name, (CnText){path, strcspn(path, "#")}) ||
        !files->open(files, name, CN_FILE_READ, &file, NULL))
        return false;
    const CnBudget *budget = files->budget(files, file);
    bool is_foreign = budget && budget->origin == CN_ORIGIN_FOREIGN;
    files->close(files, file);
    return is_foreign;
}

static bool is_same(const Load *load, const char *path, CnTexture texture)
{
    return load && load->texture.id == texture.id && !strcmp(load->path, path);
}

static bool is_queued(const Queue *queue, const char *path, CnTexture texture)
{
    for (const Load *load = queue->first; load; load = load->next)
        if (is_same(load, path, texture))
            return true;
    return false;
}

static bool request(CnRenderer *renderer, const char *path, CnTexture texture)
{
    if (!renderer->loader)
        renderer->loader = start_loader(renderer);
    CniRenderLoader *loader = renderer->loader;
    Load *load = loader ? cn_alloc_zeroed(renderer->allocator, sizeof *load) : NULL;
    if (!load || !cn_copy_text(load->path, sizeof load->path, cn_text(path))) {
        cn_free(renderer->allocator, load, sizeof *load);
        return false;
    }
    load->texture = texture;
    load->image.allocator = renderer->allocator;
    pthread_mutex_lock(&loader->mutex);
    bool is_known = is_queued(&loader->waiting, path, texture) ||
                    is_queued(&loader->done, path, texture) ||
                    is_same(loader->running, path, texture);
    if (!is_known)
        push(&loader->waiting, load);
    pthread_cond_broadcast(&loader->changed);
    pthread_mutex_unlock(&loader->mutex);
    if (is_known)
        cn_free(renderer->allocator, load, sizeof *load);
    return true;
}

bool cni_render_load_model(CnRenderer *renderer, const char *path)
{
    return request(renderer, path, (CnTexture){0});
}

bool cni_render_load_texture(CnRenderer *renderer, CnTexture texture, const char *path)
{
    return request(renderer, path, texture);
}

/* ---- Results ---- */

static void free_load(CnRenderer *renderer, Load *load)
{
    cni_render_model_file_release(renderer, load->model_file);
    cn_image_free(&load->image);
    cn_free(renderer->allocator, load, sizeof *load);
}

static void upload(CnRenderer *renderer, Load *load)
{
    CnError error = load->error;
    bool ok = error.code == CN_OK;
    if (ok && load->texture.id)
        ok = cni_render_texture_fill(renderer, load->texture, &load->image, &error);
    else if (ok)
        ok = cni_render_model_add_file(renderer, load->model_file, load->path, &error);
    if (!ok)
        CN_LOG_ERROR("render", "cannot load %s: %s", load->path, error.message);
    if (!load->texture.id)
        cni_render_assets_note(renderer, load->path, ok ? NULL : &error);
    if (ok && !load->texture.id)
        cni_render_assets_retry(renderer, load->path);
    free_load(renderer, load);
}

void cni_render_loads_take(CnRenderer *renderer)
{
    CniRenderLoader *loader = renderer->loader;
    if (!loader)
        return;
    pthread_mutex_lock(&loader->mutex);
    Load *load = pop(&loader->done);
    pthread_mutex_unlock(&loader->mutex);
    if (load)
        upload(renderer, load);
}

void cni_render_loads_finish(CnRenderer *renderer)
{
    CniRenderLoader *loader = renderer->loader;
    if (!loader)
        return;
    pthread_mutex_lock(&loader->mutex);
    while (loader->waiting.first || loader->running)
        pthread_cond_wait(&loader->changed, &loader->mutex);
    Queue done = loader->done;
    loader->done = (Queue){0};
    pthread_mutex_unlock(&loader->mutex);
    for (Load *load = pop(&done); load; load = pop(&done))
        upload(renderer, load);
}

void cni_render_loads_fini(CnRenderer *renderer)
{
    CniRenderLoader *loader = renderer->loader;
    if (!loader)
        return;
    pthread_mutex_lock(&loader->mutex);
    loader->is_stopping = true;
    eventfd_write(loader->cancel, 1);
    pthread_cond_broadcast(&loader->changed);
    pthread_mutex_unlock(&loader->mutex);
    pthread_join(loader->thread, NULL);
    for (Load *load = pop(&loader->waiting); load; load = pop(&loader->waiting))
        free_load(renderer, load);
    for (Load *load = pop(&loader->done); load; load = pop(&loader->done))
        free_load(renderer, load);
    close(loader->cancel);
    pthread_cond_destroy(&loader->changed);
    pthread_mutex_destroy(&loader->mutex);
    cn_free(renderer->allocator, loader, sizeof *loader);
    renderer->loader = NULL;
}
