/* Reading the command line by its tables. */
#include "app/options.h"
#include "app/complaints.h"
#include "app/number.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "solver/linear.h"
#include "solver/mat.h"
#include "solver/precond.h"

#include <stdio.h>
#include <string.h>

#define BIT(command) (1u << (command))

typedef struct CommandLine {
  Command command;
  const char *name, *operands;
  int least, most; /* operands; most < 0: any number */
  const char *summary, *detail, *example;
} CommandLine;

/* clang-format off */
static const CommandLine commands[] = {
    {COMMAND_RUN, "run", "CASE.yaml", 1, 1, "solves a case and writes its results",
     "Reads the case and its mesh (a .geo is meshed first), solves, and writes results.hdf, results.xdmf, probes.csv and\n"
     "report.json into the output folder.",
     "sinew run cases/plate-with-hole/case.yaml --backend auto --set solver.rtol=1e-10"},
    {COMMAND_CHECK, "check", "CASE.yaml", 1, 1, "everything short of solving; writes nothing",
     "Shows the case with every default filled in, the size of each named group, the total load, free rigid motions, the\n"
     "quality of the elements, the memory per array and the backend that a run would use.",
     "sinew check cases/plate-with-hole/case.yaml"},
    {COMMAND_VERIFY, "verify", "CASE.yaml...", 1, -1, "runs cases and holds their 'expect:' rows against the results",
     "Prints a table of quantity, expected, got, error, tolerance. Exit code 6 when a row misses; all cases are run.\n"
     "Results go to a temporary folder unless --output is given. A row without rtol or atol has rtol 1e-6.",
     "sinew verify cases/*/case.yaml"},
    {COMMAND_MESH, "mesh", "IN OUT.h5", 2, 2, "imports a mesh into Sinew's own HDF5 mesh",
     "Reads .msh by itself and everything else that Gmsh can read through the gmsh program.",
     "sinew mesh bracket.geo bracket.h5 --refine 1 --order 2"},
    {COMMAND_SOLVE, "solve", "A.mtx [B.mtx]", 1, 2, "solves a linear system given by Matrix Market files",
     "A is symmetric positive definite: real or integer, coordinate format, general or symmetric storage. B holds one or\n"
     "several right-hand sides as columns (array or coordinate); without it all are 1. Writes solution.mtx and report.json.",
     "sinew solve A.mtx b.mtx --rtol 1e-10 --solution x.mtx"},
    {COMMAND_INFO, "info", "FILE", 1, 1, "what a mesh or result file holds", "Shows nodes, elements, groups and fields, or steps.",
     "sinew info results/results.hdf"},
    {COMMAND_LIST, "list", "elements|materials|formats|preconditioners|ionic", 1, 1, "what is built in",
     "Each with a line of explanation and its parameters (unit, default, range).", "sinew list materials"},
    {COMMAND_BENCH, "bench", "assembly|cmg|heart|heat|multilevel|pcg|spmv", 1, 1, "measures this machine", "Prints a table and writes JSON.",
     "sinew bench pcg --backend cpu --threads 2"},
};
/* clang-format on */
enum { N_COMMANDS = sizeof commands / sizeof *commands };

typedef enum OptionKind {
  TAKES_NOTHING,
  TAKES_TEXT,
  TAKES_COUNT,
  TAKES_NAME,
  TAKES_SECONDS,
  TAKES_FRACTION
} OptionKind;
typedef struct OptionLine {
  const char *name, *value, *meaning;
  OptionKind kind;
  size_t offset;
  int min, max;
  unsigned commands;
} OptionLine;

