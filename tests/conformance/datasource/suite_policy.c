/* A policy held on the engine itself: what is planted never comes out, however it is
 * asked for, while the same statements tell it where there is no policy. */
#include <stdio.h>
#include <string.h>

#include "base/writer.h"
#include "conformance.h"
#include "sql/lexer.h"
#include "unit/datasource/policy_hold.h"
#include "unit/datasource/policy_own.h"

struct bench {
    struct place *place;
    struct policy_trial trial;
};

/* The same SQL in the names of this engine: how names are quoted, and where the tables of
 * the test are. */
static const char *translate(struct bench *bench, const char *sql)
{
    enum dialect dialect = datasource_dialect(bench->trial.open);
    char home[100];
    char quote = dialect_get(dialect)->name_quote;
    const char *folder = strrchr(bench->place->folder, '/') + 1;
    bool plain = dialect == DIALECT_CLICKHOUSE || dialect == DIALECT_BIGQUERY;
    (void)snprintf(home, sizeof home, "%c%s%c", quote, folder, quote);
    home[plain ? strcspn(home, "-") : strlen(home)] = plain ? '_' : '\0';
    const char *name = !kind->server || kind->documents ? "main"
                       : kind->namespaces && !plain     ? "public"
                                                        : home;
    name = dialect == DIALECT_MYSQL ? home : name;
    struct buf out;
    buf_init(&out, POLICY_SEEN_MOST);
    for (const char *at = sql; *at; at++) {
        bool starts = at == sql || strchr(" (,\"", at[-1]);
        if (starts && strncmp(at, "main.", 5) == 0) {
            (void)buf_format(&out, "%s.", name);
            at += 4;
        } else if (strncmp(at, "\"main\".", 7) == 0) {
            (void)buf_format(&out, "%s.", name);
            at += 6;
        } else {
            (void)buf_char(&out, *at == '"' ? quote : *at);
        }
    }
    const char *text = buf_clone(&out, bench->place->arena);
    buf_release(&out);
    return text;
}

static void hold(struct bench *bench, const char *sql)
{
    policy_hold(&bench->trial, translate(bench, sql));
}

/* A view of documents is a pipeline over one collection; an old ClickHouse has trouble
 * with more, too. */
static const char simple_views[] =
    "CREATE VIEW all_orders AS SELECT id, note, card_number FROM orders;"
    "CREATE VIEW over_view AS SELECT note FROM all_orders;"
    "CREATE VIEW pay AS SELECT amount FROM salaries;"
    "CREATE VIEW titles AS SELECT title FROM products";

static void begin(struct bench *bench, struct place *place)
{
    *bench = (struct bench){.place = place};
    bool simple = kind->documents || strcmp(kind->name, "clickhouse") == 0;
    int plain = (int)(strstr(policy_tables, "CREATE VIEW") - policy_tables);
    kind->script(place->path, simple ? arena_format(place->arena, "%.*s%s", plain,
                                                    policy_tables, simple_views)
                                     : policy_tables);
    struct err err;
    if (!place_try_open(place, place_url(place), &err)) {
        fail_msg("%s (%s)", err.message, err.detail);
    }
    bench->trial.open = place->source;
    place->source = place_open_policy(place, policy_rules);
    bench->trial.source = place->source;
    bench->trial.schema = place_schema(place);
}

static void end(struct bench *bench)
{
    datasource_close(bench->trial.open);
}

/* Every way to name the table with every use of it where a query costs little; else each
 * way and each use once or a few times. */
static void hold_forms(struct bench *bench)
{
    bool quick = !kind->server || strcmp(kind->name, "postgres") == 0 ||
                 strcmp(kind->name, "mysql") == 0;
    /* a query of documents loads a DuckDB, one of the peer of BigQuery starts a process
     */
    bool slow = kind->documents || strcmp(kind->name, "bigquery") == 0;
    size_t step = quick ? 3 : slow ? 31 : 12;
    for (size_t i = 0; i < POLICY_COUNT(policy_relations); i++) {
        for (size_t k = i * 7 % step; k < POLICY_COUNT(policy_uses); k += step) {
            hold(bench,
                 policy_form(bench->place->arena, policy_uses[k], &policy_relations[i]));
        }
    }
}

