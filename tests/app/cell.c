/* sinew cell: beats, a trace and restitution of the cells of a case, as tables; what is refused. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char heart[] = "version: 1\n"
                            "mesh: nowhere.msh\n"
                            "physics: monodomain\n"
                            "tissue:\n"
                            "  - {on: outer, ionic: {model: ten-tusscher, preset: epi}, diffusivity: 1}\n"
                            "  - {on: inner, ionic: {model: aliev-panfilov}, diffusivity: 1}\n"
                            "time: {end: 1, step: 0.01}\n";

/* Field `n` (from 0) of the line that begins so; NAN: empty, or no such line. */
static double field(const char *table, const char *begin, int n) {
  const char *at = strstr(table, begin);
  for (; at && n > 0; --n) at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
  char *end;
  const double value = at ? strtod(at, &end) : (double)NAN;
  return at && end > at ? value : (double)NAN;
}

/* A cell whose beats alternate: the rest before an S2 is what the S1 ahead of it leaves, not the beat before that. */
static void rest_after_s1(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [2, 2], size: [1, 1]}\nphysics: monodomain\n"
                "tissue: [{on: body, ionic: {model: aliev-panfilov, gamma: 0.003, mu1: 0.24}, diffusivity: 1}]\n"
                "time: {end: 1, step: 0.05}\n");
  double apd[2];
  for (int k = 0; k < 2; ++k) {
    const char *const words[] = {"cell",        scratch_path(folder, "case.yaml"),
                                 "--overwrite", "--cycle",
                                 "450",         "--time-step",
                                 "0.02",        "--beats",
                                 k ? "2" : "3", "--s1s2",
                                 "500,400,50"};
    Said said = app_says_words(11, words);
    assert_int_equal(said.code, 0);
    said_release(&said);
    char *beats = scratch_read(folder, "cell/beats.csv");
    apd[k] = field(beats, k ? "\nbody,2" : "\nbody,3", 7);
    free(beats);
  }
  assert_true(fabs(apd[0] - apd[1]) > 5);
  char *rest = scratch_read(folder, "cell/restitution.csv");
  for (int k = 0; k < 3; ++k) {
    char row[32];
    snprintf(row, sizeof row, "\nbody,s1s2,%d", 500 - 50 * k);
    assert_within(field(rest, row, 3), 500 - 50 * k - apd[0], 0.02); /* steps of a beat fill it */
  }
  free(rest);
  scratch_remove(&folder);
}

static void tables(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", heart);
  const char *const words[] = {
      "cell", scratch_path(folder, "case.yaml"), "--beats", "2", "--s1s2", "500,300,100", "--dynamic", "400,300,100"};
  Said said = app_says_words(8, words);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "outer        ten-tusscher       APD90 30"));
  said_release(&said);
  char *beats = scratch_read(folder, "cell/beats.csv");
  assert_within(field(beats, "\nouter,1", 7), 301.86, 0.1); /* APD90; as in tests/physics/ten_tusscher.c */
  assert_within(field(beats, "\nouter,2", 2), -85.432, 1e-3);
  assert_true(field(beats, "\ninner,2", 7) > 200);
  free(beats);
  char *more = scratch_read(folder, "cell/restitution.csv");
  const double long_one = field(more, "\nouter,s1s2,500", 4), short_one = field(more, "\nouter,s1s2,300", 4);
  assert_true(long_one > 260 && long_one < 290 && short_one < 100); /* early ones are short */
  assert_within(field(more, "\nouter,s1s2,500", 3), 500 - 301.85, 0.1);
  assert_true(isnan(field(more, "\nouter,dynamic,400", 3))); /* there was no beat before the first */
  assert_true(field(more, "\ninner,dynamic,300", 4) > 100);
  int points = 0, dots = 0; /* those with a beat before them */
  for (const char *at = more; (at = strchr(at, '\n')) && at[1]; ++at)
    points += field(at, at, 3) > 0 && field(at, at, 4) > 0;
  free(more);
  char *picture = scratch_read(folder, "cell/restitution.svg");
  assert_non_null(strstr(picture, ">outer, S1S2</text>"));
  assert_non_null(strstr(picture, ">inner, dynamic</text>"));
  assert_non_null(strstr(picture, ">APD90, ms</text>"));
  for (const char *at = picture; (at = strstr(at, "<circle")); ++at) ++dots;
  assert_true(points > 5);
  assert_int_equal(dots, points);
  free(picture);
  picture = scratch_read(folder, "cell/trace.svg");
  assert_non_null(strstr(picture, "<polyline"));
  assert_non_null(strstr(picture, "</svg>\n"));
  free(picture);
  char *trace = scratch_read(folder, "cell/trace.csv");
  assert_non_null(strstr(trace, "\ntissue,time,potential,recovery\n"));
  assert_within(field(trace, "outer,0,", 2), -85.432, 1e-3);
  free(trace);
  said = app_says("cell", scratch_path(folder, "case.yaml"), NULL);
  assert_int_equal(said.code, 5);
  assert_non_null(strstr(said.err, "use --overwrite or another --output"));
  said_release(&said);
  scratch_remove(&folder);
}

