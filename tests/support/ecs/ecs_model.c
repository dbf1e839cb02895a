#include "ecs_model.h"

#include <stdlib.h>

bool model_fail(Model *model, const char *format, ...)
{
    if (model->result.error[0])
        return false;
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(what, sizeof what, format, arguments);
    va_end(arguments);
    cn_format(model->result.error, sizeof model->result.error, "seed %llu, operation %u: %s",
              (unsigned long long)model->options->seed, model->operation, what);
    return false;
}

/* ---- Choosing ---- */

/* The position of some living entity, or REF_NONE when there is none. */
uint32_t model_some_living(Model *model)
{
    uint32_t count = model->reference.live_count;
    return count ? model->reference.live[below(model, count)] : REF_NONE;
}

CnEntity model_id_at(const Model *model, uint32_t position)
{
    return position == REF_NONE ? (CnEntity){0} : model->reference.entities[position].id;
}

static CnEntity some_dead_entity(Model *model)
{
    uint32_t kind = below(model, 3);
    model->aims_at_dead = true;
    if (kind == 0 && model->stale_count)
        return model->stale[below(model, model->stale_count)];
    if (kind == 1) {
        uint32_t index = below(model, 1u << 16);
        return cn_entity_make(index, (uint32_t)test_random(&model->random) | 0x80000000u);
    }
    return (CnEntity){0};
}

/* Now and then one that is dead or was never there. */
CnEntity model_some_entity(Model *model)
{
    if (chance(model, 3) || !model->reference.live_count)
        return some_dead_entity(model);
    return model_id_at(model, model_some_living(model));
}

uint32_t model_some_values(Model *model, RefValue *values, uint32_t most)
{
    uint32_t count = below(model, most + 1);
    for (uint32_t i = 0; i < count; i++) {
        values[i].component = below(model, REF_COMPONENTS);
        values[i].has_data = chance(model, 75);
        values[i].seed = new_seed(model);
    }
    return count;
}

/* ---- Keeping the books ---- */

void model_make_values(const Model *model, ModelValues *made, const RefValue *values,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t component = values[i].component;
        reference_value(reference_types[component], values[i].seed, made->bytes[i]);
        made->values[i] = (CnValue){.component = model->components[component],
                                    .data = values[i].has_data ? made->bytes[i] : NULL};
    }
}

/* Every id that is handed out is one that was never handed out before. */
void model_note_new_id(Model *model, CnEntity id)
{
    uint32_t index = cn_entity_index(id), generation = cn_entity_generation(id);
    EXPECT(id.id, "an entity cannot be made");
    EXPECT(index < REF_MAX_INDICES, "index %u is out of all bounds", index);
    EXPECT(generation & 1u, "an id has generation %u", generation);
    EXPECT(generation > model->last_generation[index], "id %u:%u was handed out before", index,
           generation);
    model->last_generation[index] = generation;
}

void model_note_stale(Model *model, CnEntity id)
{
    if (model->stale_count < MODEL_STALE)
        model->stale[model->stale_count++] = id;
    else
        model->stale[below(model, MODEL_STALE)] = id;
}

/* ---- Hooks of the world ---- */

static void count_added(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    Model *model = user;
    model->hooks.added++;
    if (!cn_has_component(world, entity, component))
        model_fail(model, "on_add comes before the component");
}

static void count_set(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    Model *model = user;
    model->hooks.set++;
    if (!cn_get_component(world, entity, component))
        model_fail(model, "on_set comes without a value");
}

static void count_removed(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    Model *model = user;
    model->hooks.removed++;
    if (!cn_get_component(world, entity, component))
        model_fail(model, "on_remove comes after the component went");
}

static void greet(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    Model *model = user;
    (void)component;
    cn_add_component(world, entity, model->components[REF_GREETED]);
}

static void take_leave(CnWorld *world, CnEntity entity, CnComponent component, void *user)
{
    Model *model = user;
    (void)component;
    cn_remove_component(world, entity, model->components[REF_GREETED]);
}

/* ---- A run ---- */

