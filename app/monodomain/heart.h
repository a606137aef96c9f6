/* The heart on an Exec: the monodomain problem, its matrices, the stepping, the maps; what the files of a heart run
 * share. */
#pragma once
#include "app/run/result_stream.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "assembly/monodomain/monodomain.h"
#include "solver/time/activation.h"
#include "solver/time/wave_phase.h"
#include "solver/time/dominant_frequency.h"
#include "solver/time/stepper.h"

/* Most explicit stages of a scheme that was not asked for: with more, a step that solves its equation is sooner done. */
enum { HEART_STAGES_MOST = 12 };
/* Most samples that a loop takes before it hands them on. */
enum { HEART_SAMPLES_MOST = 64 };

typedef struct Heart {
  Exec *exec; /* borrowed, as are the next five */
  const Run *run;
  const Case *c;
  const Mesh *mesh;
  const Setup *setup, *part; /* of the whole, and of what this rank works on */
  /* owned */
  Monodomain *monodomain;
  Diffusion *diffusion;             /* the monodomain's */
  Mat *stiffness, *mass_matrix, *a; /* the last one and the solver: gauss only; M: that, or nodal with `mass:` */
  LinearSolver *solver;
  Activation *maps;
  WavePhase *phase; /* NULL: not asked for, or by a state, as the next */
  DominantFrequency *frequency;
  double *phase_state;  /* on the Exec, [n]: the state that phases go by, in mV; NULL: by a delay */
  char (*map_name)[32]; /* [N_HEART_MAPS][HEART_BEATS_MOST]: activation, activation-2 and so on */
  Stepper *stepper;
  const TimeScheme *scheme;     /* of the stepper */
  const WordValue *scheme_word; /* borrowed: the case's, or heart_scheme_solves in the place of too many stages */
  struct Conductor *conductor;  /* NULL: nothing asks for the potential outside of the cells, which is: */
  struct Bidomain *bidomain;    /* owned; NULL: monodomain */
  bool guarded;                 /* its steps have the conductivity of the cells in the place of the monodomain's */
  double *phi, phi_time;        /* on the Exec, [n_read], and when; NaN: never */
  double *outside;              /* of several ranks, on the Exec, [2][n_node]: V of all and its potential */
  double *mass, *V, *work;      /* on the Exec, [n_read] */
  int64_t n, n_read;            /* nodes of this rank, and with its halo */
  const SumParts *parts;        /* borrowed: what sums of the steps go over */
  const struct Heart
      *whole; /* borrowed: of copies together this one is a view of a copy, from that row on; NULL: it is not */
  int64_t first;
} Heart;

/* The problem and its matrices. ERR_* of what it is made of. */
Status heart_create(Run *run, const Setup *setup, Heart *out);
/* K of a diffusion of the heart, nothing eliminated, in the format of its matrices. No other matrix is made of it. */
Status heart_matrix(Exec *exec, const Case *c, Diffusion *diffusion, Mat **out);
/* Whether the scheme is a default that is taken back where the mesh makes too many stages. */
bool heart_may_solve(const Case *c);
/* Everything else up to the first step, which heart_start or heart_restore makes possible. */
Status heart_prepare(Heart *heart);
void heart_destroy(Heart *heart);
Status heart_start(Heart *heart);
/* From the state of another run: potential and cells; maps begin anew. */
Status heart_take_over(Heart *heart, const void *state, int64_t n_byte);
/* Host memory of stepper_state_bytes: all that later bits depend on, maps too. */
Status heart_restore(Heart *heart, const void *state);
/* A vector of the nodes to the host, value[n_node] in mesh order; of several ranks to rank 0. Collective. */
Status heart_download(const Heart *heart, const double *v, double *value);
/* Fills in what DiffusionParams and scheme leave open. */
MonodomainParams heart_params(const Case *c, const Setup *setup);
/* Of the scheme at integration points; never `auto`. */
const char *heart_preconditioner(const Case *c);

/* A step's numbers to those of the run; in the end what they are together. */
void heart_add_step(RunReport *report, const StepReport *step);
void heart_tell_solve(const Heart *heart, RunReport *report);
/* heart_warn.c: did the stimuli start anything? */
Status heart_warn_uncaptured(const Heart *heart);
/* hearts_together.c: Physics.run_together. */
struct Together;
Status hearts_together(Run *run, struct Together *all);

/* leads.c: what electrodes see: the mesh that the case names, that part of it which is worked on with its setup, its nodes, and
 * rows of the system on it (NULL: nodes are). */
typedef struct LeadPlace {
  const Case *c;
  const Mesh *whole, *mesh;
  const Setup *setup;
  int64_t n_read, n;
  const Diffusion *diffusion;
} LeadPlace;
/* Tensors of the sources that electrodes see, [n_solved], the caller's. */
Status lead_sources(const LeadPlace *at, double (**out)[6]);
/* Adds the weights of all leads, whole[leads][n] by rows. ERR_INPUT: an electrode in the tissue. */
Status lead_weights(const LeadPlace *at, double *whole);
/* Those of a heart, in a torso too. */
Status heart_leads(const Heart *heart, double *whole);
/* The conductivity, S/m, of an element with diffusivity D, of which along, across and normal are those of the tissue. */
void conductivity_tensor(int32_t n, const double d[3], const double s[3], const double D[6], double out[6]);

/* extracellular.c: the potential outside of the cells, of now, on the Exec; solved for once at a time. Made with the heart
 * where something asks for it. */
