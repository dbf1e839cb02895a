/* "overrides" of an instance of a prefab: changes of the nodes below its root. */
#include "scene/file/file_reader.h"

static const char *const override_keys[] = {"enabled", "components", NULL};

static bool fail(const CniSceneFileReader *reader, const CniSceneJsonPath *where,
                 const char *message, const json_t *value)
{
    return cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_VALUE, reader->error,
                          CN_ERROR_FORMAT, message, cni_scene_json_kind(value));
}

static bool fail_key(const CniSceneFileReader *reader, const CniSceneJsonPath *where,
                     const char *key)
{
    char suggestion[CNI_SCENE_SUGGESTION_BYTES];
    return cni_scene_fail(
        &reader->source, where, CNI_SCENE_JSON_AT_KEY, reader->error, CN_ERROR_NOT_FOUND,
        "an override has no member \"%.64s\"%s", key,
        cni_scene_suggestion(suggestion, cni_scene_find_similar_in(key, override_keys)));
}

/* Returns the child whose name resembles the first part of the path that does not exist. */
static const char *find_similar(const CniSceneFileReader *reader, uint32_t node, CnText path)
{
    const CniScenePlan *plan = reader->plan;
    CnText part = {0};
    while (cn_text_split(&path, '/', &part)) {
        uint32_t child = cni_scene_plan_find_below(plan, node, part);
        if (child == CNI_SCENE_NO_NODE)
            break;
        node = child;
    }
    const char *names[64];
    uint32_t count = 0;
    for (uint32_t i = node + 1; i < plan->nodes.count && count + 1 < CN_COUNT_OF(names); i++)
        if (plan->nodes.items[i].parent == node)
            names[count++] = plan->nodes.items[i].name;
    names[count] = NULL;
    char wanted[CN_OBJECT_NAME_BYTES];
    cn_copy_text(wanted, sizeof wanted, part);
    return cni_scene_find_similar_in(wanted, names);
}

static uint32_t find_node(const CniSceneFileReader *reader, const char *path,
                          const CniSceneJsonPath *where, uint32_t instance)
{
    uint32_t node = cni_scene_plan_find_below(reader->plan, instance, cn_text(path));
    if (node != CNI_SCENE_NO_NODE && node != instance)
        return node;
    char suggestion[CNI_SCENE_SUGGESTION_BYTES];
    cni_scene_fail(&reader->source, where, CNI_SCENE_JSON_AT_KEY, reader->error, CN_ERROR_NOT_FOUND,
                   "the prefab %s has no node \"%.100s\"%s",
                   reader->plan->nodes.items[instance].prefab, path,
                   cni_scene_suggestion(suggestion, find_similar(reader, instance, cn_text(path))));
    return CNI_SCENE_NO_NODE;
}

static bool check(const CniSceneFileReader *reader, json_t *json, const CniSceneJsonPath *where)
{
    const char *key;
    json_t *value;
    if (!json_is_object(json))
        return fail(reader, where, "an override must be an object, not %s", json);
    json_object_foreach(json, key, value)
    {
        const CniSceneJsonPath at = {where, json, key, 0};
        if (!strcmp(key, "enabled") && !json_is_boolean(value))
            return fail(reader, &at, "\"enabled\" must be true or false, not %s", value);
        if (!strcmp(key, "components") && !json_is_array(value))
            return fail(reader, &at, "\"components\" must be an array, not %s", value);
        if (strcmp(key, "enabled") != 0 && strcmp(key, "components") != 0)
            return fail_key(reader, &at, key);
    }
    return true;
}

bool cni_scene_read_overrides(CniSceneFileReader *reader, json_t *overrides,
                              const CniSceneJsonPath *where, uint32_t instance)
{
    const char *path;
    json_t *json;
    json_object_foreach(overrides, path, json)
    {
        const CniSceneJsonPath at = {where, overrides, path, 0};
        uint32_t node = find_node(reader, path, &at, instance);
        if (node == CNI_SCENE_NO_NODE || !check(reader, json, &at))
            return false;
        json_t *enabled = json_object_get(json, "enabled");
        if (enabled)
            reader->plan->nodes.items[node].disabled = json_is_false(enabled);
        if (!cni_scene_read_components(reader, json_object_get(json, "components"),
                                       &(CniSceneJsonPath){&at, json, "components", 0}, node))
            return false;
    }
    return true;
}
