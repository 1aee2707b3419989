/* SHA-256 and its keyed form against published examples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"

static void hex(const unsigned char digest[SHA256_SIZE], char out[2 * SHA256_SIZE + 1])
{
    for (size_t i = 0; i < SHA256_SIZE; i++) {
        (void)snprintf(out + 2 * i, 3, "%02x", digest[i]);
    }
}

static void expect(const char *text, const char *expected)
{
    unsigned char digest[SHA256_SIZE];
    char out[2 * SHA256_SIZE + 1];
    sha256(text, strlen(text), digest);
    hex(digest, out);
    assert_string_equal(out, expected);
}

static void published_digests(void **state)
{
    (void)state;
    expect("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void a_million_letters(void **state)
{
    (void)state;
    static char letters[1000000];
    unsigned char digest[SHA256_SIZE];
    char out[2 * SHA256_SIZE + 1];
    memset(letters, 'a', sizeof letters);
    sha256(letters, sizeof letters, digest);
    hex(digest, out);
    assert_string_equal(
        out, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void published_keyed_digests(void **state)
{
    (void)state;
    unsigned char digest[SHA256_SIZE];
    char out[2 * SHA256_SIZE + 1];
    unsigned char key[131];
    sha256_keyed("Jefe", 4, "what do ya want for nothing?", 28, digest);
    hex(digest, out);
    assert_string_equal(
        out, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, sizeof key); /* longer than a block */
    static const char text[] = "Test Using Larger Than Block-Size Key - Hash Key First";
    sha256_keyed(key, sizeof key, text, sizeof text - 1, digest);
    hex(digest, out);
    assert_string_equal(
        out, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_digests),
        cmocka_unit_test(a_million_letters),
        cmocka_unit_test(published_keyed_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
