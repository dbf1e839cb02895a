/*
 * Models with random damage, as files of others and as our own baked form. Nothing crashes or
 * hangs; a model is read whole and consistent, or refused with an error. The cases come from a
 * seed.
 */
#include "cmocka_tests.h"
#include "memory_files.h"
#include "random.h"

#include "render/asset/model_data.h"

#include <cairn/base/log.h>

enum { IMPORTS = 1500, LIBRARIES = 4000, BAKED = 4000 };

static TestRandom random_numbers = {91};

static uint32_t below(uint32_t n)
{
    return test_random_below(&random_numbers, n);
}

static CnFileBytes read_model(const char *path)
{
    CnFileBytes bytes;
    CnError error = {0};
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error));
    return bytes;
}

/* Numbers of texts turn into others, bytes into any. */
static size_t damage(uint8_t *bytes, size_t size, size_t text_size)
{
    static const char letters[] = "0123456789.,-eE[]{}\":/ \nvfnt#";
    for (uint32_t n = 1 + below(4); n > 0 && size > 8; n--) {
        bool in_text = text_size && below(4) != 0;
        size_t at = below((uint32_t)(in_text && text_size < size ? text_size : size) - 4);
        switch (below(in_text ? 5 : 4)) {
        case 0:
            bytes[at] = in_text ? (uint8_t)letters[below(sizeof letters - 1)] : (uint8_t)below(256);
            break;
        case 1:
            bytes[at] = (uint8_t)(bytes[at] ^ 1u << below(8));
            break;
        case 2:
            memmove(bytes + at, bytes + below((uint32_t)size - 4), 1 + below(4));
            break;
        case 3:
            if (below(20) == 0)
                size = at + 4;
            else
                memset(bytes + at, below(2) ? 0xFF : 0, 1 + below(4));
            break;
        default:
            for (; at < size && !(bytes[at] >= '0' && bytes[at] <= '9');)
                at++;
            if (at < size)
                bytes[at] = (uint8_t)('0' + below(10));
            break;
        }
    }
    return size;
}

static void check(const CniRenderModelData *data, bool read, const CnError *error)
{
    CnError again = {0};
    assert_true(read == (error->code == CN_OK));
    if (read)
        assert_true(cni_render_model_check(data, "again", &again));
}

static void damaged_files_are_imported_or_refused(void **state)
{
    (void)state;
    static const char *const paths[] = {"scenes/models/box.gltf", "scenes/models/column.glb",
                                        "scenes/models/crate.obj", "scenes/models/lighthouse.glb"};
    uint32_t taken = 0;
    for (uint32_t i = 0; i < IMPORTS; i++) {
        const char *path = paths[i % CN_COUNT_OF(paths)];
        CnFileBytes original = read_model(path);
        size_t text_size = i % 2 ? (i % 4 == 1 ? 3000 : 4000) : original.size;
        size_t size = damage(original.data, original.size, text_size);
        /* On the heap and of its size, so that reading beyond it is seen. */
        CnFileBytes exact = {.data = cn_alloc(NULL, size), .size = size};
        memcpy(exact.data, original.data, size);
        CniRenderModelData data;
        CnError error = {0};
        cni_render_model_data_init(&data, NULL);
        bool read = cni_render_model_import(cn_native_files(), path, NULL, exact, &data, &error);
        check(&data, read, &error);
        taken += read;
        cni_render_model_data_fini(&data);
        cn_free(NULL, exact.data, size);
        cn_file_bytes_free(&original);
    }
    assert_in_range(taken, IMPORTS / 20, IMPORTS - IMPORTS / 20);
}

/* The library of an OBJ, as a text that ends with a zero. */
static void damaged_material_libraries_are_read_or_refused(void **state)
{
    (void)state;
    static const char obj[] = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl Wood\nf 1 2 3\n"
                              "usemtl Iron\nf 1 3 2\n";
    uint32_t taken = 0;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint32_t i = 0; i < LIBRARIES; i++) {
        CnFileBytes library = read_model("scenes/models/crate.mtl");
        size_t size = damage(library.data, library.size, library.size);
        library.data[size] = 0;
        MemoryFiles memory;
        memory_files_init(&memory);
        memory_files_set(&memory, "a.mtl", (const char *)library.data);
        CniRenderModelData data;
        CnError error = {0};
        cni_render_model_data_init(&data, NULL);
        CnFileBytes main = {.data = (uint8_t *)(uintptr_t)obj, .size = sizeof obj - 1};
        bool read = cni_render_model_import(&memory.files, "a.obj", NULL, main, &data, &error);
        check(&data, read, &error);
        taken += read;
        cni_render_model_data_fini(&data);
        cn_file_bytes_free(&library);
    }
    assert_true(taken > LIBRARIES / 2);
}

static CnU8Array bake(const char *path)
{
    CnU8Array baked;
    CniRenderModelData data;
    CnError error = {0};
    CnFileBytes bytes = read_model(path);
    cn_array_init(&baked, NULL);
    cni_render_model_data_init(&data, NULL);
    assert_true(cni_render_model_import(cn_native_files(), path, NULL, bytes, &data, &error));
    assert_true(cni_render_model_write_baked(&data, &baked));
    cni_render_model_data_fini(&data);
    cn_file_bytes_free(&bytes);
    return baked;
}

static bool try_baked(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = cn_alloc(NULL, size);
    CniRenderModelData data;
    CnError error = {0};
    memcpy(exact, bytes, size);
    cni_render_model_data_init(&data, NULL);
    bool read = cni_render_model_read_baked(exact, size, "fuzz", &data, &error);
    check(&data, read, &error);
    if (read && data.nodes.count) {
        CnAffine globals[64], joints[CN_MODEL_MAX_JOINTS];
        assert_true(data.nodes.count <= CN_COUNT_OF(globals));
        uint8_t hidden[64];
        cni_render_model_sample(&data, below(4), (float)below(1000) / 100, globals, joints);
        cni_render_model_sample_hidden(&data, below(4), 1, hidden);
        for (uint32_t i = 0; i < data.lights.count; i++)
            cni_render_model_sample_light(&data, below(4), 1, i);
    }
    cni_render_model_data_fini(&data);
    cn_free(NULL, exact, size);
    return read;
}

/* The checksum is put right, so that what is behind it is tried. */
static void damaged_baked_models_are_read_or_refused(void **state)
{
    (void)state;
    static const char *const paths[] = {"scenes/models/column.glb", "scenes/models/lighthouse.glb"};
    uint32_t taken = 0;
    for (uint32_t file = 0; file < CN_COUNT_OF(paths); file++) {
        CnU8Array baked = bake(paths[file]);
        assert_true(try_baked(baked.items, baked.count));
        uint8_t *copy = cn_alloc(NULL, baked.count);
        for (uint32_t i = 0; i < BAKED / CN_COUNT_OF(paths); i++) {
            memcpy(copy, baked.items, baked.count);
            size_t size = damage(copy, baked.count, 0);
            if (size > 20 && below(8)) {
                uint64_t hash = cn_hash_bytes(copy + 20, size - 20, CNI_RENDER_BAKED_VERSION);
                memcpy(copy + 12, &hash, sizeof hash);
            }
            taken += try_baked(copy, size);
        }
        cn_free(NULL, copy, baked.count);
        cn_array_fini(&baked);
    }
    assert_in_range(taken, BAKED / 20, BAKED - BAKED / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_files_are_imported_or_refused),
        cmocka_unit_test(damaged_material_libraries_are_read_or_refused),
        cmocka_unit_test(damaged_baked_models_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
