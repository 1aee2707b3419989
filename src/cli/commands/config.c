/* dragoman config: shows the active settings. */
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "base/writer.h"
#include "cli/cli.h"
#include "cli/grid.h"
#include "cli/report.h"

enum { JSON_CEILING = 4 << 20, KEY_COLUMN = 32 };

static const struct flag flags[] = {
    FLAG_JSON("Print the settings as a JSON object of strings"),
};

static void print_all(struct cli *cli)
{
    struct out *out = &cli->out;
    const char *path = dgm_config_path(cli->config);
    const char *key = NULL;
    out_shade(out, SHADE_DIM);
    out_text(out, path ? "# from "
                       : "# no settings file was found; defaults, environment, "
                         "flags");
    out_foreign(out, path ? path : "");
    out_shade(out, SHADE_PLAIN);
    out_text(out, "\n");
    for (size_t i = 0; (key = dgm_config_key(i)); i++) {
        char *value = dgm_config_get(cli->config, key);
        size_t used = strlen(key);
        out_text(out, key);
        out_repeat(out, " ", used < KEY_COLUMN ? KEY_COLUMN - used : 1);
        out_foreign(out, value);
        out_text(out, "\n");
        dgm_free(value);
    }
}

static void print_json(struct cli *cli)
{
    struct buf buf;
    struct writer writer;
    const char *key = NULL;
    buf_init(&buf, JSON_CEILING);
    writer_init(&writer, &buf);
    writer_object(&writer);
    for (size_t i = 0; (key = dgm_config_key(i)); i++) {
        char *value = dgm_config_get(cli->config, key);
        writer_key_text(&writer, key, value);
        dgm_free(value);
    }
    writer_object_end(&writer);
    json_print(&cli->out, buf_get(&buf));
    buf_release(&buf);
}

static int print_one(struct cli *cli, const char *key)
{
    char *value = dgm_config_get(cli->config, key);
    if (value) {
        out_foreign(&cli->out, value);
        out_text(&cli->out, "\n");
        dgm_free(value);
        return 0;
    }
    struct texts keys = {0};
    const char *known = NULL;
    for (size_t i = 0; (known = dgm_config_key(i)); i++) {
        VEC_PUSH(cli->arena, &keys, known);
    }
    struct err err;
    const char *nearest = str_nearest(key, keys.items, keys.count);
    (void)err_set(&err, ERR_USAGE, "There is no setting '%.200s'.", key);
    (void)(nearest
               ? err_hint(&err, "Did you mean %s?", nearest)
               : err_hint(&err, "'dragoman config reference' describes all of them."));
    return report_err(cli, &err);
}

static int config_run(struct cli *cli)
{
    const struct texts *words = &cli->arguments.words;
    struct dgm_error error = {.position = -1};
    if (words->count && str_equal(words->items[0], "reference")) {
        char *text = dgm_config_reference(); /* needs no settings, so it works without */
        out_text(&cli->out, text);
        dgm_free(text);
        return 0;
    }
    if (!cli_open(cli, NEEDS_CONFIG, &error)) {
        return report_error(cli, &error);
    }
    if (words->count) {
        return print_one(cli, words->items[0]);
    }
    if (cli->json) {
        print_json(cli);
    } else {
        print_all(cli);
    }
    return 0;
}

const struct command command_config = {
    .name = "config",
    .group = GROUP_SETUP,
    .words = "[KEY|reference]",
    .summary = "Print the current settings, or describe all settings",
    .about = "Settings come from these places; later ones override earlier ones: "
             "defaults, the\n"
             "settings file, the environment (DRAGOMAN_LLM_MODEL for llm.model), --set. "
             "Secrets\n"
             "are shown as ***.",
    .examples =
        "dragoman config\ndragoman config llm.model\ndragoman config reference | less",
    .flags = flags,
    .flag_count = FLAG_COUNT(flags),
    .most_words = 1,
    .word_choices = "reference",
    .needs = NEEDS_NOTHING,
    .run = config_run,
};
