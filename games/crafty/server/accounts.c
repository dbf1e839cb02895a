#include "accounts_internal.h"

#include <cairn/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static const char *const admission_names[] = {"admitted", "name",        "name_taken",
                                              "banned",   "not_allowed", "memory"};

const char *crafty_admission_name(CraftyAdmissionResult result)
{
    return admission_names[result];
}

/* ---- Finding ---- */

static bool ids_equal(const CraftyAccount *a, const CraftyAccount *b)
{
    return !memcmp(a, b, sizeof *a);
}

static CraftyAccountRecord *find_id(CraftyAccounts *accounts, const CraftyAccount *id)
{
    for (uint32_t i = 0; i < accounts->items.count; i++)
        if (ids_equal(&accounts->items.items[i].id, id))
            return &accounts->items.items[i];
    return NULL;
}

static CraftyAccountRecord *find_name(CraftyAccounts *accounts, const char *name)
{
    for (uint32_t i = 0; i < accounts->items.count; i++)
        if (accounts->items.items[i].name[0] &&
            crafty_player_names_equal(accounts->items.items[i].name, name))
            return &accounts->items.items[i];
    return NULL;
}

/* Drops the player who was away longest and about whom nothing was decided. */
static bool make_room(CraftyAccounts *accounts)
{
    CraftyAccountRecord *oldest = NULL;
    if (accounts->items.count < CRAFTY_ACCOUNTS_MAX)
        return true;
    for (uint32_t i = 0; i < accounts->items.count; i++) {
        CraftyAccountRecord *account = &accounts->items.items[i];
        if (account->role == CRAFTY_ROLE_PLAYER && !account->is_allowed &&
            (!oldest || account->last_seen < oldest->last_seen))
            oldest = account;
    }
    if (!oldest)
        return false;
    *oldest = accounts->items.items[--accounts->items.count];
    return true;
}

static CraftyAccountRecord *add_account(CraftyAccounts *accounts,
                                        const CraftyAccountRecord *account)
{
    if (!make_room(accounts) || !cn_array_push(&accounts->items, *account))
        return NULL;
    return &accounts->items.items[accounts->items.count - 1];
}

/* Finds the account that a person means; those that were refused are added. */
static CraftyAccountRecord *find_meant(CraftyAccounts *accounts, const char *who, CnError *error)
{
    CraftyAccount id;
    CraftyAccountRecord *found = NULL;
    if (crafty_account_read(cn_text(who), &id)) {
        found = find_id(accounts, &id);
        return found ? found : add_account(accounts, &(CraftyAccountRecord){.id = id});
    }
    if ((found = find_name(accounts, who)))
        return found;
    uint32_t kept = accounts->refused_count < CRAFTY_REFUSED_KEPT ? accounts->refused_count
                                                                  : CRAFTY_REFUSED_KEPT;
    for (uint32_t i = 1; i <= kept; i++) { /* the last one first */
        const CraftyAccountRecord *refused =
            &accounts->refused[(accounts->refused_count - i) % CRAFTY_REFUSED_KEPT];
        if (!crafty_player_names_equal(refused->name, who))
            continue;
        found = find_id(accounts, &refused->id);
        return found ? found : add_account(accounts, refused);
    }
    cn_error_set(error, CN_ERROR_NOT_FOUND,
                 "there is no player \"%s\": expected a name, or an account of 64 hexadecimal "
                 "digits",
                 who);
    return NULL;
}

static void changed(CraftyAccounts *accounts)
{
    accounts->change++;
}

/* ---- Bans ---- */

bool crafty_ban_applies(const CraftyBan *ban, const CraftyAccount *id,
                        const CraftyAddressRange *address, int64_t now)
{
    if (ban->until && ban->until <= now)
        return false;
    return ban->is_address ? address && crafty_address_range_contains(&ban->range, address)
                           : id && ids_equal(&ban->id, id);
}

