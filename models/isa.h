// Code that is compiled once per instruction set (fathom_add_isa_variants): a file that defines a table of
// functions, and the choice of a table at run time. FATHOM_ISA=generic|avx2|avx512 selects less than the
// processor has.
#ifndef FATHOM_MODELS_ISA_H
#define FATHOM_MODELS_ISA_H

enum isa { ISA_GENERIC, ISA_AVX2, ISA_AVX512 };

enum isa isa_best(void);

// Declares the tables NAME_generic, NAME_avx2 and NAME_avx512 of a struct NAME.
#define ISA_TABLES(name) extern const struct name name##_generic, name##_avx2, name##_avx512

// The address of the table for the best instruction set of this machine.
#if defined(HAVE_ISA_avx512)
#define ISA_TABLE(name)                                                                                      \
    (isa_best() == ISA_AVX512 ? &name##_avx512 : isa_best() == ISA_AVX2 ? &name##_avx2 : &name##_generic)
#else
#define ISA_TABLE(name) (&name##_generic)
#endif

// For a file that is compiled once per instruction set, with ISA naming the set. ISA_OWN(name): the name of
// its table. ISA_NAME: the set as text. ISA_BOTH(name): a function in both precisions, [0] single, [1]
// double.
#define ISA_JOIN_(name, isa) name##_##isa
#define ISA_JOIN(name, isa)  ISA_JOIN_(name, isa)
#define ISA_TEXT_(isa)       #isa
#define ISA_TEXT(isa)        ISA_TEXT_(isa)
#define ISA_OWN(name)        ISA_JOIN(name, ISA)
#define ISA_NAME             ISA_TEXT(ISA)
#define ISA_BOTH(name)                                                                                       \
    {                                                                                                        \
        name##_f, name##_d                                                                                   \
    }

#endif