/* The least of what is published of a twitch: held at 1 and 1.1, by given calcium and by that of ten Tusscher's cells, numbers of a
 * stiff integrator with tolerance 1e-9 on the third beat. */
static void twitches(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", heart);
  const char *const alone[] = {"cell",
                               "--tension",
                               "land",
                               "--stretch",
                               "1:1.1:0.1",
                               "--time-step",
                               "0.05",
                               "--beats",
                               "3",
                               "--output",
                               scratch_path(folder, "alone")};
  Said said = app_says_words(11, alone);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "muscle       land, whole-organ, stretch 1: peak 35.7"));
  said_release(&said);
  char *table = scratch_read(folder, "alone/twitches.csv");
  assert_within(field(table, "\nmuscle,land,whole-organ,1,", 5), 35.7467, 0.036);
  assert_within(field(table, "\nmuscle,land,whole-organ,1,", 6), 117.0, 0.3);
  assert_within(field(table, "\nmuscle,land,whole-organ,1,", 7), 68.6, 0.3);
  assert_within(field(table, "\nmuscle,land,whole-organ,1,", 8), 110.6, 0.3);
  assert_within(field(table, "\nmuscle,land,whole-organ,1,", 4), 0.03405, 1e-5);
  assert_within(field(table, "\nmuscle,land,whole-organ,1.1,", 5), 102.2665, 0.1);
  free(table);
  const char *const cells[] = {"cell",      scratch_path(folder, "case.yaml"),
                               "--tension", "land",
                               "--beats",   "2",
                               "--set",     "tissue.1.ionic={model: ten-tusscher, preset: endo}"};
  said = app_says_words(8, cells);
  assert_int_equal(said.code, 0);
  said_release(&said);
  table = scratch_read(folder, "cell/twitches.csv");
  assert_within(field(table, "\nouter,land,whole-organ,1,", 5), 77.76, 0.5);
  assert_within(field(table, "\nouter,land,whole-organ,1,", 6), 110.0, 0.5);
  assert_within(field(table, "\ninner,land,whole-organ,1,", 5), 70.44, 0.7);
  free(table);
  table = scratch_read(folder, "cell/trace.csv"); /* sampled as without tension */
  assert_within(field(table, "\nouter,0.5,", 1), 0.5, 1e-9);
  assert_null(strstr(table, "\nouter,0.505,"));
  free(table);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  static const struct Row {
    const char *option, *value, *said;
  } row[] = {{"--s1s2", "300,200", "--s1s2 '300,200' is not FROM,TO,STEP"},
             {"--s1s2", "300,200,1,2", "is not FROM,TO,STEP"},
             {"--tension", "lnd", "did you mean 'land'?"},
             {"--stretch", "1", "--stretch is of a tension, and there is none"},
             {"--calcium", "1", "--calcium is of a tension, and there is none"},
             {"--dynamic", "200,300,10", "with FROM >= TO"},
             {"--dynamic", "300,-2,10", "all > 0"},
             {"--dynamic", "1e9,1,1", "makes 1e+09 cycles, at most 10000"},
             {"--time-step", "2", "must be each shorter than the next"},
             {"--beats", "0", "--beats is 0; allowed: 1 to 100000"}};
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml", heart);
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    const char *const words[] = {"cell", scratch_path(folder, "case.yaml"), row[k].option, row[k].value};
    Said said = app_says_words(4, words);
    if (said.code != 2 || !strstr(said.err, row[k].said)) fail_msg("%s: %d, %s", row[k].value, said.code, said.err);
    said_release(&said);
  }
  Said said = app_says("cell", scratch_path(folder, "case.yaml"), "--tension", "land", NULL);
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "the cell of 'inner' is aliev-panfilov, which has no calcium"));
  assert_non_null(strstr(said.err, "allowed: ten-tusscher, "));
  said_release(&said);
  scratch_write(folder, "heat.yaml",
                "version: 1\nmesh: a.msh\nphysics: heat\nmaterials: [{on: body, conductivity: 1}]\n");
  said = app_says("cell", scratch_path(folder, "heat.yaml"), NULL);
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "physics is heat; 'sinew cell' needs a case with physics: monodomain"));
  said_release(&said);
  const char *const words[] = {"cell", scratch_path(folder, "case.yaml"), "--amplitude", "2", "--beats", "1"};
  said = app_says_words(6, words);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "no beat: the stimulus is too weak"));
  said_release(&said);
  const char *const strong[] = {"cell", scratch_path(folder, "case.yaml"), "--amplitude", "1e9", "--overwrite"};
  said = app_says_words(5, strong);
  assert_int_equal(said.code, 6);
  assert_non_null(
      strstr(said.err, "in the cell of 'outer' (ten-tusscher), with steps of 0.005 ms and stimuli of 1e+09"));
  assert_non_null(strstr(said.err, "remedy: a shorter --time-step"));
  said_release(&said);
  scratch_remove(&folder);
}

