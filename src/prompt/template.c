/* Renders a compiled template by walking its steps. */
#include "prompt/template.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "prompt/foreign.h"
#include "prompt/slots.h"
#include "prompt/steps.h"

/* The values in sight: the innermost section's first. */
struct scope {
    const struct slot *slot;
    const struct scope *outer;
};

static const struct slot *scope_find(const struct scope *scope, const char *name,
                                     size_t size)
{
    if (size == 1 && name[0] == '.') {
        return scope->slot;
    }
    const char *dot = memchr(name, '.', size);
    size_t first = dot ? (size_t)(dot - name) : size;
    const struct slot *found = NULL;
    while (scope && !found) {
        found = slot_find(scope->slot, name, first);
        scope = scope->outer;
    }
    while (found && dot) {
        const char *part = dot + 1;
        size_t left = size - (size_t)(part - name);
        dot = memchr(part, '.', left);
        found = slot_find(found, part, dot ? (size_t)(dot - part) : left);
    }
    return found;
}

static void render_range(const struct steps *steps, size_t from, size_t to,
                         const struct scope *scope, struct buf *out);

static void render_section(const struct steps *steps, size_t at,
                           const struct scope *scope, struct buf *out)
{
    const struct step *step = &steps->items[at];
    const struct slot *value = scope_find(scope, step->text, step->size);
    if (!value || !value->truth) {
        return;
    }
    bool list = value->kind == SLOT_LIST;
    const struct slot *item = list ? value->first : value;
    while (item && !out->full) {
        struct scope inner = {.slot = item, .outer = scope};
        render_range(steps, at + 1, step->end, &inner, out);
        item = list ? item->next : NULL;
    }
}

static void render_range(const struct steps *steps, size_t from, size_t to,
                         const struct scope *scope, struct buf *out)
{
    for (size_t at = from; at < to && !out->full;) {
        const struct step *step = &steps->items[at];
        if (step->kind == STEP_TEXT) {
            (void)buf_add(out, step->text, step->size);
            at++;
            continue;
        }
        if (step->kind == STEP_SECTION) {
            render_section(steps, at, scope, out);
            at = step->end;
            continue;
        }
        const struct slot *value = scope_find(scope, step->text, step->size);
        if (step->kind == STEP_INVERTED) {
            at = value && value->truth ? step->end : at + 1;
            continue;
        }
        bool lines = step->kind == STEP_LINES;
        if (value && value->kind == SLOT_TEXT && value->clean && lines) {
            (void)buf_add(out, value->text, value->size);
        } else if (value && value->kind == SLOT_TEXT) {
            (void)foreign_add(out, value->text, value->size, lines);
        }
        at++;
    }
}

bool template_render(const struct template *template, const struct slot *values,
                     struct buf *out, struct err *err)
{
    struct scope scope = {.slot = values};
    render_range(&template->steps, 0, template->steps.count, &scope, out);
    if (out->full) {
        return err_set(err, ERR_LLM_TOO_LARGE, "The prompt %s is larger than %zu bytes.",
                       template->name, out->ceiling);
    }
    return true;
}
