/* Ground tiles: soils, grass, sand, snow, ice, water, lava. */
#include "paint_single.h"

#define DIRT 0x87623F
#define DIRT_SEED 1234u /* shared by all tiles that show dirt */

void paint_soil(Canvas *c, const PaintSingle *s)
{
    soil_fill(c, s->color, s->variant ? (uint32_t)s->variant : 90);
}

static void fill_dirt(Canvas *c)
{
    c->seed = DIRT_SEED;
    soil_fill(c, DIRT, 88);
    Ramp ramp = ramp_of(0x9A8F80, 90);
    static const int pebbles[4][2] = {{3, 5}, {11, 2}, {13, 11}, {6, 13}};
    for (int i = 0; i < 4; i++) {
        put_shade(c, pebbles[i][0], pebbles[i][1], &ramp, 4);
        put_shade(c, pebbles[i][0] + 1, pebbles[i][1], &ramp, 2);
    }
}

void paint_dirt(Canvas *c, const PaintSingle *s)
{
    (void)s;
    fill_dirt(c);
}

void paint_coarse_dirt(Canvas *c, const PaintSingle *s)
{
    fill_dirt(c);
    Ramp ramp = ramp_of(s->color, 100);
    static const char *const stones[] = {" 43 ", "4332", "3221", " 11 "};
    static const int places[5][2] = {{1, 1}, {9, 4}, {4, 8}, {12, 11}, {6, 14}};
    for (int i = 0; i < 5; i++)
        draw_sprite(c, places[i][0], places[i][1], stones + (i & 1), 4 - (i & 1), &ramp);
}

/* Roots, stalks or threads: winding lighter lines. */
static void draw_threads(Canvas *c, uint32_t color, int count, int length)
{
    Ramp ramp = ramp_of(color, 100);
    for (int i = 0; i < count; i++) {
        uint32_t dice = hash2(c->seed + 9, i, 0);
        int x = (int)(dice & 15u), y = (int)(dice >> 4 & 15u);
        for (int step = 0; step < length; step++) {
            put_shade(c, x, y, &ramp, 4 - (step & 1));
            shade_pixel(c, x + 1, y + 1, 40);
            uint32_t turn = hash2(c->seed + 10, i, step) % 4;
            x += turn == 0 ? -1 : turn == 1 ? 1 : 0;
            y += turn > 0;
        }
    }
}

void paint_rooted_dirt(Canvas *c, const PaintSingle *s)
{
    fill_dirt(c);
    draw_threads(c, s->color, 6, 7);
}

/* ---- Grass and other cover over dirt ---- */

/* Blades seen from above: light and dark clumps with single tips. */
static void draw_turf(Canvas *c, const Ramp *ramp, uint32_t seed)
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int value = smooth_noise(seed, x, y, 4, 4) * 2 + smooth_noise(seed + 1, x, y, 8, 8);
            put_shade(c, x, y, ramp, value < 3 * 105 ? 2 : 3);
        }
    for (int i = 0; i < 40; i++) {
        uint32_t dice = hash2(seed + 2, i, 0);
        int x = (int)(dice & 15u), y = (int)(dice >> 4 & 15u), lean = (int)(dice >> 8) % 3 - 1;
        bool dark = dice >> 12 & 1;
        put_shade(c, x, y, ramp, dark ? 1 : 4);
        put_shade(c, x + lean, y + 1, ramp, dark ? 2 : 3);
        if (!dark && dice % 5 == 0)
            put_shade(c, x, y, ramp, 5);
    }
}

void paint_turf(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, s->variant ? (uint32_t)s->variant : 85);
    draw_turf(c, &ramp, c->seed);
    if (s->second) {
        Ramp spots = ramp_of(s->second, 100);
        for (int i = 0; i < 14; i++) {
            uint32_t dice = hash2(c->seed + 5, i, 0);
            int x = (int)(dice & 15u), y = (int)(dice >> 4 & 15u);
            put_shade(c, x, y, &spots, 3 + (int)(dice >> 8 & 1u));
            if (dice >> 9 & 1)
                put_shade(c, x + 1, y, &spots, 2);
        }
    }
}

/* Dirt with a fringe that hangs down by 3 to 6 pixels. */
void paint_turf_side(Canvas *c, const PaintSingle *s)
{
    static const uint8_t depth[16] = {4, 5, 3, 3, 4, 6, 4, 3, 4, 4, 5, 3, 4, 3, 5, 4};
    Ramp ramp = ramp_of(s->color, s->variant ? (uint32_t)s->variant : 85);
    fill_dirt(c);
    for (int x = 0; x < PAINT_SIZE; x++) {
        int deep = depth[x];
        for (int y = 0; y < deep; y++) {
            uint32_t dice = hash2(57, x, y) % 4;
            int shade = y == 0 ? 4 - (dice == 0) : y == deep - 1 ? 1 + (dice == 0) : 2 + (dice > 0);
            put_shade(c, x, y, &ramp, shade + (y == 1 && dice == 1));
            set_height(c, x, y, 170 - 8 * y);
        }
        shade_pixel(c, x, deep, 70);
        if (s->second && hash2(58, x, 0) % 3 == 0) {
            Ramp spots = ramp_of(s->second, 100);
            put_shade(c, x, 1 + (int)(hash2(58, x, 1) & 1u), &spots, 3);
        }
    }
}

