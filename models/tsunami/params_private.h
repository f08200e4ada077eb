// What params.c, params_source.c and params_waves.c share. Private to them.
#ifndef FATHOM_MODELS_TSUNAMI_PARAMS_PRIVATE_H
#define FATHOM_MODELS_TSUNAMI_PARAMS_PRIVATE_H

#include "models/tsunami/params.h"

// A key without effect unless another one is given: half of a pair is a mistake.
struct tsunami_companions {
    const char *key, *needs;
};
enum status tsunami_params_check_companions(const struct job *job, const struct tsunami_companions *pairs,
                                            size_t count);

// Warns of statements of the file that the job overrides (`set_aside`, "": none), and of an `override` (key
// `key`) without effect.
void tsunami_params_warn_of_override(const struct job *job, const char *key, bool overrides, const char *path,
                                     const char *set_aside);

// The block `source`; after the domain, which must contain the source.
enum status tsunami_params_read_source(const struct job *job, struct tsunami_params *params);

// Products and the coordinate system (params_export.c); after the outputs.
enum status tsunami_params_read_exports(const struct job *job, struct tsunami_params *params);

// The block source.earthquake, and the fault that follows from it (params_earthquake.c).
enum status tsunami_params_read_earthquake(const struct job *job, double earth_radius_m,
                                           struct tsunami_earthquake *quake, struct fault *fault);

// The faults of an earthquake that was read: its plane, or the patches of its random slip; they belong to the
// caller.
enum status tsunami_params_divide_earthquake(const struct job *job, double earth_radius_m,
                                             struct tsunami_earthquake *quake, struct fault_table *table);

// A file of source.faults, in any format; the faults belong to the caller.
enum status tsunami_params_read_rupture(const struct job *job, const char *path,
                                        struct tsunami_rupture *rupture, struct fault_table *table);

// The blocks output.points and output.zones, threats and travel times, of the outermost grid
// (params_products.c).
enum status tsunami_params_read_products(const struct job *job, struct tsunami_params *params);
void tsunami_params_free_products(struct tsunami_params *params);

// Waves at the edges and the solitary wave (params_waves.c); sets edges to TSUNAMI_EDGE_GIVEN.
enum status tsunami_params_read_waves(const struct job *job, struct tsunami_params *params);

#endif
