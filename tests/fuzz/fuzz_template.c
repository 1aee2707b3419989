/* Any bytes as a template: compiles or is refused with a message, and renders bounded. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "prompt/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool find_partial(void *context, const char *name, const char **text, size_t *size)
{
    (void)name;
    const struct buf *input = context;
    *text = buf_get(input); /* every partial is the input again: recursion is refused */
    *size = input->size;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct buf input;
    buf_init(&input, 1 << 20);
    (void)buf_add(&input, data, size);
    struct template_partials partials = {.find = find_partial, .context = &input};
    struct err err = {0};
    struct template *template = template_compile_with(arena, "fuzz", buf_get(&input),
                                                      input.size, &partials, &err);
    if (!template && (err.code == ERR_OK || !err.message[0])) {
        abort();
    }
    if (template) {
        struct slot *values = slot_map(arena);
        slot_text(arena, values, "a", "text");
        slot_flag(arena, values, "b", true);
        slot_text(arena, slot_item(arena, values, "c"), "a", "inner");
        slot_item_text(arena, values, "c", "word");
        struct buf out;
        buf_init(&out, 65536);
        (void)template_render(template, values, &out, &err);
        if (out.size > out.ceiling) {
            abort();
        }
        buf_release(&out);
    }
    buf_release(&input);
    arena_free(arena);
    return 0;
}
