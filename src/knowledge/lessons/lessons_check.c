/* Checks a lesson before it is stored: size, characters, rules, SQL that only reads. */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "knowledge/lessons/lessons.h"
#include "sql/guard.h"

enum { RULE_MOST = 80 };

static const struct limits {
    size_t schema_name; /* bytes */
    size_t actual_name;
    bool names; /* both are names: letters, digits and a few signs */
    bool sql;   /* the second is SQL */
} limits[LESSON_KINDS] = {
    [LESSON_TABLE] = {128, 128, true, false},
    [LESSON_COLUMN] = {128, 256, true, false},
    [LESSON_ERROR] = {300, 300, false, false},
    [LESSON_QUERY] = {500, 4000, false, true},
};

static const char *const sources[] = {"manual", "error_recovery", "user_correction",
                                      "user_feedback"};

static const struct rule {
    const char *name;
    bool adds;
    bool front;
} rules[] = {
    {"add_prefix:", true, true},
    {"add_suffix:", true, false},
    {"remove_prefix:", false, true},
    {"remove_suffix:", false, false},
};

/* Signs that a reader does not see would hide what a lesson says. */
static bool characters_ok(const char *text, bool name, bool lines)
{
    size_t size = strlen(text);
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        at += utf8_next(text + at, size - at, &code);
        bool space = code == '\n' || code == '\t' || code == '\r';
        if (utf8_is_hidden(code) && !(lines && space)) {
            return false;
        }
        if (name && code < 0x80 && !isalnum((int)code) && !strchr(" _.$#-", (int)code)) {
            return false;
        }
    }
    return true;
}

static bool text_check(const char *field, const char *text, size_t most, bool name,
                       bool lines, struct err *err)
{
    size_t bad = 0;
    if (str_empty(text)) {
        return err_set(err, ERR_INVALID_DATA, "A lesson needs its %s.", field);
    }
    if (strlen(text) > most) {
        return err_set(err, ERR_INVALID_DATA,
                       "The %s of a lesson is too long (%zu bytes; at most %zu).", field,
                       strlen(text), most);
    }
    if (!utf8_valid(text, strlen(text), &bad) || !characters_ok(text, false, lines)) {
        return err_set(err, ERR_INVALID_DATA,
                       "The %s of a lesson contains control or invisible characters.",
                       field);
    }
    if (name && !characters_ok(text, true, false)) {
        (void)err_set(err, ERR_INVALID_DATA, "The %s of a lesson is not a name.", field);
        return err_hint(err, "Names have letters, digits, spaces and _ . $ # - in them.");
    }
    return true;
}

static const struct rule *rule_find(const char *text, const char **part)
{
    for (size_t i = 0; text && i < sizeof rules / sizeof rules[0]; i++) {
        if (str_starts(text, rules[i].name)) {
            *part = text + strlen(rules[i].name);
            return &rules[i];
        }
    }
    return NULL;
}

static bool rule_check(const char *text, struct err *err)
{
    const char *part = NULL;
    bool ok = rule_find(text, &part) && *part && strlen(text) <= RULE_MOST;
    for (; ok && *part; part++) {
        ok = isalnum((unsigned char)*part) || strchr("_.$-", *part);
    }
    if (!ok) {
        (void)err_set(err, ERR_INVALID_DATA,
                      "The transformation_rule of a lesson is not understood.");
        return err_hint(err, "Rules are add_prefix:X, add_suffix:X, remove_prefix:X and "
                             "remove_suffix:X, with letters, digits and _ for X.");
    }
    return true;
}

static const char *apply(struct arena *arena, bool adds, bool front, const char *part,
                         const char *name)
{
    if (adds) {
        return front ? arena_format(arena, "%s%s", part, name)
                     : arena_format(arena, "%s%s", name, part);
    }
    size_t size = strlen(name);
    size_t cut = strlen(part);
    bool fits = size > cut &&
                (front ? str_starts_nocase(name, part) : str_ends_nocase(name, part));
    return !fits ? NULL : arena_copy(arena, front ? name + cut : name, size - cut);
}

const char *lesson_transform(struct arena *arena, const char *rule_text, const char *name)
{
    const char *part = NULL;
    const struct rule *rule = rule_find(rule_text, &part);
    return rule && *part ? apply(arena, rule->adds, rule->front, part, name) : NULL;
}

