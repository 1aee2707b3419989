/* Tokens: good ones of each algorithm, and every way in which one can be bad. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../support/signer.h"
#include "base/jwt/jwt.h"
#include "base/str.h"
#include "base/vec.h"

#define ISSUER   "https://issuer.example"
#define AUDIENCE "dragoman"
enum { NOW = 1700000000 };

static const char good_claims[] =
    "{\"iss\":\"" ISSUER "\",\"aud\":\"" AUDIENCE "\",\"sub\":\"ann\","
    "\"exp\":1700000300,\"nbf\":1699999990,\"iat\":1699999990}";

static struct signer signers[JWK_KINDS];
static struct signer stranger; /* an RSA key that the issuer does not have */
static struct arena *arena;
static struct jwk_set keys;

static const char *const headers[] = {
    [JWK_RSA] = "{\"alg\":\"RS256\",\"kid\":\"rsa\",\"typ\":\"JWT\"}",
    [JWK_P256] = "{\"alg\":\"ES256\",\"kid\":\"ec\",\"typ\":\"at+jwt\"}",
    [JWK_ED25519] = "{\"alg\":\"EdDSA\",\"kid\":\"ed\"}",
};

static int begin(void **state)
{
    static const char *const ids[] = {"rsa", "ec", "ed"};
    struct err err;
    (void)state;
    arena = arena_new();
    const char *set = "{\"keys\":[";
    for (int kind = JWK_RSA; kind < JWK_KINDS; kind++) {
        signer_init(&signers[kind], (enum jwk_kind)kind, 0);
        set = arena_format(arena, "%s%s%s", set, kind ? "," : "",
                           signer_jwk(arena, &signers[kind], ids[kind], ""));
    }
    signer_init(&stranger, JWK_RSA, 0);
    set = arena_format(arena, "%s]}", set);
    assert_true(jwk_set_read(arena, set, strlen(set), &keys, &err));
    assert_int_equal(keys.count, JWK_KINDS);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    for (int kind = JWK_RSA; kind < JWK_KINDS; kind++) {
        signer_release(&signers[kind]);
    }
    signer_release(&stranger);
    return 0;
}

static bool accepted(const char *token, struct err *err)
{
    static const char *audience = AUDIENCE;
    const struct texts audiences = {.items = &audience, .count = 1};
    const struct jwt_rules rules = {
        .issuer = ISSUER, .audiences = &audiences, .now_s = NOW, .skew_s = 60};
    struct jwt jwt;
    err_clear(err);
    return jwt_read(arena, token, &jwt, err) &&
           jwt_verify(&jwt, &keys, err) == JWT_TRUSTED && jwt_check(&jwt, &rules, err);
}

static void expect(const char *token, const char *why)
{
    struct err err;
    assert_false(accepted(token, &err));
    assert_int_equal(err.code, ERR_UNAUTHORIZED);
    assert_string_equal(err.message, why);
}

static const char *signed_claims(const char *claims)
{
    return signer_token(arena, &signers[JWK_RSA], headers[JWK_RSA], claims);
}

static const char *signed_header(const char *header)
{
    return signer_token(arena, &signers[JWK_RSA], header, good_claims);
}

static void each_algorithm_is_accepted(void **state)
{
    struct err err;
    (void)state;
    for (int kind = JWK_RSA; kind < JWK_KINDS; kind++) {
        for (int i = 0; i < 8; i++) { /* signatures of P-256 differ in their zeros */
            assert_true(accepted(
                signer_token(arena, &signers[kind], headers[kind], good_claims), &err));
        }
    }
}

static void a_changed_token_is_refused(void **state)
{
    (void)state;
    for (int kind = JWK_RSA; kind < JWK_KINDS; kind++) {
        const char *token =
            signer_token(arena, &signers[kind], headers[kind], good_claims);
        char *changed = arena_text(arena, token);
        char *dot = strrchr(changed, '.');
        dot[10] = dot[10] == 'A' ? 'B' : 'A';
        expect(changed, "The token's signature does not fit the issuer's key.");
        const char *other = signer_encoded(arena, "{\"sub\":\"eve\"}", 13);
        const char *first = strchr(token, '.');
        expect(arena_format(arena, "%.*s.%s%s", (int)(first - token), token, other,
                            strrchr(token, '.')),
               "The token's signature does not fit the issuer's key.");
    }
}

