/* The chart of an answer on a terminal. */
#include "cli/picture.h"

#include "base/str.h"
#include "cli/cli.h"
#include "cli/report.h"

void picture_fit(const struct cli *cli, struct dgm_drawing *drawing)
{
    drawing->format = "text";
    drawing->title = ""; /* the question stands above it */
    drawing->width = (int)cli->out.width;
    drawing->ascii = !cli->out.utf8;
    drawing->color = cli->out.color;
}

bool picture_show(struct cli *cli, const struct dgm_answer *answer, const char *kind,
                  bool quiet)
{
    struct dgm_error error = {.position = -1};
    struct dgm_drawing drawing = {.kind = kind};
    out_measure(&cli->out);
    picture_fit(cli, &drawing);
    char *text = dgm_answer_draw(answer, &drawing, &error);
    if (!text) {
        if (!quiet) {
            report_note(cli, error.message);
        }
        return false;
    }
    out_text(&cli->out, text); /* its labels are clean already */
    out_text(&cli->out, "\n");
    dgm_free(text);
    return true;
}
