/* Between the files of elasticity's runs: from a solution to what the user asked for. */
#pragma once
#include "app/input/physics.h"
#include "app/report/extreme.h"
#include "app/run/run.h"
#include "app/run/tables.h"
#include "app/setup/mesh_sample.h"
#include "app/setup/setup.h"
#include "algebra/mat.h"
#include "assembly/contact/obstacle.h"
#include "assembly/elasticity/bolts.h"
#include "assembly/elasticity/reaction_share.h"
#include "assembly/mortar/mortar.h"
#include "mesh/tag_map.h"

#include <assert.h>

/* What acts in a load case. */
typedef struct ElasticActs {
  const char *name;  /* view into the case; NULL: of the case as a whole */
  const char *where; /* of the setup: "case.yaml:7:3" */
  Support *support;  /* owned, [n_support]; NULL: those of `params` */
  int32_t n_support;
  Load *load; /* owned, [n_load] */
  int32_t n_load;
  bool heated;
  ScalarSource temperature; /* above the reference, where it is heated */
} ElasticActs;

/* A temperature of a chain above the reference, and how it goes over t. */
typedef struct ElasticHeat {
  ScalarSource source;
  CaseWindow window;
} ElasticHeat;

/* Of tables, at the nodes of a group or the integration points of its elements. */
typedef struct ElasticDirection {
  const Group *on;
  bool nodes;
  MaterialAxes axes;
  const char *mark; /* view: what lines in these directions end with */
} ElasticDirection;

/* Of the stress along a line, in the order of the words. */
typedef enum LinePart { LINE_MEMBRANE, LINE_BENDING, LINE_MEMBRANE_BENDING, LINE_PEAK } LinePart;
enum { LINE_POINTS = 65 }; /* of a line, with both ends, at equal distances */

/* The surface of a cavity of the case, and the other side of its wall (NULL: not asked for). */
typedef struct ElasticWall {
  const Group *inside, *outside;
} ElasticWall;

/* The cuts of a sector: u of one is that of `to`, turned by the angle from there about an axis. Equations [axis, first) hold nodes on the axis,
 * [first, end) are of the others. */
typedef struct SectorCut {
  const Group *on, *to;
  double angle, origin[3], direction[3];
  double apart;   /* how far nodes lie from their partners, or facets of cuts whose meshes differ from the other one */
  int32_t n_pair; /* of nodes, those on the axis too; 0: the meshes differ, and the cuts are tied */
  int32_t axis, first, end;
  const char *where;
} SectorCut;

