/* The command line: one table of commands, one of options, read strictly. */
#pragma once
#include "app/input/backend_kind.h"
#include "core/comm.h"
#include "output/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum Command {
  COMMAND_NONE,
  COMMAND_RUN,
  COMMAND_CHECK,
  COMMAND_VERIFY,
  COMMAND_SERVE,
  COMMAND_SWEEP,
  COMMAND_PROTOCOL,
  COMMAND_MESH,
  COMMAND_CONVERT,
  COMMAND_SOLVE,
  COMMAND_INFO,
  COMMAND_LIST,
  COMMAND_BENCH,
  COMMAND_INIT,
  COMMAND_SCHEMA,
  COMMAND_PLOT,
  COMMAND_REPORT,
  COMMAND_CELL,
  COMMAND_TUNE,
  COMMAND_CIRCULATION,
  COMMAND_MODEL,
  COMMAND_HELP
} Command;

enum { SET_MAX = 64, THREADS_MOST = 4096 };

typedef struct Options {
  const char *program; /* as it was called */
  int n_word, command_word;
  char *const *word; /* the whole command line, borrowed; which of its words the command is */
  Command command;
  Comm *comm;                 /* borrowed, the ranks that have this command line; NULL: alone */
  bool help, version;         /* --help, --version: before all else */
  bool man, completion;       /* of sinew help */
  int n_operand;              /* files and names */
  const char *const *operand; /* owned list of borrowed texts, [n_operand] */
  Backend backend;
  int threads;        /* 0: as many as the machine has; at most THREADS_MOST */
  int ranks;          /* of sinew check: among how many the case is dealt out; 0: one alone */
  const char *draw;   /* of sinew check: folder; NULL: nothing is written */
  const char *output; /* NULL: beside the case (results_beside) */
  int n_set;
  const char *set[SET_MAX];
  bool resume, overwrite, quiet, verbose;
  const char *from;    /* of sinew run; NULL: as the case says */
  double from_time;    /* 0: the newest */
  int refine, order;   /* of sinew mesh; order 0: as in the file */
  double time_limit;   /* seconds for Gmsh, 0: its default */
  double size;         /* of elements made by sinew mesh, 0: as the file says */
  bool trust;          /* scripts of meshes may start programs */
  int percent, repeat; /* of sinew bench, 0: its defaults */
  const char *only, *json, *dump, *meshes, *matrix, *numbering, *part, *petsc;
  bool markdown, quick;
  const char *format, *preconditioner, *precision, *solution, *variant; /* of sinew solve; NULL: its defaults */
  const char *coordinates, *near_null;
  bool project_constant;
  int slice, row_threads, threshold, window;                         /* of its format, 0: the format's own */
  int block, degree, max_iterations;                                 /* 0: its defaults */
  double rtol;                                                       /* 0: 1e-8 */
  const char *field, *at, *warp, *range, *view, *box, *cut, *pixels; /* of sinew plot; NULL: chosen from the result */
  int step;                                                          /* 0: chosen from the result */
  bool edges, mirror, film, curves;
  double cycle, amplitude, duration, time_step; /* of sinew cell: ms, mV/ms, ms, ms; 0: its defaults */
  int beats;                                    /* 0: 10 */
  double rest, resolution;                      /* of sinew protocol, ms; 0: 500, and as the steps are */
  bool whole;
  const char *s1s2, *dynamic;             /* FROM,TO,STEP; NULL: not asked for */
  const char *launcher;                   /* words before each run of a protocol; NULL: none */
  const char *tension, *preset, *stretch; /* of twitches; NULL: not asked for, the first, 1 */
  double calcium;                         /* uM at its peak; 0: 0.6, or that of the cells of a case */
  const char *velocity;                   /* of sinew tune: ALONG,ACROSS,NORMAL */
  const char *over;                       /* of sinew sweep: the last one */
  int workers;                            /* 0: 1 */
  int samples, seed;                      /* 0: all combinations; 0: 1 */
  const char *method;                     /* of samples; NULL: latin */
  bool indices;
  int copies;                       /* of sinew sweep: how many points are one run at most; 0: as the case says */
  const char *together;             /* of sinew run: the file of points */
  bool shared;                      /* only of physics whose points share most of the work */
  const char *potential, *stimulus; /* of sinew model: variables; NULL: as the file says */
} Options;

/* ERR_USAGE with what is allowed and the nearest name. argv outlives the options. */
Status options_parse(int argc, char **argv, Options *out);
void options_release(Options *options);
const char *command_name(Command command);
bool command_known(const char *name);
/* Whether `name` may be the first operand of a command that takes fixed words; else ERR_USAGE with those that may. */
Status options_topic(Command command, const char *name);
/* ERR_USAGE: no `what` has that name; allowed are names[n], `more` says where they are explained. */
Status options_unknown(const char *what, const char *name, int n, const char *const *names, const char *more);
/* The command line once more, for a message: every option as it was given but --overwrite and --resume, then `more`. */
void options_again(const Options *options, const char *more, Text *out);
/* The text of --help on stdout: of a command, or of the program for COMMAND_NONE; topic: its first operand, or NULL. */
void options_help(Command command, const char *topic);
/* The manual page (roff) and the completion for bash, on stdout, from the same tables. */
void options_man(void);
void options_completion(void);
