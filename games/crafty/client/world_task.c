#include "world_task.h"

#include <cairn/base/assert.h>
#include <cairn/base/job.h>

#include <stdatomic.h>

typedef enum State {
    IDLE,
    RUNNING,
    DONE /* the result was not taken yet */
} State;

struct CraftyWorldTask {
    CnAllocator *allocator;
    CnJobPool *pool; /* of one worker */
    char folder[CN_STORE_PATH_BYTES];
    char mods[CN_STORE_PATH_BYTES], extra_mods[CN_STORE_PATH_BYTES]; /* "": none */
    State task, thumbnail;
    CnJob task_job, thumbnail_job;
    /* Written by the job: */
    CraftyWorldOrder order;
    CraftyWorldResult result;
    char thumbnail_path[CN_STORE_PATH_BYTES];
    CnImage image;
    /* Shared by both threads: */
    atomic_bool is_canceled;
    _Atomic uint64_t done, total;
};

CraftyWorldTask *crafty_world_task_create(const char *folder, CnAllocator *allocator,
                                          CnError *error)
{
    CraftyWorldTask *task = cn_alloc_zeroed(allocator, sizeof *task);
    if (!task) {
        cn_error_memory(error, "the list of worlds");
        return NULL;
    }
    task->allocator = allocator;
    if (!cn_copy_text(task->folder, sizeof task->folder, cn_text(folder)))
        cn_error_set(error, CN_ERROR_LIMIT, "the path of the folder of worlds is too long");
    else
        task->pool = cn_job_pool_create(
            &(CnJobPoolDesc){.allocator = allocator, .workers = 1, .max_jobs = 4}, error);
    if (task->pool)
        return task;
    crafty_world_task_destroy(task);
    return NULL;
}

void crafty_world_task_set_mods(CraftyWorldTask *task, const char *folder, const char *extra)
{
    if (!folder || !cn_copy_text(task->mods, sizeof task->mods, cn_text(folder)))
        task->mods[0] = '\0';
    if (!extra || !cn_copy_text(task->extra_mods, sizeof task->extra_mods, cn_text(extra)))
        task->extra_mods[0] = '\0';
}

void crafty_world_task_destroy(CraftyWorldTask *task)
{
    if (!task)
        return;
    crafty_world_task_cancel(task);
    cn_job_pool_destroy(task->pool);
    crafty_worlds_list_free(&task->result.list);
    crafty_installed_mods_free(&task->result.mods);
    cn_image_free(&task->image);
    cn_free(task->allocator, task, sizeof *task);
}

/* ---- On the thread ---- */

static bool show_progress(uint64_t done, uint64_t total, void *user)
{
    CraftyWorldTask *task = user;
    atomic_store(&task->done, done);
    atomic_store(&task->total, total);
    return !atomic_load(&task->is_canceled);
}

static bool carry_out(CraftyWorldTask *task, const CraftyWorldOrder *order,
                      CraftyWorldResult *result)
{
    CnError *error = &result->error;
    switch (order->kind) {
    case CRAFTY_TASK_CREATE:
        return crafty_worlds_create(
            task->folder,
            &(CraftyNewWorld){.name = order->name,
                              .seed = order->seed,
                              .generator = order->generator,
                              .has_rules = true,
                              .mode = order->mode,
                              .commands = order->commands,
                              .mods = order->has_mods ? &order->mods : NULL},
            result->path, error);
    case CRAFTY_TASK_RENAME:
        return crafty_worlds_rename(order->path, order->name, result->path, error);
    case CRAFTY_TASK_COPY:
        return crafty_worlds_copy(order->path, order->name, show_progress, task, result->path,
                                  error);
    case CRAFTY_TASK_BACK_UP:
        return crafty_worlds_back_up(order->path, NULL, show_progress, task, result->path, error);
    case CRAFTY_TASK_RESTORE:
        return crafty_worlds_restore(task->folder, order->path, NULL, show_progress, task,
                                     result->path, error);
    case CRAFTY_TASK_DELETE:
        return crafty_worlds_delete(order->path, CRAFTY_WORLDS_DELETE, result->path, error);
    case CRAFTY_TASK_UNDELETE:
        return crafty_worlds_undelete(task->folder, order->path, NULL, result->path, error);
    case CRAFTY_TASK_LIST:
    case CRAFTY_TASK_LIST_BACKUPS:
        break;
    }
    return true;
}

