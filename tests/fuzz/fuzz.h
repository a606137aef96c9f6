/* What the targets share: a reader either gives something or says why not, and keeps no memory. */
#pragma once
#include "core/memory.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);

/* Ends the run of the fuzzer (its report shows the input) where a reader has broken a rule. */
static inline void fuzz_holds(bool rule) {
  if (!rule) abort();
}

/* After every input. */
static inline void fuzz_end(void) {
  status_clear();
  status_warnings_clear();
  fuzz_holds(mem_in_use() == 0);
}
