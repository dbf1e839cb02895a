/*
 * The file of accounts: it is refused with a message and nothing changes, or what is written
 * afterwards is read as the same accounts.
 */
#include "fuzz_surface.h"

#include <crafty/server/accounts.h>

#include <string.h>

#define ID "\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\""

static const char *const words[] = {"{\"id\": " ID "}",
                                    "\"name\": \"Anna\"",
                                    "\"role\":",
                                    "\"operator\"",
                                    "\"allowed\": true",
                                    "\"first_seen\": 5",
                                    "\"address\":",
                                    "\"192.0.2.0/24\"",
                                    "\"account\": " ID,
                                    "\"reason\":",
                                    "\"until\": 9",
                                    "\\u0000",
                                    "\\u202e",
                                    "[",
                                    "]",
                                    "{",
                                    "}",
                                    ",",
                                    "-1",
                                    "1e9",
                                    "\"2001:db8::/32\"",
                                    NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds,
                  "{\"version\": 1, \"accounts\": [{\"id\": " ID ", \"name\": \"Anna\", \"role\": "
                  "\"operator\", \"allowed\": true, \"first_seen\": 5, \"last_seen\": 6}], "
                  "\"bans\": [{\"address\": \"192.0.2.0/24\", \"reason\": \"x\", \"since\": 1, "
                  "\"until\": 2}, {\"account\": " ID ", \"name\": \"Otto\"}]}");
    fuzz_add_text(seeds, "{\"version\": 1, \"accounts\": [], \"bans\": []}");
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    CnTextBuilder first, second;
    CraftyAccounts *accounts = crafty_accounts_open(NULL, NULL);
    FUZZ_CHECK(accounts);
    cn_array_init(&first, NULL);
    cn_array_init(&second, NULL);
    bool accepted =
        crafty_accounts_read(accounts, "file", (CnText){(const char *)bytes, size}, &error);
    FUZZ_CHECK(accepted || error.message[0]);
    for (const char *at = error.message; *at; at++)
        FUZZ_CHECK((unsigned char)*at >= ' ' && *at != 0x7f);
    FUZZ_CHECK(crafty_accounts_write(accounts, &first));
    FUZZ_CHECK(crafty_accounts_read(accounts, "again", (CnText){first.items, first.count}, &error));
    FUZZ_CHECK(crafty_accounts_write(accounts, &second));
    FUZZ_CHECK(first.count == second.count && !memcmp(first.items, second.items, first.count));
    cn_array_fini(&first);
    cn_array_fini(&second);
    crafty_accounts_close(accounts, NULL);
    return accepted;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 1024, .words = words, .add_seeds = add_seeds, .run = run};