static void nothing_comes_out(void **state)
{
    struct bench bench;
    begin(&bench, *state);
    hold_forms(&bench);
    for (size_t i = 0; i < POLICY_COUNT(policy_others); i++) {
        hold(&bench, policy_others[i]);
    }
    const struct policy_own *own = policy_own_of(datasource_dialect(bench.trial.open));
    for (size_t i = 0; own && own->statements[i]; i++) {
        hold(&bench, own->statements[i]);
    }
    const struct policy_trial *trial = &bench.trial;
    print_message("%zu statements, %zu ran, %zu tell without the policy\n", trial->tried,
                  trial->ran, trial->told);
    assert_true(trial->tried > 70);
    assert_true(trial->ran > trial->tried / 8);
    assert_true(trial->told > trial->tried / 4);
    end(&bench);
}

static void answers(struct bench *bench, const char *sql, const char *expected)
{
    struct buf seen;
    struct err err;
    buf_init(&seen, POLICY_SEEN_MOST);
    sql = translate(bench, sql);
    if (!policy_ask(bench->trial.source, bench->trial.schema, sql, &seen, &err)) {
        fail_msg("%s: %s (%s)", sql, err.message, err.detail);
    }
    assert_string_equal(buf_get(&seen), expected);
    buf_release(&seen);
}

/* What is left is right, and masks are what they are called. */
static void what_is_left_is_right(void **state)
{
    struct bench bench;
    begin(&bench, *state);
    enum dialect dialect = datasource_dialect(bench.trial.open);
    bool odbc = strcmp(kind->name, "odbc") == 0;
    answers(&bench, "SELECT COUNT(*) AS n FROM orders", "n|\n2|");
    answers(&bench, "SELECT id, region, total, note FROM orders ORDER BY id",
            "id|region|total|note|\n1|EU|10|fine|\n2|EU|20|7|");
    answers(&bench, "SELECT o.total AS t FROM orders o WHERE o.id = 3 OR o.id = 1",
            "t|\n10|");
    answers(&bench, "SELECT id, page FROM visits ORDER BY id",
            "id|page|\n1|home|\n2|cart|");
    if (dialect != DIALECT_BIGQUERY) { /* its peer lacks the functions of masks */
        answers(&bench, "SELECT name, phone, born FROM customers ORDER BY id",
                "name|phone|born|\nAda|***3456|1815|\nBob|***9999|1920|\nEve|||");
        /* what has no function for hashes shows nothing */
        answers(&bench, "SELECT COUNT(DISTINCT email) AS n FROM customers",
                odbc && dialect == DIALECT_SQLITE ? "n|\n0|" : "n|\n3|");
    }
    answers(&bench,
            "SELECT o.id AS id, p.title AS title FROM orders o JOIN products p ON "
            "p.id = o.id ORDER BY 1",
            "id|title|\n1|lamp|\n2|desk|");
    end(&bench);
}

/* The schema, its samples and its statistics know nothing of what is held back. */
static void the_schema_shows_what_is_left(void **state)
{
    struct bench bench;
    struct place *place = *state;
    begin(&bench, place);
    struct err err;
    err_clear(&err);
    struct schema *schema = datasource_describe(place->source, NULL, &err);
    assert_non_null(schema);
    schema_normalize(schema);
    (void)datasource_enrich(place->source, schema, NULL, &err);
    struct buf buf;
    struct writer writer;
    buf_init(&buf, POLICY_SEEN_MOST);
    writer_init(&writer, &buf);
    schema_write(schema, &writer);
    static const char *const held[] = {"CANARY", "98765",      "salaries", "card_number",
                                       "tenant", "all_orders", "pay\"",    "over_view"};
    for (size_t i = 0; i < POLICY_COUNT(held); i++) {
        if (strstr(buf_get(&buf), held[i])) {
            fail_msg("%s in %s", held[i], buf_get(&buf));
        }
    }
    assert_non_null(strstr(buf_get(&buf), "fine")); /* a sample of what is seen */
    buf_release(&buf);
    schema_unref(schema);
    end(&bench);
}

/* A view is seen where the database tells what it reads and that is open, or where the
 * policy names it. */
