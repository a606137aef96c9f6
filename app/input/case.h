/* A case: everything that the YAML file (and --set) says, checked by itself, with defaults filled in and the place of
 * every value. What only the mesh can tell (groups, points) is checked in setup.h. */
#pragma once
#include "app/input/schema.h"
#include "physics/elastic_model.h"
#include "physics/ionic.h"

enum { CASE_MAX_PARAMS = 32 }; /* of a material; MATERIAL_MAX_PARAMS */

/* Exactly one of file, grid and image. */
typedef struct CaseMesh {
  Place place;
  TextValue file;
  VectorValue grid;  /* nodes per direction of a structured grid, whole numbers */
  TextValue image;   /* a structured grid with a node for each pixel of it */
  VectorValue size;  /* of the grid; n 0: square cells, the longest side 1; of a file n is 1: of its elements */
  WordValue element; /* of the grid, index into grid_words; text NULL: quads or hexahedra */
  NumberValue scale;
  IntegerValue order, refine; /* order 0: as in the file */
} CaseMesh;

/* How entries of `materials:` start, in every physics. */
typedef struct CaseRegion {
  Place place;
  NamesValue on;
} CaseRegion;

typedef struct CaseCylinder {
  Place place; /* zero: not given */
  VectorValue origin, axis;
} CaseCylinder;

/* Exactly one of x, field and cylinder. */
typedef struct CaseAxes {
  Place place;      /* zero: not given */
  VectorValue x, y; /* directions of axes 1 and 2 */
  TextValue field;
  CaseCylinder cylinder;
} CaseAxes;

typedef struct CaseMaterial {
  Place place;
  NamesValue on;
  WordValue type; /* index into the material registry */
  CaseAxes axes;
  NumberValue value[CASE_MAX_PARAMS]; /* in the order of the registry's table */
  VaryingValue varying[CASE_MAX_PARAMS];
} CaseMaterial;

/* Where the temperature of a body comes from: one of value, field and results. */
typedef struct CaseTemperature {
  Place place;
  ExprValue value;
  TextValue field;
  TextValue results; /* folder of a heat run */
  NumberValue time;  /* place zero: the last one stored */
} CaseTemperature;

typedef struct CaseThermal {
  Place place; /* zero: not given */
  NumberValue reference;
  CaseTemperature temperature;
} CaseThermal;

typedef struct CaseFix {
  Place place;
  ExprValue x, y, z;
} CaseFix;

typedef struct CaseBoundary {
  Place place;
  NamesValue on;
  CaseFix fix;
  FlagValue symmetry;
  ExprsValue traction, force, spring;
  ExprValue pressure;
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
} CaseBody;

typedef struct CaseHeatMaterial {
  Place place;
  NamesValue on;
  TensorValue conductivity;
  NumberValue capacity, thickness; /* capacity is volumetric */
} CaseHeatMaterial;

typedef struct CaseConvection {
  Place place; /* zero: not given */
  ExprValue coefficient, ambient;
} CaseConvection;

typedef struct CaseHeatBoundary {
  Place place;
  NamesValue on;
  ExprValue temperature, flux;
  CaseConvection convection;
} CaseHeatBoundary;

typedef struct CaseSource {
  Place place;
  NamesValue on;
  ExprValue value; /* heat per volume and time */
} CaseSource;

/* States of all models, as ionic_state_count. */
enum {
  N_IONIC_STATES = 0
#define IONIC(name, text, n) +n
#include "physics/ionics.def"
#undef IONIC
};

typedef struct CaseIonic {
  Place place;
  WordValue model;                 /* index into the ionic registry */
  TextValue preset;                /* a name of that model, never NULL after the checks */
  NumberValue value[IONIC_PARAMS]; /* in the order of the registry's table; the preset's where not given */
} CaseIonic;

typedef struct CaseDiffusivity {
  Place place;
  NumberValue along, across, normal; /* place zero: not given */
} CaseDiffusivity;

/* Angles of fibres by rule, in degrees: from the endocardium to the epicardium. */
typedef struct CaseAngles {
  Place place;
  NumberValue endo, epi;
} CaseAngles;

/* Exactly one of field, direction and rule. */
typedef struct CaseFibers {
  Place place; /* zero: not given */
  TextValue field;
  ExprsValue direction;
  WordValue rule; /* text NULL: none; the keys below belong to it */
  NamesValue lv, rv, epi, base, apex;
  VectorValue axis;
  CaseAngles alpha, beta;
} CaseFibers;

