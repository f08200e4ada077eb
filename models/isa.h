// Which of the instruction sets that fathom_add_isa_variants compiled for this machine has, for all models'
// tables of functions. FATHOM_ISA=generic|avx2|avx512 asks for less than the processor has. Knows no table.
#ifndef FATHOM_MODELS_ISA_H
#define FATHOM_MODELS_ISA_H

enum isa { ISA_GENERIC, ISA_AVX2, ISA_AVX512 };

enum isa isa_best(void);

#endif
