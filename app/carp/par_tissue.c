/* Regions: tags of the mesh become entries of 'tissue:', by their conductivities and cells, and what is around them. */
#include "app/carp/par.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSIDE, OUTSIDE, EIKONAL }; /* ptype of a phys_region */
static const double PER_MM = 1e3;  /* of a number per micrometre */

typedef struct ParRegion {
  int64_t tag;
  int conductivity, cells; /* which gregion, which imp_region */
  bool inside, written;
} ParRegion;

typedef struct ParRegions {
  int32_t n;
  ParRegion *item; /* owned */
} ParRegions;

static Status regions_of_mesh(const Mesh *mesh, ParRegions *out) {
  ALLOC(out->item, mesh->n_group, "regions of a mesh");
  for (int32_t i = 0; i < mesh->n_group; ++i) {
    char *end;
    const Group *group = &mesh->group[i];
    const int64_t tag = strtoll(group->name, &end, 10);
    if (group->dim == mesh->dim && end != group->name && !*end)
      out->item[out->n++] = (ParRegion){.tag = tag, .inside = true};
  }
  return OK;
}

static ParRegion *region_named(ParRegions *regions, int64_t tag) {
  for (int32_t i = 0; i < regions->n; ++i)
    if (regions->item[i].tag == tag) return &regions->item[i];
  return NULL;
}

typedef void (*RegionMark)(ParRegion *region, int k);
static void mark_inside(ParRegion *region, int k) {
  (void)k;
  region->inside = true;
}
static void mark_conductivity(ParRegion *region, int k) { region->conductivity = k; }
static void mark_cells(ParRegion *region, int k) { region->cells = k; }

/* Marks the tags of array[k], which the mesh should have. */
static void mark_tags(Par *par, ParRegions *regions, const char *array, int k, RegionMark mark) {
  ParTags *tags = &par->tags;
  char name[PAR_NAME];
  snprintf(name, sizeof name, "%s[%d]", array, k);
  par_tags(par, name, tags);
  for (int32_t i = 0; i < tags->n; ++i) {
    ParRegion *region = region_named(regions, tags->tag[i]);
    if (region) mark(region, k);
    else par_leave(par, NULL, "%s has tag %lld, which no element has", name, (long long)tags->tag[i]);
  }
}

static void mark_domains(Par *par, ParRegions *regions) {
  const int n = par_count(par, "num_phys_regions", "phys_region", 0);
  bool any = false;
  for (int k = 0; k < n; ++k) {
    const int type = par_integer(par, INSIDE, "phys_region[%d].ptype", k);
    par_find(par, "phys_region[%d].name", k);
    if (type != INSIDE && type != OUTSIDE) {
      const ParLine *line = par_find(par, "phys_region[%d].ptype", k);
      if (type == EIKONAL)
        par_refuse(par, line, "is %d, fronts of given velocities: a case with 'physics: eikonal' has them", type);
      else par_leave(par, line, "is %d, which is no electric domain", type);
      any |= type == EIKONAL;
      continue;
    }
    if (type != INSIDE) {
      char name[PAR_NAME];
      snprintf(name, sizeof name, "phys_region[%d]", k);
      par_tags(par, name, &par->tags); /* not used: all that is not inside is outside */
      continue;
    }
    for (int32_t i = 0; i < regions->n && !any; ++i) regions->item[i].inside = false;
    any = true;
    mark_tags(par, regions, "phys_region", k, mark_inside);
    for (int32_t i = 0; i < regions->n && par->tags.n == 0; ++i)
      regions->item[i].inside = true; /* no tags: the whole mesh */
  }
  if (n > 0 && !any) par_refuse(par, NULL, "no phys_region is intracellular (ptype 0): there would be no tissue");
}

static void add_list(Text *text, const ParRegions *regions, bool (*in)(const ParRegion *, const ParRegion *),
                     const ParRegion *like) {
  int n = 0;
  for (int32_t i = 0; i < regions->n; ++i)
    if (in(&regions->item[i], like)) text_add(text, "%s%lld", n++ ? ", " : "[", (long long)regions->item[i].tag);
  text_add(text, "]");
}

