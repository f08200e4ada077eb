// Runs of the Ising model in a report: reads results.nc and run.json, and computes the exact values for
// comparison.
#include "report/ising/report.h"

#include "models/ising/exact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct ising_figure_text ising_figure_texts[ISING_FIGURES] = {
    {"energy_per_bond", "Energy per bond", "e = E/2N"},
    {"specific_heat", "Specific heat", "c = β² var(E)/N"},
    {"absolute_magnetisation", "Magnetisation", "⟨|m|⟩, m = M/N"},
    {"magnetisation", "Signed magnetisation", "⟨m⟩"},
    {"susceptibility", "Susceptibility", "χ = β N var(|m|)"},
    {"binder_cumulant", "Binder cumulant", "U₄ = 1 − ⟨m⁴⟩/3⟨m²⟩²"},
    {"tau_energy", "Autocorrelation time of the energy", "sweeps"},
    {"tau_absolute_magnetisation", "Autocorrelation time of |m|", "sweeps"},
};

// ---- run.json

// A key of the run, or of a part of it.
static double number_of(const cJSON *run, const char *object, const char *name)
{
    const double inner = json_number(json_member(run, object), name);
    return isfinite(inner) ? inner : json_number(run, name);
}

// "method": "wolff", or {"name": "wolff"}.
static const char *name_of(const cJSON *run, const char *key)
{
    const char *text = json_text(run, key);
    return text[0] ? text : json_text(json_member(run, key), "name");
}

static void read_facts(const cJSON *run, struct ising_facts *facts)
{
    const double replicas = number_of(run, "lattice", "replicas");
    *facts = (struct ising_facts){.columns = number_of(run, "lattice", "columns"),
                                  .rows = number_of(run, "lattice", "rows"),
                                  .replicas = replicas >= 1 ? replicas : 1,
                                  .coupling = number_of(run, "physics", "coupling"),
                                  .field = number_of(run, "physics", "field"),
                                  .every = number_of(run, "sweeps", "every")};
    const char *boundary = json_text(json_member(run, "lattice"), "boundary");
    snprintf(facts->boundary, sizeof facts->boundary, "%s",
             boundary[0] ? boundary : json_text(run, "boundary"));
    snprintf(facts->method, sizeof facts->method, "%s", name_of(run, "method"));
    snprintf(facts->backend, sizeof facts->backend, "%s", name_of(run, "backend"));
}

static enum status read_json(struct ising_run *run)
{
    char path[REPORT_PATH_BYTES];
    if (report_has_file(run->directory, "run.json", path))
        CHECK(json_file_read(path, REPORT_RUN_BYTES_MAX, &run->json));
    read_facts(run->json, &run->facts);
    const struct ising_facts *facts = &run->facts;
    if (!isfinite(facts->columns))
        snprintf(run->name, sizeof run->name, "%s", run->directory);
    else if (facts->rows == facts->columns)
        snprintf(run->name, sizeof run->name, "L = %.0f", facts->columns);
    else
        snprintf(run->name, sizeof run->name, "%.0f × %.0f", facts->columns, facts->rows);
    return STATUS_OK;
}

// ---- results.nc

// Reads one number for each temperature; NaN if the file has no such variable.
static enum status read_column(const struct result_file *file, size_t count, const char *name,
                               double **values)
{
    const struct result_variable *v = result_find(file, name);
    *values = malloc((count + 1) * sizeof **values);
    if (!*values)
        return FAIL(STATUS_SYSTEM, "report: not enough memory for %s", name);
    for (size_t k = 0; k < count; k++)
        (*values)[k] = NAN;
    if (!v)
        return STATUS_OK;
    if (v->is_text || v->rank != 1 || v->lengths[0] != count)
        return FAIL(STATUS_DATA, "%s: variable %s: expected one number for each of %zu temperatures",
                    result_path(file), name, count);
    return result_read(file, name, (size_t[]){0}, &count, *values);
}

static enum status read_columns(struct ising_run *run, const struct result_file *file)
{
    const struct result_variable *beta = result_find(file, "beta");
    char name[64];
    if (!beta || beta->rank != 1)
        return FAIL(STATUS_DATA, "%s: expected a variable beta, one for each temperature", result_path(file));
    run->count = beta->lengths[0];
    CHECK(read_column(file, run->count, "beta", &run->beta));
    CHECK(read_column(file, run->count, "time", &run->end));
    CHECK(read_column(file, run->count, "thermalisation", &run->thermalisation));
    CHECK(read_column(file, run->count, "measurements", &run->measurements));
    CHECK(read_column(file, run->count, "is_reliable", &run->is_reliable));
    for (int figure = 0; figure < ISING_FIGURES; figure++) {
        CHECK(read_column(file, run->count, ising_figure_texts[figure].variable, &run->value[figure]));
        snprintf(name, sizeof name, "%s_error", ising_figure_texts[figure].variable);
        CHECK(read_column(file, run->count, name, &run->error[figure]));
    }
    return STATUS_OK;
}

