/* A thread that does jobs in the order in which they were given, while the one that gives them goes on. What a job
 * works on lies in a slot of the caller's, one of a ring: it is the giver's from worker_take to worker_give, and the
 * worker's from then on until the job is done. Where all slots are with the worker, the giver waits: memory is bounded,
 * nothing is dropped.
 *   worker_create(&params, &worker);
 *   worker_take(worker, &slot);  fill in what lies in the slot;  worker_give(worker);      as often as wanted
 *   worker_finish(worker);  worker_destroy(&worker);
 * The first job that fails is the last one done: worker_take and worker_finish then hand up its status with its
 * message, each time. Warnings of the jobs become the giver's. Memory is counted as the giver's (core/memory.h),
 * signals go to other threads, and loops of OpenMP run on this one thread. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct WorkerParams {
  int32_t n_slot; /* at least 1 */
  void *context;
  Status (*work)(void *context, int32_t slot); /* on the thread */
} WorkerParams;

typedef struct Worker Worker;
/* ERR_MEMORY, also where the system gives no thread. */
Status worker_create(const WorkerParams *params, Worker **out);
/* Waits for a free slot (0 to n_slot - 1). Taken twice without being given it is the same slot. */
Status worker_take(Worker *worker, int32_t *slot);
/* The slot that was taken goes to the thread. */
void worker_give(Worker *worker);
/* Waits until all that was given is done, or dropped behind a failure. */
Status worker_finish(Worker *worker);
/* Finishes and ends the thread; who wants to know of a failure asks worker_finish before. Accepts NULL, sets NULL. */
void worker_destroy(Worker **worker);