static bool same_tissue(const ParRegion *a, const ParRegion *b) {
  return a->inside && a->conductivity == b->conductivity && a->cells == b->cells;
}
static bool same_bath(const ParRegion *a, const ParRegion *b) {
  return !a->inside && a->conductivity == b->conductivity;
}
static bool is_outside(const ParRegion *a, const ParRegion *b) {
  (void)b;
  return !a->inside;
}

/* Along the fibres, across, normal: of one region, inside or outside of the cells, S/m. */
static void conductivities(Par *par, int k, char side, double out[3]) {
  static const double usual[2][3] = {{0.174, 0.019, 0.019}, {0.625, 0.236, 0.236}};
  const double *initial = usual[side == 'e'];
  const double factor = par_number(par, 1, "gregion[%d].g_mult", k);
  static const char axis[] = "ltn";
  for (int a = 0; a < 3; ++a) {
    out[a] = factor * par_number(par, initial[a], "gregion[%d].g_%c%c", k, side, axis[a]);
    if (!(out[a] > 0)) par_refuse(par, par_find(par, "gregion[%d].g_%c%c", k, side, axis[a]), "must be > 0");
  }
}

/* The monodomain has the conductivity inside of the cells alone, as if what is around them conducted at will. */
static bool inside_alone(Par *par) {
  return par_integer(par, 0, "bidomain") == 0 && par_integer(par, 1, "bidm_eqv_mono") == 0;
}

static void add_axes(Text *text, const char *key, const double value[3], int n) {
  text_add(text, "%s: ", key);
  for (int a = 0; a < n; ++a) text_add(text, "%s%.10g", a ? ", " : n > 1 ? "[" : "", value[a]);
  if (n > 1) text_add(text, "]");
}

/* mm2/ms of conductivities in S/m. */
static void add_diffusivity(Par *par, int k, double in[3], int n, double surface) {
  static const double CAPACITANCE = 0.01; /* uF/mm2 */
  static const char *const key[] = {"along", ", across", ", normal"};
  for (int a = 0; a < 3; ++a) in[a] /= surface * CAPACITANCE;
  text_add(par->text, "    diffusivity: %s", n > 1 ? "{" : "");
  for (int a = 0; a < n && n > 1; ++a) add_axes(par->text, key[a], in + a, 1);
  if (n > 1) text_add(par->text, "}");
  else text_add(par->text, "%.10g", in[0]);
  text_add(par->text, "     # gregion[%d]: of g_i alone, since bidm_eqv_mono = 0; mm2/ms\n", k);
}

static void add_conductivity(Par *par, const ParRegion *region) {
  const int k = region->conductivity;
  const bool alone = inside_alone(par);
  double in[3], out[3];
  const bool fiber = mesh_field(par->mesh, "fiber", false), sheet = mesh_field(par->mesh, "sheet", false);
  const double surface = PER_MM * par_number(par, 0.14, "imp_region[%d].cellSurfVolRatio", region->cells);
  conductivities(par, k, 'i', in);
  conductivities(par, k, alone ? 'i' : 'e', out);
  par_find(par, "gregion[%d].name", k);
  const bool turned = fabs(in[0] - in[1]) > 0 || fabs(out[0] - out[1]) > 0;
  const bool three = fabs(in[1] - in[2]) > 0 || fabs(out[1] - out[2]) > 0;
  if ((turned || three) && !fiber)
    par_refuse(par, NULL, "conductivities differ along and across the fibres, and the mesh has no .lon");
  if (three && !sheet)
    par_leave(par, NULL,
              "gregion[%d]: g_in and g_en belong to sheets, which the .lon does not have; g_it and g_et are taken", k);
  const int n = three && sheet ? 3 : turned ? 2 : 1;
  if (alone) {
    add_diffusivity(par, k, in, n, surface);
  } else {
    text_add(par->text, "    conductivity: {");
    add_axes(par->text, "intra", in, n);
    add_axes(par->text, ", extra", out, n);
    text_add(par->text, ", surface-to-volume: %.10g}", surface);
    text_add(par->text, "     # gregion[%d]: S/m; 1/mm\n", k);
  }
  if (n > 1) text_add(par->text, "    fibers: {field: fiber}\n");
  if (n > 2) text_add(par->text, "    sheets: {field: sheet}\n");
}

