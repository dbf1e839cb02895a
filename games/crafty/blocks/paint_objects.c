/* Crafted and harvested blocks: glass, hay, furnace, lantern, torch, pumpkins, ladders, ... */
#include "paint_single.h"

/* ---- Aliases of family members ---- */

void paint_alias(Canvas *c, const PaintSingle *s)
{
    static const char *const names[] = {"cobbled_stone", "mossy_cobbled_stone", "oak_bookshelf",
                                        "oak_crate"};
    paint_by_name(c, names[s->variant]);
}

void paint_clear_glass(Canvas *c, const PaintSingle *s)
{
    draw_glass(c, s->color, 70, 0);
}

/* ---- Sandstone: a cap, layers, a foot ---- */

void paint_sandstone_side(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 75);
    static const uint8_t rows[16] = {4, 4, 3, 1, 3, 3, 2, 3, 3, 2, 3, 1, 4, 3, 3, 2};
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int worn = smooth_noise(c->seed, x, y, 4, 16);
            int shade = rows[y] + (worn > 190 && rows[y] < 4) - (worn < 46 && rows[y] > 1);
            if (rows[y] == 1 && worn > 176)
                shade = 2;
            put_shade(c, x, y, &ramp, shade);
        }
}

void paint_sandstone_top(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 60);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int value = smooth_noise(44, x, y, 4, 4) + smooth_noise(45, x, y, 8, 8) / 2;
            put_shade(c, x, y, &ramp, value < 130 ? 2 : value < 250 ? 3 : 4);
        }
    if (s->variant)
        draw_cracks(c, 46, 4, 60);
}

/* ---- Mushrooms, cactus, fruit ---- */

void paint_mushroom_cap(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 85), spot = ramp_of(s->second, 70);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int value =
                smooth_noise(c->seed, x, y, 4, 4) + smooth_noise(c->seed + 1, x, y, 8, 8) / 2;
            put_shade(c, x, y, &ramp, value < 120 ? 2 : value < 250 ? 3 : 4);
        }
    if (!s->second)
        return;
    static const char *const large[] = {" 344 ", "34443", "34443", "23332", " 222 "};
    static const char *const small[] = {" 4 ", "443", "232"};
    draw_sprite(c, 1, 2, large, 5, &spot);
    draw_sprite(c, 10, 9, large, 5, &spot);
    draw_sprite(c, 10, 1, small, 3, &spot);
    draw_sprite(c, 3, 11, small, 3, &spot);
}

void paint_stem(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 60);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int value =
                s->variant ? smooth_noise(c->seed, x, y, 8, 8) : smooth_noise(c->seed, x, y, 8, 2);
            put_shade(c, x, y, &ramp, value < 80 ? 2 : value < 170 ? 3 : 4);
            if (s->variant && hash2(c->seed, x / 2, y / 2) % 7 == 0)
                put_shade(c, x, y, &ramp, 1);
        }
}

void paint_cactus(Canvas *c, const PaintSingle *s)
{
    static const uint8_t ribs[16] = {1, 2, 4, 3, 2, 1, 3, 4, 3, 2, 1, 3, 4, 3, 2, 1};
    Ramp ramp = ramp_of(s->color, 100), thorn = ramp_of(0xE9E4C8, 80);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int worn = smooth_noise(c->seed, x, y, 8, 4) > 200;
            put_shade(c, x, y, &ramp, ribs[x] - worn);
            if ((x == 2 || x == 7 || x == 12) && (y + x) % 4 == 1) {
                put_shade(c, x, y, &thorn, 4);
                if (x < 15)
                    shade_pixel(c, x + 1, y + 1, 80);
            }
        }
}

void paint_cactus_top(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 100), thorn = ramp_of(0xE9E4C8, 80);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int dx = 2 * x - 15, dy = 2 * y - 15, ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
            int far = ax > ay ? ax : ay;
            int shade = far > 13 ? 1 : far > 10 ? 3 : far > 4 ? 4 - (ax == ay) - (far % 4 == 1) : 3;
            put_shade(c, x, y, &ramp, s->variant ? shade - 1 : shade);
        }
    if (s->variant)
        return;
    static const int thorns[][2] = {{3, 3}, {12, 3}, {3, 12}, {12, 12},
                                    {7, 5}, {8, 10}, {5, 8},  {10, 7}};
    for (int i = 0; i < 8; i++)
        put_shade(c, thorns[i][0], thorns[i][1], &thorn, 4);
}

/* Round vertical segments. */
void paint_gourd_side(Canvas *c, const PaintSingle *s)
{
    static const uint8_t segment[16] = {1, 2, 3, 4, 3, 2, 1, 3, 4, 4, 3, 2, 1, 3, 4, 3};
    Ramp ramp = ramp_of(s->color, 95), stripes = ramp_of(s->second, 95);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int bent = x + (smooth_noise(c->seed, 0, y, 1, 8) > 150);
            bool stripe = s->second && smooth_noise(c->seed + 1, bent, y, 8, 4) > 150;
            int worn = smooth_noise(c->seed + 2, x, y, 8, 4);
            int shade = segment[bent & 15] - (worn < 50) - (y == 15 || y == 0);
            put_shade(c, x, y, stripe ? &stripes : &ramp, shade);
        }
}

void paint_gourd_top(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 95), stem = ramp_of(0x6C7A2E, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int dx = 2 * x - 15, dy = 2 * y - 15, ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy;
            int far = ax > ay ? ax : ay;
            bool groove = ax == ay || (ax <= 1 && far > 4) || (ay <= 1 && far > 4);
            int shade = groove ? 1 : far > 12 ? 2 : dx + dy < -4 ? 4 : 3;
            put_shade(c, x, y, &ramp, shade);
        }
    static const char *const stalk[] = {" 43 ", "4432", "3321", " 21 "};
    draw_sprite(c, 6, 6, stalk, 4, &stem);
}

