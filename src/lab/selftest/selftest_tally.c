/* Counts the attempts of one class of the self-test, and says which got through. */
#include "lab/selftest/selftest.h"

void selftest_tally_init(struct selftest_tally *tally, const char *dialect,
                         const char *class_name)
{
    *tally =
        (struct selftest_tally){.trial = {.dialect = dialect, .class_name = class_name}};
    buf_init(&tally->lines, SELFTEST_LINES_MOST);
}

static void add_line(struct selftest_tally *tally, const char *what, const char *why)
{
    (void)buf_format(&tally->lines, "%s %s: %s: %s\n", tally->trial.dialect,
                     tally->trial.class_name, what, why);
}

void selftest_tally_add(struct selftest_tally *tally, const char *what, const char *harm)
{
    tally->trial.statements++;
    tally->trial.by_engine += harm == NULL;
    tally->trial.breaches += harm != NULL;
    if (harm) {
        add_line(tally, what, harm);
    }
}

void selftest_tally_control(struct selftest_tally *tally, const char *what, bool worked)
{
    tally->trial.statements++;
    tally->trial.harmless += worked;
    tally->trial.breaches += !worked;
    if (!worked) {
        add_line(tally, what, "does not work, so the refusals prove nothing");
    }
}

void selftest_tally_untried(struct selftest_tally *tally, const char *why)
{
    add_line(tally, "not tried", why);
}

void selftest_tally_end(struct selftest_tally *tally, struct selftest_report *report)
{
    tally->trial.report = buf_get(&tally->lines);
    report->breaches += tally->trial.breaches;
    report->tell(report->context, &tally->trial);
    buf_release(&tally->lines);
}
