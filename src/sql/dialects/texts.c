/* Joining texts, the larger of several values, and LIKE, whose case differs per engine. */
#include <ctype.h>
#include <string.h>

#include "sql/dialects/translate.h"

/* ------------------------------------------------------------------ joining */

/* a || b || c, or CONCAT(a, b, c) where || means OR */
static struct sql_node *join(struct translation *translation, struct sql_node *left,
                             struct sql_node *right)
{
    if (!translate_to(translation, "m")) {
        return make_pair(translation, "||", left, right);
    }
    if (sql_is(left, SQL_CALL) && str_equal(left->text, "CONCAT")) {
        sql_add(translation->arena, left->children[CALL_ARGUMENTS], right);
        return left;
    }
    return make_call(translation, "CONCAT", left, right, NULL);
}

struct sql_node *texts_binary(struct translation *translation, struct sql_node *node)
{
    struct sql_node *left = node->children[PAIR_LEFT];
    struct sql_node *right = node->children[PAIR_RIGHT];
    bool pipes = strcmp(node->text, "||") == 0;
    if (translate_from(translation, "m") && !translate_to(translation, "m")) {
        if (pipes || strcmp(node->text, "&&") == 0) {
            node->text = pipes ? "OR" : "AND";
            node->children[PAIR_LEFT] = translate_node(translation, left);
            node->children[PAIR_RIGHT] = translate_node(translation, right);
            return node;
        }
        return NULL;
    }
    bool plus = strcmp(node->text, "+") == 0 && translate_from(translation, "o") &&
                (class_of(translation, left) == CLASS_TEXT ||
                 class_of(translation, right) == CLASS_TEXT);
    /* || with a text never means OR */
    bool meant = pipes && (!translate_from(translation, "m") ||
                           class_of(translation, left) == CLASS_TEXT ||
                           class_of(translation, right) == CLASS_TEXT);
    if (!plus && !(meant && translate_to(translation, "m"))) {
        return NULL;
    }
    const char *was = node->text;
    struct sql_node *made = join(translation, translate_node(translation, left),
                                 translate_node(translation, right));
    translate_tell(translation,
                   arena_format(translation->arena,
                                "Texts joined by %s were joined by %s, as %s does it.",
                                was, made->text, dialect_get(translation->to)->title));
    return made;
}

static struct sql_node *empty_for_null(struct translation *translation,
                                       struct sql_node *node, bool never)
{
    return never ? node
                 : make_call(translation, "COALESCE", node, make_string(translation, ""),
                             NULL);
}

/* Engines write numbers with a fraction in their own ways. */
static bool is_clear_text(struct translation *translation, const struct sql_node *node)
{
    enum value_class class = class_of(translation, node);
    return class != CLASS_REAL && class != CLASS_BOOLEAN && class != CLASS_OTHER;
}

/* CONCAT leaves NULL out in PostgreSQL's family, and is NULL in MySQL's. */
static struct sql_node *concat(struct translation *translation, struct sql_node *call)
{
    struct sql_node *list = call->children[CALL_ARGUMENTS];
    bool skips = translate_from(translation, "sdpo");
    bool keeps =
        translate_to(translation, "dpo") == skips && !translate_to(translation, "s");
    if (keeps || list->count == 0 ||
        (translation->from == translation->to && !translate_to(translation, "s"))) {
        return NULL;
    }
    struct sql_node *made = NULL;
    for (size_t i = 0; i < list->count; i++) {
        struct sql_node *one = list->children[i];
        bool never = class_never_null(translation, one);
        if (!is_clear_text(translation, one)) {
            return translate_refuse(translation, "a number with a fraction as text");
        }
        bool cast =
            class_of(translation, one) != CLASS_TEXT && translate_to(translation, "pdo");
        one = translate_node(translation, one);
        one = cast ? make_cast(translation, one,
                               translate_to(translation, "d")   ? "VARCHAR"
                               : translate_to(translation, "p") ? "text"
                                                                : "VARCHAR(4000)")
                   : one;
        one = skips ? empty_for_null(translation, one, never) : one;
        made = made ? join(translation, made, one) : one;
    }
    if (translate_to(translation, "bc")) {
        translate_tell(translation, "CONCAT leaves out what is NULL, as where it was "
                                    "written.");
    } else {
        translate_note(translation, call->text,
                       sql_is(made, SQL_CALL) ? made->text : "||");
    }
    return made;
}

