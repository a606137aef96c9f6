/* Finding the groups that a case names, with the dimension that its use asks for. */
#include "app/setup/setup.h"
#include "mesh/id_set.h"
#include "output/wording.h"
#include "core/memory.h"
#include "core/nearest.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 256 };

const char *dimension_name(int32_t dim) {
  static const char *const names[] = {"point", "curve", "surface", "volume"};
  return dim >= 0 && dim <= 3 ? names[dim] : "?";
}

static bool is_told(const Diagnostics *diagnostics, const char *words) {
  for (int32_t i = 0; i < diagnostics->n; ++i)
    if (strstr(diagnostics->item[i].text, words)) return true;
  return false;
}

/* A mesh without any group: how its parts get names. Once is enough. */
static void no_groups(const Mesh *mesh, const TextValue *name, Diagnostics *diagnostics) {
  const char *slash = strrchr(mesh->path, '/'), *file = slash ? slash + 1 : mesh->path, *dot = strrchr(file, '.');
  const int stem = dot ? (int)(dot - file) : (int)strlen(file);
  char seen[SEEN_BYTES];
  seen_text(name->text, seen);
  if (!mesh->outline || is_told(diagnostics, "Merge \"")) {
    const bool again = mesh->outline || is_told(diagnostics, "regions: [");
    report_error(
        diagnostics, name->place, "unknown group '%s'\n  groups in %s: none%s", seen, file,
        again ? ""
              : "\n  remedy: 'regions: [{name: body, share: 1}]' under 'mesh:' names all of its elements; faces and "
                "edges get groups where the mesh is made");
    return;
  }
  static const char *const kind[] = {"Point", "Curve", "Surface", "Volume"};
  report_error(
      diagnostics, name->place,
      "unknown group '%s'\n  %s names no groups. Write a file %.*s-named.geo beside it, with numbers of the list "
      "below:\n"
      "    Merge \"%s\";\n    Physical %s(\"body\") = {1};\n    Physical %s(\"left\") = {1, 2};\n"
      "  and in the case  mesh: {file: %.*s-named.geo}; the names are yours. %s has%s",
      seen, file, stem, file, file, kind[mesh->dim & 3], kind[(mesh->dim - 1) & 3], stem, file, file, mesh->outline);
}

/* By `without:`, from this mesh or from the whole that it was cut out of. */
static bool is_left_out(const Mesh *mesh, const char *name) {
  const size_t n = strlen(name);
  for (; mesh; mesh = mesh->whole)
    for (const char *at = mesh->left_out; at && *at; at = strchr(at, '\n') + 1)
      if (strncmp(at, name, n) == 0 && at[n] == '\n') return true;
  return false;
}

static void unknown_group(const Mesh *mesh, const TextValue *name, Diagnostics *diagnostics) {
  if (is_left_out(mesh, name->text)) {
    report_error(
        diagnostics, name->place,
        "group '%s' is not part of the problem: 'without:' leaves all of its elements out\n  remedy: leave the "
        "group out here too, or take it out of 'without:'",
        name->text);
    return;
  }
  if (mesh->n_group == 0) {
    no_groups(mesh, name, diagnostics);
    return;
  }
  char groups[2048] = "", seen[SEEN_BYTES];
  const char *list[NAMES_MAX];
  int n = 0;
  for (int32_t g = 0; g < mesh->n_group && n < NAMES_MAX; ++g) list[n++] = mesh->group[g].name;
  mesh_describe_groups(mesh, groups, sizeof groups);
  const char *near = nearest_name(name->text, n, list), *slash = strrchr(mesh->path, '/');
  report_error(diagnostics, name->place, "unknown group '%s'\n  groups in %s: %s%s%s%s", seen_text(name->text, seen),
               slash ? slash + 1 : mesh->path, n ? groups : "none", near ? "\n  did you mean '" : "", near ? near : "",
               near ? "'?" : "");
}

