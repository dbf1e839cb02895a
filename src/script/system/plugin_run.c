/* Running a system: its batches, the call into Lua, and what Lua calls while it runs. */
#include "script/system/plugin_code.h"

#include <cairn/base/math.h>
#include <cairn/sim/random.h>

/* ---- Batches ---- */

/* Whether rows were added or removed, or a component of `changed` was written, since the last
 * run. */
static bool has_changed(const CniScriptPluginSystem *system, const CnChunkView *view,
                        uint64_t last_run)
{
    if (view->chunk->changed > last_run)
        return true;
    for (uint32_t i = 0; i < system->changed_count; i++) {
        const CniEcsColumnSlot *column =
            cni_ecs_column_slot(view->chunk->archetype, system->changed[i].id);
        if (column && view->ticks[column->column] > last_run)
            return true;
    }
    return false;
}

static void find_columns(const CniScriptPluginSystem *system, const CnChunkView *view,
                         void **addresses)
{
    const CniScriptPluginColumn *columns = system->code->columns.items + system->first_column;
    for (uint32_t i = 0; i < system->column_count; i++)
        addresses[i] =
            columns[i].writes
                ? cn_column_by_id_mut(view, columns[i].component, columns[i].field)
                : (void *)(uintptr_t)cn_column_by_id(view, columns[i].component, columns[i].field);
}

/* Whether all columns of the chunk continue those of the batch: chunks of one extent do, which
 * makes batches long. */
static bool continues(const CniScriptPluginSystem *system, const CniScriptBatch *batch,
                      const CnChunkView *view, void *const *before, void *const *after)
{
    const CniScriptPluginColumn *columns = system->code->columns.items + system->first_column;
    if (batch->entities + batch->count != view->entities)
        return false;
    for (uint32_t i = 0; i < system->column_count; i++)
        if (before[i] ? (uint8_t *)before[i] + (size_t)batch->count * columns[i].row_bytes !=
                            (uint8_t *)after[i]
                      : after[i] != NULL)
            return false;
    return true;
}

static bool add_chunk(const CniScriptPluginSystem *system, const CnChunkView *view,
                      const uint8_t **extent)
{
    CniScriptPluginCode *code = system->code;
    const uint32_t first = code->addresses.count;
    if (!cn_array_reserve(&code->addresses, (uint64_t)first + system->column_count) ||
        !cn_array_reserve(&code->batches, (uint64_t)code->batches.count + 1))
        return false;
    void **addresses = code->addresses.items + first;
    find_columns(system, view, addresses);
    CniScriptBatch *last =
        code->batches.count ? &code->batches.items[code->batches.count - 1] : NULL;
    /* Extents may be adjacent by chance, which must not be visible. */
    if (last && *extent == view->chunk->data &&
        continues(system, last, view, code->addresses.items + last->first_column, addresses)) {
        last->count += view->count;
        return true;
    }
    *extent = view->chunk->data;
    code->batches.items[code->batches.count++] =
        (CniScriptBatch){view->entities, view->count, first};
    code->addresses.count += system->column_count;
    return true;
}

static bool collect(const CniScriptPluginSystem *system, const CnSystemContext *context)
{
    CniScriptPluginCode *code = system->code;
    const uint8_t *extent = NULL;
    CnChunkView view;
    cn_array_clear(&code->batches);
    cn_array_clear(&code->addresses);
    if (!context->query)
        return cn_array_push(&code->batches, (CniScriptBatch){0});
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        if ((!system->changed_count || has_changed(system, &view, context->last_run)) &&
            !add_chunk(system, &view, &extent))
            return false;
    return true;
}

/* ---- The call ---- */

static void fail(CniScriptPluginSystem *system, const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES];
    system->failed = true;
    system->error = *error;
    CN_LOG_ERROR("script", "system %s is disabled: %s", system->name,
                 cn_error_text(error, text, sizeof text));
}

void cni_script_plugin_system_run(CnSystemContext *context)
{
    CniScriptPluginSystem *system = context->user;
    CniScriptPluginCode *code = system->code;
    if (system->failed)
        return;
    if (!collect(system, context)) {
        CnError error = {0};
        cn_error_memory(&error, "the batches of system %s", system->name);
        fail(system, &error);
        return;
    }
    const CnTickInfo *info = cn_resource(context->world, CnTickInfo);
    code->commands = context->commands;
    code->tick = info ? info->tick : 0;
    code->random_key = cn_random_key(context->world, code->random) ^ system->name_hash;
    code->call = (CniScriptSystemCall){.batches = code->batches.items,
                                       .columns = code->addresses.items,
                                       .batch_count = code->batches.count,
                                       .dt = context->dt,
                                       .tick = (double)code->tick};
    if (!code->batches.count)
        return;
    lua_rawgeti(code->lua, LUA_REGISTRYINDEX, system->driver);
    if (!cni_script_plugin_call(code))
        fail(system, &code->fault);
    code->commands = NULL;
}

/* ---- What compiled code calls; a file that stores `commands` can call it at any time ---- */

static double draw(void *user, uint64_t index, uint32_t salt)
{
    const CniScriptPluginCode *code = user;
    uint64_t bits = cn_random_at(code->random_key, index, code->tick << 32 | salt);
    return (double)(bits >> 11) * (1.0 / 9007199254740992.0);
}

static uint64_t spawn(void *user, uint32_t count, const uint32_t *components,
                      const void *const *values)
{
    const CniScriptPluginCode *code = user;
    CnValue list[CN_MAX_VALUES];
    if (!code->commands || count > CN_MAX_VALUES)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        list[i] = (CnValue){.component = {components[i]}, .data = values[i]};
    return cn_defer_spawn_values(code->commands, list, count).id;
}

static bool set(void *user, uint64_t entity, uint32_t component, const void *value)
{
    const CniScriptPluginCode *code = user;
    return code->commands && cn_defer_set_component(code->commands, (CnEntity){entity},
                                                    (CnComponent){component}, value);
}

static bool add_default(void *user, uint64_t entity, uint32_t component)
{
    const CniScriptPluginCode *code = user;
    return code->commands &&
           cn_defer_add_component(code->commands, (CnEntity){entity}, (CnComponent){component});
}

static bool remove_component(void *user, uint64_t entity, uint32_t component)
{
    const CniScriptPluginCode *code = user;
    return code->commands &&
           cn_defer_remove_component(code->commands, (CnEntity){entity}, (CnComponent){component});
}

static bool destroy(void *user, uint64_t entity)
{
    const CniScriptPluginCode *code = user;
    return code->commands && cn_defer_destroy(code->commands, (CnEntity){entity});
}

static bool set_parent(void *user, uint64_t entity, uint64_t parent)
{
    const CniScriptPluginCode *code = user;
    return code->commands &&
           cn_defer_set_parent(code->commands, (CnEntity){entity}, (CnEntity){parent});
}

void cni_script_plugin_api_init(CniScriptPluginCode *code)
{
    code->api = (CniScriptSystemApi){
        .code = code,
        .call = &code->call,
        .unary = {cn_sin, cn_cos, cn_tan, cn_asin, cn_acos, cn_atan, cn_exp, cn_log, cn_log2},
        .binary = {cn_atan2, cn_pow, cn_fmod},
        .random = draw,
        .add = cni_script_column_add,
        .scale = cni_script_column_scale,
        .fill = cni_script_column_fill,
        .spawn = spawn,
        .set = set,
        .add_default = add_default,
        .remove = remove_component,
        .destroy = destroy,
        .set_parent = set_parent,
    };
}
