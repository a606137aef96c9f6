/* Choosing where a run works. */
#pragma once
#include "app/run/memory_tracker.h"
#include "app/input/backend_kind.h"
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
