/* Doors, beds, chests, furnace fronts, signs and the crafting table. Shaped blocks show the part of
 * a tile that lies behind their boxes (shaped_blocks.c). */
#include "paint_single.h"

#include <string.h>

static void swap_rows(uint8_t *a, uint8_t *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        uint8_t old = a[i];
        a[i] = b[i];
        b[i] = old;
    }
}

static void mirror(Canvas *c)
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE / 2; x++) {
            int other = PAINT_SIZE - 1 - x;
            swap_rows(c->color[y][x], c->color[y][other], 4);
            swap_rows(&c->height[y][x], &c->height[y][other], 1);
            swap_rows(&c->rough[y][x], &c->rough[y][other], 1);
            swap_rows(&c->glow[y][x], &c->glow[y][other], 1);
        }
}

static void fill_shade(Canvas *c, int left, int top, int right, int bottom, const Ramp *ramp,
                       int shade)
{
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++)
            put_shade(c, x, y, ramp, shade);
}

/* ---- Doors: the handle is on the right ---- */

/* A sunken panel: dark on the upper left, light on the lower right. */
static void draw_panel(Canvas *c, int left, int top, int right, int bottom, const Ramp *ramp)
{
    draw_frame(c, left, top, right, bottom, ramp, 1, 4);
    fill_shade(c, left + 1, top + 1, right - 1, bottom - 1, ramp, 2);
    for (int y = top + 1; y < bottom; y++)
        for (int x = left + 1; x < right; x++)
            set_height(c, x, y, 104);
}

static void draw_window(Canvas *c, int left, int top, int right, int bottom, const Ramp *ramp)
{
    draw_frame(c, left, top, right, bottom, ramp, 1, 4);
    for (int y = top + 1; y < bottom; y++)
        for (int x = left + 1; x < right; x++)
            erase(c, x, y);
}

static void door_boards(Canvas *c, const Ramp *ramp)
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            put_shade(c, x, y, ramp, grain_shade(7, y, x) < 3 ? 2 : 3);
    for (int y = 0; y < PAINT_SIZE; y++) {
        put_shade(c, 0, y, ramp, 4);
        put_shade(c, 15, y, ramp, 0);
        put_shade(c, 14, y, ramp, 2);
    }
}

static void draw_hinge(Canvas *c, int y, const Ramp *iron)
{
    for (int x = 0; x < 3; x++) {
        put_shade(c, x, y, iron, 3);
        put_shade(c, x, y + 1, iron, 1);
    }
}

static void wood_door_lower(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, 115), iron = ramp_of(0x565A62, 110);
    door_boards(c, &ramp);
    draw_panel(c, 2, 3, 7, 13, &ramp);
    draw_panel(c, 8, 3, 13, 13, &ramp);
    for (int x = 0; x < PAINT_SIZE; x++)
        put_shade(c, x, 15, &ramp, 0);
    draw_hinge(c, 11, &iron);
    static const char *const handle[] = {"45", "31"};
    draw_sprite(c, 13, 0, handle, 2, &iron);
}

static void wood_door_upper(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, 115), iron = ramp_of(0x565A62, 110);
    door_boards(c, &ramp);
    draw_window(c, 2, 2, 7, 7, &ramp);
    draw_window(c, 8, 2, 13, 7, &ramp);
    draw_window(c, 2, 8, 7, 12, &ramp);
    draw_window(c, 8, 8, 13, 12, &ramp);
    for (int x = 0; x < PAINT_SIZE; x++)
        put_shade(c, x, 0, &ramp, 4);
    draw_hinge(c, 3, &iron);
    static const char *const handle[] = {"45", "43"};
    draw_sprite(c, 13, 14, handle, 2, &iron);
}

static void metal_door(Canvas *c, const PaintMaterial *metal, bool is_upper)
{
    Ramp ramp = ramp_of(metal->color, 90);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            put_shade(c, x, y, &ramp, hash2(c->seed, x, y / 4) % 5 == 0 ? 2 : 3);
            set_rough(c, x, y, 110);
        }
    draw_frame(c, 0, is_upper ? 0 : -1, 15, is_upper ? 16 : 15, &ramp, 5, 0);
    if (is_upper) {
        draw_window(c, 3, 3, 6, 9, &ramp);
        draw_window(c, 9, 3, 12, 9, &ramp);
    } else {
        draw_panel(c, 3, 3, 12, 12, &ramp);
    }
    for (int i = 0; i < 4; i++) /* rivets */
        put_shade(c, i % 2 ? 13 : 2, i < 2 ? 2 : 13, &ramp, 5);
    static const char *const handle[] = {"10", "10"};
    draw_sprite(c, 12, is_upper ? 14 : 0, handle, 2, &ramp);
}

