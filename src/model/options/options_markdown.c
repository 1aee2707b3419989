/* Generates docs/configuration.md. */

#include "base/buf.h"
#include "base/str.h"
#include "model/options/options_table.h"

static const char introduction[] =
    "# Configuration\n\n"
    "This page is generated from `src/model/options/options.def`; do not edit it by "
    "hand.\n\n"
    "Settings come from four places; later ones override earlier ones: the built-in "
    "defaults,\n"
    "`dragoman.yaml`, the environment, and flags (`--set section.name=value`).\n"
    "A key that is unknown, of the wrong type or out of range is an error that names "
    "the\n"
    "file, the line and the column.\n\n"
    "```yaml\n"
    "llm:\n"
    "  model: gpt-4o\n"
    "  key: ${OPENAI_API_KEY}\n"
    "agent.time_zone: Europe/Berlin   # the dotted form works too\n"
    "datasources:\n"
    "  - id: shop\n"
    "    url: data/shop.db            # relative to the folder of this file\n"
    "    description: Orders and customers of the web shop\n"
    "    dictionary: words.yaml       # names and describes its tables\n"
    "  - id: ledger\n"
    "    url: ${LEDGER_URL:sqlite:///var/lib/ledger.db}\n"
    "    writable: false\n"
    "    policy: {tables: {deny: [payroll]}}   # what may be seen, and by whom\n"
    "    allow_superuser: false       # true: allow a login with administrator rights\n"
    "    allow_own_types: false       # true: allow PostgreSQL types that call functions "
    "of the database's own\n```\n\n"
    "A login that is a superuser, may replicate, may access files on the server or may "
    "give itself such rights is refused\n(`SUPERUSER_LOGIN`): create one that can only "
    "read (`dragoman doctor` prints the\nSQL), or set `allow_superuser: true` for that "
    "datasource (`allow_superuser=1` in its "
    "URL).\n\n"
    "A PostgreSQL table is not read if one of its columns has a type that makes the "
    "server call\na user-defined function although no statement names it (in a cast, an "
    "operator class, the\ncheck of a domain, or the type itself; functions of extensions "
    "do not count). If you trust\nthese functions, set `allow_own_types: true` "
    "(`allow_own_types=1` in the URL).\n\n"
    "A `policy` hides tables, columns and rows, for everybody or for certain "
    "accounts:\n[recipe](recipes/restrict-a-datasource.md).\n\n"
    "`datasources` may also be a map of `id: url`. `${file:PATH}` is replaced by the "
    "first\n"
    "line of that file (for secrets), `${NAME}` by the environment\n"
    "variable and is an error when it is not set; `${NAME:default}` falls back to the "
    "text\n"
    "after the colon when it is not set or empty; `$${` stands for a plain `${`. A key "
    "with\n"
    "nothing after its colon keeps the default.\n\n"
    "`--db NAME` means the datasource with this id, even if the working folder has a "
    "file of that name;\n"
    "a file or folder needs a path with a slash or a dot: `--db ./sales`,\n"
    "`--db shop.db`.\n";

static const char environment[] =
    "\n## Environment\n\n"
    "Every setting has a variable: `DRAGOMAN_`, the section, `_`, the name, all in "
    "capitals.\n"
    "`DRAGOMAN_LLM_MODEL` is `llm.model`. With `_FILE` appended, the value is the first "
    "line\n"
    "of the named file (`DRAGOMAN_LLM_KEY_FILE`). `DRAGOMAN_KEY` and "
    "`DRAGOMAN_KEY_FILE`\n"
    "are the key for secrets in the store. These variables are used if\nthe file does "
    "not set the same key:\n\n"
    "| variable | sets |\n"
    "|---|---|\n"
    "| `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `OLLAMA_API_KEY` | `llm.key` |\n"
    "| `OPENAI_BASE_URL` (also `OPENAI_API_BASE`, `OPENAI_API_ENDPOINT`), "
    "`ANTHROPIC_BASE_URL`, `OLLAMA_HOST` | `llm.url` |\n"
    "| `OPENAI_MODEL`, `ANTHROPIC_MODEL`, `OLLAMA_MODEL` | `llm.model` |\n"
    "| `DATABASE_URL`, `DSN` | a datasource named `default`, when no other is given |\n\n"
    "The provider is chosen by the first of these that is set: `llm.provider`; a prefix "
    "of\n"
    "the model (`anthropic/claude-sonnet-4-5`, `ollama:llama3.1`); `llm.script`; "
    "`llm.url`;\n"
    "`llm.key`; then the variables of OpenAI, Anthropic and Ollama in this order. With "
    "a\n"
    "`llm.url` or `OPENAI_BASE_URL`, a name with a slash is sent as it is, because "
    "gateways\n"
    "name their models that way. Without `llm.model` the provider's usual model is "
    "taken:\n"
    "`gpt-4o`, `claude-sonnet-4-5` or `llama3.1`.\n";

static const char older_names[] =
    "\n## Older names\n\n"
    "These older names are still accepted in the file and by `--set`. The\n"
    "`max_retries` and `max_debug_attempts` forms count SQL texts in all, the first one\n"
    "included: 1 means that nothing is tried again.\n\n"
    "| older name | setting |\n"
    "|---|---|\n";

/* A pipe would end the table's cell. */
static void add_cell(struct buf *out, const char *text)
{
    for (; *text; text++) {
        (void)buf_text(out, *text == '|' ? "\\|" : (const char[]){*text, '\0'});
    }
}

static void add_type(struct buf *out, const struct option_row *row)
{
    const char *const *words = option_choices(row);
    if (words) {
        for (size_t i = 0; words[i] && *words[i]; i++) {
            (void)buf_format(out, "%s`%s`", i ? ", " : "", words[i]);
        }
    } else if (row->kind == OPTION_INT) {
        (void)buf_format(out, "whole number, %.0f to %.0f", row->least, row->most);
    } else if (row->kind == OPTION_REAL) {
        (void)buf_format(out, "number, %g to %g", row->least, row->most);
    } else {
        (void)buf_text(out, row->kind == OPTION_BOOL ? "true or false" : "text");
    }
}

static void add_row(struct buf *out, struct arena *arena, const struct option_row *row)
{
    const char *fallback = option_default(arena, row);
    (void)buf_format(out, "| `%s` | ", row->key);
    add_type(out, row);
    (void)buf_text(out, *fallback ? " | `" : " | ");
    add_cell(out, fallback);
    (void)buf_text(out, *fallback ? "` | " : " | ");
    add_cell(out, row->help);
    (void)buf_text(out, " |\n");
}

static void add_section(struct buf *out, struct arena *arena,
                        const struct option_section *section)
{
    (void)buf_format(out, "\n## %s: %s\n\n", section->name, section->help);
    (void)buf_text(out, "| key | value | default | meaning |\n|---|---|---|---|\n");
    for (size_t i = 0; option_row_at(i); i++) {
        if (str_equal(option_row_at(i)->section, section->name)) {
            add_row(out, arena, option_row_at(i));
        }
    }
}

void options_markdown(struct buf *out)
{
    struct arena *arena = arena_new();
    (void)buf_text(out, introduction);
    for (size_t i = 0; option_section_at(i); i++) {
        add_section(out, arena, option_section_at(i));
    }
    (void)buf_text(out, environment);
    (void)buf_text(out, older_names);
    for (size_t i = 0; option_alias_at(i); i++) {
        const struct option_alias *alias = option_alias_at(i);
        (void)buf_format(out, "| `%s` | `%s` |\n", alias->from, alias->to);
    }
    arena_free(arena);
}
