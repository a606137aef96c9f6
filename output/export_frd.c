/* A result as .frd in text, as CalculiX 2.20 writes it: nodes, elements, and a block for each field of each stored time.
 * Columns are fixed: a key of three characters, numbers of nodes in ten, values in twelve. */
#include "output/export.h"

#include "core/memory.h"
#include "mesh/elements/element.h"
#include "output/cell_data.h"
#include "output/frd.h"
#include "output/h5.h"
#include "output/layout.h"
#include "output/pieces.h"
#include "output/result_cells.h"
#include "output/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES_OF_LINE = 10, TIME_WIDTH = 12, NAME_WIDTH = 20 };
static const int64_t MOST_NUMBER = 9999999999; /* that ten columns hold */

typedef enum FrdKind { FRD_STATIC, FRD_TIME, FRD_MODES, FRD_BUCKLING = 4 } FrdKind; /* CalculiX' numbers */

/* A node or a cell with its number. */
typedef struct Numbered {
  int64_t number, i;
} Numbered;

typedef struct Frd {
  const Result *result;
  FILE *file;
  FrdKind kind;
  bool harmonic, load_cases;
  int64_t n_block;             /* blocks so far */
  ResultCells cells;           /* owned */
  int64_t *node;               /* owned, [n_node], its number */
  Numbered *by_node, *by_cell; /* owned, [n_node], [n_cell], ascending */
  int64_t *material;           /* owned, [n_cell] */
  double *value, *nodal;       /* owned, [n_node or n_cell][6], [n_node][6] */
} Frd;

static bool read_whole(const Frd *frd, const char *name, int64_t n, int64_t *out) {
  return h5_read_list(frd->result->file, name, H5T_NATIVE_INT64, n, out);
}

static int compare_numbers(const void *a, const void *b) {
  const Numbered *p = a, *q = b;
  return (p->number > q->number) - (p->number < q->number);
}

/* Numbers of the mesh file, ascending, where each is there once and fits its columns; else 1, 2, ... */
static Status take_numbers(const Frd *frd, const char *name, int64_t n, Numbered *out) {
  int64_t *number = NULL;
  ALLOC(number, n, "numbers of the mesh");
  bool good = H5Lexists(frd->result->file, name, H5P_DEFAULT) > 0 && read_whole(frd, name, n, number);
  for (int64_t i = 0; i < n; ++i) out[i] = (Numbered){good ? number[i] : i + 1, i};
  if (good) qsort(out, (size_t)n, sizeof *out, compare_numbers);
  for (int64_t i = 0; good && i < n; ++i)
    good = out[i].number > (i ? out[i - 1].number : 0) && out[i].number <= MOST_NUMBER;
  for (int64_t i = 0; !good && i < n; ++i) out[i] = (Numbered){i + 1, i};
  FREE(number);
  return OK;
}

/* Each as a cell of .frd, or in pieces. */
static Status check_cells(const Frd *frd) {
  for (int64_t c = 0; c < frd->result->n_cell; ++c)
    CHECK(frd_cell((int32_t)frd->cells.vtk[c]) || pieces_count(result_cell_type(frd->cells.vtk[c])) > 1, ERR_IO,
          "'%s' is damaged: its cells cannot be read", frd->result->path);
  return OK;
}

static Status take_mesh(Frd *frd) {
  const Result *r = frd->result;
  char name[64];
  TRY(result_cells_read(r, &frd->cells));
  ALLOC(frd->material, r->n_cell, "the cells");
  ALLOC(frd->by_cell, r->n_cell, "the cells");
  ALLOC(frd->by_node, r->n_node, "the nodes");
  ALLOC(frd->node, r->n_node, "the nodes");
  if (!read_whole(frd, "/VTKHDF/CellData/material", r->n_cell, frd->material))
    return h5_error(r->path, "read the cells of");
  TRY(check_cells(frd));
  snprintf(name, sizeof name, "/VTKHDF/CellData/%s", cell_data_name[0]);
  TRY(take_numbers(frd, name, r->n_cell, frd->by_cell));
  TRY(take_numbers(frd, layout_node_numbers, r->n_node, frd->by_node));
  for (int64_t i = 0; i < r->n_node; ++i) frd->node[frd->by_node[i].i] = frd->by_node[i].number;
  return OK;
}

/* Numbers that are too small or too large for three digits of the exponent. */
static double fitting(double value) {
  static const double SMALL = 1e-99, LARGE = 9.99999e99;
  if (fabs(value) < SMALL) return 0;
  return fabs(value) <= LARGE || isnan(value) ? value : copysign(LARGE, value);
}

