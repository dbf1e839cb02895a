/* Requests to a world of a server: the caller waits, the thread of the world carries them out. */
#include "world_host_internal.h"

#include <errno.h>
#include <time.h>

#define CALL_SECONDS 10

/* A request that waits, shared by the caller and the thread of the world. */
typedef struct CraftyWorldCall {
    CraftyWorldRequest request;
    CraftyServerSettings *settings;
    CnTextBuilder reply;
    bool is_done, is_abandoned, succeeded;
    uint64_t answer_at; /* the tick after which lines are answered; 0: not begun */
    struct CraftyWorldCall *next;
} Call;

static void append_players(CraftyWorldHost *host, CnTextBuilder *reply)
{
    const CraftyServerNetwork *network = host->desc.network;
    size_t bytes = CRAFTY_LISTED_PLAYERS * sizeof(CraftyServerPlayer);
    CraftyServerPlayer *players = cn_alloc(NULL, bytes);
    uint32_t count = players && host->network && network->players
                         ? network->players(host->network, players, CRAFTY_LISTED_PLAYERS)
                         : 0;
    char id[CRAFTY_ACCOUNT_TEXT_BYTES];
    for (uint32_t i = 0; i < count && i < CRAFTY_LISTED_PLAYERS; i++)
        cn_text_append_format(reply, "%s  %s  %s  %s  %u ms  %s\n", players[i].name,
                              crafty_role_name(players[i].role), host->world->name,
                              players[i].address, players[i].ping_ms,
                              crafty_account_write(&players[i].id, id));
    cn_free(NULL, players, bytes);
}

static bool kick(CraftyWorldHost *host, const CraftyWorldRequest *request)
{
    const CraftyServerNetwork *network = host->desc.network;
    if (!host->network)
        return false;
    if (request->has_ban)
        return network->kick_banned &&
               network->kick_banned(host->network, &request->ban, request->text) > 0;
    return network->kick && network->kick(host->network, &request->id, request->text);
}

static void change_settings(CraftyWorldHost *host, const CraftyServerSettings *settings)
{
    host->settings = *settings;
    host->world = &host->settings.worlds[host->desc.index];
    if (host->network && host->desc.network->reload)
        host->desc.network->reload(host->network);
}

/* What was said, and notices of the game. */
void crafty_world_host_log_lines(CraftyWorldHost *host)
{
    CnTextBuilder lines;
    cn_array_init(&lines, cn_system_allocator());
    crafty_server_console_drain(&host->console, &lines);
    CnText rest = {lines.items, lines.count}, line;
    while (cn_text_split(&rest, '\n', &line)) {
        char text[CRAFTY_CONSOLE_LINE_BYTES];
        cn_copy_text(text, sizeof text, line);
        CRAFTY_EVENT(CN_LOG_LEVEL_INFO, "chat", CRAFTY_FIELD("world", host->world->name),
                     CRAFTY_FIELD("line", text));
    }
    cn_array_fini(&lines);
}

/* Lines are sent to the next tick, and answered after it. Returns whether the call is done. */
static bool carry_out_line(CraftyWorldHost *host, Call *call)
{
    uint64_t tick = cn_sim_tick(crafty_session_sim(host->session));
    if (call->answer_at == 0) {
        crafty_world_host_log_lines(host);
        call->answer_at = tick + 1;
        size_t size = strlen(call->request.text);
        call->succeeded =
            crafty_server_console_feed(&host->console, call->request.text, (uint32_t)size) == 0 &&
            crafty_server_console_feed(&host->console, "\n", 1) == 0;
        if (!call->succeeded)
            cn_text_append_format(&call->reply, "a line has at most %u bytes of plain text\n",
                                  CRAFTY_COMMAND_TEXT_BYTES - 1);
        return !call->succeeded;
    }
    if (tick < call->answer_at)
        return false;
    crafty_server_console_drain(&host->console, &call->reply);
    return true;
}

