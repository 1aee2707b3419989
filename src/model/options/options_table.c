/* options.def as a table. */
#include "model/options/options_table.h"

#include <inttypes.h>

#include "base/str.h"

#define DEFAULT_INT(value)  .int_default = (value)
#define DEFAULT_REAL(value) .real_default = (value)
#define DEFAULT_BOOL(value) .int_default = (value)
#define DEFAULT_TEXT(value) .text_default = (value)

static const struct option_row rows[OPTION_COUNT] = {
#define SECTION(section, help)
#define OPTION(section_, name_, type_, fallback_, least_, most_, help_)                  \
    [OPTION_##section_##_##                                                              \
        name_] = {.section = #section_,                                                  \
                  .name = #name_,                                                        \
                  .key = #section_ "." #name_,                                           \
                  .kind = OPTION_##type_,                                                \
                  .offset = offsetof(struct options, section_##_##name_),                \
                  DEFAULT_##type_(fallback_),                                            \
                  .least = (least_),                                                     \
                  .most = (most_),                                                       \
                  .help = (help_)},
#define ALIAS(from, to)
#include "model/options/options.def"
#undef SECTION
#undef OPTION
#undef ALIAS
};

static const struct option_alias aliases[] = {
#define SECTION(section, help)
#define OPTION(section, name, type, fallback, least, most, help)
#define ALIAS(from, to) {(from), (to)},
#include "model/options/options.def"
#undef SECTION
#undef OPTION
#undef ALIAS
};

static const struct option_section sections[] = {
#define SECTION(section, help) {#section, (help)},
#define OPTION(section, name, type, fallback, least, most, help)
#define ALIAS(from, to)
#include "model/options/options.def"
#undef SECTION
#undef OPTION
#undef ALIAS
};

enum {
    ALIAS_COUNT = sizeof aliases / sizeof *aliases,
    SECTION_COUNT = sizeof sections / sizeof *sections,
    CHOICES_MOST = 6,
};

struct choices {
    enum option_index option;
    const char *words[CHOICES_MOST + 1];
};

static const struct choices choices[] = {
    {OPTION_agent_brain, {"auto", "parser", "llm"}},
    {OPTION_agent_ask, {"auto", "never"}},
    {OPTION_agent_week_start, {"monday", "sunday"}},
    {OPTION_log_format, {"text", "json"}},
    {OPTION_understanding_mode, {"auto", "fused", "phased", "per_table"}},
    {OPTION_llm_provider, {"openai", "anthropic", "ollama", "mcp", "scripted", ""}},
};

const struct option_row *option_row_at(size_t index)
{
    return index < OPTION_COUNT ? &rows[index] : NULL;
}

const struct option_alias *option_alias_at(size_t index)
{
    return index < ALIAS_COUNT ? &aliases[index] : NULL;
}

const struct option_section *option_section_at(size_t index)
{
    return index < SECTION_COUNT ? &sections[index] : NULL;
}

const struct option_row *option_row_find(const char *key)
{
    for (size_t i = 0; i < ALIAS_COUNT; i++) {
        if (str_equal(aliases[i].from, key)) {
            key = aliases[i].to;
            break;
        }
    }
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (str_equal(rows[i].key, key)) {
            return &rows[i];
        }
    }
    return NULL;
}

const char *option_nearest(const char *key)
{
    const char *known[OPTION_COUNT + ALIAS_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        known[count++] = rows[i].key;
    }
    for (size_t i = 0; i < ALIAS_COUNT; i++) {
        known[count++] = aliases[i].from;
    }
    return str_nearest(key, known, count);
}

const char *const *option_choices(const struct option_row *row)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (row == &rows[choices[i].option]) {
            return choices[i].words;
        }
    }
    return NULL;
}

char *option_default(struct arena *arena, const struct option_row *row)
{
    if (row->kind == OPTION_TEXT) {
        return arena_text(arena, row->text_default);
    }
    if (row->kind == OPTION_BOOL) {
        return arena_text(arena, row->int_default ? "true" : "false");
    }
    if (row->kind == OPTION_INT) {
        return arena_format(arena, "%" PRId64, row->int_default);
    }
    return arena_format(arena, "%.15g", row->real_default);
}
