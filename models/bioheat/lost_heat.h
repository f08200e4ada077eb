// Heat that warms nothing, of a run and of those that it continues: what is told of it, and from where on the
// run is not judged as passed (docs/bioheat.md, section 6).
#ifndef FATHOM_MODELS_BIOHEAT_LOST_HEAT_H
#define FATHOM_MODELS_BIOHEAT_LOST_HEAT_H

#include "models/bioheat/instance.h"

// Up to this a rise is negligible.
#define BIOHEAT_TOLD_RISE_K 0.1

// Of a warning: "", or that nothing is judged as passed.
const char *bioheat_tell_unjudged(bool is_much);

// When the run is created. STATUS_DATA as the start is read.
enum status bioheat_lost_begin(struct bioheat *b);
// When the run has ended, and so the heat of a stream is known.
void bioheat_lost_end(struct bioheat *b);

// Whether the share of heat in layers is too much, while the rise that it would cause is known well enough to
// be judged as what faces carry off is (exposure.c). Where the share counts by itself: false.
bool bioheat_lost_is_bounded(const struct bioheat *b);

// The sum of this run and those before it: what the report says of a chain.
struct bioheat_lost bioheat_lost_of_chain(const struct bioheat *b);

#endif