enum {
  SOLVING = BIT(COMMAND_RUN) | BIT(COMMAND_CHECK) | BIT(COMMAND_VERIFY),
  RUNNING = BIT(COMMAND_RUN) | BIT(COMMAND_VERIFY),
  BENCHING = BIT(COMMAND_BENCH),
  MATRIX = BIT(COMMAND_SOLVE)
};
#define IN(member) offsetof(Options, member)
/* clang-format off */
static const OptionLine option_lines[] = {
    {"--backend", "auto|cpu|cuda", "where the work is done; auto: a GPU when one is usable", TAKES_NAME, IN(backend), 0, 0, SOLVING | MATRIX | BENCHING},
    {"--threads", "N", "of the CPU; default: all", TAKES_COUNT, IN(threads), 1, 4096, SOLVING | MATRIX | BENCHING},
    {"--output", "DIR", "folder of the results; default: results/ beside the case or matrix", TAKES_TEXT, IN(output), 0, 0, RUNNING | MATRIX},
    {"--set", "KEY=VALUE", "any key of the case by its dotted path, such as solver.rtol=1e-10; may be repeated", TAKES_TEXT, IN(set), 0, 0, SOLVING},
    {"--overwrite", NULL, "replaces an existing result", TAKES_NOTHING, IN(overwrite), 0, 0, RUNNING},
    {"--resume", NULL, "goes on where a stopped run left off", TAKES_NOTHING, IN(resume), 0, 0, BIT(COMMAND_RUN)},
    {"--refine", "N", "splits every element uniformly N times", TAKES_COUNT, IN(refine), 0, 10, BIT(COMMAND_MESH)},
    {"--order", "1|2|3", "2 makes the elements quadratic, 3 cubic (triangles, tetrahedra)", TAKES_COUNT, IN(order), 1, 3, BIT(COMMAND_MESH)},
    {"--time-limit", "SECONDS", "for the gmsh program; default 600", TAKES_SECONDS, IN(time_limit), 0, 0, BIT(COMMAND_MESH)},
    {"--solution", "FILE", "where the solution goes; default: solution.mtx in the folder of the results", TAKES_TEXT, IN(solution), 0, 0, MATRIX},
    {"--format", "NAME", "of the matrix, or auto; see 'sinew list formats'", TAKES_NAME, IN(format), 0, 0, MATRIX},
    {"--variant", "NAME", "of the format: scalar, vector (csr), k1, k2 (ell-warp), r (segspmv)", TAKES_TEXT, IN(variant), 0, 0, MATRIX},
    {"--slice", "N", "rows of a slice of the format: 32, 64, 96 ...; default: its own", TAKES_COUNT, IN(slice), 32, 1 << 20, MATRIX},
    {"--row-threads", "N", "of the GPU that share a row of the format; default: its own", TAKES_COUNT, IN(row_threads), 1, 32, MATRIX},
    {"--threshold", "N", "row length beyond which ell-warp splits, or of a segment of segspmv; default: its own", TAKES_COUNT, IN(threshold), 1, 1 << 20, MATRIX},
    {"--window", "N", "rows among which the format sorts by length: 1 none, default: its own", TAKES_COUNT, IN(window), 1, INT32_MAX, MATRIX | BENCHING},
    {"--block", "1|2|3", "rows of the matrix joined to a block; default 1", TAKES_COUNT, IN(block), 1, 3, MATRIX},
    {"--preconditioner", "NAME", "default auto; see 'sinew list preconditioners'", TAKES_NAME, IN(preconditioner), 0, 0, MATRIX},
    {"--coordinates", "FILE", "array of the nodes' places, a row per block: the rigid motions for amg", TAKES_TEXT, IN(coordinates), 0, 0, MATRIX},
    {"--near-null", "FILE", "array whose columns the matrix nearly maps to zero, for amg; default: constants", TAKES_TEXT, IN(near_null), 0, 0, MATRIX},
    {"--project-constant", NULL, "solves graph Laplacians, which constants make singular, up to their mean in each connected part", TAKES_NOTHING, IN(project_constant), 0, 0, MATRIX},
    {"--degree", "N", "of the preconditioner's polynomial; default: its own", TAKES_COUNT, IN(degree), 1, 64, MATRIX},
    {"--precision", "NAME", "of the preconditioner: auto (default), double, mixed, float, half, bfloat16, int8; the answer is as exact as --rtol says", TAKES_NAME, IN(precision), 0, 0, MATRIX},
    {"--rtol", "X", "true relative residual |b - Ax| / |b| to reach; default 1e-8", TAKES_FRACTION, IN(rtol), 0, 0, MATRIX | BENCHING},
    {"--max-iterations", "N", "after which to give up; default: 10000 or more, by the size", TAKES_COUNT, IN(max_iterations), 1, INT32_MAX, MATRIX},
    {"--json", "FILE", "where the table goes for machines", TAKES_TEXT, IN(json), 0, 0, BENCHING},
    {"--percent", "N", "size of the problems in per cent of the papers' edge lengths; default 100", TAKES_COUNT, IN(percent), 1, 1000, BENCHING},
    {"--repeat", "N", "timed repetitions of a kernel", TAKES_COUNT, IN(repeat), 1, 100000, BENCHING},
    {"--only", "NAME", "one of the problems: quad, hex, tet, tri ('spmv' has more); of 'heat': 256, 512, 1024, 2048, 4096", TAKES_TEXT, IN(only), 0, 0, BENCHING},
    {"--meshes", "DIR", "folder of .msh and .h5 meshes for 'spmv' and 'heart'", TAKES_TEXT, IN(meshes), 0, 0, BENCHING},
    {"--matrix", "FILE", "a Matrix Market file for 'spmv'", TAKES_TEXT, IN(matrix), 0, 0, BENCHING},
    {"--numbering", "NAME", "order of the nodes of meshes in 'spmv': natural, rcm, nested-dissection, hilbert, auto", TAKES_TEXT, IN(numbering), 0,
     0, BENCHING},
    {"--quick", NULL, "'pcg' on small meshes, one solve each", TAKES_NOTHING, IN(quick), 0, 0, BENCHING},
    {"--part", "LIST", "with commas; of 'pcg': table3, cpu, solves, rivals, small, marks, bits, many (default: all but the last three); of 'heat': paper, default, polynomial; of 'heart': nodal or gauss; of 'cmg': jacobi, thesis, cmg", TAKES_TEXT, IN(part), 0, 0, BENCHING},
    {"--petsc", "FILE", "figures of bench/petsc.sh (bench/petsc_heart.sh) that 'pcg' ('heart') sets beside its own", TAKES_TEXT, IN(petsc), 0, 0, BENCHING},
    {"--markdown", NULL, "tables of 'spmv' and 'pcg' as Markdown", TAKES_NOTHING, IN(markdown), 0, 0, BENCHING},
    {"--dump", "FILE", "where 'pcg' and 'cmg' write the last matrix, 'heart' the last heart for the PETSc rival", TAKES_TEXT, IN(dump), 0, 0, BENCHING},
    {"--quiet", NULL, "errors and warnings only", TAKES_NOTHING, IN(quiet), 0, 0, SOLVING | MATRIX | BIT(COMMAND_MESH)},
    {"--verbose", NULL, "more about what happens", TAKES_NOTHING, IN(verbose), 0, 0, SOLVING | BIT(COMMAND_MESH)},
    {"--help", NULL, "this text", TAKES_NOTHING, IN(help), 0, 0, ~0u},
};
/* clang-format on */
enum { N_OPTIONS = sizeof option_lines / sizeof *option_lines };

