/* Between the files of the translation of decks. */
#pragma once
#include "app/deck/deck_bolt.h"
#include "app/deck/deck_initial.h"
#include "app/deck/deck_pair.h"
#include "app/deck/deck_points.h"
#include "app/deck/deck.h"

enum { DECK_VALUES = 3, DECK_CONSTANTS = 21, DECK_NAME = 200 };

/* A line of data (or a card) that something comes from. */
typedef struct DeckRow {
  int32_t file;
  int64_t at;
  const InpSet *set; /* of nodes, where the row names one; NULL: a single node */
  const char *name;  /* of a surface or set of elements, for groups of faces; NULL: none */
  int32_t amplitude; /* 1 + that of a load, of an acceleration with a minus; 0: none */
  int32_t step;      /* that it stands in; 0: none */
  bool stays;        /* of a support: it holds what is displaced by then, *BOUNDARY with FIXED */
} DeckRow;

/* Values at nodes, of which the last row counts; of loads the rows of a step add up. NaN: none. */
typedef struct DeckNodes {
  double (*value)[DECK_VALUES]; /* owned, [n_node] */
  int32_t (*row)[DECK_VALUES];  /* owned, [n_node] */
  int32_t n;                    /* rows; 0: the arrays are NULL */
  int32_t step, renewed;        /* the last one that said anything, and that said OP=NEW */
} DeckNodes;

typedef enum DeckFaceLoad { DECK_PRESSURE, DECK_FLUX, DECK_FILM } DeckFaceLoad;
typedef struct DeckFace {
  DeckFaceLoad load;
  InpFacet facet;
  double value[2]; /* of a film: ambient, coefficient */
  bool ahead;      /* a quarter of a period: LOAD CASE=2 of vibrations */
  int32_t row, step, amplitude;
} DeckFace;

typedef enum DeckBodyLoad { DECK_GRAVITY, DECK_CENTRIFUGAL, DECK_SOURCE } DeckBodyLoad;
typedef struct DeckBody {
  DeckBodyLoad load;
  const char *on;    /* a group of elements, or of masses */
  const InpSet *set; /* that it is; NULL: `element` alone */
  int32_t element;
  bool masses;
  double value[7]; /* the amount; behind it the direction of gravity, or point and direction of the axis */
  int32_t row, step;
} DeckBody;

/* What is said at nodes. Those up to DECK_STEP_KINDS belong to a step. */
typedef enum DeckKind {
  DECK_FIX,
  DECK_FORCE,
  DECK_AHEAD, /* forces of LOAD CASE=2 */
  DECK_TEMPERATURE,
  DECK_TURN, /* rotations and moments of reference nodes */
  DECK_MOMENT,
  DECK_STEP_KINDS,
  DECK_INITIAL = DECK_STEP_KINDS, /* temperature */
  DECK_VELOCITY,
  DECK_HELD, /* supports in x, y and z of nodes that were transformed later */
  DECK_KINDS
} DeckKind;

/* What acts at the end of a step, of which there may be several in statics: each is a load case. */
typedef struct DeckStep {
  int32_t row;
  double end;                                    /* its time in tables, over all steps */
  double period, first_step, min_step, max_step; /* of *STATIC */
  double creep_most;                             /* as in DeckProcedure */
  bool direct, moves, small, still; /* *DYNAMIC; without NLGEOM, before others with it; *STATIC beside *VISCO */
  DeckNodes nodes[DECK_STEP_KINDS]; /* owned, at its end */
  DeckFace *face;                   /* owned, each face once for a kind of load */
  DeckBody *body;                   /* owned */
  int32_t n_face, n_body;
} DeckStep;

typedef enum DeckElastic {
  DECK_NO_ELASTIC,
  DECK_ISOTROPIC,
  DECK_ENGINEERING,
  DECK_ORTHOTROPIC,
  DECK_ANISOTROPIC,
  DECK_RUBBER
} DeckElastic;
/* Constants over the temperature. */
typedef struct DeckTable {
  int32_t row, n;
  int need;      /* constants of a row, behind which its temperature stands */
  double *value; /* owned, [n][need + 1], ascending in temperature */
} DeckTable;
typedef enum DeckTableKind {
  DECK_ELASTICITY,
  DECK_EXPANSION,
  DECK_DENSITY,
  DECK_CONDUCTIVITY,
  DECK_HEAT_CAPACITY,
  DECK_TABLES
} DeckTableKind;

