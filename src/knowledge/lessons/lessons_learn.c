/*
 * Lessons from experience: kept beside what people taught, confirmed, worn out by time.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"
#include "knowledge/lessons/lessons.h"

static const double feedback_confidence = 0.9;

static bool is_manual(const struct lesson *lesson)
{
    return !lesson->source || str_equal(lesson->source, "manual");
}

double lesson_standing(const struct lesson *lesson, int64_t now_s, int64_t half_life_days)
{
    int64_t idle_s = now_s - lesson->updated_at;
    if (half_life_days <= 0 || idle_s <= 0 || is_manual(lesson)) {
        return lesson->confidence;
    }
    double days = (double)idle_s / 86400.0;
    return lesson->confidence * pow(0.5, days / (double)half_life_days);
}

static const char *fold_question(struct arena *arena, const char *text)
{
    char *folded = str_lower(arena, str_squeeze(arena, text));
    size_t size = strlen(folded);
    while (size && strchr(" ?!.", folded[size - 1])) {
        folded[--size] = '\0';
    }
    return folded;
}

bool lesson_same_question(struct arena *arena, const char *a, const char *b)
{
    return str_equal(fold_question(arena, a), fold_question(arena, b));
}

static const struct lesson *find_known(struct arena *arena, const struct lessons *all,
                                       const struct lesson *lesson)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct lesson *known = &all->items[i];
        bool same =
            known->kind == lesson->kind &&
            (known->kind == LESSON_QUERY
                 ? lesson_same_question(arena, known->schema_name, lesson->schema_name)
                 : str_equal_nocase(known->schema_name, lesson->schema_name));
        if (same) {
            return known;
        }
    }
    return NULL;
}

void lessons_merge(struct arena *arena, struct lessons *to, const struct lessons *from)
{
    size_t before = to->count;
    for (size_t i = 0; i < from->count; i++) {
        const struct lessons there = {.items = to->items, .count = before};
        const struct lesson *known = find_known(arena, &there, &from->items[i]);
        if (!known) {
            VEC_PUSH(arena, to, from->items[i]);
        } else if (!is_manual(known)) {
            to->items[known - to->items] = from->items[i];
        }
    }
}

/* Where there is no room the learned lesson that is trusted least makes some. */
static bool make_room(const struct lessons_scope *scope, const struct lessons *all,
                      struct err *err)
{
    const struct lesson *least = NULL;
    for (size_t i = 0; i < all->count; i++) {
        const struct lesson *lesson = &all->items[i];
        if (!is_manual(lesson) && (!least || lesson->confidence < least->confidence)) {
            least = lesson;
        }
    }
    return all->count < LESSONS_MOST || !least || lessons_remove(scope, least->id, err);
}

static bool learn_beside(struct arena *arena, const struct lessons_scope *scope,
                         const struct lessons *all, const struct lesson *lesson,
                         struct err *err)
{
    char id[ID_SIZE];
    struct lesson kept = *lesson;
    const struct lesson *known = find_known(arena, all, lesson);
    if (!known) {
        return make_room(scope, all, err) && lessons_add(scope, &kept, id, err);
    }
    bool same = str_equal_nocase(known->actual_name, lesson->actual_name);
    /* What a person says now counts for more than what was learned before. */
    bool overruled = !same && str_equal(lesson->source, "user_correction");
    if (overruled && !known->disabled && is_manual(known)) {
        return !known->id || lessons_used(scope, known->id, false, err);
    }
    if (known->disabled || is_manual(known) ||
        (known->confidence > lesson->confidence && !overruled) ||
        (same && known->confidence >= lesson->confidence)) {
        return true;
    }
    kept.schema_name = known->schema_name; /* the same subject, so the same place */
    if (same) {
        kept.usage_count = known->usage_count;
        kept.success_count = known->success_count;
    }
    return lessons_add(scope, &kept, id, err);
}

bool lessons_learn(const struct lessons_scope *scope, const struct lesson *lesson,
                   struct err *err)
{
    struct arena *arena = arena_new();
    struct lessons all = {0};
    struct lesson checked = *lesson;
    bool ok = lesson_check(arena, scope->dialect, &checked, err) &&
              lessons_list(scope, arena, &all, err) &&
              learn_beside(arena, scope, &all, &checked, err);
    arena_free(arena);
    return ok;
}

