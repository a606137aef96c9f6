/* Items of a section by all threads: each reads a part with notes of its own. Nothing is told from there: where a part
 * finds anything wrong, or does not end where the next one begins, all is read once more in order, and that is what
 * messages come from. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/msh_raw.h"

Status msh_parts_create(TextSource *source, int64_t n, int64_t bytes, MshParts *out) {
  *out = (MshParts){.n = parts_of(n)};
  if (out->n == 1) return OK;
  Status status = mem_alloc(out->n + 1, sizeof *out->start, "parts of the mesh file", (void **)&out->start);
  if (status == OK) status = mem_alloc(out->n, sizeof *out->notes, "parts of the mesh file", (void **)&out->notes);
  if (status == OK) status = source_split(source, n, bytes, out->n, out->start);
  if (status != OK) msh_parts_destroy(out);
  return status;
}

void msh_parts_destroy(MshParts *parts) {
  FREE(parts->start);
  FREE(parts->notes);
}

static bool quiet_notes(const MshNotes *notes) {
  return notes->not_finite.n + notes->missing.n + notes->repeated.n == 0 && notes->n_group <= MSH_PART_GROUPS;
}

bool msh_parts_read(const TextSource *source, MshParts *parts, int64_t n, MshItems items, void *context, int64_t *end) {
  bool good = !source->binary || parts->start[parts->n] >= 0;
  int64_t last = -1;
  if (!good) return false;
#pragma omp parallel for schedule(static, 1) num_threads(parts->n) reduction(&& : good) reduction(max : last)
  for (int p = 0; p < parts->n; ++p) {
    TextSource mine = *source;
    mine.at = parts->start[p];
    const int64_t begin = part_begin(n, p, parts->n), stop = part_begin(n, p + 1, parts->n);
    good = good && items(&mine, context, begin, stop, &parts->notes[p]) == OK && quiet_notes(&parts->notes[p]);
    if (p == parts->n - 1) last = mine.at;
    if (p < parts->n - 1) good = good && source_here(&mine) == parts->start[p + 1];
  }
  if (!good) status_clear();
  *end = last;
  return good;
}

Status msh_notes_join(MshRaw *raw, const MshNotes *part) {
  MshNotes *notes = &raw->notes;
  for (int32_t g = 0; g < part->n_group; ++g)
    TRY(msh_raw_group(raw, part->group[g].dim, part->group[g].number, NULL, 0));
  if (part->n_tag == 0) return OK;
  notes->falling |= part->falling || (notes->n_tag && part->first_tag <= notes->last_tag);
  if (notes->n_tag == 0) notes->first_tag = part->first_tag;
  notes->n_tag += part->n_tag;
  notes->last_tag = part->last_tag;
  return OK;
}

Status msh_items_read(MshRaw *raw, TextSource *source, int64_t n, int64_t bytes, MshItems items, void *context) {
  MshParts parts;
  Status status = OK;
  int64_t end;
  TRY(msh_parts_create(source, n, bytes, &parts));
  if (parts.n > 1 && msh_parts_read(source, &parts, n, items, context, &end)) {
    source->at = end;
    for (int p = 0; p < parts.n && status == OK; ++p) status = msh_notes_join(raw, &parts.notes[p]);
  } else {
    status = items(source, context, 0, n, &raw->notes);
  }
  msh_parts_destroy(&parts);
  return status;
}
