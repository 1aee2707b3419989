/* Fast hashing by xxHash. */
#include "base/hash.h"

#include <string.h>
#include <xxhash.h>

#include "base/memory.h"
#include "base/str.h"

struct hash {
    XXH3_state_t *state;
};

struct hash *hash_new(void)
{
    struct hash *hash = memory_alloc(sizeof *hash);
    hash->state = XXH3_createState();
    if (!hash->state) {
        memory_array(SIZE_MAX, 2); /* does not return */
    }
    (void)XXH3_128bits_reset(hash->state);
    return hash;
}

void hash_free(struct hash *hash)
{
    if (hash) {
        (void)XXH3_freeState(hash->state);
        memory_free(hash);
    }
}

void hash_add(struct hash *hash, const void *data, size_t size)
{
    (void)XXH3_128bits_update(hash->state, data, size);
}

void hash_text(struct hash *hash, const char *text)
{
    uint64_t size = text ? strlen(text) : UINT64_MAX;
    hash_add(hash, &size, sizeof size);
    if (text) {
        hash_add(hash, text, (size_t)size);
    }
}

void hash_hex(struct hash *hash, char out[33])
{
    XXH128_canonical_t digest; /* the same bytes on every machine */
    XXH128_canonicalFromHash(&digest, XXH3_128bits_digest(hash->state));
    str_hex(out, digest.digest, sizeof digest.digest);
}

uint64_t hash_of(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}
