#ifndef CRAFTY_SERVER_ACCOUNTS_INTERNAL_H
#define CRAFTY_SERVER_ACCOUNTS_INTERNAL_H

#include "accounts.h"

#include <cairn/base/array.h>

#include <pthread.h>

#define CRAFTY_REFUSED_KEPT 16u

struct CraftyAccounts {
    pthread_mutex_t mutex; /* of everything below */
    pthread_mutex_t saving;
    char *path; /* NULL: in memory */
    int lock;   /* -1: none */
    CN_ARRAY(CraftyAccountRecord) items;
    CN_ARRAY(CraftyBan) bans;
    uint64_t change, saved; /* numbers of the last change, and of the last one that is saved */
    CraftyAccountRecord refused[CRAFTY_REFUSED_KEPT]; /* so that "allow NAME" finds them */
    uint32_t refused_count;                           /* ever */
};

/* Reading and writing, with the mutex held. */
bool crafty_accounts_read_json(CraftyAccounts *accounts, const char *file, CnText text,
                               CnError *error);
bool crafty_accounts_write_json(const CraftyAccounts *accounts, CnTextBuilder *text);

#endif
