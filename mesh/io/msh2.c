/* $Nodes and $Elements of .msh format 2.2, text and binary (Gmsh reference manual, "MSH file format version 2"). */
#include "mesh/io/msh_raw.h"

#include <stdlib.h>

enum { MAX_TAGS = 4096 };

Status msh2_nodes(TextSource *source, MshRaw *raw) {
  int64_t n;
  const int64_t at = source_here(source);
  TRY(source_text_int(source, "the number of nodes", &n));
  if (source->binary) source_next_line(source);
  TRY(source_check_count(source, at, "the number of nodes", n, source_least_bytes(source, 1, 0, 3)));
  TRY(msh_raw_nodes(raw, n));
  for (int64_t i = 0; i < n; ++i) {
    TRY(msh_raw_node_tag(raw, source, i, false));
    TRY(msh_raw_node_x(raw, source, i));
  }
  return msh_raw_check_nodes(raw, source);
}

/* `type` and number of tags say what follows: in text they stand in each line, in binary before a run of elements. */
typedef struct Run {
  int64_t gmsh_type, n_tag;
  const ElementType *type; /* NULL: unsupported */
  int32_t n_node;
} Run;

static Status begin_run(TextSource *source, MshRaw *raw, int64_t at, int64_t n, Run *run) {
  if (run->n_tag < 0 || run->n_tag > MAX_TAGS)
    return source_fail(source, at, "an element has %lld tags, must be 0 to %d; the file is damaged",
                       (long long)run->n_tag, MAX_TAGS);
  run->type = msh_raw_type(raw, run->gmsh_type, &run->n_node);
  if (!run->type) return msh_raw_unsupported(raw, source, at, run->gmsh_type, n, &run->n_node);
  return msh_raw_reserve(raw, run->type->kind, (int32_t)n);
}

/* The tags and nodes of one element; in text, type and tag count were read before. */
static Status rest_of_element(TextSource *source, MshRaw *raw, const Run *run, int64_t number, int64_t at) {
  int64_t physical = 0, other, tag[ELEMENT_MAX_NODES];
  for (int64_t t = 0; t < run->n_tag; ++t)
    TRY(source_int(source, t ? "an element tag" : "the physical group of an element", t ? &other : &physical));
  physical = llabs(physical); /* a minus sign only says that the orientation was turned */
  if (physical > INT32_MAX)
    return source_fail(source, at, "element %lld is in physical group %lld, at most %d is supported", (long long)number,
                       (long long)physical, INT32_MAX);
  for (int32_t a = 0; a < run->n_node; ++a)
    TRY(source_int(source, "a node of an element", run->type ? &tag[a] : &other));
  if (!run->type) return OK;
  if (physical) TRY(msh_raw_group(raw, run->type->dim, (int32_t)physical, NULL, 0));
  msh_raw_element(raw, run->type->kind, number, (int32_t)physical, tag, at);
  return OK;
}

static Status text_elements(TextSource *source, MshRaw *raw, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    Run run;
    int64_t number;
    TRY(source_text_int(source, "an element number", &number));
    const int64_t at = source_here(source);
    TRY(source_text_int(source, "the type of an element", &run.gmsh_type));
    TRY(source_text_int(source, "the number of tags of an element", &run.n_tag));
    TRY(begin_run(source, raw, at, 1, &run));
    if (!run.type) { /* each element has its line */
      source_next_line(source);
      continue;
    }
    TRY(rest_of_element(source, raw, &run, number, at));
  }
  return OK;
}

static Status binary_elements(TextSource *source, MshRaw *raw, int64_t n) {
  for (int64_t done = 0, follow; done < n; done += follow) {
    Run run;
    const int64_t start = source_here(source);
    TRY(source_int(source, "the type of a run of elements", &run.gmsh_type));
    TRY(source_int(source, "the length of a run of elements", &follow));
    TRY(source_int(source, "the number of tags of a run of elements", &run.n_tag));
    if (follow <= 0 || follow > n - done)
      return source_fail(source, start, "a run of %lld elements where %lld of %lld are left; the file is damaged",
                         (long long)follow, (long long)(n - done), (long long)n);
    TRY(source_check_count(source, start, "the length of a run of elements", follow, 8));
    TRY(begin_run(source, raw, start, follow, &run));
    if (!run.n_node) return msh_raw_check_elements(raw, source); /* fails: where the next run starts is unknown */
    for (int64_t i = 0; i < follow; ++i) {
      const int64_t at = source_here(source);
      int64_t number;
      TRY(source_int(source, "an element number", &number));
      TRY(rest_of_element(source, raw, &run, number, at));
    }
  }
  return OK;
}

Status msh2_elements(TextSource *source, MshRaw *raw) {
  int64_t n;
  const int64_t at = source_here(source);
  TRY(source_text_int(source, "the number of elements", &n));
  if (source->binary) source_next_line(source);
  TRY(source_check_count(source, at, "the number of elements", n, source_least_bytes(source, 2, 0, 0)));
  raw->has_elements = true;
  raw->elements_at = at;
  TRY(source->binary ? binary_elements(source, raw, n) : text_elements(source, raw, n));
  return msh_raw_check_elements(raw, source);
}
