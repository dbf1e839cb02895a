#include "scene/file/json_text.h"

bool cni_scene_json_append(CnTextBuilder *text, const char *terminated)
{
    return cn_text_append(text, cn_text(terminated));
}

/* ---- Texts ---- */

static bool put_escaped(CnTextBuilder *text, unsigned char c)
{
    switch (c) {
    case '"':
        return cni_scene_json_append(text, "\\\"");
    case '\\':
        return cni_scene_json_append(text, "\\\\");
    case '\n':
        return cni_scene_json_append(text, "\\n");
    case '\r':
        return cni_scene_json_append(text, "\\r");
    case '\t':
        return cni_scene_json_append(text, "\\t");
    default:
        return cn_text_append_format(text, "\\u%04x", c);
    }
}

bool cni_scene_json_append_string(CnTextBuilder *text, CnText string)
{
    size_t done = 0;
    if (!cni_scene_json_append(text, "\""))
        return false;
    for (size_t i = 0; i < string.size; i++) {
        unsigned char c = (unsigned char)string.data[i];
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        if (!cn_text_append(text, (CnText){string.data + done, i - done}) || !put_escaped(text, c))
            return false;
        done = i + 1;
    }
    return cn_text_append(text, (CnText){string.data + done, string.size - done}) &&
           cni_scene_json_append(text, "\"");
}

/* ---- Numbers ---- */

/* JSON readers cannot represent more than 63 bits: such numbers become strings of digits. */
bool cni_scene_json_append_integer(CnTextBuilder *text, uint64_t whole, bool negative)
{
    if (negative)
        return cn_text_append_format(text, "%lld", (long long)(int64_t)whole);
    return cn_text_append_format(text, whole > INT64_MAX ? "\"%llu\"" : "%llu",
                                 (unsigned long long)whole);
}

/* ---- Layout ---- */

static bool new_line(const CniSceneJsonWriter *layout)
{
    static const char blanks[] = "                                ";
    uint32_t left = layout->depth * 2;
    if (!cni_scene_json_append(layout->text, "\n"))
        return false;
    while (left) {
        uint32_t some = left < sizeof blanks - 1 ? left : (uint32_t)sizeof blanks - 1;
        if (!cn_text_append(layout->text, (CnText){blanks, some}))
            return false;
        left -= some;
    }
    return true;
}

bool cni_scene_json_open(CniSceneJsonWriter *layout, const char *bracket)
{
    layout->depth++;
    layout->is_first = true;
    return cni_scene_json_append(layout->text, bracket);
}

bool cni_scene_json_close(CniSceneJsonWriter *layout, const char *bracket)
{
    bool is_empty = layout->is_first;
    layout->depth--;
    layout->is_first = false;
    return (is_empty || new_line(layout)) && cni_scene_json_append(layout->text, bracket);
}

bool cni_scene_json_next(CniSceneJsonWriter *layout, const char *key)
{
    bool is_first = layout->is_first;
    layout->is_first = false;
    return (is_first || cni_scene_json_append(layout->text, ",")) && new_line(layout) &&
           (!key || (cni_scene_json_append_string(layout->text, cn_text(key)) &&
                     cni_scene_json_append(layout->text, ": ")));
}
