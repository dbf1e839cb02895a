#include "online.h"

#include "crafty/save/user_paths.h"

#include <cairn/base/clock.h>
#include <cairn/base/file.h>

#include <stdio.h>
#include <string.h>

#define WAIT_NS (20 * 1000000000ull)
#define WAIT_STEP_US 10000u
#define PATH_BYTES 4096u
#define MAX_SERVERS_BYTES 65536u

struct CraftyOnline {
    CnNetKey *key;
    CnNetEndpoint *endpoint;
    CraftyNetClient *client;
    CraftyFollow *follow;
    CraftyConnection *connection;
};

/* ---- Keys ---- */

static CnNetKey *open_key(CnError *error)
{
    char path[PATH_BYTES];
    if (!crafty_config_path("account.key", path, sizeof path)) {
        cn_error_set(error, CN_ERROR_NOT_FOUND,
                     "there is no folder for the key of the player; set HOME");
        return NULL;
    }
    return cn_file_make_folder_of(cn_native_files(), path, error) ? cn_net_key_open(path, error)
                                                                  : NULL;
}

/* The file of known servers: a line "address key" for each. */
static bool known_path(char *path)
{
    return crafty_config_path("known_servers.txt", path, PATH_BYTES);
}

/* Returns false if the server is not known. */
static bool find_server(const char *address, CnNetKeyId *key)
{
    char path[PATH_BYTES];
    CnFileBytes bytes;
    bool is_found = false;
    if (!known_path(path) ||
        !cn_file_read_all(cn_native_files(), path, cn_system_allocator(), &bytes, NULL))
        return false;
    CnText rest = {(const char *)bytes.data, bytes.size < MAX_SERVERS_BYTES ? bytes.size : 0};
    while (rest.size && !is_found) {
        const char *end = memchr(rest.data, '\n', rest.size);
        CnText line = {rest.data, end ? (size_t)(end - rest.data) : rest.size};
        const char *space = memchr(line.data, ' ', line.size);
        size_t used = end ? line.size + 1 : line.size;
        rest = (CnText){rest.data + used, rest.size - used};
        if (!space)
            continue;
        CnText name = {line.data, (size_t)(space - line.data)};
        CnText text = {space + 1, line.size - name.size - 1};
        is_found = cn_text_equal(name, cn_text(address)) && cn_net_key_id_parse(text, key);
    }
    cn_file_bytes_free(&bytes);
    return is_found;
}

/* A server that cannot be remembered is met for the first time again. */
static void remember_server(const char *address, const CnNetKeyId *key)
{
    char path[PATH_BYTES], text[CN_NET_KEY_TEXT_BYTES], line[CN_NET_ADDRESS_TEXT_BYTES + 80];
    FILE *file = known_path(path) ? fopen(path, "a") : NULL;
    if (!file)
        return;
    cn_format(line, sizeof line, "%s %s\n", address, cn_net_key_id_text(key, text));
    fputs(line, file);
    fclose(file);
}

static void explain_key(const char *address, CnError *error)
{
    char path[PATH_BYTES];
    if (known_path(path))
        cn_error_set(error, CN_ERROR_PERMISSION,
                     "the server %s has another key than before: it may be another server. If its "
                     "owner confirms that the key has changed, remove its line from %s",
                     address, path);
}

/* ---- Connecting ---- */

static void destroy(CraftyOnline *online)
{
    crafty_net_client_destroy(online->client);
    cn_net_endpoint_destroy(online->endpoint);
    cn_net_key_destroy(online->key);
    cn_free(cn_system_allocator(), online, sizeof *online);
}

static bool poll(CraftyOnline *online, uint32_t wait_us, CnError *error)
{
    CnNetEvent event;
    if (!cn_net_poll(online->endpoint, wait_us, error))
        return false;
    while (cn_net_next_event(online->endpoint, &event)) {
        if (event.kind == CN_NET_CLOSED && event.cause == CN_NET_CLOSE_WRONG_KEY)
            return cn_error_set(error, CN_ERROR_PERMISSION, "another key");
        crafty_net_client_event(online->client, &event);
    }
    return crafty_net_client_state(online->client) != CRAFTY_NET_LEFT ||
           cn_error_set(error, CN_ERROR_IO, "%s", crafty_net_client_reason(online->client));
}

