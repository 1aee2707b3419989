/* Opening the library as the command line asks for it: settings, datasources, the house.
 */
#include "cli/house.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/report.h"
#include "cli/stop.h"

enum { HINT_CEILING = 4096 };

static bool set_flags(struct cli *cli, struct dgm_error *error)
{
    const struct arguments *arguments = &cli->arguments;
    const char *data = arguments_value(arguments, "data");
    const char *dictionary = arguments_value(arguments, "dictionary");
    bool loud = arguments_has(arguments, "verbose");
    if (data && !dgm_config_set(cli->config, "store.folder", data, error)) {
        return false;
    }
    if (dictionary &&
        !dgm_config_set(cli->config, "schema.dictionary", dictionary, error)) {
        return false;
    }
    if ((loud || cli->quiet) &&
        !dgm_config_set(cli->config, "log.level", loud ? "debug" : "error", error)) {
        return false;
    }
    const char *given = NULL;
    for (size_t i = 0; (given = arguments_each(arguments, "set", i)); i++) {
        const char *equals = strchr(given, '=');
        if (!equals || equals == given) {
            struct err err;
            (void)err_set(&err, ERR_USAGE, "--set wants KEY=VALUE.");
            (void)err_hint(&err, "For example: --set llm.model=gpt-4o-mini");
            report_convert(&err, error);
            return false;
        }
        char *key = arena_copy(cli->arena, given, (size_t)(equals - given));
        if (!dgm_config_set(cli->config, key, equals + 1, error)) {
            return false;
        }
    }
    return true;
}

/* The id of a configured datasource, not a file or a URL. */
static bool looks_like_id(const char *text)
{
    return !strpbrk(text, "./:\\") && !file_exists(text) && !folder_exists(text);
}

static bool add_datasources(struct cli *cli, struct dgm_error *error)
{
    const struct arguments *arguments = &cli->arguments;
    const char *given = NULL;
    size_t ids = 0;
    size_t count = 0;
    for (; (given = arguments_each(arguments, "db", count)); count++) {
        ids += looks_like_id(given);
        if (looks_like_id(given) && strchr(given, ',')) {
            cli->datasource = given; /* all of these, whatever else there is */
        }
    }
    size_t datasets = 0;
    while (arguments_each(arguments, "dataset", datasets)) {
        datasets++;
    }
    if (count + datasets > 0 && !ids) {
        dgm_config_clear_datasources(cli->config);
    }
    for (size_t i = 0; (given = arguments_each(arguments, "db", i)); i++) {
        if (!looks_like_id(given) &&
            !dgm_config_add_datasource(cli->config, NULL, given, error)) {
            return false;
        }
    }
    for (size_t i = 0; (given = arguments_each(arguments, "dataset", i)); i++) {
        const char *url = arena_format(cli->arena, "dataset:%s", given);
        if (!dgm_config_add_datasource(cli->config, NULL, url, error)) {
            return false;
        }
    }
    if (arguments_has(arguments, "allow-write")) {
        dgm_config_allow_writes(cli->config);
    }
    if (count == 1 && ids == 1) {
        cli->datasource = arguments_value(arguments, "db");
    }
    return true;
}

static bool open_config(struct cli *cli, struct dgm_error *error)
{
    if (cli->config) {
        return true;
    }
    cli->config = dgm_config_new();
    return dgm_config_load(cli->config, arguments_value(&cli->arguments, "config"),
                           error) &&
           dgm_config_environment(cli->config, error) && set_flags(cli, error) &&
           add_datasources(cli, error);
}

bool house_reload(struct cli *cli, struct dgm_error *error)
{
    struct dgm_config *before = cli->config;
    cli->config = NULL;
    bool ok = open_config(cli, error) && dgm_reload(cli->dgm, cli->config, error);
    dgm_config_free(ok ? before : cli->config);
    cli->config = ok ? cli->config : before;
    return ok;
}

static bool open_house(struct cli *cli, struct dgm_error *error)
{
    if (cli->dgm) {
        return true;
    }
    stop_listen(); /* before the library starts threads: they inherit the signal mask */
    cli->dgm = dgm_open(cli->config, error);
    return cli->dgm != NULL;
}