static void views_are_seen_by_what_they_read(void **state)
{
    struct bench bench;
    struct place *place = *state;
    begin(&bench, place);
    enum dialect dialect = datasource_dialect(bench.trial.open);
    bool told = strcmp(kind->name, "odbc") != 0 &&
                (dialect == DIALECT_SQLITE || dialect == DIALECT_POSTGRES ||
                 (dialect == DIALECT_DUCKDB && !kind->documents));
    assert_int_equal(schema_table(bench.trial.schema, "titles") != NULL, told);
    datasource_close(place->source);
    place->source = place_open_policy(place, "tables: {allow: [products, titles]}");
    const struct schema *schema = place_schema(place);
    assert_non_null(schema_table(schema, "titles"));
    assert_null(schema_table(schema, "all_orders"));
    assert_null(schema_table(schema, "orders"));
    struct rows rows = place_rows(place, "SELECT title FROM titles ORDER BY 1");
    assert_int_equal(rows.count, 3);
    end(&bench);
}

/* `:account` in a condition is the account that asks, in every dialect. A sample is taken before the condition, so
 * its size would tell how many rows are hidden. */
static void a_condition_knows_the_account(void **state)
{
    struct bench bench;
    struct place *place = *state;
    struct err err;
    begin(&bench, place);
    datasource_close(place->source);
    struct datasource *all =
        place_open_policy(place, "rows: {products: 'title=:account'}");
    err_clear(&err);
    place->source =
        datasource_view(all, datasource_policy(all), "no such title", NULL, &err);
    if (!place->source) {
        fail_msg("%s %s", err.message, err.detail);
    }
    struct rows rows = place_rows(place, "SELECT id FROM products");
    assert_int_equal(rows.count, 0);
    static const char *const samples[DIALECT_COUNT] = {
        [DIALECT_DUCKDB] = "SELECT id FROM products TABLESAMPLE reservoir(1 ROWS)",
        [DIALECT_POSTGRES] = "SELECT id FROM products TABLESAMPLE bernoulli(50)",
    };
    const char *sample = samples[datasource_dialect(bench.trial.open)];
    struct buf seen;
    buf_init(&seen, POLICY_SEEN_MOST);
    if (sample && !kind->documents) {
        assert_false(policy_ask(place->source, bench.trial.schema, sample, &seen, &err));
        assert_int_equal(err.code, ERR_UNSAFE);
    }
    buf_release(&seen);
    datasource_close(place->source);
    place->source = all;
    end(&bench);
}

/* What a query over hidden rows would read does not depend on its conditions, and is rounded. */
static void estimates_tell_nothing_of_hidden_rows(void **state)
{
    static const char *const queries[] = {
        "SELECT * FROM orders",
        "SELECT COUNT(*) FROM orders WHERE note LIKE 'CANARY-row-3%'",
        "SELECT COUNT(*) FROM orders WHERE note = 'no such note'",
        "SELECT note FROM orders WHERE total > 98765002",
        "SELECT note FROM orders WHERE id = 98765 LIMIT 1",
        "WITH w AS (SELECT id FROM orders WHERE total < 0) SELECT id FROM w",
    };
    struct bench bench;
    struct datasource_estimate first = {.rows = -1};
    begin(&bench, *state);
    for (size_t i = 0; i < POLICY_COUNT(queries); i++) {
        struct datasource_estimate estimate = {.rows = -1};
        struct err err;
        err_clear(&err);
        const char *sql = translate(&bench, queries[i]);
        if (!datasource_estimate(bench.trial.source, sql, bench.place->arena, NULL,
                                 &estimate, &err)) {
            fail_msg("%s: %s (%s)", sql, err.message, err.detail);
        }
        first = i ? first : estimate;
        assert_int_equal(estimate.rows, first.rows);
        assert_int_equal(estimate.by_size, first.by_size);
        assert_true(estimate.by_size || estimate.rows == -1);
        assert_true(estimate.rows <= 0 || (estimate.rows & (estimate.rows - 1)) == 0);
        assert_false(estimate.full_scan);
        assert_null(estimate.table);
        assert_string_equal(estimate.text, "");
    }
    struct datasource_estimate open = {.rows = -1};
    struct err err;
    err_clear(&err);
    assert_true(datasource_estimate(bench.trial.source,
                                    translate(&bench, "SELECT title FROM products"),
                                    bench.place->arena, NULL, &open, &err));
    assert_false(open.by_size); /* nothing is hidden there */
    end(&bench);
}