static const CommandLine *command_line(Command command) {
  for (int i = 0; i < N_COMMANDS; ++i)
    if (commands[i].command == command) return &commands[i];
  return NULL;
}

const char *command_name(Command command) {
  const CommandLine *line = command_line(command);
  return line ? line->name : "";
}

static Status unknown(const char *what, const char *name, int n, const char *const *names, const char *more) {
  char list[512] = "", seen[SEEN_BYTES];
  for (int i = 0; i < n; ++i)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
  const char *near = nearest_name(name, n, names);
  FAIL(ERR_USAGE, "sinew: unknown %s '%s'%s\n  allowed: %s", what, seen_text(name, seen), more, list);
  return near ? status_context(ERR_USAGE, "did you mean '%s'?", near) : ERR_USAGE;
}

static Status parse_command(const char *name, Command *out) {
  const char *names[N_COMMANDS + 2];
  for (int i = 0; i < N_COMMANDS; ++i) {
    names[i] = commands[i].name;
    if (strcmp(name, commands[i].name) == 0) *out = commands[i].command;
  }
  names[N_COMMANDS] = "--help", names[N_COMMANDS + 1] = "--version";
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) *out = COMMAND_HELP;
  if (strcmp(name, "--version") == 0) *out = COMMAND_VERSION;
  if (*out != COMMAND_NONE) return OK;
  return unknown(name[0] == '-' ? "option" : "command", name, N_COMMANDS + 2, names, "");
}

