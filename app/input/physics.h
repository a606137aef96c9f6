/* What a physics is to the program: one table, of which each line of physics.def has one. Reading a case file, `sinew
 * check`, a run, its report, its units and its memory go through it; nothing else asks which physics a case has. To add
 * one, start here: docs/adding.md. */
#pragma once
#include "app/input/case.h"
#include "app/input/units.h"
#include "core/exec.h"
#include "mesh/mesh.h"
#include "output/json.h"

struct Setup;
struct MeshSample;
struct Run;
struct RunReport;
struct Together;

/* `sinew check`: what a physics finds out about a case on the CPU, without solving. */
typedef struct Inspection {
  const Case *c;
  const Mesh *mesh;
  struct Setup *setup;
  Exec *exec;
  bool quiet;
  const char *draw;      /* folder for what a picture can show; NULL: none */
  bool overwrite, drawn; /* drawn: set where there was anything to show */
} Inspection;

/* What a case takes, roughly, for the choice of `--backend auto`: seconds of one core, and of a GPU that is there. */
typedef struct CostEstimate {
  double build;  /* of a core for each node: set-up, and the solve of what has no steps */
  double step;   /* of a core for each node and step */
  double launch; /* of a GPU for each step, however small */
} CostEstimate;

struct Physics {
  const char *name;
  const char *region, *regions; /* what an entry of `materials:` and its list are called: "material", "materials" */
  const char *(*instead)(
      const Case *c);   /* where else than in that list a group may stand, for messages; NULL: nowhere */
  const char *analysis; /* the word of `analysis: {type: ..}` that this is for; NULL: a case without that key */
  /* Ended by NULL: a case of this `analysis` and without `strain` that has one of them is of this kind; NULL: none. */
  const char *const *keys;
  bool (*claims)(const char *type); /* and so is one with a region of such a `type`; NULL: the keys are all */
  /* The word of `strain:` that this is for, with `analysis` where that is there, else whatever it is; NULL: any. */
  const char *strain;
  const char *called; /* what messages call its cases; NULL: by those words */
  uint32_t kind;      /* bits of the kind that it is, for Key.only; 0: its physics has no others */
  /* Of a row of physics.def with several kinds of cases, which then has its name only: the kinds, ended by NULL, first that
   * of cases without `analysis` and `strain`. NULL: it is the only one. */
  const struct Physics *const *kinds;

  /* The case file: its keys, and one value against another beyond what all physics share. */
  const Schema *schema;
  void (*check)(Case *c, Diagnostics *diagnostics);
  void (*release)(Case *c); /* of what check has made beside the tables; NULL: nothing */

  /* What a case adds to the mesh that was read. ERR_INPUT, ERR_MESH. NULL: nothing. */
  Status (*add_to_mesh)(const Case *c, Mesh *mesh);
  /* Case against mesh (setup.h). */
  int32_t n_component; /* unknowns of a node, about: for the choice of their order */
  bool by_velocity;    /* the tensor of `tissue:` has squares of velocities, not diffusivities */
  Status (*bind)(const Case *c, const Mesh *mesh, struct Setup *setup, Diagnostics *diagnostics);

  /* What of the setup takes solves, on the Exec of a rank alone; every rank does all of it. NULL: nothing. */
  Status (*solve_setup)(const Case *c, const Mesh *mesh, Exec *exec, struct Setup *setup);

  /* For forecasts of memory: on a part of the mesh what solve_setup (kept: what a run) does on the whole that the mesh was
   * cut out of (Mesh.whole), which is more of the same. NULL: nothing. */
  Status (*rehearse_whole)(const Case *c, const Mesh *part, Exec *exec, struct Setup *setup, bool kept);

  /* What comes out. Letters behind the name of a sum, one column each: "xyz" makes left-x, left-y, left-z; "" or no
   * function: one column without. */
  const char *(*sum_letters)(const Case *c, const CaseSum *sum);
  uint32_t cell_sums;   /* bit f: field f of a sum is one of elements; else of nodes */
  uint32_t cell_tables; /* bit f: field f of a table is one of elements; else of nodes */
  const char *units;    /* those of every case, whatever its label says; NULL: the label's */
  UnitKind step_unit;   /* of the steps' values */
  /* Of column i of probes.csv: the text of a unit, a view into `units` or a constant; NULL: none or not known. */
  const char *(*column_unit)(const Case *c, const Units *units, int32_t i);
  /* How far a run came, in report.json and in the summary; NULL: it has no steps. */
  void (*save_steps)(const struct RunReport *report, Json *json);
  void (*print_steps)(const struct RunReport *report, const Case *c);

  /* Prints its section unless quiet. ERR_INPUT as a run would give it. */
  Status (*inspect)(Inspection *inspection);
  /* Its part of the setup of a part of the mesh (setup.h, setup_cut): the rest is there. NULL: what a run takes of
   * memory is found on the whole mesh. */
  Status (*cut)(const struct Setup *whole, const struct MeshSample *sample, struct Setup *part);
  bool without_mesh;   /* nothing in space: no mesh is read, no device is opened, and there is no results.hdf */
  bool takes_over;     /* a run can begin with the state of another (RunParams.from) */
  bool over_frequency; /* expressions know f, the frequency, in the place of t */
  bool shares;         /* several ranks can run it: its driver works on their shares (app/run/ranks.h) */
  bool own_solver;     /* no `method: direct` */
  CostEstimate cost;
  double (*steps)(const Case *c); /* about; NULL: none */
  /* The whole run (run.h). */
  Status (*run)(struct Run *run);
  /* That of several points of a sweep as one (together.h), which may differ under these keys, ended by NULL. NULL: none can. */
  Status (*run_together)(struct Run *run, struct Together *all);
  const char *const *point_keys; /* "boundary.*.fix"; a "" is none, * one name or number */
  bool points_share;             /* so much that sweeps solve such points as one unasked */
};
#define PHYSICS(name) extern const Physics name##_physics;
#include "app/input/physics.def"
#undef PHYSICS

int physics_count(void);
const Physics *physics_at(int i);
/* Kind k of its cases, the first that of cases without `analysis`; NULL: no more. */
const Physics *physics_kind(int i, int k);
enum { KIND_BYTES = 32 };
/* What messages and documents call its cases: "modal", "finite-strain". Returns text. */
const char *kind_name(const Physics *kind, char text[KIND_BYTES]);
/* Of the physics that the map `root` names, or would fit best; never NULL. *kind: its kind; KIND_ANY where the words that tell
 * it are unknown, so that nothing but the word is wrong. */
const Physics *physics_of(const Tree *tree, int32_t root, uint32_t *kind);
