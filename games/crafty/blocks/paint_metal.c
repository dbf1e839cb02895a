/* Metals and gems: blocks, plates, bricks, grates, raw lumps, lamps, crystals. */
#include "paint_single.h"

static void fill_brushed(Canvas *c, const Ramp *ramp)
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int streak = smooth_noise(31, x, y, 2, 16);
            int shine = (x + y) & 15;
            put_shade(c, x, y, ramp,
                      streak < 60                                ? 2
                      : streak > 200 || shine == 3 || shine == 4 ? 4
                                                                 : 3);
            set_height(c, x, y, 128);
        }
}

static void paint_metal_block(Canvas *c, const PaintMaterial *metal)
{
    Ramp ramp = ramp_of(metal->color, metal->contrast);
    static const uint8_t tones[16] = {5, 4, 4, 3, 3, 3, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1};
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            put_shade(c, x, y, &ramp, tones[y]);
            set_height(c, x, y, 128);
        }
    for (int i = 0; i < 5; i++) { /* highlight */
        put_shade(c, 4 + i, 8 - i, &ramp, 5);
        put_shade(c, 6 + i, 8 - i, &ramp, 4);
    }
    draw_frame(c, 0, 0, 15, 15, &ramp, 5, 1);
    draw_frame(c, 1, 1, 14, 14, &ramp, 4, 2);
    fill_rough(c, 70);
}

static void paint_plates(Canvas *c, const PaintMaterial *metal)
{
    Ramp ramp = ramp_of(metal->color, metal->contrast);
    fill_brushed(c, &ramp);
    for (int i = 0; i < 4; i++) {
        int left = i % 2 * 8, top = i / 2 * 8;
        draw_frame(c, left, top, left + 7, top + 7, &ramp, 4, 1);
        for (int k = 0; k < 4; k++) {
            int x = left + (k % 2 ? 5 : 1), y = top + (k / 2 ? 5 : 1);
            put_shade(c, x, y, &ramp, 5);
            put_shade(c, x + 1, y + 1, &ramp, 1);
            set_height(c, x, y, 170);
        }
    }
    fill_rough(c, 90);
}

static void bricks_of(Canvas *c, const Ramp *ramp)
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            Brick brick = brick_at(x, y, 8, 4, 4);
            int tone = (int)(hash2(c->seed, brick.id, 0) % 3 == 0);
            int shade = brick.joint ? 0 : brick.lit ? 5 : brick.dark ? 2 : 3 - tone;
            if (!brick.joint && brick.x == 2 && brick.y == 1)
                shade = 4;
            put_shade(c, x, y, ramp, shade);
        }
}

static void paint_metal_bricks(Canvas *c, const PaintMaterial *metal)
{
    Ramp ramp = ramp_of(metal->color, metal->contrast);
    bricks_of(c, &ramp);
    fill_rough(c, 90);
}

static void paint_cut(Canvas *c, const PaintMaterial *metal)
{
    Ramp ramp = ramp_of(metal->color, metal->contrast);
    fill_brushed(c, &ramp);
    draw_frame(c, 0, 0, 7, 7, &ramp, 4, 1);
    draw_frame(c, 8, 0, 15, 7, &ramp, 4, 1);
    draw_frame(c, 0, 8, 15, 15, &ramp, 4, 1);
    fill_rough(c, 80);
}

static void paint_raw_metal(Canvas *c, const PaintMaterial *metal)
{
    Ramp ramp = ramp_of(metal->second, metal->contrast + 20u);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint lump = near_point(61, x, y, 4);
            int light = lump.dx + lump.dy, rim = lump.further - lump.near;
            int tone = (int)(hash2(62, lump.id, 0) % 3) - 1;
            int shade = light < -38 ? 5 : light < -10 ? 4 : light < 18 ? 3 : light < 40 ? 2 : 1;
            put_shade(c, x, y, &ramp, rim < 8 ? 0 : rim < 14 ? 1 : shade + (tone < 0 ? -1 : 0));
        }
    fill_rough(c, 170);
}

static void paint_grate(Canvas *c, const PaintMaterial *metal)
{
    Ramp ramp = ramp_of(metal->color, metal->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int in_x = x % 4, in_y = y % 4;
            if (in_x == 1 || in_x == 2) {
                if (in_y == 1 || in_y == 2)
                    continue;
            }
            put_shade(c, x, y, &ramp, in_x == 3 || in_y == 3 ? 4 : 2);
        }
    draw_frame(c, 0, 0, 15, 15, &ramp, 4, 1);
    fill_rough(c, 100);
}

