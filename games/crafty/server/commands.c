#include "commands.h"

#include "event_log.h"
#include "server_internal.h"

#include <cairn/base/version.h>

#include <inttypes.h>
#include <time.h>

#define WORD_BYTES 128u

typedef struct Context {
    CraftyServer *server;
    const CraftyCommandSender *sender;
    CnText rest;
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

/* Calls all worlds that run. Returns whether any succeeded. */
static bool call_all(Context *context, const CraftyWorldRequest *request, bool *all)
{
    bool any = false;
    *all = true;
    for (uint32_t i = 0; i < context->server->host_count; i++) {
        CraftyWorldHost *host = context->server->hosts[i];
        if (crafty_world_host_state(host) != CRAFTY_WORLD_RUNS)
            continue;
        bool done = crafty_world_host_call(host, request, context->reply);
        any = any || done;
        *all = *all && done;
    }
    return any;
}

/* ---- Players ---- */

static bool list(Context *context)
{
    bool all;
    uint32_t before = context->reply->count;
    call_all(context, &(CraftyWorldRequest){.kind = CRAFTY_WORLD_LIST}, &all);
    return context->reply->count > before || answer(context, true, "nobody is playing");
}

/* A line of the chat, which players see as every other one. */
static bool say(Context *context)
{
    bool all;
    CraftyWorldRequest request = {.kind = CRAFTY_WORLD_LINE};
    if (context->rest.size == 0 || context->rest.data[0] == '/')
        return answer(context, false, "expected: say TEXT");
    cn_copy_text(request.text, sizeof request.text, context->rest);
    if (!call_all(context, &request, &all))
        return false;
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "said", CRAFTY_FIELD("by", context->sender->name),
                 CRAFTY_FIELD("text", request.text));
    return true;
}

static bool kick(Context *context)
{
    char who[WORD_BYTES], escaped[256];
    bool all;
    CraftyAccountRecord account;
    CraftyWorldRequest request = {.kind = CRAFTY_WORLD_KICK};
    if (!crafty_next_word(&context->rest, who, sizeof who))
        return answer(context, false, "expected: kick NAME [REASON]");
    if (!crafty_accounts_find(context->server->accounts, who, &account))
        return answer(context, false, "there is no player \"%s\"", who);
    if (context->sender->role != CRAFTY_ROLE_OPERATOR && account.role >= context->sender->role)
        return answer(context, false, "%s has the role %s: only an operator may do that", who,
                      crafty_role_name(account.role));
    request.id = account.id;
    cn_text_escape(context->rest, escaped, sizeof escaped);
    cn_format(request.text, sizeof request.text, "You were removed from the server%s%s",
              escaped[0] ? ": " : ".", escaped);
    if (!call_all(context, &request, &all))
        return answer(context, false, "%s is not playing", who);
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "kicked", CRAFTY_FIELD("player", account.name),
                 CRAFTY_FIELD("by", context->sender->name), CRAFTY_FIELD("reason", escaped));
    return answer(context, true, "%s was removed", account.name);
}

static void kick_banned(Context *context, const CraftyBan *ban)
{
    bool all;
    CnTextBuilder ignored, *reply = context->reply;
    CraftyWorldRequest request = {.kind = CRAFTY_WORLD_KICK, .has_ban = true, .ban = *ban};
    cn_format(request.text, sizeof request.text, "You are banned from this server%s%s",
              ban->reason[0] ? ": " : ".", ban->reason);
    cn_array_init(&ignored, cn_system_allocator());
    context->reply = &ignored;
    call_all(context, &request, &all);
    context->reply = reply;
    cn_array_fini(&ignored);
}

/* ---- Worlds ---- */

static const char *const state_names[] = {"opening", "running", "closing", "closed", "failed"};

