/* A case: everything that the YAML file (and --set) says, checked by itself, with defaults filled in and the place of
 * every value. What only the mesh can tell (groups, points) is checked in setup.h. */
#pragma once
#include "app/input/case_active.h"
#include "app/input/case_adapt.h"
#include "app/input/case_axes.h"
#include "app/input/case_cells.h"
#include "app/input/case_circulation.h"
#include "app/input/case_constraint.h"
#include "app/input/case_function.h"
#include "app/input/case_region.h"
#include "app/input/case_leads.h"
#include "app/input/case_material.h"
#include "app/input/case_time.h"
#include "app/input/case_words.h"
#include "app/input/made.h"
#include "physics/elastic_model.h"
#include "physics/ionic.h"

enum { CASE_MAX_PARAMS = PARAM_MOST };

/* Exactly one of file, grid and image. */
typedef struct CaseMesh {
  Place place;
  TextValue file, image; /* image: of a structured grid with a node for each pixel of it */
  VectorValue grid;      /* nodes per direction of a structured grid, whole numbers */
  VectorValue size;      /* of the grid; n 0: square cells, the longest side 1; of a file n is 1: of its elements */
  WordValue element;     /* of the grid, index into grid_words; text NULL: quads or hexahedra */
  FactorsValue gmsh;     /* parameters of a .geo */
  NumberValue scale;
  IntegerValue order, refine; /* order 0: as in the file */
  MapsValue regions;          /* of CaseMeshRegion, made one after the other */
} CaseMesh;

/* How entries of `materials:` start, in every physics. */
typedef struct CaseRegion {
  Place place;
  NamesValue on;
} CaseRegion;

typedef struct CaseMaterial {
  Place place;
  NamesValue on;
  WordValue name, type; /* of the library, place zero: none; index into the material registry */
  CaseAxes axes;
  CaseTest curve;
  CaseActive active;
  CaseStrength strength;
  CaseStress initial;
  NumberValue viscosity;              /* of stress eta dE/dt */
  NumberValue value[CASE_MAX_PARAMS]; /* in the order of the registry's table */
  VaryingValue varying[CASE_MAX_PARAMS];
  ParamCurves curves;
} CaseMaterial;

typedef struct CaseFix {
  Place place;
  ExprValue x, y, z;
} CaseFix;

typedef struct CaseBoundary {
  Place place;
  NamesValue on;
#define ACT(type, member, ...) type member;
#include "app/input/acts.def"
  FlagValue follower, closes; /* of pressure; place zero: as the strain says. Of a tie */
  NumberValue phase;          /* degrees, of vibrations */
  NumberValue reach;          /* of a tie or pair; place zero: as the facets' size says */
  CaseRotate rotate;          /* of a periodic pair */
  CaseWindow window;
} CaseBoundary;

typedef struct CaseCentrifugal {
  Place place; /* zero: not given */
  VectorValue origin, axis;
  NumberValue speed; /* radians per time */
} CaseCentrifugal;

typedef struct CaseBody {
  Place place;
  NamesValue on;
  ExprsValue gravity;
  CaseCentrifugal centrifugal;
  CaseWindow window;
} CaseBody;

/* What acts in a load case; supports are common to all, and what they prescribe may differ. */
typedef struct CaseLoadCase {
  Place place;
  TextValue name;
  MapsValue boundary, body; /* of CaseBoundary, CaseBody */
  CaseThermal thermal;
} CaseLoadCase;

typedef struct CaseCombination {
  Place place;
  TextValue name;
  FactorsValue factors; /* of load cases */
} CaseCombination;

/* In the order of the words in case_load_cases.c. */
typedef enum EnvelopeField {
  ENVELOPE_VON_MISES,
  ENVELOPE_TENSION,
  ENVELOPE_COMPRESSION,
  ENVELOPE_DISPLACEMENT,
  ENVELOPE_SAFETY
} EnvelopeField;
typedef struct CaseEnvelope {
  Place place;
  TextValue name;
  NamesValue of;   /* load cases and combinations */
  WordValue field; /* EnvelopeField */
} CaseEnvelope;

typedef struct CaseHeatMaterial {
  Place place;
  NamesValue on;
  WordValue name; /* of the library, place zero: none */
  TensorValue conductivity;
  VaryingValue conductivity_varying; /* the same in all directions */
  NumberValue capacity, thickness;   /* capacity is volumetric */
} CaseHeatMaterial;

typedef struct CaseConvection {
  Place place; /* zero: not given */
  ExprValue coefficient, ambient;
} CaseConvection;

