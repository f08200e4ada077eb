// The functions of NCCL that are used, of the loaded library.
#ifndef FATHOM_GPU_NCCL_LIBRARY_H
#define FATHOM_GPU_NCCL_LIBRARY_H

#include <nccl.h>

struct nccl_library {
    ncclResult_t (*get_version)(int *version);
    ncclResult_t (*get_unique_id)(ncclUniqueId *id);
    ncclResult_t (*init)(ncclComm_t *comm, int count, ncclUniqueId id, int rank, ncclConfig_t *config);
    ncclResult_t (*destroy)(ncclComm_t comm);
    ncclResult_t (*abort)(ncclComm_t comm);
    ncclResult_t (*get_async_error)(ncclComm_t comm, ncclResult_t *error);
    ncclResult_t (*group_start)(void);
    ncclResult_t (*group_end)(void);
    ncclResult_t (*send)(const void *data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                         cudaStream_t stream);
    ncclResult_t (*receive)(void *data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                            cudaStream_t stream);
    const char *(*error_string)(ncclResult_t result);
};

// After gpu_nccl_describe was true.
const struct nccl_library *nccl_library(void);

#endif
