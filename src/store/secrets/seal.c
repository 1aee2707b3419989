/* Encrypts secrets with a key that is not in the store (XChaCha20-Poly1305). */
#include "store/secrets/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "model/options/options.h"
#include "store/secrets/sodium.h"

static const char *key_path(const struct options *options, struct arena *arena)
{
    const char *named = getenv("DRAGOMAN_KEY_FILE");
    const char *folder =
        str_empty(options->store_folder) ? folder_data(arena) : options->store_folder;
    return str_empty(named) ? arena_format(arena, "%s/key", folder) : named;
}

bool seal_has_key(const struct options *options)
{
    struct arena *arena = arena_new();
    bool there =
        !str_empty(getenv("DRAGOMAN_KEY")) || file_exists(key_path(options, arena));
    arena_free(arena);
    return there;
}

#ifdef DRAGOMAN_HAS_SODIUM

enum {
    KEY = crypto_aead_xchacha20poly1305_ietf_KEYBYTES,
    NONCE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    TAG = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    SECRET_MOST = 65536,
};

static bool key_take(const struct sodium *library, const char *text,
                     unsigned char key[KEY], struct err *err)
{
    size_t size = 0;
    if (library->sodium_hex2bin(key, KEY, text, strspn(text, "0123456789abcdefABCDEF"),
                                NULL, &size, NULL) != 0 ||
        size != KEY) {
        (void)err_set(err, ERR_CONFIG, "The key for stored secrets is not 64 digits.");
        return err_hint(err, "A key is 64 hexadecimal digits (DRAGOMAN_KEY, or the file "
                             "that DRAGOMAN_KEY_FILE names).");
    }
    return true;
}

/* Made by one process alone; who comes second reads it. */
static bool key_make(const struct sodium *library, const char *path, struct err *err)
{
    unsigned char key[KEY];
    char text[KEY * 2 + 2];
    library->randombytes_buf(key, sizeof key);
    (void)library->sodium_bin2hex(text, sizeof text - 1, key, sizeof key);
    text[sizeof text - 2] = '\n';
    text[sizeof text - 1] = '\0';
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool made = file >= 0 && write(file, text, sizeof text - 1) == sizeof text - 1 &&
                fsync(file) == 0;
    made = (file >= 0 ? close(file) == 0 && made : errno == EEXIST);
    library->sodium_memzero(key, sizeof key);
    library->sodium_memzero(text, sizeof text);
    return made ||
           err_set(err, ERR_STORE, "The key for stored secrets could not be written.");
}

static bool key_read(const struct sodium *library, const struct options *options,
                     struct arena *arena, bool make, unsigned char key[KEY],
                     struct err *err)
{
    const char *given = getenv("DRAGOMAN_KEY");
    if (given && *given) {
        return key_take(library, given, key, err);
    }
    const char *path = key_path(options, arena);
    struct stat about;
    if (make && !file_exists(path) && !key_make(library, path, err)) {
        return false;
    }
    if (stat(path, &about) == 0 && (about.st_mode & 077)) {
        (void)err_set(err, ERR_CONFIG,
                      "The key for stored secrets can be read by others.");
        return err_hint(err, "Let only its owner read it: chmod 600.");
    }
    size_t size = 0;
    char *text = file_read(arena, path, SECRET_MOST, &size, err);
    if (!text) {
        (void)err_set(err, ERR_CONFIG, "The key for stored secrets cannot be read.");
        return err_hint(err, "Set DRAGOMAN_KEY or DRAGOMAN_KEY_FILE, or restore the file "
                             "'key' of the data folder.");
    }
    bool ok = key_take(library, text, key, err);
    library->sodium_memzero(text, size);
    return ok;
}

char *seal_close(const struct options *options, struct arena *arena, const char *name,
                 const char *text, struct err *err)
{
    unsigned char key[KEY];
    size_t size = strlen(text);
    if (size > SECRET_MOST) {
        (void)err_set(err, ERR_INVALID_DATA, "The secret is too long.");
        return NULL;
    }
    const struct sodium *library = sodium_get(err);
    if (!library || !key_read(library, options, arena, true, key, err)) {
        return NULL;
    }
    unsigned char *sealed = arena_alloc(arena, NONCE + size + TAG);
    unsigned long long sealed_size = 0;
    library->randombytes_buf(sealed, NONCE);
    (void)library->crypto_aead_xchacha20poly1305_ietf_encrypt(
        sealed + NONCE, &sealed_size, (const unsigned char *)text, size,
        (const unsigned char *)name, strlen(name), NULL, sealed, key);
    library->sodium_memzero(key, sizeof key);
    size_t bytes = NONCE + (size_t)sealed_size;
    char *out = arena_alloc(arena, bytes * 2 + 1);
    return library->sodium_bin2hex(out, bytes * 2 + 1, sealed, bytes);
}

char *seal_open(const struct options *options, struct arena *arena, const char *name,
                const char *sealed, struct err *err)
{
    unsigned char key[KEY];
    const struct sodium *library = sodium_get(err);
    if (!library || !key_read(library, options, arena, false, key, err)) {
        return NULL;
    }
    size_t most = strlen(sealed) / 2;
    size_t size = 0;
    unsigned char *bytes = arena_alloc(arena, most + 1);
    unsigned char *text = arena_alloc(arena, most + 1);
    unsigned long long text_size = 0;
    bool ok = library->sodium_hex2bin(bytes, most, sealed, strlen(sealed), NULL, &size,
                                      NULL) == 0 &&
              size >= NONCE + TAG &&
              library->crypto_aead_xchacha20poly1305_ietf_decrypt(
                  text, &text_size, NULL, bytes + NONCE, size - NONCE,
                  (const unsigned char *)name, strlen(name), bytes, key) == 0;
    library->sodium_memzero(key, sizeof key);
    if (!ok) {
        (void)err_set(err, ERR_CONFIG,
                      "A stored secret cannot be decrypted with this key.");
        (void)err_hint(err, "Restore the key that it was encrypted with, or remove the "
                            "datasource and add it again.");
        return NULL;
    }
    text[text_size] = '\0';
    return (char *)text;
}

#else

static char *absent(struct err *err)
{
    (void)err_set(err, ERR_CONFIG, "This dragoman was built without libsodium.");
    (void)err_hint(err, "Install libsodium-dev and rebuild; or put the datasource into "
                        "the configuration.");
    return NULL;
}

char *seal_close(const struct options *options, struct arena *arena, const char *name,
                 const char *text, struct err *err)
{
    (void)options, (void)arena, (void)name, (void)text;
    return absent(err);
}

char *seal_open(const struct options *options, struct arena *arena, const char *name,
                const char *sealed, struct err *err)
{
    (void)options, (void)arena, (void)name, (void)sealed;
    return absent(err);
}

#endif
