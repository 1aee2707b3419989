/*
 * Opening the library as the command line asks for it: settings, datasources, the
 * instance.
 */
#include "cli/instance.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hide.h"
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
            (void)err_set(&err, ERR_USAGE, "--set needs KEY=VALUE.");
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

/* The id of a datasource, not a file or a URL. What lies in the working folder must not
 * take the place of a datasource that is configured, so a path has a slash or a dot. */
static bool is_id(const struct cli *cli, const char *text)
{
    return !strpbrk(text, "./:\\") || dgm_config_has_datasource(cli->config, text);
}

static bool add_datasources(struct cli *cli, struct dgm_error *error)
{
    const struct arguments *arguments = &cli->arguments;
    const char *given = NULL;
    size_t count = 0;
    struct texts *ids = &cli->named;
    struct texts paths = {0};
    ids->count = 0; /* when the configuration is read again */
    for (; (given = arguments_each(arguments, "db", count)); count++) {
        if (!is_id(cli, given)) {
            VEC_PUSH(cli->arena, &paths, given);
            continue;
        }
        VEC_PUSH(cli->arena, ids, given);
        if (strchr(given, ',')) {
            cli->datasource = given; /* all of these, whatever else there is */
        }
    }
    size_t datasets = 0;
    while (arguments_each(arguments, "dataset", datasets)) {
        datasets++;
    }
    if (count + datasets > 0 && !ids->count) {
        dgm_config_clear_datasources(cli->config);
    }
    for (size_t i = 0; i < paths.count; i++) {
        if (!dgm_config_add_datasource(cli->config, NULL, paths.items[i], error)) {
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
    if (count == 1 && ids->count == 1) {
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

bool instance_reload(struct cli *cli, struct dgm_error *error)
{
    struct dgm_config *before = cli->config;
    cli->config = NULL;
    bool ok = open_config(cli, error) && dgm_reload(cli->dgm, cli->config, error);
    dgm_config_free(ok ? before : cli->config);
    cli->config = ok ? cli->config : before;
    return ok;
}

static bool open_instance(struct cli *cli, struct dgm_error *error)
{
    if (cli->dgm) {
        return true;
    }
    stop_listen(); /* before the library starts threads: they inherit the signal mask */
    cli->dgm = dgm_open(cli->config, error);
    return cli->dgm != NULL;
}

static void known_ids(struct cli *cli, struct texts *ids)
{
    struct err err;
    char *text = dgm_datasources(cli->dgm);
    const json_t *list = json_parse(cli->arena, text, strlen(text), &err);
    dgm_free(text);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *id = json_text_at(json_array_get(list, i), "id");
        if (id) {
            VEC_PUSH(cli->arena, ids, id);
        }
    }
}

static bool is_among(const struct texts *ids, const char *id)
{
    for (size_t i = 0; i < ids->count; i++) {
        if (str_equal(ids->items[i], id)) {
            return true;
        }
    }
    return false;
}

static bool unknown_id(const struct texts *ids, const char *id, struct dgm_error *error)
{
    struct err err;
    const char *nearest = str_nearest(id, ids->items, ids->count);
    (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND,
                  "There is no configured datasource named '%s'.", id);
    if (file_exists(id) || folder_exists(id)) {
        (void)err_hint(&err, "The file or folder of this name is --db ./%s.", id);
    } else if (nearest) {
        (void)err_hint(&err, "Did you mean '%s'?", nearest);
    } else {
        (void)err_hint(&err, "A path has a slash or a dot; 'dragoman source list' names "
                             "the datasources, 'dragoman sample' makes one.");
    }
    report_convert(&err, error);
    return false;
}

bool instance_knows_named(struct cli *cli, struct dgm_error *error)
{
    struct texts ids = {0};
    if (cli->named.count) {
        known_ids(cli, &ids);
    }
    for (size_t i = 0; i < cli->named.count; i++) {
        struct texts wanted = {0}; /* "crm,shop" */
        str_split(cli->arena, cli->named.items[i], ',', &wanted);
        for (size_t k = 0; k < wanted.count; k++) {
            const char *id = str_trim(cli->arena, wanted.items[k]);
            if (!is_among(&ids, id)) {
                return unknown_id(&ids, id, error);
            }
        }
    }
    return true;
}

/* Files were imported: without a database, these are what can be asked. */
static bool has_datasets(struct cli *cli)
{
    struct err err;
    struct dgm_error error;
    char *text = dgm_dataset_list(cli->dgm, NULL, &error);
    const json_t *list = text ? json_parse(cli->arena, text, strlen(text), &err) : NULL;
    dgm_free(text);
    return json_array_size(list) > 0;
}

/* There must be one; which it is, if it is the only one. */
static bool check_datasources(struct cli *cli, struct dgm_error *error)
{
    struct err err;
    struct texts ids = {0};
    known_ids(cli, &ids);
    if (cli->datasource || ids.count) {
        cli->datasource = cli->datasource  ? cli->datasource
                          : ids.count == 1 ? ids.items[0]
                                           : NULL;
        return true;
    }
    if (has_datasets(cli)) {
        return true;
    }
    (void)err_set(&err, ERR_DATASOURCE_NOT_FOUND, "No database was given.");
    (void)err_hint(
        &err, "Name one with --db PATH, or create a sample: dragoman sample shop.db");
    report_convert(&err, error);
    return false;
}

bool cli_open(struct cli *cli, enum command_needs needs, struct dgm_error *error)
{
    return (needs < NEEDS_CONFIG || open_config(cli, error)) &&
           (needs < NEEDS_INSTANCE ||
            (open_instance(cli, error) && instance_knows_named(cli, error))) &&
           (needs < NEEDS_DATASOURCE || check_datasources(cli, error));
}

bool instance_open_files(struct cli *cli, const char *query_id, struct dgm_error *error)
{
    struct err err;
    struct texts ids = {0};
    known_ids(cli, &ids);
    if (ids.count || arguments_has(&cli->arguments, "db")) {
        return true;
    }
    struct dgm_error trouble; /* callers report that the question is gone */
    char *text = dgm_question_files(cli->dgm, NULL, query_id, &trouble);
    const json_t *list = text ? json_parse(cli->arena, text, strlen(text), &err) : NULL;
    dgm_free(text);
    size_t index = 0;
    const json_t *item = NULL;
    json_array_foreach(list, index, item)
    {
        if (!dgm_config_add_datasource(cli->config, json_text_at(item, "id"),
                                       json_text_at(item, "path"), error)) {
            return false;
        }
    }
    if (json_array_size(list) && arguments_has(&cli->arguments, "allow-write")) {
        dgm_config_allow_writes(cli->config);
    }
    return !json_array_size(list) || dgm_reload(cli->dgm, cli->config, error);
}

void instance_close(struct cli *cli)
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

const char *instance_flags(struct cli *cli)
{
    static const char *const flags[] = {"config", "dictionary", "data", "db", "dataset"};
    struct buf buf;
    buf_init(&buf, HINT_CEILING);
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        const char *value = NULL;
        for (size_t i = 0; (value = arguments_each(&cli->arguments, flags[f], i)); i++) {
            char *shown = arena_text(cli->arena, value);
            hide_secrets(shown);
            if (!str_equal(shown, value)) {
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
