/* Buffers and buffer views of a glTF document: data URIs, further files, compressed views. */
#include "render/import/gltf.h"

/* ---- Data URIs ---- */

static const int8_t *base64_digits(void)
{
    static const int8_t digits[256] = {
#define DIGIT(c, value) [c] = (value) + 1
#define DIGITS4(c, value)                                                                          \
    DIGIT(c, value), DIGIT((c) + 1, (value) + 1), DIGIT((c) + 2, (value) + 2),                     \
        DIGIT((c) + 3, (value) + 3)
        DIGITS4('A', 0),  DIGITS4('E', 4),  DIGITS4('I', 8),  DIGITS4('M', 12), DIGITS4('Q', 16),
        DIGITS4('U', 20), DIGIT('Y', 24),   DIGIT('Z', 25),   DIGITS4('a', 26), DIGITS4('e', 30),
        DIGITS4('i', 34), DIGITS4('m', 38), DIGITS4('q', 42), DIGITS4('u', 46), DIGIT('y', 50),
        DIGIT('z', 51),   DIGITS4('0', 52), DIGITS4('4', 56), DIGIT('8', 60),   DIGIT('9', 61),
        DIGIT('+', 62),   DIGIT('/', 63),
#undef DIGITS4
#undef DIGIT
    };
    return digits; /* value + 1; 0: not a digit */
}

static bool decode_base64(CnText text, uint8_t *out)
{
    const int8_t *digits = base64_digits();
    uint32_t bits = 0, count = 0;
    for (size_t i = 0; i < text.size; i++) {
        int digit = digits[(uint8_t)text.data[i]];
        if (!digit)
            return false;
        bits = bits << 6 | (uint32_t)(digit - 1);
        count += 6;
        if (count >= 8) {
            count -= 8;
            *out++ = (uint8_t)(bits >> count);
        }
    }
    return true;
}

bool cni_render_gltf_decode_uri(CniRenderGltf *gltf, const CniRenderGltfAt *at, const char *uri,
                                CnText *bytes)
{
    const char *comma = strchr(uri, ',');
    CnText head = {uri, comma ? (size_t)(comma - uri) : 0};
    if (!comma || !cn_text_ends_with(head, cn_text(";base64")))
        return cni_render_gltf_fails(gltf, at, "uri", CN_ERROR_UNSUPPORTED,
                                     "a data URI must contain \";base64,\"");
    CnText text = cn_text(comma + 1);
    while (text.size && text.data[text.size - 1] == '=')
        text.size--;
    uint64_t size = text.size / 4 * 3 + (text.size % 4 ? text.size % 4 - 1 : 0);
    uint8_t *decoded = cni_render_gltf_expand(gltf, at, size);
    if (!decoded)
        return false;
    if (text.size % 4 == 1 || !decode_base64(text, decoded))
        return cni_render_gltf_fails(gltf, at, "uri", CN_ERROR_FORMAT,
                                     "the data URI is not valid base64");
    *bytes = (CnText){(const char *)decoded, size};
    return true;
}

/* ---- Buffers ---- */

static bool read_uri(CniRenderGltf *gltf, const CniRenderGltfAt *at, const char *uri, CnText *bytes)
{
    char path[CNI_RENDER_PATH_MAX];
    CnError why = {0};
    if (cn_text_starts_with(cn_text(uri), cn_text("data:")))
        return cni_render_gltf_decode_uri(gltf, at, uri, bytes);
    if (!cni_render_import_resolve(gltf->import, cn_text(uri), path))
        return cni_render_gltf_fails(gltf, at, "uri", CN_ERROR_FORMAT, "the path is not valid");
    return cni_render_import_file(gltf->import, path, bytes, &why) ||
           cni_render_gltf_fails(gltf, at, "uri", why.code, "%s", why.message);
}

