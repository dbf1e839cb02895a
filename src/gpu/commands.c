/* Recording: when commands are allowed, what they may access, barriers, labels. */
#include "gpu/gpu_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/text.h>

bool cni_gpu_check_recording(CnGpuCommands *commands, CniGpuRecordScope when, const char *what)
{
    CnGpu *gpu = commands->gpu;
    if (!commands->is_recording)
        return cni_gpu_wrong_call(gpu, "%s: no frame has begun", what);
    if (when == CNI_GPU_OUTSIDE_RENDERING && commands->is_rendering)
        return cni_gpu_wrong_call(gpu, "%s: not allowed between begin_rendering and end_rendering",
                                  what);
    if (when == CNI_GPU_INSIDE_RENDERING && !commands->is_rendering)
        return cni_gpu_wrong_call(gpu, "%s: allowed only between begin_rendering and end_rendering",
                                  what);
    return true;
}

CniGpuBuffer *cni_gpu_check_buffer(CnGpuCommands *commands, CnGpuBuffer buffer, uint32_t usage,
                                   const char *what)
{
    CniGpuBuffer *found = cni_gpu_buffer(commands->gpu, buffer);
    if (!found)
        cni_gpu_wrong_call(commands->gpu, "%s: the buffer is %s", what,
                           buffer.id ? "stale" : "null");
    else if (usage && !(found->desc.usage & usage))
        cni_gpu_wrong_call(commands->gpu, "%s: the buffer %s was created without this usage", what,
                           found->slot.name);
    else
        return found;
    return NULL;
}

CniGpuTexture *cni_gpu_check_texture(CnGpuCommands *commands, CnGpuTexture texture, uint32_t usage,
                                     const char *what)
{
    CniGpuTexture *found = cni_gpu_texture(commands->gpu, texture);
    if (!found)
        cni_gpu_wrong_call(commands->gpu, "%s: the texture is %s", what,
                           texture.id ? "stale" : "null");
    else if (usage && !(found->desc.usage & usage))
        cni_gpu_wrong_call(commands->gpu, "%s: the texture %s was created without this usage", what,
                           found->slot.name);
    else
        return found;
    return NULL;
}

/* "sample, copy_from" */
static const char *accesses_text(uint32_t accesses, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < CN_GPU_ACCESS_COUNT; i++) {
        if (!(accesses & CNI_GPU_ACCESS_BIT(i)))
            continue;
        cn_format(text + used, bytes - used, "%s%s", used ? ", " : "",
                  cn_gpu_access_name((CnGpuAccess)i));
        used += strlen(text + used);
    }
    return text;
}

bool cni_gpu_check_buffer_access(CnGpu *gpu, const CniGpuBuffer *buffer, CnGpuAccess access,
                                 const char *what)
{
    char text[128];
    if (!gpu->is_strict || cni_gpu_access_covers(buffer->accesses, access))
        return true;
    if (buffer->desc.memory == CN_GPU_MEMORY_UPLOAD && !cn_gpu_access_writes(access))
        return true;
    return cni_gpu_wrong_call(gpu,
                              "%s: the buffer %s is used for %s, but its barriers allow only: %s",
                              what, buffer->slot.name, cn_gpu_access_name(access),
                              accesses_text(buffer->accesses, text, sizeof text));
}

bool cni_gpu_check_texture_access(CnGpu *gpu, const CniGpuTexture *texture, uint32_t mip,
                                  uint32_t mip_count, uint32_t layer, uint32_t layer_count,
                                  CnGpuAccess access, const char *what)
{
    char text[128];
    if (!gpu->is_strict)
        return true;
    for (uint32_t l = layer; l < layer + layer_count; l++) {
        for (uint32_t m = mip; m < mip + mip_count; m++) {
            uint32_t allowed = texture->accesses[l * texture->desc.mips + m];
            if (cni_gpu_access_covers(allowed, access))
                continue;
            return cni_gpu_wrong_call(
                gpu,
                "%s: mip %u, layer %u of the texture %s is used for %s, but its "
                "barriers allow only: %s",
                what, m, l, texture->slot.name, cn_gpu_access_name(access),
                accesses_text(allowed, text, sizeof text));
        }
    }
    return true;
}

/* ---- Barriers ---- */

