/* Lists of ids as groups have them: ascending, each once. */
#pragma once
#include "core/status.h"

#include <stdint.h>

/* Makes id[*n] such a list, in place. ERR_MEMORY: a byte for each id from the lowest to the highest, unless it is one
 * already. */
Status id_set_make(int32_t *id, int32_t *n);
