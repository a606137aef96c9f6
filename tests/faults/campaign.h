/* Faults by the thousand. A kind of fault has many points (the operation that is killed, the bit that is flipped); each
 * is tried in a folder of its own, and what the program promises then is held against what it did. */
#pragma once
#include "tests/faults/program.h"

typedef struct Campaign {
  const char *program, *io_shim, *mem_shim; /* absolute paths */
  const char *folder;                       /* owned by the campaign: fixtures are made once, points work below it */
  bool full, keep;
} Campaign;

typedef enum Verdict {
  NOT_RUN,
  HELD,    /* the fault was told with its exit code, and what was promised is so */
  REFUSED, /* the same, and --resume answered 5 with a sentence */
  PASSED,  /* the fault did no harm: exit 0 and all is as without it */
  CRASH,   /* ended by a signal, or as a bug in itself */
  HANG,
  CODE,      /* an exit code that does not fit */
  WORDLESS,  /* an exit code without a sentence */
  LOST,      /* exit 0 where something is missing or differs */
  MIXTURE,   /* files of two runs beside each other */
  LEFT_OVER, /* all is right, but files of the run that was killed are still there after a --resume */
  N_VERDICT
} Verdict;

typedef struct Outcome {
  Verdict verdict;
  char text[760];
} Outcome;

typedef struct Kind Kind;
struct Kind {
  const char *name;    /* for --kind and the table */
  const char *what;    /* in words */
  int64_t full, small; /* points tried at most: all, and in the selection for CTest */
  /* Makes what the points need (below campaign->folder) and says how many points there are. */
  int64_t (*prepare)(const Campaign *campaign, const Kind *kind);
  /* Tries one point in the folder `work`, which it may use as it likes. */
  void (*point)(const Campaign *campaign, const Kind *kind, int64_t point, const char *work, Outcome *outcome);
  int variant; /* for kinds that share functions */
};

extern const Kind kill_kinds[], failure_kinds[], memory_kinds[], damage_kinds[]; /* ended by a name of NULL */

/* Sets the outcome. */
void conclude(Outcome *outcome, Verdict verdict, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* False, with the outcome set, when the program was ended by a signal, hung, ended with 1 (a bug) or 255, or was
 * without a word at another code than 0. `when` says what was run. */
bool ended_well(const Ended *ended, const char *when, Outcome *outcome);

/* ---- the cases that are run, fixtures.c ---- */
typedef enum Model { HEART, PLATE, HEAT, N_MODEL } Model;
const char *model_name(Model model);
/* Writes MODEL.yaml and other-MODEL.yaml (with another answer) into the campaign's folder, runs both without faults
 * into MODEL and other-MODEL there. May be called again. */
void fixture_make(const Campaign *campaign, Model model);
/* The folder MODEL-half: a run in time that was killed after its second checkpoint. */
void fixture_half(const Campaign *campaign, Model model);
/* Operations on files of `sinew run` on MODEL.yaml in a copy of `start` (NULL: a new folder), with this option (NULL:
 * none). */
int64_t fixture_operations(const Campaign *campaign, Model model, const char *start, const char *option);
/* Allocations of the same. */
int64_t fixture_allocations(const Campaign *campaign, Model model, const char *start, const char *option);
/* Runs the model into `output`; `other`: the other one. */
Ended fixture_run(const Campaign *campaign, Model model, bool other, const char *output, const char *option,
                  const char *const *settings);

/* ---- what is held against the promises, promises.c ---- */
/* After a fault: what lies in `output` opens and is not of two runs (`old`: the other model's result was there before;
 * `killed`: the program could not put anything right). */
bool files_hold(const Campaign *campaign, Model model, const char *output, bool old, bool killed, Outcome *outcome);
/* Results and rows are those of an undisturbed run, the report is there, nothing is left over. */
bool run_is_whole(const Campaign *campaign, Model model, const char *output, const char *when, Outcome *outcome);
/* `sinew run --resume` into `output` ends with 0 and a whole result, or with 5 and a sentence. Concludes with `held` or
 * REFUSED. */
void resume_holds(const Campaign *campaign, Model model, const char *output, Verdict held, Outcome *outcome);
