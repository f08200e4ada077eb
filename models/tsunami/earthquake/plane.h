// The rectangle of an earthquake: size and slip from its moment, and where it lies. Pure functions.
// Independent of jobs, files and grids.
#ifndef FATHOM_MODELS_TSUNAMI_EARTHQUAKE_PLANE_H
#define FATHOM_MODELS_TSUNAMI_EARTHQUAKE_PLANE_H

#include "models/tsunami/earthquake/okada.h"
#include "models/tsunami/earthquake/relations.h"

// NOAA's unit sources assume it (Gica et al. 2008, NOAA Tech. Memo. OAR PMEL-139); 30 to 50 GPa are usual.
static const double earthquake_rigidity_pa = 4e10;

// NaN: not given.
struct earthquake_request {
    double moment_n_m;                           // or NaN: then length, width and slip are given
    double longitude_deg, latitude_deg, depth_m; // of the point
    double along_strike, down_dip;         // where the point lies, 0…1 from the start and the upper edge
    struct earthquake_mechanism mechanism; // dip > 0
    enum earthquake_relation relation;
    double aspect, rigidity_pa;
    double length_m, width_m, slip_m; // NaN: from the relation and the moment
    // By how many of its standard deviations the relation's length, width and area are exceeded; the area's
    // share is equal in length and width.
    double length_sigmas, width_sigmas, area_sigmas;
    double start_s, rise_s;
    double earth_radius_m;
};

struct earthquake_plane {
    struct fault fault;          // reference FAULT_CENTRE
    double moment_n_m;           // rigidity · length · width · slip
    struct earthquake_size size; // of the relation; is_in_range etc. only if it was used
    bool is_scaled;              // length or width is the relation's
    double moved_down_m;         // to keep the upper edge at the sea floor or below it
};

// `about` begins the messages. STATUS_CONFIGURATION: too little is given, length, width, slip and moment
// contradict each other by more than 1 %, or the relation lacks a standard deviation that is asked for.
enum status earthquake_plane_of(const struct earthquake_request *request, const char *about,
                                struct earthquake_plane *plane);

#endif
