/* Linear equations between unknowns of nodes, such as ties and periodic pairs: sum of factor u_component(node) = value.
 * Each makes one unknown depend on others, u = T v + g, and what is solved is T^T K T, with a row of the unit matrix in
 * place of an unknown that depends (Cook, Malkus, Plesha and Witt, Concepts and Applications of Finite Element Analysis,
 * section 13.2). It is symmetric and positive definite where K is, and of the same size and kind. */
#pragma once
#include "assembly/space/bent.h"
#include "assembly/space/equation_rows.h"
#include "assembly/space/rigid_group.h"
#include "assembly/space/support.h"

/* Of a node of the mesh, by index; component 0 to 2 in the global frame. */
typedef struct EquationTerm {
  int32_t node, component;
  double factor;
} EquationTerm;

/* Terms [first, first + n) of a list. The first term comes to depend on the others; where that is prescribed, or depends
 * on others already, the one with the largest factor. */
typedef struct Equation {
  int64_t first;
  int32_t n;
  double value;
  const char *where; /* borrowed, "case.yaml:12:5" */
  bool held;    /* of a rigid group of which a part is prescribed: a support, though its forces add up to nothing */
  int32_t bent; /* 1 + which condition of EquationList.bent it is; 0: none, it is linear */
  bool timed;   /* switched: it holds in its spans */
  int32_t first_span, n_span;
} Equation;

/* A span of time in which an equation holds, at times t with from < t <= until; from 0: from the start. */
typedef enum SpanBegin {
  SPAN_JUMP, /* as the next, with the end of the first load step as `grown`; from the start on with what has grown of gaps */
  SPAN_RAMP, /* straight from what the sum is at `from` to its value at `grown` */
  SPAN_STAY  /* with what the sum is at `from` */
} SpanBegin;
typedef struct EquationSpan {
  double from, until, grown, value;
  SpanBegin begin;
} EquationSpan;

/* Equations [first, first + n_component n) of a list that tie a surface: component c of node i has number first +
 * n_component i + c, and u of that node as its first term. What is prescribed of a node, depends on others already, or needs
 * no equation (shared) has none; the force that it would have passed on goes through those of its neighbours, so that a constant
 * pressure passes all the same (Wohlmuth's multipliers at ends of surfaces). */
typedef struct EquationTie {
  int32_t first, n;
  const double *area;        /* [n] */
  const uint8_t *shared;     /* [n] */
  const int64_t *near_start; /* [n + 1], */
  const int32_t *near;       /* and neighbours */
} EquationTie;

typedef struct EquationList {
  int32_t n;
  const Equation *item;
  const EquationTerm *term;
  const EquationSpan *span; /* of those that are timed, ascending and apart for each; NULL: none is */
  int32_t n_tie;
  const EquationTie *tie;       /* ascending */
  int32_t n_rigid, n_rigid_all; /* all: of all ranks, */
  bool any_goes_along;          /* one of which rigid_goes_along */
  const RigidParams *rigid;     /* ascending */
  const BentList *bent;         /* NULL: none */
  int32_t n_image;
  const SupportImage *image; /* of periodic pairs, for supports, and for stresses, */
  bool waves;                /* which are not those of one turn where this is part of a wave */
  int32_t n_switch;          /* the last ones: those of EquationSwitches */
  bool shared; /* of several ranks: those that a rank needs, which fit together as the whole of them was seen to */
} EquationList;

/* Equations that hold or not, as those of surfaces that touch, or between two times: one unknown depends on others where it is on, on nothing where it
 * is off. It has to be free, those of a node one after the other, and no other equation may have it, but for switched ones that
 * nothing but nodes without such equations are in: there it is replaced where both are on. */
typedef struct EquationSwitches {
  int32_t n;
  uint8_t *on;     /* owned, [n] in the order of the list */
  double *value;   /* owned, [n]: of the equation, now, */
  double *moved;   /* owned, [n]: what values of equations that hold always add to it, */
  double grown;    /* times this */
  int32_t *row;    /* owned, [n]: which of the rows it is */
  double *pivot;   /* owned, [n]: factor of that unknown in the equation */
  int64_t *start;  /* owned, [n + 1]: what it depends on by itself, */
  int32_t *column; /* owned, */
  double *factor;  /* owned, and by how much */
  int32_t *of;     /* owned, [terms]: the switched equation of such an unknown, or -1 */
  /* on the Exec, owned */
  SwitchTerm *term;
  SwitchRow *exec_row;
  double *exec_factor, *exec_gap;
  uint8_t *exec_on, *off;
  int64_t n_term; /* of all rows together with what they replace */
  int32_t n_off;
} EquationSwitches;

/* An unknown that depends on others, which do not: row = gap + sum of factor[k] column[k] over k in start[i] ...
 * start[i + 1); component c of mesh node i, in the node's own frame, is i n_component + c. Terms may be prescribed. */
