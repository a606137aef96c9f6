/* Between the setup files of the heart, and what its driver and `sinew check` ask of them. */
#pragma once
#include "app/fibers/ldrb.h"
#include "app/setup/setup.h"
#include "assembly/diffusion/deformed.h"
#include "assembly/monodomain/monodomain.h"
#include "core/exec.h"
#include "mesh/fibers/fibers.h"

#include <assert.h>

/* An electrode by the nodes of the element that it is at, and the values of their shape functions there. */
typedef struct Electrode {
  int32_t n, node[ELEMENT_MAX_NODES]; /* of the torso */
  double share[ELEMENT_MAX_NODES];
} Electrode;

/* An electrode of the bidomain by its nodes, of heart and bath. */
typedef struct ShockElectrode {
  int32_t dim;      /* of its groups */
  int32_t n, *node; /* owned, as share is */
  double *share;    /* [n], sums to 1; NULL: its potential is held */
  double size;      /* of its groups, mm to their dimension; of points, how many */
  double amount;    /* while it is on: uA, or mV */
} ShockElectrode;

/* How fast a front of some cells runs. Directions with different diffusivities are told apart: the first of two is one, the
 * second all others. */
typedef struct FrontSpeed {
  double l;           /* strand_front of the cells; 0: they have no threshold, and nothing of the rest is known */
  double alone;       /* speed over sqrt(D) on fine elements in short steps, 1/sqrt(ms); 0: none runs */
  double point;       /* of the elements, as in StrandParams */
  int n;              /* directions */
  const char *way[3]; /* FRONT_ALONG ... */
  double D[3];        /* mm2/ms */
  double length[3];   /* of the elements, in lengths of a front; 0: not looked at */
  double fine[3],
      mesh[3]; /* mm/ms on fine elements, and on the mesh with the case's scheme and steps; 0: none, NaN: not known */
  bool none;   /* it was told before the run that no front will run here */
} FrontSpeed;
extern const char FRONT_ALONG[], FRONT_ACROSS[], FRONT_NORMAL[];
/* Elements and steps of a reference, in lengths of a front and in parts of 1/max_slope. */
#define FRONT_FINE (1.0 / 3)
#define FRONT_FINE_STEP 0.1
/* Steps so short, in the same parts, err in nothing, and a strand takes no shorter ones. */
#define FRONT_SHORT_STEP 0.02

/* Two surfaces that are coupled: nodes of the first, those that are joined and their area; how far the second is from these. */
typedef struct LayerPair {
  int32_t n_node, n_joined;
  double area, nearest, farthest; /* mm2, mm */
} LayerPair;

/* What an element of tissue conducts with: along, across, normal; 0: not given. */
typedef struct TissueNumbers {
  double D[3];               /* mm2/ms; of fronts alone, velocities, mm/ms */
  double intra[3], extra[3]; /* S/m */
  double velocity;           /* mm/ms, of fronts that stimulate */
} TissueNumbers;

