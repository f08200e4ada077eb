// The check that a job asks for by check.reference_steps: steps, spread over the run, are repeated on the
// reference from the very state that the fast back end had, and the states are compared. The run loop calls
// it (core/run.h); a model describes its state by a struct check_operations. Knows no model.
#ifndef FATHOM_MODELS_CHECK_H
#define FATHOM_MODELS_CHECK_H

#include "models/instance.h"

struct cJSON;

// `instance` is the model's.
struct check_operations {
    enum check_places places;
    const char *step; // "step"; "sweep"
    // The units of the tolerance, in which differences are judged: "1" for parts of a scale.
    const char *units;
    // What is compared, CHECK_QUANTITIES_MAX at most. Units: NULL here, where the model's `units_of` gives
    // them.
    struct {
        const char *name, *units;
    } quantities[CHECK_QUANTITIES_MAX];
    int quantity_count;
    const char *(*units_of)(const void *instance, int quantity);
    // The state of the run's solver, which was fetched, to the reference, and its touch.
    enum status (*copy)(void *instance, int64_t step);
    // (optional; left out: the reference's advance) Repeats steps on the reference.
    enum status (*repeat)(void *instance, int64_t first_step, int64_t count);
    // Calls check_difference for all that is compared, in index order. Returns at how many nodes.
    int64_t (*compare)(void *instance, int64_t step);
    // The largest difference that passes.
    double (*tolerance)(const void *instance);
    // Completes "the check against the reference failed: after step 3 (repeated from step 1), ..." for the
    // quantity that is furthest off.
    void (*complain)(const void *instance, const struct check_quantity *q, char *text, size_t bytes);
    // (optional) For the report: in what differences are judged.
    const char *judged_in;
};

// As core/run.h has them; `context` is the instance.
enum status check_begin(void *context, int64_t step);
enum status check_end(void *context, int64_t step);

// One value of a quantity: what the run and the reference have, their difference in the quantity's units, and
// its size in those of the tolerance (NaN counts as infinite).
struct check_pair {
    double value, reference, difference, size;
};

// Adds it to the record. If it is larger than all before it, returns the quantity, whose place the caller
// fills in; else NULL. The first of equal differences is kept.
struct check_quantity *check_difference(struct instance *instance, int quantity, int64_t step,
                                        struct check_pair pair);

// The quantity that is furthest off, of a record with moments.
const struct check_quantity *check_worst(const struct check_record *record);

// STATUS_OK, also where nothing was compared, or STATUS_CHECK_FAILED with the place and both values.
enum status check_verdict(struct instance *instance);

// "reference_check" of the report: steps, largest difference, tolerance. Nothing where nothing was compared.
void check_describe(const struct instance *instance, struct cJSON *report);

#endif