static const Group *of_use(const Mesh *mesh, const char *name, GroupUse use) {
  if (use == ON_CELLS) return mesh_group_dim(mesh, name, mesh->dim);
  if (use == ON_FACETS) return mesh_group_dim(mesh, name, mesh->dim - 1);
  for (int32_t dim = mesh->dim - 1; dim >= 0; --dim)
    if (mesh_group_dim(mesh, name, dim)) return mesh_group_dim(mesh, name, dim);
  return mesh_group_dim(mesh, name, mesh->dim);
}

static const Group *find_group(const Mesh *mesh, const TextValue *name, GroupUse use, const char *what,
                               Diagnostics *diagnostics) {
  const Group *any = mesh_group(mesh, name->text), *group = of_use(mesh, name->text, use);
  char count[32];
  if (!any) {
    unknown_group(mesh, name, diagnostics);
    return NULL;
  }
  if (!group) {
    const char *wanted = use == ON_CELLS ? dimension_name(mesh->dim) : dimension_name(mesh->dim - 1);
    report_error(diagnostics, name->place,
                 "%s on '%s', which is a %s group (%s elements)\n  %s needs a %s group of this mesh", what, name->text,
                 dimension_name(any->dim), count_text(any->n, count), what, wanted);
    return NULL;
  }
  if (group->n == 0) {
    report_error(diagnostics, name->place, "group '%s' is empty: it names a %s without elements", name->text,
                 dimension_name(group->dim));
    return NULL;
  }
  return group;
}

static Status fill_union(Group *joined, int32_t n, const Group *const *part) {
  int64_t total = 0;
  for (int32_t i = 0; i < n; ++i) total += part[i]->n;
  const size_t room = strlen(part[0]->name) + 32;
  ALLOC(joined->name, room, "a joined group");
  snprintf(joined->name, room, "%s and %d more", part[0]->name, (int)n - 1);
  ALLOC(joined->element, total, "a joined group");
  joined->dim = part[0]->dim, joined->number = part[0]->number;
  total = 0;
  for (int32_t i = 0; i < n; ++i) {
    memcpy(joined->element + total, part[i]->element, (size_t)part[i]->n * sizeof(int32_t));
    total += part[i]->n;
  }
  joined->n = (int32_t)total;
  return id_set_make(joined->element, &joined->n);
}

static Status setup_group_join(Setup *setup, int32_t n, const Group *const *part, const Group **out) {
  RESIZE(setup->joined, setup->n_joined + 1, "joined groups");
  Group *joined = NULL;
  ALLOC(joined, 1, "a joined group");
  setup->joined[setup->n_joined++] = joined;
  *out = joined;
  return fill_union(joined, n, part);
}

static Status find_all(Setup *setup, const Mesh *mesh, const NamesValue *on, GroupUse use, const char *what,
                       Diagnostics *diagnostics, const Group **part, const Group **out) {
  bool whole = true;
  for (int32_t i = 0; i < on->n; ++i) {
    part[i] = find_group(mesh, &on->item[i], use, what, diagnostics);
    whole &= part[i] != NULL;
    if (whole && part[i]->dim != part[0]->dim) {
      report_error(diagnostics, on->item[i].place,
                   "'%s' is a %s group and '%s' a %s group; a list has groups of one dimension", on->item[i].text,
                   dimension_name(part[i]->dim), on->item[0].text, dimension_name(part[0]->dim));
      whole = false;
    }
  }
  *out = whole && on->n ? part[0] : NULL;
  return whole && on->n > 1 ? setup_group_join(setup, on->n, part, out) : OK;
}

const Group *setup_group(Setup *setup, const Mesh *mesh, const NamesValue *on, GroupUse use, const char *what,
                         Diagnostics *diagnostics) {
  const Group **part = NULL, *out = NULL;
  Status status = mem_alloc(on->n, sizeof *part, "groups of an entry", (void **)&part);
  if (status == OK) status = find_all(setup, mesh, on, use, what, diagnostics, part, &out);
  if (status != OK) diagnostics->broken = status, out = NULL;
  mem_free((void **)(void *)&part);
  return out;
}
