/*
 * Requests to the server of metrics: whatever comes, and however it is divided into packets, the
 * decision is the same, and paths are short visible text.
 */
#include "fuzz_surface.h"

#include <crafty/server/http_request.h>

#include <string.h>

static const char *const words[] = {"GET ", "HEAD ",     "POST ",     "/metrics", "/health",
                                    "?",    " HTTP/1.1", " HTTP/1.0", "\r\n",     "\r\n\r\n",
                                    "\n\n", "Host: x",   NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n");
    fuzz_add_text(seeds, "HEAD /health?x=1 HTTP/1.0\n\n");
}

static bool run(const uint8_t *bytes, size_t size)
{
    CraftyHttpRequest whole, part;
    CraftyHttpState decision = crafty_http_read((const char *)bytes, size, &whole);
    FUZZ_CHECK(size < CRAFTY_HTTP_REQUEST_BYTES || decision != CRAFTY_HTTP_INCOMPLETE);
    for (size_t used = 0; used <= size; used++) {
        CraftyHttpState state = crafty_http_read((const char *)bytes, used, &part);
        if (state == CRAFTY_HTTP_INCOMPLETE)
            continue;
        /* Decided with fewer bytes: more do not change it. */
        FUZZ_CHECK(state == decision);
        FUZZ_CHECK(!strcmp(part.path, whole.path) && part.is_get == whole.is_get);
        break;
    }
    FUZZ_CHECK(!(whole.is_get && whole.is_head));
    FUZZ_CHECK(strlen(whole.path) < CRAFTY_HTTP_PATH_BYTES);
    for (const char *at = whole.path; *at; at++)
        FUZZ_CHECK((unsigned char)*at > ' ' && *at != 0x7f);
    FUZZ_CHECK(decision == CRAFTY_HTTP_COMPLETE || !whole.is_get);
    return decision == CRAFTY_HTTP_COMPLETE;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 512, .words = words, .add_seeds = add_seeds, .run = run};
