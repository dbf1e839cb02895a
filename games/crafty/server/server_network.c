#include "server_network.h"

#include "crafty/net/net_server.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>

#include <string.h>
#include <time.h>

#define LONGEST_WAIT_US 5000u
#define CLOSE_NS 1000000000ull
#define METRICS_TICKS 60u
#define STATUS_TICKS 120u

_Static_assert(CRAFTY_NET_PORT == CRAFTY_SERVER_PORT, "clients and servers have the same default");

/* Who plays here, beside what the sessions know. */
typedef struct Presence {
    uint32_t player; /* 0: free */
    CraftyAccount account;
    char name[CRAFTY_PLAYER_NAME_BYTES];
    int64_t joined_at;
} Presence;

typedef struct Network {
    CraftyServerNetworkDesc desc;
    CnNetKey *key;
    CnNetEndpoint *endpoint;
    CraftyNetServer *server;
    CN_ARRAY(Presence) players;
    uint64_t ticks;
} Network;

static int64_t now_seconds(void)
{
    return (int64_t)time(NULL);
}

/* ---- Players ---- */

static CraftyServerRefusal refusal_of(CraftyAdmissionResult result)
{
    switch (result) {
    case CRAFTY_REFUSED_NAME:
        return CRAFTY_SERVER_REFUSED_NAME;
    case CRAFTY_REFUSED_NAME_TAKEN:
        return CRAFTY_SERVER_REFUSED_NAME_TAKEN;
    case CRAFTY_REFUSED_BANNED:
        return CRAFTY_SERVER_REFUSED_BANNED;
    case CRAFTY_REFUSED_NOT_ALLOWED:
        return CRAFTY_SERVER_REFUSED_NOT_ALLOWED;
    case CRAFTY_ADMITTED:
    case CRAFTY_REFUSED_MEMORY:
    case CRAFTY_ADMISSION_COUNT:
        break;
    }
    return CRAFTY_SERVER_REFUSED_MEMORY;
}

static bool admit(void *user, const CraftyJoinRequest *request, CraftyJoinAnswer *answer)
{
    Network *network = user;
    char address[CN_NET_ADDRESS_TEXT_BYTES], key[CRAFTY_ACCOUNT_TEXT_BYTES];
    CraftyAccountRecord known;
    CraftyAccountsAdmission admission;
    const char *name = request->name;
    if (!name[0] && crafty_accounts_find(network->desc.accounts,
                                         crafty_account_write(&request->account, key), &known))
        name = known.name;
    bool is_admitted = crafty_accounts_admit(
        network->desc.accounts,
        &(CraftyAdmissionRequest){.id = request->account,
                                  .name = name,
                                  .address = cn_net_address_text(&request->address, address),
                                  .now = now_seconds(),
                                  .has_allow_list = network->desc.settings->allow_list != 0},
        &admission);
    answer->role = admission.role;
    cn_copy_text(answer->name, sizeof answer->name, cn_text(is_admitted ? name : ""));
    cn_copy_text(answer->reason, sizeof answer->reason, cn_text(admission.reason));
    if (!is_admitted) {
        atomic_fetch_add(&network->desc.metrics->refused[refusal_of(admission.result)], 1);
        CN_LOG_INFO("server", "refused %s: %s", address, admission.reason);
    }
    return is_admitted;
}

static void joined(void *user, uint32_t player, const CraftyAccount *account, const char *name)
{
    Network *network = user;
    char key[CRAFTY_ACCOUNT_TEXT_BYTES];
    Presence presence = {.player = player, .account = *account, .joined_at = now_seconds()};
    cn_copy_text(presence.name, sizeof presence.name, cn_text(name));
    if (!cn_array_push(&network->players, presence))
        CN_LOG_WARNING("server", "out of memory for the list of players");
    atomic_fetch_add(&network->desc.metrics->joins, 1);
    CN_LOG_INFO("server", "%s joined as player %u with the account %s", name, player,
                crafty_account_write(account, key));
}

static void left(void *user, uint32_t player, const char *reason)
{
    Network *network = user;
    for (uint32_t i = 0; i < network->players.count; i++)
        if (network->players.items[i].player == player) {
            CN_LOG_INFO("server", "%s left: %s", network->players.items[i].name, reason);
            network->players.items[i] = network->players.items[--network->players.count];
            break;
        }
    atomic_fetch_add(&network->desc.metrics->leaves, 1);
}

/* ---- Opening ---- */

static void destroy(Network *network)
{
    crafty_net_server_destroy(network->server);
    cn_net_endpoint_destroy(network->endpoint);
    cn_net_key_destroy(network->key);
    cn_array_fini(&network->players);
    cn_free(cn_system_allocator(), network, sizeof *network);
}

