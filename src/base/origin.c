#include <cairn/base/assert.h>
#include <cairn/base/origin.h>

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

static const CnBudget budgets[CN_ORIGIN_COUNT] = {
    [CN_ORIGIN_TRUSTED] = {.origin = CN_ORIGIN_TRUSTED,
                           .file_bytes = GIB,
                           .image_pixels = 1u << 28,
                           .model_bytes = 256 * MIB,
                           .model_vertices = 1u << 24,
                           .model_indices = 1u << 26,
                           .model_parts = 16384,
                           .model_nodes = 4096,
                           .scene_objects = 1000000,
                           .scene_bytes = GIB,
                           .unpacked_bytes = 4 * GIB,
                           .sound_bytes = GIB,
                           .decode_ms = 60000,
                           .decode_memory_bytes = 2 * GIB},
    [CN_ORIGIN_USER] = {.origin = CN_ORIGIN_USER,
                        .file_bytes = GIB,
                        .image_pixels = 1u << 26,
                        .model_bytes = 256 * MIB,
                        .model_vertices = 1u << 24,
                        .model_indices = 1u << 26,
                        .model_parts = 16384,
                        .model_nodes = 4096,
                        .scene_objects = 1000000,
                        .scene_bytes = 512 * MIB,
                        .unpacked_bytes = 4 * GIB,
                        .sound_bytes = 256 * MIB,
                        .decode_ms = 10000,
                        .decode_memory_bytes = GIB},
    [CN_ORIGIN_FOREIGN] = {.origin = CN_ORIGIN_FOREIGN,
                           .file_bytes = 64 * MIB,
                           .image_pixels = 1u << 24,
                           .model_bytes = 64 * MIB,
                           .model_vertices = 1u << 21,
                           .model_indices = 1u << 23,
                           .model_parts = 4096,
                           .model_nodes = 1024,
                           .scene_objects = 65536,
                           .scene_bytes = 64 * MIB,
                           .unpacked_bytes = GIB,
                           .sound_bytes = 64 * MIB,
                           .decode_ms = 5000,
                           .decode_memory_bytes = 512 * MIB},
};

static CnOrigin valid(CnOrigin origin)
{
    CN_ASSERT((uint32_t)origin < CN_ORIGIN_COUNT, "there is no origin %d", (int)origin);
    return (uint32_t)origin < CN_ORIGIN_COUNT ? origin : CN_ORIGIN_FOREIGN;
}

const CnBudget *cn_budget_of(CnOrigin origin)
{
    return &budgets[valid(origin)];
}

const char *cn_origin_name(CnOrigin origin)
{
    static const char *const names[CN_ORIGIN_COUNT] = {[CN_ORIGIN_USER] = "user",
                                                       [CN_ORIGIN_TRUSTED] = "trusted",
                                                       [CN_ORIGIN_FOREIGN] = "foreign"};
    return names[valid(origin)];
}

CnOrigin cn_origin_least(CnOrigin a, CnOrigin b)
{
    static const uint8_t trust[CN_ORIGIN_COUNT] = {
        [CN_ORIGIN_FOREIGN] = 0, [CN_ORIGIN_USER] = 1, [CN_ORIGIN_TRUSTED] = 2};
    a = valid(a);
    b = valid(b);
    return trust[a] < trust[b] ? a : b;
}

bool cn_budget_refuse(CnError *error, const CnBudget *budget, const char *file, const char *member,
                      uint64_t amount, uint64_t limit)
{
    return cn_error_set_at(error, CN_ERROR_LIMIT, file, 0, 0,
                           "%s is %llu; a file of %s origin may have %llu; a mount with a larger "
                           "CnBudget.%s allows more",
                           member, (unsigned long long)amount, cn_origin_name(budget->origin),
                           (unsigned long long)limit, member);
}
