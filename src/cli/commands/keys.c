/* dragoman keys: creates, lists and revokes access keys of the server. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/report.h"

enum { LIST_COLUMNS = 6, DAY_S = 86400, HOUR_S = 3600, MINUTE_S = 60 };

static const struct flag flags[] = {
    FLAG_VALUE("scopes", "LIST", "With add: read, ask (default), admin, with commas"),
    FLAG_MANY("datasource", "ID", "With add: only this datasource (repeatable)"),
    FLAG_VALUE("rate", "N", "With add: requests per minute (default: no limit)"),
    FLAG_VALUE("concurrent", "N", "With add: concurrent questions (default: no limit)"),
    FLAG_VALUE("daily-tokens", "N", "With add: tokens per day (default: no limit)"),
    FLAG_VALUE("expires", "TIME", "With add: 90d, 12h or 30m (default: never)"),
    FLAG_VALUE("label", "TEXT", "With add: purpose of the key"),
    FLAG_JSON("Print as JSON"),
};

static const char *keys_word(const struct cli *cli, size_t index)
{
    const struct texts *words = &cli->arguments.words;
    return index < words->count ? words->items[index] : NULL;
}

static int usage(struct cli *cli, const char *what)
{
    struct err err;
    (void)err_set(&err, ERR_USAGE, "%s", what);
    (void)err_hint(&err, "dragoman keys add ACCOUNT | list | show ID | revoke ID");
    return report_err(cli, &err);
}

static bool number(const struct cli *cli, const char *flag, int64_t *out)
{
    const char *text = arguments_value(&cli->arguments, flag);
    *out = 0;
    return !text || (str_to_int(text, out) && *out > 0);
}

/* "90d" in seconds. */
static bool duration(struct cli *cli, const char *text, int64_t *out)
{
    static const struct {
        char unit;
        int64_t s;
    } units[] = {{'d', DAY_S}, {'h', HOUR_S}, {'m', MINUTE_S}, {'s', 1}};
    *out = 0;
    if (!text) {
        return true;
    }
    size_t size = strlen(text);
    for (size_t i = 0; size > 1 && i < sizeof units / sizeof *units; i++) {
        if (text[size - 1] == units[i].unit) {
            int64_t count = 0;
            bool ok = str_to_int(arena_copy(cli->arena, text, size - 1), &count) &&
                      count > 0 && count < INT32_MAX;
            *out = count * units[i].s;
            return ok;
        }
    }
    return false;
}

static void field(struct cli *cli, const char *name, const char *text)
{
    char head[32];
    (void)snprintf(head, sizeof head, "%-16s", name);
    out_text(&cli->out, head);
    out_foreign(&cli->out, text);
    out_text(&cli->out, "\n");
}

static const char *joined(struct cli *cli, const json_t *key, const char *name,
                          const char *without)
{
    struct texts texts = {0};
    json_texts_at(cli->arena, key, name, &texts);
    return texts.count ? str_join(cli->arena, &texts, ",") : without;
}

static const char *limit(struct cli *cli, const json_t *key, const char *name)
{
    int64_t value = json_int_at(key, name, 0);
    return value ? arena_format(cli->arena, "%lld", (long long)value) : "no limit";
}

static void print_key(struct cli *cli, const json_t *key)
{
    const char *label = json_text_at(key, "label");
    const char *expires = json_text_at(key, "expires_at");
    const char *used = json_text_at(key, "last_used_at");
    field(cli, "id", json_text_at(key, "id"));
    field(cli, "account", json_text_at(key, "account"));
    if (label) {
        field(cli, "label", label);
    }
    field(cli, "scopes", joined(cli, key, "scopes", ""));
    field(cli, "datasources", joined(cli, key, "datasources", "all"));
    field(cli, "per minute", limit(cli, key, "rate_per_minute"));
    field(cli, "at once", limit(cli, key, "concurrent"));
    field(cli, "tokens per day", limit(cli, key, "daily_tokens"));
    field(
        cli, "tokens today",
        arena_format(cli->arena, "%lld", (long long)json_int_at(key, "tokens_today", 0)));
    field(cli, "created", json_text_at(key, "created_at"));
    field(cli, "expires",
          !expires                              ? "never"
          : json_bool_at(key, "expired", false) ? "it has expired"
                                                : expires);
    field(cli, "last used", used ? used : "never");
}

/* What the library said, printed; NULL is its error. */
static int show(struct cli *cli, char *text, const struct dgm_error *error)
{
    struct err err;
    if (!text) {
        return report_error(cli, error);
    }
    if (cli->json) {
        json_print(&cli->out, text);
    } else {
        print_key(cli, json_parse(cli->arena, text, strlen(text), &err));
    }
    dgm_free(text);
    return 0;
}

