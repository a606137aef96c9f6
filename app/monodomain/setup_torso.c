/* The torso and its electrodes against the mesh. */
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/layers.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where an electrode of the case is. */
typedef struct Spot {
  const VectorValue *at; /* n 0: there is none */
  char name[80];
  double x[3];
  Location where;
} Spot;

static void spot_of_lead(const Case *c, int32_t i, bool positive, Spot *spot) {
  const CaseLead *lead = case_lead(c, i);
  char seen[SEEN_BYTES];
  spot->at = positive ? &lead->positive : &lead->negative;
  snprintf(spot->name, sizeof spot->name, "the %s electrode of lead '%s'", positive ? "positive" : "negative",
           seen_text(lead->name.text, seen));
}

/* In the order of HeartSetup.electrode; their number. */
static int32_t list_spots(const Case *c, const Mesh *mesh, Spot *spot) {
  static const char *const name[ELECTRODES] = {"RA", "LA", "LL", "V1", "V2", "V3", "V4", "V5", "V6"};
  const double height = mesh->x[mesh_nodes_of(mesh, setup_first_solved(mesh))[0]][2];
  int32_t n = 0;
  for (int k = 0; place_given(c->output.electrodes.place) && k < ELECTRODES; ++k) {
    spot[n].at = &c->output.electrodes.at[k];
    snprintf(spot[n++].name, sizeof spot->name, "electrode '%s'", name[k]);
  }
  for (int32_t i = 0; i < c->output.ecg.n; ++i) {
    spot_of_lead(c, i, true, &spot[n++]);
    spot_of_lead(c, i, false, &spot[n++]);
  }
  for (int32_t k = 0; k < n; ++k)
    for (int d = 0; d < 3; ++d) spot[k].x[d] = d < spot[k].at->n ? spot[k].at->value[d] : height;
  return n;
}

static Status locate_spots(const Mesh *mesh, int32_t n, Spot *spot) {
  int bad = 0;
#pragma omp parallel for schedule(dynamic) reduction(| : bad)
  for (int32_t k = 0; k < n; ++k)
    if (spot[k].at->n) bad |= mesh_locate(mesh, spot[k].x, &spot[k].where) != OK;
  for (int32_t k = 0; k < n && bad; ++k)
    if (spot[k].at->n) TRY(mesh_locate(mesh, spot[k].x, &spot[k].where)); /* the message is this thread's */
  return OK;
}

/* The longest distance between vertices. */
static double element_size(const Mesh *mesh, int32_t e) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double most = 0;
  for (int32_t a = 0; a < type->n_vertex; ++a)
    for (int32_t b = 0; b < a; ++b) {
      const double *x = mesh->x[nodes[a]], *y = mesh->x[nodes[b]];
      const double square =
          (x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]);
      most = fmax(most, square);
    }
  return sqrt(most);
}

static void report_inside(const Case *c, const Spot *spot, int32_t tissue, Diagnostics *out) {
  report_error(out, spot->at->place,
               "%s at (%g, %g, %g) lies in the heart, in tissue '%s'\n  an electrode is outside it: %s", spot->name,
               spot->x[0], spot->x[1], spot->x[2], heart_tissue(c, tissue)->on.item[0].text,
               c->torso.n ? "in the torso or on its surface" : "in the medium around; a 'probe' looks inside");
}

/* In a medium without end: a position in another unit than the mesh shows by its distance. */
static void bind_free(const Case *c, const Mesh *mesh, const int32_t *region, const Spot *spot, Diagnostics *out) {
  const double size = mesh_size(mesh);
  if (spot->where.element >= 0) report_inside(c, spot, region[spot->where.element], out);
  else if (spot->where.distance > 100 * size)
    status_warn(
        "%s is %.4g away from the heart, which is %.4g long\n  'scale:' of the mesh and positions go by the same "
        "unit, mm",
        spot->name, spot->where.distance, size);
}

static void electrode_of(const Mesh *torso, const Location *where, Electrode *e) {
  const ElementType *type = element_type(mesh_block_of(torso, where->nearest)->kind);
  e->n = type->n_node;
  memcpy(e->node, mesh_nodes_of(torso, where->nearest), (size_t)e->n * sizeof *e->node);
  type->values(where->nearest_xi, e->share);
}