static void on_guard(const char *file, int line, const char *message, void *user)
{
    Model *model = user;
    if (!model->aims_at_dead)
        model_fail(model, "guard at %s:%d: %s", file, line, message);
}

static void register_all(Model *model)
{
    for (uint32_t c = 0; c < REF_COMPONENTS; c++) {
        CnComponentDesc desc = {.type = reference_types[c]};
        uint8_t value[REF_MAX_VALUE_BYTES];
        if (c == REF_MIXED || c == REF_SHAPE)
            desc.layout = CN_LAYOUT_FIELDS;
        if (c == REF_DEFAULT) {
            reference_value(desc.type, 0, value);
            desc.default_value = value;
        }
        if (c == REF_HOOKED)
            desc.hooks =
                (CnHooks){{count_added, model}, {count_set, model}, {count_removed, model}};
        if (c == REF_GREETER)
            desc.hooks = (CnHooks){.on_add = {greet, model}, .on_remove = {take_leave, model}};
        model->components[c] = cn_component_register(model->world, &desc, NULL);
        EXPECT(model->components[c].id, "%s cannot be registered", desc.type->name);
    }
    for (uint32_t kind = 0; kind < REF_KINDS; kind++) {
        model->kinds[kind] = cn_component_ensure(model->world, reference_kinds[kind]);
        EXPECT(model->kinds[kind].id, "a kind cannot be registered");
    }
}

CN_COMPONENT(ModelEvent, (u64, number));

static void begin(Model *model)
{
    const ModelOptions *options = model->options;
    model->random.state = cn_hash_mix(options->seed);
    model->last_generation = calloc(REF_MAX_INDICES, sizeof *model->last_generation);
    EXPECT(model->last_generation && reference_init(&model->reference), "no memory for the model");
    model->world = cn_world_create(&(CnWorldDesc){.allocator = options->allocator,
                                                  .first_generation = options->first_generation},
                                   NULL);
    EXPECT(model->world, "no memory for the world");
    register_all(model);
    for (uint32_t i = 0; i < REF_BUFFERS; i++) {
        model->buffers[i] = cn_commands_create(model->world, NULL);
        EXPECT(model->buffers[i], "a buffer cannot be made");
    }
    model->channel =
        cn_channel_open(model->world, &(CnChannelDesc){.type = &cn_type_ModelEvent,
                                                       .max_events = MODEL_MAX_EVENTS});
    EXPECT(model->channel, "a channel cannot be made");
    model->queries[0].query =
        cn_query_acquire(model->world, &(CnQueryDesc){.all = {{.type = NULL}}}, NULL);
    model->queries[0].pair_kind = REF_NONE;
    model->query_count = 1;
}

static void one_operation(Model *model)
{
    uint32_t what = below(model, 1000);
    model->aims_at_dead = false;
    if (what < 480)
        model_change_one(model);
    else if (what < 940)
        model_defer_one(model);
    else if (what < 980)
        model_change_many(model);
    else if (what < 998)
        model_flush(model);
    else
        model_drop_buffer(model);
    if (model->promised_count > REF_MAX_ENTITIES / 2)
        model_flush(model);
}

ModelResult model_run(const ModelOptions *options)
{
    Model *model = calloc(1, sizeof *model);
    if (!model)
        return (ModelResult){.error = "no memory"};
    model->options = options;
    cn_assert_set_handler(on_guard, model);
    begin(model);
    while (model->operation < options->operations && !model->result.error[0]) {
        one_operation(model);
        model->operation++;
        if (options->compare_every && model->operation % options->compare_every == 0)
            model_compare_all(model);
    }
    if (!model->result.error[0])
        model_flush(model);
    if (!model->result.error[0])
        model_compare_all(model);
    if (!model->result.error[0]) {
        model->result.hash = model_hash(model);
        model->result.entities = cn_entity_count(model->world);
    }
    ModelResult result = model->result;
    if (model->world)
        cn_world_destroy(model->world);
    cn_assert_set_handler(NULL, NULL);
    reference_fini(&model->reference);
    free(model->last_generation);
    free(model);
    return result;
}