static Status add_tissue(Par *par, ParRegions *regions) {
  text_add(par->text, "tissue:\n");
  for (int32_t i = 0; i < regions->n; ++i) {
    ParRegion *region = &regions->item[i];
    if (!region->inside || region->written) continue;
    text_add(par->text, "  - on: ");
    add_list(par->text, regions, same_tissue, region);
    text_add(par->text, "\n");
    for (int32_t j = i; j < regions->n; ++j)
      if (same_tissue(&regions->item[j], region)) regions->item[j].written = true;
    TRY(par_cells(par, region->cells));
    add_conductivity(par, region);
  }
  return OK;
}

/* How many elements of what shares a bath's entry have fibres: openCARP has all zeros where there are none. */
typedef struct ParFibers {
  int64_t with, without;
} ParFibers;
static ParFibers fibers_around(const Par *par, const ParRegions *regions, const ParRegion *like) {
  const MeshField *fiber = mesh_field(par->mesh, "fiber", false);
  ParFibers out = {0};
  for (int32_t g = 0; g < par->mesh->n_group; ++g) {
    const Group *group = &par->mesh->group[g];
    char *end;
    const ParRegion *region = region_named((ParRegions *)regions, strtoll(group->name, &end, 10));
    if (group->dim != par->mesh->dim || *end || !region || !same_bath(region, like)) continue;
    for (int32_t i = 0; i < group->n; ++i) {
      const double *a = fiber ? fiber->value + 3 * (int64_t)group->element[i] : NULL;
      const bool there = a && (fabs(a[0]) > 0 || fabs(a[1]) > 0 || fabs(a[2]) > 0);
      out.with += there, out.without += !there;
    }
  }
  return out;
}

/* A bath with conductivities of its own outside of the cells, as skeletal muscle, has them along and across its fibres: *n 2 or 3; else one
 * in all directions. */
static void conductivity_around(Par *par, const ParRegions *regions, const ParRegion *region, double out[3], int *n) {
  const int k = region->conductivity;
  char given[PAR_NAME];
  bool tissue = false;
  snprintf(given, sizeof given, "gregion[%d].g_e", k);
  for (int32_t i = 0; i < regions->n; ++i)
    tissue = tissue || (regions->item[i].inside && regions->item[i].conductivity == k);
  *n = 1;
  if (!tissue && par_any(par, given)) {
    const ParFibers fibers = fibers_around(par, regions, region);
    if (fibers.with > 0 && fibers.without > 0)
      par_refuse(
          par, NULL,
          "gregion[%d] is of a bath with g_el and g_et, which has fibres in %lld elements and none in %lld: give "
          "the latter a gregion of their own",
          k, (long long)fibers.with, (long long)fibers.without);
    if (fibers.with > 0) {
      conductivities(par, k, 'e', out);
      const bool sheet = mesh_field(par->mesh, "sheet", false), three = fabs(out[1] - out[2]) > 0;
      const ParLine *other = par_find(par, "gregion[%d].g_bath", k);
      *n = three && sheet ? 3 : 2;
      if (three && !sheet)
        par_leave(par, NULL, "gregion[%d]: g_en belongs to sheets, which the .lon does not have; g_et is taken", k);
      if (other) par_leave(par, other, "the bath has fibres: g_el and g_et are taken");
      return;
    }
    par_leave(par, NULL, "gregion[%d] is of a bath without fibres: g_bath is taken, not g_el, g_et and g_en", k);
  }
  out[0] = par_number(par, 1, "gregion[%d].g_bath", k) * par_number(par, 1, "gregion[%d].g_mult", k);
}