static const CraftyBan *find_ban(const CraftyAccounts *accounts, const CraftyAccount *id,
                                 const CraftyAddressRange *address, int64_t now)
{
    for (uint32_t i = 0; i < accounts->bans.count; i++)
        if (crafty_ban_applies(&accounts->bans.items[i], id, address, now))
            return &accounts->bans.items[i];
    return NULL;
}

static void drop_expired(CraftyAccounts *accounts, int64_t now)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < accounts->bans.count; i++)
        if (!accounts->bans.items[i].until || accounts->bans.items[i].until > now)
            accounts->bans.items[kept++] = accounts->bans.items[i];
    accounts->bans.count = kept;
}

static bool is_same_ban(const CraftyBan *a, const CraftyBan *b)
{
    if (a->is_address != b->is_address)
        return false;
    return a->is_address ? crafty_address_range_equal(&a->range, &b->range)
                         : ids_equal(&a->id, &b->id);
}

/* Replaces a ban of the same account or range. */
static bool put_ban(CraftyAccounts *accounts, const CraftyBan *ban, CnError *error)
{
    for (uint32_t i = 0; i < accounts->bans.count; i++)
        if (is_same_ban(&accounts->bans.items[i], ban)) {
            accounts->bans.items[i] = *ban;
            return true;
        }
    if (accounts->bans.count == CRAFTY_BANS_MAX)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "there are %u bans already: unban some, or ban a range of addresses",
                            CRAFTY_BANS_MAX);
    return cn_array_push(&accounts->bans, *ban) || cn_error_memory(error, "a ban");
}

/* Returns whether a ban of the range leaves most addresses of both kinds. */
static bool is_narrow(const CraftyAddressRange *range)
{
    CraftyAddressRange ipv4;
    crafty_address_range_parse(&ipv4, "0.0.0.0/0");
    return range->bits >= 16 && !crafty_address_range_contains(range, &ipv4) &&
           (!crafty_address_range_contains(&ipv4, range) || range->bits >= ipv4.bits + 8);
}

static bool describe_banned(CraftyAccounts *accounts, const char *who, CraftyBan *ban,
                            CnError *error)
{
    if (crafty_address_range_parse(&ban->range, who)) {
        ban->is_address = true;
        if (is_narrow(&ban->range))
            return true;
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "%s is too many addresses: a range of IPv4 has at least 8 bits, one "
                            "of IPv6 16",
                            who);
    }
    const CraftyAccountRecord *account = find_meant(accounts, who, error);
    if (!account)
        return false;
    ban->id = account->id;
    return cn_copy_text(ban->name, sizeof ban->name, cn_text(account->name));
}

bool crafty_accounts_ban(CraftyAccounts *accounts, const CraftyBanRequest *request, CraftyBan *ban,
                         CnError *error)
{
    char escaped[CRAFTY_BAN_REASON_BYTES];
    *ban = (CraftyBan){.since = request->now,
                       .until = request->seconds ? request->now + request->seconds : 0};
    cn_copy_text(ban->reason, sizeof ban->reason,
                 cn_text(cn_text_escape(cn_text(request->reason ? request->reason : ""), escaped,
                                        sizeof escaped)));
    pthread_mutex_lock(&accounts->mutex);
    drop_expired(accounts, request->now);
    bool done =
        describe_banned(accounts, request->who, ban, error) && put_ban(accounts, ban, error);
    if (done)
        changed(accounts);
    pthread_mutex_unlock(&accounts->mutex);
    return done;
}

static bool is_ban_of(const CraftyBan *ban, const char *who)
{
    CraftyAddressRange range;
    CraftyAccount id;
    if (crafty_address_range_parse(&range, who))
        return ban->is_address && crafty_address_range_equal(&ban->range, &range);
    if (ban->is_address)
        return false;
    if (crafty_account_read(cn_text(who), &id))
        return ids_equal(&ban->id, &id);
    return ban->name[0] && crafty_player_names_equal(ban->name, who);
}

