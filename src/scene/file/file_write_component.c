#include "scene/file/file_writer.h"

/* ---- Reflected components ---- */

static bool init_component(CniSceneFileWriter *writer, CnComponent component)
{
    CniSceneFileComponent *known = &writer->known[component.id];
    return !cn_reflection_of(writer->world, component, &known->reflected) ||
           cni_scene_is_node_component(writer->world, component) ||
           cni_scene_file_component_init(known, writer->world, &writer->arena) ||
           cni_scene_writer_fail_memory(writer);
}

bool cni_scene_writer_find_components(CniSceneFileWriter *writer)
{
    writer->known_count = cn_component_limit(writer->world) + 1;
    writer->known = cn_arena_alloc(&writer->arena, writer->known_count * sizeof *writer->known,
                                   CN_ALIGN_OF(CniSceneFileComponent));
    if (!writer->known)
        return cni_scene_writer_fail_memory(writer);
    memset(writer->known, 0, writer->known_count * sizeof *writer->known);
    for (uint32_t id = 1; id < writer->known_count; id++)
        if (!init_component(writer, (CnComponent){id}))
            return false;
    return true;
}

/* ---- Values ---- */

typedef struct Written {
    CniSceneFileWriter *writer;
    uint32_t node;
    const CniSceneFileComponent *known;
    uint8_t *value;
    uint8_t *again; /* what a reader would produce from it */
} Written;

static bool fail(const Written *written, const char *key, const char *message)
{
    return cn_error_set(written->writer->error, CN_ERROR_MISMATCH, "%s: %s.%s: %s",
                        cni_scene_writer_path(written->writer, written->node),
                        written->known->reflected.name, key, message);
}

/* Ensures that everything written can be read again. */
static bool check(const Written *written, const CnReflectedMember *item, uint32_t element,
                  const CnReflectedValue *value)
{
    CnError wrong = {0};
    return cn_reflection_write(item, written->again + item->field->offset, element, value,
                               &wrong) ||
           fail(written, item->reflected.key, wrong.message);
}

static bool write_numbers(CnTextBuilder *text, const double *numbers, uint32_t count)
{
    if (!cni_scene_json_append(text, "["))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if ((i && !cni_scene_json_append(text, ", ")) ||
            !cn_text_append_float(text, (float)numbers[i]))
            return false;
    return cni_scene_json_append(text, "]");
}

/* Returns angles if they yield exactly the same rotation, otherwise the quaternion. */
static void read_rotation(const CnReflectedMember *item, const uint8_t *field, uint32_t element,
                          CnReflectedValue *value)
{
    CnQuat q;
    CnVec3 degrees;
    memcpy(&q, field + element * sizeof q, sizeof q);
    cn_reflection_read(item, field, element, value);
    if (!cn_reflection_euler_angles(q, &degrees)) {
        value->count = 4;
        value->numbers[0] = (double)q.x;
        value->numbers[1] = (double)q.y;
        value->numbers[2] = (double)q.z;
        value->numbers[3] = (double)q.w;
    }
}

static bool write_entity(const Written *written, CnTextBuilder *text, CnEntity entity)
{
    uint32_t node = cni_scene_writer_find(written->writer, entity);
    if (node == CNI_SCENE_NO_NODE)
        return cni_scene_json_append(text, "null");
    return cni_scene_json_append_string(text,
                                        cn_text(cni_scene_writer_path(written->writer, node)));
}

bool cni_scene_write_value(CnTextBuilder *text, const CnReflectedMember *item,
                           const CnReflectedValue *value)
{
    switch (value->form) {
    case CN_REFLECTED_NUMBER:
        return item->field->type == CN_FIELD_F64
                   ? cn_text_append_double(text, value->numbers[0])
                   : cn_text_append_float(text, (float)value->numbers[0]);
    case CN_REFLECTED_INTEGER:
        return cni_scene_json_append_integer(text, value->integer, value->negative);
    case CN_REFLECTED_BOOL:
        return cni_scene_json_append(text, value->boolean ? "true" : "false");
    case CN_REFLECTED_TEXT:
        return cni_scene_json_append_string(text, value->text);
    case CN_REFLECTED_ENTITY:
        return cni_scene_json_append(text, "null");
    case CN_REFLECTED_VECTOR:
        return write_numbers(text, value->numbers, value->count);
    }
    return false;
}

