/* Putting patterns and slot maps away; patterns are built in assembly/dof_map.c. */
#include "assembly/pattern.h"
#include "core/memory.h"

void pattern_destroy(Pattern **pattern) {
  if (!*pattern) return;
  FREE((*pattern)->start);
  FREE((*pattern)->column);
  FREE(*pattern);
}

void slot_map_release(SlotMap *slots) {
  FREE(slots->slot);
  FREE(slots->row_step);
}
