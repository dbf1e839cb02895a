/* The file of accounts: JSON. Someone may have edited it, so everything is checked, and an error
 * says where it is. */
#include "accounts_internal.h"

#include <cairn/base/json_size.h>

#include <jansson.h>
#include <stdlib.h>

#define VERSION 1
#define MAX_TIME INT64_C(253402300800) /* the year 10000 */

typedef struct Reader {
    const char *file;
    CnError *error;
    char place[64]; /* such as "accounts[3]" */
} Reader;

static bool fail(const Reader *reader, const char *problem)
{
    return cn_error_set_at(reader->error, CN_ERROR_FORMAT, reader->file, 0, 0,
                           "%s: %s; restore the file from a backup or correct it", reader->place,
                           problem);
}

/* ---- Fields ---- */

static bool has_only(const Reader *reader, json_t *object, const char *const *keys)
{
    const char *key;
    json_t *value;
    char problem[128];
    if (!json_is_object(object))
        return fail(reader, "expected an object");
    json_object_foreach(object, key, value)
    {
        uint32_t i = 0;
        while (keys[i] && strcmp(keys[i], key))
            i++;
        if (keys[i])
            continue;
        cn_format(problem, sizeof problem, "unknown key \"%s\"", key);
        return fail(reader, problem);
    }
    return true;
}

static bool read_text(const Reader *reader, json_t *object, const char *key, char *to, size_t bytes)
{
    json_t *value = json_object_get(object, key);
    char problem[128];
    to[0] = '\0';
    if (!value)
        return true;
    CnText text = {json_string_value(value), json_string_length(value)};
    if (json_is_string(value) && !memchr(text.data, '\0', text.size) &&
        cn_copy_text(to, bytes, text))
        return true;
    cn_format(problem, sizeof problem, "%s: expected a text of at most %zu bytes", key, bytes - 1);
    return fail(reader, problem);
}

static bool read_time(const Reader *reader, json_t *object, const char *key, int64_t *time)
{
    json_t *value = json_object_get(object, key);
    char problem[128];
    *time = value ? json_integer_value(value) : 0;
    if (!value || (json_is_integer(value) && *time >= 0 && *time < MAX_TIME))
        return true;
    cn_format(problem, sizeof problem, "%s: expected seconds since 1970", key);
    return fail(reader, problem);
}

static bool read_id(const Reader *reader, json_t *object, const char *key, CraftyAccount *id)
{
    char text[CRAFTY_ACCOUNT_TEXT_BYTES], problem[128];
    if (!read_text(reader, object, key, text, sizeof text))
        return false;
    cn_format(problem, sizeof problem, "%s: expected 64 hexadecimal digits", key);
    return crafty_account_read(cn_text(text), id) || fail(reader, problem);
}

/* ---- Accounts and bans ---- */

static bool read_account(const Reader *reader, json_t *value, CraftyAccountRecord *account)
{
    static const char *const keys[] = {"id",         "name",      "role", "allowed",
                                       "first_seen", "last_seen", NULL};
    char role[16];
    json_t *allowed = json_object_get(value, "allowed");
    *account = (CraftyAccountRecord){0};
    if (!has_only(reader, value, keys) || !read_id(reader, value, "id", &account->id) ||
        !read_text(reader, value, "name", account->name, sizeof account->name) ||
        !read_text(reader, value, "role", role, sizeof role) ||
        !read_time(reader, value, "first_seen", &account->first_seen) ||
        !read_time(reader, value, "last_seen", &account->last_seen))
        return false;
    if (account->name[0] && !crafty_player_name_check(account->name, &(CnError){0}))
        return fail(reader, "name: expected the name of a player");
    if (role[0] && !crafty_role_parse(role, &account->role))
        return fail(reader, "role: expected player, moderator or operator");
    if (allowed && !json_is_boolean(allowed))
        return fail(reader, "allowed: expected true or false");
    account->is_allowed = json_is_true(allowed);
    return true;
}

