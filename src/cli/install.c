/* dragoman mcp --install: writes the configuration of an assistant, after showing it. */
#include "cli/install.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/hide.h"
#include "base/json.h"
#include "base/program.h"
#include "base/str.h"
#include "cli/cli.h"
#include "cli/input.h"
#include "cli/report.h"

enum { FILE_MOST = 4 << 20, MODE_MOST = 07777 };

/* Where each client reads its servers, and under which key. */
static const struct place {
    const char *client;
    const char *path; /* below the home folder; with "./", below the current one */
    const char *key;
    bool typed; /* an entry says that it is of the type stdio */
} places[] = {
    {"claude", ".config/Claude/claude_desktop_config.json", "mcpServers", false},
    {"claude-code", "./.mcp.json", "mcpServers", true},
    {"cursor", ".cursor/mcp.json", "mcpServers", false},
    {"gemini", ".gemini/settings.json", "mcpServers", false},
    {"vscode", "./.vscode/mcp.json", "servers", true},
    {"windsurf", ".codeium/windsurf/mcp_config.json", "mcpServers", false},
};

static const struct place *find_place(const char *client)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (str_equal(places[i].client, client)) {
            return &places[i];
        }
    }
    return NULL;
}

/* The client starts the program in some other folder: paths become absolute. */
static const char *absolute(struct cli *cli, const char *value)
{
    char whole[PATH_MAX];
    return (strpbrk(value, "./") && realpath(value, whole))
               ? arena_text(cli->arena, whole)
               : value;
}

/* The flags that say which databases are asked. False: one of them holds a password. */
static bool add_flags(struct cli *cli, json_t *args, struct err *err)
{
    static const char *const flags[] = {"db", "dataset", "config", "dictionary", "data"};
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        const char *value = NULL;
        for (size_t i = 0; (value = arguments_each(&cli->arguments, flags[f], i)); i++) {
            char *shown = arena_text(cli->arena, value);
            hide_secrets(shown);
            if (!str_equal(shown, value)) {
                (void)err_set(err, ERR_USAGE, "The URL holds a password.");
                return err_hint(err, "Configure the datasource ('dragoman source add', "
                                     "dragoman.yaml) and name its id with --db.");
            }
            (void)json_array_append_new(
                args, json_string(arena_format(cli->arena, "--%s", flags[f])));
            (void)json_array_append_new(args, json_string(absolute(cli, value)));
        }
    }
    return true;
}

/* What starts this program; NULL and the error. */
static json_t *make_entry(struct cli *cli, const struct place *place, struct err *err)
{
    char program[PATH_MAX];
    if (!program_path(program, sizeof program)) {
        str_put(program, sizeof program, "dragoman");
    }
    json_t *entry = json_keep(cli->arena, json_object());
    json_t *args = json_array();
    if (place->typed) {
        (void)json_object_set_new(entry, "type", json_string("stdio"));
    }
    (void)json_object_set_new(entry, "command", json_string(program));
    (void)json_object_set_new(entry, "args", args);
    (void)json_array_append_new(args, json_string("mcp"));
    return add_flags(cli, args, err) ? entry : NULL;
}

/* The file as it is, or an empty object. NULL and the error: it is not plain JSON. */
static json_t *read_settings(struct cli *cli, const char *path, struct err *err)
{
    size_t size = 0;
    if (!file_exists(path)) {
        return json_keep(cli->arena, json_object());
    }
    const char *text = file_read(cli->arena, path, FILE_MOST, &size, err);
    if (!text) {
        return NULL;
    }
    json_t *settings = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(settings)) {
        json_decref(settings);
        (void)err_set(err, ERR_INVALID_DATA, "%.300s is not plain JSON.", path);
        (void)err_hint(err, "Add the entry by hand; it is left as it is.");
        return NULL;
    }
    return json_keep(cli->arena, settings);
}

/* The object that holds the servers, made if there is none; NULL and the error. */
static json_t *open_servers(json_t *settings, const struct place *place, const char *path,
                            struct err *err)
{
    json_t *servers = json_object_get(settings, place->key);
    if (!servers) {
        servers = json_object();
        (void)json_object_set_new(settings, place->key, servers);
    }
    if (!json_is_object(servers)) {
        (void)err_set(err, ERR_INVALID_DATA, "'%s' in %.300s is no object.", place->key,
                      path);
        (void)err_hint(err, "Add the entry by hand; the file is left as it is.");
        return NULL;
    }
    return servers;
}

static void show(struct cli *cli, const char *what, const json_t *entry)
{
    char *text = entry ? json_dumps(entry, JSON_INDENT(2)) : NULL;
    out_text(&cli->out, what);
    out_foreign(&cli->out, text ? text : "nothing");
    out_text(&cli->out, "\n");
    free(text); /* jansson's own allocation */
}

static bool wanted(struct cli *cli)
{
    if (arguments_has(&cli->arguments, "yes")) {
        return true;
    }
    if (cli_interactive(cli)) {
        out_flush(&cli->out);
        return input_yes(input_ask(cli, "Write it? [y/N] "));
    }
    return false;
}

/* The file keeps its mode; a link stays one. */
static bool write_settings(struct cli *cli, const char *path, const json_t *settings,
                           struct err *err)
{
    char whole[PATH_MAX];
    struct stat before;
    bool there = stat(path, &before) == 0;
    const char *target = there && realpath(path, whole) ? whole : path;
    char *folder = arena_text(cli->arena, target);
    char *slash = strrchr(folder, '/'); /* there is one: paths begin with a folder */
    *(slash ? slash : folder) = '\0';
    char *text = json_dumps(settings, JSON_INDENT(2));
    const char *lines = arena_format(cli->arena, "%s\n", text ? text : "{}");
    free(text); /* jansson's own allocation */
    bool ok = (there || folder_create(folder, err)) &&
              file_write(target, lines, strlen(lines), err);
    if (ok && there) {
        (void)chmod(target, before.st_mode & MODE_MOST);
    }
    return ok;
}

int install_run(struct cli *cli, const char *client)
{
    struct err err;
    const struct place *place = find_place(client);
    const char *home = getenv("HOME");
    if (!place) {
        return err_exit_status(ERR_USAGE); /* the flag's choices are these clients */
    }
    bool here = str_starts(place->path, "./");
    const char *path = arena_format(cli->arena, "%s/%s",
                                    here   ? "."
                                    : home ? home
                                           : "",
                                    place->path + (here ? 2 : 0));
    err_clear(&err);
    json_t *entry = make_entry(cli, place, &err);
    json_t *settings = entry ? read_settings(cli, path, &err) : NULL;
    if (!settings) {
        return report_err(cli, &err);
    }
    json_t *servers = open_servers(settings, place, path, &err);
    if (!servers) {
        return report_err(cli, &err);
    }
    const json_t *old = json_object_get(servers, "dragoman");
    out_format(&cli->out, "File: %s, key: %s.dragoman\n", path, place->key);
    if (json_equal(old, entry)) {
        out_text(&cli->out, "It is there already.\n");
        return 0;
    }
    show(cli, "Now: ", old);
    show(cli, "Then: ", entry);
    if (!wanted(cli)) {
        report_note(cli, "Nothing was written; --yes writes it.");
        return 0;
    }
    (void)json_object_set(servers, "dragoman", entry);
    if (!write_settings(cli, path, settings, &err)) {
        return report_err(cli, &err);
    }
    out_text(&cli->out, "Written. Restart the client.\n");
    return 0;
}