static bool read_buffer(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                        uint32_t number)
{
    const char *uri = NULL;
    uint32_t size = 0;
    CnText bytes = {0};
    const json_t *extension;
    bool is_placeholder = false;
    if (!cni_render_gltf_text(gltf, at, item, "uri", &uri) ||
        !cni_render_gltf_uint(gltf, at, item, "byteLength", UINT32_MAX, &size) ||
        !cni_render_gltf_extension(gltf, at, item, "EXT_meshopt_compression", &extension) ||
        !cni_render_gltf_flag(gltf, at, extension, "fallback", &is_placeholder))
        return false;
    if (!size)
        return cni_render_gltf_fails(gltf, at, "byteLength", CN_ERROR_FORMAT, "must be at least 1");
    gltf->buffers[number].size = size;
    if (is_placeholder)
        return true;
    if (uri) {
        if (!read_uri(gltf, at, uri, &bytes))
            return false;
    } else if (number == 0 && gltf->bin.data) {
        bytes = gltf->bin;
    } else {
        return true; /* a placeholder as well, unless a view refers to it */
    }
    if (size > bytes.size)
        return cni_render_gltf_fails(gltf, at, "byteLength", CN_ERROR_FORMAT,
                                     "is %u, but the buffer has only %zu bytes", size, bytes.size);
    gltf->buffers[number].bytes = (const uint8_t *)bytes.data;
    return true;
}

/* ---- Views ---- */

static bool read_view(CniRenderGltf *gltf, const CniRenderGltfAt *at, const json_t *item,
                      uint32_t number)
{
    uint32_t buffer = 0, offset = 0, length = 0, stride = 0;
    const json_t *extension;
    if (!cni_render_gltf_index(gltf, at, item, "buffer", CNI_RENDER_GLTF_BUFFERS, &buffer) ||
        !cni_render_gltf_uint(gltf, at, item, "byteOffset", UINT32_MAX, &offset) ||
        !cni_render_gltf_uint(gltf, at, item, "byteLength", UINT32_MAX, &length) ||
        !cni_render_gltf_uint(gltf, at, item, "byteStride", 256, &stride) ||
        !cni_render_gltf_extension(gltf, at, item, "EXT_meshopt_compression", &extension))
        return false;
    CniRenderGltfView *view = &gltf->views[number];
    *view = (CniRenderGltfView){.size = length, .stride = stride};
    if (!length)
        return cni_render_gltf_fails(gltf, at, "byteLength", CN_ERROR_FORMAT, "must be at least 1");
    if (extension)
        return cni_render_gltf_decode_view(gltf, &(CniRenderGltfAt){at, "extensions", 0}, extension,
                                           view);
    if (!buffer)
        return cni_render_gltf_fails(gltf, at, "buffer", CN_ERROR_FORMAT, "is missing");
    const CniRenderGltfBuffer *from = &gltf->buffers[buffer - 1];
    if (!from->bytes)
        return cni_render_gltf_fails(gltf, at, "buffer", CN_ERROR_FORMAT,
                                     "buffer %u has neither a uri nor a binary chunk", buffer - 1);
    if (offset > from->size || length > from->size - offset)
        return cni_render_gltf_fails(gltf, at, NULL, CN_ERROR_FORMAT,
                                     "bytes %u to %llu read past the end of buffer %u, which has "
                                     "%llu bytes",
                                     offset, (unsigned long long)offset + length, buffer - 1,
                                     (unsigned long long)from->size);
    view->bytes = from->bytes + offset;
    return true;
}

bool cni_render_gltf_read_buffers(CniRenderGltf *gltf)
{
    gltf->buffers =
        cni_render_gltf_alloc(gltf, gltf->counts[CNI_RENDER_GLTF_BUFFERS], sizeof *gltf->buffers);
    gltf->views =
        cni_render_gltf_alloc(gltf, gltf->counts[CNI_RENDER_GLTF_VIEWS], sizeof *gltf->views);
    return gltf->buffers && gltf->views &&
           cni_render_gltf_each(gltf, CNI_RENDER_GLTF_BUFFERS, read_buffer) &&
           cni_render_gltf_each(gltf, CNI_RENDER_GLTF_VIEWS, read_view);
}