/* Returns whether the usages of the resource permit an access. */
static bool check_usage(CnGpu *gpu, const CniGpuHandleSlot *slot, uint32_t usage, bool is_texture,
                        CnGpuAccess access)
{
    if (usage & cni_gpu_access_usage(access, is_texture))
        return true;
    return cni_gpu_wrong_call(gpu, "barrier: %s was created without the usage for %s", slot->name,
                              cn_gpu_access_name(access));
}

static bool check_before(CnGpu *gpu, const char *name, uint32_t allowed,
                         const CnGpuBarrier *barrier)
{
    char text[128];
    if (barrier->before == CN_GPU_ACCESS_NONE || (allowed & CNI_GPU_ACCESS_BIT(barrier->before)))
        return true;
    return cni_gpu_wrong_call(
        gpu, "barrier: %s goes from %s to %s, but its last barriers allow: %s", name,
        cn_gpu_access_name(barrier->before), cn_gpu_access_name(barrier->after),
        accesses_text(allowed, text, sizeof text));
}

/* Returns the accesses that are possible after one more barrier. Reads accumulate. */
static uint32_t accesses_after(uint32_t allowed, const CnGpuBarrier *barrier, bool is_texture)
{
    uint32_t after = CNI_GPU_ACCESS_BIT(barrier->after);
    bool both_read = barrier->before != CN_GPU_ACCESS_NONE &&
                     !cn_gpu_access_writes(barrier->before) &&
                     !cn_gpu_access_writes(barrier->after);
    if (both_read && (!is_texture || cni_gpu_access_same_layout(barrier->before, barrier->after)))
        return allowed | after;
    return after;
}

static void scope_of_dropped(CniGpuBarrier *checked, const CnGpuBarrier *barrier, bool is_in_heap)
{
    if (barrier->before != CN_GPU_ACCESS_NONE || !is_in_heap)
        return;
    checked->before |= barrier->waits_for;
    checked->waits_for_all = !barrier->waits_for;
}

static bool check_buffer_barrier(CnGpuCommands *commands, const CnGpuBarrier *barrier,
                                 CniGpuBarrier *checked)
{
    CniGpuBuffer *buffer = cni_gpu_check_buffer(commands, barrier->buffer, 0, "barrier");
    if (!buffer)
        return false;
    bool is_host = barrier->after == CN_GPU_ACCESS_HOST && buffer->mapped;
    if (!is_host &&
        !check_usage(commands->gpu, &buffer->slot, buffer->desc.usage, false, barrier->after))
        return false;
    if (!check_before(commands->gpu, buffer->slot.name, buffer->accesses, barrier))
        return false;
    *checked = (CniGpuBarrier){.buffer = buffer,
                               .before = buffer->accesses,
                               .after = barrier->after,
                               .layout = barrier->before};
    scope_of_dropped(checked, barrier, buffer->heap.id != 0);
    buffer->accesses = accesses_after(buffer->accesses, barrier, false);
    return true;
}

/* Fills in the range of a barrier, and checks that it is inside the texture. */
static bool check_range(CnGpu *gpu, const CniGpuTexture *texture, const CnGpuBarrier *barrier,
                        CniGpuBarrier *checked)
{
    checked->mip = barrier->mip;
    checked->layer = barrier->layer;
    checked->mip_count = barrier->mip_count;
    checked->layer_count = barrier->layer_count;
    if (barrier->mip < texture->desc.mips && !barrier->mip_count)
        checked->mip_count = texture->desc.mips - barrier->mip;
    if (barrier->layer < texture->desc.layers && !barrier->layer_count)
        checked->layer_count = texture->desc.layers - barrier->layer;
    if (checked->mip_count && checked->layer_count &&
        checked->mip_count <= texture->desc.mips - checked->mip &&
        checked->layer_count <= texture->desc.layers - checked->layer)
        return true;
    return cni_gpu_wrong_call(gpu, "barrier: %s has no such mips or layers", texture->slot.name);
}

