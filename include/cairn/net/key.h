/*
 * CnNetKey: an Ed25519 key pair, the identity of a server or of a player.
 *
 *     CnError error = {0};
 *     CnNetKey *key = cn_net_key_open("server.key", &error);   // created on first use
 *     char text[CN_NET_KEY_TEXT_BYTES];
 *     if (key)
 *         printf("this server is %s\n", cn_net_key_id_text(cn_net_key_id(key), text));
 *     cn_net_key_destroy(key);
 *
 * Both sides of a connection prove in the TLS handshake that they have the private key; the public
 * key, CnNetKeyId, is what clients pin and what accounts are. The file is unencrypted PKCS#8 in
 * PEM, which other tools read too. Whoever can read it can act as its owner.
 *
 * Threads: any; a key never changes.
 */
#ifndef CAIRN_NET_KEY_H
#define CAIRN_NET_KEY_H

#include <cairn/base/error.h>
#include <cairn/base/memory.h>
#include <cairn/base/text.h>

CN_EXTERN_C_BEGIN

#define CN_NET_KEY_BYTES 32
#define CN_NET_KEY_TEXT_BYTES 65 /* size of the text of a CnNetKeyId with its terminating zero */

/* A public key. */
typedef struct CnNetKeyId {
    uint8_t bytes[CN_NET_KEY_BYTES];
} CnNetKeyId;

typedef struct CnNetKey CnNetKey;

/* Reads a key pair from a file. If nothing exists at the path, creates a key pair and writes it to
 * a file that only its owner may read; an existing file is never written. Fails if others than the
 * owner may read or write the file. */
CN_API CnNetKey *cn_net_key_open(const char *path, CnError *error);
/* Creates a key pair that is in no file, for tests and for connections without an identity. */
CN_API CnNetKey *cn_net_key_create(CnError *error);
/* NULL is ignored. Endpoints that were created with the key keep what they need of it. */
CN_API void cn_net_key_destroy(CnNetKey *key);

/* Returns the public key, valid as long as `key`. */
CN_API const CnNetKeyId *cn_net_key_id(const CnNetKey *key);

CN_API bool cn_net_key_id_equal(const CnNetKeyId *a, const CnNetKeyId *b);
/* Writes 64 hexadecimal digits and returns `text`. */
CN_API const char *cn_net_key_id_text(const CnNetKeyId *id, char text[CN_NET_KEY_TEXT_BYTES]);
/* Reads 64 hexadecimal digits. Returns false and leaves *id unchanged if the text is anything
 * else. */
CN_API bool cn_net_key_id_parse(CnText text, CnNetKeyId *id);

CN_EXTERN_C_END

#endif