/* Cells of one model are one table, whatever their parameters. */
static void one_table(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [3, 2], size: [2, 1]}\nphysics: monodomain\ntissue:\n"
                "  - {on: outer, diffusivity: 0.1, ionic: {model: mitchell-schaeffer}}\n"
                "  - {on: inner, diffusivity: 0.1, ionic: {model: mitchell-schaeffer, tau-close: 120}}\n"
                "time: {end: 1, step: 0.1}\n");
  const char *const words[] = {"cell", scratch_path(folder, "case.yaml"), "--beats", "1"};
  Said said = app_says_words(4, words);
  assert_int_equal(said.code, 0);
  said_release(&said);
  char *trace = scratch_read(folder, "cell/trace.csv");
  assert_ptr_equal(strstr(trace, "tissue,"), trace);
  assert_null(strstr(trace + 1, "tissue,"));
  assert_non_null(strstr(trace, "\ninner,0,-80,1\n"));
  free(trace);
  scratch_remove(&folder);
}

/* The model of Aliev and Panfilov as a file, in the form of physics/aliev_panfilov.h. */
static const char aliev_panfilov[] =
    "[[model]]\n"
    "cell.V = -80\n"
    "cell.recovery = 0\n"
    "[engine]\n"
    "time = 0 [ms]\n    in [ms]\n    bind time\n"
    "pace = 0\n    bind pace\n"
    "[cell]\n"
    "T = 12.9 [ms]\n    in [ms]\n"
    "c = 8\nalpha = 0.01\nb = 0.15\ngamma = 0.002\nmu1 = 0.2\nmu2 = 0.3\n"
    "phi = (V + 80 [mV]) / 100 [mV]\n    in [1]\n"
    "dot(V) = 100 [mV] * (c * phi * (phi - alpha) * (1 - phi) - recovery * phi) / T \\\n"
    "         + engine.pace * 50 [mV/ms]\n"
    "    in [mV]\n    label membrane_potential\n"
    "dot(recovery) = (gamma + mu1 * recovery / (mu2 + phi)) * rest / T\n"
    "    rest = -recovery - c * phi * (phi - b - 1)\n"
    "    in [1]\n";
