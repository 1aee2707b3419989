/* The style sheet of the page that shows kept answers. */
#include "service/documents/style.h"

#include <string.h>

#include "base/base64url.h"
#include "base/buf.h"
#include "base/sha256.h"
#include "base/str.h"
#include "chart/draw.h"

/* Colours have a contrast of at least 4.5 to 1 on their background. */
enum { STYLE_MOST = 32 * 1024 };

static const char text[] =
    ":root{color-scheme:light "
    "dark;--page:#fff;--ink:#1b1f24;--quiet:#57606a;--line:#d0d7de;"
    "--soft:#f6f8fa;--note:#7d4e00;--mark:#2f6fdb}"
    "@media "
    "(prefers-color-scheme:dark){:root{--page:#0d1117;--ink:#e6edf3;--quiet:#9da7b3;"
    "--line:#3d444d;--soft:#161b22;--note:#e3b341;--mark:#6cb0ff}}"
    "*{box-sizing:border-box}"
    "body{margin:0;background:var(--page);color:var(--ink);"
    "font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif}"
    "main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 3rem}"
    "h1{font-size:1.4rem;line-height:1.3;margin:0 0 1rem;overflow-wrap:anywhere}"
    "h2{font-size:1.2rem;line-height:1.3;margin:0 0 .75rem;overflow-wrap:anywhere}"
    ".part{font-size:.9rem;margin:1.5rem 0 .25rem;color:var(--quiet)}"
    "article+article{border-top:1px solid var(--line);margin-top:2rem;padding-top:2rem}"
    ".sentence{font-size:1.15rem;margin:0 0 "
    "1rem;white-space:pre-line;overflow-wrap:anywhere}"
    ".figure{font-size:2.5rem;font-weight:600;margin:0 0 1rem;overflow-wrap:anywhere}"
    ".doubt{color:var(--note);margin:.25rem 0;overflow-wrap:anywhere}"
    ".note,footer{color:var(--quiet);font-size:.875rem}"
    "footer{border-top:1px solid var(--line);margin-top:2rem;padding-top:1rem}"
    "figure{margin:0 0 1rem}"
    "svg{width:100%;height:auto;max-height:40rem}"
    ".scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px}"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}"
    "th,td{text-align:start;padding:.35rem .75rem;border-bottom:1px solid var(--line);"
    "vertical-align:top;unicode-bidi:isolate;overflow-wrap:anywhere;min-width:4rem}"
    "td{white-space:pre-wrap}th{background:var(--soft);font-weight:600}"
    "tr:last-child td{border-bottom:0}.number{text-align:end}.null{color:var(--quiet)}"
    "pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;margin:0;"
    "padding:.75rem;white-space:pre-wrap;overflow-wrap:anywhere;"
    "font:.875rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:1.5rem "
    "0 0;"
    "font-size:.875rem}dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}"
    ":focus-visible{outline:2px solid var(--mark);outline-offset:2px}"
    "@media "
    "print{:root{color-scheme:light;--page:#fff;--ink:#000;--quiet:#444;--line:#bbb;"
    "--soft:#f4f4f4;--note:#5c3a00;--mark:#2f6fdb}body{font-size:10.5pt}main{max-width:"
    "none;padding:0}"
    ".scroll{overflow:visible;border:0}thead{display:table-header-group}"
    "tr,figure,h1,h2,h3{break-inside:avoid}h1,h2,h3{break-after:avoid}"
    "svg{max-height:10cm;print-color-adjust:exact}article+article{break-before:page}}";

void style_write(struct buf *out)
{
    (void)buf_text(out, text);
    draw_style(out);
}

void style_hash(char out[STYLE_HASH_SIZE])
{
    unsigned char digest[SHA256_SIZE];
    struct buf buf;
    buf_init(&buf, STYLE_MOST);
    style_write(&buf);
    sha256(buf_get(&buf), buf.size, digest);
    buf_release(&buf);
    buf_init(&buf, STYLE_HASH_SIZE);
    (void)buf_text(&buf, "sha256-");
    base64url_write(&buf, digest, sizeof digest);
    (void)buf_char(&buf, '='); /* of 32 bytes there is always one */
    str_put(out, STYLE_HASH_SIZE, buf_get(&buf));
    buf_release(&buf);
    size_t begin = strlen("sha256-"); /* its own "-" stays */
    for (char *at = out + begin; *at; at++) {
        *at = *at == '-' ? '+' : *at == '_' ? '/' : *at;
    }
}