static bool status(Context *context)
{
    const CraftyServer *server = context->server;
    answer(context, true, "%s, version %s, running for %" PRId64 " s", server->settings.name,
           cn_version(), (int64_t)time(NULL) - (int64_t)server->metrics.started_at);
    for (uint32_t i = 0; i < server->host_count; i++) {
        const CraftyWorldMetrics *metrics = &server->metrics.worlds[i];
        answer(context, true,
               "%s: %s, %u players, port %u, %" PRIu64 " chunks, tick p50 %.1f ms p99 %.1f ms, "
               "%" PRIu64 " late, %" PRIu64 " skipped, %" PRIu64 " saves (%" PRIu64
               " failed), %" PRIu64 " backups (%" PRIu64 " failed)",
               metrics->name, state_names[crafty_world_host_state(server->hosts[i])],
               atomic_load(&metrics->players), server->settings.worlds[i].port,
               atomic_load(&metrics->chunks),
               (double)crafty_histogram_percentile(&metrics->tick, 50) * 1e-6,
               (double)crafty_histogram_percentile(&metrics->tick, 99) * 1e-6,
               atomic_load(&metrics->ticks_late), atomic_load(&metrics->ticks_skipped),
               atomic_load(&metrics->saves), atomic_load(&metrics->saves_failed),
               atomic_load(&metrics->backups), atomic_load(&metrics->backups_failed));
    }
    return true;
}

static bool save(Context *context)
{
    bool all;
    CnError error = {0};
    bool any = call_all(context, &(CraftyWorldRequest){.kind = CRAFTY_WORLD_SAVE}, &all);
    if (!crafty_accounts_save(context->server->accounts, &error))
        return answer(context, false, "the accounts are not saved: %s", error.message);
    return answer(context, any && all, any && all ? "everything is saved" : "not all is saved");
}

static CraftyWorldHost *find_host(Context *context, const char *name, uint32_t *index)
{
    for (uint32_t i = 0; i < context->server->host_count; i++)
        if (!strcmp(crafty_world_host_name(context->server->hosts[i]), name)) {
            *index = i;
            return context->server->hosts[i];
        }
    answer(context, false, "there is no world \"%s\"; \"status\" lists all worlds", name);
    return NULL;
}

static bool backup(Context *context)
{
    char name[WORD_BYTES];
    uint32_t index = 0;
    bool is_one = crafty_next_word(&context->rest, name, sizeof name);
    if (is_one && !find_host(context, name, &index))
        return false;
    for (uint32_t i = 0; i < context->server->host_count; i++)
        if (!is_one || i == index)
            crafty_backups_request(context->server->backups, i);
    return answer(context, true, "a backup is being made; the log says when it is done");
}

/* A command of the game. */
static bool play_line(Context *context, CraftyWorldHost *host, CnText line)
{
    CraftyWorldRequest request = {.kind = CRAFTY_WORLD_LINE};
    return cn_copy_text(request.text, sizeof request.text, line)
               ? crafty_world_host_call(host, &request, context->reply)
               : answer(context, false, "the line is too long");
}

static bool in_world(Context *context)
{
    char name[WORD_BYTES];
    uint32_t index;
    CraftyWorldHost *host;
    if (!crafty_next_word(&context->rest, name, sizeof name) || context->rest.size == 0 ||
        context->rest.data[0] != '/')
        return answer(context, false, "expected: in WORLD /COMMAND");
    return (host = find_host(context, name, &index)) && play_line(context, host, context->rest);
}

/* ---- The server ---- */

static bool reload(Context *context)
{
    return crafty_server_reload(context->server, context->reply);
}

static bool end(Context *context, CraftyServerEnd how, const char *text)
{
    context->server->is_ending = true;
    context->server->end = how;
    return answer(context, true, "%s", text);
}

static bool stop(Context *context)
{
    return end(context, CRAFTY_SERVER_STOPS, "the server saves and stops");
}

static bool restart(Context *context)
{
    return end(context, CRAFTY_SERVER_RESTARTS, "the server saves and starts again");
}

static bool help(Context *context);