#define STRIP                                                                                                          \
  "version: 1\nmesh: {grid: [61, 2], size: [30, 0.5], element: quad4}\nphysics: monodomain\n"                          \
  "tissue: [{on: body, diffusivity: 1, ionic: %s}]\n"                                                                  \
  "stimuli: [{on: {box: {min: [0, 0], max: [2, 1]}}, duration: 2, amplitude: 50}]\n"                                   \
  "time: {end: 60, step: 0.05, scheme: rush-larsen}\n"                                                                 \
  "output: {every: 60, fields: [potential, recovery], probes: [{name: a, at: [10, 0]}, {name: b, at: [25, 0]}],\n"     \
  "  velocity: [{name: speed, from: a, to: b}]}\n"

/* The duration of a beat of the cell alone, and the speed of a wave in the strip, which is found by `mark`, its key and first digit. */
static void one_beat(const char *folder, const char *text, const char *mark, double *apd, double *speed) {
  scratch_write(folder, "case.yaml", text);
  const char *const words[] = {"cell", scratch_path(folder, "case.yaml"), "--beats", "1", "--overwrite"};
  Said said = app_says_words(5, words);
  if (said.code) fail_msg("%s", said.err);
  said_release(&said);
  char *beats = scratch_read(folder, "cell/beats.csv");
  *apd = field(beats, "\nbody,1", 7);
  free(beats);
  app_runs(folder, text);
  char *report = scratch_read(folder, "results/report.json"), *at = strstr(report, mark);
  *speed = at ? strtod(at + strlen("\"speed\": "), NULL) : (double)NAN;
  free(report);
}

/* A cell and a wave of a file are those of the model that is built in. */
static void imported(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double apd[3], speed[3];
  static const char *const ionic[] = {"aliev-panfilov", "{file: cell.mmt}",
                                      "{model: {file: cell.mmt, parameters: {cell.alpha: 0.05}}}"};
  scratch_write(folder, "cell.mmt", aliev_panfilov);
  for (int k = 0; k < 3; ++k) {
    snprintf(text, sizeof text, STRIP, ionic[k]);
    one_beat(folder, text, "\"speed\": 0.", &apd[k], &speed[k]);
  }
  assert_within(apd[1], apd[0], 0.2);
  assert_within(speed[1], speed[0], 1e-3 * speed[0]);
  assert_within(speed[2] / speed[0], 0.9 / 0.98, 0.01); /* as 1 - 2 alpha */
  scratch_remove(&folder);
}

/* Without options: durations of the first beat as Myokit and CVODE have them, whose stimuli these are (tests/physics/human_cells.c). */
static void own_stimuli(void **state) {
  (void)state;
  static const struct {
    const char *key;
    double apd90;
  } row[] = {{"\nendo,1", 267.032}, {"\nmid,1", 355.073}, {"\natrium,1", 243.116}};
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [11, 2], size: [4, 0.4]}\nphysics: monodomain\ntissue:\n"
                "  - {on: endo, ionic: {model: ohara-rudy, preset: endo}, diffusivity: 0.15}\n"
                "  - {on: mid, ionic: {model: tor-ord, preset: mid}, diffusivity: 0.15}\n"
                "  - {on: atrium, ionic: {model: courtemanche}, diffusivity: 0.15}\n"
                "time: {end: 1, step: 0.02}\n");
  Said said = app_says("cell", scratch_path(folder, "case.yaml"), "--beats", "1", NULL);
  if (said.code) fail_msg("%s", said.err);
  said_release(&said);
  char *beats = scratch_read(folder, "cell/beats.csv");
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) assert_within(field(beats, row[k].key, 7), row[k].apd90, 0.2);
  free(beats);
  scratch_remove(&folder);
}

