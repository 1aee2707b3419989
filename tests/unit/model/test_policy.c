/* Policies: read from the file, and asked as a chain that can only narrow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/options/options.h"
#include "model/schema.h"

static const char yaml[] = "datasources:\n"
                           "  - id: shop\n"
                           "    url: shop.db\n"
                           "    policy:\n"
                           "      tables: {allow: ['*'], deny: [salaries, 'hr.*']}\n"
                           "      columns:\n"
                           "        deny: [orders.card, '*.password']\n"
                           "        mask:\n"
                           "          - customers.email: last4\n"
                           "          - customers.address.city: null\n"
                           "      rows: {orders: region = 'EU'}\n"
                           "      max_rows: 100\n"
                           "      timeout_s: 9\n"
                           "      approval: false\n"
                           "      show_filters: true\n"
                           "      accounts:\n"
                           "        ada:\n"
                           "          tables: {allow: [orders, salaries]}\n"
                           "          columns: {mask: {customers.email: hash}}\n"
                           "          rows: {orders: owner = :account}\n"
                           "          max_rows: 500\n"
                           "          timeout_s: 3\n"
                           "          send_rows: false\n"
                           "        bob:\n"
                           "          columns: {mask: {customers.email: year}}\n"
                           "          approval: true\n"
                           "          show_filters: false\n"
                           "        '*': {tables: {allow: []}}\n";

static struct options *load(const char *text, struct err *err)
{
    struct options *options = options_new();
    err_clear(err);
    if (!options_parse(options, "test.yaml", text, strlen(text), err)) {
        options_free(options);
        return NULL;
    }
    return options;
}

static struct table table_of(const char *name, const char *namespace, const char *bare)
{
    return (struct table){.name = name, .namespace = namespace, .bare_name = bare};
}

static void an_account_only_narrows(void **state)
{
    (void)state;
    struct err err;
    struct options *first = load(yaml, &err);
    assert_non_null(first);
    struct options *options = options_clone(first);
    options_free(first); /* the copy must stand alone */
    const struct policy *all = options->datasources.items[0].policy;
    const struct policy *ada = policy_for(all, "ada", NULL);
    const struct policy *bob = policy_for(all, "bob", NULL);
    const struct policy *other = policy_for(all, "eve", NULL);
    assert_ptr_equal(policy_for(all, NULL, NULL), other);
    assert_null(policy_for(NULL, "ada", NULL));
    struct table orders = table_of("orders", "", "orders");
    struct table salaries = table_of("salaries", "", "salaries");
    struct table elsewhere = table_of("old.salaries", "old", "salaries");
    struct table staff = table_of("hr.staff", "hr", "staff");
    struct table customers = table_of("customers", "", "customers");
    assert_true(policy_has_table(all, &orders));
    assert_false(policy_has_table(all, &salaries));
    assert_false(policy_has_table(all, &elsewhere));
    assert_false(policy_has_table(all, &staff));
    assert_true(policy_has_table(ada, &orders));
    assert_false(policy_has_table(ada, &salaries)); /* allowed to her, denied to all */
    assert_false(policy_has_table(ada, &customers));
    assert_true(policy_has_table(bob, &customers));
    assert_false(policy_has_table(other, &orders));
    assert_int_equal(policy_mask_of(all, &customers, "email"), POLICY_MASK_LAST4);
    assert_int_equal(policy_mask_of(ada, &customers, "EMAIL"), POLICY_MASK_HASH);
    assert_int_equal(policy_mask_of(bob, &customers, "email"), POLICY_MASK_LAST4);
    assert_int_equal(policy_mask_of(all, &customers, "password"), POLICY_MASK_DENIED);
    assert_int_equal(policy_mask_of(all, &customers, "address"), POLICY_MASK_NULL);
    assert_int_equal(policy_mask_of(all, &customers, "address.city"), POLICY_MASK_NULL);
    assert_int_equal(policy_mask_of(all, &customers, "name"), POLICY_MASK_NONE);
    assert_int_equal(policy_max_rows(ada), 100);
    assert_int_equal(policy_timeout_ms(ada), 3000);
    assert_int_equal(policy_max_cost(ada), 0);
    assert_true(policy_keeps_rows(ada));
    assert_false(policy_keeps_rows(bob));
    assert_true(policy_wants_approval(bob));
    assert_false(policy_wants_approval(ada));
    assert_true(policy_shows_filters(ada));
    assert_false(policy_shows_filters(bob));
    struct texts conditions = {0};
    policy_filters_of(ada, &orders, options->arena, &conditions);
    assert_int_equal(conditions.count, 2);
    options_free(options);
}

static void a_default_namespace_may_be_written(void **state)
{
    (void)state;
    struct table orders = table_of("orders", "", "orders");
    struct table other = table_of("sales.orders", "sales", "orders");
    assert_true(policy_names_table("PUBLIC.Orders", &orders));
    assert_true(policy_names_table("main.ord*", &orders));
    assert_false(policy_names_table("orders", &other));
    assert_true(policy_names_table("sales.*", &other));
}