static bool write_element(const Written *written, const CnReflectedMember *item, uint32_t element)
{
    CnTextBuilder *text = written->writer->layout.text;
    const uint8_t *field = written->value + item->field->offset;
    CnReflectedValue value;
    if (item->reflected.kind == CN_REFLECTED_EULER)
        read_rotation(item, field, element, &value);
    else
        cn_reflection_read(item, field, element, &value);
    if (!check(written, item, element, &value))
        return false;
    bool done = value.form == CN_REFLECTED_ENTITY ? write_entity(written, text, value.entity)
                                                  : cni_scene_write_value(text, item, &value);
    return done || cni_scene_writer_fail_memory(written->writer);
}

static bool write_field(const Written *written, const CnReflectedMember *item)
{
    CnTextBuilder *text = written->writer->layout.text;
    uint32_t elements = cn_reflection_shape(item).elements;
    if (elements <= 1)
        return write_element(written, item, 0);
    if (!cni_scene_json_append(text, "["))
        return cni_scene_writer_fail_memory(written->writer);
    for (uint32_t i = 0; i < elements; i++) {
        if (i && !cni_scene_json_append(text, ", "))
            return cni_scene_writer_fail_memory(written->writer);
        if (!write_element(written, item, i))
            return false;
    }
    return cni_scene_json_append(text, "]") || cni_scene_writer_fail_memory(written->writer);
}

/* ---- Keys ---- */

#define KEY_BYTES 160u

/* Returns whether the rotation was never set, in a component that begins as zeros: readers
 * reject a zero quaternion, and leave the field unchanged when it is omitted. */
static bool is_unset_rotation(const Written *written, const CnReflectedMember *item)
{
    const CnField *field = item->field;
    const uint8_t *initial = written->known->info.default_value;
    if (field->type != CN_FIELD_QUAT)
        return false;
    for (uint32_t i = 0; i < field->size; i++)
        if (written->value[field->offset + i] || (initial && initial[field->offset + i]))
            return false;
    return true;
}

static bool is_written(const Written *written, const CnReflectedMember *item)
{
    return item->reflected.kind != CN_REFLECTED_HIDDEN && !is_unset_rotation(written, item) &&
           cn_reflection_field_applies(written->writer->world, &written->known->reflected, item,
                                       written->value);
}

/* Returns whether an earlier item is inside the same object. */
static bool was_opened(const Written *written, uint32_t index, CnText object)
{
    for (uint32_t i = 0; i < index; i++)
        if (is_written(written, &written->known->items[i]) &&
            cni_scene_key_suffix(&written->known->items[i], object))
            return true;
    return false;
}

/* Writes the members of the object or array `prefix`. An object is written at the position of
 * its first member. Members of an array have indices for names, which are not written. */
static bool write_members(const Written *written, CnText prefix)
{
    CniSceneJsonWriter *layout = &written->writer->layout;
    for (uint32_t i = 0; i < written->known->item_count; i++) {
        const CnReflectedMember *item = &written->known->items[i];
        const char *key = cni_scene_key_suffix(item, prefix);
        if (!key || !is_written(written, item))
            continue;
        const char *dot = strchr(key, '.');
        if (!dot) {
            if (!cni_scene_json_next(layout, key))
                return cni_scene_writer_fail_memory(written->writer);
            if (!write_field(written, item))
                return false;
            continue;
        }
        CnText object = {item->reflected.key, (size_t)(dot - item->reflected.key)};
        char name[KEY_BYTES];
        cn_copy_text(name, sizeof name, (CnText){key, (size_t)(dot - key)});
        if (was_opened(written, i, object))
            continue;
        bool is_array = cni_scene_key_is_index(dot + 1);
        if (!cni_scene_json_next(layout, cni_scene_key_is_index(name) ? NULL : name) ||
            !cni_scene_json_open(layout, is_array ? "[" : "{"))
            return cni_scene_writer_fail_memory(written->writer);
        if (!write_members(written, object))
            return false;
        if (!cni_scene_json_close(layout, is_array ? "]" : "}"))
            return cni_scene_writer_fail_memory(written->writer);
    }
    return true;
}

