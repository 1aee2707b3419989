/* A clarifying question to the user, written and read. */
#include "model/clarification.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/writer.h"

struct kind_name {
    const char *name;
    enum clarification_kind kind;
};

/* The first name of a kind is the one we write; the others are only read. */
static const struct kind_name kinds[] = {
    {"intent", CLARIFY_INTENT},           {"datasource", CLARIFY_DATASOURCE},
    {"table_selection", CLARIFY_TABLES},  {"join_inference", CLARIFY_JOIN},
    {"join_clarification", CLARIFY_JOIN}, {"detail", CLARIFY_DETAIL},
    {"approval", CLARIFY_APPROVAL},
};

enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

const char *clarification_kind_name(enum clarification_kind kind)
{
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (kinds[i].kind == kind) {
            return kinds[i].name;
        }
    }
    return "none";
}

enum clarification_kind clarification_kind_find(const char *name)
{
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (str_equal_nocase(kinds[i].name, name)) {
            return kinds[i].kind;
        }
    }
    return CLARIFY_NONE;
}

static void write_context(const struct clarification *clarification,
                          struct writer *writer)
{
    if (!clarification->tables.count && !clarification->conditions.count) {
        return;
    }
    writer_key(writer, "context");
    writer_object(writer);
    writer_key_texts(writer, "tables", &clarification->tables);
    if (clarification->selected) {
        writer_key_text(writer, "selected_table", clarification->selected);
    }
    writer_key_texts(writer, "conditions", &clarification->conditions);
    writer_object_end(writer);
}

void clarification_write_fields(const struct clarification *clarification,
                                struct writer *writer)
{
    writer_key_text(writer, "error", "ambiguity");
    writer_key_text(writer, "type", clarification_kind_name(clarification->kind));
    writer_key_text(writer, "message", clarification->message);
    writer_key(writer, "options");
    writer_array(writer);
    for (size_t i = 0; i < clarification->options.count; i++) {
        const struct clarification_option *option = &clarification->options.items[i];
        writer_object(writer);
        writer_key_text(writer, "value", option->value);
        writer_key_text(writer, "label", option->label ? option->label : option->value);
        writer_object_end(writer);
    }
    writer_array_end(writer);
    write_context(clarification, writer);
}

void clarification_write(const struct clarification *clarification, struct writer *writer)
{
    writer_object(writer);
    clarification_write_fields(clarification, writer);
    writer_object_end(writer);
}

/* An option is an object, or just its value as a text. */
static void read_option(struct clarification *clarification, struct arena *arena,
                        const json_t *json)
{
    const char *value =
        json_is_string(json) ? json_string_value(json) : json_text_at(json, "value");
    if (!value) {
        return;
    }
    const char *label = json_text_at(json, "label");
    struct clarification_option *option = VEC_ADD(arena, &clarification->options);
    option->value = arena_text(arena, value);
    option->label = arena_text(arena, label ? label : value);
}

void clarification_read(struct clarification *clarification, struct arena *arena,
                        const json_t *json)
{
    *clarification = (struct clarification){
        .kind = clarification_kind_find(json_text_at(json, "type")),
        .message = arena_text(arena, json_text_at(json, "message")),
    };
    size_t i = 0;
    json_t *item = NULL;
    json_array_foreach(json_array_at(json, "options"), i, item)
    {
        read_option(clarification, arena, item);
    }
    const json_t *context = json_object_at(json, "context");
    json_texts_at(arena, context, "tables", &clarification->tables);
    json_texts_at(arena, context, "conditions", &clarification->conditions);
    clarification->selected = arena_text(arena, json_text_at(context, "selected_table"));
}

/* A word of the answer, without the marks around it: "#2", "(b)", "2." */
static const char *next_word(char *word, size_t most, const char *at)
{
    size_t size = 0;
    at += strspn(at, " \t\n#(\"'");
    for (; *at && !strchr(" \t\n.,!?;:)\"'", *at); at++) {
        if (size + 1 < most) {
            word[size++] = *at;
        }
    }
    word[size] = '\0';
    return at + strspn(at, " \t\n.,!?;:)\"'");
}

/* "2", "2nd", "second", "two"; "last" is the highest; 0: none of these. */
static size_t ordinal(const char *word, size_t count)
{
    static const char *const names[][2] = {
        {"first", "one"},  {"second", "two"}, {"third", "three"},   {"fourth", "four"},
        {"fifth", "five"}, {"sixth", "six"},  {"seventh", "seven"}, {"eighth", "eight"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_equal_nocase(word, names[i][0]) || str_equal_nocase(word, names[i][1])) {
            return i + 1;
        }
    }
    char *end = NULL;
    unsigned long number = strspn(word, "0123456789") ? strtoul(word, &end, 10) : 0;
    bool ends =
        number && (!*end || str_equal_nocase(end, "st") || str_equal_nocase(end, "nd") ||
                   str_equal_nocase(end, "rd") || str_equal_nocase(end, "th"));
    return ends ? number : str_equal_nocase(word, "last") ? count : 0;
}

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && !str_equal_nocase(word, *words)) {
        words++;
    }
    return *words != NULL;
}

size_t clarification_number(const struct clarification *clarification, const char *text)
{
    static const char *const around[] = {"the",    "please", "take", "use",  "choose",
                                         "pick",   "i",      "mean", "want", "answer",
                                         "number", "no",     "nr",   NULL};
    static const char *const nouns[] = {"option", "choice",      "reading",
                                        "one",    "possibility", NULL};
    enum { WORD_MOST = 16, WORDS_MOST = 6, VALUE_LEAST = 100 };
    size_t number = 0;
    bool noun = false;
    size_t words = 0;
    size_t count = clarification->options.count;
    for (const char *at = text; *at && count; words++) {
        char word[WORD_MOST];
        at = next_word(word, sizeof word, at);
        size_t found = number ? 0 : ordinal(word, count);
        bool named = is_one_of(word, nouns);
        if (found) {
            number = found;
        } else if (named) {
            noun = true;
        } else if (!is_one_of(word, around) || words == WORDS_MOST) {
            return 0;
        }
    }
    /* "7" of four options is not an option; 2023 may be the answer itself */
    return number <= count || noun || number < VALUE_LEAST ? number : 0;
}