typedef struct CaseHeatBoundary {
  Place place;
  NamesValue on;
#define ACT(type, member, ...) type member;
#include "app/input/heat_acts.def"
} CaseHeatBoundary;

typedef struct CaseSource {
  Place place;
  NamesValue on;
  ExprValue value; /* heat per volume and time */
} CaseSource;

typedef struct CaseDiffusivity {
  Place place;
  NumberValue along, across, normal; /* place zero: not given; NaN: it varies */
  VaryingValue varying[3];           /* place alone: by conductivities that vary */
} CaseDiffusivity;

/* In the place of diffusivities, which the checks make of it: then its place is zero. */
typedef struct CaseConductivity {
  Place place;              /* zero: not given */
  VectorValue intra, extra; /* S/m: one, or along, across, normal */
  VaryingValue intra_varying[3], extra_varying[3];
  NumberValue surface, capacitance;
} CaseConductivity;

/* Entries start as a CaseRegion. */
typedef struct CaseTissue {
  Place place;
  NamesValue on;
  CaseIonic ionic;
  CaseDiffusivity diffusivity; /* place zero: not given, before the checks only */
  CaseConductivity conductivity;
  NumberValue velocity; /* along the fibres, of fronts that stimulate; place zero: not given; NaN: it varies */
  VaryingValue velocity_varying;
  CaseFibers fibers, sheets;
  CaseStretchCurrent stretch_current; /* beside muscle */
  NumberValue thickness;              /* of a flat mesh, mm */
} CaseTissue;

typedef struct CaseBox {
  Place place; /* zero: not given */
  VectorValue min, max;
} CaseBox;

typedef struct CaseSphere {
  Place place; /* zero: not given */
  VectorValue center;
  NumberValue radius;
} CaseSphere;

/* Exactly one of its members. */
typedef struct CaseSpot {
  Place place;
  NamesValue group;
  CaseBox box;
  CaseSphere sphere;
  NamesValue nodes; /* numbers of the mesh file */
} CaseSpot;

typedef struct CaseStimulus {
  Place place;
  TextValue name;
  CaseSpot on;
  NumberValue start, duration, period; /* period: place zero when there is one pulse */
  NumberValue amplitude, current;      /* one of them: in the volume, per area of the surface */
  NumberValue depth;                   /* of a layer below a surface; place zero: the nodes themselves */
  IntegerValue count;                  /* pulses; place zero: as many as the run has time for */
} CaseStimulus;

/* Cells of a heart are paced before the run, each alone. */
typedef struct CasePrepace {
  Place place; /* zero: they start at rest */
  NumberValue cycle, amplitude, duration;
  IntegerValue beats;
} CasePrepace;

/* Fronts of given velocities stimulate the nodes of a heart. */
typedef struct CaseEikonal {
  Place place; /* zero: they do not */
  NumberValue amplitude, duration;
} CaseEikonal;

/* Either value or image; the heart has value (the potential) and states. */
typedef struct CaseInitial {
  Place place;
  ExprValue value, state[N_IONIC_STATES];
  ExprsValue displacement, velocity; /* of elasticity in time */
  TextValue field;                   /* of heat: data of the mesh on nodes */
  TextValue image;                   /* stretched over the bounding box of a flat mesh */
  NumberValue low, high;             /* of black and white */
} CaseInitial;

/* Either at (numbers, one or more) or from, to and count. */
typedef struct CaseFrequency {
  Place place;
  NamesValue at;
  NumberValue from, to;
  IntegerValue count;
  WordValue spacing; /* FrequencySpacing (case_elasticity.h) */
  NumberValue bias;  /* between natural frequencies */
} CaseFrequency;

typedef struct CaseDamping {
  Place place;
  NumberValue loss_factor, alpha, beta;
  NamesValue ratio; /* of modes, in shares of critical damping: one for all, or of the first, second, ... */
} CaseDamping;

typedef struct CaseAnalysis {
  Place place; /* zero: static */
  WordValue type;
  CaseFrequency frequency; /* Hz */
  CaseDamping damping;
  IntegerValue modes;
  WordValue method, remainder; /* of responses */
  NamesValue diameters;        /* nodal diameters of a sector (modal_diameter) */
  FlagValue prestress;
  NumberValue rho_infinity, hht;
} CaseAnalysis;

typedef struct CasePreconditioner {
  Place place;
  WordValue type;
  IntegerValue degree;                /* 0: the solver's default */
  NumberValue value[CASE_MAX_PARAMS]; /* in the order of the type's table in the registry; none for auto */
} CasePreconditioner;

/* 0 and NULL: chosen by the format. */
typedef struct CaseFormat {
  Place place;
  WordValue type, variant;
  IntegerValue slice, threads, threshold, window;
} CaseFormat;