/* SQLite's full-text tables: over another table, over themselves, their words. */
static const char virtual_tables[] =
    "CREATE TABLE vault (id INTEGER PRIMARY KEY, secret TEXT, region TEXT);"
    "INSERT INTO vault VALUES (1, 'CANARYVAULT alpha', 'US');"
    "CREATE VIRTUAL TABLE vault_search USING fts5(secret, content='vault',"
    " content_rowid='id');"
    "INSERT INTO vault_search(vault_search) VALUES ('rebuild');"
    "CREATE VIRTUAL TABLE vault_words USING fts5vocab(vault_search, 'row');"
    "CREATE VIRTUAL TABLE vault_old USING fts4(secret, content=\"vault\");"
    "CREATE VIRTUAL TABLE vault_index USING fts5(secret, content='');"
    "INSERT INTO vault_index(rowid, secret) VALUES (1, 'CANARYVAULT alpha');"
    "CREATE VIRTUAL TABLE vault_index_words USING fts5vocab(vault_index, 'row');"
    "CREATE VIEW search_view AS SELECT secret FROM vault_search;"
    "CREATE TABLE memos (id INTEGER PRIMARY KEY, body TEXT);"
    "INSERT INTO memos VALUES (1, 'about lamps');"
    "CREATE VIRTUAL TABLE memo_search USING fts5(body, content='memos',"
    " content_rowid='id');"
    "INSERT INTO memo_search(memo_search) VALUES ('rebuild');"
    "CREATE VIRTUAL TABLE memo_words USING fts5vocab(memo_search, 'row');"
    "CREATE VIRTUAL TABLE note USING fts5(body);"
    "INSERT INTO note VALUES ('CANARYNOTE beta');"
    "CREATE VIRTUAL TABLE note_words USING fts5vocab(note, 'row');"
    "CREATE VIRTUAL TABLE letter USING fts4(body);"
    "INSERT INTO letter VALUES ('CANARYNOTE gamma');"
    "CREATE VIRTUAL TABLE letter_words USING fts4aux(letter);"
    "CREATE VIRTUAL TABLE box USING rtree(id, low, high)";

static bool is_word_in(const char *list, const char *word)
{
    const char *at = strstr(list, word);
    size_t size = strlen(word);
    return at && (at == list || at[-1] == ' ') && (at[size] == ' ' || !at[size]);
}

/* Under the policy the schema has the tables of `seen` and none of `hidden`. */
static void seen_under(struct place *place, const char *rules, const char *seen,
                       const char *hidden)
{
    struct arena *arena = arena_new();
    datasource_close(place->source);
    place->source = place_open_policy(place, rules);
    const struct schema *schema = place_schema(place);
    for (size_t i = 0; i < schema->tables.count; i++) {
        if (is_word_in(hidden, schema->tables.items[i].name)) {
            fail_msg("%s: %s is seen", rules, schema->tables.items[i].name);
        }
    }
    struct tokens words = {0};
    lexer_run(arena, DIALECT_SQLITE, seen, strlen(seen), &words);
    for (size_t i = 0; i < words.count; i++) {
        if (!schema_table(schema, words.items[i].text)) {
            fail_msg("%s: %s is not seen", rules, words.items[i].text);
        }
    }
    words = (struct tokens){0};
    lexer_run(arena, DIALECT_SQLITE, hidden, strlen(hidden), &words);
    for (size_t i = 0; i < words.count; i++) {
        struct buf seen_text;
        struct err err;
        buf_init(&seen_text, POLICY_SEEN_MOST);
        const char *sql = arena_format(arena, "SELECT * FROM %s", words.items[i].text);
        assert_false(policy_ask(place->source, schema, sql, &seen_text, &err));
        assert_null(strstr(buf_get(&seen_text), "CANARY"));
        buf_release(&seen_text);
    }
    arena_free(arena);
}

/* A virtual table shows another table as a view does, and is seen as a view is. */
static void virtual_tables_are_seen_by_what_they_show(void **state)
{
    static const char of_vault[] = "vault_search vault_words vault_old vault_index"
                                   " vault_index_words search_view";
    static const char others[] = "memos memo_search memo_words note note_words letter"
                                 " letter_words box";
    struct place *place = *state;
    if (strcmp(kind->speaks ? kind->speaks : kind->name, "sqlite") != 0) {
        skip();
    }
    place->source = place_open(place, virtual_tables);
    const struct schema *open = place_schema(place);
    assert_non_null(schema_table(open, "vault_search"));
    assert_non_null(schema_table(open, "vault_index_words"));
    seen_under(place, "max_rows: 5", "vault vault_search vault_words vault_index", "");
    seen_under(place, "tables: {deny: [vault]}", others,
               arena_format(place->arena, "vault %s", of_vault));
    seen_under(place, "columns: {mask: {vault.secret: redact}}", others, of_vault);
    seen_under(place, "columns: {deny: [vault.secret]}", others, of_vault);
    seen_under(place, "rows: {vault: \"region = 'EU'\"}", others, of_vault);
    seen_under(place, "tables: {deny: [note, letter]}",
               "vault vault_search vault_words memo_words",
               "note note_words letter letter_words note_content letter_content"
               " vault_index vault_index_words");
    seen_under(place, "columns: {mask: {note.body: hash}}", "note letter letter_words",
               "note_words note_content");
    seen_under(place, "rows: {note: \"body = 'x'\"}", "note memo_words", "note_words");
    seen_under(place, "tables: {allow: [vault_search, memos]}", "vault_search memos",
               "vault vault_words memo_search note");
}