void paint_moss(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 95);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint tuft = near_point(c->seed, x, y, 8);
            int light = tuft.dx + tuft.dy, cloud = smooth_noise(c->seed + 1, x, y, 4, 4);
            int shade = light < -10 ? 4 : light < 8 ? 3 : 2;
            put_shade(c, x, y, &ramp, shade - (cloud < 96) + (cloud > 200));
        }
}

void paint_path(Canvas *c, const PaintSingle *s)
{
    soil_fill(c, s->color, 60);
    Ramp ramp = ramp_of(s->color, 80);
    for (int i = 0; i < 16; i++)
        if (hash2(5, i, 1) % 3) {
            put_shade(c, i, 0, &ramp, 2);
            put_shade(c, 15, i, &ramp, 2);
        }
    draw_threads(c, mix_color(s->color, 0xFFFFFF, 30), 3, 3);
}

void paint_path_side(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 80);
    fill_dirt(c);
    for (int x = 0; x < PAINT_SIZE; x++) {
        int deep = 2 + (int)(hash2(59, x / 2, 0) % 2);
        for (int y = 0; y < deep; y++)
            put_shade(c, x, y, &ramp, y == 0 ? 4 : y == deep - 1 ? 2 : 3);
        shade_pixel(c, x, deep, 60);
    }
}

void paint_farmland(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 95);
    static const uint8_t furrow[4] = {4, 3, 1, 0};
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int lump = smooth_noise(c->seed, x, y, 8, 8);
            int shade = furrow[y % 4] + (lump > 180) - (lump < 70);
            put_shade(c, x, y, &ramp, shade);
            set_height(c, x, y, y % 4 < 2 ? 150 : 80);
        }
}

/* ---- Sand, gravel, snow ---- */

/* Grains in soft drifts, the same on every side. */
void paint_sand(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, s->variant ? (uint32_t)s->variant : 55);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int drift = smooth_noise(77, x, y, 8, 8) + smooth_noise(79, x, y, 4, 4);
            uint32_t grain = hash2(78, x, y) % 16;
            int shade = drift < 130 ? 2 : drift < 360 ? 3 : 4;
            put_shade(c, x, y, &ramp,
                      shade + (grain == 0 && shade < 4) - (grain == 1 && shade > 2));
        }
    fill_rough(c, 245);
}

void paint_gravel(Canvas *c, const PaintSingle *s)
{
    static const uint32_t colors[] = {0x85807C, 0x9A948E, 0x6F6B6A, 0x8E8175, 0xA8A29B};
    Ramp ground = ramp_of(s->color, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint large = near_point(63, x, y, 4), small = near_point(64, x, y, 8);
            int rim = large.further - large.near;
            bool is_small = rim < 22 || large.near > 40;
            NearPoint pebble = is_small ? small : large;
            Ramp ramp = ramp_of(colors[hash2(65, pebble.id, is_small) % 5], 80);
            int light = pebble.dx + pebble.dy, limit = is_small ? 10 : 24;
            int shade = light < -limit ? 4 : light > limit ? 2 : 3;
            if (pebble.further - pebble.near < 7)
                put_shade(c, x, y, &ground, is_small ? 3 : 2);
            else
                put_shade(c, x, y, &ramp, shade);
        }
}

void paint_snow(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 42);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int value = smooth_noise(81, x, y, 4, 4) * 2 + smooth_noise(82, x, y, 8, 8);
            put_shade(c, x, y, &ramp, value < 3 * 90 ? 2 : value < 3 * 165 ? 3 : 4);
            if (hash2(83, x, y) % 41 == 0)
                put(c, x, y, 0xFFFFFF);
        }
    fill_rough(c, 180);
}

/* ---- Ice, clay, mud ---- */

void paint_ice(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 80);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int streak = (x + y + smooth_noise(85, x, y, 2, 2) / 40) & 15;
            int cloud = smooth_noise(86, x, y, 2, 4);
            int shade = cloud < 80 ? 2 : 3;
            if (streak == 2 || streak == 3 || (streak == 9 && cloud > 110))
                shade = streak == 3 ? 5 : 4;
            put_shade(c, x, y, &ramp, shade);
            set_height(c, x, y, 128);
            c->color[y][x][3] = (uint8_t)(s->variant ? s->variant : 255);
        }
    for (int i = 0; i < 7; i++) {
        put_shade(c, 10 + i / 2, 3 + i, &ramp, 5);
        put_shade(c, 3 + i, 12 - i / 3, &ramp, 4);
    }
    fill_rough(c, 30);
}

void paint_clay(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 55);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int value =
                smooth_noise(c->seed, x, y, 4, 8) * 2 + smooth_noise(c->seed + 1, x, y, 8, 8);
            put_shade(c, x, y, &ramp, value < 3 * 88 ? 2 : value < 3 * 168 ? 3 : 4);
        }
    fill_rough(c, (uint8_t)(s->variant ? s->variant : 210));
}

