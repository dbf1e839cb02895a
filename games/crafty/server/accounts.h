/*
 * The accounts of a server: who played, with which name and role, who is banned and who is allowed.
 * An account is a public key, so there are no passwords.
 *
 *     CraftyAccounts *accounts = crafty_accounts_open("accounts.json", &error);
 *     CraftyAdmissionRequest request = {.id = key, .name = "Anna", .address = "192.0.2.7:4711"};
 *     CraftyAccountsAdmission admission;
 *     if (!crafty_accounts_admit(accounts, &request, &admission))
 *         disconnect(admission.reason);
 *     crafty_accounts_save(accounts, &error);      // now and then, and after every change
 *     crafty_accounts_close(accounts, &error);
 *
 * One JSON file holds everything (docs/formats.md). It is replaced atomically and synced, so that
 * after a crash it holds the state before or after a change. One program at a time has it open: it
 * locks the file FILE.lock. Times are seconds since 1970 and come from the caller.
 *
 * Thread-safe, except open and close. crafty_accounts_save writes without blocking the others.
 */
#ifndef CRAFTY_SERVER_ACCOUNTS_H
#define CRAFTY_SERVER_ACCOUNTS_H

#include "address_range.h"
#include "player_name.h"

#include "crafty/sim/identity.h"

#include <cairn/base/error.h>
#include <cairn/base/text.h>

#define CRAFTY_ACCOUNTS_MAX 16384u /* beyond, the players who were away longest are forgotten */
#define CRAFTY_BANS_MAX 4096u
#define CRAFTY_BAN_REASON_BYTES 128u
#define CRAFTY_ADMISSION_REASON_BYTES 256u
#define CRAFTY_ACCOUNTS_FILE_BYTES (16u << 20)

typedef struct CraftyAccountRecord {
    CraftyAccount id;
    char name[CRAFTY_PLAYER_NAME_BYTES]; /* "": has never joined */
    CraftyRole role;
    bool is_allowed; /* on the allow list */
    int64_t first_seen, last_seen;
} CraftyAccountRecord;

typedef struct CraftyBan {
    bool is_address; /* `range` is banned; otherwise the account `id` */
    CraftyAccount id;
    CraftyAddressRange range;
    char name[CRAFTY_PLAYER_NAME_BYTES]; /* of the account when it was banned */
    char reason[CRAFTY_BAN_REASON_BYTES];
    int64_t since, until; /* `until` 0: forever */
} CraftyBan;

typedef struct CraftyAccounts CraftyAccounts;

/* Opens or creates the accounts; `path` NULL: in memory only. Returns NULL and an error if the file
 * is in use, damaged, of a newer version or cannot be read; it is then unchanged. */
CraftyAccounts *crafty_accounts_open(const char *path, CnError *error);
/* Saves and closes. Returns false and an error if saving failed. NULL is ignored. */
bool crafty_accounts_close(CraftyAccounts *accounts, CnError *error);
/* Writes what changed since the last save; nothing if nothing did. After a failure, the next call
 * tries again. */
bool crafty_accounts_save(CraftyAccounts *accounts, CnError *error);
/* Returns whether something is not saved. */
bool crafty_accounts_are_changed(CraftyAccounts *accounts);

/* Reads and writes the content of the file. Reading replaces everything; an error leaves it as it
 * was. */
bool crafty_accounts_read(CraftyAccounts *accounts, const char *file, CnText text, CnError *error);
bool crafty_accounts_write(CraftyAccounts *accounts, CnTextBuilder *text);

/* ---- Admission ---- */

typedef enum CraftyAdmissionResult {
    CRAFTY_ADMITTED,
    CRAFTY_REFUSED_NAME, /* not valid */
    CRAFTY_REFUSED_NAME_TAKEN,
    CRAFTY_REFUSED_BANNED,
    CRAFTY_REFUSED_NOT_ALLOWED,
    CRAFTY_REFUSED_MEMORY,
    CRAFTY_ADMISSION_COUNT
} CraftyAdmissionResult;

typedef struct CraftyAdmissionRequest {
    CraftyAccount id;
    const char *name;    /* what the player wants to be called; any bytes */
    const char *address; /* of the peer; NULL: not known */
    int64_t now;
    bool has_allow_list; /* only players on it, moderators and operators may join */
} CraftyAdmissionRequest;

typedef struct CraftyAccountsAdmission {
    CraftyAdmissionResult result;
    CraftyRole role;
    bool is_new;                                /* the account was created */
    char reason[CRAFTY_ADMISSION_REASON_BYTES]; /* for the player; one escaped line */
} CraftyAccountsAdmission;

/* Decides whether a player may join, and notes name and time. A known account may change its name.
 * Returns whether it is admitted. */
bool crafty_accounts_admit(CraftyAccounts *accounts, const CraftyAdmissionRequest *request,
                           CraftyAccountsAdmission *admission);
const char *crafty_admission_name(CraftyAdmissionResult result); /* "name_taken", for metrics */

/* ---- Changes ---- */

/* `who` is the name of an account, or of one that was refused lately, or its id as 64 hexadecimal
 * digits; for bans also an address or a range. The functions return false and an error if there is
 * no such account. */
typedef struct CraftyBanRequest {
    const char *who, *reason; /* `reason` NULL or "": none */
    int64_t now;
    uint32_t seconds; /* 0: forever */
} CraftyBanRequest;
bool crafty_accounts_ban(CraftyAccounts *accounts, const CraftyBanRequest *request, CraftyBan *ban,
                         CnError *error);
bool crafty_accounts_unban(CraftyAccounts *accounts, const char *who, CnError *error);
bool crafty_accounts_allow(CraftyAccounts *accounts, const char *who, bool is_allowed,
                           CnError *error);
bool crafty_accounts_set_role(CraftyAccounts *accounts, const char *who, CraftyRole role,
                              CnError *error);

/* ---- Reading ---- */

bool crafty_accounts_find(CraftyAccounts *accounts, const char *who, CraftyAccountRecord *account);
/* Calls `visit` for each account or ban until it returns false. `visit` must not use the accounts.
 */
void crafty_accounts_each(CraftyAccounts *accounts,
                          bool (*visit)(const CraftyAccountRecord *account, void *user),
                          void *user);
void crafty_accounts_each_ban(CraftyAccounts *accounts,
                              bool (*visit)(const CraftyBan *ban, void *user), void *user);
/* Returns whether the ban applies to this account or address; either may be NULL. */
bool crafty_ban_applies(const CraftyBan *ban, const CraftyAccount *id,
                        const CraftyAddressRange *address, int64_t now);

#endif