static bool read_ban(const Reader *reader, json_t *value, CraftyBan *ban)
{
    static const char *const keys[] = {"account", "address", "name", "reason",
                                       "since",   "until",   NULL};
    char address[CRAFTY_ADDRESS_TEXT_BYTES], reason[CRAFTY_BAN_REASON_BYTES];
    *ban = (CraftyBan){0};
    if (!has_only(reader, value, keys) ||
        !read_text(reader, value, "address", address, sizeof address) ||
        !read_text(reader, value, "name", ban->name, sizeof ban->name) ||
        !read_text(reader, value, "reason", reason, sizeof reason) ||
        !read_time(reader, value, "since", &ban->since) ||
        !read_time(reader, value, "until", &ban->until))
        return false;
    cn_text_escape(cn_text(reason), ban->reason, sizeof ban->reason);
    if (ban->name[0] && !crafty_player_name_check(ban->name, &(CnError){0}))
        return fail(reader, "name: expected the name of a player");
    ban->is_address = address[0];
    if (!ban->is_address)
        return read_id(reader, value, "account", &ban->id);
    return crafty_address_range_parse(&ban->range, address) ||
           fail(reader, "address: expected an address or a range, such as 192.0.2.0/24");
}

/* ---- Reading ---- */

typedef struct Content {
    CN_ARRAY(CraftyAccountRecord) items;
    CN_ARRAY(CraftyBan) bans;
} Content;

static int compare_ids(const void *a, const void *b)
{
    return memcmp(&((const CraftyAccountRecord *)a)->id, &((const CraftyAccountRecord *)b)->id,
                  CRAFTY_ACCOUNT_KEY_BYTES);
}

static int compare_names(const void *a, const void *b)
{
    uint64_t key_a = crafty_name_key(cn_text(((const CraftyAccountRecord *)a)->name));
    uint64_t key_b = crafty_name_key(cn_text(((const CraftyAccountRecord *)b)->name));
    return (key_a > key_b) - (key_a < key_b);
}

/* Sorts the accounts by id at the end. */
static bool check_unique(Reader *reader, Content *content)
{
    CraftyAccountRecord *items = content->items.items;
    uint32_t count = content->items.count;
    const char *same = NULL;
    if (count < 2)
        return true;
    qsort(items, count, sizeof *items, compare_names);
    for (uint32_t i = 1; i < count && !same; i++)
        if (items[i].name[0] && compare_names(&items[i - 1], &items[i]) == 0)
            same = "two accounts have the same name";
    qsort(items, count, sizeof *items, compare_ids);
    for (uint32_t i = 1; i < count && !same; i++)
        if (compare_ids(&items[i - 1], &items[i]) == 0)
            same = "two accounts have the same id";
    cn_copy_text(reader->place, sizeof reader->place, cn_text("accounts"));
    return !same || fail(reader, same);
}

static bool read_accounts(Reader *reader, json_t *list, Content *content)
{
    size_t i;
    json_t *value;
    CraftyAccountRecord account;
    json_array_foreach(list, i, value)
    {
        cn_format(reader->place, sizeof reader->place, "accounts[%zu]", i);
        if (!read_account(reader, value, &account))
            return false;
        if (!cn_array_push(&content->items, account))
            return cn_error_memory(reader->error, "the accounts");
    }
    return check_unique(reader, content);
}

static bool read_bans(Reader *reader, json_t *list, Content *content)
{
    size_t i;
    json_t *value;
    CraftyBan ban;
    json_array_foreach(list, i, value)
    {
        cn_format(reader->place, sizeof reader->place, "bans[%zu]", i);
        if (!read_ban(reader, value, &ban))
            return false;
        if (!cn_array_push(&content->bans, ban))
            return cn_error_memory(reader->error, "the bans");
    }
    return true;
}

