// Cutting rows into shares (see the header).
#include "parallel/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double weight_of(const struct shares_request *request, int64_t row)
{
    return request->weights ? request->weights[row] : 1;
}

static double part_of(const struct shares_request *request, int rank)
{
    return request->parts ? request->parts[rank] / request->ranks : 1; // a sum of large ones stays finite
}

// The borders by work alone.
static void cut_by_work(const struct shares_request *request, struct share *shares)
{
    double work = 0, parts = 0, before = 0, wanted = 0;
    int64_t row = 0;
    for (int64_t k = 0; k < request->rows; k++)
        work += weight_of(request, k);
    for (int r = 0; r < request->ranks; r++)
        parts += part_of(request, r);
    for (int r = 0; r < request->ranks; r++) {
        shares[r].first = row;
        wanted += part_of(request, r);
        const double target = work * (wanted / parts);
        while (row < request->rows && before + weight_of(request, row) - target < target - before)
            before += weight_of(request, row++);
        shares[r].end = row;
    }
    shares[request->ranks - 1].end = request->rows;
}

enum status shares_cut(const struct shares_request *request, struct share *shares)
{
    const int64_t least = request->least > 1 ? request->least : 1;
    const int64_t most = request->rows / least > 1 ? request->rows / least : 1;
    const int ranks = request->ranks;
    if (ranks < 1 || ranks > SHARES_RANKS_MAX)
        return FAIL(STATUS_CONFIGURATION, "%d ranks, expected 1 to %d", ranks, SHARES_RANKS_MAX);
    if (request->rows < least * ranks)
        return FAIL(
            STATUS_CONFIGURATION,
            "%lld %s cannot be divided among %d ranks: each needs at least %lld, so %lld rank%s at most",
            (long long)request->rows, request->what, ranks, (long long)least, (long long)most,
            most == 1 ? "" : "s");
    cut_by_work(request, shares);
    for (int r = 0; r + 1 < ranks; r++) { // upwards: each gets its least
        const int64_t end = shares[r].first + least;
        shares[r].end = shares[r].end < end ? end : shares[r].end;
        shares[r + 1].first = shares[r].end;
        if (shares[r + 1].end < shares[r].end)
            shares[r + 1].end = shares[r].end;
    }
    shares[ranks - 1].end = request->rows;
    for (int r = ranks - 1; r > 0; r--) { // downwards: what the last ones lack
        const int64_t first = shares[r].end - least;
        shares[r].first = shares[r].first > first ? first : shares[r].first;
        shares[r - 1].end = shares[r].first;
    }
    return STATUS_OK;
}

enum status shares_read(const char *text, int ranks, double *parts)
{
    const char *at = text;
    for (int r = 0; r < ranks; r++) {
        char *end;
        parts[r] = strtod(at, &end);
        const bool is_number = end != at && isfinite(parts[r]) && parts[r] > 0;
        if (!is_number || *end != (r + 1 < ranks ? ':' : '\0'))
            return FAIL(
                STATUS_USAGE,
                "--shares %.100s: expected %d positive number%s, one for each rank, with colons between "
                "them, as in 9:23",
                text, ranks, ranks == 1 ? "" : "s");
        at = end + 1;
    }
    return STATUS_OK;
}

double shares_imbalance(const struct shares_request *request, const struct share *shares)
{
    double all = 0, most = 0;
    for (int r = 0; r < request->ranks; r++) {
        double work = 0;
        for (int64_t row = shares[r].first; row < shares[r].end; row++)
            work += weight_of(request, row);
        all += work;
        most = fmax(most, work);
    }
    return all > 0 ? most * request->ranks / all : 1;
}

int shares_owner(const struct share *shares, int ranks, int64_t row)
{
    int low = 0, high = ranks - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (row < shares[middle].end)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
