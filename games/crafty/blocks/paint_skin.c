/* Paints skins of creatures: coats and drawings. */
#include "paint_skin.h"

#define QUARTER 8
#define EYE_BLACK 0x1B1722u
#define EYE_LIGHT 0xFFFFFFu
#define CHEEK 0xE58E8Au

/* ---- Coats ---- */

static int fur_shade(const Canvas *c, int x, int y)
{
    int soft = smooth_noise(c->seed, x, y, 8, 4) + (int)(hash2(c->seed + 7, x, y) & 63u);
    return soft < 100 ? 2 : soft > 215 ? 4 : 3;
}

static int feather_shade(const Canvas *c, int x, int y)
{
    int row = y / 4, at = (x + 2 * (row & 1)) & 3, low = y & 3;
    bool is_edge = (low == 3 && at != 0) || (low == 2 && at == 0);
    return is_edge ? 2 : low == 0 && at == 2 ? 4 : 3 - (int)(hash2(c->seed, x, y) % 9 == 0);
}

static int wool_shade(const Canvas *c, int x, int y)
{
    NearPoint point = near_point(c->seed, x, y, 4);
    int rim = point.further - point.near;
    return rim < 10 ? 2 : point.dx + point.dy < -12 ? 5 : point.near < 26 ? 4 : 3;
}

static int leaf_shade(const Canvas *c, int x, int y)
{
    NearPoint point = near_point(c->seed, x, y, 4);
    int rim = point.further - point.near;
    if (rim < 6)
        return 1;
    int vein = point.dx - point.dy;
    return vein > -7 && vein < 7 ? 4 : point.dy > 6 ? 2 : 3;
}

static int cloth_shade(const Canvas *c, int x, int y)
{
    int fold = smooth_noise(c->seed, x, y, 4, 1);
    int weave = (x + y) & 1;
    return (fold < 80 ? 2 : fold > 190 ? 4 : 3) - (weave && hash2(c->seed, x, y) % 4 == 0);
}

static int straw_shade(const Canvas *c, int x, int y)
{
    int braid = (x / 2 + y / 2) & 1;
    return (braid ? 4 : 3) - (int)(hash2(c->seed, x, y) % 4 == 0);
}

static bool has_second(const Canvas *c, Coat coat, int x, int y)
{
    if (coat == COAT_PATCHES)
        return smooth_noise(c->seed, x, y, 4, 4) > 138;
    int at = coat == COAT_RINGS ? x : y;
    return at % 6 >= 3;
}

static void paint_coat(Canvas *c, const Skin *skin, const Ramp ramps[3])
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            const Ramp *ramp = &ramps[0];
            int shade = fur_shade(c, x, y);
            switch (skin->coat) {
            case COAT_SKIN:
            case COAT_DOWN:
                shade = hash2(c->seed, x, y) % 7 == 0 ? 4 : hash2(c->seed + 3, x, y) % 9 ? 3 : 2;
                break;
            case COAT_FEATHERS:
            case COAT_SCALES:
                shade = feather_shade(c, x, y);
                break;
            case COAT_WOOL:
                shade = wool_shade(c, x, y);
                break;
            case COAT_LEAVES:
                shade = leaf_shade(c, x, y);
                break;
            case COAT_CLOTH:
                shade = cloth_shade(c, x, y);
                break;
            case COAT_STRAW:
                shade = straw_shade(c, x, y);
                break;
            case COAT_PATCHES:
            case COAT_RINGS:
            case COAT_BANDS:
                ramp = has_second(c, skin->coat, x, y) ? &ramps[1] : ramp;
                break;
            case COAT_FUR:
            case COAT_GLASSY:
                break;
            }
            put_shade(c, x, y, ramp, shade);
            if (skin->coat == COAT_GLASSY && ((x ^ y) & 1))
                erase(c, x, y);
        }
}

/* ---- Drawings ---- */

static void draw_pixel(Canvas *c, int x, int y, char letter, const Ramp ramps[3])
{
    if (letter >= '0' && letter <= '5')
        put_shade(c, x, y, &ramps[0], letter - '0');
    else if (letter >= 'a' && letter <= 'f')
        put_shade(c, x, y, &ramps[1], letter - 'a');
    else if (letter >= 'A' && letter <= 'F')
        put_shade(c, x, y, &ramps[2], letter - 'A');
    else if (letter == 'k')
        put(c, x, y, EYE_BLACK);
    else if (letter == 'w')
        put(c, x, y, EYE_LIGHT);
    else if (letter == 'p')
        put(c, x, y, mix_color(ramps[0].shade[3], CHEEK, 150));
    else if (letter == '-')
        erase(c, x, y);
}

void paint_skin(Canvas *c, const Skin *skin)
{
    const Ramp ramps[3] = {ramp_of(skin->color, 85), ramp_of(skin->second, 85),
                           ramp_of(skin->third, 85)};
    paint_coat(c, skin, ramps);
    for (int quarter = 0; quarter < 4; quarter++) {
        const char *drawing = skin->quarters[quarter];
        for (int i = 0; drawing && drawing[i]; i++)
            draw_pixel(c, QUARTER * (quarter & 1) + i % QUARTER,
                       QUARTER * (quarter >> 1) + i / QUARTER, drawing[i], ramps);
    }
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            set_height(c, x, y, 128);
}