static void times_are_checked_with_skew(void **state)
{
    struct err err;
    (void)state;
    static const struct {
        const char *times;
        const char *why; /* NULL: accepted */
    } rows[] = {
        {"\"exp\":1699999941", NULL},
        {"\"exp\":1699999940", "The token has expired."},
        {"\"exp\":1", "The token has expired."},
        {"\"exp\":1700000000.5", NULL},
        {"\"exp\":\"1700000300\"", "The token does not say when it expires."},
        {"\"exp\":-5", "The token does not say when it expires."},
        {"\"exp\":1e300", "The token does not say when it expires."},
        {"\"x\":1", "The token does not say when it expires."},
        {"\"exp\":1700000300,\"nbf\":1700000060", NULL},
        {"\"exp\":1700000300,\"nbf\":1700000061", "The token is not valid yet."},
        {"\"exp\":1700000300,\"nbf\":null", "The token is not valid yet."},
        {"\"exp\":1700000300,\"iat\":1700000061", "The token was issued in the future."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *token = signed_claims(
            arena_format(arena, "{\"iss\":\"" ISSUER "\",\"aud\":\"" AUDIENCE "\",%s}",
                         rows[i].times));
        if (rows[i].why) {
            expect(token, rows[i].why);
        } else {
            assert_true(accepted(token, &err));
        }
    }
}

static void issuer_and_audience_are_exact(void **state)
{
    struct err err;
    (void)state;
    static const struct {
        const char *claims;
        const char *why;
    } rows[] = {
        {"\"iss\":\"" ISSUER "\",\"aud\":[\"other\",\"" AUDIENCE "\"]", NULL},
        {"\"iss\":\"" ISSUER "/\",\"aud\":\"" AUDIENCE "\"",
         "The token has another issuer."},
        {"\"iss\":\"https://evil.example\",\"aud\":\"" AUDIENCE "\"",
         "The token has another issuer."},
        {"\"iss\":[\"" ISSUER "\"],\"aud\":\"" AUDIENCE "\"",
         "The token has another issuer."},
        {"\"aud\":\"" AUDIENCE "\"", "The token has another issuer."},
        {"\"iss\":\"" ISSUER "\",\"aud\":\"dragoman2\"",
         "The token is for another audience."},
        {"\"iss\":\"" ISSUER "\",\"aud\":[]", "The token is for another audience."},
        {"\"iss\":\"" ISSUER "\",\"aud\":{\"" AUDIENCE "\":1}",
         "The token is for another audience."},
        {"\"iss\":\"" ISSUER "\"", "The token is for another audience."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *token =
            signed_claims(arena_format(arena, "{\"exp\":1700000300,%s}", rows[i].claims));
        if (rows[i].why) {
            expect(token, rows[i].why);
        } else {
            assert_true(accepted(token, &err));
        }
    }
}

/* The algorithm belongs to the key: a public key is no secret for HS256. */
static void other_algorithms_are_refused(void **state)
{
    static const char why[] = "The token's algorithm is not RS256, ES256 or EdDSA.";
    static const char *const names[] = {"none",  "None",  "HS256", "RS512",
                                        "PS256", "rs256", ""};
    struct signer *rsa = &signers[JWK_RSA];
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        expect(signed_header(
                   arena_format(arena, "{\"alg\":\"%s\",\"kid\":\"rsa\"}", names[i])),
               why);
    }
    expect(signed_header("{\"kid\":\"rsa\"}"), why);
    expect(signed_header("{\"alg\":[\"RS256\"]}"), why);
    const char *text =
        arena_format(arena, "%s.%s", signer_encoded(arena, "{\"alg\":\"HS256\"}", 15),
                     signer_encoded(arena, good_claims, sizeof good_claims - 1));
    unsigned char digest[SHA256_SIZE];
    sha256_keyed(rsa->der, rsa->size, text, strlen(text), digest);
    expect(
        arena_format(arena, "%s.%s", text, signer_encoded(arena, digest, sizeof digest)),
        why);
    expect(arena_format(arena, "%s.", text), why);
}

static void a_key_goes_with_one_algorithm(void **state)
{
    static const char why[] = "The issuer has no such key for the token's algorithm.";
    (void)state;
    expect(signed_header("{\"alg\":\"ES256\",\"kid\":\"rsa\"}"), why);
    expect(signed_header("{\"alg\":\"RS256\",\"kid\":\"ec\"}"), why);
    expect(signed_header("{\"alg\":\"EdDSA\",\"kid\":\"ec\"}"), why);
}

static void strange_keys_are_refused(void **state)
{
    static const char unknown[] = "The issuer has no such key for the token's algorithm.";
    static const char *const ids[] = {
        "../../etc/passwd", "rsa' OR '1'='1", "", "http://evil.example/keys", "RSA",
        "rsa\\u000a"};
    struct err err;
    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        expect(signed_header(
                   arena_format(arena, "{\"alg\":\"RS256\",\"kid\":\"%s\"}", ids[i])),
               unknown);
    }
    expect(signer_token(arena, &stranger, headers[JWK_RSA], good_claims),
           "The token's signature does not fit the issuer's key.");
    expect(signer_token(arena, &stranger,
                        arena_format(arena,
                                     "{\"alg\":\"RS256\",\"kid\":\"rsa\",\"jku\":"
                                     "\"http://evil.example\",\"jwk\":%s}",
                                     signer_jwk(arena, &stranger, "rsa", "")),
                        good_claims),
           "The token's signature does not fit the issuer's key.");
    expect(signed_header("{\"alg\":\"RS256\",\"kid\":7}"),
           "The token's key id is malformed.");
    assert_true(accepted(signed_header("{\"alg\":\"RS256\"}"), &err));
}

