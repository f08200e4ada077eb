// Waves given along the edges of the outermost grid (source.edges.field) by a field over time, latitude and
// longitude: eta, u and v of another run, or of a sum of unit sources. An edge's node takes them as a nested
// grid's takes its parent's: bilinear between the field's nodes with water, linear in time; before the
// field's first record, after its last one, and beside its land the edge is open. Private to models/tsunami.
#ifndef FATHOM_MODELS_TSUNAMI_SOURCE_FIELD_H
#define FATHOM_MODELS_TSUNAMI_SOURCE_FIELD_H

#include "models/tsunami/instance.h"

// The job's part, with the window and the edges known: opens the file and makes the open edges given.
// STATUS_CONFIGURATION: the domain reaches beyond the field, the field ends before the run begins or begins
// after its end, no edge is open, or a series is given, too. STATUS_NO_INPUT, STATUS_DATA: the file.
enum status tsunami_params_read_field(const struct job *job, struct tsunami_params *p);
void tsunami_field_free(struct tsunami_field_wave *field);

// Whether the grid is the outermost one and the job gives a field at its edges.
static inline bool tsunami_field_is_given(const struct tsunami_level *t)
{
    return t->params.owns_source && t->params.source->field.files[0] != NULL;
}

enum status tsunami_field_plan(struct tsunami_level *t, struct memory_plan *memory);
// After the seal, on the I/O thread. STATUS_CONFIGURATION: the field has water at no node of the edges.
enum status tsunami_field_read(struct tsunami_level *t);
// The slots of the given edges, for the back end's take_edges.
size_t tsunami_field_slots(const struct tsunami_level *t);
void tsunami_field_describe(const struct tsunami_field_wave *field, struct cJSON *edges);

#endif
