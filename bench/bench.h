// The benchmarks that this program has: one a model.
#ifndef FATHOM_BENCH_BENCH_H
#define FATHOM_BENCH_BENCH_H

struct bench_entry {
    const char *model;
    int (*run)(int argc, char **argv); // returns a process exit code; argv[0] is the model's name
};

// By the model's name; NULL if there is none. And all of them, ended by an entry without a name.
const struct bench_entry *bench_find(const char *model);
const struct bench_entry *bench_list(void);

#endif
