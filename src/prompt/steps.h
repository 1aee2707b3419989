/* The compiled form of a template: what compile.c writes and template.c walks. */
#ifndef DGM_PROMPT_STEPS_H
#define DGM_PROMPT_STEPS_H

#include <stddef.h>

enum step_kind {
    STEP_TEXT,     /* append text */
    STEP_VALUE,    /* append the value named by text, as one line */
    STEP_LINES,    /* append the value named by text, with its ends of lines */
    STEP_SECTION,  /* once per item of the value, up to the step at `end` */
    STEP_INVERTED, /* once when the value is empty, up to the step at `end` */
};

struct step {
    enum step_kind kind;
    const char *text; /* copied into the template's arena */
    size_t size;
    size_t end; /* sections: the first step after the section */
};

struct steps {
    struct step *items;
    size_t count;
    size_t capacity;
};

struct template
{
    const char *name;
    struct steps steps;
};

#endif
