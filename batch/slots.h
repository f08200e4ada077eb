// The slots of a batch's runs, the cores or the device that each occupies: which resources are free, and
// which planned run starts next.
#ifndef FATHOM_BATCH_SLOTS_H
#define FATHOM_BATCH_SLOTS_H

#include "batch/scheduler_state.h"

// The number of attempts whose run is in this state.
size_t batch_slots_count(const struct batch_scheduler *s, enum batch_state state);

struct placement_resources batch_slots_free(const struct batch_scheduler *s);

// The device to which a new process is restricted (CUDA_VISIBLE_DEVICES): the one with the fewest runs. −1:
// no restriction.
int batch_slots_choose_device(const struct batch_scheduler *s, const struct batch_job *job);

// Of a run of several ranks, as many devices, as bits; 0: it has one rank, or there are not so many.
unsigned batch_slots_choose_devices(const struct batch_scheduler *s, const struct batch_job *job);

// Completes the needs of an attempt that has just sent its plan. One that can never fit is asked to end.
void batch_slots_take_plan(struct batch_scheduler *s, struct batch_attempt *attempt, int visible_device);

// Starts every planned run that fits. Statuses of batch_journal_started.
enum status batch_slots_fill(struct batch_scheduler *s);

#endif
