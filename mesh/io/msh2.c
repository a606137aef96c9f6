/* $Nodes and $Elements of .msh format 2.2, text and binary (Gmsh reference manual, "MSH file format version 2"). */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/msh_raw.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TAGS = 4096 };

static Status read_nodes(TextSource *source, void *context, int64_t begin, int64_t end, MshNotes *notes) {
  MshRaw *raw = context;
  for (int64_t i = begin; i < end; ++i) {
    TRY(msh_raw_node_tag(raw, source, i, false));
    TRY(msh_raw_node_x(raw, source, i, notes));
  }
  return OK;
}

Status msh2_nodes(TextSource *source, MshRaw *raw) {
  int64_t n;
  const int64_t at = source_here(source);
  TRY(source_text_int(source, "the number of nodes", &n));
  if (source->binary) source_next_line(source);
  TRY(source_check_count(source, at, "the number of nodes", n, source_least_bytes(source, 1, 0, 3)));
  TRY(msh_raw_nodes(raw, n));
  TRY(msh_items_read(raw, source, n, 4 + 3 * 8, read_nodes, raw));
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
  return run->type ? OK : msh_raw_unsupported(raw, source, at, run->gmsh_type, n, &run->n_node);
}

/* Groups are made later: here those of elements that follow each other in one group are noted once. */
static void note_group(MshNotes *notes, int32_t dim, int32_t number) {
  int32_t g = notes->n_group < MSH_PART_GROUPS ? notes->n_group : MSH_PART_GROUPS;
  while (g > 0 && (notes->group[g - 1].number != number || notes->group[g - 1].dim != dim)) --g;
  if (g > 0 || notes->n_group > MSH_PART_GROUPS) return;
  if (notes->n_group < MSH_PART_GROUPS) {
    notes->group[notes->n_group].dim = dim;
    notes->group[notes->n_group].number = number;
  }
  ++notes->n_group;
}

/* Room for groups is made between elements where one thread reads: the notes are then those of the whole file. */
static Status keep_groups(MshRaw *raw, MshNotes *notes) {
  if (notes != &raw->notes) return OK;
  for (int32_t g = 0; g < notes->n_group; ++g)
    TRY(msh_raw_group(raw, notes->group[g].dim, notes->group[g].number, NULL, 0));
  notes->n_group = 0;
  return OK;
}

/* The tags and nodes of one element; in text, type and tag count were read before. */
static Status rest_of_element(TextSource *source, MshRaw *raw, const Run *run, MshElement *element, MshNotes *notes) {
  int64_t physical = 0, other, tag[ELEMENT_MAX_NODES];
  for (int64_t t = 0; t < run->n_tag; ++t)
    TRY(source_int(source, t ? "an element tag" : "the physical group of an element", t ? &other : &physical));
  physical = llabs(physical); /* a minus sign only says that the orientation was turned */
  if (physical > INT32_MAX)
    return source_fail(source, element->at, "element %lld is in physical group %lld, at most %d is supported",
                       (long long)element->tag, (long long)physical, INT32_MAX);
  for (int32_t a = 0; a < run->n_node; ++a)
    TRY(source_int(source, "a node of an element", run->type ? &tag[a] : &other));
  if (!run->type) return OK;
  if (physical) note_group(notes, run->type->dim, (int32_t)physical);
  element->kind = run->type->kind;
  element->owner = (int32_t)physical;
  msh_raw_element(raw, element, tag, notes);
  return keep_groups(raw, notes);
}

static Status text_elements(TextSource *source, MshRaw *raw, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    Run run;
    MshElement element = {.i = 0};
    TRY(source_text_int(source, "an element number", &element.tag));
    element.at = source_here(source);
    TRY(source_text_int(source, "the type of an element", &run.gmsh_type));
    TRY(source_text_int(source, "the number of tags of an element", &run.n_tag));
    TRY(begin_run(source, raw, element.at, 1, &run));
    if (!run.type) { /* each element has its line */
      source_next_line(source);
      continue;
    }
    TRY(msh_raw_reserve(raw, run.type->kind, 1));
    element.i = raw->list[run.type->kind].n;
    TRY(rest_of_element(source, raw, &run, &element, &raw->notes));
    ++raw->list[run.type->kind].n;
  }
  return OK;
}

