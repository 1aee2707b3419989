/* Identities: the newest sign-in of an account counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "agent/sources/identities.h"
#include "base/arena.h"
#include "base/vec.h"

#define EU "{\"roles\":[\"sales\"],\"claims\":{\"region\":\"EU\",\"team\":7}}"
#define US "{\"roles\":[],\"claims\":{\"region\":\"US\"}}"

static void expect(struct identities *identities, const char *region)
{
    struct arena *arena = arena_new();
    const json_t *identity = identities_get(identities, "ann", arena);
    const json_t *claims = json_object_at(identity, "claims");
    assert_string_equal(json_text_at(claims, "region"), region);
    arena_free(arena);
}

static void the_newest_sign_in_counts(void **state)
{
    struct identities *identities = identities_new();
    (void)state;
    assert_true(identities_put(identities, "ann", EU, 100));
    assert_true(identities_put(identities, "ann", EU, 50)); /* the same, from before */
    assert_false(identities_put(identities, "ann", US, 99));
    expect(identities, "EU");
    assert_true(identities_put(identities, "ann", US, 100));
    expect(identities, "US");
    assert_true(identities_put(identities, "ann", US, 200));
    assert_false(identities_put(identities, "ann", EU, 150));
    expect(identities, "US");
    identities_free(identities);
}

static void nobody_has_no_identity(void **state)
{
    struct identities *identities = identities_new();
    struct arena *arena = arena_new();
    (void)state;
    assert_true(identities_put(identities, "ann", EU, 1));
    assert_null(identities_get(identities, "bob", arena));
    assert_null(identities_get(identities, "ANN", arena));
    assert_null(identities_get(identities, NULL, arena));
    assert_null(identities_get(identities, "", arena));
    arena_free(arena);
    identities_free(identities);
}

static void only_claims_that_are_asked_for_are_told(void **state)
{
    struct arena *arena = arena_new();
    struct identities *identities = identities_new();
    struct texts names = {0};
    (void)state;
    assert_true(identities_put(identities, "ann", EU, 1));
    const json_t *identity = identities_get(identities, "ann", arena);
    assert_null(identities_claims(identity, &names, arena));
    VEC_PUSH(arena, &names, "team");
    VEC_PUSH(arena, &names, "other");
    assert_string_equal(identities_claims(identity, &names, arena), "{\"team\":7}");
    VEC_PUSH(arena, &names, "region");
    assert_string_equal(identities_claims(identity, &names, arena),
                        "{\"region\":\"EU\",\"team\":7}");
    assert_string_equal(identities_claims(NULL, &names, arena), "{}");
    identities_free(identities);
    arena_free(arena);
}

static void there_are_not_more_and_more_of_them(void **state)
{
    struct identities *identities = identities_new();
    struct arena *arena = arena_new();
    (void)state;
    for (int i = 0; i < 20001; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "account-%d", i);
        assert_true(identities_put(identities, name, EU, 1));
    }
    assert_null(identities_get(identities, "account-7", arena));
    assert_non_null(identities_get(identities, "account-20000", arena));
    arena_free(arena);
    identities_free(identities);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_newest_sign_in_counts),
        cmocka_unit_test(nobody_has_no_identity),
        cmocka_unit_test(only_claims_that_are_asked_for_are_told),
        cmocka_unit_test(there_are_not_more_and_more_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
