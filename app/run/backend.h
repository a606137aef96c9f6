/* Choosing where a run works, and opening it. */
#pragma once
#include "app/input/backend_kind.h"
#include "app/run/memory_tracker.h"
#include "core/exec.h"

typedef struct Device {
  Exec *exec;             /* owned */
  MemoryTracker *tracker; /* owned */
  bool on_gpu;
  char note[512]; /* why the CPU although a GPU was possible; "" when there is nothing to say */
} Device;

/* auto: a usable GPU, else the CPU. ERR_GPU with the reason when cuda was asked for and cannot be had. */
Status device_open(Backend backend, int threads, Device *out);
void device_close(Device *device);

/* A GPU takes some tenths of a second to start, so that a thread of its own begins with it while the host reads:
 *   device_begin(&begun);  reading  device_end(&begun, backend, threads, &device);   or device_drop(&begun) */
typedef struct DeviceBegun DeviceBegun;
/* Never fails: where nothing can begin *out is NULL, and device_end does it all. */
void device_begin(DeviceBegun **out);
/* device_open with what has begun. Sets NULL. */
Status device_end(DeviceBegun **begun, Backend backend, int threads, Device *out);
/* Waits, since a library that starts cannot be left. Accepts NULL, sets NULL. */
void device_drop(DeviceBegun **begun);
/* The rank-th GPU of this host is this process's first, before CUDA starts; the others stay visible behind it. How many
 * there are, 0 where that is not known. */
int device_take_turn(int rank);
/* What a run may take of so many free bytes of a GPU: all, or what the environment variable SINEW_GPU_ROOM says, in bytes,
 * for tests. */
size_t device_room(size_t free_bytes);
/* Is it worth asking for a GPU? From what the system shows, without starting anything. */
bool device_gpu_is_likely(void);
