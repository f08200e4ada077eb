// Rows of Okada's uplift in blocks (see the header).
#include "models/tsunami/earthquake/okada_row.h"

// Points whose offsets are east_m, in blocks of at most OKADA_ROW_BLOCK.
static void find_block(const struct fault_frame *frame, double north_m, const double *east_m, size_t count,
                       double *up_m)
{
    double is_singular[OKADA_ROW_BLOCK];
    const struct okada_row row = {frame, north_m};
    const bool is_vertical = frame->medium.is_vertical;
    if (!is_vertical)
        ISA_TABLE(okada_row_functions)->uplift(&row, east_m, count, up_m, is_singular);
    for (size_t i = 0; i < count; i++)
        if (is_vertical || is_singular[i] != 0)
            up_m[i] = fault_frame_uplift(frame, east_m[i], north_m);
}

void okada_row_on_sphere(const struct fault_frame *frame, const struct fault_parallel *parallel,
                         const double *x_deg, size_t count, double *up_m)
{
    double east_m[OKADA_ROW_BLOCK];
    for (size_t first = 0; first < count; first += OKADA_ROW_BLOCK) {
        const size_t left = count - first, nodes = left < OKADA_ROW_BLOCK ? left : OKADA_ROW_BLOCK;
        for (size_t i = 0; i < nodes; i++)
            east_m[i] = fault_parallel_east_m(parallel, x_deg[first + i]);
        find_block(frame, parallel->north_m, east_m, nodes, up_m + first);
    }
}

void okada_row_on_plane(const struct fault_frame *frame, const double *x_m, double y_m, size_t count,
                        double *up_m)
{
    double east_m[OKADA_ROW_BLOCK];
    for (size_t first = 0; first < count; first += OKADA_ROW_BLOCK) {
        const size_t left = count - first, nodes = left < OKADA_ROW_BLOCK ? left : OKADA_ROW_BLOCK;
        for (size_t i = 0; i < nodes; i++)
            east_m[i] = x_m[first + i] - frame->longitude_deg - frame->edge_east_m;
        find_block(frame, y_m - frame->latitude_deg - frame->edge_north_m, east_m, nodes, up_m + first);
    }
}

void okada_row_fade(const struct okada_fade *fade, const double *x_deg, size_t count, double *weights)
{
    ISA_TABLE(okada_row_functions)->fade(fade, x_deg, count, weights);
}