static bool carry_out(CraftyWorldHost *host, Call *call)
{
    const CraftyServerNetwork *network = host->desc.network;
    const CraftyWorldRequest *request = &call->request;
    CnError error = {0};
    call->succeeded = true;
    switch (request->kind) {
    case CRAFTY_WORLD_LINE:
        return carry_out_line(host, call);
    case CRAFTY_WORLD_SAVE:
        call->succeeded = crafty_world_host_save_now(host, &error);
        if (!call->succeeded)
            cn_text_append_format(&call->reply, "%s\n", error.message);
        return true;
    case CRAFTY_WORLD_LIST:
        append_players(host, &call->reply);
        return true;
    case CRAFTY_WORLD_KICK:
        call->succeeded = kick(host, request);
        return true;
    case CRAFTY_WORLD_REPLY:
        if (host->network && network->reply)
            network->reply(host->network, &request->id, request->text);
        return true;
    default:
        change_settings(host, call->settings);
        return true;
    }
}

static void free_call(Call *call)
{
    cn_array_fini(&call->reply);
    cn_free(NULL, call->settings, sizeof *call->settings);
    cn_free(NULL, call, sizeof *call);
}

/* With the mutex held. */
static void finish_first(CraftyWorldHost *host)
{
    Call *call = host->calls;
    host->calls = call->next;
    if (call->is_abandoned)
        free_call(call);
    else
        call->is_done = true;
    pthread_cond_broadcast(&host->changed);
}

/* Carries out requests in order, until one has to wait for a tick. */
void crafty_world_host_answer_calls(CraftyWorldHost *host)
{
    pthread_mutex_lock(&host->mutex);
    for (Call *call; (call = host->calls);) {
        pthread_mutex_unlock(&host->mutex);
        bool is_done = carry_out(host, call);
        pthread_mutex_lock(&host->mutex);
        if (!is_done)
            break;
        finish_first(host);
    }
    pthread_mutex_unlock(&host->mutex);
}

void crafty_world_host_refuse_calls(CraftyWorldHost *host)
{
    pthread_mutex_lock(&host->mutex);
    while (host->calls) {
        host->calls->succeeded = false;
        cn_text_append_format(&host->calls->reply, "the world %s is closed\n", host->world->name);
        finish_first(host);
    }
    pthread_mutex_unlock(&host->mutex);
}

/* ---- The caller ---- */

/* Appends the call and waits for it, with the mutex held. Returns whether it is done. */
static bool wait_for(CraftyWorldHost *host, Call *call)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += CALL_SECONDS;
    Call **last = &host->calls;
    while (*last)
        last = &(*last)->next;
    *last = call;
    while (!call->is_done)
        if (pthread_cond_timedwait(&host->changed, &host->mutex, &until) == ETIMEDOUT)
            break;
    call->is_abandoned = !call->is_done;
    return call->is_done;
}

static Call *make_call(const CraftyWorldRequest *request)
{
    Call *call = cn_alloc_zeroed(NULL, sizeof *call);
    if (!call)
        return NULL;
    call->request = *request;
    cn_array_init(&call->reply, cn_system_allocator());
    if (!request->settings)
        return call;
    call->settings = cn_alloc(NULL, sizeof *call->settings);
    if (call->settings) {
        *call->settings = *request->settings;
        return call;
    }
    free_call(call);
    return NULL;
}

bool crafty_world_host_call(CraftyWorldHost *host, const CraftyWorldRequest *request,
                            CnTextBuilder *reply)
{
    Call *call = make_call(request);
    if (!call)
        return false;
    pthread_mutex_lock(&host->mutex);
    bool runs = crafty_world_host_state(host) == CRAFTY_WORLD_RUNS;
    bool is_done = runs && wait_for(host, call), is_abandoned = call->is_abandoned;
    pthread_mutex_unlock(&host->mutex);
    if (!is_done)
        cn_text_append_format(reply, "the world %s %s\n", crafty_world_host_name(host),
                              runs ? "does not answer" : "does not run");
    if (is_abandoned)
        return false; /* freed by the thread of the world */
    bool succeeded = is_done && call->succeeded;
    cn_text_append(reply, (CnText){call->reply.items, call->reply.count});
    free_call(call);
    return succeeded;
}