/* ---- text by all threads: first the kinds in each part, then the elements ---- */
typedef struct LineItems {
  MshRaw *raw;
  int64_t n;
  MshParts *parts;
  int32_t (*place)[N_ELEMENT_KINDS]; /* owned, [n parts + 1]: where a part puts the first of each kind */
} LineItems;

/* Number, type and number of tags; ERR_MESH where one thread must look. */
static Status read_line_head(TextSource *source, MshElement *element, Run *run) {
  TRY(source_text_int(source, "an element number", &element->tag));
  element->at = source_here(source);
  TRY(source_text_int(source, "the type of an element", &run->gmsh_type));
  TRY(source_text_int(source, "the number of tags of an element", &run->n_tag));
  run->type = run->gmsh_type > 0 && run->gmsh_type < 1000 ? element_by_gmsh((int32_t)run->gmsh_type) : NULL;
  if (!run->type || run->n_tag < 0 || run->n_tag > MAX_TAGS) return ERR_MESH;
  run->n_node = run->type->n_node;
  return OK;
}

static Status count_kinds(TextSource *source, void *context, int64_t begin, int64_t end, MshNotes *notes) {
  (void)context;
  for (int64_t i = begin; i < end; ++i) {
    MshElement element;
    Run run;
    TRY(read_line_head(source, &element, &run));
    ++notes->count[run.type->kind];
    source_next_line(source);
  }
  return OK;
}

static Status read_lines(TextSource *source, void *context, int64_t begin, int64_t end, MshNotes *notes) {
  LineItems *items = context;
  const int64_t part = notes - items->parts->notes;
  int32_t next[N_ELEMENT_KINDS];
  memcpy(next, items->place[part], sizeof next);
  for (int64_t i = begin; i < end; ++i) {
    MshElement element;
    Run run;
    TRY(read_line_head(source, &element, &run));
    element.i = next[run.type->kind]++;
    if (element.i >= items->place[part + 1][run.type->kind]) return ERR_MESH; /* elements do not have a line each */
    TRY(rest_of_element(source, items->raw, &run, &element, notes));
  }
  return OK;
}

/* Where each part puts its elements, and room for all. */
static Status place_kinds(LineItems *items) {
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    int64_t sum = 0;
    for (int p = 0; p <= items->parts->n; ++p) {
      items->place[p][kind] = (int32_t)sum;
      if (p < items->parts->n) sum += items->parts->notes[p].count[kind];
    }
    if (sum) TRY(msh_raw_reserve(items->raw, (ElementKind)kind, (int32_t)sum));
  }
  return OK;
}

/* *done: false when one thread must read them. */
static Status read_lines_in_parts(TextSource *source, LineItems *items, bool *done) {
  int64_t end;
  *done = msh_parts_read(source, items->parts, items->n, count_kinds, items, &end);
  if (!*done) return OK;
  TRY(mem_alloc(items->parts->n + 1, sizeof *items->place, "kinds of elements", (void **)&items->place));
  TRY(place_kinds(items));
  *done = msh_parts_read(source, items->parts, items->n, read_lines, items, &end);
  if (!*done) return OK;
  source->at = end;
  for (int p = 0; p < items->parts->n; ++p) TRY(msh_notes_join(items->raw, &items->parts->notes[p]));
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) items->raw->list[kind].n = items->place[items->parts->n][kind];
  return OK;
}

static Status all_text_elements(TextSource *source, MshRaw *raw, int64_t n) {
  MshParts parts;
  bool done = false;
  TRY(msh_parts_create(source, n, 0, &parts));
  LineItems items = {raw, n, &parts, NULL};
  Status status = parts.n > 1 ? read_lines_in_parts(source, &items, &done) : OK;
  mem_free((void **)(void *)&items.place);
  msh_parts_destroy(&parts);
  if (status == OK && !done) status = text_elements(source, raw, n);
  return status;
}

