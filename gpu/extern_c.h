// C linkage for headers that both C and CUDA C++ include.
#ifndef FATHOM_GPU_EXTERN_C_H
#define FATHOM_GPU_EXTERN_C_H

#ifdef __cplusplus
#define EXTERN_C_BEGIN extern "C" {
#define EXTERN_C_END   }
#else
#define EXTERN_C_BEGIN
#define EXTERN_C_END
#endif

#endif
