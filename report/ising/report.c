// The report of runs of the Ising model: the sections of its page, the order of its pictures.
#include "report/ising/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Adds to the names of two runs of one lattice what distinguishes them: the back end, or the method, or else
// the folder.
static void name_apart(struct ising_run *run, const struct ising_run *other)
{
    char name[sizeof run->name];
    const char *word = run->directory;
    if (strcmp(run->facts.backend, other->facts.backend) != 0)
        word = run->facts.backend;
    else if (strcmp(run->facts.method, other->facts.method) != 0)
        word = run->facts.method;
    if (strchr(run->name, ',')) // already named, in an earlier pair
        return;
    snprintf(name, sizeof name, "%.16s, %.20s", run->name, word);
    memcpy(run->name, name, sizeof name);
}

static void name_all(struct report_ising *ising)
{
    for (size_t a = 0; a < ising->count; a++)
        for (size_t b = 0; b < ising->count; b++)
            if (a != b && report_ising_is_same_lattice(&ising->runs[a], &ising->runs[b]))
                name_apart(&ising->runs[a], &ising->runs[b]);
}

// Sorts by lattice size, then by the order of the arguments.
static int compare_sizes(const void *a, const void *b)
{
    const struct ising_run *x = a, *y = b;
    const double m = x->facts.columns * x->facts.rows, n = y->facts.columns * y->facts.rows;
    return m != n ? (m > n) - (m < n) : (x->order > y->order) - (x->order < y->order);
}

static enum status read_all(struct report *report)
{
    struct report_ising *ising = report->state;
    const size_t count = 1 + report->options.other_count;
    ising->runs = calloc(count, sizeof *ising->runs);
    if (!ising->runs)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %zu runs", count);
    for (ising->count = 0; ising->count < count;) {
        struct ising_run *run = &ising->runs[ising->count++];
        const size_t order = ising->count - 1;
        const char *directory = order == 0 ? report->options.directory : report->options.others[order - 1];
        CHECK(report_ising_read_run(directory, run));
        run->order = order;
        if (count > 1 && run->count == 0)
            return FAIL(STATUS_NO_INPUT, "%s: holds no results.nc of a run of the Ising model", directory);
        if (count > 1 && !(run->facts.columns > 0 && run->facts.rows > 0))
            return FAIL(STATUS_NO_INPUT,
                        "%s: run.json with \"lattice\" is missing: each of several runs must state its size",
                        directory);
    }
    if (count > 1)
        qsort(ising->runs, count, sizeof *ising->runs, compare_sizes);
    for (size_t k = 0; k < count; k++)
        ising->runs[k].colour = report_ising_colour(k, count);
    name_all(ising);
    return STATUS_OK;
}

// Sets the title for several runs. The first run's run.json does not describe the others, so the page omits
// it.
static void describe_all(struct report *report)
{
    const struct report_ising *ising = report->state;
    snprintf(report->title, sizeof report->title, "Ising model, %zu runs: %.40s … %.40s", ising->count,
             ising->runs[0].name, ising->runs[ising->count - 1].name);
    cJSON_Delete(report->run);
    report->run = NULL;
}

static enum status draw_pictures(struct report *report)
{
    const struct report_ising *ising = report->state;
    CHECK(read_all(report));
    if (ising->count > 1) {
        describe_all(report);
        return report_ising_draw_together(report);
    }
    const struct ising_run *run = &ising->runs[0];
    CHECK(report_ising_draw_beta(report, run));
    CHECK(report_ising_draw_reweighted(report, run));
    CHECK(report_ising_draw_spins(report, run));
    CHECK(report_ising_draw_series(report, run));
    CHECK(report_ising_draw_statistics(report, run));
    return report_ising_draw_correlations(report, run);
}

static bool recognise(const struct report *report)
{
    struct result_file *file;
    if (report_open_file(report, report->options.directory, "results.nc", &file) != STATUS_OK)
        return false;
    const bool is_ising = result_find(file, "binder_cumulant") != NULL;
    result_close(file);
    return is_ising;
}

static void release(struct report *report)
{
    struct report_ising *ising = report->state;
    for (size_t k = 0; k < ising->count; k++)
        report_ising_free_run(&ising->runs[k]);
    free(ising->runs);
}

// ---- the page

static bool has_temperatures(const struct report *report)
{
    const struct report_ising *ising = report->state;
    return ising->count == 1 && ising->runs[0].count > 0;
}

static bool has_several(const struct report *report)
{
    return ((const struct report_ising *)report->state)->count > 1;
}

static bool has_pairs(const struct report *report)
{
    const struct report_ising *ising = report->state;
    for (size_t a = 0; a < ising->count; a++)
        for (size_t b = a + 1; b < ising->count; b++)
            if (report_ising_is_same_lattice(&ising->runs[a], &ising->runs[b]))
                return true;
    return false;
}

static const char *const files[] = {"final.nc", "results.nc", "series.nc", NULL};

static const struct report_section sections[] = {
    [ISING_BETA] = {.heading = "Against temperature"},
    [ISING_TEMPERATURES] = {"Temperatures", has_temperatures, report_ising_temperature_table},
    [ISING_SPINS] = {.heading = "Spins"},
    [ISING_SERIES] = {.heading = "Series and thermalisation"},
    [ISING_STATISTICS] = {.heading = "Autocorrelation, distributions, correlations"},
    [ISING_RUNS] = {"The runs", has_several, report_ising_run_table},
    [ISING_PAIRS] = {"Runs of one lattice", has_pairs, report_ising_pair_table},
    [ISING_SCALING] = {.heading = "Finite-size scaling"},
    [ISING_RATIOS] = {.heading = "Two runs of one lattice"},
    {.heading = NULL},
};

static const struct report_stage stages[] = {
    {"sweeps_s", "sweeps"}, {"clusters_s", "clusters"}, {"measures_s", "measurements"}, {NULL, NULL}};

const struct report_model report_ising = {.name = "ising",
                                          .files = files,
                                          .recognise = recognise,
                                          .state_bytes = sizeof(struct report_ising),
                                          .draws_several = true,
                                          .pictures = draw_pictures,
                                          .sections = sections,
                                          .stages = stages,
                                          .figures = report_ising_figures,
                                          .json = report_ising_json,
                                          .release = release};
