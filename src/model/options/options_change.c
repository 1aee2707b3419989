/* Compares two sets of settings when the configuration is reloaded. */
#include <string.h>

#include "base/str.h"
#include "model/options/options_table.h"

static const void *at(const struct options *options, const struct option_row *row)
{
    return (const char *)options + row->offset;
}

bool options_differ(const struct options *left, const struct options *right, size_t index)
{
    const struct option_row *row = option_row_at(index);
    const void *a = at(left, row);
    const void *b = at(right, row);
    switch (row->kind) {
    case OPTION_INT:
        return *(const int64_t *)a != *(const int64_t *)b;
    case OPTION_REAL:
        return memcmp(a, b, sizeof(double)) != 0;
    case OPTION_BOOL:
        return *(const bool *)a != *(const bool *)b;
    case OPTION_TEXT:
        return !str_equal(str_or_empty(*(const char *const *)a),
                          str_or_empty(*(const char *const *)b));
    }
    return true;
}

void options_take(struct options *to, const struct options *from, size_t index)
{
    const struct option_row *row = option_row_at(index);
    void *target = (char *)to + row->offset;
    const void *source = at(from, row);
    switch (row->kind) {
    case OPTION_INT:
        *(int64_t *)target = *(const int64_t *)source;
        break;
    case OPTION_REAL:
        *(double *)target = *(const double *)source;
        break;
    case OPTION_BOOL:
        *(bool *)target = *(const bool *)source;
        break;
    case OPTION_TEXT:
        *(const char **)target = arena_text(to->arena, *(const char *const *)source);
        break;
    }
    to->given[index] = from->given[index];
}

bool datasource_settings_equal(const struct datasource_setting *left,
                               const struct datasource_setting *right)
{
    return str_equal_nocase(left->id, right->id) && str_equal(left->url, right->url) &&
           str_equal(left->description, right->description) &&
           str_equal(left->dictionary, right->dictionary) &&
           left->writable == right->writable &&
           left->allow_superuser == right->allow_superuser &&
           left->allow_own_types == right->allow_own_types &&
           /* what a policy says is not compared: it is taken over anew */
           !left->policy && !right->policy;
}
