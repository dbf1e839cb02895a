#include "metrics_server.h"

#include "http_request.h"

#include <cairn/base/clock.h>
#include <cairn/base/file.h>

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define DEFAULT_TIMEOUT_MS 5000u

typedef struct Client {
    int socket; /* -1: free */
    uint64_t deadline_ns;
    uint32_t received;
    char request[CRAFTY_HTTP_REQUEST_BYTES];
    CnTextBuilder answer; /* empty while the request is incomplete */
    uint32_t sent;
} Client;

struct CraftyMetricsServer {
    CraftyMetricsServerDesc desc;
    int listener, wake;
    uint32_t port;
    pthread_t thread;
    bool has_thread;
    Client clients[CRAFTY_METRICS_CONNECTIONS];
};

/* ---- Answers ---- */

static bool append_answer(Client *client, const char *status, const char *type, CnText body,
                          bool has_body)
{
    return cn_text_append_format(&client->answer,
                                 "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                                 "Connection: close\r\nCache-Control: no-store\r\n"
                                 "X-Content-Type-Options: nosniff\r\n\r\n",
                                 status, type, body.size) &&
           (!has_body || cn_text_append(&client->answer, body));
}

static bool answer_plain(Client *client, const char *status, bool has_body)
{
    char body[64];
    cn_format(body, sizeof body, "%s\n", status);
    return append_answer(client, status, "text/plain; charset=utf-8", cn_text(body), has_body);
}

static bool answer_metrics(const CraftyMetricsServer *server, Client *client, bool has_body)
{
    CnTextBuilder text;
    cn_array_init(&text, cn_system_allocator());
    bool done = crafty_metrics_write(server->desc.metrics, &text) &&
                append_answer(client, "200 OK", "text/plain; version=0.0.4; charset=utf-8",
                              (CnText){text.items, text.count}, has_body);
    cn_array_fini(&text);
    return done;
}

static bool answer_request(const CraftyMetricsServer *server, Client *client,
                           const CraftyHttpRequest *request)
{
    if (!request->is_get && !request->is_head)
        return answer_plain(client, "405 Method Not Allowed", true);
    if (!strcmp(request->path, "/metrics"))
        return answer_metrics(server, client, request->is_get);
    if (strcmp(request->path, "/health"))
        return answer_plain(client, "404 Not Found", request->is_get);
    bool is_healthy = !server->desc.is_healthy || server->desc.is_healthy(server->desc.user);
    return answer_plain(client, is_healthy ? "200 OK" : "503 Service Unavailable", request->is_get);
}

/* ---- Connections ---- */

static void close_client(Client *client)
{
    if (client->socket < 0)
        return;
    close(client->socket);
    client->socket = -1;
    cn_array_fini(&client->answer);
}

static void accept_client(CraftyMetricsServer *server)
{
    int socket = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    for (uint32_t i = 0; socket >= 0 && i < CRAFTY_METRICS_CONNECTIONS; i++) {
        Client *client = &server->clients[i];
        if (client->socket >= 0)
            continue;
        client->socket = socket;
        client->received = client->sent = 0;
        client->deadline_ns = cn_clock_ns() + server->desc.timeout_ms * 1000000ull;
        cn_array_init(&client->answer, cn_system_allocator());
        return;
    }
    if (socket >= 0)
        close(socket);
}