bool crafty_accounts_unban(CraftyAccounts *accounts, const char *who, CnError *error)
{
    pthread_mutex_lock(&accounts->mutex);
    const CraftyAccountRecord *account = find_name(accounts, who);
    uint32_t kept = 0, count = accounts->bans.count;
    for (uint32_t i = 0; i < count; i++) {
        const CraftyBan *ban = &accounts->bans.items[i];
        if (!is_ban_of(ban, who) &&
            !(account && !ban->is_address && ids_equal(&ban->id, &account->id)))
            accounts->bans.items[kept++] = *ban;
    }
    accounts->bans.count = kept;
    if (kept < count)
        changed(accounts);
    pthread_mutex_unlock(&accounts->mutex);
    return kept < count || cn_error_set(error, CN_ERROR_NOT_FOUND,
                                        "\"%s\" is not banned; \"bans\" lists all bans", who);
}

/* ---- Admission ---- */

static bool refuse(CraftyAccountsAdmission *admission, CraftyAdmissionResult result,
                   const char *format, ...) CN_PRINTF_LIKE(3, 4);
static bool refuse(CraftyAccountsAdmission *admission, CraftyAdmissionResult result,
                   const char *format, ...)
{
    char text[CRAFTY_ADMISSION_REASON_BYTES];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    admission->result = result;
    cn_text_escape(cn_text(text), admission->reason, sizeof admission->reason);
    return false;
}

static bool refuse_banned(CraftyAccountsAdmission *admission, const CraftyBan *ban)
{
    char until[64] = "";
    time_t seconds = (time_t)ban->until;
    struct tm utc;
    if (ban->until && gmtime_r(&seconds, &utc))
        strftime(until, sizeof until, " until %Y-%m-%d %H:%M UTC", &utc);
    return refuse(admission, CRAFTY_REFUSED_BANNED, "You are banned from this server%s%s%s.", until,
                  ban->reason[0] ? ": " : "", ban->reason);
}

static void remember_refused(CraftyAccounts *accounts, const CraftyAdmissionRequest *request)
{
    CraftyAccountRecord *refused =
        &accounts->refused[accounts->refused_count++ % CRAFTY_REFUSED_KEPT];
    *refused = (CraftyAccountRecord){
        .id = request->id, .first_seen = request->now, .last_seen = request->now};
    cn_copy_text(refused->name, sizeof refused->name, cn_text(request->name));
}

static bool admit(CraftyAccounts *accounts, const CraftyAdmissionRequest *request,
                  CraftyAccountsAdmission *admission)
{
    char id[CRAFTY_ACCOUNT_TEXT_BYTES];
    CnError error = {0};
    CraftyAddressRange address;
    bool has_address = request->address && crafty_address_of_peer(&address, request->address);
    const CraftyBan *ban =
        find_ban(accounts, &request->id, has_address ? &address : NULL, request->now);
    if (ban)
        return refuse_banned(admission, ban);
    if (!crafty_player_name_check(request->name, &error))
        return refuse(admission, CRAFTY_REFUSED_NAME, "%s", error.message);
    CraftyAccountRecord *account = find_id(accounts, &request->id);
    const CraftyAccountRecord *owner = find_name(accounts, request->name);
    if (request->has_allow_list &&
        (!account || (!account->is_allowed && account->role == CRAFTY_ROLE_PLAYER))) {
        remember_refused(accounts, request);
        return refuse(admission, CRAFTY_REFUSED_NOT_ALLOWED,
                      "You are not on the list of players of this server. Ask its owner to allow "
                      "%s, account %s.",
                      request->name, crafty_account_write(&request->id, id));
    }
    if (owner && owner != account)
        return refuse(admission, CRAFTY_REFUSED_NAME_TAKEN,
                      "Another player has the name %s here. Choose another one.", owner->name);
    admission->is_new = !account || !account->name[0];
    if (!account && !(account = add_account(accounts, &(CraftyAccountRecord){.id = request->id})))
        return refuse(admission, CRAFTY_REFUSED_MEMORY, "The server has no memory left.");
    cn_copy_text(account->name, sizeof account->name, cn_text(request->name));
    if (admission->is_new)
        account->first_seen = request->now;
    account->last_seen = request->now;
    admission->role = account->role;
    changed(accounts);
    return true;
}

