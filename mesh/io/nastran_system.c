/* Coordinate systems of Nastran: CORD1 by three nodes, CORD2 by three points of another system; R rectangular, C
 * cylindrical (r, theta in degrees, z), S spherical (r, theta from the axis, phi). The axis z goes from the first point
 * to the second, the third lies in the plane of x and z. */
#include "core/memory.h"
#include "core/parts.h"
#include "core/vec3.h"
#include "mesh/io/nastran.h"

#include <math.h>
#include <string.h>

typedef struct System {
  int32_t id, file;
  int64_t at;
  char type; /* R C S */
  bool by_nodes;
  int32_t base, node[3]; /* CORD2: of the points; CORD1 */
  double point[3][3];
  int state; /* 1: being found, 2: found */
  double origin[3], axis[3][3];
} System;

typedef struct Systems {
  NasBulk *bulk;
  System *system;   /* owned */
  int32_t n, usual; /* of nodes that name none (GRDSET) */
} Systems;

static void system_card(const Systems *s, const System *system, NasCard *card) {
  const TextSource *source = &s->bulk->deck->file[system->file].source;
  nas_card_open(card, source, system->at, source->size);
}

static Status add_system(Systems *s, const NasOther *other, NasCard *card, bool by_nodes) {
  RESIZE(s->system, s->n + 1, "coordinate systems");
  System *system = &s->system[s->n++];
  *system = (System){.file = other->file, .at = other->at, .type = card->name[5], .by_nodes = by_nodes};
  TRY(nas_whole(card, "the number of a coordinate system", 0, &system->id));
  if (system->id < 1) return nas_fail(card, "number %d, must be 1 or more", system->id);
  for (int32_t k = 0; k < s->n - 1; ++k)
    if (s->system[k].id == system->id) return nas_fail(card, "coordinate system %d is given twice", system->id);
  if (!by_nodes) TRY(nas_whole(card, "the number of a coordinate system", 0, &system->base));
  for (int k = 0; k < 3; ++k) {
    if (by_nodes) TRY(nas_whole(card, "the number of a node", 0, &system->node[k]));
    for (int d = 0; d < 3 && !by_nodes; ++d) TRY(nas_real(card, "a coordinate", &system->point[k][d]));
  }
  return OK;
}

/* CORD1 may define two systems in a card. */
static Status read_system(Systems *s, const NasOther *other) {
  NasCard card;
  const char *text;
  int n = 0;
  const TextSource *source = &s->bulk->deck->file[other->file].source;
  nas_card_open(&card, source, other->at, source->size);
  if (!strcmp(card.name, "GRDSET")) {
    TRY(nas_whole(&card, "nothing", 0, &s->usual));
    return nas_whole(&card, "the number of a coordinate system", 0, &s->usual);
  }
  const bool known = !strncmp(card.name, "CORD1", 5) || !strncmp(card.name, "CORD2", 5);
  if (!known || !card.name[5] || !strchr("RCS", card.name[5])) return OK;
  const bool by_nodes = card.name[4] == '1';
  TRY(add_system(s, other, &card, by_nodes));
  NasCard second = card;
  if (!by_nodes || !nas_field(&second, &text, &n) || n == 0) return OK;
  return add_system(s, other, &card, true);
}

static System *system_find(const Systems *s, int32_t id) {
  for (int32_t k = 0; k < s->n; ++k)
    if (s->system[k].id == id) return &s->system[k];
  return NULL;
}

/* From coordinates in the system to the basic one. */
static void system_place(const System *system, const double c[3], double x[3]) {
  const double degree = acos(-1.0) / 180;
  double local[3] = {c[0], c[1], c[2]};
  if (system->type == 'C') local[0] = c[0] * cos(degree * c[1]), local[1] = c[0] * sin(degree * c[1]);
  if (system->type == 'S') {
    local[0] = c[0] * sin(degree * c[1]) * cos(degree * c[2]);
    local[1] = c[0] * sin(degree * c[1]) * sin(degree * c[2]);
    local[2] = c[0] * cos(degree * c[1]);
  }
  for (int d = 0; d < 3; ++d)
    x[d] = system->origin[d] + local[0] * system->axis[0][d] + local[1] * system->axis[1][d] +
           local[2] * system->axis[2][d];
}

