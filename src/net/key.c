/* Key pairs and their files. */
#include "key_pair.h"

#include <cairn/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <gnutls/x509.h>
#include <sodium.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILE_BYTES = 4096 };

static bool set_tls_error(CnError *error, const char *path, const char *action, int code)
{
    return cn_error_set_at(error, CN_ERROR_FORMAT, path, 0, 0, "%s: %s", action,
                           gnutls_strerror(code));
}

/* Copies both halves of the key pair out of the structure of GnuTLS. */
static bool read_private_key(gnutls_x509_privkey_t private_key, const char *path, CnNetKey *key,
                             CnError *error)
{
    gnutls_ecc_curve_t curve = GNUTLS_ECC_CURVE_INVALID;
    gnutls_datum_t x = {0}, k = {0};
    int code = gnutls_x509_privkey_export_ecc_raw(private_key, &curve, &x, NULL, &k);
    bool fits = code == 0 && curve == GNUTLS_ECC_CURVE_ED25519 && x.size == CN_NET_KEY_BYTES &&
                k.size == CN_NET_KEY_BYTES;
    if (fits) {
        memcpy(key->id.bytes, x.data, CN_NET_KEY_BYTES);
        memcpy(key->secret, k.data, CN_NET_KEY_BYTES);
    }
    gnutls_free(x.data);
    if (k.data)
        gnutls_memset(k.data, 0, k.size);
    gnutls_free(k.data);
    return fits || cn_error_set_at(error, CN_ERROR_FORMAT, path, 0, 0,
                                   "this is not an Ed25519 key; move the file away, and a new key "
                                   "is created");
}

static CnNetKey *make_key(gnutls_x509_privkey_t private_key, const char *path, CnError *error)
{
    CnNetKey *key = cn_alloc_zeroed(NULL, sizeof *key);
    if (!key) {
        cn_error_memory(error, "a key pair");
        return NULL;
    }
    if (read_private_key(private_key, path, key, error))
        return key;
    cn_net_key_destroy(key);
    return NULL;
}

static bool generate(gnutls_x509_privkey_t *private_key, CnError *error)
{
    int code = gnutls_x509_privkey_init(private_key);
    if (code != 0)
        return cn_error_memory(error, "a key pair");
    code = gnutls_x509_privkey_generate(*private_key, GNUTLS_PK_EDDSA_ED25519,
                                        GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_ED25519), 0);
    if (code == 0)
        return true;
    gnutls_x509_privkey_deinit(*private_key);
    return set_tls_error(error, NULL, "cannot create a key pair", code);
}

/* ---- Reading ---- */

static CnNetKey *parse_file(const char *path, const uint8_t *bytes, size_t size, CnError *error)
{
    gnutls_x509_privkey_t private_key;
    if (gnutls_x509_privkey_init(&private_key) != 0) {
        cn_error_memory(error, "a key pair");
        return NULL;
    }
    const gnutls_datum_t pem = {(unsigned char *)bytes, (unsigned)size};
    int code = gnutls_x509_privkey_import_pkcs8(private_key, &pem, GNUTLS_X509_FMT_PEM, NULL,
                                                GNUTLS_PKCS_PLAIN);
    CnNetKey *key = NULL;
    if (code == 0)
        key = make_key(private_key, path, error);
    else
        set_tls_error(error, path, "cannot read the private key", code);
    gnutls_x509_privkey_deinit(private_key);
    return key;
}

static bool check_file(int descriptor, const char *path, CnError *error)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0)
        return cn_file_set_errno(error, "read", path, errno);
    if (!S_ISREG(info.st_mode))
        return cn_file_set_error(error, CN_ERROR_FORMAT, "read", path, "it is not a regular file");
    if (info.st_mode & (S_IRWXG | S_IRWXO))
        return cn_file_set_error(error, CN_ERROR_PERMISSION, "use", path,
                                 "others may read this private key; run chmod 600 on it");
    if (info.st_size > MAX_FILE_BYTES)
        return cn_file_set_error(error, CN_ERROR_FORMAT, "read", path,
                                 "it is too large for a private key");
    return true;
}

static CnNetKey *read_descriptor(int descriptor, const char *path, CnError *error)
{
    uint8_t bytes[MAX_FILE_BYTES];
    size_t size = 0;
    while (size < sizeof bytes) {
        ssize_t count = read(descriptor, bytes + size, sizeof bytes - size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            cn_file_set_errno(error, "read", path, errno);
            return NULL;
        }
        if (count == 0)
            break;
        size += (size_t)count;
    }
    CnNetKey *key = parse_file(path, bytes, size, error);
    sodium_memzero(bytes, sizeof bytes);
    return key;
}

/* ---- Writing ---- */

