/* Packed light of a chunk: layers with few distinct values, as bit planes. */
#include <cairn/voxel/light.h>

#include <cairn/base/assert.h>
#include <cairn/base/cpu.h>

#include <string.h>

#define LAYERS 16
#define LAYER_CELLS 256
#define PLANE_BYTES (LAYER_CELLS / 8)
/* A layer entry holds the number of planes and, below that, their offset; without planes, its
 * single value. The planes of a layer are followed by the palette they index; planes of ALL_PLANES
 * hold the values themselves. */
#define PLANES_SHIFT 12
#define BEGIN_MASK ((1u << PLANES_SHIFT) - 1)
#define ALL_PLANES 8
#define MAX_PALETTE 64 /* with more, planes and palette are larger than the values */

struct CnChunkLight {
    CnAllocator *allocator;
    uint32_t references; /* atomic */
    uint16_t bytes;      /* total size */
    bool uniform;        /* no data follows */
    uint8_t light;       /* if uniform */
    uint16_t layers[];   /* LAYERS entries, followed by their data */
};

/* ---- Packing ---- */

typedef struct Packed {
    uint16_t layers[LAYERS];
    uint32_t used;
    uint8_t data[LAYERS * LAYER_CELLS];
} Packed;

/* Reads the cells of a layer at x + 16 z. */
static void read_layer(const CnLightBox *box, uint32_t y, uint8_t cells[LAYER_CELLS])
{
    for (uint32_t z = 0; z < 16; z++)
        memcpy(cells + 16 * z, box->cells + cn_padded_index(0, (int32_t)y, (int32_t)z), 16);
}

/* Finds the distinct values of a layer in ascending order, and the index of each cell's value.
 * Stops after MAX_PALETTE. */
CN_SIMD_DISPATCH(find_lights,
                 (const uint8_t *restrict cells, uint8_t *restrict lights,
                  uint8_t *restrict indices, uint32_t *restrict count),
                 (cells, lights, indices, count))
{
    for (uint32_t i = 0; i < LAYER_CELLS; i++)
        indices[i] = 0;
    uint32_t first = 0;
    for (*count = 0; *count <= MAX_PALETTE;) {
        /* Distance from `first` to the next value; smaller values wrap around to larger
         * distances. */
        uint8_t above = UINT8_MAX;
        for (uint32_t i = 0; i < LAYER_CELLS; i++) {
            uint8_t distance = (uint8_t)(cells[i] - first);
            above = distance < above ? distance : above;
        }
        if (above > UINT8_MAX - first)
            return;
        uint8_t light = (uint8_t)(first + above);
        lights[(*count)++] = light;
        if (light == UINT8_MAX)
            return;
        for (uint32_t i = 0; i < LAYER_CELLS; i++)
            indices[i] = (uint8_t)(indices[i] + (cells[i] > light));
        first = light + 1u;
    }
}

/* Extracts bit `plane` of 256 bytes, eight at a time, by a multiplication that gathers the lowest
 * bits. */
static void write_plane(const uint8_t bytes[LAYER_CELLS], uint32_t plane, uint8_t out[PLANE_BYTES])
{
    for (uint32_t i = 0; i < PLANE_BYTES; i++) {
        uint64_t eight = 0;
        for (uint32_t k = 0; k < 8; k++)
            eight |= (uint64_t)bytes[8 * i + k] << 8 * k;
        out[i] = (uint8_t)((eight >> plane & 0x0101010101010101u) * 0x0102040810204080u >> 56);
    }
}

