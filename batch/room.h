// What a batch may use of this machine: cores, memory, disk, devices. Knows no runs.
#ifndef FATHOM_BATCH_ROOM_H
#define FATHOM_BATCH_ROOM_H

#include "batch/placement.h"
#include "batch/queue.h"
#include "core/status.h"

// Cores that this process may use: of its affinity, of its container (cgroup v2, whole ones), and of its
// Slurm task (SLURM_CPUS_PER_TASK). At least 1.
int batch_room_cores(void);

// What there is now, within the queue's limits; disk: of the file system that holds its directory. Devices
// are asked in another process: this one never opens them, as it would take memory from its runs.
// STATUS_SYSTEM.
//
// device_free: what the devices have, whatever the queue's limit; PLACEMENT_DEVICES_MAX numbers.
enum status batch_room_measure(const struct batch_queue *queue, struct placement_room *room,
                               size_t *device_free);

// The name by which CUDA_VISIBLE_DEVICES gives device number `device`, from 0, to a run alone. Returns
// `text`.
const char *batch_room_device_name(int device, char *text, size_t bytes);

#endif