/* The pattern of a question that was answered wrongly: a learned one goes, a taught one
 * loses confidence. */
static bool drop_pattern(struct arena *arena, const struct lessons_scope *scope,
                         const struct lessons_feedback *feedback, struct err *err)
{
    struct lessons all = {0};
    const struct lesson wanted = {.kind = LESSON_QUERY,
                                  .schema_name = feedback->question};
    if (!feedback->question) {
        return true;
    }
    if (!lessons_list(scope, arena, &all, err)) {
        return false;
    }
    const struct lesson *known = find_known(arena, &all, &wanted);
    if (!known) {
        return true;
    }
    return is_manual(known) ? lessons_used(scope, known->id, false, err)
                            : lessons_remove(scope, known->id, err);
}

bool lessons_feedback(const struct lessons_scope *scope,
                      const struct lessons_feedback *feedback, struct err *err)
{
    bool ok = true;
    for (size_t i = 0; feedback->lessons && i < feedback->lessons->count && ok; i++) {
        ok = lessons_used(scope, feedback->lessons->items[i], feedback->good, err) ||
             err->code == ERR_LESSON_NOT_FOUND; /* removed since */
    }
    if (!ok) {
        return false;
    }
    err_clear(err);
    if (!feedback->good) {
        struct arena *arena = arena_new();
        ok = drop_pattern(arena, scope, feedback, err);
        arena_free(arena);
        return ok;
    }
    if (!feedback->question || !feedback->sql || feedback->clock_made) {
        return true;
    }
    const struct lesson pair = {.kind = LESSON_QUERY,
                                .schema_name = feedback->question,
                                .actual_name = feedback->sql,
                                .source = "user_feedback",
                                .confidence = feedback_confidence};
    return lessons_learn(scope, &pair, err);
}

/* Use moves updated_at; before that it says when the lesson was learned, also one that
 * took the place of another. */
static int64_t learned_at(const struct lesson *lesson)
{
    return lesson->usage_count ? lesson->created_at : lesson->updated_at;
}

bool lessons_undo(const struct lessons_scope *scope, struct arena *arena,
                  struct lessons *out, struct err *err)
{
    enum { TOGETHER_S = 1 };
    struct lessons all = {0};
    const struct lesson *last = NULL;
    *out = (struct lessons){0};
    if (!lessons_list(scope, arena, &all, err)) {
        return false;
    }
    for (size_t i = 0; i < all.count; i++) {
        const struct lesson *lesson = &all.items[i];
        if (!is_manual(lesson) && (!last || learned_at(lesson) > learned_at(last))) {
            last = lesson;
        }
    }
    for (size_t i = 0; last && i < all.count; i++) {
        const struct lesson *lesson = &all.items[i];
        if (!str_equal(lesson->source, last->source) ||
            !str_equal(lesson->datasource, last->datasource) ||
            learned_at(last) - learned_at(lesson) > TOGETHER_S) {
            continue;
        }
        if (!lessons_remove(scope, lesson->id, err)) {
            return false;
        }
        VEC_PUSH(arena, out, *lesson);
    }
    return true;
}

static bool is_among(const struct texts *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (str_equal_nocase(names->items[i], name)) {
            return true;
        }
    }
    return false;
}

bool lessons_take_back(const struct lessons_scope *scope, const struct texts *tables,
                       struct err *err)
{
    struct arena *arena = arena_new();
    struct lessons all = {0};
    bool ok = tables->count == 0 || lessons_list(scope, arena, &all, err);
    for (size_t i = 0; i < all.count && ok; i++) {
        const struct lesson *lesson = &all.items[i];
        if (lesson->kind == LESSON_TABLE && lesson->usage_count == 0 &&
            str_equal(lesson->source, "user_correction") &&
            is_among(tables, lesson->actual_name)) {
            ok = lessons_remove(scope, lesson->id, err);
        }
    }
    arena_free(arena);
    return ok;
}
