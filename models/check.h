// The check that a job asks for by check.reference_steps: steps, spread over the run, are repeated on the
// reference from the state of the fast back end, and the results are compared. The run loop calls it
// (core/run.h); a model describes its state by a struct check_operations. Independent of models.
#ifndef FATHOM_MODELS_CHECK_H
#define FATHOM_MODELS_CHECK_H

#include "models/instance.h"

struct cJSON;

// A model's description of its state. `instance` is the model's.
struct check_operations {
    enum check_places places;
    const char *step; // "step"; "sweep"
    // The units of the tolerance and of `size`; "1": differences are divided by a scale.
    const char *units;
    // The quantities compared, up to the first without a name.
    struct {
        const char *name;
        const char *units; // NULL: the model's `units_of` gives them
        const char *scale; // (optional) for messages: what differences are relative to
    } quantities[CHECK_QUANTITIES_MAX];
    const char *(*units_of)(const void *instance, int quantity);
    // Copies the state of the run's solver, after a fetch, to the reference, and touches the reference.
    enum status (*copy)(void *instance, int64_t step);
    // (optional; left out: the reference's advance) Repeats steps on the reference.
    enum status (*repeat)(void *instance, int64_t first_step, int64_t count);
    // Calls check_difference for every value compared, in index order. Returns the number of nodes; −1:
    // another rank of a divided run has failed.
    int64_t (*compare)(void *instance, int64_t step);
    // Completes "the check against the reference failed: after step 3 (repeated from step 1), ..." for the
    // quantity with the largest difference.
    void (*complain)(const void *instance, const struct check_quantity *q, char *text, size_t bytes);
    // (optional) For the report: what the differences are divided by.
    const char *judged_in;
};

// The functions of struct simulation (core/run.h); `context` is the instance.
enum status check_begin(void *context, int64_t step);
enum status check_end(void *context, int64_t step);

// One value of a quantity.
struct check_pair {
    double value, reference; // of the run; of the reference
    double difference;       // in the quantity's units
    double size;             // of the difference, in the tolerance's units; NaN counts as infinite
};

// Adds the difference to the record. If it is the largest so far, returns the quantity, whose position the
// caller fills in; else NULL. The first of equal differences is kept.
struct check_quantity *check_difference(struct instance *instance, int quantity, int64_t step,
                                        struct check_pair pair);

// Returns the quantity with the largest difference. At least one comparison must have been made
// (record->moments > 0).
const struct check_quantity *check_worst(const struct check_record *record);

// STATUS_OK, also where nothing was compared, or STATUS_CHECK_FAILED with the position and both values.
enum status check_verdict(struct instance *instance);

// Adds "reference_check" to the report: steps, largest difference, tolerance. Adds nothing if nothing was
// compared.
void check_describe(const struct instance *instance, struct cJSON *report);

#endif