typedef struct Equations {
  int32_t n, n_component;
  int32_t *row;   /* owned, [n] ascending */
  double *gap;    /* owned, [n] */
  int64_t *start; /* owned, [n + 1] */
  int32_t *column;
  double *factor;
  int32_t n_rigid, n_rigid_all;
  const RigidParams *rigid; /* borrowed, [n_rigid]: groups that turn, */
  int32_t *rigid_of;        /* and of which a row is, [n], or -1; NULL: there are none */
  uint8_t *held;            /* owned, [n]: Equation.held */
  const BentList *bent;     /* borrowed: conditions that bend, */
  int32_t *bent_of;         /* owned, [n]: Equation.bent of a row; both NULL: there are none */
  EquationSwitches switches;
  int32_t *switch_of; /* owned: which one a row is, [n], or -1; NULL: there are none */
  /* from equations_upload, on the Exec, owned; in the solver's order */
  Exec *exec; /* borrowed */
  EquationRows follow, gather, clear;
  int32_t n_gather, n_clear;
  int64_t n_follow_term, n_gather_term;
  /* Of several ranks rows are those of nodes here, own or not, and all ranks take part, also those without any. */
  bool shared;
  const struct Halo *halo; /* borrowed */
  int64_t n_own, n_read;   /* unknowns */
  double *reach;           /* [n_read]: forces with those of the halo */
  /* from equations_bear, likewise: what equations hand on of the forces on unknowns that depend, and which components of
   * nodes a support or the ground bears then; of nodes with frames of their own apart, as in Supports */
  EquationRows pass;
  uint8_t *bears, *frame_bears, *frame_free; /* [n_node], [n_frame], [n_frame] of zeros */
  int32_t n_pass, n_node, n_frame;
  int64_t n_pass_term;
  int64_t *gather_at, *pass_at, *weight_at; /* host, owned: where a term of these has gone, or -1; NULL: nobody asks */
  RigidGroups groups;
  BentEquations bents;
  /* from equations_pattern, owned */
  Pattern *pattern; /* of T^T K T */
  SlotMap slots;    /* of K, by hand */
  double *values;   /* on the Exec: K, [slots.n_value] */
  EquationHalf half;
  EquationBlocks blocks;
  int64_t n_piece, n_weight, n_half, n_half_piece;
  int64_t *target; /* on the Exec, [entries][n_component^2] where the blocks of T^T K T lie; NULL: not bound */
} Equations;

/* n 0: there are none; shared: but other ranks may have some. ERR_INPUT: equations that contradict each other or what supports prescribe, that have a node off
 * the body or more than EQUATION_TERMS terms. `supports` are those of the time last evaluated. */
enum { EQUATION_TERMS = 400 };
Status equations_create(const EquationList *list, const Supports *supports, const Mesh *mesh, Equations *out);
Status equations_upload(const Space *space, const Supports *supports, Equations *equations);
/* Which are solved for here. */
int64_t equations_own(const Space *space, const Equations *equations);
/* Of several ranks the space has K in rows of the halo, too, from here on. */
Status equations_pattern(Space *space, const Supports *supports, Equations *equations);
/* The interpolation from vertices to nodes of order 2: what it takes from vertices that depend, it takes from what they
 * depend on. ERR_MEMORY. */
Status equations_transfer(const Space *space, const Supports *supports, const Equations *equations,
                          OrderTransfer *transfer);
void equations_release(Equations *equations);
/* Where T^T K T goes; then, from K in `values`, what it is, with this on the diagonal of unknowns that depend.
 * Recordable, as all below. */
Status equations_bind(Equations *equations, const SlotMap *slots);
Status equations_reduce_matrix(const Equations *equations, double diagonal, double *values);
/* Unknowns that depend become what they are, with `gap` times their gaps: rates, as velocities, with gap 0 by the factors that there
 * are; displacements renew those of rigid groups and of conditions that bend. And r becomes T^T r. */
Status equations_follow(const Equations *equations, double gap, double *u);
Status equations_follow_turning(const Equations *equations, double gap, double *u);
Status equations_follow_switched(const Equations *equations, double *u); /* with gaps of those that are switched */
Status equations_reduce(const Equations *equations, double *r);
/* The same but for unknowns of groups that turn, which stay as they are (rigid_groups_keep). */
Status equations_follow_others(const Equations *equations, double gap, double *v);
Status equations_reduce_others(const Equations *equations, double *r);
/* Behind equations_pattern: rigid groups and conditions that bend on the Exec. */
Status equations_rigid(const Space *space, Equations *equations);
/* equations_bear.c: of the forces that are out of balance at all nodes, raw [n_read] in the global frame, what supports
 * and the ground bear where `bears` and `frame_bears` say so. */
Status equations_pass(const Equations *equations, const Supports *supports, double *raw);
/* Part of equations_upload; then the rows of `pass`, with factor [start[n]], 0: nothing is handed on. */
Status equations_bear(const Space *space, const Supports *supports, Equations *equations);
Status equations_hand_on(const Space *space, const double *factor, Equations *equations);
/* Both anew where the first n_timed that are switched may be supports; from then on until these are switched again. */
Status equations_bear_now(const Space *space, const Supports *supports, int32_t n_timed, Equations *equations);
/* Part of it: rows of `pass` that are switched, with factor [start[n]]. */
Status switches_hand_on(Equations *equations, const double *factor);
/* equation_switch.c: which hold, with these values, and with `grown` times those of equations that hold always; on the Exec once it has
 * them. Not recordable. */
Status equations_switch(Equations *equations, const uint8_t *on, const double *value, double grown);
/* Rows on the host as they are now; for those who have nothing on an Exec. */
void equations_settle(Equations *equations);
/* Part of equations_pattern: where the numbers of switched rows are. own[n], diagonal[n]: as of SwitchRow. */
Status switches_upload(const Space *space, const int64_t *own, const int64_t *diagonal, Equations *equations);
void switches_release(Exec *exec, EquationSwitches *switches);
/* Factors of some row change. */
static inline bool equations_vary(const Equations *e) { return e->n_rigid || e->switches.n || e->bent; }
static inline bool equation_is_off(const Equations *e, int32_t i) {
  return e->switch_of && e->switch_of[i] >= 0 && !e->switches.on[e->switch_of[i]];
}
/* Unknowns that depend become 0. */
Status equations_clear(const Equations *equations, double *v);
