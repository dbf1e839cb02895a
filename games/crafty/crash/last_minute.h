/*
 * Records the last minute of a game all the time, so that it can be played after a crash, and so
 * that what happened since the last save is not lost.
 *
 *     CraftyLastMinute *last = crafty_last_minute_create(&desc, &error);
 *     crafty_last_minute_tick(last); // after each tick, or after each frame
 *     crafty_last_minute_destroy(last);
 *
 * Two recordings run at a time. When the newer one has run for a minute, it becomes the older one,
 * and another begins in the file of the one that is given up. So the older one covers 60 to 120
 * seconds. It is kept longer while the world cannot be saved, because it holds what is not saved.
 */
#ifndef CRAFTY_CRASH_LAST_MINUTE_H
#define CRAFTY_CRASH_LAST_MINUTE_H

#include "background_files.h"

#include "crafty/replay/world_recorder.h"

#define CRAFTY_LAST_MINUTE_SECONDS 60u

typedef struct CraftyLastMinute CraftyLastMinute;

typedef struct CraftyLastMinuteDesc {
    CraftyBackgroundFiles *files;
    const char *paths[2]; /* of the recordings; copied */
    CnSim *sim;
    CraftyWorld *world;
    const CraftyStart *start;
    CraftySave *save;
    const CraftyWorldMods *mods; /* that run; NULL: none */
    uint32_t ticks;              /* per recording; 0: those of a minute */
} CraftyLastMinuteDesc;

CraftyLastMinute *crafty_last_minute_create(const CraftyLastMinuteDesc *desc, CnError *error);
/* A recording that cannot be made is logged and tried again a minute later. */
void crafty_last_minute_tick(CraftyLastMinute *last);
/* The files stay. Call it before closing the save and destroying the simulation. NULL is ignored.
 */
void crafty_last_minute_destroy(CraftyLastMinute *last);

#endif
