// Finite faults as files: the USGS' basic_inversion.param and complete_inversion.fsp (SRCMOD), its
// FFM.geojson, and CSV tables of subfaults. Reads whole files before the seal. Independent of grids and jobs.
//
// Where a format measures a patch's position and depth:
//   .param, FFM.geojson  centre of the patch
//   .fsp                 as it says, "Coordinates are given for center of each subfault", or for
//                        "top-center", the middle of the upper edge
//   CSV                  stated by a comment, "# reference: top_centre", or by the caller
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_RUPTURE_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_RUPTURE_H

#include "models/tsunami/earthquake/event.h"
#include "models/tsunami/earthquake/faults.h"
#include "models/tsunami/earthquake/patches.h"

struct earthquake_rupture {
    struct fault_table faults; // owned; geographic
    size_t segments;
    char title[EARTHQUAKE_NAME_BYTES]; // "" if the file has none
    char
        time[DATE_BYTES]; // origin, UTC, canonical (io/date.h); "" if the file states none, or its date alone
    struct earthquake_point hypocentre; // NaN: not in the file
    double moment_n_m;   // as the file states it: its header's, else the sum of its patches'; NaN: neither
    double moved_down_m; // the most by which a segment was moved, see earthquake_rupture_end_segment
    // Private to the readers.
    size_t capacity, segment_first;
    const char *row_word;                       // what a patch is in its file: "line", "feature"
    size_t *rows;                               // [count] their numbers; owned, NULL once the rupture is read
    double header_moment_n_m, patch_moment_n_m; // NaN: not in the file
};

// The readers of one format each; `content` is the file, which they may change. On failure the rupture is
// empty. STATUS_DATA, in one line with file, line (or feature), value and expectation: a file cut short, a
// missing segment, a number of patches that disagrees with the header, a depth above the sea floor, a dip of
// 0, a magnitude that no earthquake has, patches that contradict each other (patches.h).
enum status earthquake_param_read(const char *path, char *content, struct earthquake_rupture *rupture);
enum status earthquake_fsp_read(const char *path, char *content, struct earthquake_rupture *rupture);
enum status earthquake_ffm_read(const char *path, char *content, struct earthquake_rupture *rupture);
// reference: "centre" etc. (faults.h) for a file that does not state it, or NULL.
enum status earthquake_csv_read(const char *path, char *content, const char *reference,
                                struct earthquake_rupture *rupture);

void earthquake_rupture_free(struct earthquake_rupture *rupture); // empties it

// ---- for the readers

void earthquake_rupture_begin(struct earthquake_rupture *rupture);
// The patches from number `first` on; valid until another one is added.
struct earthquake_patches earthquake_rupture_patches(const struct earthquake_rupture *rupture, size_t first);
// Adds a patch after a check of its numbers; row: of the line or feature. moment_n_m: NaN if the file has
// none. The rake is brought into −180…180.
enum status earthquake_rupture_add(struct earthquake_rupture *rupture, const struct fault *fault,
                                   double moment_n_m, size_t row, const char *about);
// Ends a segment (none if it has no patch). Published models put the centres of their upper row so near the
// surface that the patches would break it: the whole segment is then moved down by as much, and a line says
// so.
enum status earthquake_rupture_end_segment(struct earthquake_rupture *rupture, const char *about);
// Takes the origin's time; a day alone, which programs also write as midnight, and "" are none. STATUS_DATA,
// with the text: no date.
enum status earthquake_rupture_take_time(struct earthquake_rupture *rupture, const char *text,
                                         const char *about);
// Checks the whole: a patch that slips, moment and magnitude, patches.h; sets moment_n_m. What `read`
// returned, if it failed, empties the rupture.
enum status earthquake_rupture_finish(struct earthquake_rupture *rupture, const char *path, enum status read);

#endif