typedef struct HeartSetup {
  DiffusionParams diffusion;             /* points into the arrays below */
  double (*tensor)[6];                   /* owned, [n_solved] */
  double *thickness, *edge_thickness;    /* owned, [n_solved] and [first solved]; NULL: 1, or the mesh is a volume */
  DeformedElement *deformed;             /* owned, [n_solved]; NULL: conduction and cells are those of a body at rest */
  TissueNumbers *mean;                   /* owned, [n_tissue], over the elements of each tissue */
  TissueNumbers *number;                 /* owned, [n_solved]; NULL: nothing varies, each has those of its tissue */
  int32_t n_augmented;                   /* of those, the ones beside a bath whose diffusivities are larger */
  double *initial;                       /* owned, [n_node]; NULL: at rest */
  double *initial_state[N_IONIC_STATES]; /* owned, [n_node] each; NULL: at rest */
  MonodomainParams monodomain;           /* all but its `diffusion`, which is the member above */
  int32_t n_node;                        /* of the mesh */
  int32_t n_tissue;                      /* entries of `tissue:` */
  int32_t n_region;                      /* those, and behind them sets of parameters that vary */
  IonicConstants *ionic;                 /* owned, [n_region] */
  int32_t **node_region;                 /* owned, [entries of `tissue:`], arrays too: as MonodomainParams has it */
  int32_t
      *point_region; /* owned, [n_solved], in the place of the tissue's: cells at integration points vary; or NULL */
  MonodomainStart *start;       /* owned, [n_region], of cells that were paced; NULL: at rest */
  int32_t n_paced, n_stored;    /* of those, different ones, and how many of them were stored before */
  struct FiberRule *rule;       /* owned, one per entry, used where its fibres are by rule */
  LdrbFields ruled;             /* owned, of the first entry by rule, for the results; else NULL */
  int32_t ruled_tissue;         /* which that is */
  MonodomainStimulus *stimulus; /* owned with its nodes and shares, one per stimulus of the case */
  int32_t n_wave;               /* of those behind the case's: nodes that an eikonal front comes to, by the step */
  double *wave_start;           /* owned, [n_wave]: when, ms */
  int32_t n_front, n_reached, n_unreached; /* nodes where such fronts start, that they come to and do not */
  double front_first, front_last;          /* when the first starts and the last node is reached, ms */
  int32_t n_link;
  LayerPair *layer; /* owned, one per entry of `layers:`; NULL: none, or on a part of the mesh */
  DiffusionLink
      *link; /* owned, [n_link], of trees: lines first, then junctions, of one tree after another; or of layers */
  int32_t *link_region; /* owned, [n_link] */
  double *link_cells,
      *link_outside; /* owned, [n_link], of layers in a bidomain: conductances of the cells and of the space outside, of
                                        which `link` has both in series; else NULL */
  uint8_t *
      bare; /* owned, [n_stimulus]: on nodes of a group without depth: 0 not so, 1 of facets, 2 of less, as of points */
  int32_t *torso;       /* owned, [n_element of the torso], entry of `torso:` behind those of `tissue:` */
  Electrode *electrode; /* owned: in a torso, nine of the twelve leads, then two of each lead of `ecg:` */
  Location *
      spot; /* owned, of leads that are not in a torso, in that order: where their electrodes are; NULL: there are none */
  int32_t n_electrode, n_lead; /* n_lead 0: not in a torso */
  ShockElectrode *shock;       /* owned, one per entry of `electrodes:` */
  int32_t n_shock;
  int32_t zero;       /* 1 + the node, of heart and bath, whose extracellular potential is 0; 0: a mean is */
  double *lead;       /* owned, [n_lead][n_node], weights of the potential; NULL: not solved for */
  double *lead_shock; /* owned with it, [n_lead][n_shock]: mV that an electrode adds while it is on */
  int64_t lead_solves, lead_iterations;
  double lead_seconds;
  const struct TimeScheme
      *front_scheme; /* whose steps err so much of a front's speed, most in that region: NULL, not known */
  double front_error;
  FrontSpeed *front_speed; /* owned, [heart_ionics]; NULL: not known */
  double *front_length; /* owned, [heart_ionics], mean of a region's elements in lengths of a front; NULL: not known */
  int32_t front_region;
} HeartSetup;
void heart_setup_release(void *own);
/* Whether it was told of a region, or of all tissue with -1, before the run that no front will run there. */
bool setup_told_none(const Case *c, const Setup *setup, int32_t t);
static inline HeartSetup *heart_setup(const Setup *setup) {
  assert(setup->own && setup->own_release == heart_setup_release);
  return (HeartSetup *)setup->own;
}

static inline const TissueNumbers *heart_numbers(const HeartSetup *own, int32_t tissue, int32_t solved) {
  return own->number ? &own->number[solved] : &own->mean[tissue];
}

