/* Regular expressions: the part of them that all engines read alike. */
#include <ctype.h>
#include <string.h>

#include "sql/dialects/translate.h"

struct regex {
    struct sql_node *value;
    const char *pattern;
    bool fold; /* case does not count */
    bool not ;
    const char *title;
};

/* POSIX, PCRE and RE2 agree on these. */
static bool is_common(const char *pattern)
{
    for (const char *c = pattern; *c; c++) {
        if ((unsigned char)*c >= 0x80 || *c == '\\' || (*c == '(' && c[1] == '?') ||
            (*c == '[' && c[1] == '[')) {
            return false;
        }
    }
    return true;
}

/* ^Abc, abc$, abc: what LIKE and GLOB can say; NULL: they cannot. */
static const char *as_like(struct translation *translation, const struct regex *regex)
{
    const char *pattern = regex->pattern;
    bool start = *pattern == '^';
    pattern += start;
    size_t size = strlen(pattern);
    bool end = size && pattern[size - 1] == '$';
    size -= end;
    for (size_t i = 0; i < size; i++) {
        if (!isalnum((unsigned char)pattern[i]) && !strchr(" -@,/:#=", pattern[i])) {
            return NULL;
        }
    }
    const char *any = regex->fold ? "%" : "*";
    return arena_format(translation->arena, "%s%.*s%s", start ? "" : any, (int)size,
                        pattern, end ? "" : any);
}

static struct sql_node *negated(struct translation *translation, struct sql_node *made,
                                bool not )
{
    if (!not ) {
        return made;
    }
    struct sql_node *node = sql_node(translation->arena, SQL_UNARY, "NOT");
    node->children[SINGLE_VALUE] = made;
    return node;
}

static struct sql_node *write_sqlite(struct translation *translation,
                                     const struct regex *regex)
{
    const char *like = as_like(translation, regex);
    if (!like) {
        return translate_refuse(translation, "SQLite has no regular expressions");
    }
    struct sql_node *node =
        sql_node(translation->arena, SQL_LIKE, regex->fold ? "LIKE" : "GLOB");
    node->children[TRIPLE_FIRST] = regex->value;
    node->children[TRIPLE_SECOND] = make_string(translation, like);
    node->flags |= regex->not ? FLAG_NOT : 0;
    return node;
}

static struct sql_node *write_regex(struct translation *translation,
                                    const struct regex *regex)
{
    struct sql_node *pattern = make_string(translation, regex->pattern);
    struct sql_node *folded = make_string(
        translation, arena_format(translation->arena, "(?i)%s", regex->pattern));
    struct sql_node *made = NULL;
    if (translate_to(translation, "s")) {
        return write_sqlite(translation, regex);
    }
    if (translate_to(translation, "p")) {
        return make_pair(translation,
                         regex->not ? (regex->fold ? "!~*" : "!~")
                                    : (regex->fold ? "~*" : "~"),
                         regex->value, pattern);
    }
    if (translate_to(translation, "d")) {
        made = make_call(translation, "regexp_matches", regex->value, pattern,
                         regex->fold ? make_string(translation, "i") : NULL);
    } else if (translate_to(translation, "m")) {
        struct sql_node *node = sql_node(translation->arena, SQL_LIKE, "REGEXP");
        struct sql_node *binary = sql_node(translation->arena, SQL_UNARY, "BINARY");
        binary->children[SINGLE_VALUE] = pattern;
        node->children[TRIPLE_FIRST] = regex->value;
        node->children[TRIPLE_SECOND] = regex->fold ? pattern : binary;
        node->flags |= regex->not ? FLAG_NOT : 0;
        return node;
    } else if (translate_to(translation, "cb")) {
        made = make_call(translation,
                         translate_to(translation, "c") ? "match" : "REGEXP_CONTAINS",
                         regex->value, regex->fold ? folded : pattern, NULL);
    } else {
        return translate_refuse(translation, "there are no regular expressions");
    }
    return negated(translation, made, regex->not );
}

static struct sql_node *rewrite(struct translation *translation, struct sql_node *value,
                                const struct sql_node *pattern, struct regex regex)
{
    if (!sql_is(pattern, SQL_STRING) || !is_common(pattern->text)) {
        return translate_refuse(translation, "the regular expression may be read "
                                             "differently");
    }
    regex.value = translate_node(translation, value);
    regex.pattern = regex.pattern ? regex.pattern : pattern->text;
    struct sql_node *made = write_regex(translation, &regex);
    if (made && !str_equal_nocase(regex.title, node_title(translation, made))) {
        translate_note(translation, regex.title, node_title(translation, made));
    }
    return made;
}