typedef struct CaseSolver {
  Place place;
  WordValue method;
  NumberValue rtol;
  IntegerValue max_iterations; /* 0: chosen from the size */
  CasePreconditioner preconditioner;
  WordValue precision;
  CaseFormat format;
  WordValue numbering; /* 0: auto, else MeshOrder + 1 */
} CaseSolver;

typedef struct CaseProbe {
  Place place;
  TextValue name;
  TextValue on; /* of a heart: a tree, whose nearest node it is */
  VectorValue at;
  WordValue field;   /* ProbeField */
  IntegerValue beat; /* of a heart: which one of a map; place zero: the first */
  WordValue part;    /* HarmonicPart (case_harmonic.h) */
  VectorValue to;    /* n 0: of a point, else of the line from `at` to this one */
  WordValue take;    /* LinePart (elastic.h), of lines */
} CaseProbe;

/* A plane; its normal has any length. */
typedef struct CaseCut {
  Place place;
  VectorValue at, normal;
} CaseCut;
typedef struct CaseSum {
  Place place;
  TextValue name;
  NamesValue on;
  WordValue field;   /* SumField */
  VectorValue about; /* the point of a moment */
  CaseCut cut;       /* of a section; place zero: none */
} CaseSum;

typedef enum TableTotal { TOTAL_NONE, TOTAL_WITH, TOTAL_ONLY } TableTotal;
typedef struct CaseTable {
  Place place;
  NamesValue on;
  WordValue field;       /* of the physics: a word of its table of them */
  FlagValue local;       /* in the directions of the next */
  WordValue total;       /* TableTotal */
  NamesValue load_cases; /* n 0: of all */
  NamesValue steps;      /* of a chain; n 0: of all */
  NumberValue time;      /* in its head; place zero: the number of the step */
} CaseTable;
/* Directions that local tables are in, of nodes or of the integration points of elements. */
typedef struct CaseDirections {
  Place place;
  NamesValue on;
  WordValue of; /* 0: elements, 1: nodes */
  TextValue name;
  CaseAxes axes;
} CaseDirections;

typedef struct CaseOutput {
  Place place;
  WordValue precision, compression;       /* OutputPrecision, OutputCompression */
  NumberValue every, sample, loop_sample; /* simulated time between stored steps; place zero: see docs/case-file.md */
  NamesValue loops;                       /* of a body with cavities */
  WordsValue fields;                      /* bits of OutputField */
  MapsValue probes, sums;                 /* of CaseProbe, of CaseSum */
  MapsValue tables, directions;           /* of CaseTable, of CaseDirections */
  MapsValue maps;                         /* of CaseMap; in a body with cells: */
  WordsValue cell_maps;                   /* elastic_map_words */
  NumberValue threshold;                  /* mV, of activation */
  NumberValue apd;                        /* percent; place zero: repolarized below -70 mV */
  CasePhase phase;
  MapsValue ecg; /* of CaseLead */
  CaseElectrodes electrodes;
  NumberValue medium;     /* S/m, around the heart; place zero: leads are not in mV */
  FlagValue torso;        /* potentials of heart and torso in files of their own */
  MapsValue velocity;     /* of CaseVelocity */
  NumberValue checkpoint; /* simulated time between checkpoints; place zero: only when stopped */
  FlagValue peaks;        /* over all steps */
} CaseOutput;

typedef struct CaseExpect {
  Place place;
  TextValue probe, sum, ecg, velocity;
  TextValue loop;     /* of a chamber, with a quantity of its last beat */
  WordValue quantity; /* ExpectQuantity */
  NumberValue value, rtol, atol;
  NumberValue time;      /* place zero: at the end */
  NumberValue frequency; /* place zero: the last one */
  TextValue load_case;   /* text NULL: the last step */
  IntegerValue mode;     /* likewise */
} CaseExpect;

typedef struct Physics Physics; /* app/input/physics.h */