static Status unknown_option(const char *name, Command command) {
  const char *names[N_OPTIONS];
  char more[64];
  int n = 0;
  for (int i = 0; i < N_OPTIONS; ++i)
    if (option_lines[i].commands & BIT(command)) names[n++] = option_lines[i].name;
  snprintf(more, sizeof more, " of 'sinew %s'", command_name(command));
  return unknown("option", name, n, names, more);
}

enum { NAMES_MAX = 64 };
/* The words that an option takes, in the order of its enum where it has one. */
static int names_of(size_t offset, const char *names[NAMES_MAX]) {
  static const char *const backends[] = {"auto", "cpu", "cuda"};
  const char *const *precisions = linear_precision_words();
  int n = 0;
  if (offset == IN(backend)) {
    for (; n < 3; ++n) names[n] = backends[n];
  } else if (offset == IN(precision)) {
    for (; precisions[n]; ++n) names[n] = precisions[n];
  } else if (offset == IN(format)) {
    for (; n < mat_format_count() && n < NAMES_MAX - 1; ++n) names[n] = mat_format_name(n);
    names[n++] = "auto";
  } else {
    names[n++] = "auto";
    for (; n <= precond_count() && n < NAMES_MAX; ++n) names[n] = precond_name(n - 1);
  }
  return n;
}

static Status take_name(const OptionLine *line, const char *value, Options *out) {
  const char *names[NAMES_MAX];
  const int n = names_of(line->offset, names);
  char *at = (char *)out + line->offset;
  int k = 0;
  while (k < n && strcmp(value, names[k]) != 0) ++k;
  if (k == n) return unknown(line->name + 2, value, n, names, "");
  if (line->offset == IN(backend))
    *(Backend *)(void *)at = (Backend)k;
  else
    *(const char **)(void *)at = names[k];
  return OK;
}

static Status take_count(const OptionLine *line, const char *value, const char *seen, int *out) {
  int64_t n = 0;
  const char *why = NULL;
  CHECK(integer_parse(value, &n, &why), ERR_USAGE, "sinew: %s '%s' %s; allowed: %d to %d", line->name, seen, why,
        line->min, line->max);
  CHECK(n >= line->min && n <= line->max, ERR_USAGE, "sinew: %s is %s; allowed: %d to %d", line->name, seen, line->min,
        line->max);
  *out = (int)n;
  return OK;
}

static Status take_number(const OptionLine *line, const char *value, const char *seen, double *out) {
  const char *why = NULL;
  CHECK(number_parse(value, out, &why), ERR_USAGE, "sinew: %s '%s' %s", line->name, seen, why);
  CHECK(*out > 0, ERR_USAGE, "sinew: %s is %s; it must be more than 0", line->name, seen);
  CHECK(line->kind == TAKES_SECONDS || *out < 1, ERR_USAGE, "sinew: %s is %s; it must be less than 1", line->name,
        seen);
  return OK;
}

static Status take_value(const OptionLine *line, const char *value, Options *out) {
  void *at = (char *)out + line->offset;
  char seen[SEEN_BYTES];
  seen_text(value, seen);
  if (line->kind == TAKES_NAME) return take_name(line, value, out);
  if (line->kind == TAKES_COUNT) return take_count(line, value, seen, at);
  if (line->kind == TAKES_SECONDS || line->kind == TAKES_FRACTION) return take_number(line, value, seen, at);
  if (line->offset == IN(set)) {
    CHECK(out->n_set < SET_MAX, ERR_USAGE, "sinew: more than %d --set options", SET_MAX);
    out->set[out->n_set++] = value;
  } else {
    CHECK(*value, ERR_USAGE, "sinew: %s has an empty value; it takes %s", line->name, line->value);
    *(const char **)at = value;
  }
  return OK;
}

