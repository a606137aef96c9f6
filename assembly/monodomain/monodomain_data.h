/* What a Monodomain object holds. For the files of assembly/ only. */
#pragma once
#include "assembly/diffusion/diffusion_data.h"
#include "core/collect.h"
#include "assembly/monodomain/monodomain.h"
#include "assembly/monodomain/rows.h"

/* The points of an element block among all points; kind on the Exec, owned. */
typedef struct MonodomainBlock {
  int32_t n_q;
  int64_t first, step_q, step_e;
  uint16_t *kind; /* [n]; NULL: 0 */
} MonodomainBlock;

struct Monodomain {
  Exec *exec;           /* borrowed */
  Diffusion *diffusion; /* owned */
  MonodomainScheme scheme;
  MonodomainHistory keeps;
  /* host, owned */
  int32_t n_constants;       /* different ones */
  IonicConstants *constants; /* [n_constants] */
  MonodomainStart *start;    /* [n_constants] or NULL: at rest */
  uint16_t *element_kind;    /* [n_solved] index into constants, mesh order */
  uint16_t *region_kind;     /* [n_region] likewise */
  uint16_t *link_kind;       /* [n_link] likewise */
  uint16_t *cell_kind;       /* [n_cell] of each cell */
  int32_t *cell_next;        /* [n_cell] NODAL where regions meet, else NULL */
  int32_t n_state;           /* of the model that has most */
  int64_t n_cell;            /* NODAL: rows and more where regions meet; GAUSS: points */
  const LocalMesh *local;    /* borrowed: of one of several ranks */
  int64_t n_whole;           /* cells of all ranks, each once */
  RankRun run[2];            /* NODAL: the cells of rows, and the further ones, among those of all ranks */
  int32_t n_stimulated;
  int32_t n_current;
  /* on the Exec, owned */
  IonicConstants *exec_constants;
  int32_t *slot;           /* [ionic_state_count()][n_constants] which state of a kind has a name, -1: none */
  double *state, *history; /* [n_state][n_cell]; history NULL for MONODOMAIN_NONE */
  /* states first: state is [2][n_state][n_cell], *turn says which of the two is that of now; [n_cell] each the line, and
   * the node of a cell (NODAL with next), or potential and current at its point (GAUSS) */
  int32_t *turn, *cell_node;
  IonicProgram *program; /* host, [n_constants]: of models from files, their lists on the Exec, owned; else empty */
  double *force, *gradient, *point_V, *point_current;
  int32_t *current_node, *current_start, *current_stimulus; /* [n_stimulated], [n_stimulated + 1], [n_current] */
  double *current_amplitude;                                /* [n_current] */
  /* NODAL */
  const double *open, *level; /* borrowed, [rows]: channels that are open, NULL: none */
  uint16_t *kind;             /* [n_cell]; NULL where n_constants is 1; GAUSS: for states first */
  int32_t *next;              /* [n_cell] or NULL */
  double *mass;               /* [n_cell] */
  /* GAUSS */
  MonodomainBlock block[ELEMENT_SET_BLOCKS];
  double *measure, *slope; /* [n_cell] */
  bool simple;             /* one block of elements with one point and equal shape functions there, */
  double simple_N;         /* which are this */
  double *weight;          /* [dofs] what averages at nodes are divided by, */
  bool partial;            /* at present those of cells that have the state last shown */
  int64_t n_value;
  double *stiffness_values, *mass_values; /* [n_value] from monodomain_bind */
};

static inline int64_t monodomain_states(const Monodomain *m) { return m->n_state * m->n_cell; } /* of one set */
static inline int64_t monodomain_rows(const Monodomain *m) { return m->diffusion->space->n_dof; }
/* ---- monodomain_state.c: the states of this rank as they lie on the Exec, history behind them ---- */
int64_t monodomain_local_size(const Monodomain *m);
Status monodomain_local_save(const Monodomain *m, double *state);
Status monodomain_local_load(Monodomain *m, const double *state);
/* ---- monodomain_whole.c: how many cells all ranks have; collective ---- */
Status monodomain_whole_find(Monodomain *m);
/* ---- monodomain_first.c ---- */
Status monodomain_first_create(Monodomain *m);
void monodomain_first_release(Monodomain *m);
Status monodomain_first_line(Monodomain *m, const double *numbers, const int32_t *when, const double *V, double *r,
                             double *diagonal);
Status monodomain_first_commit(Monodomain *m, const int32_t *when);
/* ---- monodomain_cells.c ---- */
/* Distinct constants and the kind of each element. */
Status monodomain_kinds(Monodomain *m, const MonodomainParams *params);
/* Cells with their kinds, and what only one scheme has. */
Status monodomain_node_cells(Monodomain *m, const MonodomainParams *params);
Status monodomain_point_cells(Monodomain *m);
/* ---- monodomain_current.c ---- */
Status monodomain_currents(Monodomain *m, const MonodomainParams *params);
/* ---- monodomain_apply.c ---- */
MonodomainCells monodomain_cells_of(const Monodomain *m, const uint16_t *kind, const double *numbers,
                                    const int32_t *when);
/* Before elements read V at their nodes, those of other ranks are brought. */
Status monodomain_bring(const Monodomain *m, const double *V);
/* A kernel over the elements of all blocks, with what `part` has of its own. */
Status monodomain_over_elements(Monodomain *m, const RowKernel *(*kernel)(ElementKind), MonodomainPointArgs part);
MonodomainPointArgs monodomain_point_args(const Monodomain *m, int32_t k, const double *numbers, const int32_t *when);
/* Sums of f at nodes with the sign turned; NULL fixed: nothing is set to zero. */
Status monodomain_gather_points(Monodomain *m, const int32_t *when, const uint8_t *fixed, double *out);
/* For each block: fills in measure, and weight. */
Status monodomain_measure(Monodomain *m);
