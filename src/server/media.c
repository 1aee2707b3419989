/* Reads the headers Content-Type and Accept. */
#include "server/media.h"

#include <string.h>
#include <strings.h>

static const char space[] = " \t";

static size_t skip(const char *text)
{
    return strspn(text, space);
}

/* The size of the type at the beginning of one entry, without parameters. */
static size_t type_size(const char *entry)
{
    size_t size = strcspn(entry, ";, \t");
    return size;
}

static bool is_type(const char *entry, const char *type)
{
    size_t size = type_size(entry);
    return size == strlen(type) && strncasecmp(entry, type, size) == 0;
}

bool media_is(const char *header, const char *type)
{
    if (!header) {
        return false;
    }
    const char *entry = header + skip(header);
    const char *rest = entry + type_size(entry);
    rest += skip(rest);
    return is_type(entry, type) && (*rest == '\0' || *rest == ';');
}

/* Any type, or any with the same part before the slash. */
static bool is_wildcard(const char *entry, const char *type)
{
    size_t size = type_size(entry);
    size_t main_size = strcspn(type, "/") + 1;
    return (size == 3 && strncmp(entry, "*/*", size) == 0) ||
           (size == main_size + 1 && strncasecmp(entry, type, main_size) == 0 &&
            entry[main_size] == '*');
}

/* Has the entry, which ends at the next comma, the weight 0? */
static bool is_refused(const char *entry)
{
    size_t end = strcspn(entry, ",");
    for (size_t at = strcspn(entry, ";"); at < end;
         at += 1 + strcspn(entry + at + 1, ";,")) {
        const char *name = entry + at + 1 + skip(entry + at + 1);
        if ((*name == 'q' || *name == 'Q') && name[1] == '=' && name[2] == '0') {
            return strspn(name + 3, ".0") == strcspn(name + 3, ";, \t");
        }
    }
    return false;
}

bool media_accepts(const char *header, const char *type)
{
    bool by_wildcard = false;
    for (const char *entry = header; *entry;) {
        entry += skip(entry);
        if (is_type(entry, type)) {
            return !is_refused(entry);
        }
        by_wildcard = by_wildcard || (is_wildcard(entry, type) && !is_refused(entry));
        entry += strcspn(entry, ",");
        entry += *entry == ',';
    }
    return by_wildcard;
}
