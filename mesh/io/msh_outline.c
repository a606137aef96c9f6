/* A mesh without groups cannot be used by name: what its geometry consists of, for a message that helps to name it. */
#include "core/memory.h"
#include "mesh/io/msh_raw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 24, LINE = 200 };

typedef struct Box {
  double low[3], high[3];
  int32_t n; /* elements */
} Box;

static void msh_outline_measure(const MshRaw *raw, Box *box) {
  for (int32_t i = 0; i < raw->n_entity; ++i)
    for (int d = 0; d < 3; ++d) box[i].low[d] = (double)INFINITY, box[i].high[d] = -(double)INFINITY;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const MshElements *list = &raw->list[kind];
    const int32_t n_node = list->n ? element_type((ElementKind)kind)->n_node : 0;
    for (int32_t i = 0; i < list->n; ++i) {
      Box *of = &box[list->owner[i]];
      ++of->n;
      for (int32_t a = 0; a < n_node; ++a)
        for (int d = 0; d < 3; ++d) {
          const double x = raw->x[list->nodes[(int64_t)i * n_node + a]][d];
          of->low[d] = fmin(of->low[d], x);
          of->high[d] = fmax(of->high[d], x);
        }
    }
  }
}

/* "surface 3: x 0 to 10, y 5, z 0 to 1": round-off is no extent. */
static void msh_outline_describe(const MshEntity *entity, const Box *box, char *text, size_t size) {
  static const char *const names[] = {"point", "curve", "surface", "volume"};
  double extent = 0;
  for (int d = 0; d < 3; ++d) extent = fmax(extent, box->high[d] - box->low[d]);
  int used = snprintf(text, size, "\n    %s %d:", names[entity->dim & 3], entity->tag);
  for (int d = 0; d < 3 && used > 0 && (size_t)used < size; ++d) {
    const double low = fabs(box->low[d]) < 1e-9 * extent ? 0 : box->low[d];
    const double high = fabs(box->high[d]) < 1e-9 * extent ? 0 : box->high[d];
    const char *comma = d ? "," : "";
    if (high - low < 1e-9 * extent)
      used += snprintf(text + used, size - (size_t)used, "%s %c %.6g", comma, "xyz"[d], low);
    else used += snprintf(text + used, size - (size_t)used, "%s %c %.6g to %.6g", comma, "xyz"[d], low, high);
  }
}

static void write_outline(const MshRaw *raw, int32_t dim, const Box *box, char *text, size_t size) {
  for (int32_t of = dim; of >= dim - 1 && of > 0; --of) {
    int32_t n = 0;
    for (int32_t i = 0; i < raw->n_entity; ++i) {
      if (raw->entity[i].dim != of || !box[i].n) continue;
      const size_t used = strlen(text);
      if (n++ < SHOWN) msh_outline_describe(&raw->entity[i], &box[i], text + used, size - used);
    }
    const size_t used = strlen(text);
    if (n > SHOWN) snprintf(text + used, size - used, "\n    and %d more of dimension %d", n - SHOWN, of);
  }
}

Status msh_outline(const MshRaw *raw, int32_t dim, char **out) {
  const size_t size = (size_t)(2 * SHOWN + 4) * LINE;
  Box *box = NULL;
  *out = NULL;
  if (raw->n_group || raw->format != 4) return OK;
  ALLOC(box, raw->n_entity, "extents of the geometry");
  const Status status = mem_alloc((int64_t)size, 1, "outline of the geometry", (void **)out);
  if (status == OK) msh_outline_measure(raw, box);
  if (status == OK) write_outline(raw, dim, box, *out, size);
  FREE(box);
  return status;
}