/* ---- binary: a run of elements behind a head each; Gmsh gives each element a head of its own ---- */
typedef struct RunItems {
  MshRaw *raw;
  Run run;
  int64_t head[3]; /* of runs of one element, which all have it; else [1] is more */
  int32_t first;
} RunItems;

static Status read_run_head(TextSource *source, int64_t head[3]) {
  TRY(source_int(source, "the type of a run of elements", &head[0]));
  TRY(source_int(source, "the length of a run of elements", &head[1]));
  return source_int(source, "the number of tags of a run of elements", &head[2]);
}

/* Runs of one element each: all but the first with their heads, which the caller knows to be equal. */
static Status read_run(TextSource *source, void *context, int64_t begin, int64_t end, MshNotes *notes) {
  RunItems *items = context;
  for (int64_t i = begin; i < end; ++i) {
    int64_t head[3];
    if (items->head[1] == 1) TRY(read_run_head(source, head));
    MshElement element = {.i = items->first + (int32_t)i};
    element.at = source_here(source);
    TRY(source_int(source, "an element number", &element.tag));
    TRY(rest_of_element(source, items->raw, &items->run, &element, notes));
  }
  return OK;
}

static int64_t run_bytes(const RunItems *items) {
  return 4 * ((items->head[1] == 1 ? 3 : 0) + 1 + items->run.n_tag + items->run.n_node);
}

/* How many of the next n runs, from the one at `at` on, are of one element and of the same kind. */
static int64_t equal_runs(const TextSource *source, const RunItems *items, int64_t at, int64_t n) {
  const int64_t bytes = run_bytes(items);
  int64_t first = n < (source->size - at) / bytes ? n : (source->size - at) / bytes;
  for (int64_t from = 1, size = 1 << 10; from < first; from += size, size *= 2) { /* it may end soon */
    const int64_t to = from + size < first ? from + size : first;
#pragma omp parallel for schedule(static) reduction(min : first) if (size > PART_WORTH)
    for (int64_t i = from; i < to; ++i)
      if (memcmp(source->bytes + at + i * bytes, source->bytes + at, 12) != 0 && i < first) first = i;
  }
  return first;
}

static Status binary_elements(TextSource *source, MshRaw *raw, int64_t n) {
  for (int64_t done = 0, follow; done < n; done += follow) {
    RunItems items = {.raw = raw};
    const int64_t start = source_here(source);
    TRY(read_run_head(source, items.head));
    follow = items.head[1];
    items.run.gmsh_type = items.head[0], items.run.n_tag = items.head[2];
    if (follow <= 0 || follow > n - done)
      return source_fail(source, start, "a run of %lld elements where %lld of %lld are left; the file is damaged",
                         (long long)follow, (long long)(n - done), (long long)n);
    TRY(source_check_count(source, start, "the length of a run of elements", follow, 8));
    TRY(begin_run(source, raw, start, follow, &items.run));
    if (!items.run.n_node) return msh_raw_check_elements(raw, source); /* fails: where the next run starts is unknown */
    const ElementType *type = items.run.type;
    if (follow == 1) {
      const int64_t equal = type ? equal_runs(source, &items, start, n - done) : 1;
      follow = equal > 1 ? equal : 1;
      source->at = start;
    }
    if (type) TRY(msh_raw_reserve(raw, type->kind, (int32_t)follow));
    items.first = type ? raw->list[type->kind].n : 0;
    TRY(msh_items_read(raw, source, follow, run_bytes(&items), read_run, &items));
    if (type) raw->list[type->kind].n += (int32_t)follow;
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
  TRY(source->binary ? binary_elements(source, raw, n) : all_text_elements(source, raw, n));
  return msh_raw_check_elements(raw, source);
}
