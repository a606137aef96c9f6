/* Nastran's bulk data as a Mesh. */
#include "core/memory.h"
#include "mesh/io/nastran.h"

#include <stdio.h>
#include <string.h>

enum { NOTES = 12 };

/* What the reader uses, and what says nothing of a body. */
static bool card_used(const char *name) {
  static const char *const names[] = {"INCLUDE", "GRDSET", "SET1",    "SET3",    "PSOLID", "PSHELL", "PCOMP",
                                      "PCOMPG",  "PCOMPS", "PLSOLID", "PLPLANE", "PSHEAR", "PARAM",  "CORD1R",
                                      "CORD1C",  "CORD1S", "CORD2R",  "CORD2C",  "CORD2S"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(names[i], name)) return true;
  return !*name;
}

/* A warning that counts the cards that nobody reads. */
static void nas_note(const NasBulk *bulk) {
  char name[NOTES][NAS_NAME], text[NOTES * 24] = "";
  int64_t count[NOTES] = {0}, more = 0;
  int n = 0, length = 0;
  for (int64_t i = 0; i < bulk->n_other; ++i) {
    NasCard card;
    const TextSource *source = &bulk->deck->file[bulk->other[i].file].source;
    if (source->bytes[bulk->other[i].at] == '$') continue;
    nas_card_open(&card, source, bulk->other[i].at, source->size);
    if (card_used(card.name)) continue;
    int k = 0;
    while (k < n && strcmp(name[k], card.name) != 0) ++k;
    if (k == n && n < NOTES) memcpy(name[n++], card.name, NAS_NAME);
    if (k < n) ++count[k];
    else ++more;
  }
  for (int k = 0; k < n; ++k)
    length += snprintf(text + length, sizeof text - (size_t)length, "%s%lld %s", k ? ", " : "",
                       (long long)(count[k] < 999999999 ? count[k] : 999999999), name[k]);
  if (n && more)
    status_warn("%s: only the mesh is read; ignored: %s and %lld others", bulk->deck->file[0].path, text,
                (long long)more);
  else if (n) status_warn("%s: only the mesh is read; ignored: %s", bulk->deck->file[0].path, text);
}

static Status nas_mesh(NasBulk *bulk, const char *path, Mesh **out) {
  InpGroups groups = {0};
  TRY(nas_read(path, bulk));
  TRY(nas_nodes(bulk));
  TRY(nas_elements(bulk));
  Status status = nas_groups(bulk, &groups);
  if (status == OK) status = inp_mesh(bulk->deck, groups.n, groups.group, out);
  inp_groups_destroy(&groups);
  if (status == OK) nas_note(bulk);
  return status;
}

Status mesh_read_nastran(const char *path, Mesh **out) {
  NasBulk bulk = {0};
  *out = NULL;
  const Status status = nas_mesh(&bulk, path, out);
  FREE(bulk.grid);
  FREE(bulk.element);
  FREE(bulk.node);
  FREE(bulk.other);
  FREE(bulk.item);
  inp_close(&bulk.deck);
  return status;
}