static bool read_root(Reader *reader, json_t *root, Content *content)
{
    static const char *const keys[] = {"version", "accounts", "bans", NULL};
    json_t *version = json_object_get(root, "version"), *items = json_object_get(root, "accounts"),
           *bans = json_object_get(root, "bans");
    if (json_is_integer(version) && json_integer_value(version) > VERSION)
        return cn_error_set_at(reader->error, CN_ERROR_VERSION, reader->file, 0, 0,
                               "the accounts are of a newer version of crafty-server");
    if (!has_only(reader, root, keys))
        return false;
    if (!json_is_integer(version) || json_integer_value(version) != VERSION)
        return fail(reader, "version: expected 1");
    if (!json_is_array(items) || json_array_size(items) > CRAFTY_ACCOUNTS_MAX)
        return fail(reader, "accounts: expected an array of at most 16384 accounts");
    if (!json_is_array(bans) || json_array_size(bans) > CRAFTY_BANS_MAX)
        return fail(reader, "bans: expected an array of at most 4096 bans");
    return read_accounts(reader, items, content) && read_bans(reader, bans, content);
}

bool crafty_accounts_read_json(CraftyAccounts *accounts, const char *file, CnText text,
                               CnError *error)
{
    Reader reader = {.file = file, .error = error, .place = "the file"};
    Content content;
    json_error_t json_error;
    CnJsonSize size = cn_json_measure(text);
    if (text.size > CRAFTY_ACCOUNTS_FILE_BYTES || size.depth > 4)
        return fail(&reader, "too large or too deeply nested");
    json_t *root =
        json_loadb(text.data ? text.data : "", text.size, JSON_REJECT_DUPLICATES, &json_error);
    if (!root)
        return cn_error_set_at(error, CN_ERROR_FORMAT, file, json_error.line, json_error.column,
                               "%s; restore the file from a backup or correct it", json_error.text);
    cn_array_init(&content.items, cn_system_allocator());
    cn_array_init(&content.bans, cn_system_allocator());
    bool done = read_root(&reader, root, &content);
    json_decref(root);
    if (done) { /* the old content is freed below */
        Content old = {0};
        memcpy(&old.items, &accounts->items, sizeof old.items);
        memcpy(&old.bans, &accounts->bans, sizeof old.bans);
        memcpy(&accounts->items, &content.items, sizeof content.items);
        memcpy(&accounts->bans, &content.bans, sizeof content.bans);
        content = old;
    }
    cn_array_fini(&content.items);
    cn_array_fini(&content.bans);
    return done;
}

/* ---- Writing ---- */

static json_t *account_json(const CraftyAccountRecord *account)
{
    char id[CRAFTY_ACCOUNT_TEXT_BYTES];
    return json_pack("{s:s, s:s, s:s, s:b, s:I, s:I}", "id", crafty_account_write(&account->id, id),
                     "name", account->name, "role", crafty_role_name(account->role), "allowed",
                     (int)account->is_allowed, "first_seen", (json_int_t)account->first_seen,
                     "last_seen", (json_int_t)account->last_seen);
}

static json_t *ban_json(const CraftyBan *ban)
{
    char id[CRAFTY_ACCOUNT_TEXT_BYTES], address[CRAFTY_ADDRESS_TEXT_BYTES];
    const char *who = ban->is_address ? crafty_address_range_text(&ban->range, address)
                                      : crafty_account_write(&ban->id, id);
    return json_pack("{s:s, s:s, s:s, s:I, s:I}", ban->is_address ? "address" : "account", who,
                     "name", ban->name, "reason", ban->reason, "since", (json_int_t)ban->since,
                     "until", (json_int_t)ban->until);
}

static int append(const char *bytes, size_t size, void *text)
{
    return cn_text_append(text, (CnText){bytes, size}) ? 0 : -1;
}

bool crafty_accounts_write_json(const CraftyAccounts *accounts, CnTextBuilder *text)
{
    json_t *items = json_array(), *bans = json_array();
    bool done = items && bans;
    for (uint32_t i = 0; done && i < accounts->items.count; i++)
        done = !json_array_append_new(items, account_json(&accounts->items.items[i]));
    for (uint32_t i = 0; done && i < accounts->bans.count; i++)
        done = !json_array_append_new(bans, ban_json(&accounts->bans.items[i]));
    json_t *root =
        json_pack("{s:i, s:o, s:o}", "version", VERSION, "accounts", items, "bans", bans);
    done = done && root && !json_dump_callback(root, append, text, JSON_INDENT(1)) &&
           cn_text_append(text, cn_text("\n"));
    json_decref(root);
    return done;
}