static bool write_descriptor(int descriptor, const char *path, const uint8_t *bytes, size_t size,
                             CnError *error)
{
    for (size_t done = 0; done < size;) {
        ssize_t count = write(descriptor, bytes + done, size - done);
        if (count < 0 && errno != EINTR)
            return cn_file_set_errno(error, "write", path, errno);
        if (count > 0)
            done += (size_t)count;
    }
    return fsync(descriptor) == 0 || cn_file_set_errno(error, "write", path, errno);
}

/* Writes a temporary file and links it to the path, which fails if something exists there; so the
 * file at the path is always complete, and one of several processes wins. */
static bool write_file(const char *path, const uint8_t *bytes, size_t size, CnError *error)
{
    char temporary[CN_FILE_PATH_BYTES];
    uint8_t random[8];
    char name[17];
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(name, sizeof name, random, sizeof random);
    if (!cn_format(temporary, sizeof temporary, "%s.%s", path, name))
        return cn_file_set_error(error, CN_ERROR_LIMIT, "create", path, "the path is too long");
    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return cn_file_set_errno(error, "create", path, errno);
    bool done = write_descriptor(descriptor, path, bytes, size, error);
    close(descriptor);
    if (done && link(temporary, path) != 0 && errno != EEXIST)
        done = cn_file_set_errno(error, "create", path, errno);
    unlink(temporary);
    return done;
}

static bool create_file(const char *path, CnError *error)
{
    gnutls_x509_privkey_t private_key;
    gnutls_datum_t pem = {0};
    if (!generate(&private_key, error))
        return false;
    int code = gnutls_x509_privkey_export2_pkcs8(private_key, GNUTLS_X509_FMT_PEM, NULL,
                                                 GNUTLS_PKCS_PLAIN, &pem);
    bool done = code == 0 ? write_file(path, pem.data, pem.size, error)
                          : set_tls_error(error, path, "cannot write the private key", code);
    if (pem.data)
        gnutls_memset(pem.data, 0, pem.size);
    gnutls_free(pem.data);
    gnutls_x509_privkey_deinit(private_key);
    return done;
}

static CnNetKey *open_existing(const char *path, bool *missing, CnError *error)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *missing = descriptor < 0 && errno == ENOENT;
    if (descriptor < 0) {
        if (!*missing)
            cn_file_set_errno(error, "read", path, errno);
        return NULL;
    }
    CnNetKey *key =
        check_file(descriptor, path, error) ? read_descriptor(descriptor, path, error) : NULL;
    close(descriptor);
    return key;
}

CnNetKey *cn_net_key_open(const char *path, CnError *error)
{
    CN_REPORT_UNHANDLED(error, "net", NULL);
    bool missing;
    CnNetKey *key = open_existing(path, &missing, error);
    if (key || !missing)
        return key;
    if (!create_file(path, error))
        return NULL;
    key = open_existing(path, &missing, error);
    if (missing)
        cn_file_set_errno(error, "read", path, ENOENT);
    return key;
}

CnNetKey *cn_net_key_create(CnError *error)
{
    CN_REPORT_UNHANDLED(error, "net", NULL);
    gnutls_x509_privkey_t private_key;
    if (!generate(&private_key, error))
        return NULL;
    CnNetKey *key = make_key(private_key, NULL, error);
    gnutls_x509_privkey_deinit(private_key);
    return key;
}

void cn_net_key_destroy(CnNetKey *key)
{
    if (!key)
        return;
    sodium_memzero(key, sizeof *key);
    cn_free(NULL, key, sizeof *key);
}

/* ---- Public keys ---- */

const CnNetKeyId *cn_net_key_id(const CnNetKey *key)
{
    return &key->id;
}

bool cn_net_key_id_equal(const CnNetKeyId *a, const CnNetKeyId *b)
{
    return memcmp(a->bytes, b->bytes, CN_NET_KEY_BYTES) == 0;
}

const char *cn_net_key_id_text(const CnNetKeyId *id, char text[CN_NET_KEY_TEXT_BYTES])
{
    return sodium_bin2hex(text, CN_NET_KEY_TEXT_BYTES, id->bytes, CN_NET_KEY_BYTES);
}

bool cn_net_key_id_parse(CnText text, CnNetKeyId *id)
{
    CnNetKeyId parsed;
    size_t size;
    const char *end;
    if (text.size != CN_NET_KEY_TEXT_BYTES - 1u ||
        sodium_hex2bin(parsed.bytes, sizeof parsed.bytes, text.data, text.size, NULL, &size,
                       &end) != 0 ||
        size != CN_NET_KEY_BYTES || end != text.data + text.size)
        return false;
    *id = parsed;
    return true;
}
