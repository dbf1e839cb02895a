/*
 * Answers HTTP requests for metrics on a thread of its own: /metrics for Prometheus, and /health,
 * which is 200 while every world ticks and 503 otherwise.
 *
 *     CraftyMetricsServer *server = crafty_metrics_server_create(
 *         &(CraftyMetricsServerDesc){.metrics = &metrics, .bind = "127.0.0.1", .port = 9570},
 *         &error);
 *     crafty_metrics_server_destroy(server);
 *
 * Bounded: 16 connections, further ones wait in the queue of the system; 4 KiB for a request; 5
 * seconds for a connection. One request per connection. It has neither encryption nor
 * authentication, and tells numbers only; bind it to a loopback address.
 */
#ifndef CRAFTY_SERVER_METRICS_SERVER_H
#define CRAFTY_SERVER_METRICS_SERVER_H

#include "metrics.h"

#define CRAFTY_METRICS_CONNECTIONS 16u

typedef struct CraftyMetricsServer CraftyMetricsServer;

typedef struct CraftyMetricsServerDesc {
    const CraftyServerMetrics *metrics;
    bool (*is_healthy)(void *user); /* on the thread of the server; NULL: always */
    void *user;
    const char *bind;    /* a numeric address */
    uint32_t port;       /* 0: any that is free */
    uint32_t timeout_ms; /* of a connection; 0 selects 5000 */
} CraftyMetricsServerDesc;

CraftyMetricsServer *crafty_metrics_server_create(const CraftyMetricsServerDesc *desc,
                                                  CnError *error);
/* NULL is ignored. */
void crafty_metrics_server_destroy(CraftyMetricsServer *server);
uint32_t crafty_metrics_server_port(const CraftyMetricsServer *server);

#endif
