// The order of the pictures of runs of the Ising model.
#include "report/ising/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Two of one lattice are told apart by what differs: the back end, the method, else the folder.
static void name_apart(struct ising_run *run, const struct ising_run *other)
{
    char name[sizeof run->name];
    const char *word = run->directory;
    if (strcmp(run->facts.backend, other->facts.backend) != 0)
        word = run->facts.backend;
    else if (strcmp(run->facts.method, other->facts.method) != 0)
        word = run->facts.method;
    if (strchr(run->name, ',')) // told already, from another one
        return;
    snprintf(name, sizeof name, "%.16s, %.20s", run->name, word);
    memcpy(run->name, name, sizeof name);
}

static void name_all(struct report_ising *ising)
{
    for (size_t a = 0; a < ising->count; a++)
        for (size_t b = 0; b < ising->count; b++)
            if (a != b && ising_is_same_lattice(&ising->runs[a], &ising->runs[b]))
                name_apart(&ising->runs[a], &ising->runs[b]);
}

// By size, then in the order given.
static int compare_sizes(const void *a, const void *b)
{
    const struct ising_run *x = a, *y = b;
    const double m = x->facts.columns * x->facts.rows, n = y->facts.columns * y->facts.rows;
    return m != n ? (m > n) - (m < n) : (x->order > y->order) - (x->order < y->order);
}

static enum status read_all(struct report *report)
{
    struct report_ising *ising = &report->ising;
    const size_t count = 1 + report->options.other_count;
    ising->runs = calloc(count, sizeof *ising->runs);
    if (!ising->runs)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %zu runs", count);
    for (ising->count = 0; ising->count < count;) {
        struct ising_run *run = &ising->runs[ising->count++];
        const size_t order = ising->count - 1;
        const char *directory = order == 0 ? report->options.directory : report->options.others[order - 1];
        CHECK(ising_read_run(directory, run));
        run->order = order;
        if (count > 1 && run->count == 0)
            return FAIL(STATUS_NO_INPUT, "%s: holds no results.nc of a run of the Ising model", directory);
        if (count > 1 && !(run->facts.columns > 0 && run->facts.rows > 0))
            return FAIL(STATUS_NO_INPUT,
                        "%s: run.json with \"lattice\" is not there: of several runs each must tell its size",
                        directory);
    }
    if (count > 1)
        qsort(ising->runs, count, sizeof *ising->runs, compare_sizes);
    for (size_t k = 0; k < count; k++)
        ising->runs[k].colour = ising_colour(k, count);
    name_all(ising);
    return STATUS_OK;
}

// What the first run's run.json says is not said of all.
static void speak_of_all(struct report *report)
{
    const struct report_ising *ising = &report->ising;
    snprintf(report->title, sizeof report->title, "Ising model, %zu runs: %.40s … %.40s", ising->count,
             ising->runs[0].name, ising->runs[ising->count - 1].name);
    cJSON_Delete(report->run);
    report->run = NULL;
}

enum status report_draw_ising(struct report *report)
{
    CHECK(read_all(report));
    if (report->ising.count > 1) {
        speak_of_all(report);
        return report_draw_ising_together(report);
    }
    const struct ising_run *run = &report->ising.runs[0];
    CHECK(report_draw_ising_beta(report, run));
    CHECK(report_draw_ising_reweighted(report, run));
    CHECK(report_draw_ising_spins(report, run));
    CHECK(report_draw_ising_series(report, run));
    CHECK(report_draw_ising_statistics(report, run));
    return report_draw_ising_correlations(report, run);
}

void report_free_ising(struct report *report)
{
    for (size_t k = 0; k < report->ising.count; k++)
        ising_free_run(&report->ising.runs[k]);
    free(report->ising.runs);
}