static void metal_door_lower(Canvas *c, const PaintMaterial *metal)
{
    metal_door(c, metal, false);
}

static void metal_door_upper(Canvas *c, const PaintMaterial *metal)
{
    metal_door(c, metal, true);
}

static void wood_door_lower_back(Canvas *c, const PaintMaterial *wood)
{
    wood_door_lower(c, wood);
    mirror(c);
}

static void wood_door_upper_back(Canvas *c, const PaintMaterial *wood)
{
    wood_door_upper(c, wood);
    mirror(c);
}

static void metal_door_lower_back(Canvas *c, const PaintMaterial *metal)
{
    metal_door(c, metal, false);
    mirror(c);
}

static void metal_door_upper_back(Canvas *c, const PaintMaterial *metal)
{
    metal_door(c, metal, true);
    mirror(c);
}

const PaintShape door_shapes[] = {{"", "_door_lower", wood_door_lower},
                                  {"", "_door_upper", wood_door_upper},
                                  {"", "_door_lower_back", wood_door_lower_back},
                                  {"", "_door_upper_back", wood_door_upper_back},
                                  {0}};
const PaintShape metal_door_shapes[] = {{"", "_door_lower", metal_door_lower},
                                        {"", "_door_upper", metal_door_upper},
                                        {"", "_door_lower_back", metal_door_lower_back},
                                        {"", "_door_upper_back", metal_door_upper_back},
                                        {0}};

/* ---- Beds: rows 7 to 9 of the sides are cloth, the rest is wood ---- */

static void draw_cloth(Canvas *c, int top, int bottom, const Ramp *ramp)
{
    for (int y = top; y <= bottom; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            put_shade(c, x, y, ramp, 3 - (smooth_noise(c->seed, x, y, 4, 8) < 96));
}

static void draw_bed_frame(Canvas *c)
{
    Ramp wood = ramp_of(0x8A6640, 105);
    for (int y = 9; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            put_shade(c, x, y, &wood, y == 9 ? 4 : y == 12 ? 1 : grain_shade(11, x, y));
}

static void bed_side(Canvas *c, const PaintMaterial *color)
{
    Ramp ramp = ramp_of(color->color, color->contrast);
    draw_cloth(c, 0, 8, &ramp);
    draw_bed_frame(c);
    for (int x = 0; x < PAINT_SIZE; x++)
        put_shade(c, x, 8, &ramp, 1);
}

static void bed_foot(Canvas *c, const PaintMaterial *color)
{
    Ramp ramp = ramp_of(color->color, color->contrast);
    draw_cloth(c, 0, 15, &ramp);
    for (int y = 0; y < PAINT_SIZE; y++) {
        put_shade(c, 0, y, &ramp, 4);
        put_shade(c, 15, y, &ramp, 1);
    }
    for (int x = 0; x < PAINT_SIZE; x++)
        put_shade(c, x, 15, &ramp, 1);
    for (int y = 3; y < PAINT_SIZE; y += 5) /* seams of a quilt */
        for (int x = 1; x < PAINT_SIZE - 1; x++)
            put_shade(c, x, y, &ramp, 2);
}

static void bed_head(Canvas *c, const PaintMaterial *color)
{
    Ramp sheet = ramp_of(0xE4E2DC, 60), pillow = ramp_of(0xF4F4F2, 50);
    bed_foot(c, color);
    fill_shade(c, 0, 0, 15, 9, &sheet, 2);
    fill_shade(c, 0, 8, 15, 8, &sheet, 4); /* the sheet is folded back over the blanket */
    fill_shade(c, 0, 9, 15, 9, &sheet, 3);
    fill_shade(c, 2, 1, 13, 6, &pillow, 4);
    draw_frame(c, 2, 1, 13, 6, &pillow, 5, 1);
    fill_shade(c, 4, 3, 11, 4, &pillow, 3);
}

const PaintShape bed_shapes[] = {
    {"", "_bed_side", bed_side}, {"", "_bed_foot", bed_foot}, {"", "_bed_head", bed_head}, {0}};

void paint_bed_head_side(Canvas *c, const PaintSingle *s)
{
    Ramp sheet = ramp_of(s->color, 60);
    draw_cloth(c, 0, 8, &sheet);
    draw_bed_frame(c);
    fill_shade(c, 0, 8, 15, 8, &sheet, 1);
}

/* ---- Chests: columns 1 to 14 of the sides, from row 2 on ---- */

static void chest_boards(Canvas *c, uint32_t color)
{
    Ramp ramp = ramp_of(color, 105);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            put_shade(c, x, y, &ramp, grain_shade(c->seed, x, y) < 3 ? 2 : 3);
}

/* variant 0: front, 1: other sides */
void paint_chest_wall(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 115), edge = ramp_of(0x4A3420, 110),
         iron = ramp_of(s->second, 100);
    chest_boards(c, s->color);
    draw_frame(c, 1, 2, 14, 6, &edge, 3, 1); /* lid */
    draw_frame(c, 1, 8, 14, 15, &edge, 3, 1);
    for (int x = 1; x < 15; x++) {
        put_shade(c, x, 7, &edge, 0);
        put_shade(c, x, 3, &ramp, x == 1 || x == 14 ? 2 : 4);
    }
    if (s->variant)
        return;
    static const char *const latch[] = {"4432", "4543", "3103", "2221"};
    draw_sprite(c, 6, 5, latch, 4, &iron);
    for (int y = 5; y < 9; y++)
        for (int x = 6; x < 10; x++)
            set_rough(c, x, y, 100);
}

void paint_chest_lid(Canvas *c, const PaintSingle *s)
{
    Ramp edge = ramp_of(0x4A3420, 110);
    chest_boards(c, s->color);
    draw_frame(c, 1, 1, 14, 14, &edge, 3, 1);
    if (s->variant)
        return;
    for (int x = 2; x < 14; x++)
        put_shade(c, x, 7, &edge, 3);
}

/* ---- Furnace: variant 0: front, 1: lit front, 2: other sides ---- */

void paint_furnace_front(Canvas *c, const PaintSingle *s)
{
    static const char *const cold[] = {
        " 44444444 ", "4111111112", "4100000002", "4100000002",
        "4100000002", "4101010102", "4010101012", " 22222222 ",
    };
    static const char *const fire[] = {
        " 44444444 ", "41A1111A12", "4ABAA1ABA2", "4BCBABBCB2",
        "4CDCBCCDC2", "4DEDCDEED2", "4EFEDEFFE2", " 22222222 ",
    };
    Ramp ramps[3] = {ramp_of(s->color, 95), {{0}}, ramp_of(0xE8741C, 120)};
    paint_by_name(c, "cobbled_stone");
    draw_frame(c, 0, 0, 15, 15, &ramps[0], 4, 1);
    if (s->variant == 2)
        return;
    ramps[0].shade[0] = 0x1A171C;
    ramps[0].shade[1] = 0x2C282E;
    draw_sprite(c, 3, 6, s->variant ? fire : cold, 8, ramps);
    static const char *const slit[] = {"4444444444", "1000000001"};
    draw_sprite(c, 3, 2, slit, 2, ramps);
    for (int y = 7; y < 13 && s->variant; y++)
        for (int x = 4; x < 12; x++)
            set_glow(c, x, y, 60 + 30 * (y - 7));
}

/* ---- Others ---- */

void paint_sign(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 70);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            put_shade(c, x, y, &ramp, y % 4 == 3 ? 2 : grain_shade(c->seed, x, y) < 3 ? 3 : 4);
}