static void malformed_tokens_are_refused(void **state)
{
    (void)state;
    static const char parts[] = "The token does not have three parts.";
    const char *good = signed_claims(good_claims);
    expect("", parts);
    expect("abc", parts);
    expect("a.b", parts);
    expect("a.b.c.d", parts);
    expect("a.b.c.d.e", parts);
    expect("..", "The token's header is malformed.");
    expect(arena_format(arena, "%s=", good), "The token's signature is malformed.");
    expect(arena_format(arena, "%s ", good), "The token's signature is malformed.");
    expect(arena_format(arena, "%.*s", (int)(strrchr(good, '.') - good + 1), good),
           "The token's signature is malformed.");
    expect(arena_format(arena, "e30%s", strchr(good, '.')),
           "The token's algorithm is not RS256, ES256 or EdDSA.");
    expect(arena_format(arena, "e31%s", strchr(good, '.')),
           "The token's header is malformed.");
    expect(arena_format(arena, "!!!%s", strchr(good, '.')),
           "The token's header is malformed.");
    expect(signed_claims("[]"), "The token's claims are malformed.");
    expect(signed_claims("\"text\""), "The token's claims are malformed.");
    expect(signed_claims("{\"iss\":\"" ISSUER "\""), "The token's claims are malformed.");
    expect(signed_claims("{\"iss\":\"\xff\"}"), "The token's claims are malformed.");
    char *deep = arena_alloc(arena, 8001);
    memset(deep, '[', 8000);
    expect(signed_claims(deep), "The token's claims are malformed.");
    char *huge = arena_alloc(arena, JWT_MOST + 2);
    memset(huge, 'a', JWT_MOST + 1);
    expect(huge, "The token is too long.");
}

static void duplicated_names_are_refused(void **state)
{
    (void)state;
    expect(signed_claims("{\"iss\":\"" ISSUER "\",\"aud\":\"other\",\"aud\":\"" AUDIENCE
                         "\",\"exp\":1700000300}"),
           "The token's claims are malformed.");
    expect(signed_header("{\"alg\":\"HS256\",\"alg\":\"RS256\",\"kid\":\"rsa\"}"),
           "The token's header is malformed.");
}

static void tokens_for_something_else_are_refused(void **state)
{
    (void)state;
    expect(signed_header("{\"alg\":\"RS256\",\"kid\":\"rsa\",\"typ\":\"logout+jwt\"}"),
           "The token is of another type.");
    expect(signed_header("{\"alg\":\"RS256\",\"kid\":\"rsa\",\"typ\":7}"),
           "The token is of another type.");
    expect(signed_header("{\"alg\":\"RS256\",\"kid\":\"rsa\",\"crit\":[\"b64\"],"
                         "\"b64\":false}"),
           "The token has critical header fields.");
}

