/*
 * A real PostgreSQL server for tests, in a temporary folder, on a Unix socket only.
 *
 *     if (!postgres_server_start())
 *         cannot_run("PostgreSQL server");
 *     postgres_server_uri("home", uri, sizeof uri);   // postgresql:///...?schema=home
 *     postgres_server_kill(SIGKILL);
 *     postgres_server_run();                          // recovers
 *     postgres_server_stop();
 *
 * A process of its own starts the server and watches the test: when that ends, in whatever way, it
 * stops the server and removes the folder. If the test runs as root, which PostgreSQL refuses, the
 * server runs as the user postgres or nobody.
 */
#ifndef CAIRN_TESTS_SUPPORT_STORE_POSTGRES_SERVER_H
#define CAIRN_TESTS_SUPPORT_STORE_POSTGRES_SERVER_H

#include <stdbool.h>
#include <stddef.h>

/* Creates and starts the server, unless it runs already. Returns false if PostgreSQL is not
 * installed. Fails the test if it cannot be started. */
bool postgres_server_start(void);
/* Ends the server with a signal: SIGINT (orderly), SIGQUIT (at once, as after a crash) or SIGKILL
 * of its first process. Returns when that has ended. */
void postgres_server_kill(int signal);
/* Starts the server after it was ended, and waits until it accepts connections. */
void postgres_server_run(void);
/* Stops the server and removes its folder. */
void postgres_server_stop(void);

/* Returns the folder of the server's socket. */
const char *postgres_server_folder(void);
/* Writes the URI of a store in this schema. */
void postgres_server_uri(const char *schema, char *uri, size_t uri_bytes);
/* Executes SQL as the owner of the database, with the schema as the search path. Fails the test if
 * that fails. */
void postgres_server_sql(const char *schema, const char *sql);
/* The same for a query of one number. */
long long postgres_server_number(const char *schema, const char *sql);

#endif