/* sep || a where a is no NULL, one after the other, without the first sep */
static struct sql_node *concat_ws(struct translation *translation, struct sql_node *call)
{
    struct sql_node *list = call->children[CALL_ARGUMENTS];
    if (!translate_to(translation, "scbo") ||
        (translation->from == translation->to && !translate_to(translation, "s"))) {
        return NULL;
    }
    if (!translate_to(translation, "s") || list->count < 2 ||
        !sql_is(list->children[0], SQL_STRING)) {
        return translate_refuse(translation, "CONCAT_WS has no equivalent");
    }
    const char *separator = list->children[0]->text;
    struct sql_node *made = NULL;
    size_t letters = 0;
    for (const char *c = separator; *c; c++) {
        letters += ((unsigned char)*c & 0xC0) != 0x80;
    }
    for (size_t i = 1; i < list->count; i++) {
        struct sql_node *one = list->children[i];
        if (!is_clear_text(translation, one)) {
            return translate_refuse(translation, "a number with a fraction as text");
        }
        bool never = class_never_null(translation, one);
        one = make_pair(translation, "||", make_string(translation, separator),
                        translate_node(translation, one));
        one = empty_for_null(translation, one, never);
        made = made ? make_pair(translation, "||", made, one) : one;
    }
    translate_note(translation, call->text, "||");
    return make_call(translation, "substr", made,
                     make_number(translation, (long)letters + 1), NULL);
}

/* ------------------------------------------------------------------ the larger one */

/* NULL among the values: left out in PostgreSQL and DuckDB, the result elsewhere. */
static struct sql_node *greatest(struct translation *translation, struct sql_node *call,
                                 bool larger)
{
    struct sql_node *list = call->children[CALL_ARGUMENTS];
    const char *name = translate_to(translation, "s") ? (larger ? "max" : "min")
                                                      : (larger ? "GREATEST" : "LEAST");
    bool skips = translate_from(translation, "dp");
    bool should = translate_to(translation, "dp");
    bool never = true;
    for (size_t i = 0; i < list->count; i++) {
        never = never && class_never_null(translation, list->children[i]);
    }
    bool unclear = translate_from(translation, "co") || translate_to(translation, "co");
    if (!never && (unclear || (skips && !should && list->count != 2))) {
        return translate_refuse(translation, "what GREATEST makes of NULL differs");
    }
    const char *was = call->text;
    for (size_t i = 0; i < list->count; i++) {
        list->children[i] = translate_node(translation, list->children[i]);
    }
    call->text = name;
    if (!str_equal_nocase(was, name)) {
        translate_note(translation, was, name);
    }
    if (never || skips == should) {
        return call;
    }
    if (skips) {
        return make_call(translation, "COALESCE", call,
                         sql_clone(translation->arena, list->children[0]),
                         sql_clone(translation->arena, list->children[1]));
    }
    struct sql_node *any = NULL;
    for (size_t i = 0; i < list->count; i++) {
        struct sql_node *null = sql_node(translation->arena, SQL_IS, NULL);
        null->children[PAIR_LEFT] = sql_clone(translation->arena, list->children[i]);
        null->children[PAIR_RIGHT] = sql_node(translation->arena, SQL_CONSTANT, "NULL");
        any = any ? make_pair(translation, "OR", any, null) : null;
    }
    return make_case(translation, any, sql_node(translation->arena, SQL_CONSTANT, "NULL"),
                     call);
}

struct sql_node *texts_call(struct translation *translation, struct sql_node *node)
{
    size_t count = node->children[CALL_ARGUMENTS]->count;
    if (str_equal_nocase(node->text, "concat")) {
        return concat(translation, node);
    }
    if (str_equal_nocase(node->text, "concat_ws")) {
        return concat_ws(translation, node);
    }
    bool scalar = translate_from(translation, "s") && count > 1;
    bool larger = str_equal_nocase(node->text, "greatest") ||
                  (scalar && str_equal_nocase(node->text, "max"));
    bool smaller = str_equal_nocase(node->text, "least") ||
                   (scalar && str_equal_nocase(node->text, "min"));
    return (larger || smaller) && translation->from != translation->to
               ? greatest(translation, node, larger)
               : NULL;
}

/* ------------------------------------------------------------------ LIKE */

/* 'a%' as 'a*', with what GLOB would read in brackets; NULL: it cannot be said. */
static const char *as_glob(struct translation *translation, const char *like)
{
    const char *glob = "";
    for (; *like; like++) {
        if (*like == '\\') {
            return NULL;
        }
        bool special = strchr("*?[", *like) != NULL;
        glob = arena_format(translation->arena, special ? "%s[%c]" : "%s%c", glob,
                            *like == '%'   ? '*'
                            : *like == '_' ? '?'
                                           : *like);
    }
    return glob;
}

