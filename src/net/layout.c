/* Creates layouts from the descriptions of components. */
#include "net/layout_internal.h"

#include <cairn/base/hash_map.h>

static const char *const encoding_names[CN_NET_ENCODING_COUNT] = {"exact",   "steps",   "position",
                                                                  "degrees", "radians", "rotation"};

/* ---- Fields ---- */

static void set_step(CniNetLayoutField *field, const CnNetField *wanted)
{
    const uint32_t bits =
        wanted->encoding == CN_NET_ROTATION ? CN_NET_ROTATION_BITS : CN_NET_ANGLE_BITS;
    field->bits = wanted->bits ? wanted->bits : bits;
    field->step = wanted->step > 0 ? wanted->step : CN_NET_POSITION_STEP;
    if (wanted->encoding == CN_NET_DEGREES)
        field->step = 360.0 / (double)(1u << field->bits);
    else if (wanted->encoding == CN_NET_RADIANS)
        field->step = 2 * CN_PI / (double)(1u << field->bits);
    field->inverse = 1 / field->step;
}

static bool check_numbers(const CnNetComponent *component, const CnNetField *wanted, CnError *error)
{
    if (wanted->bits && (wanted->bits < 4 || wanted->bits > 16))
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "field %s of component %s has %u bits in the network layout; use 4 to "
                            "16, or 0 for the default",
                            wanted->name, component->type->name, wanted->bits);
    if (!(wanted->step >= 0 && wanted->step <= 1e6))
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "field %s of component %s has the step %g in the network layout; use 0 "
                            "to 1e6",
                            wanted->name, component->type->name, wanted->step);
    return true;
}

static bool make_field(CniNetLayoutField *field, const CnField *source,
                       const CnNetComponent *component, const CnNetField *wanted,
                       uint32_t first_word, CnError *error)
{
    const bool turns = wanted->encoding == CN_NET_POSITION || wanted->encoding == CN_NET_DEGREES ||
                       wanted->encoding == CN_NET_RADIANS || wanted->encoding == CN_NET_ROTATION;
    if ((uint32_t)wanted->encoding >= CN_NET_ENCODING_COUNT)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "field %s of component %s has an unknown network encoding",
                            source->name, component->type->name);
    if (!check_numbers(component, wanted, error))
        return false;
    *field = (CniNetLayoutField){.offset = source->offset,
                                 .type = source->type,
                                 .count = source->count,
                                 .encoding = wanted->encoding,
                                 .interpolate = turns || wanted->interpolate,
                                 .snap = wanted->snap > 0 ? wanted->snap : CN_NET_SNAP,
                                 .first_word = first_word};
    set_step(field, wanted);
    field->word_count = cni_net_field_words(field, NULL);
    if (!field->word_count)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "field %s of component %s is %s[%u], which cannot be %s%s",
                            source->name, component->type->name, cn_field_type_name(source->type),
                            source->count, field->interpolate && !turns ? "interpolated and " : "",
                            encoding_names[wanted->encoding]);
    return true;
}

static const CnField *find_field(const CnComponentInfo *info, const char *name)
{
    for (uint32_t i = 0; i < info->field_count; i++)
        if (name && !strcmp(info->fields[i].name, name))
            return &info->fields[i];
    return NULL;
}

static bool make_fields(CnNetLayout *layout, CniNetLayoutComponent *component,
                        const CnNetComponent *wanted, const CnComponentInfo *info, CnError *error)
{
    component->field_count = wanted->fields ? wanted->field_count : info->field_count;
    if (!component->field_count)
        return true;
    component->fields =
        cn_alloc_zeroed(layout->allocator, component->field_count * sizeof *component->fields);
    if (!component->fields)
        return cn_error_memory(error, "a network layout");
    for (uint32_t i = 0; i < component->field_count; i++) {
        CnNetField exact = {.name = wanted->fields ? NULL : info->fields[i].name};
        const CnNetField *field = wanted->fields ? &wanted->fields[i] : &exact;
        const CnField *source = find_field(info, field->name);
        if (!source)
            return cn_error_set(error, CN_ERROR_NOT_FOUND,
                                "component %s has no field \"%s\" for the network layout",
                                wanted->type->name, field->name ? field->name : "");
        if (!make_field(&component->fields[i], source, wanted, field, component->word_count, error))
            return false;
        component->word_count += component->fields[i].word_count;
        component->has_references |= source->type == CN_FIELD_ENTITY;
        component->interpolates |= component->fields[i].interpolate;
        if (component->word_count > CN_NET_MAX_WORDS)
            return cn_error_set(error, CN_ERROR_LIMIT,
                                "component %s has more than %u numbers in the network layout; list "
                                "only the fields that clients need",
                                wanted->type->name, CN_NET_MAX_WORDS);
    }
    return true;
}