static bool wait_for_welcome(CraftyOnline *online, const char *address, bool is_known,
                             CnError *error)
{
    uint64_t end = cn_clock_ns() + WAIT_NS;
    CnNetKeyId key;
    while (crafty_net_client_state(online->client) != CRAFTY_NET_WELCOMED) {
        if (cn_clock_ns() > end)
            return cn_error_set(error, CN_ERROR_IO, "the server %s does not answer", address);
        if (!poll(online, WAIT_STEP_US, error)) {
            if (error->code == CN_ERROR_PERMISSION)
                explain_key(address, error);
            return false;
        }
    }
    if (!is_known &&
        cn_net_peer_key(online->endpoint, crafty_net_client_connection(online->client), &key))
        remember_server(address, &key);
    return true;
}

static bool begin(CraftyOnline *online, const CraftyOnlineDesc *desc, CnError *error)
{
    CnNetConditions conditions = {0};
    CnNetAddress address;
    CnNetKeyId key;
    char text[CN_NET_ADDRESS_TEXT_BYTES];
    if ((desc->conditions &&
         !cn_net_conditions_parse(cn_text(desc->conditions), &conditions, error)) ||
        !cn_net_address_resolve(cn_text(desc->server), CRAFTY_NET_PORT, &address, error))
        return false;
    cn_net_address_text(&address, text);
    bool is_known = find_server(text, &key);
    online->key = open_key(error);
    if (online->key)
        online->endpoint = cn_net_endpoint_create(
            &(CnNetEndpointDesc){.key = online->key,
                                 .protocol = CRAFTY_NET_PROTOCOL,
                                 .limits = {.message_bytes = 4 * CRAFTY_MESSAGE_PALETTE_BYTES},
                                 .conditions = conditions},
            error);
    if (online->endpoint)
        online->client =
            crafty_net_client_create(&(CraftyNetClientDesc){.endpoint = online->endpoint,
                                                            .address = address,
                                                            .server_key = is_known ? &key : NULL,
                                                            .name = desc->name,
                                                            .view_distance = desc->view_distance},
                                     error);
    return online->client && wait_for_welcome(online, text, is_known, error);
}

CraftyOnline *crafty_online_connect(const CraftyOnlineDesc *desc, CnError *error)
{
    CraftyOnline *online = cn_alloc_zeroed(cn_system_allocator(), sizeof *online);
    if (!online) {
        cn_error_memory(error, "a connection");
        return NULL;
    }
    if (begin(online, desc, error))
        return online;
    destroy(online);
    return NULL;
}

void crafty_online_leave(CraftyOnline *online)
{
    CnError error = {0};
    if (!online)
        return;
    crafty_follow_end(online->follow);
    if (online->connection)
        crafty_connection_relay(online->connection, NULL, NULL);
    if (crafty_net_client_state(online->client) != CRAFTY_NET_LEFT) {
        cn_net_close(online->endpoint, crafty_net_client_connection(online->client),
                     CRAFTY_LEAVE_QUIT, "The player left.");
        cn_net_poll(online->endpoint, 0, &error); /* sends it */
    }
    destroy(online);
}

CraftyNetClient *crafty_online_client(const CraftyOnline *online)
{
    return online->client;
}

bool crafty_online_enter(CraftyOnline *online, CnSim *sim, const CraftySimDesc *desc,
                         CnEntity player, CraftyConnection *connection, CnError *error)
{
    if (!crafty_net_client_enter(online->client, desc, error))
        return false;
    online->follow = crafty_follow_begin(sim, online->client, player, error);
    if (!online->follow)
        return false;
    online->connection = connection;
    crafty_connection_relay(connection, crafty_follow_send, online->follow);
    return true;
}

bool crafty_online_poll(CraftyOnline *online, CnError *error)
{
    return poll(online, 0, error);
}
