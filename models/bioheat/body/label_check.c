// Whether the tissues of labels can be right: see label_check.h.
#include "models/bioheat/body/label_check.h"

#include "core/log.h"

#include <math.h>
#include <string.h>

// Where a tissue belongs in a head.
enum kind { OTHER, OUTSIDE, SKIN, BONE, INSIDE, KINDS };

static const double much = 0.5;

void label_check_count(const uint8_t *labels, bool is_outermost, size_t ny, size_t nx,
                       struct label_contacts *contacts)
{
    for (size_t y = 0; y < ny; y++)
        for (size_t x = 0; x < nx; x++)
            if (is_outermost || y == 0 || y + 1 == ny || x == 0 || x + 1 == nx)
                contacts->border[labels[y * nx + x]]++;
    for (size_t y = 0; y < ny; y++)
        for (size_t x = 0; x < nx; x++) {
            const uint8_t *at = labels + y * nx + x;
            if (x + 1 < nx && at[0] != at[1])
                contacts->faces[at[0]][at[1]]++;
            if (y + 1 < ny && at[0] != at[nx])
                contacts->faces[at[0]][at[nx]]++;
        }
}

static enum kind kind_of(const struct label_use *use)
{
    static const struct {
        const char *name;
        enum kind kind;
    } kinds[] = {{"water", OUTSIDE},        {"skin", SKIN},          {"cortical bone", BONE},
                 {"trabecular bone", BONE}, {"bone", BONE},          {"brain", INSIDE},
                 {"white matter", INSIDE},  {"grey matter", INSIDE}, {"cerebrospinal fluid", INSIDE},
                 {"target", INSIDE}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !use->is_void; k++)
        if (strcmp(use->name, kinds[k].name) == 0)
            return kinds[k].kind;
    return use->is_void ? OUTSIDE : OTHER;
}

static void warn_of_target(const struct label_use uses[BIOHEAT_LABELS], const char *where)
{
    static const size_t most = 1000; // BabelBrain has one voxel
    for (int label = 0; label < BIOHEAT_LABELS; label++)
        if (uses[label].cells > most && strcmp(uses[label].name, "target") == 0)
            log_warning("%s: label %d is the voxel of the target, but %zu cells have it: is it the table of "
                        "another program?",
                        where, label, uses[label].cells);
}

// Whether the volume is cut out of a head: there is neither bone nor skin in it, or these reach its border.
// Of a plate through a cube of N³ cells 4/N of the cells lie there, of a skull that is cut at the neck some
// 1/N.
static bool is_cut_out(const struct label_contacts *contacts, const struct label_use uses[BIOHEAT_LABELS])
{
    double all = 0, shell = 0, at_border = 0;
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        if (uses[label].cells == 0)
            continue;
        const enum kind kind = kind_of(&uses[label]);
        all += (double)uses[label].cells;
        shell += kind == BONE || kind == SKIN ? (double)uses[label].cells : 0;
        at_border += kind == BONE || kind == SKIN ? (double)contacts->border[label] : 0;
    }
    return at_border >= 2 / cbrt(all) * shell;
}

// Air or water surrounds a head, if it is not cut.
static void warn_of_border(const struct label_contacts *contacts, const struct label_use uses[BIOHEAT_LABELS],
                           const char *where)
{
    double all = 0, most = 0;
    int largest = -1;
    for (int label = 0; label < BIOHEAT_LABELS; label++) {
        const double cells = (double)contacts->border[label];
        if (uses[label].cells > 0 && kind_of(&uses[label]) == OUTSIDE)
            return;
        all += cells;
        if (cells > most) {
            most = cells;
            largest = label;
        }
    }
    if (largest < 0 || most <= much * all || is_cut_out(contacts, uses))
        return;
    const enum kind kind = kind_of(&uses[largest]);
    if (kind == INSIDE || kind == OTHER)
        log_warning("%s: there is no air or water about the head: %.0f %% of the border of the volume is %s: "
                    "is it the table of another program, or is the image's scl_inter wrong?",
                    where, 100 * most / all, uses[largest].name);
}

// Grey matter lies outside white matter, below fluid and bone.
static void warn_of_cortex(const struct label_contacts *contacts, const struct label_use uses[BIOHEAT_LABELS],
                           const char *where)
{
    static const char *const names[] = {"white matter", "grey matter"};
    double faces[2] = {0};
    bool is_used[2] = {false};
    for (int a = 0; a < BIOHEAT_LABELS; a++)
        for (int which = 0; which < 2; which++) {
            if (uses[a].cells == 0 || strcmp(uses[a].name, names[which]) != 0)
                continue;
            is_used[which] = true;
            for (int b = 0; b < BIOHEAT_LABELS; b++)
                if (uses[b].cells > 0 && strcmp(uses[b].name, names[1 - which]) != 0)
                    faces[which] += a == b ? 0 : (double)(contacts->faces[a][b] + contacts->faces[b][a]);
        }
    if (is_used[0] && is_used[1] && faces[0] > faces[1])
        log_warning("%s: white matter encloses grey matter: it has %.0f faces beside other tissues, grey "
                    "matter %.0f: are the two swapped, is it the table of another program?",
                    where, faces[0], faces[1]);
}

void label_check_warn(const struct label_contacts *contacts, const struct label_use uses[BIOHEAT_LABELS],
                      const char *where)
{
    double faces[KINDS][KINDS] = {{0}}, cells[KINDS] = {0};
    for (int a = 0; a < BIOHEAT_LABELS; a++) {
        if (uses[a].cells == 0)
            continue;
        cells[kind_of(&uses[a])] += (double)uses[a].cells;
        for (int b = 0; b < BIOHEAT_LABELS; b++)
            if (uses[b].cells > 0) {
                faces[kind_of(&uses[a])][kind_of(&uses[b])] += (double)contacts->faces[a][b];
                faces[kind_of(&uses[b])][kind_of(&uses[a])] += (double)contacts->faces[a][b];
            }
    }
    const double outside = faces[OUTSIDE][OTHER] + faces[OUTSIDE][SKIN] + faces[OUTSIDE][BONE] +
                           faces[OUTSIDE][INSIDE],
                 around = faces[INSIDE][OUTSIDE] + faces[INSIDE][SKIN] + faces[INSIDE][BONE];
    warn_of_target(uses, where);
    warn_of_border(contacts, uses, where);
    warn_of_cortex(contacts, uses, where);
    if (cells[SKIN] > 0 && outside > 0 && faces[OUTSIDE][SKIN] < much * outside)
        log_warning("%s: only %.0f %% of the outer surface is skin: is it the table of another program?",
                    where, 100 * faces[OUTSIDE][SKIN] / outside);
    if (cells[BONE] > 0 && around > 0 && faces[INSIDE][BONE] < much * around)
        log_warning(
            "%s: the skull does not enclose the brain: bone is %.0f %% of what surrounds it: is it the "
            "table of another program?",
            where, 100 * faces[INSIDE][BONE] / around);
    if (cells[BONE] > 0 && cells[INSIDE] == 0)
        log_warning("%s: there is a skull, but no brain: is it the table of another program?", where);
}