/* ---- Units ---- */

static uint32_t unit_words(const CniNetLayoutField *field)
{
    const bool is_text = field->encoding == CN_NET_EXACT && field->type == CN_FIELD_TEXT;
    return is_text ? field->word_count : CNI_NET_UNIT_WORDS;
}

static void add_units(CniNetLayoutComponent *component, const CniNetLayoutField *field)
{
    const uint32_t most = unit_words(field);
    for (uint32_t first = 0; first < field->word_count; first += most) {
        CniNetUnit *unit = &component->units[component->unit_count++];
        const uint32_t left = field->word_count - first;
        unit->first = (uint16_t)(field->first_word + first);
        unit->count = (uint16_t)(left < most ? left : most);
        unit->kind = CNI_NET_UNIT_WORD;
        if (field->type == CN_FIELD_TEXT) {
            unit->kind = CNI_NET_UNIT_TEXT;
            unit->text_bytes = field->count;
        } else if (field->type == CN_FIELD_BOOL && field->count == 1) {
            unit->kind = CNI_NET_UNIT_BOOL;
        }
    }
}

static bool make_units(CnNetLayout *layout, CniNetLayoutComponent *component, CnError *error)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < component->field_count; i++)
        count += (component->fields[i].word_count + unit_words(&component->fields[i]) - 1) /
                 unit_words(&component->fields[i]);
    if (!component->word_count)
        return true;
    component->units = cn_alloc_zeroed(layout->allocator, count * sizeof *component->units);
    component->widths = cn_alloc_zeroed(layout->allocator, component->word_count);
    component->defaults =
        cn_alloc_zeroed(layout->allocator, component->word_count * sizeof *component->defaults);
    if (!component->units || !component->widths || !component->defaults) {
        component->unit_count = component->units ? count : 0;
        return cn_error_memory(error, "a network layout");
    }
    for (uint32_t i = 0; i < component->field_count; i++) {
        cni_net_field_words(&component->fields[i],
                            component->widths + component->fields[i].first_word);
        add_units(component, &component->fields[i]);
    }
    return true;
}

/* ---- Components ---- */

static bool find_position(CnNetLayout *layout, uint32_t index, CnError *error)
{
    const CniNetLayoutComponent *component = &layout->components[index];
    for (uint32_t i = 0; i < component->field_count; i++) {
        if (component->fields[i].encoding != CN_NET_POSITION)
            continue;
        if (layout->position_component != UINT32_MAX)
            return cn_error_set(error, CN_ERROR_EXISTS,
                                "component %s has a second position in the network layout; use "
                                "CN_NET_STEPS for all but one",
                                component->type->name);
        layout->position_component = index;
        layout->position_field = i;
    }
    return true;
}

static bool set_defaults(CnNetLayout *layout, CniNetLayoutComponent *component, CnWorld *world,
                         CnComponent id, CnError *error)
{
    if (!component->word_count)
        return true;
    void *value = cn_alloc_zeroed(layout->allocator, component->size);
    if (!value)
        return cn_error_memory(error, "a network layout");
    cn_read_default_value(world, id, value);
    cni_net_quantize(component, value, component->defaults, NULL);
    cn_free(layout->allocator, value, component->size);
    return true;
}

static void hash_component(CnNetLayout *layout, const CniNetLayoutComponent *component)
{
    uint64_t hash = layout->hash;
    hash = cn_hash_bytes(component->type->name, strlen(component->type->name), hash);
    hash = cn_hash_bytes(&component->flags, sizeof component->flags, hash);
    for (uint32_t i = 0; i < component->field_count; i++) {
        const CniNetLayoutField *field = &component->fields[i];
        const uint32_t numbers[] = {(uint32_t)field->type, field->count, (uint32_t)field->encoding,
                                    field->bits, (uint32_t)field->interpolate};
        hash = cn_hash_bytes(numbers, sizeof numbers, hash);
        hash = cn_hash_bytes(&field->step, sizeof field->step, hash);
    }
    if (component->word_count)
        hash = cn_hash_bytes(component->defaults, component->word_count * sizeof(uint32_t), hash);
    layout->hash = hash;
}

