/* A mesh of openCARP as a Mesh: points, elements, fibres and groups. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/carp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Status point_read(TextSource *source, void *context, int64_t i) {
  double(*x)[3] = context;
  const int64_t at = source_here(source);
  TRY(carp_reals(source, "a coordinate", 3, x[i]));
  if (!isfinite(x[i][0]) || !isfinite(x[i][1]) || !isfinite(x[i][2]))
    return source_fail(source, at, "point %lld (counted from 0) is at (%g, %g, %g), must be finite: write it again",
                       (long long)i, x[i][0], x[i][1], x[i][2]);
  return OK;
}

static Status points_from(CarpMesh *m, CarpFile *file) {
  TRY(carp_check_lines(file, "points"));
  TRY(source_check_count(&file->source, 0, "the number of points", file->n, file->source.binary ? 12 : 2));
  m->deck->n_node = (int32_t)file->n;
  ALLOC(m->deck->x, file->n, "nodes");
  ALLOC(m->deck->node_tag, file->n, "node numbers");
  for (int32_t i = 0; i < m->deck->n_node; ++i) m->deck->node_tag[i] = i;
  TRY(carp_items(&file->source, file->n, 12, point_read, m->deck->x));
  return carp_check_end(file, "points", 12);
}

static Status read_points(CarpMesh *m) {
  CarpFile file;
  Status status = carp_open(m, ".pts", ".bpts", false, &file);
  if (status == OK) status = points_from(m, &file);
  carp_close(&file);
  return status;
}

typedef struct Fibers {
  double *value; /* [n][3 n_axis] */
  int n_axis;
} Fibers;

static Status fiber_read(TextSource *source, void *context, int64_t i) {
  const Fibers *f = context;
  const int n = 3 * f->n_axis;
  return carp_reals(source, "a fibre", n, &f->value[n * i]);
}

/* How many axes a text has: its first line says so; files before that have three or six numbers there already. */
static Status text_axes(CarpFile *file) {
  TextSource *source = &file->source, first;
  double value;
  int n = 0;
  source_skip_blanks(source);
  first = *source;
  source_next_line(&first);
  const int64_t end = first.at;
  for (first.at = source->at; n < 7; ++n) {
    source_skip_blanks(&first);
    if (first.at >= end) break;
    TRY(source_text_double(&first, "a fibre", &value));
    if (n == 0) file->n = (int64_t)value;
  }
  if (n == 3 || n == 6) file->n = n / 3;
  else if (n == 1) source->at = end;
  else file->n = 0;
  file->more = carp_lines(source);
  return OK;
}

/* In binary the lengths that the head and the file have must agree. */
static Status check_fibers(const CarpMesh *m, const CarpFile *file) {
  const TextSource *source = &file->source;
  if (file->n != 1 && file->n != 2)
    return source_fail(source, 0, "has %lld axes per element, must be 1 (fibre) or 2 (fibre and sheet)",
                       (long long)file->n);
  int64_t n = file->more;
  if (source->binary && n == m->n_cell) n = (source->size - CARP_HEAD) / (12 * file->n);
  if (n != m->n_cell)
    return source_fail(source, 0, "has fibres of %lld elements, but %s has %d elements; the two do not belong together",
                       (long long)n, m->elements, m->n_cell);
  return OK;
}

static Status add_field(const CarpMesh *m, const Fibers *f, int axis, const char *name, Mesh *mesh) {
  int32_t first[N_ELEMENT_KINDS];
  MeshField *field;
  TRY(carp_field(name, 3, false, mesh, &field));
  carp_firsts(mesh, first);
#pragma omp parallel for schedule(static) num_threads(parts_of(m->n_cell))
  for (int32_t i = 0; i < m->n_cell; ++i)
    for (int d = 0; d < 3; ++d)
      field->value[3 * (int64_t)(first[carp_kind(&m->cells, i)] + m->cells.place[i]) + d] =
          f->value[3 * ((int64_t)f->n_axis * i + axis) + d];
  return OK;
}

static Status fibers_from(const CarpMesh *m, CarpFile *file, Fibers *f, Mesh *mesh) {
  if (!file->source.binary) TRY(text_axes(file));
  TRY(check_fibers(m, file));
  f->n_axis = (int)file->n;
  ALLOC(f->value, 3 * (int64_t)f->n_axis * m->n_cell, "fibres");
  TRY(carp_items(&file->source, m->n_cell, (int64_t)f->n_axis * 12, fiber_read, f));
  TRY(add_field(m, f, 0, "fiber", mesh));
  return f->n_axis == 2 ? add_field(m, f, 1, "sheet", mesh) : OK;
}

static Status read_fibers(const CarpMesh *m, Mesh *mesh) {
  CarpFile file;
  Fibers fibers = {0};
  Status status = carp_open(m, ".lon", ".blon", true, &file);
  if (status == OK && file.path) status = fibers_from(m, &file, &fibers, mesh);
  FREE(fibers.value);
  carp_close(&file);
  return status;
}

static Status read_mesh(CarpMesh *m, Mesh **out) {
  InpGroups groups = {0};
  const char *dot = strrchr(m->path, '.');
  m->binary = dot[1] == 'b';
  ALLOC(m->base, dot - m->path + 1, "the name of a mesh file");
  memcpy(m->base, m->path, (size_t)(dot - m->path));
  TRY(inp_create(m->path, &m->deck));
  TRY(read_points(m));
  TRY(carp_elements(m));
  TRY(carp_named(m));
  TRY(carp_place(m));
  Status status = carp_groups(m, &groups);
  if (status == OK) status = inp_mesh(m->deck, groups.n, groups.group, out);
  inp_groups_destroy(&groups);
  if (status == OK) status = read_fibers(m, *out);
  return status == OK ? carp_data(m, *out) : status;
}

Status mesh_read_carp(const char *path, Mesh **out) {
  CarpMesh m = {.path = path};
  *out = NULL;
  const Status status = read_mesh(&m, out);
  if (status != OK) mesh_destroy(out);
  inp_close(&m.deck);
  for (int32_t i = 0; i < m.n_named; ++i) {
    FREE(m.named[i].path);
    FREE(m.named[i].name);
    FREE(m.named[i].node);
  }
  FREE(m.named);
  FREE(m.cells.type);
  FREE(m.cells.nodes);
  FREE(m.cells.tag);
  FREE(m.cells.place);
  FREE(m.elements);
  FREE(m.base);
  return status;
}