void paint_mud(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 95);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint puddle = near_point(c->seed, x, y, 4);
            int rim = puddle.further - puddle.near, light = puddle.dx + puddle.dy;
            int cloud = smooth_noise(c->seed + 1, x, y, 4, 8);
            int shade = cloud < 90 ? 2 : 3;
            if (rim < 10)
                shade = 1;
            else if (light < -44)
                shade = 5; /* wet */
            else if (light < -30)
                shade = 4;
            put_shade(c, x, y, &ramp, shade);
            set_rough(c, x, y, shade > 3 ? 40 : 120);
        }
}

/* ---- Liquids and glowing tiles ---- */

void paint_water(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 70);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int bent = x + smooth_noise(88, x, y, 4, 4) / 50;
            NearPoint cell = near_point(87, bent, y, 4);
            int rim = cell.further - cell.near, cloud = smooth_noise(89, x, y, 2, 4);
            int shade = rim < 8 ? 4 : rim < 16 ? 3 : cloud < 120 ? 2 : 3;
            put_shade(c, x, y, &ramp, shade);
            c->color[y][x][3] = 190;
        }
    fill_rough(c, 12);
}

static const uint32_t heat[] = {0x8A1C08, 0xD2400A, 0xF57C14, 0xFFB92E, 0xFFE878};

static void put_heat(Canvas *c, int x, int y, int hot)
{
    put(c, x, y, heat[hot]);
    set_glow(c, x, y, 90 + 40 * hot);
    set_height(c, x, y, 90);
}

void paint_magma(Canvas *c, const PaintSingle *s)
{
    Ramp crust = ramp_of(s->color, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint plate = near_point(c->seed, x, y, 4);
            int rim = plate.further - plate.near + smooth_noise(3, x, y, 8, 8) / 32 - 2;
            int light = plate.dx + plate.dy;
            if (rim < 18)
                put_heat(c, x, y, rim < 4 ? 4 : rim < 7 ? 3 : rim < 10 ? 2 : rim < 14 ? 1 : 0);
            else
                put_shade(c, x, y, &crust, light < -16 ? 3 : light > 20 ? 1 : 2);
        }
}

void paint_lava(Canvas *c, const PaintSingle *s)
{
    (void)s;
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int bent = y + smooth_noise(11, x, y, 4, 4) / 64;
            int flow = smooth_noise(12, x, bent, 4, 4) * 3 + smooth_noise(13, x, bent, 8, 8);
            put_heat(c, x, y, flow < 300 ? 1 : flow < 560 ? 2 : flow < 740 ? 3 : 4);
        }
}

void paint_glowstone(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint crystal = near_point(c->seed, x, y, 4);
            int rim = crystal.further - crystal.near, tone = (int)(hash2(7, crystal.id, 0) % 3);
            int light = crystal.dx + crystal.dy;
            int shade = rim < 10      ? 0
                        : rim < 16    ? 1
                        : light < -20 ? 5
                        : light < 6   ? 4
                                      : 3 - (tone == 0);
            put_shade(c, x, y, &ramp, shade);
            set_glow(c, x, y, 60 + 39 * shade);
        }
}

void paint_bedrock(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 130);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int value = smooth_noise(33, x, y, 4, 4) * 2 + smooth_noise(34, x, y, 8, 8) * 3;
            int shade = value < 5 * 78    ? 0
                        : value < 5 * 110 ? 1
                        : value < 5 * 142 ? 2
                        : value < 5 * 172 ? 4
                                          : 5;
            put_shade(c, x, y, &ramp, shade);
        }
}

/* ---- Coral, sponge and honeycomb ---- */

/* Winding folds, as in brain coral. */
void paint_coral_block(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 95);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int value = smooth_noise(17, x, y, 4, 4) * 3 + smooth_noise(18, x, y, 8, 8);
            int fold = value / 4 % 42;
            put_shade(c, x, y, &ramp, fold < 8 ? 1 : fold < 18 ? 3 : fold < 28 ? 4 : 2);
        }
}

void paint_sponge(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint pore = near_point(19, x, y, 4);
            int size = 12 + (int)(hash2(20, pore.id, 0) % 20);
            int cloud = smooth_noise(21, x, y, 8, 8);
            int shade = cloud < 90 ? 3 : 4;
            if (pore.near < size)
                shade = pore.dy < -6 ? 0 : 1;
            else if (pore.near < size + 16 && pore.dy > 0)
                shade = 5;
            put_shade(c, x, y, &ramp, shade);
        }
}

void paint_honeycomb(Canvas *c, const PaintSingle *s)
{
    static const char *const cell[] = {"14444441", "41333314", "43555334", "43533234",
                                       "43332234", "41322214", "14444441", "11441411"};
    Ramp ramp = ramp_of(s->color, 105);
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 2; column++)
            draw_sprite(c, column * 8 + row * 4, row * 8, cell, 8, &ramp);
    fill_rough(c, 90);
}