static void lamp_of(Canvas *c, const Ramp *frame, uint32_t light)
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int dx = 2 * x - 15, dy = 2 * y - 15, far = dx * dx + dy * dy;
            put(c, x, y, mix_color(light, 0xFFFFFF, (uint32_t)(far > 200 ? 0 : 200 - far)));
            set_glow(c, x, y, 255);
        }
    for (int ring = 0; ring < 3; ring++)
        draw_frame(c, ring, ring, 15 - ring, 15 - ring, frame, ring == 1 ? 3 : 5 - ring * 2,
                   ring == 1 ? 3 : 1 + ring);
    for (int i = 0; i < PAINT_SIZE; i++)
        for (int k = 0; k < 2; k++) {
            put_shade(c, 7 + k, i, frame, k ? 2 : 4);
            put_shade(c, i, 7 + k, frame, k ? 2 : 4);
            set_glow(c, 7 + k, i, 0);
            set_glow(c, i, 7 + k, 0);
        }
    for (int i = 0; i < PAINT_SIZE; i++)
        for (int ring = 0; ring < 3; ring++) {
            set_glow(c, i, ring, 0);
            set_glow(c, i, 15 - ring, 0);
            set_glow(c, ring, i, 0);
            set_glow(c, 15 - ring, i, 0);
        }
}

static void paint_metal_lamp(Canvas *c, const PaintMaterial *metal)
{
    Ramp ramp = ramp_of(metal->color, metal->contrast);
    lamp_of(c, &ramp, 0xFFC860);
}

const PaintShape metal_shapes[] = {
    {"", "_block", paint_metal_block},   {"", "_plates", paint_plates},
    {"", "_bricks", paint_metal_bricks}, {"cut_", "", paint_cut},
    {"raw_", "_block", paint_raw_metal}, {"", "_lamp", paint_metal_lamp},
    {"", "_grate", paint_grate},         {NULL, NULL, NULL},
};

/* ---- Gems ---- */

/* Facets: triangles between the edge, an inner square and the center. */
static void paint_gem_block(Canvas *c, const PaintMaterial *gem)
{
    Ramp ramp = ramp_of(gem->color, gem->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int dx = 2 * x - 15, dy = 2 * y - 15, ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
            int far = ax > ay ? ax : ay;
            bool upper = dy < 0 && ay >= ax, left = dx < 0 && ax >= ay, lower = dy > 0 && ay >= ax;
            int shade = upper ? 4 : left ? 3 : lower ? 2 : 2;
            if (far <= 7)
                shade = (x + y) % 8 < 2 ? 5 : ax + ay < 6 ? 4 : 3;
            else if (ax == ay)
                shade = dx < 0 || dy < 0 ? 5 : 3;
            put_shade(c, x, y, &ramp, shade);
        }
    draw_frame(c, 0, 0, 15, 15, &ramp, 5, 1);
    draw_frame(c, 4, 4, 11, 11, &ramp, 5, 2);
    fill_rough(c, 40);
}

static void paint_gem_bricks(Canvas *c, const PaintMaterial *gem)
{
    Ramp ramp = ramp_of(gem->color, gem->contrast);
    bricks_of(c, &ramp);
    fill_rough(c, 60);
}

static void paint_gem_lamp(Canvas *c, const PaintMaterial *gem)
{
    Ramp frame = ramp_of(0x6A6570, 100);
    lamp_of(c, &frame, mix_color(gem->color, 0xFFFFFF, 40));
}

static void paint_crystal(Canvas *c, const PaintMaterial *gem)
{
    static const char *const crystal[] = {
        "                ", "        5       ", "       543      ", "       543      ",
        "   5   5432  4  ", "   43  5432  43 ", "  543  5432 543 ", "  5432 5432 542 ",
        "  5432 54325432 ", "   54325432542  ", "   543254325421 ", "   154325432541 ",
        "    15432543211 ", "  A 115432432 B ", " BAB1143232AABB ", " BAABBAAABBAAB  ",
    };
    Ramp ramps[3] = {ramp_of(gem->color, gem->contrast), {{0}}, ramp_of(0x7A7A80, 100)};
    draw_sprite(c, 0, 0, crystal, 16, ramps);
    for (int y = 0; y < 14; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            set_glow(c, x, y, is_filled(c, x, y) ? 70 : 0);
    fill_rough(c, 50);
}

const PaintShape gem_shapes[] = {
    {"", "_block", paint_gem_block},
    {"", "_bricks", paint_gem_bricks},
    {"", "_lamp", paint_gem_lamp},
    {"", "_crystal", paint_crystal},
    {NULL, NULL, NULL},
};

void paint_amethyst(Canvas *c, const PaintSingle *single)
{
    Ramp ramp = ramp_of(single->color, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint facet = near_point(c->seed, x, y, 4);
            int tone = (int)(hash2(c->seed, facet.id, 1) % 3), rim = facet.further - facet.near;
            int shade = 2 + tone + (facet.dx < 0) - (facet.dy > 20);
            put_shade(c, x, y, &ramp, rim < 8 ? 1 : shade);
        }
    fill_rough(c, 50);
}
