/* What functions of the API charge to a mod, in instructions of about 2 ns (cn_lua_charge). */
#ifndef CRAFTY_SIM_MOD_MOD_COST_H
#define CRAFTY_SIM_MOD_MOD_COST_H

#define CRAFTY_MOD_COST_READ 50u    /* a block, a number of the state */
#define CRAFTY_MOD_COST_BIOME 3000u /* a column of the generator */
#define CRAFTY_MOD_COST_LIGHT 1000u /* the light of a cell */
#define CRAFTY_MOD_COST_FAR 100000u /* a chunk that may have to be generated, once per tick */
#define CRAFTY_MOD_COST_EDIT 5000u  /* a block that is lit and meshed again */
#define CRAFTY_MOD_COST_EXPLODE 500000u
#define CRAFTY_MOD_COST_ENTITY 5000u /* a creature or a drop that appears */
#define CRAFTY_MOD_COST_SEARCH 5000u /* all creatures or drops */
#define CRAFTY_MOD_COST_EVENT 1000u  /* a line of the chat, a sound, particles */
#define CRAFTY_MOD_COST_PLAYER 300u  /* items and health of a player */
#define CRAFTY_MOD_COST_DATA 1000u   /* data or slots of a block that change */
#define CRAFTY_MOD_COST_BYTE 4u      /* of data that is copied, hashed and saved */

#endif
