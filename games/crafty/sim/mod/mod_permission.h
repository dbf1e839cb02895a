/* What a mod may do beyond adding content and being notified of what happens. */
#ifndef CRAFTY_SIM_MOD_MOD_PERMISSION_H
#define CRAFTY_SIM_MOD_MOD_PERMISSION_H

/* mod.json lists the words of permissions; the player sees them before the mod is enabled. */
typedef enum CraftyModPermission {
    CRAFTY_MOD_MAY_BLOCKS,    /* "blocks": changes blocks of the world and what chests contain */
    CRAFTY_MOD_MAY_PLAYERS,   /* "players": moves, heals and hurts players, changes their items */
    CRAFTY_MOD_MAY_CREATURES, /* "creatures": creates, changes and removes creatures and drops */
    CRAFTY_MOD_MAY_CHAT,      /* "chat": reads what players say, and writes to them */
    CRAFTY_MOD_MAY_COMMANDS,  /* "commands": adds commands to the chat */
    CRAFTY_MOD_MAY_WORLD,     /* "world": changes time, weather and rules of the world */
    CRAFTY_MOD_MAY_STORAGE,   /* "storage": keeps data of its own in the world */
    CRAFTY_MOD_PERMISSION_COUNT
} CraftyModPermission;

#define CRAFTY_MOD_MAY_ALL ((1u << CRAFTY_MOD_PERMISSION_COUNT) - 1)

#endif
