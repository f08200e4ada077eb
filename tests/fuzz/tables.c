// Tables of numbers in JSON and in NOAA's text form: faults, unit sources, gauges, sensors, tissues,
// tolerances. The first byte says which; the rest is the file.
#include "io/json_file.h"
#include "models/bioheat/body/tissues.h"
#include "models/tsunami/earthquake/faults.h"
#include "models/tsunami/gauges.h"
#include "tests/fuzz/support/model_calls.h"
#include "validate/tolerances.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

static const char *path;

static void check_faults(const struct fault_table *table)
{
    FUZZ_EXPECT(table->count >= 1, "a table without faults was accepted");
    for (size_t k = 0; k < table->count; k++) {
        const struct fault *fault = &table->faults[k];
        FUZZ_EXPECT(isfinite(fault->length_m) && fault->length_m > 0 && isfinite(fault->width_m) &&
                        fault->width_m > 0,
                    "fault %zu: %g x %g m", k, fault->length_m, fault->width_m);
        FUZZ_EXPECT(isfinite(fault->slip_m) && isfinite(fault->dip_deg) && isfinite(fault->strike_deg),
                    "fault %zu", k);
    }
    FUZZ_EXPECT(!isnan(fault_table_magnitude(table, 4e10)), "a magnitude that is not a number");
}

static void try_faults(void)
{
    struct fault_table table = {0};
    if (fuzz_ok(fault_table_read(path, &table)))
        check_faults(&table);
    else
        FUZZ_EXPECT(table.count == 0 && !table.faults, "something is left of a table that was refused");
    fault_table_free(&table);
}

static void try_sift(void)
{
    static const char *const names[] = {"acsza1", "kisza24"};
    static const double slips[] = {2.5, -1};
    struct fault_table table = {0};
    for (size_t count = 1; count <= 2; count++) {
        if (fuzz_ok(fault_table_read_sift(path, names, slips, count, &table))) {
            check_faults(&table);
            FUZZ_EXPECT(table.count == count && table.faults[count - 1].slip_m == slips[count - 1],
                        "%zu faults", table.count);
        }
        fault_table_free(&table);
    }
}

static void try_gauges(void)
{
    struct gauge_list list = {0};
    double x[] = {0, 1, 2, 3, 4, 5, 6, 7}, depth[] = {10, 20, 30, -5, 40, 50, 60, 70};
    const struct grid_window window = {
        .nx = 8, .ny = 8, .x = x, .y = x, .is_uniform_x = true, .is_uniform_y = true, .is_geographic = true};
    const struct gauge_search search = {.nodes = GAUGE_SEARCH_NODES, .length_m = NAN};
    if (fuzz_ok(gauge_list_read(path, &list))) {
        for (size_t k = 0; k < list.count; k++)
            FUZZ_EXPECT(isfinite(list.gauges[k].x) && isfinite(list.gauges[k].y) && list.gauges[k].name[0] &&
                            strnlen(list.gauges[k].name, GAUGE_NAME_MAX) < GAUGE_NAME_MAX,
                        "gauge %zu", k);
        if (fuzz_ok(gauge_list_crop(&list, &window, path, true))) {
            gauge_list_locate(&list, &window, (const bool[2]){true, false}, true);
            for (size_t row = 0; row < 8; row++)
                gauge_list_consider(&list, &window, 6371000, row, depth, 10, &search);
            fuzz_ok(gauge_list_settle(&list, path, &search, NULL, 0, false));
        }
    }
    gauge_list_free(&list);
}

static void try_tissues(void)
{
    static const char *const names[] = {"brain", "water", "skin", "a", ""};
    struct bioheat_tissues *tissues = NULL;
    const char *nearest;
    if (fuzz_ok(bioheat_tissues_read(path, &tissues)))
        for (size_t k = 0; k < FUZZ_COUNT(names); k++) {
            const struct bioheat_tissue *tissue = bioheat_tissues_find(tissues, names[k], &nearest);
            FUZZ_EXPECT(!tissue || !isinf(tissue->density_kg_m3 + tissue->specific_heat_j_kg_k +
                                          tissue->conductivity_w_m_k),
                        "%s has infinite numbers", names[k]);
        }
    bioheat_tissues_free(tissues);
}

static void try_tolerances(void)
{
    struct tolerance_table *table = NULL;
    const struct tolerance *tolerance;
    if (fuzz_ok(tolerances_read(path, &table)) && fuzz_ok(tolerances_find(table, "a/b", &tolerance)))
        FUZZ_EXPECT(isfinite(tolerance->value), "a tolerance of %g", tolerance->value);
    tolerances_free(table);
}

static void try_json(void)
{
    static const char *const known[] = {"a", "b"};
    cJSON *document = NULL;
    if (fuzz_ok(json_file_read(path, 1 << 16, &document)))
        json_unknown_key(document, known, FUZZ_COUNT(known));
    else
        FUZZ_EXPECT(!document, "a document that was refused is handed out");
    cJSON_Delete(document);
}

// A list that a job names.
static void try_job(const char *list, const uint8_t *data, size_t size)
{
    fuzz_write(list, data, size);
    const size_t job = strcmp(list, "sensors.json") == 0 ? 4 : 0;
    model_calls_make(fuzz_write("job.json", model_jobs[job], strlen(model_jobs[job])));
}

FUZZ_HARNESS(tables)
{
    if (size < 1)
        return -1;
    const uint8_t kind = *data++;
    size--;
    model_calls_inputs();
    path = fuzz_write("table.json", data, size);
    static void (*const tries[])(void) = {try_faults,  try_sift,       try_gauges,
                                          try_tissues, try_tolerances, try_json};
    if (kind % 8 < FUZZ_COUNT(tries))
        tries[kind % 8]();
    else
        try_job(kind % 8 == 6 ? "sensors.json" : "faults.json", data, size);
    return 0;
}