static size_t keys_in(const char *list)
{
    struct err err;
    struct jwk_set set;
    const char *json = arena_format(arena, "{\"keys\":[%s]}", list);
    bool ok = jwk_set_read(arena, json, strlen(json), &set, &err);
    assert_true(ok == (set.count > 0));
    return set.count;
}

static void unfit_keys_are_left_out(void **state)
{
    struct signer weak;
    (void)state;
    const struct signer *rsa = &signers[JWK_RSA];
    const struct signer *ec = &signers[JWK_P256];
    signer_init(&weak, JWK_RSA, 1024);
    assert_int_equal(keys_in(signer_jwk(arena, &weak, "a", "")), 0);
    signer_release(&weak);
    assert_int_equal(keys_in(signer_jwk(arena, rsa, "a", "\"use\":\"enc\",")), 0);
    assert_int_equal(keys_in(signer_jwk(arena, rsa, "a", "\"alg\":\"RS512\",")), 0);
    assert_int_equal(keys_in(signer_jwk(arena, ec, "a", "\"key_ops\":[\"sign\"],")), 0);
    assert_int_equal(keys_in(signer_jwk(arena, ec, "a", "\"key_ops\":[\"verify\"],")), 1);
    assert_int_equal(keys_in("{\"kty\":\"oct\",\"k\":\"c2VjcmV0\",\"kid\":\"a\"}"), 0);
    assert_int_equal(keys_in("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\","
                             "\"y\":\"AA\"}"),
                     0);
    const char *zeros = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    assert_int_equal(keys_in(arena_format(arena,
                                          "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":"
                                          "\"%s\",\"y\":\"%s\"}",
                                          zeros, zeros)),
                     0); /* not on the curve */
    char *one = arena_text(arena, signer_jwk(arena, rsa, "a", ""));
    memcpy(strstr(one, "AQAB"), "AAAB", 4); /* an exponent of 1 */
    assert_int_equal(keys_in(one), 0);
    assert_int_equal(keys_in("7,null,\"x\",{}"), 0);
}

static void a_key_must_be_the_only_one(void **state)
{
    struct err err;
    struct jwk_set set;
    (void)state;
    const struct signer *rsa = &signers[JWK_RSA];
    const char *json =
        arena_format(arena, "{\"keys\":[%s,%s]}", signer_jwk(arena, rsa, "a", ""),
                     signer_jwk(arena, &stranger, "b", ""));
    assert_true(jwk_set_read(arena, json, strlen(json), &set, &err));
    assert_ptr_equal(jwk_find(&set, "b", JWK_RSA), &set.items[1]);
    assert_null(jwk_find(&set, NULL, JWK_RSA));
    assert_null(jwk_find(&set, "c", JWK_RSA));
    assert_null(jwk_find(&set, "a", JWK_P256));
}

static void base64url_is_read_strictly(void **state)
{
    static const char *const bad[] = {
        "A", "AB", "ABC", "AA==", "AA\n", "A A", "+/", "AAAAA"};
    (void)state;
    size_t size = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(base64url_read(arena, bad[i], strlen(bad[i]), &size));
    }
    assert_non_null(base64url_read(arena, "", 0, &size));
    assert_int_equal(size, 0);
    unsigned char bytes[70];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(i * 37);
        const char *text = signer_encoded(arena, bytes, i);
        const unsigned char *again = base64url_read(arena, text, strlen(text), &size);
        assert_int_equal(size, i);
        assert_memory_equal(again, bytes, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_algorithm_is_accepted),
        cmocka_unit_test(a_changed_token_is_refused),
        cmocka_unit_test(times_are_checked_with_skew),
        cmocka_unit_test(issuer_and_audience_are_exact),
        cmocka_unit_test(other_algorithms_are_refused),
        cmocka_unit_test(a_key_goes_with_one_algorithm),
        cmocka_unit_test(strange_keys_are_refused),
        cmocka_unit_test(malformed_tokens_are_refused),
        cmocka_unit_test(duplicated_names_are_refused),
        cmocka_unit_test(tokens_for_something_else_are_refused),
        cmocka_unit_test(unfit_keys_are_left_out),
        cmocka_unit_test(a_key_must_be_the_only_one),
        cmocka_unit_test(base64url_is_read_strictly),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