static bool check_texture_barrier(CnGpuCommands *commands, const CnGpuBarrier *barrier,
                                  CniGpuBarrier *checked)
{
    CnGpu *gpu = commands->gpu;
    CniGpuTexture *texture = cni_gpu_check_texture(commands, barrier->texture, 0, "barrier");
    *checked =
        (CniGpuBarrier){.texture = texture, .after = barrier->after, .layout = barrier->before};
    if (!texture || !check_range(gpu, texture, barrier, checked))
        return false;
    bool is_present = barrier->after == CN_GPU_ACCESS_PRESENT && texture->is_window;
    if (!is_present && !check_usage(gpu, &texture->slot, texture->desc.usage, true, barrier->after))
        return false;
    for (uint32_t pass = 0; pass < 2; pass++) { /* everything is checked before anything changes */
        for (uint32_t l = checked->layer; l < checked->layer + checked->layer_count; l++) {
            for (uint32_t m = checked->mip; m < checked->mip + checked->mip_count; m++) {
                uint16_t *allowed = &texture->accesses[l * texture->desc.mips + m];
                if (pass == 0 && !check_before(gpu, texture->slot.name, *allowed, barrier))
                    return false;
                checked->before |= *allowed;
                if (pass == 1)
                    *allowed = (uint16_t)accesses_after(*allowed, barrier, true);
            }
        }
    }
    scope_of_dropped(checked, barrier, texture->heap.id != 0);
    return true;
}

static bool check_barrier(CnGpuCommands *commands, const CnGpuBarrier *barrier,
                          CniGpuBarrier *checked)
{
    if (barrier->before >= CN_GPU_ACCESS_COUNT || barrier->after >= CN_GPU_ACCESS_COUNT ||
        barrier->after == CN_GPU_ACCESS_NONE)
        return cni_gpu_wrong_call(commands->gpu, "barrier: invalid accesses %d and %d",
                                  (int)barrier->before, (int)barrier->after);
    if (barrier->texture.id && barrier->buffer.id)
        return cni_gpu_wrong_call(commands->gpu, "barrier: it needs either a texture or a buffer");
    return barrier->texture.id ? check_texture_barrier(commands, barrier, checked)
                               : check_buffer_barrier(commands, barrier, checked);
}

/* Returns whether one of these concerns the same resource: barriers of one batch are not
 * ordered. */
static bool follows_one_of(const CniGpuBarrier *batch, uint32_t count, const CniGpuBarrier *barrier)
{
    for (uint32_t i = 0; i < count; i++) {
        const CniGpuBarrier *other = &batch[i];
        if (barrier->buffer ? other->buffer == barrier->buffer
                            : other->texture == barrier->texture &&
                                  other->mip < barrier->mip + barrier->mip_count &&
                                  barrier->mip < other->mip + other->mip_count &&
                                  other->layer < barrier->layer + barrier->layer_count &&
                                  barrier->layer < other->layer + other->layer_count)
            return true;
    }
    return false;
}

void cn_gpu_barriers(CnGpuCommands *commands, const CnGpuBarrier *barriers, uint32_t count)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_OUTSIDE_RENDERING, "barriers"))
        return;
    CniGpuBarrier batch[CNI_GPU_BARRIER_BATCH];
    uint32_t ready = 0;
    for (uint32_t i = 0; i < count; i++) {
        CniGpuBarrier checked;
        if (!check_barrier(commands, &barriers[i], &checked))
            continue;
        if (ready == CNI_GPU_BARRIER_BATCH || follows_one_of(batch, ready, &checked)) {
            commands->gpu->backend->barriers(commands->gpu, batch, ready);
            ready = 0;
        }
        batch[ready++] = checked;
    }
    if (ready)
        commands->gpu->backend->barriers(commands->gpu, batch, ready);
}

/* ---- Labels ---- */

void cn_gpu_begin_label(CnGpuCommands *commands, const char *name)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "begin_label"))
        return;
    commands->label_depth++;
    commands->gpu->backend->begin_label(commands->gpu, name ? name : "");
}

void cn_gpu_end_label(CnGpuCommands *commands)
{
    CN_ASSERT(commands, "%s: commands is NULL", __func__);
    if (!cni_gpu_check_recording(commands, CNI_GPU_ANYWHERE, "end_label"))
        return;
    if (!commands->label_depth) {
        cni_gpu_wrong_call(commands->gpu, "end_label: no label was begun");
        return;
    }
    commands->label_depth--;
    commands->gpu->backend->end_label(commands->gpu);
}
