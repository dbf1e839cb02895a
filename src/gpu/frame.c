/* Frames: recorded one after the other, with at most CN_GPU_FRAMES in flight. */
#include "gpu/gpu_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/text.h>

static CniGpuFrame *frame_slot(CnGpu *gpu, uint64_t frame)
{
    return &gpu->frames[frame % CN_GPU_FRAMES];
}

/* ---- Timers ---- */

static void read_timings(CnGpu *gpu, CniGpuFrame *frame)
{
    uint64_t times[CN_GPU_MAX_TIMERS][2];
    uint32_t slot = (uint32_t)(frame->number % CN_GPU_FRAMES);
    gpu->timings_frame = frame->number;
    gpu->timing_count = 0;
    frame->number = 0;
    if (!frame->timer_count || !gpu->backend->read_timers(gpu, slot, frame->timer_count, times))
        return;
    gpu->timing_count = frame->timer_count;
    for (uint32_t i = 0; i < frame->timer_count; i++) {
        float steps = times[i][1] > times[i][0] ? (float)(times[i][1] - times[i][0]) : 0.0f;
        memcpy(gpu->timing_names[i], frame->timers[i].name, sizeof gpu->timing_names[i]);
        gpu->timings[i] = (CnGpuTiming){.name = gpu->timing_names[i],
                                        .microseconds = steps * gpu->info.timestamp_ns / 1000.0f};
    }
}

/* Destroys what is no longer used, and reads the timers of the newest complete frame. */
static void finish_completed_frames(CnGpu *gpu)
{
    uint64_t done = gpu->backend->frame_done(gpu);
    cni_gpu_process_deferred_destroys(gpu, done);
    CniGpuFrame *newest = NULL;
    for (uint32_t i = 0; i < CN_GPU_FRAMES; i++) {
        CniGpuFrame *frame = &gpu->frames[i];
        if (frame->number && frame->number <= done && frame->number > gpu->timings_frame &&
            (!newest || frame->number > newest->number))
            newest = frame;
    }
    if (newest)
        read_timings(gpu, newest);
}

uint32_t cn_gpu_begin_timer(CnGpuCommands *commands, const char *name)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "begin_timer"))
        return UINT32_MAX;
    CnGpu *gpu = commands->gpu;
    CniGpuFrame *frame = frame_slot(gpu, gpu->frame);
    if (frame->timer_count == CN_GPU_MAX_TIMERS) {
        gpu->timers_refused++;
        return UINT32_MAX;
    }
    uint32_t timer = frame->timer_count++;
    cn_copy_text(frame->timers[timer].name, CNI_GPU_NAME_BYTES, cn_text(name ? name : ""));
    frame->timers[timer].is_open = true;
    gpu->backend->timestamp(gpu, timer, false);
    return timer;
}

void cn_gpu_end_timer(CnGpuCommands *commands, uint32_t timer)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (timer == UINT32_MAX || !cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "end_timer"))
        return;
    CniGpuFrame *frame = frame_slot(commands->gpu, commands->gpu->frame);
    if (timer >= frame->timer_count || !frame->timers[timer].is_open) {
        cni_gpu_wrong_call(commands->gpu, "end_timer: timer %u was not begun in this frame", timer);
        return;
    }
    frame->timers[timer].is_open = false;
    commands->gpu->backend->timestamp(commands->gpu, timer, true);
}

uint32_t cn_gpu_timings(const CnGpu *gpu, CnGpuTiming *timings, uint32_t capacity)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    uint32_t count = capacity < gpu->timing_count ? capacity : gpu->timing_count;
    if (count)
        memcpy(timings, gpu->timings, count * sizeof *timings);
    return gpu->timing_count;
}

/* ---- Frames ---- */

CnGpuCommands *cn_gpu_begin_frame(CnGpu *gpu, CnError *error)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    CnGpuCommands *commands = &gpu->commands;
    if (commands->is_recording) {
        cni_gpu_wrong_call(gpu, "begin: frame %llu has not ended", (unsigned long long)gpu->frame);
        return commands;
    }
    if (gpu->is_lost) {
        cni_gpu_error_device_lost(error);
        return NULL;
    }
    gpu->frame++;
    if (!gpu->backend->frame_begin(gpu, error)) {
        gpu->frame--;
        return NULL;
    }
    finish_completed_frames(gpu);
    CniGpuFrame *frame = frame_slot(gpu, gpu->frame);
    frame->number = gpu->frame;
    frame->timer_count = 0;
    *commands = (CnGpuCommands){.gpu = gpu, .is_recording = true};
    gpu->window_texture = (CnGpuTexture){0};
    return commands;
}