static Status put_nodes(const Frd *frd) {
  double *x = frd->value;
  if (!h5_read_rows(frd->result->file, "/VTKHDF/Points", H5T_NATIVE_DOUBLE, 0, frd->result->n_node, x))
    return h5_error(frd->result->path, "read the nodes of");
  fprintf(frd->file, "    2C%30lld%38d\n", (long long)frd->result->n_node, 1);
  for (int64_t k = 0; k < frd->result->n_node; ++k) {
    const double *at = &x[3 * frd->by_node[k].i];
    fprintf(frd->file, " -1%10lld%12.5E%12.5E%12.5E\n", (long long)frd->by_node[k].number, fitting(at[0]),
            fitting(at[1]), fitting(at[2]));
  }
  fprintf(frd->file, " -3\n");
  return OK;
}

static void put_element(const Frd *frd, int64_t number, int32_t kind, int64_t material, int32_t n,
                        const int64_t *node) {
  fprintf(frd->file, " -1%10lld%5d%5d%5lld\n", (long long)number, kind, 0, (long long)material);
  for (int32_t a = 0; a < n; ++a)
    fprintf(frd->file, "%s%10lld%s", a % NODES_OF_LINE ? "" : " -2", (long long)frd->node[node[a]],
            a == n - 1 || a % NODES_OF_LINE == NODES_OF_LINE - 1 ? "\n" : "");
}

/* A cubic cell as linear ones; answers the number behind the last. */
static int64_t put_pieces(const Frd *frd, int64_t c, int64_t number) {
  const ElementType *type = result_cell_type(frd->cells.vtk[c]);
  const FrdCell *cell = frd_cell(element_type(type->linear)->vtk_type);
  const int32_t n = pieces_count(type);
  int32_t piece[PIECES_MAX][PIECE_VERTICES], vtk[ELEMENT_MAX_NODES];
  pieces_nodes(type, piece);
  for (int32_t i = 0; i < type->n_node; ++i) vtk[type->vtk_order[i]] = i;
  for (int32_t p = 0; p < n; ++p) {
    int64_t node[PIECE_VERTICES];
    for (int32_t a = 0; a < cell->n_node; ++a) node[a] = frd->cells.connect[frd->cells.offset[c] + vtk[piece[p][a]]];
    put_element(frd, number + p, cell->frd, frd->material[c], cell->n_node, node);
  }
  return number + n;
}

static void put_elements(const Frd *frd) {
  const int64_t n_cell = frd->result->n_cell;
  int64_t n = 0, number = 1;
  for (int64_t c = 0; c < n_cell; ++c) n += pieces_count(result_cell_type(frd->cells.vtk[c]));
  fprintf(frd->file, "    3C%30lld%38d\n", (long long)n, 1);
  for (int64_t k = 0; k < n_cell; ++k) {
    const int64_t c = frd->by_cell[k].i;
    const FrdCell *cell = frd_cell((int32_t)frd->cells.vtk[c]);
    int64_t node[FRD_MOST_NODES];
    if (pieces_count(result_cell_type(frd->cells.vtk[c])) > 1) {
      number = put_pieces(frd, c, number);
      continue;
    }
    for (int32_t a = 0; a < cell->n_node; ++a) node[a] = frd->cells.connect[frd->cells.offset[c] + cell->order[a]];
    put_element(frd, n == n_cell ? frd->by_cell[k].number : number++, cell->frd, frd->material[c], cell->n_node, node);
  }
  fprintf(frd->file, " -3\n");
}

/* With ten digits where they fit, as CalculiX has times and frequencies. */
static void time_text(double time, char text[TIME_WIDTH + 8]) {
  const int before = time >= 1 && time < 1e9 ? (int)floor(log10(time)) : -1;
  if (before < 0) snprintf(text, TIME_WIDTH + 8, "%12.5E", time);
  else snprintf(text, TIME_WIDTH + 8, "%12.*f", 9 - before, time);
}

