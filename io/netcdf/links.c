// The tree of groups of an HDF5 file: see links.h.
#include "io/netcdf/links.h"

#include "core/library_call.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// HDF5 comes with netCDF-C (netcdf.c); without it there are no files of HDF5 to open.
extern __typeof__(H5Fopen) H5Fopen __attribute__((weak));
extern __typeof__(H5Fclose) H5Fclose __attribute__((weak));
extern __typeof__(H5Oopen) H5Oopen __attribute__((weak));
extern __typeof__(H5Oclose) H5Oclose __attribute__((weak));
extern __typeof__(H5Literate) H5Literate __attribute__((weak));

// Where an object lies: two links to the same group agree.
struct place {
    unsigned long file;
    unsigned char at[16];
};

#if H5_VERSION_GE(1, 12, 0)
extern __typeof__(H5Oget_info3) H5Oget_info3 __attribute__((weak));
static bool find(hid_t object, struct place *place, bool *is_group)
{
    H5O_info2_t info;
    if (H5Oget_info3(object, &info, H5O_INFO_BASIC) < 0)
        return false;
    *place = (struct place){.file = info.fileno};
    memcpy(place->at, &info.token, sizeof place->at);
    *is_group = info.type == H5O_TYPE_GROUP;
    return true;
}
#else
extern __typeof__(H5Oget_info2) H5Oget_info2 __attribute__((weak));
static bool find(hid_t object, struct place *place, bool *is_group)
{
    H5O_info_t info;
    if (H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0)
        return false;
    *place = (struct place){.file = info.fileno};
    memcpy(place->at, &info.addr, sizeof info.addr);
    *is_group = info.type == H5O_TYPE_GROUP;
    return true;
}
#endif

struct walk {
    struct place above[NETCDF_DEPTH_MAX]; // the groups from the root to the present one
    int depth, groups;
    bool is_loop, is_too_large;
    char name[160]; // of the link at which the walk ended
};

// Goes into the groups as netCDF-C does, one after the other. Ends with 1 at the first fault.
static herr_t visit(hid_t group, const char *name, const H5L_info_t *link, void *context)
{
    struct walk *w = context;
    struct place place;
    bool is_group;
    (void)link;
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0)
        return 0; // it leads nowhere
    herr_t result = 0;
    if (find(object, &place, &is_group) && is_group) {
        for (int k = 0; k < w->depth; k++)
            w->is_loop |=
                w->above[k].file == place.file && memcmp(w->above[k].at, place.at, sizeof place.at) == 0;
        w->is_too_large = w->depth == NETCDF_DEPTH_MAX || ++w->groups > NETCDF_GROUPS_MAX;
        if (w->is_loop || w->is_too_large) {
            snprintf(w->name, sizeof w->name, "%s", name);
            result = 1;
        } else {
            w->above[w->depth++] = place;
            result = H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, w);
            w->depth--;
        }
    }
    (void)H5Oclose(object);
    return result;
}

static void walk_file(const char *path, struct walk *w)
{
    enum { READ_ONLY = 0 };
    const hid_t file = H5Fopen(path, READ_ONLY, H5P_DEFAULT);
    if (file < 0)
        return;
    (void)visit(file, "/", NULL, w);
    (void)H5Fclose(file); // only read from
}

enum status netcdf_check_links(const char *path)
{
    struct walk walk = {.depth = 0};
    if (!H5Fopen)
        return STATUS_OK;
    library_call_begin("HDF5", path);
    walk_file(path, &walk);
    (void)library_call_end(0);
    if (walk.is_loop)
        return FAIL(STATUS_DATA,
                    "%s: the link %s leads to a group that contains it: netCDF cannot have such a "
                    "loop",
                    path, walk.name);
    return walk.is_too_large
               ? FAIL(STATUS_DATA, "%s: has more than %d groups, or groups deeper than %d: is it damaged?",
                      path, NETCDF_GROUPS_MAX, NETCDF_DEPTH_MAX)
               : STATUS_OK;
}
