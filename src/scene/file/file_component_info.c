#include "scene/file/file_reader.h"

bool cni_scene_is_node_component(const CnWorld *world, CnComponent component)
{
    return component.id == cn_component_of(world, &cn_type_CnObject).id ||
           component.id == cn_component_of(world, &cn_type_CnInactive).id ||
           component.id == cn_component_of(world, &cn_type_CnNode).id ||
           component.id == cn_component_of(world, &cn_type_CnPrefabSource).id;
}

bool cni_scene_file_component_init(CniSceneFileComponent *known, const CnWorld *world,
                                   CnArena *arena)
{
    CnReflectedMember item, *items;
    known->item_count = 0;
    while (cn_reflection_field(world, &known->reflected, known->item_count, &item))
        known->item_count++;
    items = cn_arena_alloc(arena, known->item_count * sizeof *items + 1,
                           CN_ALIGN_OF(CnReflectedMember));
    for (uint32_t i = 0; items && i < known->item_count; i++)
        cn_reflection_field(world, &known->reflected, i, &items[i]);
    known->items = items;
    return items && cn_component_info(world, known->reflected.component, &known->info);
}

const char *cni_scene_key_suffix(const CnReflectedMember *item, CnText prefix)
{
    const char *key = item->reflected.key;
    if (item->reflected.kind == CN_REFLECTED_HIDDEN)
        return NULL;
    if (!prefix.size)
        return key;
    return strncmp(key, prefix.data, prefix.size) == 0 && key[prefix.size] == '.'
               ? key + prefix.size + 1
               : NULL;
}

void cni_scene_field_restriction(const CnWorld *world, const CnReflectedComponent *reflected,
                                 const CnReflectedMember *item, char *text, size_t text_bytes)
{
    CnReflectedMember of;
    const CnReflectedField *said = &item->reflected;
    text[0] = 0;
    if (!said->of_choice ||
        !cn_reflection_find_field(world, reflected, cn_text(said->of_choice), &of))
        return;
    cn_format(text, text_bytes, "only for %s %s%s%s", said->of_choice,
              of.reflected.choices[said->of_value], said->or_value ? " and " : "",
              said->or_value ? of.reflected.choices[said->or_value] : "");
}

bool cni_scene_key_is_index(const char *key)
{
    return key[0] >= '0' && key[0] <= '9';
}