/* What stands above each block. `number` counts the stored times that are written, from 1. */
static void put_head(Frd *frd, int64_t step, int64_t number) {
  const Result *r = frd->result;
  char time[TIME_WIDTH + 8], name[NAME_WIDTH + 1] = "";
  const bool modes = frd->kind == FRD_MODES;
  const double hertz = r->time[step];
  const bool at_end = frd->kind == FRD_STATIC && r->time[step] == 0; /* of its step, which CalculiX has from 0 to 1 */
  const int64_t step_of = frd->load_cases ? number : frd->harmonic ? 2 : 1;
  const int64_t part = frd->harmonic ? 0 : frd->load_cases || modes || frd->kind == FRD_BUCKLING ? 1 : number;
  if (frd->load_cases) result_step_name(r, step, name, sizeof name);
  time_text(at_end ? 1 : r->time[step], time);
  fprintf(frd->file, "    1PSTEP%26lld%12lld%12lld          \n", (long long)++frd->n_block, (long long)part,
          (long long)step_of);
  if (modes) { /* which have the mass 1 */
    static const double PI = 3.14159265358979323846;
    fprintf(frd->file, "    1PGM                %12.6E                                  \n", 1.0);
    fprintf(frd->file, "    1PGK                %12.6E                                  \n", pow(2 * PI * hertz, 2));
    fprintf(frd->file, "    1PHID%27d                                  \n", -1);
    fprintf(frd->file, "    1PSUBC%26d                                  \n", 0);
    fprintf(frd->file, "    1PMODE%26lld                                  \n", (long long)(step + 1));
  }
  fprintf(frd->file, "  100CL%5lld%s%12lld%-20.20s%2d%5lld%-10s%2d\n", (long long)(100 + number), time,
          (long long)r->n_node, name, (int)frd->kind, (long long)number, modes ? "MODAL" : "", 1);
}

static int32_t form_components(FrdForm form) { return form == FRD_SCALAR ? 1 : form == FRD_VECTOR ? 3 : 6; }

static void put_components(const Frd *frd, const FrdField *field) {
  static const char *const of_tensor[] = {"XX", "YY", "ZZ", "XY", "YZ", "ZX"};
  static const int row[] = {1, 2, 3, 1, 2, 3}, column[] = {1, 2, 3, 2, 3, 1};
  const int32_t n = form_components(field->form);
  fprintf(frd->file, " -4  %-8s%5d%5d\n", field->block, field->form == FRD_VECTOR ? 4 : n, 1);
  for (int32_t c = 0; c < n; ++c) {
    char name[16];
    if (field->form == FRD_SCALAR) snprintf(name, sizeof name, "%s", field->letter);
    else if (field->form == FRD_VECTOR) snprintf(name, sizeof name, "%s%d", field->letter, (int)c + 1);
    else snprintf(name, sizeof name, "%s%s", field->letter, of_tensor[c]);
    const bool tensor = field->form == FRD_TENSOR, vector = field->form == FRD_VECTOR;
    fprintf(frd->file, " -5  %-8s%5d%5d%5d%5d\n", name, 1,
            tensor   ? 4
            : vector ? 2
                     : 1,
            tensor ? row[c] : (int)(vector ? c + 1 : 0), tensor ? column[c] : 0);
  }
  if (field->form == FRD_VECTOR) fprintf(frd->file, " -5  %-8s%5d%5d%5d%5d%5d%s\n", "ALL", 1, 2, 0, 0, 1, "ALL");
}

/* Means of the cells at each node, of a field that the result has on cells. */
static Status to_nodes(const Frd *frd, int32_t n) {
  const Result *r = frd->result;
  int64_t *count = NULL;
  ALLOC(count, r->n_node, "cells at the nodes");
  memset(frd->nodal, 0, (size_t)(r->n_node * n) * sizeof *frd->nodal);
  for (int64_t c = 0; c < r->n_cell; ++c)
    for (int64_t i = frd->cells.offset[c]; i < frd->cells.offset[c + 1]; ++i) {
      ++count[frd->cells.connect[i]];
      for (int32_t k = 0; k < n; ++k) frd->nodal[frd->cells.connect[i] * n + k] += frd->value[c * n + k];
    }
  for (int64_t i = 0; i < r->n_node; ++i)
    for (int32_t k = 0; k < n && count[i]; ++k) frd->nodal[i * n + k] /= (double)count[i];
  FREE(count);
  return OK;
}

static Status put_field(Frd *frd, const ResultField *from, const FrdField *field, int64_t step, int64_t number) {
  const Result *r = frd->result;
  const int32_t n = form_components(field->form);
  const double *value = from->on_cells ? frd->nodal : frd->value;
  TRY(result_read(r, from, step, frd->value));
  if (from->on_cells) TRY(to_nodes(frd, n));
  put_head(frd, step, number);
  put_components(frd, field);
  for (int64_t k = 0; k < r->n_node; ++k) {
    fprintf(frd->file, " -1%10lld", (long long)frd->by_node[k].number);
    for (int32_t c = 0; c < n; ++c)
      fprintf(frd->file, "%12.5E", fitting(value[frd->by_node[k].i * n + c] * (c < 3 ? 1 : field->shear)));
    fprintf(frd->file, "\n");
  }
  fprintf(frd->file, " -3\n");
  return OK;
}