/* variant 0: side, 1: top */
void paint_crafting_table(Canvas *c, const PaintSingle *s)
{
    static const char *const saw[] = {
        "      3 ", "     43 ", "    443 ", "   443  ",
        "  443   ", " bcb    ", " b b    ", " bbb    ",
    };
    static const char *const hammer[] = {
        " 44442", " 43331", " 22221", "  cb  ", "  cb  ", "  cb  ", "  cb  ", "  ba  ",
    };
    Ramp wood = ramp_of(s->color, 110), dark = ramp_of(0x5E4428, 105);
    Ramp tools[3] = {ramp_of(0xB4B8C0, 105), ramp_of(0x7C4A2A, 110), {{0}}};
    planks_fill(c, s->color, 100);
    if (!s->variant) {
        fill_shade(c, 0, 0, 15, 2, &dark, 3);
        fill_shade(c, 0, 2, 15, 2, &dark, 1);
        fill_shade(c, 0, 3, 0, 15, &dark, 3);
        fill_shade(c, 15, 3, 15, 15, &dark, 1);
        draw_sprite(c, 1, 5, saw, 8, tools);
        draw_sprite(c, 9, 5, hammer, 8, tools);
        return;
    }
    draw_frame(c, 0, 0, 15, 15, &dark, 3, 1);
    fill_shade(c, 2, 2, 13, 13, &wood, 3);
    for (int i = 0; i < 4; i++) { /* a grid of 3 x 3 */
        int at = i == 3 ? 13 : 2 + 4 * i;
        fill_shade(c, at, 2, at, 13, &dark, 2);
        fill_shade(c, 2, at, 13, at, &dark, 2);
    }
    for (int i = 0; i < 9; i++) {
        int x = 3 + 4 * (i % 3), y = 3 + 4 * (i / 3);
        put_shade(c, x, y, &wood, 5);
        put_shade(c, x + 1, y, &wood, 4);
        put_shade(c, x, y + 1, &wood, 4);
    }
}