Status heart_extracellular_create(Heart *heart);
void heart_extracellular_destroy(Heart *heart);
Status heart_extracellular(Heart *heart, const double **phi);
Status heart_outside_now(Heart *heart); /* to phi, of V. Collective */
/* Whether ranks share the solve, that of one rank included; else each solves for the whole alike. */
bool heart_shares_outside(const Heart *heart);

/* ---- bidomain.c: the potential outside of the cells as an unknown; nothing happens where the model is monodomain ---- */
/* With the heart, after heart_extracellular_create. */
Status heart_bidomain_create(Heart *heart);
void heart_bidomain_destroy(Heart *heart);
/* Before the problem is made: puts tensors of the cells, which the caller owns, in the place of those of the monodomain where steps
 * of the case's length would not be stable with these. */
Status heart_bidomain_guard(Heart *heart, DiffusionParams *diffusion, double (**tensor)[6]);
/* What each step is to know, [n] on the Exec (ReactionPart.known); NULL: nothing. */
const double *heart_bidomain_current(const Heart *heart);
/* The potential of now, and the current of the next step: at the start, and after each step. ERR_NUMERIC: not converged. */
Status heart_bidomain_begin(Heart *heart);
/* Whether that is a part of the loop in which the stepper takes steps, which heart_bidomain_follow records, so that several steps may be
 * taken at once; before each such call, and at most how many: */
bool heart_bidomain_in_loop(const Heart *heart);
Status heart_bidomain_follow(void *heart, int32_t *stop, int32_t end); /* ReactionPart.follow */
Status heart_bidomain_before(Heart *heart);
int64_t heart_bidomain_steps(const Heart *heart, int64_t most);
Status heart_bidomain_step(Heart *heart); /* after it */
/* As activation_save has it; sizes in doubles. */
int64_t heart_bidomain_state_size(const Heart *heart);
Status heart_bidomain_save(const Heart *heart, double *host);
Status heart_bidomain_restore(Heart *heart, const double *host);

/* ---- heart_rhythm.c: phases and the dominant frequency, of potentials at even times ---- */
Status heart_rhythm_create(Heart *heart);
void heart_rhythm_destroy(Heart *heart);
/* The potential of now, at each stored time and sample. */
Status heart_rhythm_keep(Heart *heart, double time);
/* [n] on the Exec: radians; Hz, -1 before the end. */
Status heart_rhythm_phase(Heart *heart, double *angle);
Status heart_rhythm_frequency(Heart *heart, double *frequency);
/* As activation_save has it; sizes in doubles. */
int64_t heart_rhythm_state_size(const Heart *heart);
Status heart_rhythm_save(const Heart *heart, double *host);
Status heart_rhythm_restore(Heart *heart, const double *host);

/* ---- heart_watch.c: probes, leads, velocities ---- */
typedef struct HeartWatch HeartWatch;
Status heart_watch_create(Heart *heart, HeartWatch **out);
void heart_watch_destroy(HeartWatch **watch);
/* Numbers of a sample, which is what all columns of one moment are made of. */
int64_t heart_watch_numbers(const HeartWatch *watch);
/* Has the Exec write a sample of now; does not wait for it. ring: recorded for a loop, NULL: at once. */
Status heart_watch_sample(HeartWatch *watch, double *sample, const FunctionalRing *ring);
/* Has loops take samples, at most *room in each; 0: they cannot, or it would not pay, and loops end for them. */
Status heart_watch_in_loops(HeartWatch *watch, int64_t *room);
/* Of several ranks: the sample of all from those of each, on rank 0. Collective. */
Status heart_watch_gather(const HeartWatch *watch, const double *sample, double *whole);
/* Probes, leads and velocities from a sample at that time on the host; reads nothing that the stepping changes. */
void heart_watch_fill(const HeartWatch *watch, double time, const double *sample, double *value);

/* The probe of that name. */
int32_t heart_probe_index(const Case *c, const char *name);
/* Distance of two probes over the difference of their activation times; NaN until both are active. */
double heart_velocity(const Case *c, int32_t from, int32_t to, double begin, double end);

/* ---- heart_output.c: fields, maps and columns of a run for result_stream.h ---- */
typedef struct HeartOutput {
  Heart *heart;         /* borrowed */
  HeartWatch *watch;    /* owned */
  ResultStream *stream; /* owned */
} HeartOutput;
/* What a row of fields.def is now, of a beat where it is a map of beats, on the Exec until the next; when: the times of samples that
 * states are of, NULL: now. */
Status heart_field_now(Heart *heart, int32_t row, int32_t beat, const int32_t *when, const double **from);
/* Results.hdf of a new run, for heart_output_create: see result_writer. */
Status heart_output_writer(Run *run, const Heart *heart, Writer **out);
/* Makes the files, or continues those of the run that is resumed; `out` stays where it is until it is closed. *writer: NULL,
 * or as made before, which is taken over. */
Status heart_output_create(Run *run, Heart *heart, Writer **writer, HeartOutput *out);
/* Waits for the files. ERR_IO when something could not be written. */
Status heart_output_close(HeartOutput *output);
/* Is this one of the times that are stored? */
bool heart_output_due(const Run *run, double time);
/* Or one at which probes and leads are? */
bool heart_sample_due(const Run *run, double time);
/* Fields of now, with a row of the history. */
Status heart_output_store(HeartOutput *output, const RunReport *report, double time);
/* Probes and leads of now, where they are due, and what rows of `expect:` need. */
Status heart_output_observe(HeartOutput *output, double time);
/* Those that the last steps have taken in their loop; then nothing is left to look at if the last was at this time. */
Status heart_output_samples(HeartOutput *output, double time, bool *seen);
