#include "scene/file/file_reader.h"

bool cni_is_of_nodes(const CnWorld *world, CnComponent component)
{
    return component.id == cn_component_of(world, &cn_type_CnObject).id ||
           component.id == cn_component_of(world, &cn_type_CnInactive).id ||
           component.id == cn_component_of(world, &cn_type_CnNode).id ||
           component.id == cn_component_of(world, &cn_type_CnPrefabSource).id;
}

bool cni_known_learn(CniKnown *known, const CnWorld *world, CnArena *arena)
{
    CnShownItem item, *items;
    known->item_count = 0;
    while (cn_shown_field(world, &known->shown, known->item_count, &item))
        known->item_count++;
    items = cn_arena_alloc(arena, known->item_count * sizeof *items + 1, CN_ALIGN_OF(CnShownItem));
    for (uint32_t i = 0; items && i < known->item_count; i++)
        cn_shown_field(world, &known->shown, i, &items[i]);
    known->items = items;
    return items && cn_component_info(world, known->shown.component, &known->info);
}

const char *cni_key_behind(const CnShownItem *item, CnText prefix)
{
    const char *key = item->shown.key;
    if (item->shown.kind == CN_SHOWN_HIDDEN)
        return NULL;
    if (!prefix.size)
        return key;
    return strncmp(key, prefix.data, prefix.size) == 0 && key[prefix.size] == '.'
               ? key + prefix.size + 1
               : NULL;
}

bool cni_is_index(const char *key)
{
    return key[0] >= '0' && key[0] <= '9';
}
