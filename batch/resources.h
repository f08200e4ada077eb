// What a batch may use of this machine: cores, memory, disk, devices. Independent of runs.
#ifndef FATHOM_BATCH_RESOURCES_H
#define FATHOM_BATCH_RESOURCES_H

#include "batch/placement.h"
#include "batch/queue.h"
#include "core/status.h"

// Measures the free resources within the queue's limits. Disk space is that of the file system that holds the
// queue's directory. Devices are queried in another process: a CUDA context in this process would occupy
// device memory that the runs need. STATUS_SYSTEM.
//
// device_free [PLACEMENT_DEVICES_MAX]: free bytes of each device, without the queue's limit.
enum status batch_resources_measure(const struct batch_queue *queue, struct placement_resources *resources,
                                    size_t *device_free);

// Writes to `text` the value of CUDA_VISIBLE_DEVICES that leaves a run only device number `device` (from 0).
// Returns `text`.
const char *batch_resources_device_name(int device, char *text, size_t bytes);

#endif