static const struct {
    const char *name, *usage, *help;
    CraftyRole role;
    bool (*run)(Context *context);
} commands[] = {
    {"help", "help", "this list", CRAFTY_ROLE_PLAYER, help},
    {"list", "list", "who is playing", CRAFTY_ROLE_MODERATOR, list},
    {"status", "status", "worlds, ticks, saves, backups", CRAFTY_ROLE_MODERATOR, status},
    {"say", "say TEXT", "shows a line to everybody", CRAFTY_ROLE_MODERATOR, say},
    {"kick", "kick NAME [REASON]", "disconnects a player", CRAFTY_ROLE_MODERATOR, kick},
    {"save", "save", "saves all worlds now", CRAFTY_ROLE_OPERATOR, save},
    {"backup", "backup [WORLD]", "makes a backup now", CRAFTY_ROLE_OPERATOR, backup},
    {"in", "in WORLD /COMMAND", "a command of the game in a world", CRAFTY_ROLE_OPERATOR, in_world},
    {"reload", "reload", "reads the settings again", CRAFTY_ROLE_OPERATOR, reload},
    {"restart", "restart", "saves and starts the program again", CRAFTY_ROLE_OPERATOR, restart},
    {"stop", "stop", "saves and ends", CRAFTY_ROLE_OPERATOR, stop}};

static bool help(Context *context)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(commands); i++)
        cn_text_append_format(context->reply, "  %-36s %s\n", commands[i].usage, commands[i].help);
    crafty_accounts_command_help(context->reply);
    return answer(context, true, "  %-36s %s", "/COMMAND",
                  "a command of the game in the first world, such as /help");
}

static const char *next_name(void *user)
{
    static const char *const others[] = {"accounts", "ban",      "unban", "bans",
                                         "allow",    "disallow", "role"};
    uint32_t i = (*(uint32_t *)user)++;
    if (i < CN_COUNT_OF(commands))
        return commands[i].name;
    i -= (uint32_t)CN_COUNT_OF(commands);
    return i < CN_COUNT_OF(others) ? others[i] : NULL;
}

static bool unknown(Context *context, const char *word)
{
    const char *similar = cn_text_most_similar(word, next_name, &(uint32_t){0});
    return answer(context, false, "unknown command \"%s\"; %s%s%s", word,
                  similar ? "did you mean \"" : "\"help\" lists all commands",
                  similar ? similar : "", similar ? "\"?" : "");
}

static bool run(Context *context, const char *line)
{
    char word[WORD_BYTES];
    if (context->sender->role < CRAFTY_ROLE_MODERATOR)
        return answer(context, false, "only moderators and operators use the console");
    if (line[0] == '/')
        return context->sender->role == CRAFTY_ROLE_OPERATOR
                   ? play_line(context, context->server->hosts[0], cn_text(line))
                   : answer(context, false, "that needs the role operator");
    if (crafty_is_accounts_command(line)) {
        CraftyBan ban;
        bool done = crafty_accounts_command(context->server->accounts, context->sender, line, &ban,
                                            context->reply);
        if (ban.since)
            kick_banned(context, &ban);
        return done;
    }
    crafty_next_word(&context->rest, word, sizeof word);
    for (uint32_t i = 0; i < CN_COUNT_OF(commands); i++)
        if (!strcmp(word, commands[i].name))
            return context->sender->role >= commands[i].role
                       ? commands[i].run(context)
                       : answer(context, false, "that needs the role %s",
                                crafty_role_name(commands[i].role));
    return unknown(context, word);
}

bool crafty_server_command(CraftyServer *server, const CraftyCommandSender *sender,
                           const char *line, CnTextBuilder *reply)
{
    char copy[CRAFTY_CONSOLE_LINE_BYTES];
    CnText trimmed = cn_text_trim(cn_text(line));
    Context context = {.server = server, .sender = sender, .reply = reply};
    if (trimmed.size == 0)
        return true;
    if (!cn_copy_text(copy, sizeof copy, trimmed) || !cn_text_is_utf8(trimmed))
        return answer(&context, false, "a line has at most %u bytes of UTF-8",
                      CRAFTY_CONSOLE_LINE_BYTES - 1);
    context.rest = cn_text(copy);
    bool done = run(&context, copy);
    CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "console_command", CRAFTY_FIELD("by", sender->name),
                 CRAFTY_FIELD("line", copy), CRAFTY_FIELD("result", done ? "done" : "refused"));
    return done;
}
