#include "app/run/tables.h"
#include "core/memory.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A node or element with its number in the mesh file, by which tables go. */
typedef struct Line {
  int64_t tag;
  int32_t item;
} Line;

static int by_tag(const void *left, const void *right) {
  const Line *a = left, *b = right;
  if (a->tag != b->tag) return a->tag < b->tag ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

/* As Fortran's E14.7 has it: 0.1000000E+01. */
static void fortran_number(double value, char text[32]) {
  int exponent = value == 0 ? 0 : (int)floor(log10(fabs(value))) + 1;
  double digits = value / pow(10, exponent);
  if (fabs(digits) >= 0.99999995) digits /= 10, ++exponent;
  snprintf(text, 32, "%10.7fE%c%02d", digits, exponent < 0 ? '-' : '+', exponent < 0 ? -exponent : exponent);
}

static void table_head(const char *what, const char *name, double time, Text *out) {
  char number[32], capitals[256];
  size_t n = 0;
  for (; name[n] && n + 1 < sizeof capitals; ++n) capitals[n] = (char)toupper((unsigned char)name[n]);
  capitals[n] = 0;
  fortran_number(time, number);
  text_add(out, "\n%s for set %s and time %s\n\n", what, capitals, number);
}

/* The nodes of the group's elements, each once. */
static Status group_nodes(const Mesh *mesh, const Group *on, Line **line, int32_t *n) {
  uint8_t *seen = NULL;
  ALLOC(seen, mesh->n_node, "nodes of a table");
  const Status status = mem_alloc(mesh->n_node, sizeof **line, "nodes of a table", (void **)line);
  for (int32_t i = 0; status == OK && i < on->n; ++i) {
    const int32_t *nodes = mesh_nodes_of(mesh, on->element[i]);
    const int32_t n_node = element_type(mesh_block_of(mesh, on->element[i])->kind)->n_node;
    for (int32_t a = 0; a < n_node; ++a)
      if (!seen[nodes[a]]) {
        seen[nodes[a]] = 1;
        (*line)[(*n)++] = (Line){mesh->node_tag[nodes[a]], nodes[a]};
      }
  }
  FREE(seen);
  return status;
}

static Status group_elements(const Mesh *mesh, const Group *on, Line **line, int32_t *n) {
  ALLOC(*line, on->n, "elements of a table");
  for (int32_t i = 0; i < on->n; ++i) {
    const ElementBlock *block = mesh_block_of(mesh, on->element[i]);
    (*line)[(*n)++] = (Line){block->tag[on->element[i] - block->first], on->element[i]};
  }
  return OK;
}

static void table_numbers(const TableValues *v, int64_t at, const char *mark, Text *out) {
  for (int k = 0; k < v->width; ++k) {
    const double value = v->value[at * v->stride + (v->order ? v->order[k] : k)];
    text_add(out, " %13.6E", value);
  }
  text_add(out, "%s%s\n", mark ? " " : "", mark ? mark : "");
}

static void table_lines(const TableValues *v, int32_t first, int32_t n, const Line *line, Text *out) {
  for (int32_t i = 0; i < n; ++i) {
    const int32_t at = line[i].item - first;
    const char *mark = v->mark ? v->mark[at] : NULL;
    if (!v->start) {
      text_add(out, "%10lld", (long long)line[i].tag);
      table_numbers(v, at, mark, out);
      continue;
    }
    for (int64_t q = v->start[at]; q < v->start[at + 1]; ++q) {
      text_add(out, "%10lld %3d", (long long)line[i].tag, (int)(q - v->start[at] + 1));
      table_numbers(v, q, mark, out);
    }
  }
}

/* In the order of the lines. */
static void table_total(const TableValues *v, int32_t first, int32_t n, const Line *line, Text *out) {
  const double *from = v->summed ? v->summed : v->value;
  text_add(out, "      ");
  for (int k = 0; k < v->width; ++k) {
    double sum = 0;
    for (int32_t i = 0; i < n; ++i) sum += from[(int64_t)(line[i].item - first) * v->stride + k];
    text_add(out, " %13.6E", sum);
  }
  text_add(out, "\n");
}

Status table_add(const Run *run, const Setup *setup, int32_t i, double time, const TableValues *values, Text *out) {
  const Group *on = setup->table[i];
  const bool cells = values->start || values->cells;
  const int32_t first = cells ? setup_first_solved(run->mesh) : 0, total = case_table(run->c, i)->total.value;
  const NumberValue *own = &case_table(run->c, i)->time;
  Line *line = NULL;
  int32_t n = 0;
  if (place_given(own->place)) time = own->value;
  Status status = (cells ? group_elements : group_nodes)(run->mesh, on, &line, &n);
  if (status == OK) {
    qsort(line, (size_t)n, sizeof *line, by_tag);
    if (total != TOTAL_ONLY) {
      table_head(values->head, on->name, time, out);
      table_lines(values, first, n, line, out);
    }
    if (total != TOTAL_NONE) {
      table_head(values->total, on->name, time, out);
      table_total(values, first, n, line, out);
    }
    status = out->status;
  }
  FREE(line);
  return status;
}

static Status tables_path(const Run *run, Text *out) {
  text_add(out, "%s/", run->params->folder);
  report_tables_name(run->c, out);
  return out->status;
}

Status tables_open(const Run *run, TextFile *file, Text *text) {
  Text path = {0};
  if (run->c->output.tables.n == 0) return OK;
  TRY(tables_path(run, &path));
  text_file_begin(file, path.data);
  return run->receipt ? text_file_continue(file, run->receipt, run->n_receipt, text) : OK;
}

Status tables_save(const Run *run, const Text *text) {
  Text file = {0};
  if (run->c->output.tables.n == 0) return OK;
  Status status = tables_path(run, &file);
  if (status == OK) status = text_save(text, file.data, false);
  text_release(&file);
  return status;
}
