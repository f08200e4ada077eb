// The parts of a picture of timings. Internal to report/timings/. Each adds panels, from group *group on,
// which becomes the next free one; nothing, where the file has nothing of its kind.
#ifndef FATHOM_REPORT_TIMINGS_INTERNAL_H
#define FATHOM_REPORT_TIMINGS_INTERNAL_H

#include "report/timings/read.h"

// Numbers of axes that panels share (struct chart_panel, scale): rows.c counts from 1 on.
enum { TIMINGS_SCALE_PEERS = 1 << 20 };

// rows.c: times and rates over sizes or threads.
enum status timings_add_rows(const struct timings_file *file, struct chart *chart, int *group);
// peers.c: the authors' times and rates of known sizes beside the best of ours.
enum status timings_add_peers(const struct timings_file *file, struct chart *chart, int *group);
// source.c: the authors' figures beside ours. *left_out: how many of their tables have none of ours, and are
// not drawn.
enum status timings_add_source(const struct timings_file *file, struct chart *chart, int *group,
                               int *left_out);
// blocks.c: rungs by the shape of their blocks; rungs of the Ising model over sizes.
enum status timings_add_blocks(const struct timings_file *file, struct chart *chart, int *group);
enum status timings_add_ising_rungs(const struct timings_file *file, struct chart *chart, int *group);

#endif