enum { DECK_PLASTIC = 7000, DECK_WARM_MOST = 24, DECK_PAIRS = 50 * DECK_WARM_MOST, DECK_EXPANSION_TEXT = 6500 };
typedef struct DeckMaterial {
  const char *name; /* view */
  int32_t card;
  DeckTable table[DECK_TABLES];
  double zero;                       /* of the table of expansion */
  bool young_field, expansion_field; /* at the nodes: "young-NAME" and "poisson-NAME", "expansion-NAME" */
  DeckElastic elastic;
  char rubber[400]; /* its text in the case */
  char yield[DECK_PLASTIC], backstress[DECK_PLASTIC], saturation[100],
      creep[2 * DECK_PAIRS + 60]; /* likewise, each ", key: ..."; "" without */
  bool combined, warm, yields;    /* warm: any of these at several temperatures; yields: under any stress */
  int32_t plastic_row, creep_row;
  double moduli[DECK_CONSTANTS], expansion[3], conductivity[6], density, heat;
  int n_expansion, n_conductivity; /* 0: not given */
  bool has_density, has_heat;
} DeckMaterial;

typedef struct DeckAxes {
  const char *name; /* view */
  bool cylinder;
  double a[3], b[3];
} DeckAxes;

/* A reference node and those that it stands for: a rigid group, or one over which its loads are spread by weight. */
typedef struct DeckWeight {
  int32_t node;
  double weight;
} DeckWeight;
typedef struct DeckHub {
  bool rigid;
  bool spin;          /* its direction 1 is the mean rotation of its nodes about the axis from the origin to it */
  bool mean;          /* displaced as its nodes in the mean, wherever it lies: bears no moment */
  bool open[6];       /* directions that *DISTRIBUTING leaves out: nothing may act in them */
  bool moves, pushed; /* what is prescribed, the force changes from step to step */
  const char *on;     /* view: the group of its nodes; NULL: not made yet */
  int32_t row, node, n;
  int32_t turn;     /* the node whose displacements are the rotations; -1: none */
  DeckWeight *item; /* owned */
} DeckHub;

/* Sum of factor times displacement = value; in x, y and z. */
typedef struct DeckTerm {
  int32_t node;
  int component;
  double factor;
} DeckTerm;
typedef enum DeckBegin { DECK_AT_ONCE, DECK_OVER_STEP, DECK_STAYS } DeckBegin;
typedef struct DeckEquation {
  int32_t row, first; /* terms up to those of the next one */
  double value;
  const char *keep;        /* a condition of the places of the nodes, whose terms say nothing else; NULL: linear */
  int32_t axis;            /* of a rotation: the node through which that goes from the origin */
  int32_t from, until;     /* the first step with it, and the first one without it; 0: none */
  DeckBegin begin;         /* how it comes to its value in the first one, where there are others before */
  int32_t node, component; /* of *EQUATION: the first term as the deck has it; node -1: of no such card */
} DeckEquation;

typedef struct DeckSection {
  const InpSet *on;
  const char *material, *axes; /* names; axes NULL: none */
  double thickness;            /* 0: not given */
  int32_t row;
} DeckSection;

typedef struct DeckAmplitude {
  const char *name; /* view */
  int32_t n, row;
  double (*point)[2]; /* owned */
  bool total;         /* over the time of all steps */
  bool follows;       /* loads in time or over the frequency do */
} DeckAmplitude;

typedef struct DeckPrint {
  const char *on;    /* a group */
  const char *field; /* word of output.tables */
  const char *total; /* its word; NULL: none */
  const InpSet *set;
  bool of_nodes, global;    /* global: in x, y and z */
  int32_t row, first, last; /* steps that it is of; last 0: to the last one */
} DeckPrint;

typedef enum DeckAnalysis {
  DECK_NO_ANALYSIS,
  DECK_STATIC,
  DECK_HEAT,
  DECK_MODES,
  DECK_BUCKLING,
  DECK_DYNAMIC,
  DECK_STEADY_STATE, /* by the modes of the step before, as is the next */
  DECK_MODAL_DYNAMIC
} DeckAnalysis;

