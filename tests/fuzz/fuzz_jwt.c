/* Any bytes as a key set and a token: nothing is trusted that no key has signed.
 * layers: base */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/jwt/jwt.h"
#include "base/vec.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static const char known[] = /* the example of RFC 8037 */
    "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"a\","
    "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}]}";

/* The input is a token, or a key set, a zero byte and a token. */
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static const char *audience = "a";
    const struct texts audiences = {.items = &audience, .count = 1};
    const struct jwt_rules rules = {
        .issuer = "a", .audiences = &audiences, .now_s = 1, .skew_s = 1};
    struct arena *arena = arena_new();
    struct jwk_set keys;
    struct jwt jwt;
    struct err err;
    char *text = arena_copy(arena, input, size);
    size_t first = strlen(text);
    const char *token = first < size ? text + first + 1 : text;
    if (first < size) {
        (void)jwk_set_read(arena, text, first, &keys, &err);
    }
    if (!jwk_set_read(arena, known, sizeof known - 1, &keys, &err)) {
        abort();
    }
    if (jwt_read(arena, token, &jwt, &err) || jwt_read_logout(arena, token, &jwt, &err)) {
        if (jwt_verify(&jwt, &keys, &err) == JWT_TRUSTED) {
            abort();
        }
        (void)jwt_check(&jwt, &rules, &err);
    }
    arena_free(arena);
    return 0;
}
