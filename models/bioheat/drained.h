// Heat that faces of the domain carry off, and how much warmer the tissue could be without that
// (docs/bioheat.md, section 6).
#ifndef FATHOM_MODELS_BIOHEAT_DRAINED_H
#define FATHOM_MODELS_BIOHEAT_DRAINED_H

#include "models/bioheat/instance.h"

// Whether a face of the grid does.
bool bioheat_has_drains(const struct bioheat_grid *grid);

// Declares the temperatures of the layers of fixed faces; takes them, which no step changes, from the start.
enum status bioheat_drained_plan(struct bioheat *b, struct memory_plan *memory);
void bioheat_drained_start(struct bioheat *b);

// b->exposures.drained at the end of the run: begin, every cell of tissue with its largest θ, end. The end
// adds the run to b->carried.
void bioheat_drained_begin(struct bioheat *b);
void bioheat_drained_add(struct bioheat *b, const size_t cell[BIOHEAT_AXES], double largest_k);
void bioheat_drained_end(struct bioheat *b);

// Thereafter: an upper bound (K) of how much warmer any cell could be, in this run and those before it, if
// the domain went on beyond these faces. face: which carries off the most, "x_low"; "": none does.
enum { BIOHEAT_FACE_BYTES = 32 };
double bioheat_drained_rise_k(const struct bioheat *b, char face[BIOHEAT_FACE_BYTES]);

// The same of this run's convective faces that are believed, where tissue other than skin lies at one with
// much transfer.
double bioheat_believed_rise_k(const struct bioheat *b, char face[BIOHEAT_FACE_BYTES]);

#endif
