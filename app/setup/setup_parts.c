/* Parts of a case that name groups, in all physics: materials and output. */
#include "app/input/case_tables.h"
#include "app/setup/setup.h"
#include "output/wording.h"
#include "core/memory.h"
#include "core/parts.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int32_t setup_first_solved(const Mesh *mesh) {
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) return mesh->block[b].first;
  return mesh->n_element;
}

static int64_t tag_of(const Mesh *mesh, int32_t e) {
  const ElementBlock *block = mesh_block_of(mesh, e);
  return block->tag[e - block->first];
}

/* Entries of `materials:`, and behind them those of `torso:`. */
static const CaseRegion *region_of(const Case *c, int32_t m) {
  const int32_t n = c->materials.n;
  return m < n ? maps_item(&c->materials, c->materials.size, m) : maps_item(&c->torso, c->torso.size, m - n);
}

/* One material on its elements; the first clash with an earlier one is reported with their number. */
static void spread_material(const Case *c, const Mesh *mesh, int32_t m, const Group *on, int32_t *element_material,
                            Diagnostics *diagnostics) {
  int32_t clashes = 0, first = INT32_MAX;
#pragma omp parallel for schedule(static) num_threads(parts_of(on->n)) reduction(+ : clashes) reduction(min : first)
  for (int32_t i = 0; i < on->n; ++i) { /* each element once, ascending: the first in the group is the lowest */
    const int32_t e = on->element[i];
    if (element_material[e] < 0) {
      element_material[e] = m;
      continue;
    }
    ++clashes;
    first = e < first ? e : first;
  }
  if (!clashes) return;
  const int32_t other = element_material[first];
  char where[512], count[32];
  report_error(diagnostics, region_of(c, m)->place,
               "%s elements of '%s' get a second %s%s, such as element %lld\n  the first one is that of %s",
               count_text(clashes, count), on->name, c->physics->region, c->torso.n ? " or part of the torso" : "",
               (long long)tag_of(mesh, first), place_text(c->path, region_of(c, other)->place, where, sizeof where));
}

static void name_groups_of(const Mesh *mesh, int32_t e, char *text, size_t size) {
  text[0] = 0;
  for (int32_t g = 0; g < mesh->n_group; ++g)
    for (int32_t i = 0; i < mesh->group[g].n; ++i) {
      if (mesh->group[g].element[i] != e) continue;
      const size_t used = strlen(text);
      snprintf(text + used, size - used, "%s'%s'", used ? ", " : "", mesh->group[g].name);
    }
}

static void find_bare_elements(const Case *c, const Mesh *mesh, const int32_t *element_material,
                               Diagnostics *diagnostics) {
  int32_t bare = 0, first = INT32_MAX;
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element)) reduction(+ : bare) reduction(min : first)
  for (int32_t e = setup_first_solved(mesh); e < mesh->n_element; ++e) {
    if (element_material[e] >= 0) continue;
    ++bare;
    first = e < first ? e : first;
  }
  if (!bare) return;
  char groups[512], count[32];
  name_groups_of(mesh, first, groups, sizeof groups);
  report_error(diagnostics, c->materials.place,
               "%s element%s no %s, such as element %lld (%s%s)\n  list a group with %s under '%s:'%s",
               count_text(bare, count), bare == 1 ? " has" : "s have", c->physics->region,
               (long long)tag_of(mesh, first), *groups ? "in " : "in no group", groups, bare == 1 ? "it" : "them",
               c->physics->regions, c->physics->instead ? c->physics->instead(c) : "");
}