static Status system_axes(const System *from, const NasCard *card, double p[3][3], System *out) {
  double to_plane[3];
  for (int d = 0; d < 3; ++d) {
    out->origin[d] = p[0][d];
    out->axis[2][d] = p[1][d] - p[0][d];
    to_plane[d] = p[2][d] - p[0][d];
  }
  const double height = vec3_normalize(out->axis[2]), width = vec3_normalize(to_plane);
  vec3_cross(out->axis[2], to_plane, out->axis[1]);
  if (!(height > 0 && width > 0 && vec3_normalize(out->axis[1]) > 1e-9))
    return nas_fail(card, "the three points of coordinate system %d lie on a line; they must span a plane", from->id);
  vec3_cross(out->axis[1], out->axis[2], out->axis[0]);
  return OK;
}

enum { DEPTH_MOST = 50 };

static Status system_make(const Systems *s, int32_t id, int depth, const NasCard *from);

/* A node in the basic system. */
static Status node_place(const Systems *s, int32_t id, int depth, const NasCard *card, double x[3]) {
  const NasBulk *bulk = s->bulk;
  const int32_t i = tag_map_find(&bulk->deck->node_of, id);
  if (i < 0) return nas_fail(card, "node %d does not exist", id);
  const NasGrid *grid = &bulk->grid[i];
  const int32_t system = grid->system < 0 ? s->usual : grid->system;
  memcpy(x, grid->x, sizeof grid->x);
  if (system == 0) return OK;
  TRY(system_make(s, system, depth + 1, card));
  system_place(system_find(s, system), grid->x, x);
  return OK;
}

/* Its origin and axes, after those of the system that it stands on. */
static Status system_make(const Systems *s, int32_t id, int depth, const NasCard *from) {
  System *system = system_find(s, id);
  NasCard card;
  double p[3][3];
  if (!system) return nas_fail(from, "coordinate system %d does not exist (CORD1R, CORD2R, ... C, S)", id);
  if (system->state == 2) return OK;
  system_card(s, system, &card);
  if (system->state == 1 || depth > DEPTH_MOST)
    return nas_fail(&card, "coordinate system %d is defined through itself", id);
  system->state = 1;
  for (int k = 0; k < 3; ++k)
    if (system->by_nodes) TRY(node_place(s, system->node[k], depth, &card, p[k]));
  if (!system->by_nodes) {
    if (system->base) TRY(system_make(s, system->base, depth + 1, &card));
    for (int k = 0; k < 3; ++k)
      if (system->base) system_place(system_find(s, system->base), system->point[k], p[k]);
      else memcpy(p[k], system->point[k], sizeof p[k]);
  }
  TRY(system_axes(system, &card, p, system));
  system->state = 2;
  return OK;
}

static Status place_nodes(Systems *s) {
  NasBulk *bulk = s->bulk;
  int32_t last = 0;
  for (int64_t i = 0; i < bulk->n_grid; ++i) { /* the systems that nodes name */
    NasGrid *grid = &bulk->grid[i];
    if (grid->system < 0) grid->system = s->usual;
    if (grid->system == last) continue;
    NasCard card;
    const TextSource *source = &bulk->deck->file[grid->file].source;
    nas_card_open(&card, source, grid->at, source->size);
    if (grid->system) TRY(system_make(s, grid->system, 0, &card));
    last = grid->system;
  }
#pragma omp parallel for schedule(static) num_threads(parts_of(bulk->n_grid))
  for (int64_t i = 0; i < bulk->n_grid; ++i) {
    const NasGrid *grid = &bulk->grid[i];
    if (grid->system) system_place(system_find(s, grid->system), grid->x, bulk->deck->x[i]);
    else memcpy(bulk->deck->x[i], grid->x, sizeof grid->x);
  }
  return OK;
}

Status nas_nodes(NasBulk *bulk) {
  InpDeck *deck = bulk->deck;
  Systems s = {.bulk = bulk};
  TagDuplicates twice;
  deck->n_node = (int32_t)bulk->n_grid;
  ALLOC(deck->x, bulk->n_grid, "nodes");
  ALLOC(deck->node_tag, bulk->n_grid, "node numbers");
  for (int64_t i = 0; i < bulk->n_grid; ++i) deck->node_tag[i] = bulk->grid[i].id;
  TRY(tag_map_create(deck->node_tag, deck->n_node, "table of node numbers", &deck->node_of, &twice));
  if (twice.n) {
    const NasGrid *grid = &bulk->grid[twice.index[0]];
    return source_fail(&deck->file[grid->file].source, grid->at,
                       "GRID: %lld node numbers are given twice, the first is %d", (long long)twice.n, grid->id);
  }
  Status status = OK;
  for (int64_t i = 0; i < bulk->n_other && status == OK; ++i) status = read_system(&s, &bulk->other[i]);
  if (status == OK) status = place_nodes(&s);
  FREE(s.system);
  return status;
}