static bool listen_at(Network *network, CnError *error)
{
    const CraftyServerSettings *settings = network->desc.settings;
    CnNetEndpointDesc desc = {
        .key = network->key,
        .protocol = CRAFTY_NET_PROTOCOL,
        .is_server = true,
        .limits = {.connections = network->desc.world->max_players + 64,
                   .connections_per_address = settings->connections_per_address,
                   .handshakes_per_address = settings->handshakes_per_address,
                   .handshake_timeout_ms = settings->handshake_timeout * 1000,
                   .idle_timeout_ms = settings->idle_timeout * 1000}};
    const char *bind = settings->bind[0] ? settings->bind : "[::]";
    if (!cn_net_address_resolve(cn_text(bind), 0, &desc.bind, error))
        return false;
    desc.bind.port = (uint16_t)network->desc.world->port;
    network->endpoint = cn_net_endpoint_create(&desc, error);
    return network->endpoint != NULL;
}

static bool serve(Network *network, CnError *error)
{
    const CraftyServerSettings *settings = network->desc.settings;
    CraftySession *session = network->desc.session;
    network->server = crafty_net_server_create(
        &(CraftyNetServerDesc){.endpoint = network->endpoint,
                               .sim = crafty_session_sim(session),
                               .world = crafty_session_world(session),
                               .start = crafty_session_start(session),
                               .name = network->desc.world->name,
                               .max_players = network->desc.world->max_players,
                               .view_distance = settings->view_distance,
                               .snapshot_hz = settings->snapshot_rate,
                               .bytes_per_second = settings->bandwidth,
                               .admit = admit,
                               .joined = joined,
                               .left = left,
                               .user = network},
        error);
    return network->server != NULL;
}

/* What lists of servers show: "crafty/1", players, most players, name and description, each ending
 * with a zero. */
static void set_status(Network *network)
{
    char status[CN_NET_STATUS_BYTES];
    const CraftyServerSettings *settings = network->desc.settings;
    uint32_t players = crafty_net_server_stats(network->server).players;
    if (settings->announce &&
        cn_format(status, sizeof status, "%s%c%u%c%u%c%s%c%s", CRAFTY_NET_PROTOCOL, 0, players, 0,
                  network->desc.world->max_players, 0, settings->name, 0, settings->description)) {
        size_t size = sizeof CRAFTY_NET_PROTOCOL;
        for (uint32_t part = 0; part < 4; part++)
            size += strlen(status + size) + 1;
        cn_net_set_status(network->endpoint, status, size);
    }
}

static void *open_network(const CraftyServerNetworkDesc *desc, CnError *error)
{
    Network *network = cn_alloc_zeroed(cn_system_allocator(), sizeof *network);
    char key[CN_NET_KEY_TEXT_BYTES], address[CN_NET_ADDRESS_TEXT_BYTES];
    if (!network) {
        cn_error_memory(error, "the network");
        return NULL;
    }
    network->desc = *desc;
    cn_array_init(&network->players, cn_system_allocator());
    network->key = cn_net_key_open(desc->key_path, error);
    if (!network->key || !listen_at(network, error) || !serve(network, error)) {
        destroy(network);
        return NULL;
    }
    CnNetAddress bound = cn_net_endpoint_address(network->endpoint);
    CN_LOG_INFO("server", "world %s listens at %s with the key %s", desc->world->name,
                cn_net_address_text(&bound, address),
                cn_net_key_id_text(cn_net_key_id(network->key), key));
    set_status(network);
    return network;
}

/* ---- Ticks ---- */

static bool receive(Network *network, uint32_t wait_us, CnError *error)
{
    CnNetEvent event;
    if (!cn_net_poll(network->endpoint, wait_us, error))
        return false;
    while (cn_net_next_event(network->endpoint, &event))
        crafty_net_server_event(network->server, &event);
    return true;
}

/* An error of the socket is reported by the next tick. */
static void wait_until(void *user, uint64_t until_ns)
{
    CnError error = {0};
    for (uint64_t now; (now = cn_clock_ns()) < until_ns;) {
        uint64_t left_us = (until_ns - now) / 1000;
        uint32_t wait_us = left_us < LONGEST_WAIT_US ? (uint32_t)left_us : LONGEST_WAIT_US;
        if (wait_us == 0 || !receive(user, wait_us, &error))
            cn_clock_sleep_ns(until_ns - now);
    }
}

static bool before_tick(void *user, CnError *error)
{
    Network *network = user;
    if (!receive(network, 0, error))
        return false;
    crafty_net_server_before_tick(network->server);
    return true;
}