static const char *from_glob(struct translation *translation, const char *glob)
{
    if (strpbrk(glob, "[%_\\")) {
        return NULL;
    }
    char *like = arena_text(translation->arena, glob);
    for (char *c = like; *c; c++) {
        *c = *c == '*' ? '%' : *c == '?' ? '_' : *c;
    }
    return like;
}

static bool has_letters(const char *text)
{
    for (; *text; text++) {
        if (isalpha((unsigned char)*text) || (unsigned char)*text >= 0x80) {
            return true;
        }
    }
    return false;
}

static bool is_ascii(const char *text)
{
    for (; *text; text++) {
        if ((unsigned char)*text >= 0x80) {
            return false;
        }
    }
    return true;
}

/* A backslash quotes in the patterns of some engines without being told to. */
static bool escape_fits(struct translation *translation, struct sql_node *node)
{
    const struct sql_node *pattern = node->children[TRIPLE_SECOND];
    if (node->children[TRIPLE_THIRD] || !sql_is(pattern, SQL_STRING) ||
        !strchr(pattern->text, '\\')) {
        return true;
    }
    bool quotes = translate_from(translation, "pmcb");
    bool would = translate_to(translation, "pmcb");
    if (quotes && !would && translate_to(translation, "sd")) {
        node->children[TRIPLE_THIRD] = make_string(translation, "\\");
        return true;
    }
    return quotes == would;
}

static void lower_both(struct translation *translation, struct sql_node *node)
{
    for (size_t i = 0; i < 2; i++) {
        node->children[i] =
            make_call(translation, "LOWER", node->children[i], NULL, NULL);
    }
}

/* The node says LIKE, in which case counts or does not. */
static struct sql_node *write_like(struct translation *translation, struct sql_node *node,
                                   bool fold)
{
    struct sql_node *pattern = node->children[TRIPLE_SECOND];
    bool literal = sql_is(pattern, SQL_STRING);
    if (translate_to(translation, "s")) {
        if (fold) {
            bool plain = !literal || is_ascii(pattern->text);
            node->text = "LIKE";
            return plain
                       ? node
                       : translate_refuse(translation, "SQLite folds only ASCII letters");
        }
        if (literal && !has_letters(pattern->text)) {
            return node;
        }
        const char *glob = literal && !node->children[TRIPLE_THIRD]
                               ? as_glob(translation, pattern->text)
                               : NULL;
        if (!glob) {
            return translate_refuse(translation, "LIKE of SQLite does not see case");
        }
        node->text = "GLOB";
        pattern->text = glob;
        return node;
    }
    node->text = fold && translate_to(translation, "dpc") ? "ILIKE" : "LIKE";
    if (fold && translate_to(translation, "bo")) {
        lower_both(translation, node);
    } else if (!fold && translate_to(translation, "m") &&
               (!literal || has_letters(pattern->text))) {
        struct sql_node *binary = sql_node(translation->arena, SQL_UNARY, "BINARY");
        binary->children[SINGLE_VALUE] = pattern;
        node->children[TRIPLE_SECOND] = binary;
    }
    return node;
}

struct sql_node *texts_like(struct translation *translation, struct sql_node *node)
{
    bool ilike = str_equal(node->text, "ILIKE");
    bool glob = str_equal(node->text, "GLOB");
    if (translation->from == translation->to ||
        (!ilike && !glob && !str_equal(node->text, "LIKE"))) {
        return NULL;
    }
    const char *was = node->text;
    for (size_t i = 0; i < node->count; i++) {
        node->children[i] = translate_node(translation, node->children[i]);
    }
    if (!escape_fits(translation, node)) {
        return translate_refuse(translation, "a backslash in the pattern means another "
                                             "thing");
    }
    if (glob) {
        struct sql_node *pattern = node->children[TRIPLE_SECOND];
        const char *like =
            sql_is(pattern, SQL_STRING) ? from_glob(translation, pattern->text) : NULL;
        if (!like) {
            return translate_refuse(translation, "GLOB has no equivalent");
        }
        pattern->text = like;
    }
    bool fold = ilike || (!glob && translate_from(translation, "sm"));
    bool unclear = !ilike && !glob && translate_from(translation, "o");
    struct sql_node *made = unclear ? node : write_like(translation, node, fold);
    bool lowered = made && sql_is(made->children[TRIPLE_FIRST], SQL_CALL) &&
                   translate_to(translation, "bo") && fold;
    if (made && lowered) {
        translate_note(translation, was, "LOWER(…) LIKE LOWER(…)");
    } else if (made && !str_equal(made->text, was)) {
        translate_note(translation, was, made->text);
    }
    return made;
}
