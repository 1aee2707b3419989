/* SHA-256 as FIPS 180-4 describes it. */
#include "base/sha256.h"

#include <string.h>

enum { BLOCK = 64, LENGTH_AT = 56 };

struct sha256_state {
    uint32_t words[8];
    unsigned char block[BLOCK];
    size_t held;
    uint64_t size;
};

static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t turn(uint32_t word, unsigned bits)
{
    return (word >> bits) | (word << (32 - bits));
}

static void mix(struct sha256_state *state)
{
    uint32_t w[64];
    uint32_t v[8];
    for (size_t i = 0; i < 16; i++) {
        const unsigned char *at = state->block + 4 * i;
        w[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 |
               (uint32_t)at[3];
    }
    for (size_t i = 16; i < 64; i++) {
        uint32_t a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >> 3);
        uint32_t b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(v, state->words, sizeof v);
    for (size_t i = 0; i < 64; i++) {
        uint32_t e = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25);
        uint32_t first = v[7] + e + ((v[4] & v[5]) ^ (~v[4] & v[6])) + rounds[i] + w[i];
        uint32_t a = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22);
        uint32_t second = a + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (size_t i = 0; i < 8; i++) {
        state->words[i] += v[i];
    }
}

static void sha256_begin(struct sha256_state *state)
{
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    *state = (struct sha256_state){0};
    memcpy(state->words, first, sizeof first);
}

static void sha256_add(struct sha256_state *state, const void *data, size_t size)
{
    const unsigned char *from = data;
    state->size += size;
    while (size > 0) {
        size_t part = BLOCK - state->held < size ? BLOCK - state->held : size;
        memcpy(state->block + state->held, from, part);
        state->held += part;
        from += part;
        size -= part;
        if (state->held == BLOCK) {
            mix(state);
            state->held = 0;
        }
    }
}

static void end(struct sha256_state *state, unsigned char out[SHA256_SIZE])
{
    uint64_t bits = state->size * 8;
    static const unsigned char mark = 0x80;
    static const unsigned char zero = 0;
    sha256_add(state, &mark, 1);
    while (state->held != LENGTH_AT) {
        sha256_add(state, &zero, 1);
    }
    for (size_t i = 0; i < 8; i++) {
        state->block[LENGTH_AT + i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    mix(state);
    for (size_t i = 0; i < SHA256_SIZE; i++) {
        out[i] = (unsigned char)(state->words[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void sha256(const void *data, size_t size, unsigned char out[SHA256_SIZE])
{
    struct sha256_state state;
    sha256_begin(&state);
    sha256_add(&state, data, size);
    end(&state, out);
}

void sha256_keyed(const void *key, size_t key_size, const void *data, size_t size,
                  unsigned char out[SHA256_SIZE])
{
    unsigned char pad[BLOCK] = {0};
    struct sha256_state state;
    if (key_size > BLOCK) {
        sha256(key, key_size, pad);
    } else if (key_size > 0) {
        memcpy(pad, key, key_size);
    }
    for (size_t i = 0; i < BLOCK; i++) {
        pad[i] ^= 0x36;
    }
    sha256_begin(&state);
    sha256_add(&state, pad, BLOCK);
    sha256_add(&state, data, size);
    end(&state, out);
    for (size_t i = 0; i < BLOCK; i++) {
        pad[i] ^= 0x36 ^ 0x5c;
    }
    sha256_begin(&state);
    sha256_add(&state, pad, BLOCK);
    sha256_add(&state, out, SHA256_SIZE);
    end(&state, out);
}
