// What a batch may use of this machine: cores, memory, disk, devices. Knows no runs.
#ifndef FATHOM_BATCH_RESOURCES_H
#define FATHOM_BATCH_RESOURCES_H

#include "batch/placement.h"
#include "batch/queue.h"
#include "core/status.h"

// Free resources, within the queue's limits; disk: of the file system that holds its directory. Devices are
// queried in another process: a context in this one would take memory from the runs. STATUS_SYSTEM.
//
// device_free: free bytes of each device, whatever the queue's limit; PLACEMENT_DEVICES_MAX numbers.
enum status batch_resources_measure(const struct batch_queue *queue, struct placement_resources *resources,
                                    size_t *device_free);

// The value of CUDA_VISIBLE_DEVICES by which a run sees device number `device`, from 0, alone. Returns
// `text`.
const char *batch_resources_device_name(int device, char *text, size_t bytes);

#endif
