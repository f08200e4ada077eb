// Which of the instruction sets that fathom_add_isa_variants compiled for this machine has, for all models'
// tables of functions. FATHOM_ISA=generic|avx2|avx512 asks for less than the processor has. Knows no table.
#ifndef FATHOM_MODELS_ISA_H
#define FATHOM_MODELS_ISA_H

enum isa { ISA_GENERIC, ISA_AVX2, ISA_AVX512 };

enum isa isa_best(void);

// The address of NAME_generic, NAME_avx2 or NAME_avx512: the table of the best instruction set.
#if defined(HAVE_ISA_avx512)
#define ISA_TABLE(name)                                                                                      \
    (isa_best() == ISA_AVX512 ? &name##_avx512 : isa_best() == ISA_AVX2 ? &name##_avx2 : &name##_generic)
#else
#define ISA_TABLE(name) (&name##_generic)
#endif

#endif