typedef struct DeckGroup {
  InpGroup group;
  char *name;     /* owned */
  void *item;     /* owned; NULL: borrowed of the deck */
  const void *of; /* the set or surface that it is */
} DeckGroup;

/* Where in the deck the reading is. */
typedef struct DeckNow {
  bool in_step, has_procedure, perturbation; /* perturbation: of the step */
  bool reset, once, ramps; /* TIME RESET: the step ends where the one before did; AMPLITUDE= STEP, RAMP of its *STEP */
  int32_t step_row;
  int32_t amplitude;  /* of the card, as in DeckRow */
  int32_t heated_row; /* 1 + one of a temperature by an amplitude over the time of a step before */
  double total_time;  /* at the end of the step before */
} DeckNow;

/* What is solved. */
typedef struct DeckProcedure {
  DeckAnalysis analysis;
  int32_t row;
  bool steady, large;   /* large: NLGEOM */
  bool flows;           /* a material is plastic: load steps, and loads in t */
  bool touches;         /* a pair of surfaces that is not tied: load steps, likewise */
  bool resupports;      /* supports of linear steps begin or end in later ones: load steps, of their ends alone */
  bool creeps, viscous; /* a step of the deck is *VISCO, in true time; this one is */
  int32_t at_once;      /* the amplitude of rows of the step that have none, as in DeckRow; 0: there is none */
  int32_t once, ramp;   /* amplitudes for that, 1 + place; 0: not made */
  double creep_most;    /* plastic strain that an increment may add; 0: any */
  bool prestress;       /* modes under the stress of the static step before */
  bool direct;          /* fixed steps */
  int32_t n_card;       /* of *STEP, in all of the deck */
  bool follows, moves;  /* a card of the deck has AMPLITUDE=, is *DYNAMIC */
  bool goes_large;      /* a *STEP of the deck has NLGEOM */
  double period, first_step, min_step, max_step;
  int64_t n_mode, diameter[2]; /* of modes, the first and last nodal diameter of sectors; both 0: no other */
  double frequency[2], bias;
  int n_frequency;
  bool damped;
  double alpha, beta; /* of *DAMPING, by the mass and by the stiffness */
  double hht;         /* ALPHA of *DYNAMIC */
  double *ratio;      /* owned, [n_mode], NULL: none: shares of critical damping */
} DeckProcedure;

/* What is there: all lists owned. */
typedef struct DeckModel {
  InpFamily family;
  const InpType *linear; /* of a linear quadrilateral or hexahedron; NULL: there is none */
  DeckMaterial *material;
  DeckAxes *axes;
  DeckSection *section;
  DeckAxes *frame;   /* of *TRANSFORM */
  int32_t *frame_of; /* [n_node]: 1 + place in frame; 0, or all NULL: x, y and z */
  DeckHub *hub;
  int32_t *hub_of; /* [n_node]: 1 + that of a reference node, -1: that of a bolt; NULL: there are none */
  DeckEquation *equation;
  DeckTerm *term;
  DeckTie *tie;
  DeckInteraction *interaction;
  DeckPair *pair;
  DeckBolt *bolt;
  DeckMass *mass;
  DeckSpring *spring;
  int32_t n_mass, n_spring, n_bolt, n_interaction, n_pair, n_tie, n_material, n_axes, n_section, n_frame, n_hub,
      n_equation, n_term;
} DeckModel;

/* What acts now, beside what is said at nodes: all lists owned. */
typedef struct DeckActs {
  DeckAmplitude *amplitude;
  DeckFace *face;
  DeckBody *body;
  int32_t n_amplitude, n_face, room_face, n_body;
  DeckStresses begins;
  int32_t step, renewed;                /* of faces and bodies, as those of DeckNodes */
  bool has_temperature, velocity_field; /* initial velocities differ from node to node */
} DeckActs;

typedef struct DeckTables {
  DeckPrint *item; /* owned */
  int32_t n;
  int32_t step[2]; /* the last one with a print of elements, of nodes */
  int32_t row;     /* of FREQUENCY= */
  int64_t every;   /* the last FREQUENCY= of the step; 0: none */
} DeckTables;