static int add(struct cli *cli)
{
    struct dgm_error error = {.position = -1};
    struct err err;
    struct texts sources = {0};
    const char *source = NULL;
    for (size_t i = 0; (source = arguments_each(&cli->arguments, "datasource", i)); i++) {
        VEC_PUSH(cli->arena, &sources, source);
    }
    struct dgm_key key = {
        .account = keys_word(cli, 1),
        .label = arguments_value(&cli->arguments, "label"),
        .scopes = arguments_value(&cli->arguments, "scopes"),
        .datasources = sources.count ? str_join(cli->arena, &sources, ",") : NULL,
    };
    if (!key.account) {
        return usage(cli, "The name of the account is missing.");
    }
    if (!number(cli, "rate", &key.rate_per_minute) ||
        !number(cli, "concurrent", &key.concurrent) ||
        !number(cli, "daily-tokens", &key.daily_tokens) ||
        !duration(cli, arguments_value(&cli->arguments, "expires"), &key.expires_in_s)) {
        return usage(cli, "--rate, --concurrent and --daily-tokens need a number above "
                          "0, --expires a number with d, h or m.");
    }
    char *text = dgm_key_add(cli->dgm, &key, &error);
    if (!text) {
        return report_error(cli, &error);
    }
    if (cli->json) {
        json_print(&cli->out, text);
    } else {
        out_foreign(
            &cli->out,
            json_text_at(json_parse(cli->arena, text, strlen(text), &err), "key"));
        out_text(&cli->out, "\n");
        report_note(cli, "The key is shown only once; only its hash is stored. Send it "
                         "as 'Authorization: Bearer KEY'.");
    }
    dgm_free(text);
    return 0;
}

static int keys_list(struct cli *cli)
{
    static const char *heads[LIST_COLUMNS] = {"id",          "account", "scopes",
                                              "datasources", "expires", "last used"};
    struct dgm_error error = {.position = -1};
    struct err err;
    char *text = dgm_key_list(cli->dgm, &error);
    if (!text) {
        return report_error(cli, &error);
    }
    if (cli->json) {
        json_print(&cli->out, text);
        dgm_free(text);
        return 0;
    }
    const json_t *keys = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    size_t count = json_array_size(keys);
    if (count == 0) {
        report_note(cli,
                    "There are no keys yet. 'dragoman keys add ACCOUNT' creates one.");
        return 0;
    }
    struct grid grid = {
        .columns = heads, .column_count = LIST_COLUMNS, .row_count = count};
    grid.cells = arena_array(cli->arena, count * LIST_COLUMNS, sizeof *grid.cells);
    for (size_t i = 0; i < count; i++) {
        const json_t *key = json_array_get(keys, i);
        const char *expires = json_text_at(key, "expires_at");
        const char *used = json_text_at(key, "last_used_at");
        const char *cells[LIST_COLUMNS] = {
            json_text_at(key, "id"),
            json_text_at(key, "account"),
            joined(cli, key, "scopes", ""),
            joined(cli, key, "datasources", "all"),
            json_bool_at(key, "expired", false) ? "expired"
            : expires                           ? expires
                                                : "never",
            used ? used : "never",
        };
        for (size_t c = 0; c < LIST_COLUMNS; c++) {
            grid.cells[i * LIST_COLUMNS + c] = (struct dgm_cell){
                .text = str_or_empty(cells[c]), .size = strlen(str_or_empty(cells[c]))};
        }
    }
    (void)table_print(&cli->out, &grid, 0);
    return 0;
}

static int keys_run(struct cli *cli)
{
    const char *what = keys_word(cli, 0);
    struct dgm_error error = {.position = -1};
    if (!what || str_equal(what, "list")) {
        return keys_list(cli);
    }
    if (str_equal(what, "add")) {
        return add(cli);
    }
    if (str_equal(what, "show") && keys_word(cli, 1)) {
        return show(cli, dgm_key_get(cli->dgm, keys_word(cli, 1), &error), &error);
    }
    if (str_equal(what, "revoke") && keys_word(cli, 1)) {
        return dgm_key_revoke(cli->dgm, keys_word(cli, 1), &error)
                   ? 0
                   : report_error(cli, &error);
    }
    return usage(cli, "The command for keys is missing or incomplete.");
}

const struct command command_keys = {
    .name = "keys",
    .group = GROUP_KEEP,
    .words = "add|list|show|revoke [ACCOUNT|ID]",
    .summary = "Create, list and revoke access keys of the server",
    .about = "A key authenticates a client of the server. It belongs to an account; only "
             "that\n"
             "account sees its questions, saved queries and lessons. 'ask' includes\n"
             "'read', 'admin' includes both. The key is printed once; only its hash is "
             "stored.",
    .examples =
        "dragoman keys add ann\n"
        "dragoman keys add reports --scopes read --datasource shop --expires 90d\n"
        "dragoman keys revoke ID",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 2,
    .needs = NEEDS_INSTANCE,
    .run = keys_run,
};
