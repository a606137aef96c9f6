/* Tracks what is allocated on an Exec, by name: the memory table of `sinew check`, and the answer "does not fit"
 * before a GPU is asked for more than it has. */
#pragma once
#include "core/exec.h"
#include "output/text.h"

typedef struct MemoryTracker MemoryTracker;

/* Wraps the allocation functions of exec until tracker_close; limit 0: none, else an allocation beyond it is ERR_GPU
 * with the table and never reaches the device. */
Status tracker_open(Exec *exec, size_t limit, MemoryTracker **out);
/* Gives the Exec its own functions back; call it before exec_destroy. Accepts NULL, sets NULL. */
void tracker_close(MemoryTracker **tracker);
/* Lines "  name   bytes", largest first, the small ones together; `total` is the most that was in use at a time. */
void tracker_table(const MemoryTracker *tracker, Text *out);
/* Was an allocation refused? Accepts NULL. */
bool tracker_refused(const MemoryTracker *tracker);
size_t tracker_peak(const MemoryTracker *tracker);