const char *lesson_untransform(struct arena *arena, const char *rule_text,
                               const char *name)
{
    const char *part = NULL;
    const struct rule *rule = rule_find(rule_text, &part);
    return rule && *part ? apply(arena, !rule->adds, rule->front, part, name) : NULL;
}

/*
 * The rule that one pair of names shows: Customers and PROD_Customers differ by a prefix.
 */
static const char *rule_between(struct arena *arena, const char *from, const char *to)
{
    const char *longer = strlen(to) > strlen(from) ? to : from;
    const char *shorter = longer == to ? from : to;
    const char *verb = longer == to ? "add" : "remove";
    size_t more = strlen(longer) - strlen(shorter);
    const char *rule = NULL;
    struct err ignored;
    if (more && str_ends_nocase(longer, shorter)) {
        rule = arena_format(arena, "%s_prefix:%.*s", verb, (int)more, longer);
    } else if (more && str_starts_nocase(longer, shorter)) {
        rule = arena_format(arena, "%s_suffix:%s", verb, longer + strlen(shorter));
    }
    return rule && rule_check(rule, &ignored) ? rule : NULL;
}

static bool figures_check(struct lesson *lesson, struct err *err)
{
    bool known = false;
    lesson->source = lesson->source ? lesson->source : sources[0];
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        known = known || str_equal(lesson->source, sources[i]);
    }
    if (!known) {
        return err_set(err, ERR_INVALID_DATA,
                       "The source of a lesson is manual, error_recovery, "
                       "user_correction or user_feedback.");
    }
    if (!(lesson->confidence >= 0 && lesson->confidence <= 1)) { /* NaN too */
        return err_set(err, ERR_INVALID_DATA,
                       "The confidence of a lesson is a number from 0 to 1.");
    }
    if (lesson->usage_count < 0 || lesson->usage_count > INT32_MAX ||
        lesson->success_count < 0 || lesson->success_count > lesson->usage_count) {
        return err_set(err, ERR_INVALID_DATA,
                       "A lesson's usage_count and success_rate do not fit.");
    }
    return true;
}

/* An example that would write or run something is no example. */
static bool sql_check(struct arena *arena, enum dialect dialect, const char *sql,
                      struct err *err)
{
    struct guard_result result = {0};
    guard_check(arena, dialect, sql, strlen(sql), NULL, &result);
    return result.verdict == GUARD_READ ||
           err_set(err, ERR_UNSAFE, "The SQL of a lesson must only read: %.300s",
                   result.reason ? result.reason : "it was refused.");
}

static bool rule_complete(struct arena *arena, struct lesson *lesson, struct err *err)
{
    if (lesson->kind != LESSON_TABLE) {
        return !lesson->transformation_rule ||
               err_set(err, ERR_INVALID_DATA,
                       "Only table mappings have a transformation_rule.");
    }
    if (lesson->transformation_rule && !rule_check(lesson->transformation_rule, err)) {
        return false;
    }
    if (str_empty(lesson->actual_name) && lesson->schema_name) {
        lesson->actual_name =
            lesson_transform(arena, lesson->transformation_rule, lesson->schema_name);
    } else if (!lesson->transformation_rule && !str_empty(lesson->schema_name)) {
        lesson->transformation_rule =
            rule_between(arena, lesson->schema_name, lesson->actual_name);
    }
    return true;
}

bool lesson_check(struct arena *arena, enum dialect dialect, struct lesson *lesson,
                  struct err *err)
{
    const struct limits *limit = &limits[lesson->kind];
    lesson->transformation_rule =
        str_empty(lesson->transformation_rule) ? NULL : lesson->transformation_rule;
    if (!text_check("schema_name", lesson->schema_name, limit->schema_name, limit->names,
                    false, err)) {
        return false;
    }
    lesson->schema_name = str_squeeze(arena, lesson->schema_name);
    return rule_complete(arena, lesson, err) &&
           text_check("actual_name", lesson->actual_name, limit->actual_name,
                      limit->names, limit->sql, err) &&
           figures_check(lesson, err) &&
           (!limit->sql || sql_check(arena, dialect, lesson->actual_name, err));
}
