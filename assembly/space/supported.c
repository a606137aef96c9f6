/* The matrix blocks that supports change. */
#include "assembly/space/supported.h"
#include "core/memory.h"

typedef struct Listing {
  const SupportedNodes *nodes;
  const Pattern *pattern;
  const Numbering *numbering;
  const SlotMap *slots;
} Listing;

/* Writes the blocks to list, where there is one, and returns their number. */
static int64_t list_blocks(const Listing *l, SupportedBlock *list) {
  const Pattern *pattern = l->pattern;
  const uint8_t *fixed = l->nodes->fixed;
  const int32_t *frame_of = l->nodes->frame_of;
  int64_t n = 0;
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k) {
      const int32_t j = pattern->column[k];
      const int32_t a = numbering_node(l->numbering, i), b = numbering_node(l->numbering, j);
      if (!fixed[a] && !fixed[b]) continue;
      if (list) {
        list[n] = (SupportedBlock){.frame = {frame_of ? frame_of[a] : -1, frame_of ? frame_of[b] : -1},
                                   .fixed = {fixed[a], fixed[b]},
                                   .diagonal = i == j};
        slot_places(l->slots, pattern, i, k, list[n].slot);
      }
      ++n;
    }
  return n;
}

Status supported_list(Exec *exec, const SupportedNodes *nodes, const Pattern *pattern, const Numbering *numbering,
                      const SlotMap *slots, SupportedBlock **list, int64_t *n) {
  Status status = OK;
  const Listing listing = {nodes, pattern, numbering, slots};
  SupportedBlock *host = NULL;
  *n = list_blocks(&listing, NULL);
  ALLOC_DONE(host, *n, nodes->what);
  list_blocks(&listing, host);
  TRY_DONE(exec_alloc_upload(exec, *n, sizeof *host, host, nodes->what, (void **)list));
done:
  FREE(host);
  return status;
}
