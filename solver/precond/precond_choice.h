/* What `preconditioner: auto` stands for. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct PrecondFacts {
  bool on_gpu;
  int64_t rows;   /* scalar */
  int32_t block;  /* scalars per node: the dimension in elasticity */
  double entries; /* of a row, in the mean; 0: not known */
  bool has_graph; /* the pattern is given, in natural order */
  bool has_modes; /* elasticity whose rigid motions can be had, or diffusion, which needs none; false: who knows */
  int32_t order;  /* of the elements; 0: not known */
  int32_t solves; /* expected with the same pattern; 0: one */
} PrecondFacts;
/* A name of preconditioners.def. docs/solvers.md explains the rule, `sinew bench multilevel` measures its regret. */
const char *precond_choice(const PrecondFacts *facts);
/* As many iterations of what that names take twice as long as a factorisation on one core of a CPU; never fewer than those of a hard
 * system that is solved in the end. */
int64_t precond_choice_worth(const PrecondFacts *facts);
/* Seconds of one iteration on one core of a CPU or on the GPU, of a preconditioner that is a diagonal, or has a graph, or is a
 * polynomial. */
double precond_choice_iteration(const PrecondFacts *facts, bool diagonal, bool graph);
/* Of a factorisation with so many entries, and of `solves` solves with it, on one core of a CPU. entries 0: the fewest that such a
 * matrix may have. */
double precond_choice_factor(const PrecondFacts *facts, double entries, int64_t solves);
/* Why, in a line: how much longer the others would take. Empty where no prices were compared. */
enum { PRECOND_CHOICE_TEXT = 128 };
void precond_choice_why(const PrecondFacts *facts, char text[PRECOND_CHOICE_TEXT]);
