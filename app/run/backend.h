/* Choosing where a run works. */
#pragma once
#include "app/run/ledger.h"
#include "app/input/backend_kind.h"
#include "core/exec.h"

typedef struct Machine {
  Exec *exec;     /* owned */
  Ledger *ledger; /* owned */
  bool on_gpu;
  char note[512]; /* why the CPU although a GPU was possible; "" when there is nothing to say */
} Machine;

/* auto: a usable GPU, else the CPU. ERR_GPU with the reason when cuda was asked for and cannot be had. */
Status machine_open(Backend backend, int threads, Machine *out);
void machine_close(Machine *machine);