/* "crm,shop": are all of them there? The first that is not becomes the one to name. */
static bool all_there(struct cli *cli, const struct texts *ids)
{
    struct texts wanted = {0};
    str_split(cli->arena, cli->datasource, ',', &wanted);
    for (size_t i = 0; i < wanted.count; i++) {
        bool there = false;
        for (size_t k = 0; k < ids->count && !there; k++) {
            there = str_equal(ids->items[k], str_trim(cli->arena, wanted.items[i]));
        }
        if (!there) {
            cli->datasource = wanted.items[i];
            return false;
        }
    }
    return true;
}

/* True when there is at least one, and the one that --db named is among them. */
static bool check_datasources(struct cli *cli, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    char *text = dgm_datasources(cli->dgm);
    json_t *list =
        json_parse(cli->arena, text ? text : "[]", text ? strlen(text) : 2, &err);
    dgm_free(text);
    struct texts ids = {0};
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *id = json_text_at(json_array_get(list, i), "id");
        if (id) {
            VEC_PUSH(cli->arena, &ids, id);
        }
        if (id && str_equal(id, cli->datasource)) {
            return true;
        }
    }
    if (ids.count && !cli->datasource) {
        cli->datasource = ids.count == 1 ? ids.items[0] : NULL;
        return true;
    }
    if (cli->datasource && strchr(cli->datasource, ',') && all_there(cli, &ids)) {
        return true;
    }
    const char *nearest =
        cli->datasource ? str_nearest(cli->datasource, ids.items, ids.count) : NULL;
    if (!cli->datasource) {
        (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND, "No database was given.");
        (void)err_hint(&err, "Name one with --db PATH, or make one to play with: "
                             "dragoman sample shop.db");
    } else {
        (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND,
                      "There is no file and no configured datasource named '%s'.",
                      cli->datasource);
        (void)(nearest ? err_hint(&err, "Did you mean '%s'?", nearest)
                       : err_hint(&err, "Check the path; 'dragoman doctor' lists the "
                                        "datasources, 'dragoman sample' makes one."));
    }
    report_convert(&err, error);
    return false;
}

bool cli_open(struct cli *cli, enum command_needs needs, struct dgm_error *error)
{
    return (needs < NEEDS_CONFIG || open_config(cli, error)) &&
           (needs < NEEDS_HOUSE || open_house(cli, error)) &&
           (needs < NEEDS_DATASOURCE || check_datasources(cli, error));
}

void house_close(struct cli *cli)
{
    if (cli->dgm) {
        dgm_close(cli->dgm);
        cli->dgm = NULL;
    }
    if (cli->config) {
        dgm_config_free(cli->config);
        cli->config = NULL;
    }
}

static void add_quoted(struct buf *buf, const char *flag, const char *value)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-./:=,+@%";
    (void)buf_format(buf, "--%s ", flag);
    if (*value && strspn(value, plain) == strlen(value)) {
        (void)buf_format(buf, "%s ", value);
        return;
    }
    (void)buf_char(buf, '\'');
    for (; *value; value++) {
        (void)(*value == '\'' ? buf_text(buf, "'\\''") : buf_char(buf, *value));
    }
    (void)buf_text(buf, "' ");
}

const char *house_flags(struct cli *cli)
{
    static const char *const flags[] = {"config", "dictionary", "data", "db", "dataset"};
    struct buf buf;
    buf_init(&buf, HINT_CEILING);
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        const char *value = NULL;
        for (size_t i = 0; (value = arguments_each(&cli->arguments, flags[f], i)); i++) {
            bool may_hold_secret = strstr(value, "://") && strchr(value, '@');
            if (may_hold_secret) {
                (void)buf_text(&buf, "--db URL ");
            } else {
                add_quoted(&buf, flags[f], value);
            }
        }
    }
    char *text = buf_clone(&buf, cli->arena);
    buf_release(&buf);
    return text;
}
