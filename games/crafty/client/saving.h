/*
 * Saves the open world: every few seconds and when the game is paused, without waiting for the
 * disk; at the end until everything is durable. A save that fails is repeated and reported; the
 * game goes on.
 *
 *     crafty_saving_begin(play);           // after the world was opened
 *     crafty_saving_frame(play);           // in before_frame: between ticks
 *     crafty_saving_now(play);             // on pause
 *     crafty_saving_finish(play, 30000, &error); // at the end
 *
 * A world that is not saved, or opened only to look at it, is ignored.
 */
#ifndef CRAFTY_CLIENT_SAVING_H
#define CRAFTY_CLIENT_SAVING_H

#include <cairn/base/error.h>

typedef struct CraftyPlay CraftyPlay;

typedef struct CraftySaving {
    bool is_on;
    bool is_failing;     /* the last attempt to write failed, and the store tries again */
    bool has_more;       /* something besides the ticks has changed since `begun_tick` */
    uint64_t begun_tick; /* of the save that was begun last */
    int64_t begun_ms;    /* when it was begun, as crafty_unix_ms */
    uint64_t tick;       /* of the save that was submitted last */
    uint64_t batch;      /* its number in the store; 0: none yet */
    int64_t batch_ms;    /* when it was begun */
    int64_t safe_ms;     /* everything done before this time is durable */
    uint64_t picture_ns; /* when the last thumbnail was requested; at first, when it was opened */
    uint64_t picture_tick;
    bool has_picture; /* one was requested */
    CnError error;    /* while it fails */
} CraftySaving;

void crafty_saving_begin(CraftyPlay *play);
/* Saves if that is due, and asks the store how it gets on. */
void crafty_saving_frame(CraftyPlay *play);
/* Submits a save if something has changed since the last one, and requests a thumbnail, which the
 * save after it contains. */
void crafty_saving_now(CraftyPlay *play);
/* Requests a thumbnail if the last one shows an older state. */
void crafty_saving_picture(CraftyPlay *play);
/* Returns whether the current state is durable. */
bool crafty_saving_is_done(const CraftyPlay *play);
/* Saves and waits until that is durable. Returns false and an error when the time is over. */
bool crafty_saving_finish(CraftyPlay *play, uint32_t timeout_ms, CnError *error);

/* Writes one line on saving for the pause menu. */
void crafty_saving_text(const CraftyPlay *play, char *text, size_t text_bytes);
/* Writes what would be lost now, such as "what you did since 14:03 is not saved". */
void crafty_saving_loss(const CraftyPlay *play, char *text, size_t text_bytes);

#endif