/* Materials have no names of their own: the groups that an entry is on, "left, right". */
static Status name_materials(const Case *c, Setup *setup) {
  TRY(mem_alloc(c->materials.n, sizeof *setup->material_name, "names of the materials",
                (void **)(void *)&setup->material_name));
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const NamesValue *on = &region_of(c, m)->on;
    size_t room = 1;
    for (int32_t i = 0; i < on->n; ++i) room += strlen(on->item[i].text) + 2;
    char *name = NULL;
    ALLOC(name, room, "names of the materials");
    setup->material_name[setup->n_material_name++] = name;
    for (int32_t i = 0; i < on->n; ++i)
      snprintf(name + strlen(name), room - strlen(name), "%s%s", i ? ", " : "", on->item[i].text);
  }
  return OK;
}

Status setup_regions(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  const int32_t before = diagnostics->n, n_region = c->materials.n + (mesh->whole ? 0 : c->torso.n);
  ALLOC(setup->element_material, mesh->n_element, "materials of the elements");
#pragma omp parallel for schedule(static) num_threads(parts_of(mesh->n_element))
  for (int32_t e = 0; e < mesh->n_element; ++e) setup->element_material[e] = -1;
  for (int32_t m = 0; m < n_region; ++m) {
    const char *what = m < c->materials.n ? c->physics->region : place_given(c->bath.place) ? "bath" : "torso";
    const Group *on = setup_group(setup, mesh, &region_of(c, m)->on, ON_CELLS, what, diagnostics);
    if (on) spread_material(c, mesh, m, on, setup->element_material, diagnostics);
  }
  TRY(diagnostics->broken); /* a group that was not found for want of memory leaves elements without material */
  TRY(name_materials(c, setup));
  if (diagnostics->n == before) find_bare_elements(c, mesh, setup->element_material, diagnostics);
  return OK;
}

Status setup_where(const Case *c, Place place, Setup *setup, const char **out) {
  char text[1024];
  place_text(c->path, place, text, sizeof text);
  RESIZE(setup->where, setup->n_where + 1, "places of supports and loads");
  char *copy;
  TRY(mem_text(text, "places of supports and loads", &copy));
  setup->where[setup->n_where++] = copy;
  *out = copy;
  return OK;
}

/* The first n_node nodes of an element where one is nearer to a point than *best, its square. */
static void nearest_of_nodes(const Mesh *mesh, int32_t element, int32_t n_node, const double at[3], double *best,
                             Location *out) {
  for (int32_t a = 0; a < n_node; ++a) {
    const int32_t node = mesh_nodes_of(mesh, element)[a];
    double square = 0;
    for (int k = 0; k < 3; ++k) square += (mesh->x[node][k] - at[k]) * (mesh->x[node][k] - at[k]);
    if (!(square < *best)) continue;
    *best = square;
    *out = (Location){.element = element, .node = node};
  }
}

/* The node of a tree of lines that is nearest to a point. */
static void locate_on_tree(const Mesh *mesh, const char *name, const double at[3], Location *out) {
  const Group *lines = mesh_group_dim(mesh, name, 1);
  double best = HUGE_VAL;
  for (int32_t i = 0; lines && i < lines->n; ++i) nearest_of_nodes(mesh, lines->element[i], 2, at, &best, out);
}

/* What has no cells is not solved for with the tissue. */
static bool is_around(const Mesh *mesh, const double at[3]) {
  Location found = {.element = -1};
  return mesh->whole && mesh_locate(mesh->whole, at, &found) == OK && found.element >= 0;
}

