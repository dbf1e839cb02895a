#include "scene/file/file_reader.h"

#include <cairn/base/json_location.h>

/* Returns the index of a member in the order of the text, which jansson preserves. */
static size_t member_number(json_t *object, const char *key)
{
    size_t number = 0;
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        (void)value;
        if (strcmp(name, key) == 0)
            break;
        number++;
    }
    return number;
}

/* Returns the position of the value `where`; *key is the position of its key, or of the value in
 * an array. */
static const char *find(CnText text, const CniSceneJsonPath *where, const char **key)
{
    const char *end = text.data + text.size;
    if (!where || !where->up) {
        *key = where && where->key ? where->key : cn_text_trim(text).data;
        return *key;
    }
    size_t number = where->in && where->key ? member_number(where->in, where->key) : where->index;
    return cn_json_find_child(find(text, where->up, key), end, number, where->key != NULL, key);
}

CniSceneJsonPath cni_scene_path_without_json(const CniSceneJsonPath *where)
{
    CniSceneJsonPath path = *where;
    if (where->in && where->key) {
        path.index = member_number(where->in, where->key);
        path.key = "";
    }
    path.in = NULL;
    return path;
}

CnText cni_scene_locate_value(CnText text, const CniSceneJsonPath *where)
{
    const char *key, *at = find(text, where, &key);
    const char *end = cn_json_skip_value(at, text.data + text.size);
    return (CnText){at, (size_t)(end - at)};
}

CnText cni_scene_locate_key(CnText text, const CniSceneJsonPath *where)
{
    const char *key;
    find(text, where, &key);
    return (CnText){key, (size_t)(cn_json_skip_value(key, text.data + text.size) - key)};
}