/* setup_numbers.c: the numbers of the tissues, whose elements are known. */
Status setup_tissue_numbers(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_tissue.c: tensors of all tissues but those by rule, which are solved for later, on the Exec; with setup_regions. */
Status setup_tissue(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* weight[n_solved] of the elements of tissue t: e^T W e is, on average over the edges e of a cube, the square of its edge,
 * counted along the fibres, across or normal to the sheets (k 0, 1, 2); whatever the direction where there are no fibres
 * or they are by rule. */
Status setup_direction(const Case *c, const Mesh *mesh, const Setup *setup, int32_t t, int k, double (*weight)[6]);
bool setup_ruled(const Case *c); /* some of them are by rule */
/* Row HEART_RULE_ROW + k of fields.def, for the results; NULL: there is none. */
const double *setup_ruled_field(const Setup *setup, int32_t k);
/* Fibres by rule need solves: tensors of those tissues, after setup_create and before diffusion.tensor is used. Nothing
 * where there is no rule. */
Status setup_rules(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup);
Status setup_heart_rules(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup); /* with warnings of the front */
/* Physics.solve_setup: the rules, and cells that are paced before the run. */
Status setup_solves(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup);
/* heart_cut.c: Physics.cut. */
struct MeshSample;
Status heart_cut(const Setup *whole, const struct MeshSample *sample, Setup *part);
/* The same of fronts alone: velocities, and where they start. */
Status front_cut(const Setup *whole, const struct MeshSample *sample, Setup *part);
/* setup_cells.c: parameters that vary with the place. */
Status setup_cells(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_stimuli.c: node sets of the stimuli; the node of that number in the file, -1: there is none. */
int32_t setup_tagged_node(const Mesh *mesh, int64_t tag);
/* Adds SPOT_HIT to those of the nodes that are SPOT_THERE which lie in a box or sphere, or are listed; none is an error. what: "stimulus 'a'". */
enum { SPOT_THERE = 1, SPOT_HIT = 2 };
void setup_spot(const Mesh *mesh, const CaseSpot *on, const char *what, uint8_t *node, Diagnostics *diagnostics);
Status setup_stimuli(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* setup_torso.c: electrodes where the torso or the heart is, which is no place for them. */
Status setup_torso(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
/* Which entry each element of the whole belongs to, [n_element], as was found when the heart was cut out of it; owned by the caller. */
Status setup_torso_regions(const Case *c, const Mesh *torso, int32_t **region);
/* conductor_tensors.c: fibres of entries of `torso:` against the mesh of the whole. */
Status conductors_bind(const Case *c, const Mesh *body, Diagnostics *diagnostics);
/* setup_augment.c: numbers of the elements of an augmented monodomain that lie beside its bath; nothing for others. */
Status setup_augment(const Case *c, const Mesh *mesh, Setup *setup);
void augment_text(const Case *c, const Setup *setup, Text *out);
/* setup_electrodes.c: electrodes of the bidomain, whose currents add up to 0 at all times or have a ground. */
Status setup_electrodes(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
void electrodes_text(const Case *c, const Setup *setup, Text *out);
/* leads.c: setup->lead by solves in the torso, after those of the rules; nothing where there is none. */
Status setup_leads(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup);
/* Physics.rehearse_whole: solves for leads or, kept, one for the potential outside of the cells. */
Status rehearse_torso(const Case *c, const Mesh *part, Exec *exec, Setup *setup, bool kept);
/* setup_layer.c: share[n_node] of each node of `solved`, at least what it was: how much of the node's own layer lies
 * within depth of the group; or, added, the integral of its shape function over the group times its thickness, and in *bad an element of it
 * that is not on the tissue, or -1; solved NULL: all
 * nodes, where the group may be of any dimension but 0. */
Status setup_layer(const Mesh *mesh, const Group *group, double depth, const uint8_t *solved, double *share);
Status setup_areas(const Mesh *mesh, const Group *group, const HeartSetup *own, const uint8_t *solved, double *share,
                   int32_t *bad);
/* Adds the volume that each node stands for, of all elements that conduct, to share[n_node]: positive, as of a lumped mass. */
Status setup_volumes(const Mesh *mesh, const HeartSetup *own, double *share);
/* setup_thick.c: of tissues that have one, once their elements are known; and of element e, an edge or a surface. */
Status setup_thickness(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics);
double heart_thickness(const HeartSetup *own, int32_t e);
/* setup_wave.c: when the case's stimuli start a front at each node, INFINITY: none does; start[n_node]. */
void setup_front_starts(const Case *c, const Setup *setup, int32_t n_node, double *start);
/* A line of these fronts, where there are any, with a warning of nodes that they do not come to before the end. */
void wave_text(const Case *c, const Setup *setup, Text *out);
void setup_warn_wave(const Case *c, const Setup *setup);
/* setup_wave_trees.c: as eikonal_solve, with trees; sweeps are added to those of the report. */
struct Eikonal;
struct EikonalReport;
Status setup_wave_trees(const Case *c, const Mesh *mesh, const Setup *setup, struct Eikonal *eikonal,
                        const double *start, double *time, struct EikonalReport *report);
/* Stimuli behind those of the case, where `eikonal:` is given; after the rules. */
Status setup_wave(const Case *c, const Mesh *mesh, Exec *exec, Setup *setup);
/* setup_capture.c: warnings where a stimulus depends on the mesh or will start no wave; mass as below. */
Status setup_warn_stimuli(const Case *c, const Mesh *mesh, const Setup *setup, const double *mass);
/* setup_plausible.c: conductivities, fibres that nothing uses (`what`: "diffusivity", or "velocity"), and given velocities of
 * fronts, of `physics: eikonal` or of `eikonal:`; factors of parameters that are 0. */
void setup_warn_conductivities(const Case *c);
void setup_warn_fibres(const Case *c, const Mesh *mesh, const char *what);
void setup_warn_velocities(const Case *c, const Mesh *mesh, const Setup *setup, bool eikonal);
void setup_warn_factors(const Case *c);
/* Keys of `solver:` that steps of nodal cells do not go by. */
void setup_warn_solver(const Case *c);
void setup_warn_trees(const Case *c);
void setup_warn_swapped(const Case *c, const Setup *setup, const char *what);
/* setup_initial.c: values value[n_node] of a state, NULL: the potential; what no cell can begin with is an error. */
void setup_check_initial(const Case *c, const Mesh *mesh, const char *state, Place at, const double *value,
                         Diagnostics *diagnostics);
void setup_warn_threshold(const Case *c);
/* setup_protocol.c: times in another unit, trains that a run is too short for; after a run whose case asks for durations, times of
 * activation and their ends [n_node], -1: never. */
void setup_warn_protocol(const Case *c);
bool heart_asks_durations(const Case *c);
void setup_warn_durations(const Case *c, int32_t n_node, const double *activation, const double *end);
/* Of nodes where fronts start, most of all. */
void setup_warn_starts(const Case *c, const Mesh *mesh, const Setup *setup);
/* setup_rest.c: a warning of cells that leave the state they begin in by themselves. */
Status setup_warn_rest(const Case *c, const Setup *setup);
/* After the run, from the times of activation in mesh order, -1: never. */
Status setup_warn_uncaptured(const Case *c, const Mesh *mesh, const Setup *setup, const double *activation,
                             bool by_threshold, bool *told);
/* The name of a stimulus, or "number 2". */
const char *stimulus_name(const CaseStimulus *s, int32_t i, char text[32]);
/* A line per stimulus: pulses, nodes, and volume from the lumped mass of the nodes, mass[n_node]. */
void stimuli_text(const Case *c, const Mesh *mesh, const Setup *setup, const double *mass, Text *out);
/* setup_front.c: warnings where elements or steps are too long for the wave front. */
/* e^T D^-1 e of a symmetric tensor xx yy zz xy yz xz, which is made once for many e. */
typedef struct Form {
  double part[6]; /* of D^-1, xx yy zz and twice xy yz xz */
} Form;
Form form_create(const double D[6]);
double form_value(const Form *form, const double e[3]);
/* The warning of elements; what steps of the case's scheme make of a front is only found. */
Status setup_warn_front(const Case *c, const Mesh *mesh, Setup *setup);
/* setup_speed.c: l, alone, directions and speeds on fine elements of region t; of cells as those of `same`, which is known, or
 * NULL. Then speeds on the mesh, and warnings of those that no heart has. */
Status front_alone(const Case *c, const Setup *setup, int dim, int32_t t, const FrontSpeed *same, FrontSpeed *out);
Status setup_speeds(const Case *c, Setup *setup);
/* A line of these speeds, or one for each tissue where they differ. */
void front_text(const Case *c, const Setup *setup, Text *out);
/* Cells of region t: tissues come first, then trees; and "tissue 'body'". */
const IonicConstants *heart_cells(const Case *c, const Setup *setup, int32_t t);
const char *heart_cells_name(const Case *c, int32_t t, char text[128]);
/* That of steps, by the scheme that is taken. */
Status setup_warn_steps(const Case *c, const WordValue *scheme, const Setup *setup);
/* What the elements of tissue t are on a strand (strand.h): their length in mm by weights as those of setup_direction, and
 * where their reaction is taken. */
void front_elements(const Mesh *mesh, const Setup *setup, int32_t t, const double (*weight)[6], double *length,
                    double *point);