static bool would_block(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/* Returns whether the connection goes on. */
static bool receive(const CraftyMetricsServer *server, Client *client)
{
    CraftyHttpRequest request;
    ssize_t size = recv(client->socket, client->request + client->received,
                        sizeof client->request - client->received, 0);
    if (size <= 0)
        return size < 0 && would_block();
    client->received += (uint32_t)size;
    switch (crafty_http_read(client->request, client->received, &request)) {
    case CRAFTY_HTTP_INCOMPLETE:
        return true;
    case CRAFTY_HTTP_COMPLETE:
        return answer_request(server, client, &request);
    case CRAFTY_HTTP_TOO_LARGE:
        return answer_plain(client, "431 Request Header Fields Too Large", true);
    default:
        return answer_plain(client, "400 Bad Request", true);
    }
}

static bool transmit(Client *client)
{
    ssize_t size = send(client->socket, client->answer.items + client->sent,
                        client->answer.count - client->sent, MSG_NOSIGNAL);
    if (size < 0)
        return would_block();
    client->sent += (uint32_t)size;
    return client->sent < client->answer.count;
}

static void serve_client(const CraftyMetricsServer *server, Client *client, short events)
{
    bool goes_on = cn_clock_ns() < client->deadline_ns;
    if (goes_on && (events & (POLLIN | POLLHUP | POLLERR)) && client->answer.count == 0)
        goes_on = receive(server, client);
    if (goes_on && client->answer.count > 0)
        goes_on = transmit(client);
    if (!goes_on)
        close_client(client);
}

/* Returns whether the thread goes on. */
static bool serve(CraftyMetricsServer *server)
{
    struct pollfd polled[2 + CRAFTY_METRICS_CONNECTIONS];
    Client *clients[CRAFTY_METRICS_CONNECTIONS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < CRAFTY_METRICS_CONNECTIONS; i++)
        if (server->clients[i].socket >= 0) {
            Client *client = clients[count] = &server->clients[i];
            short events = client->answer.count > 0 ? POLLOUT : POLLIN;
            polled[2 + count++] = (struct pollfd){.fd = client->socket, .events = events};
        }
    bool has_room = count < CRAFTY_METRICS_CONNECTIONS;
    polled[0] = (struct pollfd){.fd = server->wake, .events = POLLIN};
    polled[1] = (struct pollfd){.fd = has_room ? server->listener : -1, .events = POLLIN};
    poll(polled, 2 + count, count > 0 ? 100 : -1);
    if (polled[0].revents)
        return false;
    for (uint32_t i = 0; i < count; i++)
        serve_client(server, clients[i], polled[2 + i].revents);
    if (has_room && polled[1].revents)
        accept_client(server);
    return true;
}

static void *run(void *user)
{
    while (serve(user))
        ;
    return NULL;
}

/* ---- Start and end ---- */

static bool listen_on(CraftyMetricsServer *server, CnError *error)
{
    struct sockaddr_storage address = {0};
    struct sockaddr_in *ipv4 = (struct sockaddr_in *)&address;
    struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)&address;
    char text[96];
    bool is_ipv4 = inet_pton(AF_INET, server->desc.bind, &ipv4->sin_addr) == 1;
    address.ss_family = is_ipv4 ? AF_INET : AF_INET6;
    if (!is_ipv4 && inet_pton(AF_INET6, server->desc.bind, &ipv6->sin6_addr) != 1)
        return cn_error_set(error, CN_ERROR_FORMAT, "\"%s\" is not a numeric address",
                            server->desc.bind);
    *(is_ipv4 ? &ipv4->sin_port : &ipv6->sin6_port) = htons((uint16_t)server->desc.port);
    socklen_t size = is_ipv4 ? sizeof *ipv4 : sizeof *ipv6;
    server->listener = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    cn_format(text, sizeof text, "%s, port %u", server->desc.bind, server->desc.port);
    setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (server->listener < 0 || bind(server->listener, (struct sockaddr *)&address, size) ||
        listen(server->listener, 16) ||
        getsockname(server->listener, (struct sockaddr *)&address, &size))
        return cn_file_set_errno(error, "listen for metrics on", text, errno);
    server->port = ntohs(is_ipv4 ? ipv4->sin_port : ipv6->sin6_port);
    return true;
}

static bool start(CraftyMetricsServer *server, CnError *error)
{
    if (!listen_on(server, error))
        return false;
    server->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (server->wake < 0 || pthread_create(&server->thread, NULL, run, server))
        return cn_error_memory(error, "the thread of the metrics");
    server->has_thread = true;
    return true;
}

CraftyMetricsServer *crafty_metrics_server_create(const CraftyMetricsServerDesc *desc,
                                                  CnError *error)
{
    CraftyMetricsServer *server = cn_alloc_zeroed(cn_system_allocator(), sizeof *server);
    if (!server) {
        cn_error_memory(error, "the server of metrics");
        return NULL;
    }
    server->desc = *desc;
    if (!desc->timeout_ms)
        server->desc.timeout_ms = DEFAULT_TIMEOUT_MS;
    server->listener = server->wake = -1;
    for (uint32_t i = 0; i < CRAFTY_METRICS_CONNECTIONS; i++)
        server->clients[i].socket = -1;
    if (start(server, error))
        return server;
    crafty_metrics_server_destroy(server);
    return NULL;
}

void crafty_metrics_server_destroy(CraftyMetricsServer *server)
{
    if (!server)
        return;
    if (server->has_thread) {
        ssize_t written = write(server->wake, &(uint64_t){1}, sizeof(uint64_t));
        (void)written; /* the counter cannot overflow */
        pthread_join(server->thread, NULL);
    }
    for (uint32_t i = 0; i < CRAFTY_METRICS_CONNECTIONS; i++)
        close_client(&server->clients[i]);
    if (server->listener >= 0)
        close(server->listener);
    if (server->wake >= 0)
        close(server->wake);
    cn_free(cn_system_allocator(), server, sizeof *server);
}

uint32_t crafty_metrics_server_port(const CraftyMetricsServer *server)
{
    return server->port;
}
