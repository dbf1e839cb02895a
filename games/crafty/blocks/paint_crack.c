/* Cracks: ten stages that grow from the center. */
#include "painter.h"

#define BRANCHES 13

/* Start of a branch, its direction (in 1/8 pixels per step), and the time of its first pixel. */
static const struct {
    int8_t x, y, dx, dy;
    uint8_t begin, length;
} branches[BRANCHES] = {
    {7, 7, -6, -5, 0, 9}, {8, 8, 6, 4, 0, 10},    {8, 7, 5, -6, 2, 9},  {7, 8, -5, 6, 3, 9},
    {7, 7, 1, -8, 6, 7},  {8, 8, -1, 8, 7, 7},    {4, 4, -8, 2, 8, 5},  {11, 10, 8, -2, 9, 5},
    {11, 4, 7, 3, 11, 5}, {4, 11, -7, -3, 12, 5}, {5, 5, 3, -8, 13, 6}, {11, 10, -3, 8, 14, 6},
    {8, 3, 8, -3, 15, 6},
};

void paint_crack(Canvas *c, int stage)
{
    int now = 2 + stage * 2;
    for (int b = 0; b < BRANCHES; b++) {
        int x = branches[b].x * 8 + 4, y = branches[b].y * 8 + 4;
        for (int step = 0; step < branches[b].length && branches[b].begin + step <= now; step++) {
            int jitter = (int)(hash2(21, b, step) % 9) - 4;
            int px = x / 8, py = y / 8;
            if (px < 0 || px > 15 || py < 0 || py > 15)
                break;
            bool fresh = branches[b].begin + step > now - 2;
            put(c, px, py, fresh ? 0x3A343A : 0x17131A);
            c->color[py][px][3] = fresh ? 150 : 215;
            set_height(c, px, py, 70);
            /* Old cracks are two pixels wide. */
            if (branches[b].begin + step + 8 < now) {
                bool steep = branches[b].dy * branches[b].dy > branches[b].dx * branches[b].dx;
                int qx = px + (steep ? 1 : 0), qy = py + (steep ? 0 : 1);
                if (qx < 16 && qy < 16 && !is_filled(c, qx, qy)) {
                    put(c, qx, qy, 0x2A252C);
                    c->color[qy][qx][3] = 165;
                }
            }
            x += branches[b].dx + jitter;
            y += branches[b].dy - jitter / 2 + (int)(hash2(22, b, step) % 5) - 2;
        }
    }
}
