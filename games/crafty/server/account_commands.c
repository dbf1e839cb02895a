/* Commands about accounts: roles, bans, the allow list. */
#include "commands.h"

#include "settings_table.h"

#include <time.h>

#define WORD_BYTES 128u
#define MAX_BAN_SECONDS (10u * 366u * 86400u)

bool crafty_next_word(CnText *rest, char *word, size_t bytes)
{
    *rest = cn_text_trim(*rest);
    bool is_quoted = rest->size > 0 && rest->data[0] == '"';
    CnText text = {rest->data + is_quoted, rest->size - is_quoted}, part;
    word[0] = '\0';
    if (rest->size == 0 || !cn_text_split(&text, is_quoted ? '"' : ' ', &part))
        return false;
    *rest = cn_text_trim(text);
    return cn_copy_text(word, bytes, part) && part.size > 0;
}

typedef struct Context {
    CraftyAccounts *accounts;
    const CraftyCommandSender *sender;
    CnText rest; /* of the line, behind the command */
    CraftyBan *ban;
    bool has_ban;
    CnTextBuilder *reply;
} Context;

static bool answer(Context *context, bool succeeded, const char *format, ...) CN_PRINTF_LIKE(3, 4);
static bool answer(Context *context, bool succeeded, const char *format, ...)
{
    char text[1024], escaped[2048];
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    cn_text_append_format(context->reply, "%s\n",
                          cn_text_escape(cn_text(text), escaped, sizeof escaped));
    return succeeded;
}

/* Makes a change durable before it is confirmed. */
static bool confirm(Context *context, const char *format, ...) CN_PRINTF_LIKE(2, 3);
static bool confirm(Context *context, const char *format, ...)
{
    char text[512];
    CnError error = {0};
    va_list arguments;
    va_start(arguments, format);
    cn_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    if (crafty_accounts_save(context->accounts, &error))
        return answer(context, true, "%s", text);
    return answer(context, false, "%s, but that is not saved yet: %s", text, error.message);
}

/* Nobody changes those who have the same rights, or more, except operators. */
static bool may_change(Context *context, const char *who)
{
    CraftyAccountRecord account;
    if (context->sender->role == CRAFTY_ROLE_OPERATOR ||
        !crafty_accounts_find(context->accounts, who, &account) ||
        account.role < context->sender->role)
        return true;
    return answer(context, false, "%s has the role %s: only an operator may do that", who,
                  crafty_role_name(account.role));
}

static void format_time(int64_t time, char text[32])
{
    time_t seconds = (time_t)time;
    struct tm utc;
    if (time == 0 || !gmtime_r(&seconds, &utc) || !strftime(text, 32, "%Y-%m-%d %H:%M UTC", &utc))
        cn_format(text, 32, "never");
}

/* ---- Bans ---- */

/* Reads a time such as "7d", if the next word begins with a digit. */
static bool read_time(Context *context, uint32_t *seconds)
{
    static const CraftySetting setting = {
        .type = CRAFTY_SETTING_DURATION, .minimum = 1, .maximum = MAX_BAN_SECONDS};
    char word[WORD_BYTES], expected[CRAFTY_EXPECTED_BYTES];
    CnText rest = context->rest;
    *seconds = 0;
    if (!crafty_next_word(&rest, word, sizeof word) || word[0] < '0' || word[0] > '9')
        return true;
    if (!crafty_setting_read(&setting, seconds, cn_text(word), expected))
        return answer(context, false, "expected a time, such as 30min, 12h or 7d, not \"%s\"",
                      word);
    context->rest = rest;
    return true;
}

static bool ban(Context *context)
{
    char who[WORD_BYTES], reason[CRAFTY_BAN_REASON_BYTES], until[32];
    CnError error = {0};
    uint32_t seconds;
    if (!crafty_next_word(&context->rest, who, sizeof who))
        return answer(context, false, "expected: ban NAME|ADDRESS [TIME] [REASON]");
    if (!may_change(context, who) || !read_time(context, &seconds))
        return false;
    cn_copy_text(reason, sizeof reason, context->rest);
    CraftyBanRequest request = {
        .who = who, .reason = reason, .now = (int64_t)time(NULL), .seconds = seconds};
    if (!crafty_accounts_ban(context->accounts, &request, context->ban, &error))
        return answer(context, false, "%s", error.message);
    context->has_ban = true;
    format_time(context->ban->until, until);
    return confirm(context, "%s is banned %s%s", who, context->ban->until ? "until " : "",
                   context->ban->until ? until : "for good");
}

static bool unban(Context *context)
{
    char who[WORD_BYTES];
    CnError error = {0};
    if (!crafty_next_word(&context->rest, who, sizeof who))
        return answer(context, false, "expected: unban NAME|ADDRESS");
    if (!crafty_accounts_unban(context->accounts, who, &error))
        return answer(context, false, "%s", error.message);
    return confirm(context, "%s is not banned any more", who);
}