/* Members that the case's physics has no keys for stay zero. */
typedef struct Case {
  Place place;
  const Physics *physics; /* NULL until the file is read */
  IntegerValue version;
  TextValue title, units;
  CaseMesh mesh;
  WordValue physics_word, model;        /* model: ElasticModel */
  WordValue formulation, strain;        /* of elasticity; strain: 0 small, 1 finite */
  MapsValue materials, boundary;        /* of CaseMaterial, CaseBoundary, or what a physics has for them */
  MapsValue tissue;                     /* of CaseTissue, beside materials that are muscle */
  struct Case *heart;                   /* owned; with it: the cells as a case, whose lists are those of this one */
  NamesValue without;                   /* groups of a heart's mesh that are left out */
  WordValue heart_model;                /* 0 monodomain, 1 bidomain, 2 augmented */
  TextValue reference;                  /* of its extracellular potential: tissue (NULL too), all, or a node */
  MapsValue bath;                       /* of CaseTorso: the bidomain's, of which its torso is a view once it is read */
  MapsValue torso, stimuli, electrodes; /* of CaseTorso, CaseStimulus, CaseElectrode */
  WordValue reaction, conduction;       /* MonodomainScheme; beside muscle: 0 with the tissue, 1 in space */
  NumberValue mass;                     /* of a heart: share of the consistent one */
  CasePrepace prepace;
  CaseEikonal eikonal;
  MapsValue purkinje;                /* of CasePurkinje; n 0 in other physics */
  MapsValue layers;                  /* of CaseLayers: surfaces of a heart that are coupled */
  MapsValue body, source, functions; /* of CaseBody, CaseSource, CaseFunction */
  CaseThermal thermal;
  MapsValue equations, springs;                  /* of CaseEquation, CaseSpring */
  MapsValue load_cases, combinations, envelopes; /* of CaseLoadCase, CaseCombination, CaseEnvelope */
  CaseAnalysis analysis;
  CaseInitial initial;
  CaseTime time, single;              /* single: `time:` of load steps, which `steps` may stand for */
  MapsValue steps;                    /* of CaseStep */
  MapsValue contact, bolts, cavities; /* of CaseContact, CaseBolt (case_elasticity.h), CaseCavity */
  CaseCirculation circulation;
  FactorsValue unload; /* pressures of cavities in the mesh as it is, kPa, and tolerance; n 0: it is without load */
  CaseChain *chain;    /* owned; NULL: `boundary` and `body` are all that acts */
  CaseRise rise;       /* of these */
  CaseSolver solver;
  CaseAdapt adapt;
  CaseOutput output;
  MapsValue expect;    /* of CaseExpect */
  ExprTables tables;   /* owned: functions, in their order */
  uint64_t files_hash; /* of files beside the mesh that the case names, as they were read; 0: none */
  char *path;          /* owned, as the user named it */
  char *folder;        /* owned, of the case file, "." or with '/' inside; paths in the case start here */
  char *mesh_path;     /* owned; of the image where the mesh is one; "grid" of a plain grid */
  char *text;          /* owned, the file as read, with the --set arguments as comments at the end */
  Tree tree;           /* owned: texts above are views into it */
  CaseMade *made;      /* owned; NULL: read from a case file */
} Case;

/* Reads and checks a case ("-": stdin) with n_set "key.path=value" arguments on top. ERR_INPUT with every error of the file, sorted
 * by place; ERR_USAGE when a --set argument is at fault. */
Status case_load(const char *path, int n_set, const char *const *set, Case **out);
/* Same from n bytes of text; path is for messages and for the mesh's folder. */
Status case_parse(const char *path, const char *bytes, size_t n, int n_set, const char *const *set, Case **out);
/* Same, of a text that was made: messages have the places of its lines. Takes `made`, whatever comes. */
Status case_parse_made(const char *path, const char *bytes, size_t n, int n_set, const char *const *set, CaseMade *made,
                       Case **out);
