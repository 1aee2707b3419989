/* The weights that are part of the program; in a file of its own, so that only what wants
 * them carries them. */
#include "base/err.h"
#include "parser/parser.h"
#include "prompt/embedded.h"

extern const struct embedded_file embedded_weights[];

struct parser *parser_built_in(struct err *err)
{
    const struct embedded_file *file = &embedded_weights[0];
    if (!file->path) {
        (void)err_set(err, ERR_PARSER_MISSING, "This build has no built-in parser.");
        return NULL;
    }
    return parser_of(file->data, (size_t)(file->end - file->data), err);
}
