/* TLS: raw public keys (RFC 7250) of Ed25519 on both sides, without certificates. */
#include "key_pair.h"
#include "net_internal.h"

#include <gnutls/x509.h>
#include <ngtcp2/ngtcp2_crypto_gnutls.h>
#include <sodium.h>
#include <string.h>

#define PRIORITY                                                                                   \
    "NONE:+VERS-TLS1.3:+AES-128-GCM:+CHACHA20-POLY1305:+AEAD:+ECDHE-ECDSA:+GROUP-X25519:"          \
    "+SIGN-EDDSA-ED25519:+CTYPE-CLI-RAWPK:+CTYPE-SRV-RAWPK:%DISABLE_TLS13_COMPAT_MODE"

/* The DER encodings of Ed25519 keys (RFC 8410) are these bytes and the key. */
static const uint8_t public_prefix[12] = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03,
                                          0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};
static const uint8_t private_prefix[16] = {0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06,
                                           0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20};

enum {
    PUBLIC_BYTES = sizeof public_prefix + CN_NET_KEY_BYTES,
    PRIVATE_BYTES = sizeof private_prefix + CN_NET_KEY_BYTES
};

gnutls_certificate_credentials_t cni_net_credentials_create(const CnNetKey *key)
{
    uint8_t public_key[PUBLIC_BYTES], private_key[PRIVATE_BYTES];
    memcpy(public_key, public_prefix, sizeof public_prefix);
    memcpy(public_key + sizeof public_prefix, key->id.bytes, CN_NET_KEY_BYTES);
    memcpy(private_key, private_prefix, sizeof private_prefix);
    memcpy(private_key + sizeof private_prefix, key->secret, CN_NET_KEY_BYTES);
    const gnutls_datum_t spki = {public_key, sizeof public_key};
    const gnutls_datum_t pkcs8 = {private_key, sizeof private_key};
    gnutls_certificate_credentials_t credentials = NULL;
    int code = gnutls_certificate_allocate_credentials(&credentials);
    if (code == 0)
        code = gnutls_certificate_set_rawpk_key_mem(credentials, &spki, &pkcs8, GNUTLS_X509_FMT_DER,
                                                    NULL, 0, NULL, 0, GNUTLS_PKCS_PLAIN);
    sodium_memzero(private_key, sizeof private_key);
    if (code >= 0)
        return credentials;
    if (credentials)
        gnutls_certificate_free_credentials(credentials);
    return NULL;
}

bool cni_net_tls_init(CnNetEndpoint *endpoint, const CnNetKey *key, CnError *error)
{
    static const char purpose[] = "cairn net stateless reset";
    int code = gnutls_priority_init(&endpoint->priority, PRIORITY, NULL);
    if (code != 0)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "GnuTLS does not support what is needed for QUIC: %s",
                            gnutls_strerror(code));
    endpoint->credentials = cni_net_credentials_create(key);
    if (!endpoint->credentials)
        return cn_error_memory(error, "credentials");
    endpoint->alpn.data = (unsigned char *)endpoint->protocol;
    endpoint->alpn.size = (unsigned)strlen(endpoint->protocol);
    /* The same after a restart, so that old connections are recognized as such by the peers. */
    crypto_generichash(endpoint->reset_secret, sizeof endpoint->reset_secret,
                       (const uint8_t *)purpose, sizeof purpose, key->secret, sizeof key->secret);
    randombytes_buf(endpoint->retry_secret, sizeof endpoint->retry_secret);
    return true;
}

void cni_net_tls_fini(CnNetEndpoint *endpoint)
{
    if (endpoint->credentials)
        gnutls_certificate_free_credentials(endpoint->credentials);
    if (endpoint->priority)
        gnutls_priority_deinit(endpoint->priority);
    sodium_memzero(endpoint->reset_secret, sizeof endpoint->reset_secret);
    sodium_memzero(endpoint->retry_secret, sizeof endpoint->retry_secret);
}

/* Called during the handshake. That the peer has the private key is checked by TLS. */
static int check_peer_key(gnutls_session_t session)
{
    ngtcp2_crypto_conn_ref *reference = gnutls_session_get_ptr(session);
    CniNetConnection *connection = reference->user_data;
    unsigned count = 0;
    const gnutls_datum_t *keys = gnutls_certificate_get_peers(session, &count);
    if (gnutls_certificate_type_get2(session, GNUTLS_CTYPE_PEERS) != GNUTLS_CRT_RAWPK || !keys ||
        count != 1 || keys[0].size != PUBLIC_BYTES ||
        memcmp(keys[0].data, public_prefix, sizeof public_prefix) != 0)
        return GNUTLS_E_CERTIFICATE_ERROR;
    memcpy(connection->peer_key.bytes, keys[0].data + sizeof public_prefix, CN_NET_KEY_BYTES);
    if (connection->expects_key &&
        !cn_net_key_id_equal(&connection->peer_key, &connection->expected_key)) {
        connection->has_wrong_key = true;
        return GNUTLS_E_CERTIFICATE_ERROR;
    }
    connection->has_peer_key = true;
    return 0;
}

static ngtcp2_conn *get_quic(ngtcp2_crypto_conn_ref *reference)
{
    return ((CniNetConnection *)reference->user_data)->quic;
}

static bool configure(CniNetConnection *connection)
{
    CnNetEndpoint *endpoint = connection->endpoint;
    gnutls_session_t tls = connection->tls;
    gnutls_certificate_credentials_t credentials =
        connection->credentials ? connection->credentials : endpoint->credentials;
    if (gnutls_priority_set(tls, endpoint->priority) != 0 ||
        gnutls_credentials_set(tls, GNUTLS_CRD_CERTIFICATE, credentials) != 0 ||
        gnutls_alpn_set_protocols(tls, &endpoint->alpn, 1, GNUTLS_ALPN_MANDATORY) != 0)
        return false;
    connection->reference = (ngtcp2_crypto_conn_ref){.get_conn = get_quic, .user_data = connection};
    gnutls_session_set_ptr(tls, &connection->reference);
    gnutls_session_set_verify_function(tls, check_peer_key);
    if (!connection->is_server)
        return ngtcp2_crypto_gnutls_configure_client_session(tls) == 0;
    gnutls_certificate_server_set_request(tls, GNUTLS_CERT_REQUIRE);
    return ngtcp2_crypto_gnutls_configure_server_session(tls) == 0;
}

bool cni_net_session_create(CniNetConnection *connection)
{
    unsigned flags = GNUTLS_ENABLE_RAWPK | GNUTLS_NO_TICKETS | GNUTLS_NO_END_OF_EARLY_DATA |
                     (connection->is_server ? GNUTLS_SERVER : GNUTLS_CLIENT);
    if (gnutls_init(&connection->tls, flags) != 0) {
        connection->tls = NULL;
        return false;
    }
    return configure(connection);
}
