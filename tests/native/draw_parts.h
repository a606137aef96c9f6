/* What the parts of the drawing share. */
#pragma once
#include "tests/native/draw.h"

typedef struct Build {
  Drawn *d;
  uint64_t state;
  int cells[3], cut, tie, family, order, file_order,
      refine; /* cut: first cell of the second material; tie: likewise, 0 none */
  double plane[3][8], shear[3][3], shift[3];
  int pattern[4][4], body[PLAIN_MOST], lattice[PLAIN_ELEMENTS][8][3];
  bool sheared, held[N_SIDE], full, stressed; /* stressed: under the stress of loads */
  char *text, *boundary, *more;               /* boundary: entries of the case; more: other keys */
} Build;

double uniform(Build *b, double low, double high);
int pick(Build *b, int n);
bool chance(Build *b, double share);
/* Appends to a text of DRAW_TEXT characters. */
__attribute__((format(printf, 2, 3))) void say(char *text, const char *format, ...);
void say_vector(char *text, const double *v, int n);
extern const char *const side_name[N_SIDE];

void draw_mesh(Build *b);      /* and the head of the case */
void draw_materials(Build *b); /* isotropic, orthotropic, transverse, with axes */
void draw_supports(Build *b);
void draw_spring(Build *b, Side side, double (*to)[3], const char *word);
void draw_joints(Build *b);   /* ties, periodic pairs, rigid groups, equations */
void draw_analysis(Build *b); /* loads and what the analysis needs */
