/* Gives up rights according to the settings; see cage.h. */
#include "server/cage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/privileges.h"
#include "base/sandbox/sandbox.h"
#include "base/str.h"
#include "base/vec.h"
#include "dragoman_server.h"
#include "server/state.h"

/*
 * Files that libraries read to find names, certificates and drivers, readable by every
 * user of the machine. Folders instead of files where files are replaced, for example
 * when the network changes.
 */
static const struct sandbox_path system_paths[] = {
    {"/usr", SANDBOX_READ},
    {"/nix/store", SANDBOX_READ},
    {"/gnu/store", SANDBOX_READ},
    {"/run/systemd/resolve", SANDBOX_READ},
    {"/run/resolvconf", SANDBOX_READ},
    {"/run/NetworkManager", SANDBOX_READ},
    {"/var/lib/ca-certificates", SANDBOX_READ},
    {"/proc", SANDBOX_READ}, /* is another process alive? */
};
/* File permissions protect secrets in /etc from users, but not from root. */
static const struct sandbox_path user_paths[] = {{"/etc", SANDBOX_READ}};
static const struct sandbox_path root_paths[] = {
    {"/etc/passwd", SANDBOX_READ},          {"/etc/group", SANDBOX_READ},
    {"/etc/nsswitch.conf", SANDBOX_READ},   {"/etc/hosts", SANDBOX_READ},
    {"/etc/resolv.conf", SANDBOX_READ},     {"/etc/gai.conf", SANDBOX_READ},
    {"/etc/host.conf", SANDBOX_READ},       {"/etc/services", SANDBOX_READ},
    {"/etc/protocols", SANDBOX_READ},       {"/etc/ssl/certs", SANDBOX_READ},
    {"/etc/ssl/openssl.cnf", SANDBOX_READ}, {"/etc/ssl/cert.pem", SANDBOX_READ},
    {"/etc/pki/tls", SANDBOX_READ},         {"/etc/pki/ca-trust", SANDBOX_READ},
    {"/etc/ca-certificates", SANDBOX_READ}, {"/etc/gnutls", SANDBOX_READ},
    {"/etc/crypto-policies", SANDBOX_READ},
};

struct rules {
    struct sandbox_path *items;
    size_t count, capacity;
};

static void add_table(struct arena *arena, struct rules *rules,
                      const struct sandbox_path *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        VEC_PUSH(arena, rules, table[i]);
    }
}

static void add_configured(struct arena *arena, struct rules *rules,
                           const struct dgm_config *config)
{
    struct err ignored;
    char *text = dgm_config_paths(config);
    const json_t *list = text ? json_parse(arena, text, strlen(text), &ignored) : NULL;
    dgm_free(text);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        struct sandbox_path rule = {json_text_at(item, "path"), SANDBOX_READ};
        rule.access |= json_is_true(json_object_get(item, "write")) ? SANDBOX_WRITE : 0U;
        VEC_PUSH(arena, rules, rule);
    }
}

static void collect(struct arena *arena, struct rules *rules,
                    const struct dgm_config *config)
{
    bool root = geteuid() == 0;
    add_table(arena, rules, system_paths, sizeof system_paths / sizeof *system_paths);
    add_table(arena, rules, root ? root_paths : user_paths,
              root ? sizeof root_paths / sizeof *root_paths
                   : sizeof user_paths / sizeof *user_paths);
    add_configured(arena, rules, config);
}

/* ---------------------------------------------------------------- who it is */

/* The data folder must exist before files are closed. As root only the folder itself is
 * created, for the user it is for; its parents are not ours to change. */
static bool make_folder(const struct dgm_config *config,
                        const struct privileges_user *user, struct err *err)
{
    struct arena *arena = arena_new();
    char *url = dgm_config_get(config, "store.url");
    char *folder = dgm_config_get(config, "store.folder");
    const char *path = str_empty(folder) ? folder_data(arena) : folder;
    bool ok = true;
    if (!folder_exists(path) && !str_starts(str_or_empty(url), "memory:")) {
        if (!user) {
            ok = folder_create(path, err);
        } else if (mkdir(path, 0700) == 0 && chown(path, user->uid, user->gid) != 0) {
            ok = err_set(err, ERR_ACCESS, "The data folder cannot be given to the user.");
        }
    }
    dgm_free(url);
    dgm_free(folder);
    arena_free(arena);
    return ok;
}

static bool become(const struct dgm_config *config, const char *name, const char *group,
                   struct err *err)
{
    struct privileges_user user;
    if (str_empty(name)) {
        return str_empty(group) ||
               err_set(err, ERR_CONFIG, "server.group needs server.user.");
    }
    if (!privileges_find(name, group, &user, err)) {
        return false;
    }
    if (geteuid() == 0 && *user.home) {
        (void)setenv("HOME", user.home, 1); /* the default data folder is below it */
    }
    return (geteuid() != 0 || make_folder(config, &user, err)) &&
           privileges_become(&user, err);
}

bool cage_become(const struct dgm_config *config, struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    char *name = dgm_config_get(config, "server.user");
    char *group = dgm_config_get(config, "server.group");
    char *sandbox = dgm_config_get(config, "server.sandbox");
    bool ok = become(config, name, group, &err);
    if (ok && !str_equal(sandbox, "off")) {
        (void)privileges_shed();
    }
    dgm_free(name);
    dgm_free(group);
    dgm_free(sandbox);
    return ok || server_fail(error, &err);
}

/* ---------------------------------------------------------------- what it may do */

/* SQLite looks for a writable folder by file permissions only. */
static void name_temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    (void)setenv("SQLITE_TMPDIR", folder && *folder ? folder : "/tmp", 0);
}

static bool cage_holds(const struct sandbox_report *report)
{
    static const enum sandbox_layer needed[] = {SANDBOX_PRIVILEGES, SANDBOX_DUMPS,
                                                SANDBOX_FILES, SANDBOX_CALLS};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (report->layers[needed[i]] != SANDBOX_HOLDS) {
            return false;
        }
    }
    return true;
}

static bool close_all(const struct dgm_config *config, bool required,
                      struct sandbox_report *report, struct err *err)
{
    struct rules rules = {0};
    if (!make_folder(config, NULL, err)) {
        return false;
    }
    struct arena *arena = arena_new();
    name_temporary_folder();
    collect(arena, &rules, config);
    (void)sandbox_privileges(report);
    (void)sandbox_files(rules.items, rules.count, SANDBOX_DENY_BIND, report);
    (void)sandbox_calls(SANDBOX_SERVER, report);
    arena_free(arena);
    if (required && !cage_holds(report)) {
        char text[256];
        sandbox_describe(report, text, sizeof text);
        (void)err_set(
            err, ERR_CONFIG,
            "This system does not support the sandbox that server.sandbox requires.");
        (void)err_detail(err, "%s", text);
        return err_hint(err,
                        "The sandbox needs Linux 5.13 or newer with Landlock and "
                        "seccomp. 'server.sandbox: auto' uses what the system supports.");
    }
    return true;
}

bool cage_close(const struct dgm_config *config, struct sandbox_report *report,
                struct dgm_error *error)
{
    struct err err;
    err_clear(&err);
    *report = (struct sandbox_report){0};
    char *how = dgm_config_get(config, "server.sandbox");
    bool required = str_equal(how, "required");
    bool ok = true;
    if (required || str_equal(how, "auto")) {
        ok = close_all(config, required, report, &err);
    } else if (!str_equal(how, "off")) {
        ok = err_set(&err, ERR_CONFIG, "server.sandbox is auto, required or off.");
    }
    dgm_free(how);
    return ok || server_fail(error, &err);
}