enum status report_ising_read_run(const char *directory, struct ising_run *run)
{
    struct result_file *file;
    *run = (struct ising_run){.directory = directory};
    CHECK(read_json(run));
    CHECK(report_open_file(NULL, directory, "results.nc", &file));
    if (!file)
        return STATUS_OK;
    const enum status status = read_columns(run, file);
    result_close(file);
    return status;
}

void report_ising_free_run(struct ising_run *run)
{
    for (int figure = 0; figure < ISING_FIGURES; figure++) {
        free(run->value[figure]);
        free(run->error[figure]);
    }
    free(run->beta);
    free(run->end);
    free(run->thermalisation);
    free(run->measurements);
    free(run->is_reliable);
    cJSON_Delete(run->json);
    *run = (struct ising_run){0};
}

// ---- exact values

bool report_ising_is_exact(const struct ising_run *run)
{
    return run->facts.field == 0 && isfinite(run->facts.coupling) && run->facts.coupling != 0;
}

double report_ising_critical_beta(const struct ising_run *run)
{
    return report_ising_is_exact(run) ? ISING_CRITICAL_BETA / fabs(run->facts.coupling) : NAN;
}

double report_ising_mark(const struct ising_run *run)
{
    const double critical = report_ising_critical_beta(run);
    return isfinite(critical) ? critical : 0;
}

void report_ising_name_mark(struct points_picture *picture, const struct ising_run *run)
{
    if (report_ising_is_exact(run))
        points_name(picture, POINTS_ACROSS, "#777777", "β_c");
}

// A figure in the units of the run; energies per bond.
static double figure_of(const struct ising_exact *exact, const struct ising_run *run,
                        enum ising_figure figure)
{
    if (figure == ISING_FIGURE_ENERGY)
        return 0.5 * fabs(run->facts.coupling) * exact->energy;
    return figure == ISING_FIGURE_SPECIFIC_HEAT ? exact->specific_heat : NAN;
}

double report_ising_exact_of_lattice(const struct ising_run *run, enum ising_figure figure, double beta)
{
    enum { SIDE_MAX = 1 << 15 }; // the computing time grows with the side
    const struct ising_facts *facts = &run->facts;
    const bool is_known = figure == ISING_FIGURE_ENERGY || figure == ISING_FIGURE_SPECIFIC_HEAT;
    if (!is_known || !report_ising_is_exact(run) || !(beta > 0) || strcmp(facts->boundary, "periodic") != 0 ||
        !(facts->columns <= SIDE_MAX && facts->rows <= SIDE_MAX) || fmod(facts->columns, 2) != 0 ||
        fmod(facts->rows, 2) != 0)
        return NAN;
    const struct ising_exact exact =
        ising_exact_periodic((int)facts->columns, (int)facts->rows, beta * fabs(facts->coupling));
    return figure_of(&exact, run, figure);
}

bool report_ising_has_curve(const struct ising_run *run)
{
    enum { SIDE_MAX = 2048 };
    return run->count > 0 && fmax(run->facts.columns, run->facts.rows) <= SIDE_MAX &&
           isfinite(report_ising_exact_of_lattice(run, ISING_FIGURE_ENERGY, run->beta[0]));
}

double report_ising_exact_of_infinity(const struct ising_run *run, enum ising_figure figure, double beta)
{
    const double k = beta * fabs(run->facts.coupling);
    if (!report_ising_is_exact(run) || !(k > 0) || k == ISING_CRITICAL_BETA)
        return NAN;
    if (figure == ISING_FIGURE_ABSOLUTE)
        return run->facts.coupling > 0 ? ising_exact_magnetisation(k) : NAN;
    const struct ising_exact exact = ising_exact_infinite(k);
    return figure_of(&exact, run, figure);
}

// ---- selection and colours

size_t report_ising_select(const struct ising_run *run, size_t most, size_t selected[ISING_SELECTED_MAX])
{
    const size_t count = run->count < most ? run->count : most;
    const double critical = report_ising_critical_beta(run);
    size_t nearest = 0;
    for (size_t k = 0; k < count; k++)
        selected[k] = count > 1 ? k * (run->count - 1) / (count - 1) : 0;
    for (size_t k = 1; k < run->count; k++)
        if (fabs(run->beta[k] - critical) < fabs(run->beta[nearest] - critical))
            nearest = k;
    // The temperature nearest to the critical one replaces the selected one closest to it; the first and the
    // last are kept.
    if (!isfinite(critical) || count < 3 || nearest == 0 || nearest == run->count - 1)
        return count;
    size_t closest = 1;
    for (size_t k = 2; k + 1 < count; k++)
        if (fabs((double)selected[k] - (double)nearest) < fabs((double)selected[closest] - (double)nearest))
            closest = k;
    selected[closest] = nearest;
    return count;
}

const char *report_ising_colour(size_t k, size_t count)
{
    enum { FIRST = 4, LAST = STYLE_COLOURS - 1 }; // lighter ones are hardly visible on white
    return style_sequential[count > 1 ? FIRST + (k * (LAST - FIRST) + (count - 1) / 2) / (count - 1)
                                      : STYLE_COLOURS / 2 + 2];
}