static bool add_component(CnNetLayout *layout, CnWorld *world, const CnNetComponent *wanted,
                          CnError *error)
{
    const uint32_t index = layout->component_count++;
    CniNetLayoutComponent *component = &layout->components[index];
    CnComponentInfo info;
    const CnComponent id = cn_component_ensure(world, wanted->type);
    component->type = wanted->type;
    component->flags = wanted->flags;
    if (!cn_component_info(world, id, &info))
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "component %s of the network layout could not be registered; the log "
                            "names the cause",
                            wanted->type->name);
    component->size = info.size;
    if (info.size && !info.field_count)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "component %s is opaque and cannot be in a network layout",
                            wanted->type->name);
    for (uint32_t i = 0; i < index; i++)
        if (!strcmp(layout->components[i].type->name, wanted->type->name))
            return cn_error_set(error, CN_ERROR_EXISTS, "component %s is twice in a network layout",
                                wanted->type->name);
    if (!make_fields(layout, component, wanted, &info, error) ||
        !make_units(layout, component, error) || !find_position(layout, index, error) ||
        !set_defaults(layout, component, world, id, error))
        return false;
    hash_component(layout, component);
    if (!(wanted->flags & CN_NET_OWNER_ONLY))
        layout->public_mask |= 1u << index;
    return true;
}

/* Presence, and whether each component differs. */
static bool add_limits(CnNetLayout *layout, CnError *error)
{
    uint32_t words = 0;
    layout->max_bits = 1 + 2 * layout->component_count;
    for (uint32_t i = 0; i < layout->component_count; i++) {
        const CniNetLayoutComponent *component = &layout->components[i];
        words += component->word_count;
        layout->max_bits += cni_net_max_bits(component);
        layout->values_bytes +=
            (component->size + CN_DEFAULT_ALIGNMENT - 1) & ~(uint32_t)(CN_DEFAULT_ALIGNMENT - 1);
        if (component->size > layout->max_value_bytes)
            layout->max_value_bytes = component->size;
    }
    if (words > CN_NET_MAX_WORDS)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the network layout has %u numbers for an entity, more than %u; list "
                            "only the fields that clients need",
                            words, CN_NET_MAX_WORDS);
    return true;
}

CnNetLayout *cn_net_layout_create(CnWorld *world, const CnNetLayoutDesc *desc, CnError *error)
{
    static const CnNetComponent shared = {.type = &cn_type_CnNetShared};
    CN_ASSERT(desc->component_count <= CN_NET_MAX_COMPONENTS, "%u components, at most %u",
              desc->component_count, CN_NET_MAX_COMPONENTS);
    CN_REPORT_UNHANDLED(error, "net", cn_world_unhandled_errors(world));
    CnNetLayout *layout = cn_alloc_zeroed(desc->allocator, sizeof *layout);
    if (!layout) {
        cn_error_memory(error, "a network layout");
        return NULL;
    }
    layout->allocator = desc->allocator;
    layout->position_component = layout->position_field = UINT32_MAX;
    bool made = add_component(layout, world, &shared, error);
    for (uint32_t i = 0; i < desc->component_count && made; i++)
        made = add_component(layout, world, &desc->components[i], error);
    if (made && add_limits(layout, error))
        return layout;
    cn_net_layout_destroy(layout);
    return NULL;
}

static void free_component(CnNetLayout *layout, CniNetLayoutComponent *component)
{
    cn_free(layout->allocator, component->fields,
            component->field_count * sizeof *component->fields);
    cn_free(layout->allocator, component->units, component->unit_count * sizeof *component->units);
    cn_free(layout->allocator, component->widths, component->word_count);
    cn_free(layout->allocator, component->defaults,
            component->word_count * sizeof *component->defaults);
}

void cn_net_layout_destroy(CnNetLayout *layout)
{
    if (!layout)
        return;
    for (uint32_t i = 0; i < layout->component_count; i++)
        free_component(layout, &layout->components[i]);
    cn_free(layout->allocator, layout, sizeof *layout);
}

uint64_t cn_net_layout_hash(const CnNetLayout *layout)
{
    return layout->hash;
}

size_t cn_net_layout_max_bytes(const CnNetLayout *layout)
{
    return (layout->max_bits + CNI_NET_HEADER_BITS + CNI_NET_RECORD_BITS + 7) / 8;
}
