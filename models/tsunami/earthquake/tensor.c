// Eigenvalues of moment tensors by Jacobi's rotations, and the planes and slip directions that follow.
#include "models/tsunami/earthquake/tensor.h"

#include <math.h>
#include <stdbool.h>

static const double degree_rad = 3.14159265358979323846 / 180.0;
static const double trace_most = 0.02, magnitude_least = 3, magnitude_most = 10;

double earthquake_magnitude(double moment_n_m)
{
    return (log10(moment_n_m) - 9.1) / 1.5;
}

double earthquake_moment_n_m(double magnitude)
{
    return pow(10, 1.5 * magnitude + 9.1);
}

enum earthquake_style earthquake_style_of(double rake_deg)
{
    const double rake = remainder(rake_deg, 360);
    if (fabs(rake) < 45 || fabs(rake) > 135)
        return EARTHQUAKE_STRIKE_SLIP;
    return rake > 0 ? EARTHQUAKE_REVERSE : EARTHQUAKE_NORMAL;
}

const char *earthquake_style_name(enum earthquake_style style)
{
    static const char *const names[] = {[EARTHQUAKE_STRIKE_SLIP] = "strike-slip",
                                        [EARTHQUAKE_REVERSE] = "reverse",
                                        [EARTHQUAKE_NORMAL] = "normal"};
    return names[style];
}

// ---- planes; vectors are x north, y east, z down (Aki & Richards 2002, box 4.4)

struct direction {
    double v[3];
};

static double dot(const struct direction *a, const struct direction *b)
{
    return a->v[0] * b->v[0] + a->v[1] * b->v[1] + a->v[2] * b->v[2];
}

// The fault's normal, of the footwall outward, and the slip of the hanging wall.
static void vectors_of(const struct earthquake_mechanism *plane, struct direction *normal,
                       struct direction *slip)
{
    const double strike = plane->strike_deg * degree_rad, dip = plane->dip_deg * degree_rad,
                 rake = plane->rake_deg * degree_rad;
    *normal = (struct direction){{-sin(dip) * sin(strike), sin(dip) * cos(strike), -cos(dip)}};
    *slip = (struct direction){{cos(rake) * cos(strike) + cos(dip) * sin(rake) * sin(strike),
                                cos(rake) * sin(strike) - cos(dip) * sin(rake) * cos(strike),
                                -sin(dip) * sin(rake)}};
}

// The plane with this normal and slip. A normal that points down belongs to the footwall's side: both turn. A
// vertical plane has two descriptions; the one with a strike below 180 degrees is taken.
static struct earthquake_mechanism plane_of(struct direction normal, struct direction slip)
{
    const bool is_vertical = fabs(normal.v[2]) < 1e-12;
    if (normal.v[2] > 0 || (is_vertical && atan2(-normal.v[0], normal.v[1]) < 0))
        for (int k = 0; k < 3; k++) {
            normal.v[k] = -normal.v[k];
            slip.v[k] = -slip.v[k];
        }
    const double dip = acos(fmin(1, fmax(-1, -normal.v[2])));
    const double strike = atan2(-normal.v[0], normal.v[1]);
    const struct direction along = {{cos(strike), sin(strike), 0}};
    const struct direction up_dip = {{cos(dip) * sin(strike), -cos(dip) * cos(strike), -sin(dip)}};
    const double rake = atan2(dot(&slip, &up_dip), dot(&slip, &along));
    struct earthquake_mechanism plane = {strike / degree_rad, dip / degree_rad, rake / degree_rad};
    if (plane.strike_deg < 0)
        plane.strike_deg += 360;
    return plane;
}

struct earthquake_mechanism earthquake_other_plane(const struct earthquake_mechanism *plane)
{
    struct direction normal, slip;
    vectors_of(plane, &normal, &slip);
    return plane_of(slip, normal);
}