/* Where two fields of a result have one block, the first in the table is written. */
static const ResultField *field_of(const Result *r, int32_t k) {
  const FrdField *field = frd_field_at(k);
  const ResultField *from = result_field(r, field->word, false);
  if (!from) from = result_field(r, field->word, true);
  if (!from || field->form == FRD_DERIVED || from->n_component != form_components(field->form)) return NULL;
  for (int32_t j = 0; j < k; ++j)
    if (!strcmp(frd_field_at(j)->block, field->block) && field_of(r, j)) return NULL;
  return from;
}

/* What the result has once, as maps of a heart, goes to the last of the steps that are written. */
static Status put_step(Frd *frd, int64_t step, int64_t number, bool last) {
  for (int32_t k = 0; k < frd_n_field(); ++k) {
    const ResultField *from = field_of(frd->result, k);
    if (from && (last || !from->once)) TRY(put_field(frd, from, frd_field_at(k), step, number));
  }
  return OK;
}

/* What the steps of the result are, by the name of their axis (layout.h). */
static Status take_kind(Frd *frd) {
  const Result *r = frd->result;
  char axis[32], name[NAME_WIDTH];
  result_axis(r, axis, sizeof axis);
  frd->harmonic = result_field(r, "displacement-real", false) != NULL;
  frd->load_cases = r->n_step > 0 && result_step_name(r, 0, name, sizeof name);
  const bool modes = !strcmp(axis, "frequency") && !frd->harmonic;
  const bool fixed = frd->load_cases || (r->n_step == 1 && r->time[0] == 0);
  frd->kind = modes ? FRD_MODES : !strcmp(axis, "load-factor") ? FRD_BUCKLING : fixed ? FRD_STATIC : FRD_TIME;
  return OK;
}

static void warn_left_out(const Frd *frd, const char *path) {
  const Result *r = frd->result;
  Text list = {0};
  for (int32_t f = 0; f < r->n_field; ++f) {
    bool known = frd_field(r->field[f].name) != NULL;
    for (int k = 0; k < CELL_DATA; ++k) known |= !strcmp(r->field[f].name, cell_data_name[k]);
    if (!known) text_add(&list, "%s'%s'", list.n ? ", " : "", r->field[f].name);
  }
  if (list.n) status_warn("'%s' is without %s: .frd has no name for it; .vtu takes all fields", path, list.data);
  text_release(&list);
}

/* CalculiX has no block of what a body begins with, and tools that read its files number increments from 1. */
static bool begins_at_rest(const Frd *frd) {
  return frd->kind == FRD_TIME && frd->result->n_step > 1 && frd->result->time[0] == 0;
}

static Status put_all(Frd *frd, int64_t step) {
  const int64_t first = step < 0 ? begins_at_rest(frd) : step, end = step < 0 ? frd->result->n_step : step + 1;
  fprintf(frd->file, "    1C\n    1UUSER\n    1UPGM               Sinew\n");
  TRY(put_nodes(frd));
  put_elements(frd);
  for (int64_t k = first; k < end; ++k) TRY(put_step(frd, k, k - first + 1, k + 1 == end));
  fprintf(frd->file, " 9999\n");
  return OK;
}

Status export_frd(const Result *result, int64_t step, const char *path) {
  const int64_t rows = result->n_node > result->n_cell ? result->n_node : result->n_cell;
  Frd frd = {.result = result};
  ExportFile file = {0};
  Status status = OK;
  ALLOC_DONE(frd.value, 6 * rows, "a field");
  ALLOC_DONE(frd.nodal, 6 * result->n_node, "a field");
  TRY_DONE(take_mesh(&frd));
  TRY_DONE(take_kind(&frd));
  TRY_DONE(export_open(path, &file));
  frd.file = file.file;
  status = put_all(&frd, step);
  if (status == OK && ferror(file.file)) status = export_bytes(&file, "", 1);
  status = export_close(&file, status);
  if (status == OK) warn_left_out(&frd, path);
done:
  result_cells_release(&frd.cells);
  FREE(frd.material);
  FREE(frd.by_cell);
  FREE(frd.by_node);
  FREE(frd.node);
  FREE(frd.value);
  FREE(frd.nodal);
  return status;
}