/* One argument that starts with "--"; "--key value" and "--key=value". Moves *i past a value. */
static Status parse_option(int argc, char **argv, int *i, Options *out) {
  const char *argument = argv[*i];
  const size_t length = strcspn(argument, "=");
  if (strcmp(argument, "-h") == 0) {
    out->help = true;
    return OK;
  }
  for (int k = 0; k < N_OPTIONS; ++k) {
    const OptionLine *line = &option_lines[k];
    if (strlen(line->name) != length || strncmp(line->name, argument, length) != 0) continue;
    if (!(line->commands & BIT(out->command))) break;
    if (line->kind == TAKES_NOTHING) {
      CHECK(!argument[length], ERR_USAGE, "sinew: %s takes no value", line->name);
      *(bool *)((char *)out + line->offset) = true;
      return OK;
    }
    if (argument[length]) return take_value(line, argument + length + 1, out);
    CHECK(*i + 1 < argc, ERR_USAGE, "sinew: %s needs a value: %s %s", line->name, line->name, line->value);
    return take_value(line, argv[++*i], out);
  }
  return unknown_option(argument, out->command);
}

static Status check_operands(const Options *o) {
  const CommandLine *line = command_line(o->command);
  if (o->help || !line) return OK;
  CHECK(o->n_operand >= line->least, ERR_USAGE, "sinew: 'sinew %s' needs %s\n  for example: %s", line->name,
        line->operands, line->example);
  CHECK(line->most < 0 || o->n_operand <= line->most, ERR_USAGE, "sinew: 'sinew %s' takes %s; '%s' is too many",
        line->name, line->operands, o->operand[line->most]);
  CHECK(!o->quiet || !o->verbose, ERR_USAGE, "sinew: --quiet and --verbose exclude each other");
  CHECK(!o->resume || !o->overwrite, ERR_USAGE, "sinew: --resume and --overwrite exclude each other");
  return OK;
}

Status options_parse(int argc, char **argv, Options *out) {
  *out = (Options){.n_word = argc, .word = argv};
  CHECK(argc >= 2, ERR_USAGE, "sinew: what shall be done? For example: sinew run CASE.yaml; see 'sinew --help'");
  TRY(parse_command(argv[1], &out->command));
  const char **operand = NULL;
  ALLOC(operand, argc, "the command line");
  out->operand = operand;
  bool options = true;
  for (int i = 2; i < argc; ++i) {
    if (options && strcmp(argv[i], "--") == 0)
      options = false;
    else if (options && argv[i][0] == '-' && argv[i][1])
      TRY(parse_option(argc, argv, &i, out));
    else
      operand[out->n_operand++] = argv[i];
  }
  return check_operands(out);
}

void options_release(Options *options) {
  const char **operand = (const char **)(void *)&options->operand;
  mem_free((void **)(void *)operand);
  *options = (Options){0};
}

static void help_of_program(void) {
  printf("Sinew solves elasticity by finite elements on GPUs and CPUs: a mesh and one YAML file in, ParaView files "
         "out.\n\n");
  for (int i = 0; i < N_COMMANDS; ++i)
    printf("  sinew %-7s %-50s %s\n", commands[i].name, commands[i].operands, commands[i].summary);
  printf("\n  sinew COMMAND --help explains a command; sinew --version prints the version.\n\nExit codes:");
#define CODE(name, code, text) printf("%s %d %s", code ? ";" : "", code, text);
  STATUS_LIST(CODE)
#undef CODE
  printf("\n\nExample:\n  %s\n", commands[0].example);
}

void options_help(Command command) {
  const CommandLine *line = command_line(command);
  if (!line) {
    help_of_program();
    return;
  }
  printf("sinew %s %s [options]\n  %s.\n\n%s\n\nOptions:\n", line->name, line->operands, line->summary, line->detail);
  for (int i = 0; i < N_OPTIONS; ++i) {
    const OptionLine *o = &option_lines[i];
    char head[64];
    if (!(o->commands & BIT(command))) continue;
    snprintf(head, sizeof head, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
    printf("  %-26s %s\n", head, o->meaning);
  }
  printf("\nExample:\n  %s\n", line->example);
}
