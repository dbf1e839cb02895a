#include "ecs_model.h"

/* Also an entity that an earlier command spawns. */
static CnEntity some_entity_or_promise(Model *model)
{
    if (model->promised_count && chance(model, 30))
        return model->promised[below(model, model->promised_count)];
    return model_some_entity(model);
}

static uint32_t some_buffer(Model *model)
{
    return below(model, REF_BUFFERS);
}

static void record(Model *model, uint32_t buffer, const RefCommand *command)
{
    EXPECT(reference_record(&model->reference, buffer, command), "no memory for the reference");
}

static void count_oversize(Model *model, uint32_t component)
{
    model->oversize += reference_types[component]->size > CN_COMMAND_SLOT_BYTES;
}

static void defer_spawn(Model *model)
{
    RefValue values[MODEL_MAX_VALUES];
    ModelValues made;
    uint32_t buffer = some_buffer(model);
    uint32_t count = model_some_values(model, values, 6);
    if (!has_room(model, 1))
        return;
    model_make_values(model, &made, values, count);
    CnEntity id = cn_defer_spawn_values(model->buffers[buffer], made.values, count);
    model_note_new_id(model, id);
    record(model, buffer, &(RefCommand){.op = REF_SPAWN, .entity = id});
    for (uint32_t i = 0; i < count; i++) {
        record(model, buffer,
               &(RefCommand){.op = values[i].has_data ? REF_SET : REF_RESET,
                             .entity = id,
                             .component = values[i].component,
                             .seed = values[i].seed});
        if (values[i].has_data)
            count_oversize(model, values[i].component);
    }
    model->promised[model->promised_count++] = id;
}

static void defer_component(Model *model)
{
    uint8_t bytes[REF_MAX_VALUE_BYTES];
    uint32_t buffer = some_buffer(model), op = below(model, 3);
    RefCommand command = {.entity = some_entity_or_promise(model)};
    command.component = below(model, REF_COMPONENTS);
    command.seed = new_seed(model);
    CnComponent id = model->components[command.component];
    CnCommands *commands = model->buffers[buffer];
    bool done;
    if (op == 0) {
        command.op = REF_ADD;
        done = cn_defer_add_component(commands, command.entity, id);
    } else if (op == 1) {
        command.op = REF_SET;
        reference_value(reference_types[command.component], command.seed, bytes);
        done = cn_defer_set_component(commands, command.entity, id, bytes);
        count_oversize(model, command.component);
    } else {
        command.op = REF_REMOVE;
        done = cn_defer_remove_component(commands, command.entity, id);
    }
    EXPECT(done, "a command cannot be recorded");
    record(model, buffer, &command);
}

static void defer_pair(Model *model)
{
    uint8_t bytes[REF_MAX_VALUE_BYTES];
    uint32_t buffer = some_buffer(model), op = below(model, 3);
    uint32_t position = model_some_living(model), target = model_some_living(model);
    uint32_t kind = below(model, REF_KINDS);
    uint64_t seed = new_seed(model);
    if (position == REF_NONE)
        return;
    RefEntity *entity = &model->reference.entities[position];
    if (entity->pair_count + entity->pairs_asked >= REF_MAX_PAIRS)
        return;
    CnEntity other = model_id_at(model, target);
    CnComponent pair = cn_pair(model->world, model->kinds[kind], other);
    EXPECT(pair.id, "a pair cannot be made");
    CnCommands *commands = model->buffers[buffer];
    static const RefOp ops[] = {REF_ADD_PAIR, REF_SET_PAIR, REF_REMOVE_PAIR};
    RefCommand command = {
        .op = ops[op], .entity = entity->id, .component = kind, .other = other, .seed = seed};
    bool done;
    if (op == 0) {
        done = cn_defer_add_component(commands, entity->id, pair);
    } else if (op == 1) {
        reference_value(reference_kinds[kind], seed, bytes);
        done = cn_defer_set_component(commands, entity->id, pair, bytes);
    } else {
        done = cn_defer_remove_component(commands, entity->id, pair);
    }
    EXPECT(done, "a command for a pair cannot be recorded");
    entity->pairs_asked += op != 2;
    record(model, buffer, &command);
}

static void defer_parent(Model *model)
{
    uint32_t buffer = some_buffer(model);
    RefCommand command = {.op = REF_SET_PARENT, .entity = some_entity_or_promise(model)};
    if (chance(model, 80))
        command.other = some_entity_or_promise(model);
    EXPECT(cn_defer_set_parent(model->buffers[buffer], command.entity, command.other),
           "a parent cannot be recorded");
    record(model, buffer, &command);
}

static void defer_destroy(Model *model)
{
    uint32_t buffer = some_buffer(model);
    RefCommand command = {.op = REF_DESTROY, .entity = some_entity_or_promise(model)};
    EXPECT(cn_defer_destroy(model->buffers[buffer], command.entity),
           "a destruction cannot be recorded");
    record(model, buffer, &command);
}

void model_defer_one(Model *model)
{
    uint32_t what = below(model, 100);
    if (what < 20)
        defer_spawn(model);
    else if (what < 70)
        defer_component(model);
    else if (what < 78)
        defer_pair(model);
    else if (what < 84)
        defer_parent(model);
    else
        defer_destroy(model);
}

void model_flush(Model *model)
{
    uint64_t failed = model->reference.failed;
    bool done = cn_flush(model->world);
    reference_flush(&model->reference);
    EXPECT(done == (model->reference.failed == failed), "a flush says %d", done);
    for (uint32_t i = 0; i < model->promised_count; i++)
        if (reference_find(&model->reference, model->promised[i]) == REF_NONE)
            model_note_stale(model, model->promised[i]);
    model->promised_count = 0;
    model->result.flushes++;
    for (uint32_t i = 0; i < REF_BUFFERS; i++)
        EXPECT(cn_commands_count(model->buffers[i]) == 0, "a buffer is not empty after a flush");
}

/* A buffer goes with all it holds; the ids it promised never come to life. */
void model_drop_buffer(Model *model)
{
    uint32_t buffer = some_buffer(model);
    RefCommands *commands = &model->reference.buffers[buffer];
    for (uint32_t c = 0; c < commands->count; c++) {
        if (commands->items[c].op != REF_SPAWN)
            continue;
        model_note_stale(model, commands->items[c].entity);
        for (uint32_t i = 0; i < model->promised_count; i++)
            if (model->promised[i].id == commands->items[c].entity.id)
                model->promised[i] = model->promised[--model->promised_count];
    }
    reference_discard(&model->reference, buffer);
    cn_commands_destroy(model->buffers[buffer]);
    /* The new one is the last: those behind the old one move up. */
    for (uint32_t i = buffer; i + 1 < REF_BUFFERS; i++) {
        model->buffers[i] = model->buffers[i + 1];
        RefCommands moved = model->reference.buffers[i];
        model->reference.buffers[i] = model->reference.buffers[i + 1];
        model->reference.buffers[i + 1] = moved;
    }
    model->buffers[REF_BUFFERS - 1] = cn_commands_create(model->world, NULL);
    EXPECT(model->buffers[REF_BUFFERS - 1], "a buffer cannot be made");
}