static void run_task(void *user, uint32_t lane)
{
    CraftyWorldTask *task = user;
    CraftyWorldResult *result = &task->result;
    (void)lane;
    *result = (CraftyWorldResult){.kind = task->order.kind};
    result->succeeded = carry_out(task, &task->order, result);
    result->was_canceled = !result->succeeded && atomic_load(&task->is_canceled);
    result->has_list =
        task->order.kind == CRAFTY_TASK_LIST_BACKUPS
            ? crafty_worlds_list_backups(task->order.path, &result->list, &result->list_error)
            : crafty_worlds_list(task->folder, CRAFTY_WORLDS_PLAYABLE, &result->list,
                                 &result->list_error);
    CnError ignored = {0}; /* out of memory: none are listed */
    crafty_installed_mods_list(&result->mods, task->mods[0] ? task->mods : NULL,
                               task->extra_mods[0] ? task->extra_mods : NULL, &ignored);
}

static void run_thumbnail(void *user, uint32_t lane)
{
    CraftyWorldTask *task = user;
    CnBudget budget = *cn_budget_of(CN_ORIGIN_USER);
    CnU8Array jpeg;
    CnError error = {0}; /* a world without a readable picture is shown without one */
    (void)lane;
    budget.image_pixels = CRAFTY_THUMBNAIL_MAX_PIXELS;
    cn_array_init(&jpeg, task->allocator);
    if (crafty_worlds_read_thumbnail(task->thumbnail_path, &jpeg, &error) && jpeg.count)
        cn_image_read(&(CnImageReadDesc){.bytes = jpeg.items,
                                         .size = jpeg.count,
                                         .name = "thumbnail",
                                         .budget = &budget,
                                         .allocator = task->allocator},
                      &task->image, &error);
    cn_array_fini(&jpeg);
}

/* ---- Tasks ---- */

void crafty_world_task_start(CraftyWorldTask *task, const CraftyWorldOrder *order)
{
    CN_ASSERT(task->task == IDLE, "another task is running");
    atomic_store(&task->is_canceled, false);
    atomic_store(&task->done, 0);
    atomic_store(&task->total, 0);
    task->order = *order;
    task->task = RUNNING;
    /* After the thumbnail, because the pool has two lanes with that of this thread. */
    task->task_job = cn_job_submit(task->pool, &(CnJobDesc){.run = run_task,
                                                            .data = task,
                                                            .after = &task->thumbnail_job,
                                                            .after_count = 1});
}

void crafty_world_task_cancel(CraftyWorldTask *task)
{
    atomic_store(&task->is_canceled, true);
}

bool crafty_world_task_is_busy(const CraftyWorldTask *task)
{
    return task->task != IDLE;
}

float crafty_world_task_share(const CraftyWorldTask *task)
{
    uint64_t total = atomic_load(&task->total), done = atomic_load(&task->done);
    return total ? (float)((double)(done < total ? done : total) / (double)total) : 0;
}

bool crafty_world_task_take(CraftyWorldTask *task, CraftyWorldResult *result)
{
    if (task->task == RUNNING && cn_job_is_done(task->pool, task->task_job)) {
        cn_job_wait(task->pool, task->task_job); /* makes the result visible */
        task->task = DONE;
    }
    if (task->task != DONE)
        return false;
    *result = task->result;
    task->result = (CraftyWorldResult){0};
    task->task = IDLE;
    return true;
}

/* ---- Thumbnails ---- */

bool crafty_world_task_read_thumbnail(CraftyWorldTask *task, const char *path)
{
    if (task->task != IDLE || task->thumbnail != IDLE)
        return false;
    task->image = (CnImage){0};
    cn_copy_text(task->thumbnail_path, sizeof task->thumbnail_path, cn_text(path));
    task->thumbnail = RUNNING;
    task->thumbnail_job =
        cn_job_submit(task->pool, &(CnJobDesc){.run = run_thumbnail, .data = task});
    return true;
}

static void look_at_thumbnail(CraftyWorldTask *task)
{
    if (task->thumbnail == RUNNING && cn_job_is_done(task->pool, task->thumbnail_job)) {
        cn_job_wait(task->pool, task->thumbnail_job);
        task->thumbnail = DONE;
    }
}

bool crafty_world_task_take_thumbnail(CraftyWorldTask *task, CnImage *image)
{
    look_at_thumbnail(task);
    if (task->thumbnail != DONE)
        return false;
    *image = task->image;
    task->image = (CnImage){0};
    task->thumbnail = IDLE;
    return true;
}

bool crafty_world_task_is_idle(CraftyWorldTask *task)
{
    look_at_thumbnail(task);
    return task->task == IDLE && task->thumbnail != RUNNING;
}