static uint16_t pack_layer(Packed *packed, const uint8_t cells[LAYER_CELLS])
{
    if (memcmp(cells, cells + 1, LAYER_CELLS - 1) == 0)
        return cells[0];
    uint8_t lights[MAX_PALETTE + 1], indices[LAYER_CELLS];
    uint32_t count, planes = 1, begin = packed->used;
    find_lights(cells, lights, indices, &count);
    while (count > 1u << planes)
        planes++;
    if (count > MAX_PALETTE)
        planes = ALL_PLANES;
    for (uint32_t i = 0; i < planes; i++)
        write_plane(planes == ALL_PLANES ? cells : indices, i,
                    packed->data + begin + PLANE_BYTES * i);
    packed->used += PLANE_BYTES * planes;
    if (planes < ALL_PLANES) {
        memcpy(packed->data + packed->used, lights, count);
        packed->used += count;
    }
    return (uint16_t)(planes << PLANES_SHIFT | begin);
}

static CnChunkLight *create(CnAllocator *allocator, size_t bytes)
{
    CnChunkLight *light = cn_alloc(allocator, bytes);
    if (light)
        *light = (CnChunkLight){.allocator = allocator, .references = 1, .bytes = (uint16_t)bytes};
    return light;
}

static CnChunkLight *pack_uniform(CnAllocator *allocator, uint8_t cell)
{
    CnChunkLight *light = create(allocator, sizeof *light);
    if (light) {
        light->uniform = true;
        light->light = cell;
    }
    return light;
}

CnChunkLight *cn_light_pack(CnAllocator *allocator, const CnLightBox *box)
{
    CN_ASSERT(box, "%s: box is NULL", __func__);
    uint8_t cells[2][LAYER_CELLS];
    Packed packed;
    packed.used = 0;
    bool uniform = true;
    for (uint32_t y = 0; y < LAYERS && !box->uniform; y++) {
        uint8_t *layer = cells[y & 1], *below = cells[~y & 1];
        read_layer(box, y, layer);
        /* Layers often equal the one below, as in walls and trunks. */
        bool same = y > 0 && memcmp(layer, below, LAYER_CELLS) == 0;
        packed.layers[y] = same ? packed.layers[y - 1] : pack_layer(&packed, layer);
        uniform = uniform && packed.layers[y] >> PLANES_SHIFT == 0 && (y == 0 || same);
    }
    if (uniform)
        return pack_uniform(allocator, box->cells[cn_padded_index(0, 0, 0)]);
    CnChunkLight *light = create(allocator, sizeof *light + sizeof packed.layers + packed.used);
    if (light) {
        memcpy(light->layers, packed.layers, sizeof packed.layers);
        memcpy(light->layers + LAYERS, packed.data, packed.used);
    }
    return light;
}

/* ---- Access ---- */

CnChunkLight *cn_light_acquire(CnChunkLight *light)
{
    CN_ASSERT(light, "%s: light is NULL", __func__);
    __atomic_fetch_add(&light->references, 1, __ATOMIC_RELAXED);
    return light;
}

void cn_light_release(CnChunkLight *light)
{
    if (light && __atomic_fetch_sub(&light->references, 1, __ATOMIC_ACQ_REL) == 1)
        cn_free(light->allocator, light, light->bytes);
}

uint8_t cn_light_get(const CnChunkLight *light, uint32_t x, uint32_t y, uint32_t z)
{
    CN_ASSERT(light, "%s: light is NULL", __func__);
    CN_ASSERT((x | y | z) < 16, "%u, %u, %u lies outside a chunk", x, y, z);
    if (light->uniform)
        return light->light;
    uint32_t layer = light->layers[y], planes = layer >> PLANES_SHIFT, cell = x + 16 * z;
    if (planes == 0)
        return (uint8_t)layer;
    const uint8_t *data = (const uint8_t *)(light->layers + LAYERS) + (layer & BEGIN_MASK);
    uint32_t index = 0;
    for (uint32_t i = 0; i < planes; i++)
        index |= (uint32_t)(data[PLANE_BYTES * i + cell / 8] >> cell % 8 & 1) << i;
    return planes == ALL_PLANES ? (uint8_t)index : data[PLANE_BYTES * planes + index];
}

size_t cn_light_bytes(const CnChunkLight *light)
{
    CN_ASSERT(light, "%s: light is NULL", __func__);
    return light->bytes;
}
