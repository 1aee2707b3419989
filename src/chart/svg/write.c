/* The elements of an SVG: texts are escaped, numbers plain. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "chart/svg/svg.h"

void svg_number(struct buf *out, double number)
{
    int64_t tenths = llround(fmin(fmax(number, -100000), 100000) * 10);
    (void)buf_text(out, tenths < 0 ? "-" : "");
    tenths = tenths < 0 ? -tenths : tenths;
    (void)buf_int(out, tenths / 10);
    if (tenths % 10) {
        (void)buf_char(out, '.');
        (void)buf_int(out, tenths % 10);
    }
}

/* Texts may be seen before they are cleaned: what XML forbids becomes U+FFFD. */
void svg_escape(struct buf *out, const char *text)
{
    static const struct {
        char letter;
        const char *name;
    } names[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    size_t size = strlen(text);
    for (size_t at = 0; at < size;) {
        uint32_t code = 0;
        size_t bytes = utf8_next(text + at, size - at, &code);
        bool bad = code < 0x20 || code == 0xFFFD || utf8_is_unsafe(code);
        const char *name = bad ? "\xEF\xBF\xBD" : NULL;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            name = text[at] == names[i].letter ? names[i].name : name;
        }
        (void)(name ? buf_text(out, name) : buf_add(out, text + at, bytes));
        at += bytes ? bytes : 1;
    }
}

static void attribute(struct svg *svg, const char *name, double number)
{
    (void)buf_format(svg->out, " %s=\"", name);
    svg_number(svg->out, number);
    (void)buf_char(svg->out, '"');
}

static void hint(struct svg *svg, const char *text, const char *element)
{
    if (text) {
        (void)buf_text(svg->out, "><title>");
        svg_escape(svg->out, text);
        (void)buf_format(svg->out, "</title></%s>\n", element);
    } else {
        (void)buf_text(svg->out, "/>\n");
    }
}

void svg_text(struct svg *svg, double x, double y, enum svg_anchor anchor,
              const char *class_name, const char *text)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"",
                                          " text-anchor=\"end\""};
    (void)buf_format(svg->out, "<text class=\"dgm-%s\"%s", class_name, anchors[anchor]);
    attribute(svg, "x", x);
    attribute(svg, "y", y);
    (void)buf_char(svg->out, '>');
    svg_escape(svg->out, text);
    (void)buf_text(svg->out, "</text>\n");
}

void svg_line(struct svg *svg, double x1, double y1, double x2, double y2,
              const char *class_name)
{
    (void)buf_format(svg->out, "<line class=\"dgm-%s\"", class_name);
    attribute(svg, "x1", x1);
    attribute(svg, "y1", y1);
    attribute(svg, "x2", x2);
    attribute(svg, "y2", y2);
    (void)buf_text(svg->out, "/>\n");
}

void svg_rect(struct svg *svg, const struct svg_box *box, size_t color, const char *text)
{
    (void)buf_format(svg->out, "<rect class=\"dgm-f%zu\"", color % SVG_COLORS);
    attribute(svg, "x", box->left);
    attribute(svg, "y", box->top);
    attribute(svg, "width", fmax(box->right - box->left, 0));
    attribute(svg, "height", fmax(box->bottom - box->top, 0));
    hint(svg, text, "rect");
}

void svg_dot(struct svg *svg, double x, double y, double radius, size_t color,
             const char *text)
{
    (void)buf_format(svg->out, "<circle class=\"dgm-f%zu\"", color % SVG_COLORS);
    attribute(svg, "cx", x);
    attribute(svg, "cy", y);
    attribute(svg, "r", radius);
    hint(svg, text, "circle");
}

void svg_begin_path(struct svg *svg, const char *classes, size_t color)
{
    (void)buf_format(svg->out, "<path class=\"%s%zu\" d=\"", classes, color % SVG_COLORS);
}

void svg_end_path(struct svg *svg)
{
    (void)buf_text(svg->out, "\"/>\n");
}

void svg_go(struct svg *svg, char how, double x, double y)
{
    (void)buf_char(svg->out, how);
    svg_number(svg->out, x);
    (void)buf_char(svg->out, ',');
    svg_number(svg->out, y);
}
