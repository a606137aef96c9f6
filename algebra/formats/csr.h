/* Where the entries of a pattern lie in compressed sparse rows, for all formats that store them so. */
#pragma once
#include "algebra/pattern.h"

/* ERR_MEMORY. */
Status csr_slots(SlotMap *slots, const Pattern *pattern);
/* start [rows + 1], column [entries], both of scalars. */
void csr_fill(const Pattern *pattern, int64_t *start, int32_t *column);