struct sql_node *patterns_binary(struct translation *translation, struct sql_node *node)
{
    static const struct {
        const char *text;
        bool fold;
        bool not ;
    } operators[] = {{"~", false, false},
                     {"!~", false, true},
                     {"~*", true, false},
                     {"!~*", true, true}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (strcmp(node->text, operators[i].text) == 0 &&
            translation->from != translation->to) {
            struct regex regex = {.fold = operators[i].fold,
                                  .not = operators[i].not,
                                  .title = operators[i].text};
            if (translate_from(translation, "d")) { /* the whole text must fit */
                const struct sql_node *pattern = node->children[PAIR_RIGHT];
                regex.pattern =
                    sql_is(pattern, SQL_STRING)
                        ? arena_format(translation->arena,
                                       strchr(pattern->text, '|') ? "^(%s)$" : "^%s$",
                                       pattern->text)
                        : NULL;
            }
            return rewrite(translation, node->children[PAIR_LEFT],
                           node->children[PAIR_RIGHT], regex);
        }
    }
    return NULL;
}

/* SIMILAR TO '%(a|b)%' as a regular expression */
static const char *from_similar(struct translation *translation, const char *similar)
{
    const char *pattern = "^(";
    for (; *similar; similar++) {
        if (strchr(".^$\\{", *similar)) {
            return NULL;
        }
        pattern = *similar == '%' ? arena_format(translation->arena, "%s.*", pattern)
                  : *similar == '_'
                      ? arena_format(translation->arena, "%s.", pattern)
                      : arena_format(translation->arena, "%s%c", pattern, *similar);
    }
    return arena_format(translation->arena, "%s)$", pattern);
}

struct sql_node *patterns_like(struct translation *translation, struct sql_node *node)
{
    bool similar = str_equal(node->text, "SIMILAR TO");
    bool regexp = str_equal(node->text, "REGEXP") || str_equal(node->text, "RLIKE");
    if ((!similar && !regexp) || translation->from == translation->to) {
        return NULL;
    }
    struct sql_node *pattern = node->children[TRIPLE_SECOND];
    struct regex regex = {.fold = regexp && translate_from(translation, "m"),
                          .not = sql_has(node, FLAG_NOT),
                          .title = node->text};
    if (similar && !sql_is(pattern, SQL_STRING)) {
        return translate_refuse(translation, "SIMILAR TO has no equivalent");
    }
    if (similar && (translate_from(translation, "d") || translate_to(translation, "d"))) {
        return translate_refuse(translation, "SIMILAR TO of DuckDB is another");
    }
    if (similar && !strpbrk(pattern->text, "()|*+?[]{")) { /* as plain as LIKE */
        node->text = "LIKE";
        return texts_like(translation, node);
    }
    if (similar && !(regex.pattern = from_similar(translation, pattern->text))) {
        return translate_refuse(translation, "SIMILAR TO has no equivalent");
    }
    if (sql_is(pattern, SQL_UNARY) && str_equal(pattern->text, "BINARY")) {
        pattern = pattern->children[SINGLE_VALUE];
        regex.fold = false;
    }
    return rewrite(translation, node->children[TRIPLE_FIRST], pattern, regex);
}

struct sql_node *patterns_call(struct translation *translation, struct sql_node *node)
{
    static const struct {
        const char *name;
        const char *letters;
        bool fold;
    } names[] = {{"regexp_like", "po", false},
                 {"regexp_like", "m", true},
                 {"regexp_matches", "d", false},
                 {"regexp_contains", "b", false},
                 {"match", "c", false}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (str_equal_nocase(node->text, names[i].name) &&
            translate_from(translation, names[i].letters) &&
            translation->from != translation->to) {
            if (node->children[CALL_ARGUMENTS]->count != 2) {
                return translate_refuse(translation, "options of regular expressions");
            }
            struct regex regex = {.fold = names[i].fold, .title = node->text};
            return rewrite(translation, call_argument(node, 0), call_argument(node, 1),
                           regex);
        }
    }
    return NULL;
}
