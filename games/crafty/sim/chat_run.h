/* Carries out command lines of the chat; private to it (chat.h). */
#ifndef CRAFTY_SIM_CHAT_RUN_H
#define CRAFTY_SIM_CHAT_RUN_H

#include "chat.h"
#include "chat_parse.h"

/* A line that is carried out. */
typedef struct CraftyChatRun {
    CnWorld *world;
    const CnQuery *players; /* reads CnPlayerActions */
    uint32_t sender;
    CnEntity eye; /* of the sender; null: the console */
    const CraftyChatNames *names;
    const CraftyChatParse *parse;
    const char *text; /* the whole line */
} CraftyChatRun;

/* `text` begins with '/'. Everything that happens is answered to the sender. */
void crafty_chat_run(CnWorld *world, const CnQuery *players, uint32_t sender, const char *text);

/* Answer the sender. A failure marks the word of a parameter; CRAFTY_CHAT_NO_WORD: none. */
#define CRAFTY_CHAT_NO_WORD UINT32_MAX
void crafty_chat_reply(const CraftyChatRun *run, const char *format, ...) CN_PRINTF_LIKE(2, 3);
void crafty_chat_fail(const CraftyChatRun *run, uint32_t word, const char *format, ...)
    CN_PRINTF_LIKE(3, 4);

/* Stores the player that a parameter names; the sender if it is not given. Returns false, after an
 * answer, if the console names nobody. */
bool crafty_chat_target(const CraftyChatRun *run, uint32_t word, uint32_t *number,
                        CnEntity *player);
/* Stores the position that three parameters mean, relative to the feet of `player`; whole x and z
 * are the middle of a block. Returns false, after an answer, if it is outside of the world. */
bool crafty_chat_position(const CraftyChatRun *run, CnEntity player, uint32_t first_word,
                          CnVec3 *feet);
/* Stores the cell that three parameters mean. */
bool crafty_chat_cell(const CraftyChatRun *run, uint32_t first_word, CnCell *cell);

/* ---- Actions: one function for each, by file ---- */

/* chat_run_player.c */
void crafty_chat_teleport(const CraftyChatRun *run, CraftyChatAction action);
void crafty_chat_gamemode(const CraftyChatRun *run);
void crafty_chat_give(const CraftyChatRun *run, CraftyChatAction action);
void crafty_chat_clear(const CraftyChatRun *run);
void crafty_chat_kill(const CraftyChatRun *run);
void crafty_chat_heal(const CraftyChatRun *run);
void crafty_chat_spawnpoint(const CraftyChatRun *run, CraftyChatAction action);
/* chat_creatures.c */
void crafty_chat_difficulty(const CraftyChatRun *run);
void crafty_chat_summon(const CraftyChatRun *run);
void crafty_chat_kill_creatures(const CraftyChatRun *run);
void crafty_chat_name(const CraftyChatRun *run);
/* chat_fill.c */
void crafty_chat_fill(const CraftyChatRun *run, CraftyChatAction action);
void crafty_chat_undo(const CraftyChatRun *run, CraftyChatAction action);

#endif