void paint_hay(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 95), rope = ramp_of(s->second, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            uint32_t straw = hash2(c->seed, x, (y + (int)(hash2(c->seed, x, 99) & 7u)) / 5 % 4);
            put_shade(c, x, y, &ramp, 1 + (int)(straw % 4) + (straw % 9 == 0));
            bool bound = !s->variant && (y == 4 || y == 5 || y == 11 || y == 12);
            if (bound)
                put_shade(c, x, y, &rope, y == 4 || y == 11 ? 4 : 2);
        }
}

void paint_hay_top(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 95);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint straw = near_point(c->seed, x, y, 8);
            int tone = (int)(hash2(c->seed, straw.id, 0) % 3), rim = straw.further - straw.near;
            put_shade(c, x, y, &ramp, rim < 7 ? 1 : 2 + tone);
        }
    draw_frame(c, 0, 0, 15, 15, &ramp, 3, 2);
}

/* ---- Furniture ---- */

void paint_furnace_side(Canvas *c, const PaintSingle *s)
{
    static const char *const mouth[] = {
        " 44444444 ", "4111111112", "410000000 ", "410000000 ",
        "4AABAABAA2", "BCDCDDCDCB", "CEDFEFDEDC", " 22222222 ",
    };
    Ramp ramps[3] = {ramp_of(s->color, 95), {{0}}, ramp_of(0xE8741C, 120)};
    paint_by_name(c, "cobbled_stone");
    ramps[0].shade[0] = 0x1E1A20;
    draw_sprite(c, 3, 6, mouth, 8, ramps);
    static const char *const slit[] = {"4444444444", "1000000001"};
    draw_sprite(c, 3, 2, slit, 2, ramps);
    for (int x = 3; x < 13; x++)
        for (int y = 10; y < 13; y++)
            set_glow(c, x, y, y == 10 ? 90 : 200);
    draw_frame(c, 0, 0, 15, 15, &ramps[0], 4, 1);
}

void paint_furnace_top(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 95);
    paint_by_name(c, "polished_stone");
    draw_frame(c, 2, 2, 13, 13, &ramp, 1, 4);
}

void paint_workbench(Canvas *c, const PaintSingle *s)
{
    static const char *const grid[] = {
        "444444444444", "400040004001", "400040004001", "400040004001",
        "444444444441", "400040004001", "400040004001", "400040004001",
        "444444444441", "400040004001", "400040004001", "411111111111",
    };
    static const char *const tools[] = {
        " 45     443 ", " 43    43 43", " 43    3   2", "aabb      b ",
        " bb      ab ", " bb     ab  ", " bb    ab   ", " bb   ab    ",
    };
    Ramp ramps[3] = {ramp_of(s->color, 90), ramp_of(0x7C5A32, 100), {{0}}};
    planks_fill(c, 0xB58E58, 100);
    if (s->variant) {
        draw_sprite(c, 2, 2, grid, 12, ramps);
        draw_frame(c, 0, 0, 15, 15, &ramps[1], 4, 2);
    } else {
        Ramp dark[3] = {ramp_of(0xB4B8C0, 100), ramps[1], {{0}}};
        draw_sprite(c, 2, 5, tools, 8, dark);
        for (int x = 0; x < PAINT_SIZE; x++)
            for (int y = 0; y < 3; y++)
                put_shade(c, x, y, &ramps[1], 4 - y);
    }
}

void paint_chest(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 100), iron = ramp_of(s->second, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            put_shade(c, x, y, &ramp, grain_shade(c->seed, x, y) - (y % 5 == 4));
    draw_frame(c, 0, 0, 15, 15, &ramp, 1, 0);
    if (s->variant)
        return;
    draw_frame(c, 1, 1, 14, 5, &ramp, 4, 1);
    draw_frame(c, 1, 7, 14, 14, &ramp, 4, 1);
    for (int x = 0; x < PAINT_SIZE; x++)
        put_shade(c, x, 6, &ramp, 0);
    static const char *const lock[] = {"4443", "4332", "3102", "3222"};
    draw_sprite(c, 6, 5, lock, 4, &iron);
}

void paint_ladder(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int i = 0; i < 2; i++) {
            int x = i ? 12 : 2;
            put_shade(c, x, y, &ramp, 4 - (hash2(3, x, y) % 4 == 0));
            put_shade(c, x + 1, y, &ramp, 2);
            if (y % 4 == 1)
                for (int k = 1; k < 15; k++) {
                    put_shade(c, k, y, &ramp, 4);
                    put_shade(c, k, y + 1, &ramp, 2);
                }
        }
}

void paint_fence(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            bool rail = y == 3 || y == 4 || y == 5 || y == 10 || y == 11 || y == 12;
            int post = x % 8;
            if (post >= 2 && post <= 5)
                put_shade(c, x, y, &ramp, post == 2 ? 4 : post == 5 ? 1 : grain_shade(5, y, x));
            else if (rail)
                put_shade(c, x, y, &ramp, y == 3 || y == 10 ? 4 : y == 5 || y == 12 ? 1 : 3);
        }
}

void paint_mirror(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 60), frame = ramp_of(0xC9A24A, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int band = (x + y) & 15;
            put_shade(c, x, y, &ramp, band < 2 || band == 4 ? 5 : band < 8 ? 4 : 3);
            set_height(c, x, y, 128);
            set_rough(c, x, y, 4);
        }
    draw_frame(c, 0, 0, 15, 15, &frame, 4, 2);
}
