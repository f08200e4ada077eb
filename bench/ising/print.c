// What `fathom bench ising` prints for people. Measures nothing.
#include "bench/ising/private.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>

static void describe_lattice(const struct bench_row *row, char *text, size_t bytes)
{
    const long long columns = row->lattice.columns, rows = row->lattice.rows,
                    replicas = row->lattice.replicas;
    if (replicas > 1)
        snprintf(text, bytes, "%lld of %lld x %lld", replicas, columns, rows);
    else
        snprintf(text, bytes, "%lld x %lld", columns, rows);
}

void ising_bench_describe_row(const struct bench_row *row, char *text, size_t bytes)
{
    char lattice[80];
    describe_lattice(row, lattice, sizeof lattice);
    snprintf(text, bytes, "%s, %s, %s%s", row->entry->label, ising_method_names[row->method], lattice,
             row->has_whole_spins ? ", an int a spin" : "");
}

const char *ising_bench_spins(const struct bench_row *row)
{
    if (row->has_whole_spins)
        return "int";
    const bool has_bytes = bench_is_reference(row->entry) || row->method == ISING_METROPOLIS_INTEGER ||
                           row->method == ISING_METROPOLIS_RANDOM;
    return has_bytes ? "byte" : "bit";
}

double ising_bench_of_arithmetic(const struct bench_results *results, const struct bench_row *row)
{
    const double draws_per_s = results->draws_per_s[row->entry_index];
    return draws_per_s > 0 ? 1e9 * ising_bench_rate(row) * ising_bench_words(row) / draws_per_s : 0;
}

double ising_bench_of_copy(const struct bench_options *options, const struct bench_row *row)
{
    const double copy = row->entry->copy_gigabytes_per_s;
    return copy > 0 ? ising_bench_bytes(options, row) / (1e6 * row->time.step_ms * copy) : 0;
}

// "   64.0 %", or "-" of 0
static void print_share(double share)
{
    if (share > 0)
        printf(" %8.1f %%", 100 * share);
    else
        printf(" %10s", "-");
}

static void print_row(const struct bench_options *options, const struct bench_results *results,
                      const struct bench_row *row)
{
    char lattice[80];
    describe_lattice(row, lattice, sizeof lattice);
    const double bytes = ising_bench_bytes(options, row);
    printf("%-18s %-10s %-18s %-5s %11.5g %10.4g", ising_method_names[row->method], row->entry->label,
           lattice, ising_bench_spins(row), row->time.step_ms, ising_bench_rate(row));
    print_share(ising_bench_of_arithmetic(results, row));
    print_share(ising_bench_of_copy(options, row));
    if (bytes > 0)
        printf(" %9.3g", bytes / (1e6 * row->time.step_ms));
    else
        printf(" %9s", "-");
    if (row->check.measurements > 0)
        printf(" %11.7f %9.1e %11.7f %5.1f%s\n", row->check.energy, row->check.error, row->check.exact,
               ising_bench_sigmas(row), ising_bench_sigmas(row) > BENCH_SIGMAS ? " WRONG" : "");
    else
        printf(" %11s %9s %11s %5s\n", "-", "-", "-", "-");
}

static void print_draws(const struct bench_options *options, const struct bench_results *results)
{
    for (int e = 0; e < options->common.entry_count; e++)
        if (results->draws_per_s[e] > 0)
            printf("random words alone: %.4g a nanosecond, %s\n", results->draws_per_s[e] / 1e9,
                   options->common.entries[e].label);
}

void ising_bench_print(const struct bench_options *options, const struct bench_results *results)
{
    printf("%s boundary, J = 1, B = 0, beta %.8g, from a cold start; energy and magnetisation measured every "
           "%d sweeps\n%d threads, instruction set %s; median of up to %d repetitions\n",
           ising_boundary_names[options->boundary], options->beta, options->every, omp_get_max_threads(),
           ising_backend_openmp.instruction_set(), options->common.repeat);
    bench_print_copy_rates(&options->common);
    print_draws(options, results);
    printf("\n%-18s %-10s %-18s %-5s %11s %10s %10s %10s %9s %11s %9s %11s %5s\n", "method", "", "lattice",
           "spin", "ms a sweep", "flips/ns", "of arith.", "of copy", "GB/s", "energy", "error", "exact",
           "sigma");
    for (int k = 0; k < results->row_count; k++)
        if (results->rows[k].has_run)
            print_row(options, results, &results->rows[k]);
    printf("\nflips: spins decided on, of wolff those turned; of arith.: the random words that they take at "
           "least, by the rate of the generator alone;\nof copy: bytes that a sweep must move, by the copy "
           "rate; energy: per site at beta %.8g in the same run, its standard error, the exact one\nof the "
           "periodic lattice (Kaufman), and how many errors lie between; -: it would take too long, or is "
           "not known\n",
           options->check_beta);
    bench_print_notes(&options->common);
}