static bool list_ban(const CraftyBan *ban, void *user)
{
    Context *context = user;
    char address[CRAFTY_ADDRESS_TEXT_BYTES], id[CRAFTY_ACCOUNT_TEXT_BYTES], until[32];
    const char *who = ban->is_address ? crafty_address_range_text(&ban->range, address)
                      : ban->name[0]  ? ban->name
                                      : crafty_account_write(&ban->id, id);
    format_time(ban->until, until);
    return answer(context, true, "%s  %s%s  %s", who, ban->until ? "until " : "",
                  ban->until ? until : "for good", ban->reason);
}

static bool list_bans(Context *context)
{
    uint32_t before = context->reply->count;
    crafty_accounts_each_ban(context->accounts, list_ban, context);
    return context->reply->count > before || answer(context, true, "nobody is banned");
}

/* ---- Allow list and roles ---- */

static bool change_allowed(Context *context, bool is_allowed)
{
    char who[WORD_BYTES];
    CnError error = {0};
    if (!crafty_next_word(&context->rest, who, sizeof who))
        return answer(context, false, "expected: %s NAME", is_allowed ? "allow" : "disallow");
    if (!crafty_accounts_allow(context->accounts, who, is_allowed, &error))
        return answer(context, false, "%s", error.message);
    return confirm(context, "%s is %s the allow list", who, is_allowed ? "on" : "not on");
}

static bool allow(Context *context)
{
    return change_allowed(context, true);
}

static bool disallow(Context *context)
{
    return change_allowed(context, false);
}

static bool set_role(Context *context)
{
    char who[WORD_BYTES], name[WORD_BYTES];
    CnError error = {0};
    CraftyRole role;
    if (!crafty_next_word(&context->rest, who, sizeof who) ||
        !crafty_next_word(&context->rest, name, sizeof name) || !crafty_role_parse(name, &role))
        return answer(context, false, "expected: role NAME player|moderator|operator");
    if (!crafty_accounts_set_role(context->accounts, who, role, &error))
        return answer(context, false, "%s", error.message);
    return confirm(context, "%s has the role %s now", who, name);
}

static bool list_account(const CraftyAccountRecord *account, void *user)
{
    Context *context = user;
    char id[CRAFTY_ACCOUNT_TEXT_BYTES], seen[32];
    format_time(account->last_seen, seen);
    return answer(context, true, "%s  %s%s  last seen %s  %s",
                  account->name[0] ? account->name : "-", crafty_role_name(account->role),
                  account->is_allowed ? ", allowed" : "", seen,
                  crafty_account_write(&account->id, id));
}

static bool list_accounts(Context *context)
{
    uint32_t before = context->reply->count;
    crafty_accounts_each(context->accounts, list_account, context);
    return context->reply->count > before || answer(context, true, "nobody has joined yet");
}

/* ---- All ---- */

static const struct {
    const char *name, *usage, *help;
    CraftyRole role; /* at least */
    bool (*run)(Context *context);
} commands[] = {
    {"accounts", "accounts", "all accounts with role and time", CRAFTY_ROLE_MODERATOR,
     list_accounts},
    {"ban", "ban NAME|ADDRESS [TIME] [REASON]",
     "refuses a player, an address or a range such as 192.0.2.0/24; TIME such as 12h or 7d",
     CRAFTY_ROLE_MODERATOR, ban},
    {"unban", "unban NAME|ADDRESS", "ends a ban", CRAFTY_ROLE_MODERATOR, unban},
    {"bans", "bans", "all bans", CRAFTY_ROLE_MODERATOR, list_bans},
    {"allow", "allow NAME", "adds a player to the allow list", CRAFTY_ROLE_OPERATOR, allow},
    {"disallow", "disallow NAME", "removes a player from the allow list", CRAFTY_ROLE_OPERATOR,
     disallow},
    {"role", "role NAME player|moderator|operator", "gives a player rights", CRAFTY_ROLE_OPERATOR,
     set_role}};

static int find_command(const char *line, CnText *rest)
{
    char word[WORD_BYTES];
    *rest = cn_text(line);
    crafty_next_word(rest, word, sizeof word);
    for (uint32_t i = 0; i < CN_COUNT_OF(commands); i++)
        if (!strcmp(word, commands[i].name))
            return (int)i;
    return -1;
}

bool crafty_is_accounts_command(const char *line)
{
    CnText rest;
    return find_command(line, &rest) >= 0;
}

void crafty_accounts_command_help(CnTextBuilder *reply)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(commands); i++)
        cn_text_append_format(reply, "  %-36s %s\n", commands[i].usage, commands[i].help);
}

bool crafty_accounts_command(CraftyAccounts *accounts, const CraftyCommandSender *sender,
                             const char *line, CraftyBan *new_ban, CnTextBuilder *reply)
{
    CraftyBan unused;
    Context context = {
        .accounts = accounts, .sender = sender, .ban = new_ban ? new_ban : &unused, .reply = reply};
    int found = find_command(line, &context.rest);
    if (new_ban)
        *new_ban = (CraftyBan){0};
    if (found < 0)
        return answer(&context, false, "unknown command");
    if (sender->role < commands[found].role)
        return answer(&context, false, "that needs the role %s",
                      crafty_role_name(commands[found].role));
    bool done = commands[found].run(&context);
    if (new_ban && !context.has_ban)
        *new_ban = (CraftyBan){0};
    return done;
}