struct earthquake_tensor earthquake_tensor_of(const struct earthquake_mechanism *plane, double moment_n_m)
{
    struct direction n, u;
    vectors_of(plane, &n, &u);
    double m[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = moment_n_m * (u.v[i] * n.v[j] + u.v[j] * n.v[i]);
    // r up = −z, t south = −x, p east = y.
    return (struct earthquake_tensor){
        .rr = m[2][2], .tt = m[0][0], .pp = m[1][1], .rt = m[0][2], .rp = -m[1][2], .tp = -m[0][1]};
}

// ---- eigenvalues

// One rotation of a symmetric matrix that makes entry (p, q) zero (Jacobi; Golub & Van Loan, Matrix
// Computations, §8.5); the columns of `vectors` become the eigenvectors.
static void rotate(double a[3][3], double vectors[3][3], int p, int q)
{
    if (a[p][q] == 0)
        return;
    const double tau = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
    const double c = 1 / sqrt(1 + t * t), s = t * c;
    for (int k = 0; k < 3; k++) {
        const double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        const double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
    }
    for (int k = 0; k < 3; k++) {
        const double kp = vectors[k][p], kq = vectors[k][q];
        vectors[k][p] = c * kp - s * kq;
        vectors[k][q] = s * kp + c * kq;
    }
}

// Eigenvalues in descending order and their axes.
static void diagonalise(double a[3][3], double values[3], struct direction axes[3])
{
    double vectors[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 30; sweep++) {
        rotate(a, vectors, 0, 1);
        rotate(a, vectors, 0, 2);
        rotate(a, vectors, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (a[order[j]][order[j]] < a[order[j + 1]][order[j + 1]]) {
                const int swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
    for (int k = 0; k < 3; k++) {
        values[k] = a[order[k]][order[k]];
        axes[k] = (struct direction){{vectors[0][order[k]], vectors[1][order[k]], vectors[2][order[k]]}};
    }
}

static enum status check_tensor(const struct earthquake_tensor *m, const char *about, double *scale_n_m)
{
    const double values[] = {m->rr, m->tt, m->pp, m->rt, m->rp, m->tp};
    *scale_n_m = 0;
    for (int k = 0; k < 6; k++) {
        if (!isfinite(values[k]))
            return FAIL(STATUS_DATA, "%s: a component of the moment tensor is not a finite number", about);
        *scale_n_m = fmax(*scale_n_m, fabs(values[k]));
    }
    if (*scale_n_m == 0)
        return FAIL(STATUS_DATA, "%s: the moment tensor is zero", about);
    return STATUS_OK;
}

enum status earthquake_tensor_solve(const struct earthquake_tensor *m, const char *about,
                                    struct earthquake_solution *solution)
{
    double scale;
    CHECK(check_tensor(m, about, &scale));
    const double third = (m->rr / scale + m->tt / scale + m->pp / scale) / 3;
    // x north = −t, y east = p, z down = −r.
    double a[3][3] = {{m->tt / scale - third, -m->tp / scale, m->rt / scale},
                      {-m->tp / scale, m->pp / scale - third, -m->rp / scale},
                      {m->rt / scale, -m->rp / scale, m->rr / scale - third}};
    double values[3];
    struct direction axes[3];
    diagonalise(a, values, axes);
    const double moment = 0.5 * (values[0] - values[2]);
    if (!(fabs(3 * third) <= trace_most * moment))
        return FAIL(
            STATUS_DATA,
            "%s: the moment tensor has a trace of %.3g N m, %.2g times its moment: expected none, as a "
            "change of volume is no slip on a fault",
            about, 3 * third * scale, moment > 0 ? fabs(3 * third) / moment : INFINITY);
    solution->moment_n_m = moment * scale;
    const double magnitude = earthquake_magnitude(solution->moment_n_m);
    if (!(magnitude >= magnitude_least && magnitude <= magnitude_most))
        return FAIL(
            STATUS_DATA,
            "%s: the moment tensor's moment of %.3g N m is that of Mw %.1f, expected %g to %g: is its "
            "exponent or its unit (N m, dyne cm) wrong?",
            about, solution->moment_n_m, magnitude, magnitude_least, magnitude_most);
    struct direction sum, difference;
    for (int k = 0; k < 3; k++) {
        solution->eigenvalues_n_m[k] = values[k] * scale;
        sum.v[k] = (axes[0].v[k] + axes[2].v[k]) / sqrt(2);
        difference.v[k] = (axes[0].v[k] - axes[2].v[k]) / sqrt(2);
    }
    solution->clvd = 2 * fabs(values[1]) / fmax(fabs(values[0]), fabs(values[2]));
    const struct earthquake_mechanism first = plane_of(sum, difference), second = plane_of(difference, sum);
    const bool is_shallower = first.dip_deg <= second.dip_deg;
    solution->planes[0] = is_shallower ? first : second;
    solution->planes[1] = is_shallower ? second : first;
    return STATUS_OK;
}