/* The text of the case. */
typedef struct DeckText {
  const char *indent;  /* of entries */
  const char *heading; /* to be written in front of what follows */
  int32_t heading_row, n_line;
  double begin; /* when the step that is written begins */
  Text text;
  Place *place; /* owned, of each line */
} DeckText;

typedef struct Deck {
  InpDeck *inp;
  const InpCard *card; /* being read */
  char *title;         /* owned */
  DeckRow *row;        /* owned */
  DeckGroup *group;    /* owned */
  DeckStep *step;      /* owned, [n_kept]: n_step when all is read */
  int32_t n_step, n_row, n_group, n_kept;
  DeckNodes nodes[DECK_KINDS]; /* owned */
  DeckNow now;
  DeckProcedure procedure;
  DeckModel model;
  DeckActs acts;
  DeckTables tables;
  DeckText out;
} Deck;

/* Each card, with the file that reads it. */
#define CARD(name, parameters, read) Status deck_card_##read(Deck *d);
#define CARD_TOO(name, parameters, read) /* read as another one */
#define CARD_PASSED(name, parameters)    /* says nothing that a case needs, or the mesh has it */
#include "app/deck/cards.def"
/* deck_keywords.c */
Status deck_read(Deck *d);
bool deck_is_heat(const Deck *d);
int deck_dim(const Deck *d); /* 2 or 3 */