bool crafty_accounts_admit(CraftyAccounts *accounts, const CraftyAdmissionRequest *request,
                           CraftyAccountsAdmission *admission)
{
    *admission = (CraftyAccountsAdmission){.result = CRAFTY_ADMITTED};
    pthread_mutex_lock(&accounts->mutex);
    bool is_admitted = admit(accounts, request, admission);
    pthread_mutex_unlock(&accounts->mutex);
    return is_admitted;
}

/* ---- Changes ---- */

bool crafty_accounts_allow(CraftyAccounts *accounts, const char *who, bool is_allowed,
                           CnError *error)
{
    pthread_mutex_lock(&accounts->mutex);
    CraftyAccountRecord *account = find_meant(accounts, who, error);
    if (account) {
        account->is_allowed = is_allowed;
        changed(accounts);
    }
    pthread_mutex_unlock(&accounts->mutex);
    return account;
}

bool crafty_accounts_set_role(CraftyAccounts *accounts, const char *who, CraftyRole role,
                              CnError *error)
{
    pthread_mutex_lock(&accounts->mutex);
    CraftyAccountRecord *account = find_meant(accounts, who, error);
    if (account) {
        account->role = role;
        changed(accounts);
    }
    pthread_mutex_unlock(&accounts->mutex);
    return account;
}

/* ---- Reading ---- */

bool crafty_accounts_find(CraftyAccounts *accounts, const char *who, CraftyAccountRecord *account)
{
    CraftyAccount id;
    pthread_mutex_lock(&accounts->mutex);
    const CraftyAccountRecord *found =
        crafty_account_read(cn_text(who), &id) ? find_id(accounts, &id) : find_name(accounts, who);
    if (found)
        *account = *found;
    pthread_mutex_unlock(&accounts->mutex);
    return found;
}

void crafty_accounts_each(CraftyAccounts *accounts,
                          bool (*visit)(const CraftyAccountRecord *account, void *user), void *user)
{
    pthread_mutex_lock(&accounts->mutex);
    for (uint32_t i = 0; i < accounts->items.count; i++)
        if (!visit(&accounts->items.items[i], user))
            break;
    pthread_mutex_unlock(&accounts->mutex);
}

void crafty_accounts_each_ban(CraftyAccounts *accounts,
                              bool (*visit)(const CraftyBan *ban, void *user), void *user)
{
    pthread_mutex_lock(&accounts->mutex);
    for (uint32_t i = 0; i < accounts->bans.count; i++)
        if (!visit(&accounts->bans.items[i], user))
            break;
    pthread_mutex_unlock(&accounts->mutex);
}

/* ---- The file ---- */

bool crafty_accounts_read(CraftyAccounts *accounts, const char *file, CnText text, CnError *error)
{
    pthread_mutex_lock(&accounts->mutex);
    bool done = crafty_accounts_read_json(accounts, file, text, error);
    pthread_mutex_unlock(&accounts->mutex);
    return done;
}

bool crafty_accounts_write(CraftyAccounts *accounts, CnTextBuilder *text)
{
    pthread_mutex_lock(&accounts->mutex);
    bool done = crafty_accounts_write_json(accounts, text);
    pthread_mutex_unlock(&accounts->mutex);
    return done;
}

bool crafty_accounts_are_changed(CraftyAccounts *accounts)
{
    pthread_mutex_lock(&accounts->mutex);
    bool is_changed = accounts->change != accounts->saved;
    pthread_mutex_unlock(&accounts->mutex);
    return is_changed;
}

