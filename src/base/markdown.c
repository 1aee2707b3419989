/* Foreign text in Markdown: shown as it is, never obeyed. */
#include "base/markdown.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/utf8.h"

/* What stands for a character wherever it is; the rest is itself. */
static const struct {
    char sign;
    const char *text;
} signs[] = {
    {'|', "\\|"}, {'\\', "\\\\"}, {'`', "\\`"},  {'[', "\\["},           {']', "\\]"},
    {'*', "\\*"}, {'~', "\\~"},   {'<', "&lt;"}, {'>', "&gt;"},          {'&', "&amp;"},
    {'\r', ""},   {'\n', "<br>"}, {'$', "\\$"},  {'\0', "\xEF\xBF\xBD"},
};

static const char *sign_of(char c)
{
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (signs[i].sign == c) {
            return signs[i].text;
        }
    }
    return NULL;
}

/* "://" and "www." make a link of the words around them where a reader is generous. */
static bool begins_address(const char *text, size_t left)
{
    return (left >= 3 && memcmp(text, "://", 3) == 0) ||
           (left >= 4 && strncasecmp(text, "www.", 4) == 0);
}

/* Where an address ends that begins here: before a space or a sign that is replaced. */
static size_t address_end(const char *text, size_t at, size_t size)
{
    while (at < size && !isspace((unsigned char)text[at]) && !sign_of(text[at])) {
        at++;
    }
    return at;
}

static bool is_mail_sign(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("._+-", c));
}

/* The size of a mail address that begins here; 0: none does. */
static size_t mail_size(const char *text, size_t at, size_t size)
{
    size_t end = at;
    if (at > 0 && is_mail_sign(text[at - 1])) {
        return 0;
    }
    while (end < size && is_mail_sign(text[end])) {
        end++;
    }
    if (end == at || end + 1 >= size || text[end] != '@' ||
        !isalnum((unsigned char)text[end + 1])) {
        return 0;
    }
    end++;
    while (end < size && is_mail_sign(text[end])) {
        end++;
    }
    return end - at;
}

bool markdown_add(struct buf *out, const char *text, size_t size)
{
    size_t from = 0; /* of what is not yet copied */
    bool ok = true;
    for (size_t at = 0; at < size && ok; at++) {
        const char *instead = sign_of(text[at]);
        size_t unsafe = instead ? 0 : utf8_acting(text + at, size - at);
        size_t code = instead ? 0 : mail_size(text, at, size);
        if (!instead && !code && begins_address(text + at, size - at)) {
            at += text[at] == ':' ? 0 : 3; /* behind "www" */
            code = address_end(text, at, size) - at;
        }
        if (code) { /* readers look for addresses behind escapes, too, but not in code */
            ok = buf_add(out, text + from, at - from) && buf_char(out, '`') &&
                 buf_add(out, text + at, code) && buf_char(out, '`');
            from = at + code;
            at = from - 1;
        } else if (instead || unsafe) {
            ok = buf_add(out, text + from, at - from) &&
                 buf_text(out, instead ? instead : "\xEF\xBF\xBD");
            from = at + (unsafe ? unsafe : 1);
            at = from - 1;
        }
    }
    return ok && buf_add(out, text + from, size - from);
}