static void an_entry_that_names_nothing_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *policy;
        const char *entry; /* NULL: it fits */
    } cases[] = {{"{tables: {deny: [orders]}}", NULL},
                 {"{tables: {deny: [order]}}", "order"},
                 {"{tables: {deny: ['order_*']}}", NULL},
                 {"{columns: {deny: [orders.id]}}", NULL},
                 {"{columns: {deny: [orders.ids]}}", "orders.ids"},
                 {"{columns: {mask: {order.id: hash}}}", "order.id"},
                 {"{columns: {deny: [main.orders.id]}}", NULL},
                 {"{rows: {order: id = 1}}", "order"}};
    struct schema *schema = schema_new();
    struct table *table = schema_add_table(schema, "orders");
    (void)table_add_column(schema, table, "id", "INTEGER");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err;
        const char *entry = NULL;
        struct options *options =
            load(arena_format(schema->arena,
                              "datasources:\n  - {id: a, url: a.db, policy: %s}\n",
                              cases[i].policy),
                 &err);
        const struct policy *policy =
            options == NULL ? NULL : options->datasources.items[0].policy;
        assert_non_null(policy);
        bool fits = policy_fits(policy, schema, &entry);
        assert_int_equal(fits, cases[i].entry == NULL);
        if (!fits) {
            assert_string_equal(entry, cases[i].entry);
        }
        options_free(options);
    }
    schema_unref(schema);
}

static void what_is_not_understood_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "[a]",
        "{tables: [orders]}",
        "{tables: {allowed: [orders]}}",
        "{tables: {deny: [{a: b}]}}",
        "{columns: {deny: [card]}}",
        "{columns: {deny: [orders.]}}",
        "{columns: {deny: [.card]}}",
        "{columns: {hide: [orders.card]}}",
        "{columns: {mask: {orders.card: md5}}}",
        "{columns: {mask: [orders.card]}}",
        "{columns: {mask: orders.card}}",
        "{rows: [orders]}",
        "{rows: {orders: ''}}",
        "{max_rows: 0}",
        "{max_rows: -5}",
        "{max_bytes: many}",
        "{timeout_s: 1.5}",
        "{send_rows: perhaps}",
        "{approval: [true]}",
        "{row: {orders: a}}",
        "{accounts: [ada]}",
        "{accounts: {ada: {accounts: {bob: {}}}}}",
        "{accounts: {ada: {max_rows: x}}}",
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err;
        const char *text = arena_format(
            arena, "datasources:\n  - {id: a, url: a.db, policy: %s}\n", bad[i]);
        if (load(text, &err)) {
            fail_msg("%s was taken", bad[i]);
        }
        assert_int_equal(err.code, ERR_CONFIG);
        assert_true(str_starts(err.message, "test.yaml:2:"));
    }
    arena_free(arena);
}

/* An own entry, the first role in the order of the file, "*"; else nothing. */
static void a_role_chooses_the_policy(void **state)
{
    (void)state;
    struct err err;
    struct options *first =
        load("datasources:\n  - id: shop\n    url: shop.db\n    policy:\n"
             "      max_rows: 100\n"
             "      accounts: {ada: {max_rows: 5}}\n"
             "      roles:\n"
             "        guests: {max_rows: 2}\n"
             "        staff: {rows: {orders: \"r = {claim.region} OR {claim.a.b}\"}}\n",
             &err);
    assert_non_null(first);
    struct options *options = options_clone(first);
    options_free(first);
    const struct policy *all = options->datasources.items[0].policy;
    const char *names[] = {"staff", "guests", "Guests"};
    const struct texts both = {.items = names, .count = 2};
    const struct texts staff = {.items = names, .count = 1};
    const struct texts unknown = {.items = names + 2, .count = 1};
    struct table orders = table_of("orders", "", "orders");
    assert_int_equal(policy_max_rows(policy_for(all, "ada", &both)), 5);
    assert_int_equal(policy_max_rows(policy_for(all, "eve", &both)), 2);
    assert_int_equal(policy_max_rows(policy_for(all, "eve", &staff)), 100);
    assert_true(policy_has_table(policy_for(all, "eve", &staff), &orders));
    assert_false(policy_has_table(policy_for(all, "eve", &unknown), &orders));
    assert_false(policy_has_table(policy_for(all, "eve", NULL), &orders));
    assert_ptr_equal(policy_for(all, NULL, NULL), all); /* the command line */
    struct arena *arena = arena_new();
    struct texts claims = {0};
    policy_claims_of(all, arena, &claims);
    assert_int_equal(claims.count, 0);
    policy_claims_within(all, arena, &claims);
    assert_int_equal(claims.count, 2);
    assert_string_equal(claims.items[0], "region");
    assert_string_equal(claims.items[1], "a.b");
    arena_free(arena);
    options_free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_account_only_narrows),
        cmocka_unit_test(a_role_chooses_the_policy),
        cmocka_unit_test(a_default_namespace_may_be_written),
        cmocka_unit_test(an_entry_that_names_nothing_is_told),
        cmocka_unit_test(what_is_not_understood_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
