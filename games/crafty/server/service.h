/*
 * Tells the service manager, such as systemd, about the state of the program: one datagram to the
 * socket that the environment variable NOTIFY_SOCKET names. Without it, nothing is sent.
 *
 *     crafty_service_notify("READY=1\nSTATUS=2 worlds");
 *     uint64_t pause_us = crafty_service_watchdog_us();      // 0: no watchdog
 *     crafty_service_notify("WATCHDOG=1");                   // at least twice in this time
 */
#ifndef CRAFTY_SERVER_SERVICE_H
#define CRAFTY_SERVER_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether a message was sent. */
bool crafty_service_notify(const char *message);
/* Returns the time in which the service manager wants to hear "WATCHDOG=1" of this process. */
uint64_t crafty_service_watchdog_us(void);

#endif