void case_destroy(Case **c);
/* A path of the case file as the program must open it: beside the case file unless absolute. Owned by the caller. */
Status case_path(const Case *c, const char *name, char **out);
/* The resolved case as YAML. */
void case_echo(const Case *c, Text *out);
void case_echo_brief(const Case *c, Text *out); /* without what presets say */
/* Time between stored steps of a run in time: as given, else every fixed step, or a hundredth of an adaptive run. */
double case_every(const Case *c);
int case_dim(const Case *c); /* 2 or 3 directions; 0 where only the mesh knows */
bool case_axisymmetric(const Case *c);
/* value[PARAM_MOST + PARAM_CURVES], as the table of the material has them. */
static inline void case_material_numbers(const CaseMaterial *m, double *value) {
  for (int k = 0; k < PARAM_MOST; ++k) value[k] = m->value[k].value;
  for (int k = 0; k < PARAM_CURVES; ++k) value[PARAM_MOST + k] = m->curves.item[k];
}
static inline CaseMaterial *case_material(const Case *c, int32_t i) {
  return (CaseMaterial *)maps_item(&c->materials, sizeof(CaseMaterial), i);
}
static inline CaseBoundary *case_boundary(const Case *c, int32_t i) {
  return (CaseBoundary *)maps_item(&c->boundary, sizeof(CaseBoundary), i);
}
static inline CaseHeatMaterial *heat_material(const Case *c, int32_t i) {
  return (CaseHeatMaterial *)maps_item(&c->materials, sizeof(CaseHeatMaterial), i);
}
static inline CaseHeatBoundary *heat_boundary(const Case *c, int32_t i) {
  return (CaseHeatBoundary *)maps_item(&c->boundary, sizeof(CaseHeatBoundary), i);
}
static inline CaseSource *case_source(const Case *c, int32_t i) { return (CaseSource *)c->source.item + i; }
static inline CaseBody *case_body(const Case *c, int32_t i) { return (CaseBody *)c->body.item + i; }
static inline CaseStep *case_step(const Case *c, int32_t i) {
  return (CaseStep *)maps_item(&c->steps, sizeof(CaseStep), i);
}
/* What acts over all steps. */
static inline const MapsValue *case_acting(const Case *c) { return c->chain ? &c->chain->boundary : &c->boundary; }
static inline const MapsValue *case_acting_body(const Case *c) { return c->chain ? &c->chain->body : &c->body; }
static inline CaseLoadCase *case_load_case(const Case *c, int32_t i) {
  return (CaseLoadCase *)maps_item(&c->load_cases, sizeof(CaseLoadCase), i);
}
static inline CaseCombination *case_combination(const Case *c, int32_t i) {
  return (CaseCombination *)maps_item(&c->combinations, sizeof(CaseCombination), i);
}
static inline CaseEnvelope *case_envelope(const Case *c, int32_t i) {
  return (CaseEnvelope *)maps_item(&c->envelopes, sizeof(CaseEnvelope), i);
}
static inline CaseEquation *case_equation(const Case *c, int32_t i) {
  return (CaseEquation *)maps_item(&c->equations, sizeof(CaseEquation), i);
}
static inline CaseSpring *case_spring(const Case *c, int32_t i) {
  return (CaseSpring *)maps_item(&c->springs, sizeof(CaseSpring), i);
}
/* Load cases, then combinations, then envelopes: the steps 1, 2 ... of the result; 0 where there are no load cases. */
int32_t case_load_steps(const Case *c);
/* Name of step k from 1 on; number of the step of that name, 0: there is none. */
const TextValue *case_load_step(const Case *c, int32_t k);
int32_t case_load_step_find(const Case *c, const char *name);
static inline CaseProbe *case_probe(const Case *c, int32_t i) { return (CaseProbe *)c->output.probes.item + i; }
static inline CaseSum *case_sum(const Case *c, int32_t i) { return (CaseSum *)c->output.sums.item + i; }
static inline CaseTissue *heart_tissue(const Case *c, int32_t i) {
  return (CaseTissue *)maps_item(&c->materials, sizeof(CaseTissue), i);
}
static inline CasePurkinje *case_tree(const Case *c, int32_t i) {
  return (CasePurkinje *)maps_item(&c->purkinje, sizeof(CasePurkinje), i);
}
static inline CaseTorso *case_torso(const Case *c, int32_t i) { return (CaseTorso *)c->torso.item + i; }
static inline CaseTorso *case_bath(const Case *c, int32_t i) { return (CaseTorso *)c->bath.item + i; }
static inline CaseStimulus *case_stimulus(const Case *c, int32_t i) { return (CaseStimulus *)c->stimuli.item + i; }
/* Leads: those of `ecg:`, then the twelve of `electrodes:`, I II III aVR aVL aVF V1 to V6. */
int32_t case_leads(const Case *c);
const TextValue *case_lead_title(const Case *c, int32_t i);
static inline CaseMap *case_map(const Case *c, int32_t i) { return (CaseMap *)c->output.maps.item + i; }
static inline CaseLead *case_lead(const Case *c, int32_t i) { return (CaseLead *)c->output.ecg.item + i; }
static inline CaseVelocity *case_velocity(const Case *c, int32_t i) {
  return (CaseVelocity *)c->output.velocity.item + i;
}
static inline CaseExpect *case_expect(const Case *c, int32_t i) { return (CaseExpect *)c->expect.item + i; }
static inline CaseTable *case_table(const Case *c, int32_t i) { return (CaseTable *)c->output.tables.item + i; }
static inline CaseDirections *case_directions(const Case *c, int32_t i) {
  return (CaseDirections *)c->output.directions.item + i;
}
/* Whether displacements of nodes depend on each other (ties, periodic pairs, equations). */
bool case_has_constraints(const Case *c);
/* Names of the columns in probes.csv that a sum makes ("left-x"); i below the count returned, name[i] into text. */
int sum_columns(const Case *c, const CaseSum *sum);
const char *sum_column(const Case *c, const CaseSum *sum, int i, char *text, int size);