/* Entries start as a CaseRegion. */
typedef struct CaseTissue {
  Place place;
  NamesValue on;
  CaseIonic ionic;
  CaseDiffusivity diffusivity;
  CaseFibers fibers, sheets;
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

typedef struct CaseLead {
  Place place;
  TextValue name;
  VectorValue positive, negative; /* n 0: against nothing, far away */
} CaseLead;

typedef struct CaseVelocity {
  Place place;
  TextValue name, from, to; /* names of probes */
} CaseVelocity;

/* Either value or image; the heart has value (the potential) and states. */
typedef struct CaseInitial {
  Place place;
  ExprValue value, state[N_IONIC_STATES];
  TextValue image;       /* stretched over the bounding box of a flat mesh */
  NumberValue low, high; /* of black and white */
} CaseInitial;

typedef struct CaseAdaptive {
  Place place; /* zero: fixed steps */
  NumberValue tolerance, min, max;
} CaseAdaptive;

typedef struct CaseTime {
  Place place; /* zero: steady */
  NumberValue end, step;
  WordValue scheme; /* solver/time/schemes.def */
  CaseAdaptive adaptive;
} CaseTime;

/* Either at (numbers, one or more) or from, to and count. */
typedef struct CaseFrequency {
  Place place;
  NamesValue at;
  NumberValue from, to;
  IntegerValue count;
  WordValue spacing; /* FrequencySpacing (case_harmonic.h) */
} CaseFrequency;

typedef struct CaseDamping {
  Place place;
  NumberValue loss_factor, alpha, beta;
} CaseDamping;

typedef struct CaseAnalysis {
  Place place; /* zero: static */
  WordValue type;
  CaseFrequency frequency; /* Hz */
  CaseDamping damping;
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
  VectorValue at;
  WordValue field; /* ProbeField */
  WordValue part;  /* HarmonicPart (case_harmonic.h) */
} CaseProbe;

typedef struct CaseSum {
  Place place;
  TextValue name;
  NamesValue on;
  WordValue field; /* SumField */
} CaseSum;

typedef enum OutputPrecision { OUTPUT_DOUBLE, OUTPUT_SINGLE } OutputPrecision;
typedef enum OutputCompression { COMPRESSION_NONE, COMPRESSION_FAST } OutputCompression;
typedef struct CaseOutput {
  Place place;
  WordValue precision;    /* OutputPrecision */
  WordValue compression;  /* OutputCompression */
  NumberValue every;      /* simulated time between stored steps; place zero: see docs/case-file.md */
  WordsValue fields;      /* bits of OutputField */
  MapsValue probes;       /* of CaseProbe */
  MapsValue sums;         /* of CaseSum */
  WordsValue maps;        /* bits of HeartMap */
  NumberValue apd;        /* percent; place zero: repolarized below -70 mV */
  MapsValue ecg;          /* of CaseLead */
  MapsValue velocity;     /* of CaseVelocity */
  NumberValue checkpoint; /* simulated time between checkpoints; place zero: only when stopped */
} CaseOutput;

typedef struct CaseExpect {
  Place place;
  TextValue probe, sum, ecg, velocity;
  WordValue quantity; /* ExpectQuantity */
  NumberValue value, rtol, atol;
  NumberValue time;      /* place zero: at the end */
  NumberValue frequency; /* place zero: the last one */
} CaseExpect;

typedef struct Physics Physics; /* app/input/physics.h */

/* Members that the case's physics has no keys for stay zero. */
typedef struct Case {
  Place place;
  const Physics *physics; /* NULL until the file is read */
  IntegerValue version;
  TextValue title, units;
  CaseMesh mesh;
  WordValue physics_word, model; /* model: ElasticModel */
  MapsValue materials, boundary; /* of CaseMaterial and CaseBoundary, or CaseHeatMaterial and CaseHeatBoundary; of
                                  * CaseTissue, and none */
  MapsValue stimuli;             /* of CaseStimulus */
  WordValue reaction;            /* MonodomainScheme */
  MapsValue body, source;        /* of CaseBody, CaseSource */
  CaseThermal thermal;
  CaseAnalysis analysis;
  CaseInitial initial;
  CaseTime time;
  CaseSolver solver;
  CaseOutput output;
  MapsValue expect; /* of CaseExpect */

  char *path;      /* owned, as the user named it */
  char *folder;    /* owned, of the case file, "." or with '/' inside; paths in the case start here */
  char *mesh_path; /* owned; of the image where the mesh is one; "grid" of a plain grid */
  char *text;      /* owned, the file as read, with the --set arguments as comments at the end */
  Tree tree;       /* owned: texts above are views into it */
} Case;

/* In the order of the words in case_elasticity.c. */
typedef enum OutputField {
  OUTPUT_DISPLACEMENT,
  OUTPUT_STRESS,
  OUTPUT_VON_MISES,
  OUTPUT_PRINCIPAL,
  OUTPUT_REACTION,
  OUTPUT_STRAIN_ENERGY,
  OUTPUT_ELEMENT_STRESS,
  OUTPUT_POINT_STRESS,
  N_OUTPUT_FIELDS
} OutputField;
typedef enum ProbeField {
  PROBE_DISPLACEMENT,
  PROBE_STRESS = 3,
  PROBE_VON_MISES = 9,
  PROBE_PRINCIPAL = 10,
  PROBE_REACTION = 13,
  N_PROBE_FIELDS = 16
} ProbeField; /* displacement-x is PROBE_DISPLACEMENT, -y the next ... */
typedef enum SumField { SUM_REACTION, SUM_STRAIN_ENERGY } SumField;

/* In the order of the words in case_heat.c. */
typedef enum HeatField { HEAT_TEMPERATURE, HEAT_FLUX, N_HEAT_FIELDS } HeatField;
typedef enum HeatProbe { HEAT_PROBE_TEMPERATURE, HEAT_PROBE_FLUX, N_HEAT_PROBES = 4 } HeatProbe; /* flux-x, -y, -z */
typedef enum HeatSum { HEAT_SUM_FLOW, HEAT_SUM_CONTENT } HeatSum;

/* In the order of the words in case_monodomain.c. */
typedef enum HeartField {
  HEART_POTENTIAL,
  HEART_STATE,
  N_HEART_FIELDS = HEART_STATE + N_IONIC_STATES /* as ionic_state_word; of those of one name the first is used */
} HeartField;
typedef enum HeartMap { HEART_ACTIVATION, HEART_REPOLARIZATION, HEART_APD, N_HEART_MAPS } HeartMap;
enum { HEART_PROBE_MAP = N_HEART_FIELDS, N_HEART_PROBES = N_HEART_FIELDS + N_HEART_MAPS }; /* fields, then maps */

/* In the order of the words in case_blocks.c; a physics may know the first few only. */
typedef enum ExpectQuantity {
  QUANTITY_UNKNOWNS,
  QUANTITY_ITERATIONS,
  QUANTITY_STRAIN_ENERGY,
  QUANTITY_STEPS
} ExpectQuantity;

/* Reads and checks a case with n_set "key.path=value" arguments on top. ERR_INPUT with every error of the file, sorted
 * by place; ERR_USAGE when a --set argument is at fault. */
Status case_load(const char *path, int n_set, const char *const *set, Case **out);
/* Same from n bytes of text; path is for messages and for the mesh's folder. */
Status case_parse(const char *path, const char *bytes, size_t n, int n_set, const char *const *set, Case **out);
void case_destroy(Case **c);
/* A path of the case file as the program must open it: beside the case file unless absolute. Owned by the caller. */
Status case_path(const Case *c, const char *name, char **out);
/* The resolved case as YAML. */
void case_echo(const Case *c, Text *out);

/* Time between stored steps of a run in time: as given, else every fixed step, or a hundredth of an adaptive run. */
double case_every(const Case *c);
int case_dim(const Case *c); /* 2 or 3 directions; 0 where only the mesh knows */
bool case_axisymmetric(const Case *c);
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
static inline CaseProbe *case_probe(const Case *c, int32_t i) { return (CaseProbe *)c->output.probes.item + i; }
static inline CaseSum *case_sum(const Case *c, int32_t i) { return (CaseSum *)c->output.sums.item + i; }
static inline CaseTissue *heart_tissue(const Case *c, int32_t i) {
  return (CaseTissue *)maps_item(&c->materials, sizeof(CaseTissue), i);
}
static inline CaseStimulus *case_stimulus(const Case *c, int32_t i) { return (CaseStimulus *)c->stimuli.item + i; }
static inline CaseLead *case_lead(const Case *c, int32_t i) { return (CaseLead *)c->output.ecg.item + i; }
static inline CaseVelocity *case_velocity(const Case *c, int32_t i) {
  return (CaseVelocity *)c->output.velocity.item + i;
}
static inline CaseExpect *case_expect(const Case *c, int32_t i) { return (CaseExpect *)c->expect.item + i; }

/* Names of the columns in probes.csv that a sum makes ("left-x"); i below the count returned, name[i] into text. */
int sum_columns(const Case *c, const CaseSum *sum);
const char *sum_column(const Case *c, const CaseSum *sum, int i, char *text, int size);