/* Of a torso: the nearest point of it, no farther than an element. */
static void bind_spot(const Case *c, const Mesh *torso, const int32_t *region, const Spot *spot, Electrode *e,
                      Diagnostics *out) {
  const int32_t at = spot->where.nearest;
  const double size = element_size(torso, at);
  if (region[at] < c->materials.n && spot->where.element >= 0) {
    report_inside(c, spot, region[at], out);
    return;
  }
  if (spot->where.distance > size)
    report_error(
        out, spot->at->place,
        "%s at (%g, %g, %g) is %.6g away from the torso, farther than an element there is long, %.3g\n  put it "
        "on the surface; the mesh ('scale:') and positions must both be in mm",
        spot->name, spot->x[0], spot->x[1], spot->x[2], spot->where.distance, size);
  electrode_of(torso, &spot->where, e);
}

Status setup_torso_regions(const Case *c, const Mesh *torso, int32_t **out) {
  Setup setup = {0};
  Diagnostics none = {.path = c->path};
  Status status = setup_regions(c, torso, &setup, &none);
  if (status == OK) status = diagnostics_status(&none);
  if (status == OK) *out = setup.element_material, setup.element_material = NULL;
  diagnostics_release(&none);
  setup_release(&setup);
  return status;
}

/* The nine electrodes closer together than they are on a chest around the heart: in cm or m. */
static void warn_close(const Case *c, const Mesh *mesh, const Spot *spot) {
  const double size = mesh->whole ? 0.25 * mesh_size(mesh->whole) : mesh_size(mesh);
  char place[1024];
  double square = 0;
  if (!place_given(c->output.electrodes.place)) return;
  for (int d = 0; d < mesh->dim + mesh->in_space; ++d) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < ELECTRODES; ++k) {
      low = fmin(low, spot[k].x[d]);
      high = fmax(high, spot[k].x[d]);
    }
    square += (high - low) * (high - low);
  }
  if (square >= size * size) return;
  status_warn(
      "%s: the electrodes lie within %.3g mm, and the %s is %.4g mm long: they are nearer to each other than on a "
      "chest\n  remedy: positions in mm, as the mesh",
      place_text(c->path, c->output.electrodes.place, place, sizeof place), sqrt(square),
      mesh->whole ? "torso" : "heart", mesh_size(mesh->whole ? mesh->whole : mesh));
}

static Status bind_spots(const Case *c, const Mesh *mesh, int32_t n, Spot *spot, Setup *setup, Diagnostics *out) {
  HeartSetup *own = heart_setup(setup);
  const Mesh *torso = mesh->whole;
  if (torso) TRY(setup_torso_regions(c, torso, &own->torso));
  const Location *known = setup->like ? heart_setup(setup->like)->spot : NULL;
  for (int32_t k = 0; k < n && known; ++k) spot[k].where = known[k];
  if (!known) TRY(locate_spots(torso ? torso : mesh, n, spot));
  if (!torso) ALLOC(own->spot, n, "electrodes");
  for (int32_t k = 0; k < n && !torso; ++k) own->spot[k] = spot[k].where;
  if (torso) ALLOC(own->electrode, n, "electrodes");
  own->n_electrode = torso ? n : 0, own->n_lead = torso ? case_leads(c) : 0;
  warn_close(c, mesh, spot);
  for (int32_t k = 0; k < n; ++k) {
    if (!spot[k].at->n) continue;
    if (mesh->dim + mesh->in_space == 3 && spot[k].at->n < 3)
      report_error(out, spot[k].at->place, "%s has %d entries; '%s' is a %s mesh%s and has 3 directions", spot[k].name,
                   spot[k].at->n, mesh->path, dimension_name(mesh->dim), mesh->in_space ? " in space" : "");
    else if (torso) bind_spot(c, torso, own->torso, &spot[k], &own->electrode[k], out);
    else bind_free(c, mesh, setup->element_material, &spot[k], out);
  }
  return OK;
}

Status setup_torso(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out) {
  const int32_t before = out->n;
  Spot *spot = NULL;
  bool one;
  TRY(layers_one_piece(mesh, heart_setup(setup), &one));
  if (case_has_extracellular(c) && !mesh->whole && !one)
    TRY(setup_one_piece(mesh,
                        "the field 'extracellular' is known only up to a constant in each of them: run them in cases "
                        "of their own"));
  if (mesh->whole) TRY(conductors_bind(c, mesh->whole, out));
  if (out->n > before || setup_first_solved(mesh) >= mesh->n_element) return OK;
  ALLOC(spot, ELECTRODES + 2 * (int64_t)c->output.ecg.n, "electrodes");
  const int32_t n = list_spots(c, mesh, spot);
  const Status status = n || mesh->whole ? bind_spots(c, mesh, n, spot, setup, out) : OK;
  FREE(spot);
  return status;
}