/* A step too long for the stimulus of the second tissue alone: the first is not paced in vain. */
static void refused_at_once(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [11, 2], size: [4, 0.4]}\nphysics: monodomain\ntissue:\n"
                "  - {on: a, ionic: aliev-panfilov, diffusivity: 0.15}\n"
                "  - {on: b, ionic: ohara-rudy, diffusivity: 0.15}\ntime: {end: 1, step: 0.02}\n");
  Said said = app_says("cell", scratch_path(folder, "case.yaml"), "--time-step", "0.7", NULL);
  assert_int_equal(said.code, 2);
  assert_non_null(strstr(said.err, "steps of 0.7 ms, stimuli of 0.5 ms and cycles of 1000 ms must be each shorter"));
  assert_null(strstr(said.out, "APD90"));
  said_release(&said);
  scratch_remove(&folder);
}

/* A cell goes by the words of the case, not by the name of a build. */
static void as_written(void **state) {
  (void)state;
  static const struct {
    const char *command, *option, *value, *said;
  } row[] = {{"cell", "--beats", "1", "body         ten-tusscher, gates in float APD90 "},
             {"check", NULL, NULL, "tissue       body: ten-tusscher, gates in float, preset mid, rests at"},
             {"tune", "--velocity", "0.6", "tissue       body: ten-tusscher, gates in float, steps of"}};
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [11, 2], size: [4, 0.4]}\nphysics: monodomain\n"
                "tissue: [{on: body, ionic: {model: ten-tusscher, preset: mid, gates: float}, diffusivity: 0.15}]\n"
                "time: {end: 1, step: 0.05}\n");
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    Said said = app_says(row[k].command, scratch_path(folder, "case.yaml"), row[k].option, row[k].value, NULL);
    if (said.code || !strstr(said.out, row[k].said)) fail_msg("%s: %d, %s", row[k].command, said.code, said.out);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* Gates in float: the duration of a beat to 0.01 ms and the speed of a wave to five digits are those in double. */
static void gates_in_float(void **state) {
  (void)state;
  char *folder = scratch_create(), text[2048];
  double apd[2], speed[2];
  static const char *const ionic[] = {"{model: ten-tusscher, gates: double}", "{model: ten-tusscher, gates: float}"};
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text, STRIP, ionic[k]);
    char *field_word = strstr(text, ", recovery");
    memmove(field_word, field_word + strlen(", recovery"), strlen(field_word + strlen(", recovery")) + 1);
    one_beat(folder, text, "\"speed\": 1.", &apd[k], &speed[k]);
  }
  print_message("APD90 %.6f, %.6f ms; %.9f, %.9f mm/ms\n", apd[0], apd[1], speed[0], speed[1]);
  assert_within(apd[1], apd[0], 0.01);
  assert_true(speed[0] > 1 && fabs(speed[1] / speed[0] - 1) < 1e-5);
  assert_true(speed[1] < speed[0] || speed[1] > speed[0]); /* it is another build */
  scratch_remove(&folder);
}

/* A beat that a state ends which grows by itself: steps of first order make it 0.9 % late at 0.05 ms. */
static const char late[] =
    "[[model]]\nc.V = -82\nc.h = 0.99\nc.x = 1e-8\n[e]\ntime = 0 bind time\npace = 0 bind pace\n[c]\n"
    "dot(V) = -(3 * h / (1 + exp(-(V + 38) / 6)) * (V - 42) + 1.9 * x * (V + 82) + 0.2 * (V + 82) / (1 + exp((V + 58) "
    "/ 6)) - 25 * "
    "e.pace)\n    label membrane_potential\ndot(h) = (1 / (1 + exp((V + 64) / 6)) - h) / 1.9\n"
    "dot(x) = 0.46 / (1 + exp(-(V + 32) / 4)) * x * (1 - x) - 0.05 * (x - 1e-8)\n";

