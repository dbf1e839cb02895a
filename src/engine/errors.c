/* Hot reload of an engine, and the errors that stand. */
#include "engine/engine_internal.h"

#include <cairn/base/log.h>

#include <stdlib.h>
#include <string.h>

/* ---- Hot reload ---- */

#ifdef CN_GUARDS
#define HAS_GUARDS true
#else
#define HAS_GUARDS false
#endif

static bool is_wanted(const CnEngine *engine)
{
    const char *wanted = getenv("CAIRN_HOT_RELOAD");
    if (engine->desc.headless || engine->is_fixed)
        return false;
    return wanted && *wanted ? !strcmp(wanted, "on") : HAS_GUARDS;
}

void cni_engine_choose_hot_reload(CnEngine *engine)
{
    if (engine->desc.hot_reload == CN_SWITCH_DEFAULT)
        engine->desc.hot_reload = is_wanted(engine) ? CN_SWITCH_ON : CN_SWITCH_OFF;
}

bool cni_engine_hot_reload_begin(CnEngine *engine, CnError *error)
{
    if (!engine->desc.own_keys)
        cn_copy_text(engine->errors.hint, sizeof engine->errors.hint, cn_text("F4 hides this"));
    if (engine->desc.hot_reload == CN_SWITCH_OFF)
        return true;
    engine->hot_reload = cn_hot_reload_create(&(CnHotReloadDesc){.allocator = engine->allocator,
                                                                 .vfs = engine->vfs,
                                                                 .scenes = engine->scenes,
                                                                 .renderer = engine->renderer},
                                              error);
    return engine->hot_reload != NULL;
}

void cni_engine_hot_reload_frame(CnEngine *engine)
{
    if (!engine->hot_reload || !cn_hot_reload_has_changes(engine->hot_reload))
        return;
    cni_engine_draw_wait(engine);
    cn_hot_reload_apply(engine->hot_reload);
}

CnHotReload *cn_engine_hot_reload(const CnEngine *engine)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    return engine->hot_reload;
}

/* ---- Errors that stand ---- */

void cni_engine_errors_collect(CnEngine *engine)
{
    CnErrorOverlay *overlay = &engine->errors;
    if (engine->hot_reload)
        overlay->count =
            cn_hot_reload_errors(engine->hot_reload, overlay->errors, CN_ERROR_OVERLAY_MAX);
    else
        overlay->count = cn_renderer_shader_error(engine->renderer)[0]
                             ? cn_renderer_errors(engine->renderer, overlay->errors, 1)
                             : 0;
}

bool cni_engine_errors_toggle(CnEngine *engine)
{
    if (!engine->errors.count)
        return false;
    cn_error_overlay_hide(&engine->errors, cn_error_overlay_is_shown(&engine->errors));
    return true;
}

uint32_t cn_engine_errors(const CnEngine *engine, CnError *errors, uint32_t capacity)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    CN_ASSERT(errors || !capacity, "%s: errors is NULL", __func__);
    uint32_t count = engine->errors.count < capacity ? engine->errors.count : capacity;
    for (uint32_t i = 0; i < count; i++)
        errors[i] = engine->errors.errors[i];
    return count;
}

void cn_engine_show_errors(CnEngine *engine, bool shown)
{
    CN_ASSERT(engine, "%s: engine is NULL", __func__);
    cn_error_overlay_hide(&engine->errors, !shown);
}
