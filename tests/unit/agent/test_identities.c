/* Identities: each actor has its own, and acts in one account. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "agent/sources/identities.h"
#include "base/arena.h"
#include "base/vec.h"
#include "model/actor.h"

#define EU "{\"roles\":[\"sales\"],\"claims\":{\"region\":\"EU\",\"team\":7}}"
#define US "{\"roles\":[],\"claims\":{\"region\":\"US\"}}"

static void expect(struct identities *identities, const char *actor, const char *region)
{
    struct arena *arena = arena_new();
    const json_t *identity = identities_get(identities, actor, arena);
    const json_t *claims = json_object_at(identity, "claims");
    assert_string_equal(json_text_at(claims, "region"), region);
    arena_free(arena);
}

static void each_actor_has_its_own(void **state)
{
    struct identities *identities = identities_new();
    char eu[ACTOR_SIZE];
    char us[ACTOR_SIZE];
    (void)state;
    actor_name(eu, "ann", EU);
    actor_name(us, "ann", US);
    for (int i = 0; i < 2; i++) {
        identities_put(identities, eu, EU);
        identities_put(identities, us, US);
        expect(identities, eu, "EU");
        expect(identities, us, "US");
    }
    struct arena *arena = arena_new();
    assert_null(identities_get(identities, "ann", arena));
    arena_free(arena);
    identities_free(identities);
}

static void an_actor_is_of_one_account(void **state)
{
    static const char digest[] = "0123456789abcdef0123456789abcdef";
    char actor[ACTOR_SIZE];
    char other[ACTOR_SIZE];
    struct arena *arena = arena_new();
    (void)state;
    actor_name(actor, "ann", EU);
    assert_int_equal(strlen(actor), 3 + 1 + 32);
    assert_string_equal(actor_account(arena, actor), "ann");
    assert_true(actor_is_of(actor, "ann"));
    assert_false(actor_is_of(actor, "an"));
    assert_false(actor_is_of(actor, ""));
    assert_false(actor_is_of(actor, NULL));
    actor_name(other, "ann", US);
    assert_string_not_equal(actor, other);
    actor_name(other, "anna", EU);
    assert_string_not_equal(actor, other);
    /* without roles and claims, it is the account */
    actor_name(actor, "ann", "{}");
    assert_string_equal(actor, "ann");
    actor_name(actor, "ann", NULL);
    assert_string_equal(actor, "ann");
    assert_true(actor_is_of(NULL, ""));
    assert_true(actor_is_of("", NULL));
    assert_false(actor_is_of("", "ann"));
    assert_null(actor_account(arena, NULL));
    /* names that programs give are left alone */
    assert_string_equal(actor_account(arena, "ann~x"), "ann~x");
    assert_string_equal(actor_account(arena, digest), digest);
    assert_string_equal(actor_account(arena, "a~0123456789abcdef0123456789abcdeg"),
                        "a~0123456789abcdef0123456789abcdeg");
    assert_string_equal(actor_account(arena, "~0123456789abcdef0123456789abcdef"),
                        "~0123456789abcdef0123456789abcdef");
    /* the longest name has room */
    char name[72];
    memset(name, 'x', 71);
    name[71] = '\0';
    actor_name(actor, name, EU);
    assert_int_equal(strlen(actor), 71 + 33);
    arena_free(arena);
}

static void nobody_has_no_identity(void **state)
{
    struct identities *identities = identities_new();
    struct arena *arena = arena_new();
    (void)state;
    identities_put(identities, "ann", EU);
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
    identities_put(identities, "ann", EU);
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
        identities_put(identities, name, EU);
    }
    assert_null(identities_get(identities, "account-7", arena));
    assert_non_null(identities_get(identities, "account-20000", arena));
    arena_free(arena);
    identities_free(identities);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_actor_has_its_own),
        cmocka_unit_test(an_actor_is_of_one_account),
        cmocka_unit_test(nobody_has_no_identity),
        cmocka_unit_test(only_claims_that_are_asked_for_are_told),
        cmocka_unit_test(there_are_not_more_and_more_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