typedef struct ElasticSetup {
  ElasticityParams params;  /* points into the arrays below */
  MaterialValues *material; /* owned, one per entry of `materials:` */
  double (**axes)[9];       /* owned with its items, one per entry: [n_solved] where they are data of the mesh */
  struct FiberRule *rule;   /* owned, one per entry, used where its fibres are by rule */
  MaterialVarying *varying; /* owned, of all materials */
  ScalarSource *density;    /* owned, one per material */
  MaterialInitial *initial; /* owned, likewise */
  ScalarSource temperature; /* above the reference; 0 where load cases have their own */
  ElasticHeat *heat;        /* owned, [n_heat]: of steps with temperatures of their own, of which it is the sum */
  int32_t n_heat;
  double **numbers; /* owned with its items, [n_numbers]: of sources that the mesh does not hold */
  int32_t n_numbers;
  Support *support;       /* owned */
  Load *load;             /* owned */
  Obstacle *obstacle;     /* owned, in params */
  ContactPhase *phase;    /* owned, of these */
  BoltParams *bolt;       /* owned, in params, [n_bolt] */
  int32_t **bolt_node;    /* owned with its items, [2 n_bolt]: nodes of these */
  BoltPhase *bolt_phase;  /* owned, of these */
  EquationList equations; /* views into the next two, in params where there are any */
  Equation *equation;     /* owned */
  EquationTerm *term;     /* owned */
  EquationSpan *span;     /* owned, of the equations that hold for a time */
  SupportImage *image;    /* owned, [n_image], in equations: nodes of periodic pairs */
  int32_t n_image;
  SectorCut *cut; /* owned, [n_cut] */
  int32_t n_cut;
  BentList bent;        /* owned: those that bend, in equations where there are any */
  Joint *joint;         /* owned, in params */
  MassBody *body;       /* owned, in params: of rigid groups */
  MortarTie *mortar;    /* owned with its items, [n_tie] */
  EquationTie *tie;     /* owned, [n_tie]: views into them */
  RigidParams *turning; /* owned with its loads, [n_turning]: rigid groups that turn, views of them in equations */
  int32_t n_turning;
  const Group **tied; /* owned, [n_tie]: of views: surfaces that depend */
  int32_t n_tie;
  ElasticActs *act; /* owned, [n_act] with their arrays: of load cases; those of the first are in `params` too. Of
                             vibrations with phases one: what is a quarter of a period ahead */
  int32_t n_act;
  ElasticWall wall[ELASTIC_CAVITIES];
  SupportedGroup *rigid; /* owned, [n_rigid]: rigid groups; components 0: nothing of the motion is prescribed */
  int32_t n_rigid;
  ElasticDirection *direction; /* owned */
  int32_t n_direction;
  FieldPart *probe;      /* owned, one per probe of the case: the number that it is of */
  double (*velocity)[3]; /* owned, [n_node]: initial, of data of the mesh; NULL: there is none */
  Location **line;       /* owned with its items [LINE_POINTS], one per probe: NULL where it is of a point */
  int32_t n_line;
} ElasticSetup;
void elastic_setup_release(void *own);
static inline ElasticSetup *elastic_setup(const Setup *setup) {
  assert(setup->own && setup->own_release == elastic_setup_release);
  return (ElasticSetup *)setup->own;
}
/* setup_axes.c: axes of the materials with directions, to material[m].axes. */
Status setup_axes(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_fibers.c: those of fibres and sheets; by rule they need solves (Physics.solve_setup). */
Status setup_fibers(const Case *c, const Mesh *mesh, int32_t m, Setup *setup, Diagnostics *diagnostics);
Status setup_fiber_rules(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup);
/* setup_body.c: loads in the inside of the body. */
Status setup_body(const Case *c, const Mesh *mesh, const MapsValue *body, Setup *setup, ElasticActs *acts,
                  Diagnostics *diagnostics);
/* setup_thermal.c: what varies with the place, parameters of materials and the temperature. */
/* setup_active.c: muscle in materials. */
Status setup_active(const Case *c, Setup *setup);
Status setup_varying(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_initial.c: stress of the materials before anything acts. */
Status setup_initial(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* The next of setup->numbers. */
Status elastic_numbers(ElasticSetup *setup, int64_t n, const char *what, double **out);
Status setup_thermal(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_elasticity.c: a load on a group (NULL: nothing to do). */
/* Loads from `first` on go over t as the window of their entry says. */
Status elastic_window(const CaseWindow *window, ElasticActs *acts, int32_t first);
Status elastic_add_load(const Case *c, LoadKind kind, const Group *on, const ExprsValue *value, Place place,
                        Setup *setup, ElasticActs *acts);
/* setup_phases.c: the supports and loads of an entry, from these on, in two parts; room for the second is there. */
Status setup_phase(const CaseBoundary *b, int32_t first_support, int32_t first_load, ElasticActs *acts,
                   ElasticActs *ahead);
/* setup_load_cases.c: supports and loads of the case, and of its load cases. */
Status setup_acts(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
void elastic_acts_release(ElasticActs *acts);
/* Equations of the case while they are made. */
typedef struct ConstraintList {
  const Case *c;
  const Mesh *mesh;
  Setup *setup;
  Diagnostics *diagnostics;
  int64_t n_term, term_room;
  int32_t n, room;
  TagMap node_of; /* where the case has equations */
} ConstraintList;
/* An equation of n_term terms at most, its terms, its value. */
Status constraint_begin(ConstraintList *list, int32_t n_term);
void constraint_term(ConstraintList *list, int32_t node, int32_t component, double factor);
void constraint_end(ConstraintList *list, double value, const char *where);
/* setup_rigid.c: the nodes move as a rigid body. */
Status rigid_bind(ConstraintList *list, const CaseRigid *rigid, int32_t n, const int32_t *node, const char *where);
/* The same of the group of an entry that turns (case_rotates). */
Status rigid_rotating_bind(ConstraintList *list, const CaseBoundary *b, int32_t n, const int32_t *node,
                           const char *where);
/* Of such a group: the base that it has turned to, the first one where these are NULL; the slots that say best how it turns on
 * from there, whether they are others; and its equations with these in the place of those before. */
void rigid_base(RigidGroup *group, const double *rotation, const double *vector);
bool rigid_choose_slots(const Mesh *mesh, RigidParams *params);
void rigid_bind_slots(const Mesh *mesh, const RigidGroup *before, RigidParams *params, const Equation *equation,
                      EquationTerm *term);
/* setup_keep.c: a condition of places of nodes of the mesh, whose order may change. */
Status keep_bind(ConstraintList *list, const CaseEquation *entry, int32_t *node, const char *where);
/* setup_springs.c: springs between nodes. */
Status setup_springs(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_constraints.c: ties, periodic pairs and equations of the case. */
Status setup_constraints(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_linked.c: Setup.linked of these. */
Status setup_linked(const Mesh *mesh, Setup *setup);
/* setup_contact.c: obstacles of the case. */
Status setup_contact(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_bolts.c: cuts through the mesh, once it is read; and bolts of a case against what it became. */
Status setup_bolt_cuts(const Case *c, Mesh *mesh);
Status setup_bolts(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_distribute.c: the thickness at facets of a flat model, [first solved], owned by the caller; NULL: there is none. */
Status elastic_facet_thickness(const Case *c, const Mesh *mesh, const Setup *setup, double **out);
/* setup_bearing.c: the traction of a pin with this force; n 0: refused. */
Status bearing_traction(const Case *c, const Mesh *mesh, const Setup *setup, const Group *on, const CaseBearing *b,
                        ExprsValue *out, Diagnostics *diagnostics);
/* setup_distribute.c: the traction that has all numbers of this force and moment, one < 0, or that part of them alone, which varies; n 0:
 * it has none, or is refused. */
Status distribute_traction(const Case *c, const Mesh *mesh, const Setup *setup, const Group *on,
                           const CaseDistribute *d, int one, ExprsValue *out, Diagnostics *diagnostics);
/* setup_elasticity.c: `cavities`: those with a volume, then those with a pressure. */
Status elastic_bind_cavities(const Case *c, const Mesh *mesh, Setup *setup, ElasticActs *acts,
                             Diagnostics *diagnostics);
/* setup_elasticity.c: entries of a list `boundary:`. */
Status elastic_bind_boundary(const Case *c, const Mesh *mesh, const MapsValue *boundary, Setup *setup,
                             ElasticActs *acts, Diagnostics *diagnostics);
/* setup_advice.c: warns of elements that give too small displacements. */
/* Of the elements; those that have no mean dilatation are told where it is asked for. */
void setup_formulation(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *out);
void setup_elastic_advice(const Case *c, const Mesh *mesh, const Setup *setup);

/* Bits of assembly's FIELD_... that the case's fields, probes and sums need. */
FieldBits results_needed(const Case *c);
/* Those that probes and sums need. */
FieldBits columns_needed(const Case *c);
/* element_volumes.c: [n_solved]. Owned by the caller. */
Status element_volumes(const Case *c, const Mesh *mesh, const Setup *setup, double **out);
/* The thickness of solved element e of a flat mesh; 1 in space. */
double element_thickness(const Mesh *mesh, const Setup *setup, int32_t e);
/* section.c: force or moment that the elements of `on` ahead of the cut exert on those behind it; tells of cuts through no
 * element before the solve. */
Status section_sum(const Case *c, const Mesh *mesh, const Setup *setup, const CaseSum *sum, const Group *on,
                   const ElasticFields *fields, double value[3]);
void setup_sections(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* What a table of this word lists, of these numbers. */
TableValues elastic_table_values(int32_t word, const double *value, const int64_t *start);
/* Where integration points of elements begin, for tables in time; owned by the caller. */
Status elastic_points(const Run *run, int64_t **start);
int64_t elastic_point_count(const Run *run, const int64_t *start); /* 0 of NULL */
/* elastic_tables.c: output.tables of a static step, and any table in directions of its own (`values` in x, y and z). */
Status elastic_tables_add(const Run *run, const Setup *setup, const ElasticFields *fields, double time, Text *out);
Status elastic_table_add(const Run *run, const Setup *setup, int32_t i, double time, const TableValues *values,
                         Text *out);
/* Values of all probes, then of all sums; of sums alone. */
Status results_columns(const Case *c, const Mesh *mesh, const Setup *setup, const ElasticFields *fields, double *value);
Status results_sums(const Case *c, const Mesh *mesh, const Setup *setup, const ElasticFields *fields, double *value);
/* A number of a field at a probe's point. */
double results_at(const Mesh *mesh, const Location *at, const ElasticFields *fields, FieldPart part);
/* What an element of this material sees of an average at a node of an interface, which is its own; false: what the node has. */
bool results_seen(const ElasticFields *fields, FieldPart part, int32_t node, int32_t material, double *value);
/* The part of the stress along a line that is linearised by integration (ASME VIII-2, Annex 5-A), of each component,
 * x from 0 to t:
 *   membrane = 1/t int stress dx,  bending at x = 0: 6/t^2 int stress (t/2 - x) dx,  peak there: stress - membrane - bending
 * and the number `part` of that tensor. */
double line_stress(const Mesh *mesh, const Location at[LINE_POINTS], const ElasticFields *fields, LinePart take,
                   FieldPart part);
/* setup_lines.c: where the points of lines are. */
Status setup_lines(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* results.hdf, results.xdmf and probes.csv. They are made, with the mesh, before the fields are there; `fields`, which
 * are read by results_store, stays where it is until they are closed. Whatever comes, results_close follows: it accepts NULL and sets NULL. */
typedef struct StaticOutput StaticOutput;
Status results_open(Run *run, const Setup *setup, const ElasticFields *fields, StaticOutput **out);
/* The one step; the run's report gives the history. */
Status results_store(StaticOutput *output);
/* Fields of this rank's share go to the file of all, which rank 0 has opened (`output`; elsewhere NULL): results_store then
 * adds what columns say of the step. *done false: this file has to be written by rank 0 alone. Collective. */
Status results_store_share(Run *run, StaticOutput *output, const ElasticFields *mine, bool *done);
/* Step k of load cases, 1 and on, with the history of its solve (NULL: a sum of others); it is taken into the envelopes.
 * Then the envelopes, all of them. */
Status results_store_case(StaticOutput *output, int32_t k, const ElasticFields *fields, const LinearReport *linear);
Status results_store_envelopes(StaticOutput *output);
Status results_close(StaticOutput **output);
/* physics_elasticity.c: what `sinew check` says, and units of columns. */
Status elastic_inspect(Inspection *inspection);
/* extremes.c: what is searched for in fields at nodes, in the numbers of the whole mesh: the largest displacement (squared)
 * and von Mises stress, the first node with each (-1: none is a number), and the first where a field is not a number. */
typedef struct ElasticPeaks {
  double most[2];
  double off;        /* of the largest stress, the estimated error there; -1: none */
  double sum, count; /* von Mises stress at nodes, added up, and nodes */
  double safety;     /* the smallest factor, of all materials at a node; HUGE_VAL: none is known */
  int32_t unsafe;    /* the first node with it */
  int32_t at[2], here, bad[N_ELASTIC_FIELDS]; /* here: at[1] in the numbers of this rank; bad: INT32_MAX: none */
} ElasticPeaks;
/* Of this rank's fields, and of all ranks'; displacement and stress where they are there. Collective. */
Status elastic_find_peaks(const Run *run, const ElasticFields *mine, ElasticPeaks *out);
/* A field that overflows where the displacement does not is not a result (ERR_NUMERIC); a displacement near the size of the
 * body is warned of. Rank 0. */
Status elastic_check_peaks(const Run *run, const ElasticPeaks *peaks);
/* The most that displacements of a vibration differ over the body, and when: a body that moves as a whole may go anywhere. Of n
 * parts [n_node][3] the largest; to be warned of where it is near the size of the body: "at t = %g" and what to do. Rank 0. */
typedef struct ElasticSpread {
  double most, at;
} ElasticSpread;
void elastic_spread_add(const Mesh *mesh, int n, const double *const *u, double at, ElasticSpread *spread);
void elastic_spread_warn(const Run *run, const ElasticSpread *spread, const char *when, const char *remedy);
/* peak.c: warns where the largest stress has no limit; at most once. Rank 0, with the setup of the whole. */
Status elastic_warn_of_peak(const Mesh *mesh, const Setup *setup, const ElasticPeaks *peaks, bool *told);
/* Energy and error of this rank's fields become those of the whole. Collective, before elastic_collect. */
Status elastic_totals(const Run *run, ElasticFields *mine);
/* Of a number of each element of this rank, where ranks share a mesh. Collective. */
Status elastic_total(const Run *run, const double *mine, double *total);
/* With the error of the stress, of a solution on the whole mesh. Rank 0. */
void elastic_extremes(const Mesh *mesh, const ElasticPeaks *peaks, const ElasticFields *fields, Extremes *out);
/* surface_force.c: where a body is one element across, the errors are no less than the force that the stress leaves on the free
 * surface, which is warned of, once. Rank 0, with fields of the whole mesh. */
Status elastic_see_surface(const Case *c, const Mesh *mesh, const Setup *setup, const ElasticFields *fields,
                           Extremes *out, bool *told);
/* bending.c: linear elements without incompatible modes that bend: strain energy of the displacements that were examined,
 * and what such modes would take of it. */
typedef struct Bending {
  double energy, gain;
  int64_t calls; /* asked for by elastic_watch_bending */
} Bending;
/* Adds those of u; energy: that of u, 0: it is found. Collective. */
Status elastic_add_bending(const Run *run, Elasticity *elasticity, const double *u, double energy, Bending *sum);
/* The same in the course of a run: of calls 1, 2, 4, 8 and so on. */
Status elastic_watch_bending(const Run *run, Elasticity *elasticity, const double *u, Bending *sum);
/* Warns where that makes a difference. */
void elastic_tell_bending(const Run *run, const Bending *sum);
/* Of one displacement, both. */
Status elastic_check_bending(const Run *run, Elasticity *elasticity, const double *u, double energy);
/* Of two the one that lacks more. */
Bending elastic_worse_bending(Bending a, Bending b);
struct LinearMany;
/* run_load_cases.c */
typedef struct ElasticSolve {
  Run *run;
  const Setup *setup, *whole; /* of what this rank has, and of the mesh */
  Elasticity *elasticity;
  Mat *a;
  LinearSolver *solver;
  const SumParts *parts; /* of sums in the solve */
} ElasticSolve;
typedef struct ElasticCases {
  Exec *exec;          /* borrowed */
  int64_t dofs;        /* of a vector */
  int32_t n;           /* load cases */
  double *u, *f, *sum; /* owned, on the Exec: [n][dofs] displacement and load of each, and [2][dofs] for sums of them */
  double
      *kept; /* owned, on the Exec, [n][n_kept]: changes of volume that elements keep in each; NULL: they keep none */
  int64_t n_kept;
  LinearReport *linear; /* owned, [n] */
} ElasticCases;
/* Whatever comes, elastic_cases_release follows. ERR_NUMERIC: the solver failed in a load case, which is named. */
Status elastic_cases_solve(const ElasticSolve *with, ElasticCases *out);
/* Recovers and stores all steps; `shown` are the fields that the output knows, of several ranks those of the whole. */
Status elastic_cases_store(const ElasticSolve *with, ElasticCases *cases, ElasticFields *fields, ElasticFields *shown,
                           StaticOutput *output);
void elastic_cases_release(ElasticCases *cases);
/* Of several lots of load cases one after the other: stiffness and preconditioner, which with->solver has from then on, and
 * room for n of them; *seconds are those of a run's phases. Then loads of case i, u = what is prescribed and b[rows] = what is
 * left of them; k of these solved, b is [k][rows] and x [k][dofs] the first guess of what u lacks, then that; and the fields of case i. */
Status elastic_cases_assemble(const ElasticSolve *with, int32_t n, ElasticCases *out, StepReport *seconds);
Status elastic_cases_prepare(const ElasticSolve *with, const ElasticCases *cases, bool checked, int32_t i, double *b);
Status elastic_cases_increments(struct LinearMany *many, const ElasticCases *cases, int32_t first, int32_t k,
                                const double *b, double *x, int32_t *failed);
Status elastic_cases_recover(const ElasticSolve *with, ElasticCases *cases, int32_t i, ElasticFields *fields);
/* analysis_static.c: what is left where turns got nowhere, of an elasticity that has all of the bulk moduli. *left: |R| at u over
 * `first`, |R| at first; where it has grown, u begins anew, and it is 1. r[rows + 1] is R at u then. *rtol: of what is left. */
Status elastic_left(Exec *exec, Elasticity *elasticity, double first, double *u, double *r, double *left, double *rtol);
/* The report of the solve of that comes to `sum`. */
void elastic_left_add(LinearReport *sum, const LinearReport *report, double left);
/* load_cases_kept.c: load cases of an elasticity_is_augmented, whose matrix with->solver has; *all: turns solved all of them. The
 * others from where they are, by the matrix that elasticity_augment_end leaves. ERR_NUMERIC: as elastic_cases_solve. Then: `factor`
 * times what elements keep in case i becomes what they keep, or (not first) comes to it. */
Status elastic_cases_iterate(const ElasticSolve *with, ElasticCases *cases, bool *all);
Status elastic_cases_end(const ElasticSolve *with, const ElasticCases *cases);
Status elastic_cases_keep(const ElasticSolve *with, const ElasticCases *cases, int32_t i, double factor, bool first);
/* Loads and prescribed values become those of load case i. ERR_INPUT: there are none, or others are prescribed. */
Status elastic_cases_begin(const Setup *setup, bool checked, int32_t i, Elasticity *elasticity);
/* analysis_static.c: extremes of a solution to the report, and what there is to warn of. ERR_NUMERIC: it is not finite. */
Status elastic_solution_tell(Run *run, const Setup *setup, Elasticity *elasticity, const double *u,
                             const ElasticFields *fields);
/* static_together.c (Physics.run_together) */
Status static_together(Run *run, struct Together *all);
/* elastic_collect.c: the fields of this rank's share to those of the whole, on rank 0; elsewhere *to is empty. Whatever comes, elastic_collect_release puts *to away. */
Status elastic_collect(const Run *run, const ElasticFields *from, ElasticFields *to);
/* The same of `material` and `other` alone. */
Status elastic_collect_other(const Run *run, const ElasticFields *from, ElasticFields *to);
/* The same of what columns need alone: fields have numbers at their nodes and elements, and 0 elsewhere. */
Status elastic_collect_columns(const Run *run, const Setup *whole, const ElasticFields *from, ElasticFields *to);
void elastic_collect_release(ElasticFields *fields);
/* Bits of FIELD_... that this rank recovers. */
FieldBits elastic_fields_needed(const Run *run);
/* What the passes of `adapt:` go by: errors of a solution, by element. Nothing where there is one pass. */
Status elastic_add_errors(Run *run, const Elasticity *elasticity, ElasticFields *fields);
/* Whether the energy is round-off beside that of the body when heat finds it held. Collective. */
Status elastic_at_rest(const Run *run, Elasticity *elasticity, double energy, bool *rest);
/* What heat leaves free to expand has a stress of rounding, whose error says nothing: there is none then. Collective. */
Status elastic_drop_rounding(const Run *run, const Setup *setup, Elasticity *elasticity, double energy,
                             ElasticFields *fields);
/* Rank 0 holds the whole case against the whole mesh, as one alone does: supports that contradict each other, parts that
 * can move, what the loads add up to. And all hear what closes the cavities of the whole. */
Status elastic_check_whole(const Run *run, const Setup *whole, ElasticityParams *here);
/* elastic_cut.c: Physics.cut. */
Status elastic_cut(const Setup *whole, const MeshSample *sample, Setup *part);
