/* The matrix blocks that supports change, listed for the kernels support_block_* (gather_rows.h). */
#pragma once
#include "assembly/space/gather.h"
#include "assembly/space/numbering.h"

/* Prescribed nodes, by mesh node. */
typedef struct SupportedNodes {
  const uint8_t *fixed;    /* [n_node], bit c: component c is prescribed */
  const int32_t *frame_of; /* [n_node], frame of the node or -1; NULL: all -1. A frame comes with a fixed component */
  const char *what;        /* what the list is, for messages about memory */
} SupportedNodes;

/* Blocks whose row or column node is prescribed, in pattern order. *list is new memory of the Exec, [*n], and must
 * be NULL before. ERR_MEMORY: release it as [*n] all the same. */
Status supported_list(Exec *exec, const SupportedNodes *nodes, const Pattern *pattern, const Numbering *numbering,
                      const SlotMap *slots, SupportedBlock **list, int64_t *n);
