// Fault tables: our JSON form, and NOAA's SIFT unit-source table. Reads whole tables before the seal.
#ifndef FATHOM_MODELS_TSUNAMI_FAULTS_H
#define FATHOM_MODELS_TSUNAMI_FAULTS_H

#include "core/status.h"
#include "models/tsunami/okada.h"

#include <stddef.h>

struct fault_table {
    struct fault *faults; // owned
    size_t count;
};

// Reads a fault table (docs/tsunami.md gives the form). Every column has a unit in the file, converted by io/units.
// Errors name file, row and column: missing column, unknown unit, NaN, length ≤ 0, dip outside 0…90, depth above the
// surface, unknown reference point.
enum status fault_table_read(const char *path, struct fault_table *table);

// From a table given inside the job (a cJSON object of the same form); `about` begins the error messages.
enum status fault_table_parse(const void *json, const char *about, struct fault_table *table);

// Unit sources by name with slip in metres, from NOAA's table (Name, URL, Long, Lat, Slip, Strike, Dip, Depth km, Length
// km, Width km, Rake; '#' comments). Unknown name → STATUS_CONFIGURATION with the nearest known names.
enum status fault_table_read_sift(const char *path, const char *const *names, const double *slips_m, size_t count,
                                  struct fault_table *table);
void fault_table_free(struct fault_table *table);

// Moment magnitude of the whole table for a rigidity in Pa.
double fault_table_magnitude(const struct fault_table *table, double rigidity_pa);

#endif