static size_t rows_with(struct place *place, struct datasource *all, const char *claims)
{
    struct err err;
    err_clear(&err);
    place->source = datasource_view(all, datasource_policy(all), "ann", claims, &err);
    if (!place->source) {
        fail_msg("%s %s", err.message, err.detail);
    }
    struct rows rows = place_rows(place, "SELECT id FROM products");
    if (rows.count > 0) {
        assert_false(datasource_lacks_claim(place->source));
    }
    datasource_close(place->source);
    place->source = all;
    return rows.count;
}

/* `{claim.t}` is the value of the caller's claim, in every dialect; what it may hold is
 * text. A missing claim shows nothing, whatever the condition would make of it. */
static void a_condition_knows_the_claims(void **state)
{
    static const char *const nothing[] = {
        "{}",
        "{\"t\":null}",
        "{\"t\":{\"title\":\"lamp\"}}",
        "{\"t\":[\"lamp\",\"desk\"]}",
        "{\"t\":\"x' OR '1'='1\"}",
        "{\"t\":\"x\\\\' OR 1=1 -- \"}",
        "{\"t\":\"\\\\\"}",
        "{\"t\":\"x\\n\"}",
        "{\"t\":\":account\"}",
        "{\"t\":\"{claim.t}\"}",
        "{\"t\":\"x\xe2\x80\x99 OR 1=1\"}",
    };
    struct bench bench;
    struct place *place = *state;
    begin(&bench, place);
    datasource_close(place->source);
    struct datasource *all =
        place_open_policy(place, "rows: {products: 'title={claim.t}'}");
    assert_int_equal(rows_with(place, all, "{\"t\":\"lamp\"}"), 1);
    assert_int_equal(rows_with(place, all, "{\"t\":[\"lamp\"]}"), 1);
    /* what stands in for BigQuery here does not read its backslashes */
    bool plain = datasource_dialect(bench.trial.open) == DIALECT_BIGQUERY;
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        if (!plain || !strpbrk(nothing[i], "'\\")) {
            assert_int_equal(rows_with(place, all, nothing[i]), 0);
        }
    }
    datasource_close(all);
    all = place_open_policy(place, "rows: {products: 'title IN ({claim.t}) OR id = 0'}");
    assert_int_equal(rows_with(place, all, "{\"t\":[\"lamp\",\"desk\"]}"), 2);
    assert_int_equal(rows_with(place, all, "{\"t\":[]}"), 0);
    datasource_close(all);
    all = place_open_policy(
        place, "rows: {products: \"title = {claim.t} OR title <> '{claim.x}' AND "
               "COALESCE({claim.s}, title) = title\"}");
    assert_int_equal(rows_with(place, all, "{\"t\":\"lamp\"}"), 0);
    datasource_close(all);
    all = place_open_policy(place, "rows: {products: 'id = {claim.t}'}");
    assert_int_equal(rows_with(place, all, "{\"t\":1}"), 1);
    place->source = all;
    end(&bench);
}

int suite_policy(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(nothing_comes_out),
        PLACE_TEST(a_condition_knows_the_claims),
        PLACE_TEST(what_is_left_is_right),
        PLACE_TEST(the_schema_shows_what_is_left),
        PLACE_TEST(views_are_seen_by_what_they_read),
        PLACE_TEST(a_condition_knows_the_account),
        PLACE_TEST(estimates_tell_nothing_of_hidden_rows),
        PLACE_TEST(virtual_tables_are_seen_by_what_they_show),
    };
    return cmocka_run_group_tests_name("policy", tests, NULL, NULL);
}
