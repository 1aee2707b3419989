/* Logins of administrators: refused wherever nobody has allowed them. */
#include <string.h>

#include "lab/selftest/selftest.h"

/* As one that is tried; found NULL: it is not needed. False: refused. */
static bool opens(const struct datasource_setting *setting, const struct options *options,
                  bool later, struct err *err)
{
    char signature[33];
    err_clear(err);
    struct datasource *source = later ? datasource_attach_later(setting, options, err)
                                      : datasource_open(setting, options, err);
    bool ok = source && datasource_signature(source, NULL, signature, err);
    datasource_close(source);
    return ok;
}

/* With the right to: what it is, and that it rules. */
static bool selftest_logins_look(struct arena *arena, const char *url,
                                 const struct options *options, const char **driver,
                                 struct err *err)
{
    const struct datasource_setting allowed = {
        .id = "ruler", .url = url, .allow_superuser = true};
    struct datasource_inspection found;
    if (strstr(url, "allow_superuser")) {
        return err_set(err, ERR_USAGE,
                       "The URL of the administrator must not say allow_superuser.");
    }
    struct datasource *source = datasource_open(&allowed, options, err);
    bool ok = source && datasource_inspect(source, NULL, arena, &found, err);
    if (ok && found.ruling.count == 0) {
        ok = err_set(err, ERR_USAGE,
                     "The login %.60s has no administrator rights: there is nothing to "
                     "refuse.",
                     found.user ? found.user : "");
        (void)err_hint(err, "Name one that has, such as 'postgres' or 'root'.");
    }
    *driver = source ? source->driver->name : "";
    datasource_close(source);
    return ok;
}

bool selftest_login_play(const char *url, struct selftest_report *report, struct err *err)
{
    static const struct {
        const char *what;
        bool added;
        bool later;
    } ways[] = {
        {"a datasource of the configuration", false, false},
        {"the same once more", false, false},
        {"one that is opened by the first question", false, true},
        {"one that is added at run time and says that it may", true, false},
    };
    struct arena *arena = arena_new();
    struct options *options = options_new();
    struct selftest_tally tally;
    const char *driver = "";
    bool ok = selftest_logins_look(arena, url, options, &driver, err) &&
              options_set(options, "sources.hosts", "0.0.0.0/0,::/0", err);
    if (ok) {
        selftest_tally_init(&tally, driver, "login");
        selftest_tally_control(&tally, "allow_superuser", true); /* look() used it */
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            const struct datasource_setting setting = {.id = "ruler",
                                                       .url = url,
                                                       .added = ways[i].added,
                                                       .allow_superuser = ways[i].added};
            bool through = opens(&setting, options, ways[i].later, err);
            bool held = err->code == ERR_SUPERUSER_LOGIN ||
                        (ways[i].added && (err->code == ERR_ACCESS || /* its file, … */
                                           err->code == ERR_DATASOURCE_KIND));
            selftest_tally_add(&tally, ways[i].what,
                               through ? "was accepted"
                               : held
                                   ? NULL
                                   : arena_format(arena, "refused for another reason: %s",
                                                  err->message));
        }
        selftest_tally_end(&tally, report);
    }
    options_free(options);
    arena_free(arena);
    return ok;
}
