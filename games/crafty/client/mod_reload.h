/*
 * Runs the changed code of mods in the open world, so that their authors see what they do.
 *
 *     crafty_mod_reload_begin(crafty); // after the world was entered
 *     crafty_mod_reload_frame(crafty); // before each frame: between ticks
 *     crafty_mod_reload_end(play);
 *
 * A recording holds one version of each mod. When one is loaded again, the recording of --record
 * ends, and that of the last minute begins again with the state that follows: recordings stay
 * playable. In a replay, nothing is loaded again.
 */
#ifndef CRAFTY_CLIENT_MOD_RELOAD_H
#define CRAFTY_CLIENT_MOD_RELOAD_H

typedef struct Crafty Crafty;
typedef struct CraftyPlay CraftyPlay;

void crafty_mod_reload_begin(Crafty *crafty);
void crafty_mod_reload_frame(Crafty *crafty);
void crafty_mod_reload_end(CraftyPlay *play);

#endif
