/*
 * 25: a voxel world.
 *
 * A seed determines a world: any block can be read, and chunks are generated on demand. The sample
 * casts a ray for every pixel of an image, from a hill to the horizon; then it digs a block and
 * undoes the edit.
 */
#include "image.h"

#include "crafty/world/blocks.h"

#include <cairn/base/linear.h>
#include <cairn/voxel.h>

#define WIDTH 400
#define HEIGHT 225
#define FAR 200.0f

typedef struct View {
    CnVoxels *world;
    CnVec3 eye, forward, right, up;
} View;

static CnVec3 mix(CnVec3 a, CnVec3 b, float t)
{
    return cn_vec3_add(cn_vec3_scale(a, 1 - t), cn_vec3_scale(b, t));
}

static CnVec3 sky(CnVec3 direction)
{
    float up = direction.y < 0 ? 0 : direction.y;
    return mix(cn_vec3(0.72f, 0.82f, 0.93f), cn_vec3(0.25f, 0.48f, 0.85f), cn_sqrtf(up));
}

static CnVec3 color_of(const View *view, CnBlock block)
{
    const uint8_t *color = cn_block_info(cn_voxels_blocks(view->world), block)->color;
    return cn_vec3((float)color[0] / 255, (float)color[1] / 255, (float)color[2] / 255);
}

/* Returns the color of the block that the ray hits, in the light that falls on that face. */
static CnVec3 shade(const View *view, const CnVoxelHit *hit)
{
    static const float faces[CN_FACE_COUNT] = {0.72f, 0.78f, 0.66f, 0.85f, 0.5f, 1.0f};
    if (hit->face == CN_EDIT_NO_FACE)
        return color_of(view, hit->block);
    CnCell before = {hit->cell.x + (int32_t)hit->normal.x, hit->cell.y + (int32_t)hit->normal.y,
                     hit->cell.z + (int32_t)hit->normal.z};
    uint8_t light = cn_voxels_light(view->world, before);
    uint32_t level = (light >> 4) > (light & 15) ? light >> 4 : light & 15u;
    CnVec3 sun = cn_vec3_normalize(cn_vec3(0.55f, 0.75f, 0.35f));
    CnVec3 from = cn_vec3_add(hit->point, cn_vec3_scale(hit->normal, 0.01f));
    CnVoxelHit shadow;
    bool dark = cn_vec3_dot(sun, hit->normal) <= 0 ||
                cn_voxels_raycast(view->world, from, sun, 48, CN_VOXEL_RAY_SOLID, &shadow);
    float bright = faces[hit->face] * (0.2f + 0.8f * (float)level / 15) * (dark ? 0.62f : 1.0f);
    return cn_vec3_scale(color_of(view, hit->block), bright);
}

static CnVec3 look(const View *view, CnVec3 direction)
{
    CnVoxelHit hit, water;
    bool ends = cn_voxels_raycast(view->world, view->eye, direction, FAR, CN_VOXEL_RAY_SOLID, &hit);
    CnVec3 color = ends ? shade(view, &hit) : sky(direction);
    if (cn_voxels_raycast(view->world, view->eye, direction, ends ? hit.distance : FAR,
                          CN_VOXEL_RAY_LIQUID, &water) &&
        cn_voxels_blocks(view->world)->flags[water.block] & CN_BLOCK_IS_WATER) {
        float deep = ends ? (hit.distance - water.distance) / 12 : 1;
        color = mix(color, cn_vec3(0.12f, 0.3f, 0.55f), 0.45f + 0.45f * (deep > 1 ? 1 : deep));
        hit.distance = water.distance;
        ends = true;
    }
    float fog = ends ? hit.distance / FAR : 0;
    return mix(color, sky(direction), fog * fog * fog);
}

static bool draw(const View *view, const char *path)
{
    Image image;
    if (!image_init(&image, WIDTH, HEIGHT))
        return false;
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            float across = ((float)x + 0.5f) / (float)image.width - 0.5f;
            float down = ((float)y + 0.5f) / (float)image.height - 0.5f;
            CnVec3 direction = cn_vec3_add(cn_vec3_scale(view->right, across * 1.6f),
                                           cn_vec3_scale(view->up, down * -0.9f));
            CnVec3 color = look(view, cn_vec3_normalize(cn_vec3_add(direction, view->forward)));
            image.pixels[y * image.width + x] = (ImageColor){
                (uint8_t)(color.x * 255), (uint8_t)(color.y * 255), (uint8_t)(color.z * 255)};
        }
    bool written = image_write(&image, path);
    image_fini(&image);
    return written;
}

static void dig(CnVoxels *world, CnCell cell)
{
    const CnBlockTable *blocks = cn_voxels_blocks(world);
    CnEdit edit = {.player = 1, .kind = CN_EDIT_BREAK, .face = CN_FACE_POS_Y, .cell = cell};
    cn_voxels_edit(world, &edit, NULL);
    printf("dug %s\n", cn_block_info(blocks, edit.old_block)->name);
    CnEdit back;
    if (cn_edit_log_undo(cn_voxels_log(world), 1, &back) && cn_voxels_edit(world, &back, NULL))
        printf("and put %s back\n", cn_block_info(blocks, cn_voxels_get(world, cell))->name);
}

int main(void)
{
    CnError error = {0};
    CnBlockTable *blocks = crafty_blocks_create(NULL, &error); /* a game registers its own */
    CnGenerator *generator = NULL;
    if (blocks) {
        cn_block_table_close(blocks);
        generator = cn_generator_create(&(CnGeneratorDesc){.blocks = blocks, .seed = 42}, &error);
    }
    CnVoxels *world =
        generator ? cn_voxels_create(&(CnVoxelsDesc){.generator = generator}, &error) : NULL;
    if (!world) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    View view = {.world = world,
                 .eye = cn_vec3(600, (float)cn_voxels_height(world, 600, -330) + 22, -330),
                 .forward = cn_vec3_normalize(cn_vec3(1, -0.35f, -0.35f))};
    view.right = cn_vec3_normalize(cn_vec3_cross(view.forward, cn_vec3(0, 1, 0)));
    view.up = cn_vec3_cross(view.right, view.forward);
    dig(world, (CnCell){600, cn_voxels_height(world, 600, -330), -330});
    bool drawn = draw(&view, "out/voxels.png");
    printf("%u chunks were loaded\n", cn_voxels_stats(world).chunks);
    cn_voxels_destroy(world);
    cn_generator_destroy(generator);
    cn_block_table_destroy(blocks);
    return drawn ? 0 : 1;
}