static void report_outside(const CaseProbe *probe, const Mesh *mesh, const double at[3], double distance,
                           Diagnostics *diagnostics) {
  char point[96], node[96];
  double best = HUGE_VAL;
  Location near = {.node = mesh_nodes_of(mesh, setup_first_solved(mesh))[0]}; /* where no distance is a number */
  for (int32_t i = setup_first_solved(mesh); i < mesh->n_element; ++i)
    nearest_of_nodes(mesh, i, element_type(mesh_block_of(mesh, i)->kind)->n_node, at, &best, &near);
  const double *x = mesh->x[near.node];
  const char *format = probe->at.n == 3 ? "(%.10g, %.10g, %.10g)" : "(%.10g, %.10g)";
  snprintf(point, sizeof point, probe->at.n == 3 ? "(%g, %g, %g)" : "(%g, %g)", at[0], at[1], at[2]);
  snprintf(node, sizeof node, format, x[0], x[1], x[2]);
  if (is_around(mesh, at))
    report_error(
        diagnostics, probe->at.place,
        "probe '%s' at %s lies in the body around the tissue, %.6g away from that\n  remedy: a lead, 'ecg: [{name: "
        "%s, positive: [..], negative: [..]}]' under 'output:', has the potential there; in a bidomain it needs no "
        "'negative'",
        probe->name.text, point, distance, probe->name.text);
  else
    report_error(diagnostics, probe->at.place,
                 "probe '%s' at %s lies outside the mesh, %.6g away from it\n  the nearest node is %lld, at %s",
                 probe->name.text, point, distance, (long long)mesh->node_tag[near.node], node);
}

/* Half the length of an element's first edge: a point that near to a surface in space, whose elements are flatter than
 * what they stand for, is the nearest one on it. */
static double reach_of(const Mesh *mesh, int32_t element) {
  const int32_t *nodes = mesh_nodes_of(mesh, element);
  return 0.5 * sqrt(vec3_square(mesh->x[nodes[0]], mesh->x[nodes[1]]));
}

static Status setup_parts_locate(const CaseProbe *probe, const Mesh *mesh, Location *out, Diagnostics *diagnostics) {
  const double *at = probe->at.value;
  if (probe->at.n < mesh->dim + mesh->in_space) {
    report_error(diagnostics, probe->at.place, "at has %d entries; '%s' is a %s mesh%s and has 3 directions",
                 probe->at.n, mesh->path, dimension_name(mesh->dim), mesh->in_space ? " in space" : "");
    return OK;
  }
  const double height = mesh->x[mesh_nodes_of(mesh, setup_first_solved(mesh))[0]][2];
  const double point_in_space[3] = {at[0], at[1], probe->at.n == 3 ? at[2] : height};
  if (probe->on.text) {
    locate_on_tree(mesh, probe->on.text, point_in_space, out);
    return OK;
  }
  TRY(mesh_locate(mesh, point_in_space, out));
  if (out->element < 0 && mesh->in_space && out->distance <= reach_of(mesh, out->nearest)) {
    out->element = out->nearest;
    memcpy(out->xi, out->nearest_xi, sizeof out->xi);
  }
  if (out->element >= 0) return OK;
  report_outside(probe, mesh, point_in_space, out->distance, diagnostics);
  return OK;
}

Status setup_output(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ALLOC(setup->probe, c->output.probes.n, "probes");
  if (setup->like) memcpy(setup->probe, setup->like->probe, (size_t)c->output.probes.n * sizeof *setup->probe);
  for (int32_t i = 0; i < c->output.probes.n && !setup->like; ++i)
    TRY(setup_parts_locate(case_probe(c, i), mesh, &setup->probe[i], diagnostics));
  TRY(mem_alloc(c->output.sums.n, sizeof *setup->sum, "sums", (void **)(void *)&setup->sum));
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const CaseSum *sum = case_sum(c, i);
    const bool cells = c->physics->cell_sums >> sum->field.value & 1;
    setup->sum[i] = setup_group(setup, mesh, &sum->on, cells ? ON_CELLS : ON_ANY, sum->field.text, diagnostics);
  }
  TRY(mem_alloc(c->output.tables.n, sizeof *setup->table, "tables", (void **)(void *)&setup->table));
  for (int32_t i = 0; i < c->output.tables.n; ++i) {
    const CaseTable *table = case_table(c, i);
    const bool cells = c->physics->cell_tables >> table->field.value & 1;
    setup->table[i] = setup_group(setup, mesh, &table->on, cells ? ON_CELLS : ON_ANY, table->field.text, diagnostics);
  }
  return OK;
}