static bool save(CraftyAccounts *accounts, CnTextBuilder *text, CnError *error)
{
    pthread_mutex_lock(&accounts->mutex);
    uint64_t change = accounts->change;
    bool is_due = accounts->path && change != accounts->saved;
    bool fits = !is_due || crafty_accounts_write_json(accounts, text);
    pthread_mutex_unlock(&accounts->mutex);
    if (!fits)
        return cn_error_memory(error, "the accounts");
    if (!is_due)
        return true;
    if (!cn_file_write_all(cn_native_files(), accounts->path, text->items, text->count, error))
        return false;
    pthread_mutex_lock(&accounts->mutex);
    accounts->saved = change;
    pthread_mutex_unlock(&accounts->mutex);
    return true;
}

bool crafty_accounts_save(CraftyAccounts *accounts, CnError *error)
{
    CnTextBuilder text;
    cn_array_init(&text, cn_system_allocator());
    pthread_mutex_lock(&accounts->saving);
    bool done = save(accounts, &text, error);
    pthread_mutex_unlock(&accounts->saving);
    cn_array_fini(&text);
    return done;
}

/* A separate file is locked, because the file itself is replaced by every save. */
static bool lock_file(CraftyAccounts *accounts, CnError *error)
{
    char path[CN_FILE_PATH_BYTES];
    if (!cn_format(path, sizeof path, "%s.lock", accounts->path))
        return cn_error_set(error, CN_ERROR_LIMIT, "the path of the accounts is too long");
    accounts->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (accounts->lock < 0)
        return cn_file_set_errno(error, "create", path, errno);
    return !flock(accounts->lock, LOCK_EX | LOCK_NB) ||
           cn_error_set(error, CN_ERROR_PERMISSION,
                        "'%s' is in use by a server that runs: use its console instead",
                        accounts->path);
}

static bool load(CraftyAccounts *accounts, CnError *error)
{
    CnFileBytes bytes;
    if (access(accounts->path, F_OK) && errno == ENOENT)
        return true;
    if (!cn_file_read_all(cn_native_files(), accounts->path, NULL, &bytes, error))
        return false;
    bool done = crafty_accounts_read(accounts, accounts->path,
                                     (CnText){(const char *)bytes.data, bytes.size}, error);
    cn_file_bytes_free(&bytes);
    return done;
}

static void destroy(CraftyAccounts *accounts)
{
    if (accounts->lock >= 0)
        close(accounts->lock);
    cn_array_fini(&accounts->items);
    cn_array_fini(&accounts->bans);
    pthread_mutex_destroy(&accounts->mutex);
    pthread_mutex_destroy(&accounts->saving);
    free(accounts->path);
    cn_free(cn_system_allocator(), accounts, sizeof *accounts);
}

CraftyAccounts *crafty_accounts_open(const char *path, CnError *error)
{
    CraftyAccounts *accounts = cn_alloc_zeroed(cn_system_allocator(), sizeof *accounts);
    char *copy = path ? strdup(path) : NULL;
    if (!accounts || (path && !copy)) {
        cn_free(cn_system_allocator(), accounts, sizeof *accounts);
        free(copy);
        cn_error_memory(error, "the accounts");
        return NULL;
    }
    accounts->path = copy;
    accounts->lock = -1;
    pthread_mutex_init(&accounts->mutex, NULL);
    pthread_mutex_init(&accounts->saving, NULL);
    cn_array_init(&accounts->items, cn_system_allocator());
    cn_array_init(&accounts->bans, cn_system_allocator());
    if (!path || (lock_file(accounts, error) && load(accounts, error)))
        return accounts;
    destroy(accounts);
    return NULL;
}

bool crafty_accounts_close(CraftyAccounts *accounts, CnError *error)
{
    if (!accounts)
        return true;
    bool saved = crafty_accounts_save(accounts, error);
    destroy(accounts);
    return saved;
}
