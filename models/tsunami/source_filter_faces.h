// The faces of the nodes of Kajiura's filter (source_filter.c): the divergence −∇·(h² ∇η) of a node is the
// sum over its faces of weight · (η here − η of the neighbour). No units: h² over two lengths.
#ifndef FATHOM_MODELS_TSUNAMI_SOURCE_FILTER_FACES_H
#define FATHOM_MODELS_TSUNAMI_SOURCE_FILTER_FACES_H

#include "models/tsunami/instance.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// A meridian's neighbours lie no closer than there: at a pole they would be one point.
#define TSUNAMI_FILTER_LEAST_COSINE 0.01

// Of a row of the box: what its nodes have in common.
struct tsunami_filter_line {
    size_t row, lines[2]; // and those of the neighbours in the south and north
    bool has[2];
    double cosine_2, metric[2]; // cos² of the latitude; 1/m² to the south and north
};

static inline struct tsunami_filter_line tsunami_filter_line_of(const struct tsunami_level *t, size_t row)
{
    const struct tsunami_filter *f = &t->filter;
    const struct tsunami_geometry *g = &t->geometry;
    const size_t rows = f->box.rows, first = f->box.first_row, j = first + row;
    const double cosine = fmax(TSUNAMI_FILTER_LEAST_COSINE, g->cos_latitude[j]);
    const double height_m = 0.5 * (g->y_distance_m[(ptrdiff_t)j - 1] + g->y_distance_m[j]);
    const size_t south = row > 0 ? row - 1 : rows - 1, north = row + 1 < rows ? row + 1 : 0;
    return (struct tsunami_filter_line){
        .row = row,
        .lines = {south, north},
        .has = {row > 0 || f->is_round_y, row + 1 < rows || f->is_round_y},
        .cosine_2 = cosine * cosine,
        .metric = {0.5 * (cosine + g->cos_latitude[first + south]) /
                       (cosine * height_m * g->y_distance_m[(ptrdiff_t)j - 1]),
                   0.5 * (cosine + g->cos_latitude[first + north]) /
                       (cosine * height_m * g->y_distance_m[j])}};
}

// Of a node of the box, to its four neighbours (west, east, south, north): h² of the face over its distance
// and the cell's width (0 without a neighbour, or to land); index of the neighbour in the box's arrays.
struct tsunami_filter_faces {
    double weights[4];
    size_t places[4];
};

static inline struct tsunami_filter_faces tsunami_filter_faces_of(const struct tsunami_level *t,
                                                                  const struct tsunami_filter_line *line,
                                                                  size_t column)
{
    const struct tsunami_filter *f = &t->filter;
    const size_t columns = f->box.columns, first = line->row * columns;
    const double *depth_m = f->depth_m, here_m = depth_m[first + column];
    const bool has_west = column > 0 || f->is_round, has_east = column + 1 < columns || f->is_round;
    const size_t west = first + (column > 0 ? column - 1 : columns - 1),
                 east = first + (column + 1 < columns ? column + 1 : 0);
    const size_t south = line->lines[0] * columns + column, north = line->lines[1] * columns + column;
    const double to_west = f->inverse_m2[column] / line->cosine_2,
                 to_east = f->inverse_m2[columns + column] / line->cosine_2;
    return (struct tsunami_filter_faces){{has_west ? here_m * to_west * depth_m[west] : 0,
                                          has_east ? here_m * to_east * depth_m[east] : 0,
                                          line->has[0] ? here_m * line->metric[0] * depth_m[south] : 0,
                                          line->has[1] ? here_m * line->metric[1] * depth_m[north] : 0},
                                         {west, east, south, north}};
}

#endif
