/* Groups of an openCARP mesh: its regions, named by their tag, and the .surf and .vtx files beside it whose names begin
 * with that of the mesh: heart.epi.surf is 'epi'. */
#include "core/ascending.h"
#include "core/memory.h"
#include "mesh/io/carp.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGIONS_MOST = 1000 };

static bool name_ends(const char *name, const char *ending, size_t *n) {
  const size_t m = strlen(ending), length = strlen(name);
  *n = length > m ? length - m : 0;
  return *n && strcmp(name + *n, ending) == 0;
}

/* A file of the folder, if it is of this mesh. */
static Status note_file(CarpMesh *m, const char *folder, const char *stem, const char *name) {
  const size_t n = strlen(stem);
  size_t end;
  const bool nodes = name_ends(name, ".vtx", &end), data = !nodes && name_ends(name, ".dat", &end);
  if (!nodes && !data && !name_ends(name, ".surf", &end)) return OK;
  if (strncmp(name, stem, n) != 0 || !name[n] || !strchr("._-", name[n])) return OK;
  RESIZE(m->named, m->n_named + 1, "files of groups");
  CarpNamed *named = &m->named[m->n_named++];
  named->nodes = nodes, named->data = data;
  const size_t size = strlen(folder) + strlen(name) + 1;
  TRY(mem_alloc((int64_t)size, 1, "the name of a mesh file", (void **)&named->path));
  snprintf(named->path, size, "%s%s", folder, name);
  return end > n + 1 ? mem_text_part(name + n + 1, end - n - 1, "the name of a group", &named->name)
                     : mem_text_part(stem, n, "the name of a group", &named->name);
}

static int order_named(const void *left, const void *right) {
  const CarpNamed *a = left, *b = right;
  return strcmp(a->path, b->path);
}

static Status find_files(CarpMesh *m) {
  const char *slash = strrchr(m->base, '/'), *stem = slash ? slash + 1 : m->base;
  char *folder = NULL;
  Status status = OK;
  TRY(mem_text_part(m->base, (size_t)(stem - m->base), "the name of a group", &folder));
  DIR *listing = opendir(*folder ? folder : ".");
  for (struct dirent *entry = listing ? readdir(listing) : NULL; entry && status == OK; entry = readdir(listing))
    status = note_file(m, folder, stem, entry->d_name);
  if (listing) closedir(listing);
  FREE(folder);
  if (m->n_named && status == OK) qsort(m->named, (size_t)m->n_named, sizeof *m->named, order_named);
  for (int32_t i = 1; i < m->n_named && status == OK; ++i)
    for (int32_t k = 0; k < i && status == OK; ++k)
      if (m->named[i].nodes == m->named[k].nodes && m->named[i].data == m->named[k].data &&
          !strcmp(m->named[i].name, m->named[k].name))
        status = FAIL(ERR_MESH, "%s: would make a group '%s', as '%s' does; rename one of the files", m->named[i].path,
                      m->named[i].name, m->named[k].path);
  return status;
}

/* How many, a word ("intra" or "extra", which may be missing), and the nodes. */
static Status read_nodes(const CarpMesh *m, CarpFile *file, CarpNamed *named) {
  TextSource *source = &file->source;
  const int64_t n = file->n;
  if (!source_take_word(source, "extra")) source_take_word(source, "intra");
  const int64_t lines = carp_lines(source);
  if (lines != n)
    return source_fail(source, 0,
                       "says %lld points, but %lld lines follow; the file was cut or its first line is wrong",
                       (long long)n, (long long)lines);
  TRY(source_check_count(source, 0, "the number of points", n, 1));
  ALLOC(named->node, n, "nodes of a group");
  named->n = (int32_t)n;
  for (int32_t i = 0; i < named->n; ++i) {
    const int64_t at = source_here(source);
    int64_t node;
    TRY(source_text_int(source, "a point", &node));
    if (node < 0 || node >= m->deck->n_node)
      return source_fail(source, at, "point %lld, but there are %d (counted from 0)", (long long)node, m->deck->n_node);
    named->node[i] = (int32_t)node;
    source_next_line(source);
  }
  return OK;
}

Status carp_named(CarpMesh *m) {
  TRY(find_files(m));
  Status status = OK;
  for (int32_t i = 0; i < m->n_named && status == OK; ++i) {
    CarpNamed *named = &m->named[i];
    CarpFile file;
    if (named->data) continue;
    named->first = m->cells.n;
    status = carp_open_text(named->path, &file);
    if (status == OK) status = named->nodes ? read_nodes(m, &file, named) : carp_surface(m, &file);
    if (!named->nodes) named->n = m->cells.n - named->first;
    carp_close(&file);
  }
  return status;
}

static int32_t item_of(const CarpMesh *m, int32_t i) {
  return m->deck->base[carp_kind(&m->cells, i)] + m->cells.place[i];
}

/* Elements in the order of their tags: value[n], and how many have each. */
static Status region_groups(const CarpMesh *m, const int64_t *value, int32_t n, InpGroups *out) {
  int32_t *item, count[REGIONS_MOST] = {0}, next[REGIONS_MOST];
  char name[24];
  TRY(inp_groups_list(out, m->n_cell, &item));
  for (int32_t i = 0; i < m->n_cell; ++i) {
    const int64_t *at = bsearch(&m->cells.tag[i], value, (size_t)n, sizeof *value, ascending_int64);
    ++count[at - value];
  }
  for (int32_t v = 0, first = 0; v < n; first += count[v++]) {
    next[v] = first;
    snprintf(name, sizeof name, "%lld", (long long)value[v]);
    TRY(inp_groups_add(out, name, INP_ELEMENTS, count[v], item + first));
  }
  for (int32_t i = 0; i < m->n_cell; ++i) {
    const int64_t *at = bsearch(&m->cells.tag[i], value, (size_t)n, sizeof *value, ascending_int64);
    item[next[at - value]++] = item_of(m, i);
  }
  return OK;
}

static Status regions(const CarpMesh *m, InpGroups *out) {
  int64_t *value = NULL;
  int32_t n = 0;
  ALLOC(value, m->n_cell, "regions of elements");
  memcpy(value, m->cells.tag, (size_t)m->n_cell * sizeof *value);
  qsort(value, (size_t)m->n_cell, sizeof *value, ascending_int64);
  for (int32_t i = 0; i < m->n_cell; ++i)
    if (n == 0 || value[i] != value[n - 1]) value[n++] = value[i];
  const Status status =
      n > REGIONS_MOST
          ? FAIL(ERR_MESH, "%s: has %d regions, the most are %d; is the last number of its lines a region?",
                 m->elements, n, REGIONS_MOST)
          : region_groups(m, value, n, out);
  FREE(value);
  return status;
}

Status carp_groups(const CarpMesh *m, InpGroups *out) {
  TRY(regions(m, out));
  for (int32_t i = 0; i < m->n_named; ++i) {
    const CarpNamed *named = &m->named[i];
    int32_t *item = NULL;
    if (named->data) continue;
    if (named->nodes) {
      TRY(inp_groups_add(out, named->name, INP_NODES, named->n, named->node));
      continue;
    }
    TRY(inp_groups_list(out, named->n, &item));
    for (int32_t k = 0; k < named->n; ++k) item[k] = item_of(m, named->first + k);
    TRY(inp_groups_add(out, named->name, INP_ELEMENTS, named->n, item));
  }
  return OK;
}