static void add_bath(Par *par, const ParRegions *regions, const ParRegion *region) {
  double value[3];
  int n;
  conductivity_around(par, regions, region, value, &n);
  text_add(par->text, "  - {on: ");
  add_list(par->text, regions, same_bath, region);
  text_add(par->text, ", ");
  add_axes(par->text, "conductivity", value, n);
  text_add(par->text, "%s%s}     # gregion[%d]\n", n > 1 ? ", fibers: {field: fiber}" : "",
           n > 2 ? ", sheets: {field: sheet}" : "", region->conductivity);
}

/* What has no cells: a conductor around the heart where the potential outside of the cells is solved for, else not there. */
static void add_outside(Par *par, ParRegions *regions) {
  const int model = par_integer(par, 0, "bidomain");
  int n = 0;
  for (int32_t i = 0; i < regions->n; ++i) n += !regions->item[i].inside;
  if (n == 0) return;
  if (model == 0) {
    text_add(par->text, "without: ");
    add_list(par->text, regions, is_outside, NULL);
    text_add(par->text, "     # no intracellular domain\n");
    return;
  }
  text_add(par->text, model == 1 ? "bath:\n" : "torso:\n");
  for (int32_t i = 0; i < regions->n; ++i) {
    ParRegion *region = &regions->item[i];
    if (region->inside || region->written) continue;
    add_bath(par, regions, region);
    for (int32_t j = i; j < regions->n; ++j)
      if (same_bath(&regions->item[j], region)) regions->item[j].written = true;
  }
}

static void keep_bare(Par *par, const ParRegions *regions) {
  for (int32_t i = 0; i < regions->n && par->bare.n < PAR_TAGS_MOST; ++i)
    if (!regions->item[i].inside) par->bare.tag[par->bare.n++] = regions->item[i].tag;
}

/* Of a region's group. */
static bool is_bare(const Par *par, const Group *group) {
  char *end;
  const int64_t tag = strtoll(group->name, &end, 10);
  bool bare = false;
  for (int32_t k = 0; k < par->bare.n && !*end; ++k) bare |= par->bare.tag[k] == tag;
  return bare && group->dim == par->mesh->dim;
}

static Status mark_bare(Par *par) {
  ALLOC(par->no_cells, par->mesh->n_element, "elements without cells");
  for (int32_t g = 0; g < par->mesh->n_group; ++g) {
    const Group *group = &par->mesh->group[g];
    const int32_t n = is_bare(par, group) ? group->n : 0;
    for (int32_t i = 0; i < n; ++i) par->no_cells[group->element[i]] = 1;
  }
  return OK;
}

Status par_locate(const Par *par, const double x[3], ParPlace *out) {
  Location at;
  TRY(mesh_locate(par->mesh, x, &at));
  *out = at.element < 0 ? PAR_NOWHERE : par->no_cells[at.element] ? PAR_BARE : PAR_TISSUE;
  return OK;
}

Status par_cell_nodes(const Par *par, uint8_t **out) {
  const Mesh *mesh = par->mesh;
  ALLOC(*out, mesh->n_node, "nodes of tissue");
  for (int32_t e = 0; e < mesh->n_element; ++e) {
    const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
    for (int32_t a = 0; a < type->n_node && type->dim == mesh->dim && !par->no_cells[e]; ++a)
      (*out)[mesh_nodes_of(mesh, e)[a]] = 1;
  }
  return OK;
}

Status par_tissue(Par *par) {
  ParRegions regions = {0};
  const int n_conductivity = par_count(par, "num_gregions", "gregion", 1);
  const int n_cells = par_count(par, "num_imp_regions", "imp_region", 1);
  Status status = regions_of_mesh(par->mesh, &regions);
  if (status == OK) {
    mark_domains(par, &regions);
    keep_bare(par, &regions);
    status = mark_bare(par);
  }
  if (status == OK) {
    for (int k = 0; k < n_conductivity; ++k) mark_tags(par, &regions, "gregion", k, mark_conductivity);
    for (int k = 0; k < n_cells; ++k) mark_tags(par, &regions, "imp_region", k, mark_cells);
    status = add_tissue(par, &regions);
  }
  if (status == OK) {
    add_outside(par, &regions);
    status = par_begin(par, n_cells);
  }
  FREE(regions.item);
  return status;
}