/* deck_text.c: the text of the case. One line, with the place of a row (-1: the beginning of the deck). */
Status deck_write(Deck *d, int32_t row, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A name in double quotes. */
const char *deck_quote(const char *name, char text[2 * DECK_NAME + 3]);
bool deck_has_cases(const Deck *d); /* several steps of statics */
Status deck_write_case(Deck *d, const char *mesh_file);
void deck_list(char *text, size_t size, int n, const double *value); /* "[1, 2]" */
/* "[[x, y], [x, y]]", of which the next stand `stride` numbers behind. */
void deck_pairs(char *text, size_t size, int n, const double *x, const double *y, int stride);

/* An entry of a list, "- {on: NAME, ...}", with the rest of it. */
Status deck_entry(Deck *d, int32_t row, const char *on, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* What holds no result back, at a row: that of a line, of the card that is read, or one of Deck.row. */
Status deck_warn(const Deck *d, DeckRow row, const char *format, ...) __attribute__((format(printf, 3, 4)));
DeckRow deck_line(const InpLine *line);
DeckRow deck_card(const Deck *d);
/* All lines of the card, and the first; false: there is none. */
typedef Status (*DeckLine)(Deck *d, const InpLine *line);
Status deck_lines(Deck *d, DeckLine one);
bool deck_first_line(const Deck *d, InpLine *line);
/* Rows and lists grow one by one. */
Status deck_row(Deck *d, const InpLine *line, int32_t *row); /* line NULL: the card itself */
Status deck_grow(void **list, int32_t n, size_t size, const char *what);
/* Fails at a row. */
Status deck_row_fail(const Deck *d, int32_t row, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A group of the mesh; its name is made unique. item: taken over (NULL: that of
 * `of`). *name: a view. */
Status deck_group(Deck *d, InpGroup group, void *item, const void *of, const char **name);
Status deck_elements_group(Deck *d, const InpLine *line, DeckBody *body); /* its `on`, and set or element */

/* deck_material.c */
Status deck_write_materials(Deck *d);
const DeckAxes *deck_axes_named(const Deck *d, const char *name);
DeckMaterial *deck_material_named(const Deck *d, const char *name);
/* "{cylinder: ...}" */
void deck_axes_text(const DeckAxes *axes, int dim, char *text, size_t size);

/* deck_plastic.c */
/* Whether a section has a material with *PLASTIC. */
bool deck_material_flows(const DeckMaterial *m);
bool deck_any_flows(const Deck *d);
bool deck_flows_by_temperature(const Deck *d); /* a section that flows has tables over the temperature */
/* What load steps of such materials do not have. */
Status deck_flows_check(const Deck *d, const DeckStep *step);
Status deck_flows_tell(const Deck *d);
Status deck_plastic_law(const Deck *d, const DeckMaterial *m, bool turned, char *text, size_t size);
bool deck_any_creeps(const Deck *d); /* deck_creep.c */
Status deck_creep_check(Deck *d);    /* at a card of *STATIC, where nothing creeps */

/* deck_chain.c */
/* Steps of *STATIC that go on from one another: with NLGEOM, of metals that flow, and one of *VISCO or with amplitudes there. */
bool deck_is_chain(const Deck *d);
/* Load steps of small strains, whose loads are functions of t. */
bool deck_is_stepped(const Deck *d);
Status deck_write_chain(Deck *d);

/* deck_nodes.c */
Status deck_write_nodes(Deck *d, const DeckStep *step, DeckKind kind);
Status deck_nodes_copy(const Deck *d, const DeckNodes *from, DeckNodes *to);
bool deck_nodes_equal(const Deck *d, const DeckNodes *a, const DeckNodes *b);
void deck_nodes_release(DeckNodes *nodes);
void deck_steps_release(Deck *d); /* deck.c */
/* The row's node (n 1) or set. */
Status deck_nodes_of(Deck *d, const InpLine *line, int32_t *one, const InpSet **set);
double deck_value(const DeckNodes *nodes, int32_t node, int k); /* 0 where nothing is said, or node is -1 */
bool deck_nodes_uniform(const Deck *d, const DeckNodes *nodes, double *value);

Status deck_nodes_ready(Deck *d, DeckNodes *nodes);
Status deck_nodes_set(Deck *d, DeckNodes *nodes, const InpLine *line, int k, double value);
/* Whether OP=NEW drops what the steps before have left, once in a step; where it comes too late a warning says so. */
Status deck_renews(Deck *d, int32_t *step, int32_t *renewed, bool *drops);
Status deck_write_held(Deck *d);

Status deck_temperature_file(Deck *d); /* deck_heat_file.c: of FILE=, to those of now */
/* deck_frames.c */
/* Rows of R: what directions 1, 2 and 3 of a node are; false: x, y and z. */
bool deck_frame(const Deck *d, int32_t node, double R[3][3]);
/* A force, or prescribed displacements (NaN: free), of a node in x, y and z. False: those of v are not prescribed by
 * single directions, v is all NaN. */
void deck_frame_force(const Deck *d, int32_t node, double v[3]);
bool deck_frame_fix(const Deck *d, int32_t node, double v[3]);

/* deck_hubs.c */
bool deck_is_coupling_set(const Deck *d, const char *elset);
/* Loads of reference nodes become those of their nodes. */
Status deck_hubs_load(Deck *d, DeckStep *step);
Status deck_write_hubs(Deck *d);
void deck_hubs_release(Deck *d);
/* Adds a force in x, y and z to those of a node. */
Status deck_node_push(Deck *d, int32_t node, const double f[3], int32_t row, DeckNodes *to);
/* deck_tie.c */
Status deck_write_ties(Deck *d);
/* As a group of the mesh, of nodes as the faces that these make. */
Status deck_surface_group(Deck *d, const InpLine *line, const InpSurface *s, const char **name);

/* deck_contact.c */
bool deck_any_touches(const Deck *d);
Status deck_write_pairs(Deck *d, bool tied);        /* those that are tied, or those that touch */
Status deck_write_frictions(Deck *d, int32_t step); /* of these, what the step changes */
Status deck_warn_even(const Deck *d, int32_t row);  /* of motion in which surfaces touch */

/* deck_mpc.c */
Status deck_spin_equation(Deck *d, const DeckHub *h, double angle);
Status deck_spin_load(Deck *d, const DeckHub *h, double moment, int32_t row, DeckNodes *to);

/* deck_equations.c: one begins, and gets its terms, in directions of the node. */
Status deck_equation(Deck *d, int32_t row, double value);
Status deck_term(Deck *d, int32_t node, int component, double factor);
Status deck_term_global(Deck *d, int32_t node, int component, double factor); /* of x, y or z */
Status deck_write_equations(Deck *d);

/* deck_temperature.c */
bool deck_is_heated(const Deck *d); /* a body that expands */
bool deck_step_is_heated(const Deck *d,
                         const DeckStep *step); /* of a load case: above the temperature before, or below */
Status deck_write_temperature(Deck *d);
/* Refuses tables over a temperature that changes within a step. */
Status deck_check_heated_steps(const Deck *d);
/* The value of `expansion` of a metal that flows, over the temperature. */
Status deck_expansion_text(const Deck *d, const DeckMaterial *m, char *text, size_t size);
Status deck_write_heated(Deck *d, int32_t step); /* of a load case */
bool deck_table_varies(const DeckTable *t);
/* Constants at the temperature of the body where that is one; else what becomes a field. */
Status deck_material_at(const Deck *d, DeckMaterial *m);
/* Temperature and what varies with it. */
Status deck_fields(const Deck *d, Mesh *mesh);
/* deck_faces.c */
Status deck_write_faces(Deck *d, const DeckStep *step);
Status deck_write_body(Deck *d, const DeckStep *step);
Status deck_write_body_of(Deck *d, const DeckBody *body); /* one entry */
/* deck_body.c */
Status deck_body_load(Deck *d, const InpLine *line, DeckBody body);
Status deck_replace_bodies(Deck *d);
/* Of now, to a step: what a later step says of a face or a body takes the place
 * of what stood there. */
Status deck_faces_copy(Deck *d, DeckStep *step);
/* deck_step.c */
Status deck_begin_analysis(Deck *d, DeckAnalysis analysis);
Status deck_end_step(Deck *d);          /* keeps what acts in it */
bool deck_has_modes(const Deck *d);     /* or buckles */
bool deck_ends_in_modes(const Deck *d); /* *STATIC with NLGEOM, and *FREQUENCY about its state */
/* deck_amplitude.c */
/* Looks at OP=, and finds the card's AMPLITUDE=, which its rows get. */
Status deck_amplitude(Deck *d);
Status deck_rows_follow(Deck *d, bool at_once); /* rows without AMPLITUDE=: act at once, or grow over the step */
/* The amplitude of a row that loads of the case follow, as in DeckRow; 0: none, values are those at the end of a step. */
int32_t deck_follows(const Deck *d, int32_t row);
/* To a step what acts at its end, by amplitudes too. */
Status deck_amplitudes_end(Deck *d, DeckStep *step);
/* Of a row: it follows one over the time of its step. */
bool deck_follows_step(const Deck *d, int32_t row);
/* Multiplies with the amplitudes over the total time, or over that of the step, at its end. */
void deck_faces_scale(const Deck *d, int32_t n_face, DeckFace *face, int32_t n_body, DeckBody *body, bool total);

/* deck_motion.c */
bool deck_is_timed(const Deck *d);
/* First step, end, shortest and longest step. */
Status deck_step_times(Deck *d, const InpLine *line);
Status deck_write_motion(Deck *d); /* what a transient analysis says beside time and loads */
/* One value at all times. */
bool deck_amplitude_constant(const DeckAmplitude *a);
/* Amplitudes that loads follow, in time or over the frequency. */
Status deck_write_functions(Deck *d);
/* A load as a number, or with an amplitude (DeckRow) as an expression in quotes; n <= 3 of them in brackets. */
enum { DECK_LOAD = 320, DECK_LOADS = 3 * DECK_LOAD + 16 };
double deck_amplitude_at(const DeckAmplitude *a, double t);
/* The name of its function in the case. */
void deck_amplitude_name(const Deck *d, int32_t i, char name[DECK_NAME]);
void deck_load_text(const Deck *d, int32_t amplitude, double value, char text[DECK_LOAD]);
void deck_load_list(const Deck *d, int32_t amplitude, int n, const double *value, char text[DECK_LOADS]);
/* deck_response.c */
bool deck_is_response(const Deck *d);
Status deck_write_response(Deck *d);
/* LOAD CASE= of the card is 2: the load is the imaginary part. */
Status deck_is_ahead(const Deck *d, bool *ahead);
/* deck_file.c: the list for `output.fields`, "" where it is that of the case, and the row of the first card that asks for any. */
enum { DECK_FIELDS = 800 };
Status deck_fields_of(Deck *d, char fields[DECK_FIELDS], int32_t *row);

/* deck_print.c */
Status deck_print_contact(Deck *d, const char *on);
Status deck_write_output(Deck *d);