/* ---- Components ---- */

static bool write_component(CniSceneFileWriter *writer, uint32_t node,
                            const CniSceneFileComponent *known)
{
    CniSceneJsonWriter *layout = &writer->layout;
    uint32_t size = known->info.size;
    Written written = {.writer = writer, .node = node, .known = known};
    CnArenaMark mark = cn_arena_mark(&writer->arena);
    written.value = cn_arena_alloc(&writer->arena, size + 1, CN_DEFAULT_ALIGNMENT);
    written.again = cn_arena_alloc(&writer->arena, size + 1, CN_DEFAULT_ALIGNMENT);
    if (!written.value || !written.again || !cni_scene_json_next(layout, NULL) ||
        !cni_scene_json_open(layout, "{") || !cni_scene_json_next(layout, "type") ||
        !cni_scene_json_append_string(layout->text, cn_text(known->reflected.name)))
        return cni_scene_writer_fail_memory(writer);
    if (size)
        cn_read_component(writer->world, writer->nodes.items[node].entity,
                          known->reflected.component, written.value);
    CnError wrong = {0};
    if (!write_members(&written, (CnText){0}))
        return false;
    if (!cn_reflection_check(&known->reflected, written.value, &wrong))
        return cn_error_set(writer->error, wrong.code, "%s: %s: %s",
                            cni_scene_writer_path(writer, node), known->reflected.name,
                            wrong.message);
    cn_arena_rewind(&writer->arena, mark);
    return cni_scene_json_close(layout, "}") || cni_scene_writer_fail_memory(writer);
}

/* The transform comes first, then components in order of their names. */
static bool comes_before(const CniSceneFileWriter *writer, CnComponent a, CnComponent b)
{
    uint32_t transform = cn_component_of(writer->world, &cn_type_CnTransform).id;
    if (a.id == transform || b.id == transform)
        return a.id == transform;
    return strcmp(writer->known[a.id].reflected.name, writer->known[b.id].reflected.name) < 0;
}

#define MAX_WRITTEN (CNI_SCENE_MAX_COMPONENTS + 1u) /* and the transform */

/* Collects the components to write, in order. Returns their number, or UINT32_MAX and an error. */
static uint32_t sort_components(const CniSceneFileWriter *writer, uint32_t node,
                                CnComponent sorted[MAX_WRITTEN])
{
    CnComponent all[256];
    CnEntity entity = writer->nodes.items[node].entity;
    uint32_t total = cn_entity_components(writer->world, entity, all, CN_COUNT_OF(all)), count = 0;
    for (uint32_t i = 0; i < total && i < CN_COUNT_OF(all); i++) {
        if (!writer->known[all[i].id].items)
            continue;
        if (count == MAX_WRITTEN || total > CN_COUNT_OF(all)) {
            cn_error_set(writer->error, CN_ERROR_LIMIT, "object %s has more than %u components",
                         writer->nodes.items[node].name, MAX_WRITTEN);
            return UINT32_MAX;
        }
        uint32_t at = count++;
        for (; at && comes_before(writer, all[i], sorted[at - 1]); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = all[i];
    }
    return count;
}

bool cni_scene_write_components(CniSceneFileWriter *writer, uint32_t node)
{
    CniSceneJsonWriter *layout = &writer->layout;
    CnComponent sorted[MAX_WRITTEN];
    uint32_t count = sort_components(writer, node, sorted);
    if (count == UINT32_MAX)
        return false;
    if (!cni_scene_json_next(layout, "components") || !cni_scene_json_open(layout, "["))
        return cni_scene_writer_fail_memory(writer);
    for (uint32_t i = 0; i < count; i++)
        if (!write_component(writer, node, &writer->known[sorted[i].id]))
            return false;
    return cni_scene_json_close(layout, "]") || cni_scene_writer_fail_memory(writer);
}