static void update_metrics(Network *network)
{
    CraftyWorldMetrics *metrics = network->desc.metrics;
    CnNetEndpointStats stats = cn_net_endpoint_stats(network->endpoint);
    CraftyNetServerStats server = crafty_net_server_stats(network->server);
    atomic_store(&metrics->players, server.players);
    atomic_store(&metrics->bytes_in, stats.bytes_received);
    atomic_store(&metrics->bytes_out, stats.bytes_sent);
    atomic_store(&metrics->packets_in, stats.packets_received);
    atomic_store(&metrics->packets_out, stats.packets_sent);
    atomic_store(&metrics->packets_dropped, stats.packets_dropped);
    atomic_store(&metrics->refused[CRAFTY_SERVER_REFUSED_LIMIT], stats.refused);
    atomic_store(&metrics->refused[CRAFTY_SERVER_REFUSED_PROTOCOL], server.invalid_messages);
}

static bool after_tick(void *user, CnError *error)
{
    Network *network = user;
    crafty_net_server_after_tick(network->server);
    if (network->ticks % METRICS_TICKS == 0)
        update_metrics(network);
    if (network->ticks++ % STATUS_TICKS == 0)
        set_status(network);
    return cn_net_poll(network->endpoint, 0, error);
}

/* ---- The console ---- */

static uint32_t list_players(void *user, CraftyServerPlayer *players, uint32_t capacity)
{
    Network *network = user;
    uint32_t count = 0;
    for (uint32_t i = 0; i < network->players.count; i++, count++) {
        const Presence *presence = &network->players.items[i];
        CraftyNetPlayer info = {0};
        CnNetConnectionStats stats = {0};
        CnNetAddress address = {0};
        char key[CRAFTY_ACCOUNT_TEXT_BYTES], text[CN_NET_ADDRESS_TEXT_BYTES];
        CraftyAccountRecord account = {0};
        if (count >= capacity)
            continue;
        if (crafty_net_server_player(network->server, presence->player, &info)) {
            cn_net_connection_stats(network->endpoint, info.connection, &stats);
            cn_net_peer_address(network->endpoint, info.connection, &address);
        }
        crafty_accounts_find(network->desc.accounts, crafty_account_write(&presence->account, key),
                             &account);
        players[count] = (CraftyServerPlayer){.id = presence->account,
                                              .role = account.role,
                                              .ping_ms = stats.rtt_us / 1000,
                                              .joined_at = presence->joined_at};
        cn_copy_text(players[count].name, sizeof players[count].name, cn_text(presence->name));
        cn_copy_text(players[count].address, sizeof players[count].address,
                     cn_text(cn_net_address_text(&address, text)));
    }
    return count;
}

static bool kick(void *user, const CraftyAccount *account, const char *reason)
{
    Network *network = user;
    for (uint32_t i = 0; i < network->players.count; i++)
        if (crafty_account_equal(&network->players.items[i].account, account))
            return crafty_net_server_kick(network->server, network->players.items[i].player,
                                          CRAFTY_LEAVE_KICKED, reason);
    return false;
}

static uint32_t kick_banned(void *user, const CraftyBan *ban, const char *reason)
{
    Network *network = user;
    uint32_t kicked = 0;
    for (uint32_t i = 0; i < network->players.count; i++) {
        const Presence *presence = &network->players.items[i];
        CraftyNetPlayer info;
        CnNetAddress address = {0};
        CraftyAddressRange range;
        char text[CN_NET_ADDRESS_TEXT_BYTES];
        bool has_address = crafty_net_server_player(network->server, presence->player, &info) &&
                           cn_net_peer_address(network->endpoint, info.connection, &address) &&
                           crafty_address_of_peer(&range, cn_net_address_text(&address, text));
        if (crafty_ban_applies(ban, &presence->account, has_address ? &range : NULL, now_seconds()))
            kicked += crafty_net_server_kick(network->server, presence->player, CRAFTY_LEAVE_KICKED,
                                             reason);
    }
    return kicked;
}

static void close_network(void *user, CraftyServerEnd end)
{
    Network *network = user;
    CnError error = {0};
    bool restarts = end == CRAFTY_SERVER_RESTARTS;
    crafty_net_server_stop(network->server,
                           restarts ? CRAFTY_LEAVE_RESTARTING : CRAFTY_LEAVE_STOPPING,
                           restarts                      ? "The server restarts."
                           : end == CRAFTY_SERVER_FAILED ? "The server has failed."
                                                         : "The server has stopped.");
    uint64_t limit = cn_clock_ns() + CLOSE_NS;
    while (cn_net_endpoint_stats(network->endpoint).connections && cn_clock_ns() < limit &&
           receive(network, LONGEST_WAIT_US, &error)) {
    }
    destroy(network);
}

const CraftyServerNetwork *crafty_server_network(void)
{
    static const CraftyServerNetwork network = {.open = open_network,
                                                .wait = wait_until,
                                                .before_tick = before_tick,
                                                .after_tick = after_tick,
                                                .players = list_players,
                                                .kick = kick,
                                                .kick_banned = kick_banned,
                                                .close = close_network};
    return &network;
}
