/* Any bytes as an HTTP response: the same result wherever they are cut. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/wire_parser.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static bool take(void *context, const char *data, size_t size)
{
    return buf_add(context, data, size);
}

static enum wire_step read_it(struct wire_parser *parser, struct buf *body,
                              const char *data, size_t size, size_t cut)
{
    size_t used = 0;
    wire_parser_init(parser);
    buf_init(body, 1 << 20);
    enum wire_step step = wire_parser_feed(parser, data, cut, &used, take, body);
    if (step == WIRE_MORE) {
        if (used != cut) {
            abort(); /* asked for more without having read what there was */
        }
        step = wire_parser_feed(parser, data + cut, size - cut, &used, take, body);
    }
    return step;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    if (size < 1) {
        return 0;
    }
    const char *data = (const char *)input + 1;
    size--;
    struct wire_parser one;
    struct wire_parser two;
    struct buf one_body;
    struct buf two_body;
    enum wire_step first = read_it(&one, &one_body, data, size, size);
    enum wire_step second =
        read_it(&two, &two_body, data, size, size ? input[0] % (size + 1) : 0);
    if (first != second || one.status != two.status || one_body.size != two_body.size ||
        memcmp(buf_get(&one_body), buf_get(&two_body), one_body.size) != 0) {
        abort();
    }
    wire_parser_release(&one);
    wire_parser_release(&two);
    buf_release(&one_body);
    buf_release(&two_body);
    return 0;
}