/* Steps that a model from a file cannot take: refused by all commands with the longest that it can; shorter ones run. */
static void long_steps(void **state) {
  (void)state;
  static const char *const row[][2] = {
      {"check", "0.05"}, {"run", "0.05"}, {"run", "0.02"}, {"cell", "0.05"}, {"cell", "0.02"}};
  char *folder = scratch_create();
  scratch_write(folder, "late.mmt", late);
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {grid: [5, 2], size: [1, 0.2]}\nphysics: monodomain\n"
                "tissue: [{on: body, ionic: {file: late.mmt}, diffusivity: 0.15}]\ntime: {end: 0.2, step: 0.01}\n");
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    const bool refused = !strcmp(row[k][1], "0.05"), cell = !strcmp(row[k][0], "cell");
    char step[64];
    snprintf(step, sizeof step, "%s%s", cell ? "" : "time.step=", row[k][1]);
    Said said = app_says(row[k][0], scratch_path(folder, "case.yaml"), cell ? "--time-step" : "--set", step, NULL);
    if (said.code != (refused ? 3 : 0)) fail_msg("%s, %s: %d, %s", row[k][0], row[k][1], said.code, said.err);
    if (refused &&
        !strstr(said.err,
                "steps of 0.05 ms are too long for the cell model 'late.mmt': its beats last about 0.9 % too long"))
      fail_msg("%s", said.err);
    if (refused) assert_non_null(strstr(said.err, "\n  allowed: steps up to 0.02"));
    if (refused && !cell) assert_non_null(strstr(said.err, "case.yaml:4:35")); /* place of the file */
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* No cell of a heart is beyond 60 mV: at the end of a beat that is an error, on the way a warning. */
static void no_beat(void **state) {
  (void)state;
  static const struct {
    const char *cycle;
    int code;
    const char *said;
  } row[] = {{"1.5", 6, "the potential is 28"}, {"600", 0, "mV, beyond the 60 mV of any heart cell"}};
  char *folder = scratch_create();
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: nowhere.msh\nphysics: monodomain\n"
                "tissue: [{on: body, ionic: {model: courtemanche}, diffusivity: 1}]\ntime: {end: 1, step: 0.01}\n");
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    const char *const words[] = {"cell",        scratch_path(folder, "case.yaml"),
                                 "--amplitude", "300",
                                 "--duration",  "1.4",
                                 "--beats",     "1",
                                 "--overwrite", "--cycle",
                                 row[k].cycle};
    Said said = app_says_words(11, words);
    if (said.code != row[k].code || !strstr(said.err, row[k].said)) fail_msg("%d, %s", said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* sinew model export. */
static void exported(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "cell.mmt", aliev_panfilov);
  Said said = app_says("model", "export", scratch_path(folder, "cell.mmt"), scratch_path(folder, "my_cell.h"), NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "for physics/ionics.def: IONIC_GATES(my_cell, \"my_cell\", 1, 0)"));
  said_release(&said);
  char *header = scratch_read(folder, "my_cell.h");
  assert_non_null(strstr(header, "HD double my_cell_currents("));
  free(header);
  static const struct {
    const char *out;
    int code;
    const char *said;
  } row[] = {{"my_cell.h", 9, "exists already; --overwrite replaces it"},
             {"my_cell.c", 2, "must be a header, NAME.h"},
             {"My-Cell.h", 3, "'My-Cell' is not a name for a model"}};
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    said = app_says("model", "export", scratch_path(folder, "cell.mmt"), scratch_path(folder, row[k].out), NULL);
    if (said.code != row[k].code || !strstr(said.err, row[k].said))
      fail_msg("%s: %d, %s", row[k].out, said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables),         cmocka_unit_test(rest_after_s1), cmocka_unit_test(twitches),
      cmocka_unit_test(refused),        cmocka_unit_test(one_table),     cmocka_unit_test(imported),
      cmocka_unit_test(gates_in_float), cmocka_unit_test(own_stimuli),   cmocka_unit_test(refused_at_once),
      cmocka_unit_test(as_written),     cmocka_unit_test(exported),      cmocka_unit_test(long_steps),
      cmocka_unit_test(no_beat)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
