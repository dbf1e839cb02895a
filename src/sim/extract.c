#include "sim/outbox.h"

#include <cairn/base/math.h>
#include <cairn/base/text.h>

#include <string.h>

CN_STATIC_ASSERT(sizeof(CnRenderItem) == 64, "no padding");
CN_STATIC_ASSERT(sizeof(CnRenderLight) == 64, "no padding");
CN_STATIC_ASSERT(sizeof(CnUiItem) == 64, "no padding");
CN_STATIC_ASSERT(sizeof(CnAudioCommand) == 80, "no padding");

/* ---- The resources of a world ---- */

static CnComponent register_out(CnWorld *world, const CnType *type, CnError *error)
{
    return cn_component_register(
        world, &(CnComponentDesc){.type = type, .flags = CN_COMPONENT_TRANSIENT}, error);
}

bool cn_extract_add(CnWorld *world, CnOutbox *outbox, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(world));
    const CnType *const types[] = {&cn_type_CnRenderOut, &cn_type_CnUiOut, &cn_type_CnAudioOut};
    CnComponent components[CN_COUNT_OF(types)];
    for (uint32_t i = 0; i < CN_COUNT_OF(types); i++) {
        components[i] = register_out(world, types[i], error);
        if (!components[i].id)
            return false;
    }
    bool is_new = !cn_resource_get(world, components[0]);
    /* All three consist of nothing but the outbox. */
    for (uint32_t i = 0; i < CN_COUNT_OF(types); i++) {
        if (cn_resource_set_value(world, components[i], &outbox))
            continue;
        for (uint32_t j = 0; is_new && j < i; j++)
            cn_resource_remove_value(world, components[j]);
        return cn_error_set(error, CN_ERROR_MEMORY, "out of memory: %s", types[i]->name);
    }
    return true;
}

/* ---- Render ---- */

CnRenderItem *cn_extract_items(CnRenderOut *out, uint32_t count)
{
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CniSimOutboxSlot *slot = cni_sim_outbox_slot(out->outbox);
    if (!slot || !count)
        return NULL;
    if (!cn_array_reserve(&slot->items, (uint64_t)slot->items.count + count)) {
        out->outbox->render_drops.items += count;
        return NULL;
    }
    CnRenderItem *items = slot->items.items + slot->items.count;
    slot->items.count += count;
    return memset(items, 0, count * sizeof *items);
}

CnRenderLight *cn_extract_lights(CnRenderOut *out, uint32_t count)
{
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CniSimOutboxSlot *slot = cni_sim_outbox_slot(out->outbox);
    if (!slot || !count)
        return NULL;
    if (!cn_array_reserve(&slot->lights, (uint64_t)slot->lights.count + count)) {
        out->outbox->render_drops.lights += count;
        return NULL;
    }
    CnRenderLight *lights = slot->lights.items + slot->lights.count;
    slot->lights.count += count;
    return memset(lights, 0, count * sizeof *lights);
}

CnRenderBlend *cn_extract_blends(CnRenderOut *out, uint32_t count)
{
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CniSimOutboxSlot *slot = cni_sim_outbox_slot(out->outbox);
    if (!slot || !count || !cn_array_reserve(&slot->blends, (uint64_t)slot->blends.count + count))
        return NULL; /* a transition without its first clip is drawn as the second one */
    CnRenderBlend *blends = slot->blends.items + slot->blends.count;
    slot->blends.count += count;
    return memset(blends, 0, count * sizeof *blends);
}

CnRenderEmitter *cn_extract_emitters(CnRenderOut *out, uint32_t count)
{
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CniSimOutboxSlot *slot = cni_sim_outbox_slot(out->outbox);
    if (!slot || !count)
        return NULL;
    if (!cn_array_reserve(&slot->emitters, (uint64_t)slot->emitters.count + count)) {
        out->outbox->render_drops.emitters += count;
        return NULL;
    }
    CnRenderEmitter *emitters = slot->emitters.items + slot->emitters.count;
    slot->emitters.count += count;
    return memset(emitters, 0, count * sizeof *emitters);
}

bool cn_extract_burst(CnRenderOut *out, const CnRenderBurst *burst)
{
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CN_ASSERT(burst, "%s: burst is NULL", __func__);
    CniSimOutboxSlot *slot = cni_sim_outbox_slot(out->outbox);
    if (!slot)
        return false;
    uint32_t number = slot->bursts.count - slot->kept_bursts;
    CnRenderBurst added = *burst;
    added.tick = slot->snapshot.render.tick;
    added.time = slot->snapshot.render.time;
    added.number = number;
    if (number < CN_MAX_BURSTS && cn_array_push(&slot->bursts, added))
        return true;
    out->outbox->render_drops.bursts++;
    return false;
}

void cn_extract_camera(CnRenderOut *out, const CnRenderCamera *camera)
{
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CN_ASSERT(camera, "%s: camera is NULL", __func__);
    CniSimOutboxSlot *slot = cni_sim_outbox_slot(out->outbox);
    if (!slot)
        return;
    slot->snapshot.render.camera = *camera;
    slot->snapshot.render.camera.valid = true;
}

void cn_extract_atmosphere(CnRenderOut *out, const CnRenderAtmosphere *atmosphere)
{
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CN_ASSERT(atmosphere, "%s: atmosphere is NULL", __func__);
    CniSimOutboxSlot *slot = cni_sim_outbox_slot(out->outbox);
    if (!slot)
        return;
    slot->snapshot.render.atmosphere = *atmosphere;
    slot->snapshot.render.atmosphere.valid = true;
}

/* ---- UI ---- */

static CnUiItem *push_ui(CnUiOut *out, uint32_t id)
{
    CniSimOutboxSlot *slot = cni_sim_outbox_slot(out->outbox);
    if (!slot)
        return NULL;
    if (!cn_array_push(&slot->ui_items, (CnUiItem){.id = id})) {
        out->outbox->ui_drops.items++;
        return NULL;
    }
    return &slot->ui_items.items[slot->ui_items.count - 1];
}

bool cn_extract_ui_value(CnUiOut *out, uint32_t id, float value)
{
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CnUiItem *item = push_ui(out, id);
    if (item)
        item->value = value;
    return item != NULL;
}

bool cn_extract_ui_text(CnUiOut *out, uint32_t id, const char *text)
{
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CnUiItem *item = push_ui(out, id);
    if (item && !cn_copy_text(item->text, sizeof item->text, cn_text(text)))
        out->outbox->ui_drops.texts++;
    return item != NULL;
}

/* ---- Audio ---- */

bool cn_extract_audio(CnAudioOut *out, const CnAudioCommand *command)
{
    CN_ASSERT(out, "%s: out is NULL", __func__);
    CN_ASSERT(command, "%s: command is NULL", __func__);
    const CniSimOutboxSlot *slot = cni_sim_outbox_slot(out->outbox);
    CniSimAudioRing *ring = &out->outbox->audio;
    bool exists = (unsigned)command->kind <= CN_AUDIO_LISTENER;
    CN_ASSERT(exists, "there is no audio command kind %d", (int)command->kind);
    if (!slot || !exists)
        return false;
    if (ring->pushed - atomic_load_explicit(&ring->read, memory_order_acquire) == ring->capacity) {
        ring->dropped++;
        return false;
    }
    CnAudioCommand *place = &ring->commands[ring->pushed++ & (ring->capacity - 1)];
    *place = *command;
    place->tick = slot->snapshot.render.tick;
    return true;
}