/* Closes what the program left open, which would make the frame invalid. */
static void close_what_is_open(CnGpu *gpu)
{
    CnGpuCommands *commands = &gpu->commands;
    CniGpuFrame *frame = frame_slot(gpu, gpu->frame);
    if (commands->is_rendering) {
        cn_gpu_end_rendering(commands);
        cni_gpu_wrong_call(gpu, "end: end_rendering is missing");
    }
    for (uint32_t i = 0; i < frame->timer_count; i++) {
        if (frame->timers[i].is_open) {
            cn_gpu_end_timer(commands, i);
            cni_gpu_wrong_call(gpu, "end: end_timer of %s is missing", frame->timers[i].name);
        }
    }
    if (commands->label_depth) {
        uint32_t open = commands->label_depth;
        while (commands->label_depth)
            cn_gpu_end_label(commands);
        cni_gpu_wrong_call(gpu, "end: end_label is missing for %u labels", open);
    }
    const CniGpuTexture *window = cni_gpu_texture(gpu, gpu->window_texture);
    if (window && !(window->accesses[0] & CNI_GPU_ACCESS_BIT(CN_GPU_ACCESS_PRESENT))) {
        CnGpuBarrier present = {.texture = gpu->window_texture, .after = CN_GPU_ACCESS_PRESENT};
        cn_gpu_barriers(commands, &present, 1);
        cni_gpu_wrong_call(
            gpu, "end: the swapchain image was not transitioned to CN_GPU_ACCESS_PRESENT");
    }
}

bool cn_gpu_end_frame(CnGpu *gpu, CnError *error)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    CnGpuCommands *commands = &gpu->commands;
    if (!commands->is_recording)
        return cni_gpu_wrong_call(gpu, "end: no frame has begun");
    close_what_is_open(gpu);
    gpu->last_upload_bytes = commands->upload_used;
    gpu->last_draw_calls = commands->draw_calls;
    commands->is_recording = false;
    return gpu->backend->frame_end(gpu, error);
}

bool cn_gpu_wait(CnGpu *gpu, CnError *error)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    if (gpu->commands.is_recording)
        return cni_gpu_wrong_call(gpu, "wait: frame %llu has not ended",
                                  (unsigned long long)gpu->frame);
    if (gpu->is_lost)
        return cni_gpu_error_device_lost(error);
    if (!gpu->backend->wait(gpu, error))
        return false;
    finish_completed_frames(gpu);
    return true;
}

uint64_t cn_gpu_current_frame(const CnGpu *gpu)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    return gpu->frame;
}

uint64_t cn_gpu_completed_frame(const CnGpu *gpu)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    return gpu->backend->frame_done(gpu);
}

/* ---- Per-frame resources ---- */

CnGpuTexture cn_gpu_window_texture(CnGpu *gpu)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    if (!gpu->commands.is_recording) {
        cni_gpu_wrong_call(gpu, "window_texture: no frame has begun");
        return (CnGpuTexture){0};
    }
    if (!gpu->window_texture.id && gpu->window.size && !gpu->is_lost) {
        gpu->window_texture = gpu->backend->window_texture(gpu);
        CniGpuTexture *texture = cni_gpu_texture(gpu, gpu->window_texture);
        if (texture)
            texture->accesses[0] = CNI_GPU_ACCESS_BIT(CN_GPU_ACCESS_NONE);
    }
    return gpu->window_texture;
}

bool cn_gpu_has_window(const CnGpu *gpu)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    return gpu->window.size != NULL;
}

void cn_gpu_set_vsync(CnGpu *gpu, CnVsync vsync)
{
    CN_ASSERT(gpu, "%s: gpu is NULL", __func__);
    if ((uint32_t)vsync > CN_VSYNC_MAILBOX) {
        cni_gpu_wrong_call(gpu, "set_vsync: there is no mode %d", (int)vsync);
        return;
    }
    if (gpu->vsync == vsync)
        return;
    gpu->vsync = vsync;
    gpu->backend->vsync_changed(gpu);
}

CnGpuUpload cn_gpu_upload(CnGpuCommands *commands, uint64_t bytes, uint64_t alignment)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    CnGpuUpload none = {0};
    if (!cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "upload"))
        return none;
    CnGpu *gpu = commands->gpu;
    if (!alignment)
        alignment = gpu->info.bind_alignment;
    if (alignment & (alignment - 1)) {
        cni_gpu_wrong_call(gpu, "upload: invalid alignment %llu", (unsigned long long)alignment);
        return none;
    }
    uint64_t begin = gpu->frame % CN_GPU_FRAMES * gpu->upload_bytes,
             end = begin + gpu->upload_bytes;
    uint64_t offset = (begin + commands->upload_used + alignment - 1) & ~(alignment - 1);
    if (offset > end || bytes > end - offset) {
        gpu->upload_refused++;
        return none;
    }
    commands->upload_used = offset + bytes - begin;
    const CniGpuBuffer *buffer = cni_gpu_buffer(gpu, gpu->upload);
    return (CnGpuUpload){.data = buffer->mapped + offset, .buffer = gpu->upload, .offset = offset};
}
