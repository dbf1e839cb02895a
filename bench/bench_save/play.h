/*
 * A model of playing, for benchmarks of saved worlds: edits as players make them, at any number.
 *
 * A player works at a site for some hundred edits, then goes to another: mostly to one of the sites
 * where something was built before, sometimes to a new one near the last. The work at a site is one
 * of these: a wall is built of one kind of block, a tunnel is dug, a ball is blown out, a field is
 * replanted. All of them are contiguous and stay within some chunks of the site, so cells are
 * edited again and again.
 */
#ifndef CAIRN_BENCH_SAVE_PLAY_H
#define CAIRN_BENCH_SAVE_PLAY_H

#include <cairn/voxel.h>

typedef struct PlaySite {
    CnCell center;
    uint32_t works; /* done there so far */
} PlaySite;

typedef struct Play {
    CnVoxels *voxels;
    uint64_t random, edits; /* edits: made so far */
    CN_ARRAY(PlaySite) sites;
    uint32_t site; /* the current one */
    CnBlock materials[12];
} Play;

void play_init(Play *play, CnVoxels *voxels, uint64_t seed);
void play_fini(Play *play);
/* Continues in another world object with the same content. */
void play_continue(Play *play, CnVoxels *voxels);
/* Makes at least `count` edits that change something, at the current tick. Ends the program when an
 * edit fails. */
void play_edits(Play *play, uint64_t count, uint64_t tick);

#endif
