#include "play.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORKS_PER_VISIT = 6, NEW_SITES = 30, FIRST_HEIGHT = 70 }; /* NEW_SITES: of 100 moves */

static _Noreturn void fail(const CnError *error)
{
    fprintf(stderr, "bench_save: %s\n", error->message);
    exit(1);
}

static uint32_t random_below(Play *play, uint32_t limit)
{
    play->random ^= play->random << 13;
    play->random ^= play->random >> 7;
    play->random ^= play->random << 17;
    return (uint32_t)(((play->random >> 32) * limit) >> 32);
}

static int32_t random_between(Play *play, int32_t low, int32_t high)
{
    return low + (int32_t)random_below(play, (uint32_t)(high - low + 1));
}

void play_continue(Play *play, CnVoxels *voxels)
{
    static const char *const names[] = {"stone",   "dirt",   "sand",        "oak_planks",
                                        "glass",   "bricks", "grass",       "gravel",
                                        "oak_log", "ice",    "cobblestone", "red_wool"};
    CN_STATIC_ASSERT(CN_COUNT_OF(names) == CN_COUNT_OF(play->materials), "one name per material");
    CnError error = {0};
    play->voxels = voxels;
    if (!cn_block_find_all(cn_voxels_blocks(voxels), "building", names, CN_COUNT_OF(names),
                           play->materials, &error))
        fail(&error);
}

void play_init(Play *play, CnVoxels *voxels, uint64_t seed)
{
    *play = (Play){.random = seed * 0x9e3779b97f4a7c15u + 1};
    cn_array_init(&play->sites, NULL);
    play_continue(play, voxels);
    PlaySite first = {.center = {0, FIRST_HEIGHT, 0}};
    if (!cn_array_push(&play->sites, first))
        exit(1);
}

void play_fini(Play *play)
{
    cn_array_fini(&play->sites);
}

static void edit(Play *play, CnCell cell, CnBlock block, uint64_t tick)
{
    CnError error = {0};
    CnEdit change = {.tick = tick,
                     .player = 1,
                     .kind = block == CN_BLOCK_AIR ? CN_EDIT_BREAK : CN_EDIT_PLACE,
                     .face = CN_EDIT_NO_FACE,
                     .cell = cell,
                     .new_block = block};
    uint64_t before = cn_edit_log_total(cn_voxels_log(play->voxels));
    if (!cn_voxels_edit(play->voxels, &change, &error))
        fail(&error);
    play->edits += cn_edit_log_total(cn_voxels_log(play->voxels)) - before;
}

/* ---- Works ---- */

static CnBlock any_material(Play *play)
{
    return play->materials[random_below(play, CN_COUNT_OF(play->materials))];
}

static CnCell near_center(Play *play, int32_t reach)
{
    CnCell center = play->sites.items[play->site].center;
    return (CnCell){center.x + random_between(play, -reach, reach),
                    center.y + random_between(play, -reach / 2, reach / 2),
                    center.z + random_between(play, -reach, reach)};
}

static void build_wall(Play *play, uint64_t tick)
{
    CnCell from = near_center(play, 20);
    int32_t length = random_between(play, 6, 20), height = random_between(play, 3, 6);
    bool along_x = random_below(play, 2);
    CnBlock block = any_material(play);
    for (int32_t y = 0; y < height; y++)
        for (int32_t i = 0; i < length; i++)
            edit(play, (CnCell){from.x + (along_x ? i : 0), from.y + y, from.z + (along_x ? 0 : i)},
                 block, tick);
}

static void dig_tunnel(Play *play, uint64_t tick)
{
    CnCell at = near_center(play, 16);
    at.y -= 30;
    int32_t length = random_between(play, 20, 80), direction = random_between(play, 0, 3);
    for (int32_t i = 0; i < length; i++) {
        edit(play, at, CN_BLOCK_AIR, tick);
        edit(play, (CnCell){at.x, at.y + 1, at.z}, CN_BLOCK_AIR, tick);
        if (random_below(play, 12) == 0)
            direction = random_between(play, 0, 3);
        at.x += direction == 0 ? 1 : direction == 1 ? -1 : 0;
        at.z += direction == 2 ? 1 : direction == 3 ? -1 : 0;
    }
}

static void blow_out(Play *play, uint64_t tick)
{
    CnCell center = near_center(play, 24);
    int32_t radius = random_between(play, 3, 5);
    for (int32_t z = -radius; z <= radius; z++)
        for (int32_t y = -radius; y <= radius; y++)
            for (int32_t x = -radius; x <= radius; x++)
                if (x * x + y * y + z * z <= radius * radius)
                    edit(play, (CnCell){center.x + x, center.y + y, center.z + z}, CN_BLOCK_AIR,
                         tick);
}

static void replant_field(Play *play, uint64_t tick)
{
    CnCell center = play->sites.items[play->site].center;
    CnBlock block = any_material(play);
    for (int32_t z = 0; z < 9; z++)
        for (int32_t x = 0; x < 9; x++)
            edit(play, (CnCell){center.x + x, center.y + 12, center.z + z}, block, tick);
}

/* ---- Sites ---- */

static void go_on(Play *play)
{
    if (random_below(play, 100) >= NEW_SITES) {
        play->site = random_below(play, play->sites.count);
        return;
    }
    CnCell last = play->sites.items[play->site].center;
    PlaySite site = {.center = {last.x + random_between(play, -96, 96), FIRST_HEIGHT,
                                last.z + random_between(play, -96, 96)}};
    site.center.y = cn_voxels_height(play->voxels, site.center.x, site.center.z) + 1;
    if (!cn_array_push(&play->sites, site))
        exit(1);
    play->site = play->sites.count - 1;
}

void play_edits(Play *play, uint64_t count, uint64_t tick)
{
    uint64_t end = play->edits + count;
    while (play->edits < end) {
        uint64_t before = play->edits;
        switch (random_below(play, 4)) {
        case 0:
            build_wall(play, tick);
            break;
        case 1:
            dig_tunnel(play, tick);
            break;
        case 2:
            blow_out(play, tick);
            break;
        default:
            replant_field(play, tick);
        }
        PlaySite *site = &play->sites.items[play->site];
        if (++site->works % WORKS_PER_VISIT == 0 || play->edits == before)
            go_on(play);
    }
}
