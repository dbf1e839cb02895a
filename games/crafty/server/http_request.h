/*
 * The first lines of HTTP requests, as far as a server of metrics needs them: method and path.
 *
 *     CraftyHttpRequest request;
 *     switch (crafty_http_read(bytes, size, &request)) ...
 *
 * Pure: bytes from outside in, a decision out.
 */
#ifndef CRAFTY_SERVER_HTTP_REQUEST_H
#define CRAFTY_SERVER_HTTP_REQUEST_H

#include <cairn/base/text.h>

#define CRAFTY_HTTP_REQUEST_BYTES 4096u /* of a request with all its headers */
#define CRAFTY_HTTP_PATH_BYTES 64u

typedef enum CraftyHttpState {
    CRAFTY_HTTP_INCOMPLETE, /* more bytes are needed */
    CRAFTY_HTTP_COMPLETE,
    CRAFTY_HTTP_MALFORMED, /* answer 400 */
    CRAFTY_HTTP_TOO_LARGE  /* answer 431 */
} CraftyHttpState;

typedef struct CraftyHttpRequest {
    bool is_get, is_head;
    char path[CRAFTY_HTTP_PATH_BYTES]; /* without a query; "" if it is longer */
} CraftyHttpRequest;

CraftyHttpState crafty_http_read(const char *bytes, size_t size, CraftyHttpRequest *request);

#endif
