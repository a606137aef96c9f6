/* Strange files and places: what must pass, what must be refused, and that nothing hangs or is half-written. */
#include "tests/cli/run_program.h"
#include "tests/cli/small_mesh.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *square_folder(void) {
  char *folder = folder_create();
  put_text(folder, "case.yaml", SQUARE_CASE);
  put_text(folder, "square.msh", SQUARE_MESH);
  return folder;
}

/* Runs the case in the folder, holds the code and up to two parts of stderr, and looks that an error left no output. */
static void run_gives(const char *folder, const char *file, int code, const char *part, const char *other) {
  Run run = run_sinew(folder, "run", file, NULL);
  assert_code(&run, code);
  if (part) expect_that(strstr(run.err, part) != NULL, "stderr should hold \"%s\" but is\n%s", part, run.err);
  if (other) expect_that(strstr(run.err, other) != NULL, "stderr should hold \"%s\" but is\n%s", other, run.err);
  if (code) expect_that(!is_there(folder, "results"), "an error left an output folder");
  run_release(&run);
}

static void case_gives(const char *text, int code, const char *part) {
  char *folder = square_folder();
  put_text(folder, "case.yaml", text);
  run_gives(folder, "case.yaml", code, part, NULL);
  folder_remove(&folder);
}

/* CRLF for every LF; owned. */
static char *with_crlf(const char *text) {
  char *out = malloc(2 * strlen(text) + 1), *to = out;
  for (; *text; ++text) {
    if (*text == '\n') *to++ = '\r';
    *to++ = *text;
  }
  *to = 0;
  return out;
}

static void crlf_passes(void **state) {
  (void)state;
  char *folder = square_folder(), *text = with_crlf(SQUARE_CASE), *mesh = with_crlf(SQUARE_MESH);
  put_text(folder, "case.yaml", text);
  put_text(folder, "square.msh", mesh);
  run_gives(folder, "case.yaml", 0, NULL, NULL);
  mesh = (free(mesh), with_crlf(SQUARE_MESH_41));
  put_text(folder, "square.msh", mesh);
  Run run = run_sinew(folder, "run", "case.yaml", "--overwrite", NULL);
  assert_code(&run, 0);
  run_release(&run);
  free(text), free(mesh);
  folder_remove(&folder);
}

static void crlf_keeps_columns(void **state) {
  (void)state;
  char *text = edited(SQUARE_CASE, "young: 1000", "young: x"), *crlf = with_crlf(text);
  case_gives(crlf, 3, "case.yaml:7:23: ");
  free(text), free(crlf);
}

static void bom_passes_and_keeps_columns(void **state) {
  (void)state;
  case_gives("\xef\xbb\xbf" SQUARE_CASE, 0, NULL);
  char *text = edited("\xef\xbb\xbf" SQUARE_CASE, "version: 1", "version: x");
  case_gives(text, 3, "case.yaml:1:10: ");
  free(text);
}

static void spaces_and_unicode_pass(void **state) {
  (void)state;
  char *folder = folder_create(), *text = edited(SQUARE_CASE, "square.msh", "'das Netz \xc3\xa4\xe7\xbd\x91 1.msh'");
  char sub[4096];
  snprintf(sub, sizeof sub, "%s/F\xc3\xa4lle und \xe4\xbe\x8b", folder);
  mkdir(sub, 0777);
  put_text(sub, "ein Fall \xe2\x82\xac.yaml", text);
  put_text(sub, "das Netz \xc3\xa4\xe7\xbd\x91 1.msh", SQUARE_MESH);
  Run run = run_sinew(folder, "run", "F\xc3\xa4lle und \xe4\xbe\x8b/ein Fall \xe2\x82\xac.yaml", NULL);
  assert_code(&run, 0);
  expect_that(is_there(sub, "results-ein Fall \xe2\x82\xac/results.hdf"), "the result should lie beside the case");
  run_release(&run);
  free(text);
  folder_remove(&folder);
}

static void unicode_keeps_columns(void **state) {
  (void)state;
  char *text = edited(SQUARE_CASE, "  - {on: left, fix: {x: 0}}", "  - {on: '\xc3\xa4\xc3\xb6\xc3\xbc', fxi: {x: 0}}");
  case_gives(text, 3, "case.yaml:9:17: ");
  free(text);
}

static void unicode_group_passes(void **state) {
  (void)state;
  char *folder = square_folder(), *text = edited(SQUARE_CASE, "on: right", "on: rechte Seite \xc3\xa4");
  char *mesh = edited(SQUARE_MESH, "\"right\"", "\"rechte Seite \xc3\xa4\"");
  put_text(folder, "case.yaml", text);
  put_text(folder, "square.msh", mesh);
  run_gives(folder, "case.yaml", 0, NULL, NULL);
  free(text), free(mesh);
  folder_remove(&folder);
}

static void yaml_over_1_mib(void **state) {
  (void)state;
  const size_t n = (1u << 20) + 16;
  char *text = malloc(n + 4096);
  strcpy(text, SQUARE_CASE "# ");
  memset(text + strlen(text), 'x', n);
  text[n] = 0;
  case_gives(text, 3, "1 MiB");
  text[1000000] = 0; /* just below the limit is read */
  case_gives(text, 0, NULL);
  free(text);
}

static void yaml_deeper_than_64(void **state) {
  (void)state;
  char text[4096] = "version: ";
  const size_t at = strlen(text);
  memset(text + at, '[', 1000);
  memset(text + at + 1000, ']', 1000);
  text[at + 2000] = 0;
  case_gives(text, 3, "64");
  char *block = malloc(100000), *to = block;
  for (int depth = 0; depth < 100; ++depth) to += sprintf(to, "%*sa:\n", depth, "");
  case_gives(block, 3, "64");
  free(block);
}

static void many_brackets_end_quickly(void **state) {
  (void)state;
  char *text = calloc(1, 200000);
  memset(text, '[', 100000);
  case_gives(text, 3, "64");
  memset(text, '{', 100000);
  case_gives(text, 3, "case.yaml:1:");
  free(text);
}

static void nul_in_yaml(void **state) {
  (void)state;
  char *folder = square_folder(), text[] = SQUARE_CASE;
  text[40] = 0;
  put_bytes(folder, "case.yaml", text, sizeof text - 1);
  run_gives(folder, "case.yaml", 3, "case.yaml", NULL);
  folder_remove(&folder);
}

static void case_not_a_file(void **state) {
  (void)state;
  char *folder = folder_create(), path[4096];
  run_gives(folder, "absent.yaml", 3, "absent.yaml", NULL);
  snprintf(path, sizeof path, "%s/folder.yaml", folder);
  mkdir(path, 0777);
  run_gives(folder, "folder.yaml", 3, "folder.yaml", "folder");
  snprintf(path, sizeof path, "%s/pipe.yaml", folder);
  mkfifo(path, 0666);
  run_gives(folder, "pipe.yaml", 3, "pipe.yaml", NULL);
  folder_remove(&folder);
}

/* The mesh as something that is not a regular mesh file: 4 each time, at once. */
static void mesh_not_a_file(void **state) {
  (void)state;
  char *folder = square_folder(), path[4096];
  snprintf(path, sizeof path, "%s/square.msh", folder);
  remove(path);
  mkdir(path, 0777);
  run_gives(folder, "case.yaml", 4, "square.msh", "folder");
  remove(path);
  mkfifo(path, 0666);
  run_gives(folder, "case.yaml", 4, "square.msh", NULL);
  remove(path);
  if (symlink("square.msh", path)) fail_msg("no symbolic link");
  run_gives(folder, "case.yaml", 4, "square.msh", NULL);
  remove(path);
  if (symlink("/dev/zero", path)) fail_msg("no symbolic link");
  run_gives(folder, "case.yaml", 4, "square.msh", NULL);
  folder_remove(&folder);
}

static void mesh_of_other_content(void **state) {
  (void)state;
  char *folder = square_folder();
  static const unsigned char gzip[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0x4c, 4, 0, 1, 2, 3, 4, 5, 6};
  put_bytes(folder, "square.msh", gzip, sizeof gzip);
  run_gives(folder, "case.yaml", 4, "square.msh", "gzip");
  put_bytes(folder, "square.msh", "", 0);
  run_gives(folder, "case.yaml", 4, "square.msh", "empty");
  put_bytes(folder, "square.msh", "\0\0\0\0\0\0\0\0", 8);
  run_gives(folder, "case.yaml", 4, "square.msh", NULL);
  put_bytes(folder, "square.h5", "\x89HDF\r\n\x1a\n and then nothing", 24);
  char *text = edited(SQUARE_CASE, "square.msh", "square.h5");
  put_text(folder, "case.yaml", text);
  run_gives(folder, "case.yaml", 4, "square.h5", NULL);
  free(text);
  folder_remove(&folder);
}

static void output_exists(void **state) {
  (void)state;
  char *folder = square_folder();
  run_gives(folder, "case.yaml", 0, NULL, NULL);
  Run run = run_sinew(folder, "run", "case.yaml", NULL);
  assert_code(&run, 5);
  assert_said(&run, "results");
  assert_said(&run, "--overwrite");
  run_release(&run);
  run = run_sinew(folder, "run", "case.yaml", "--overwrite", NULL);
  assert_code(&run, 0);
  run_release(&run);
  folder_remove(&folder);
}

/* An input error must not touch the result that is there, even with --overwrite. */
static void error_keeps_the_old_result(void **state) {
  (void)state;
  char *folder = square_folder(), *text = edited(SQUARE_CASE, "young: 1000", "young: -1");
  run_gives(folder, "case.yaml", 0, NULL, NULL);
  char *before = get_text(folder, "results/probes.csv");
  put_text(folder, "bad.yaml", text);
  Run run = run_sinew(folder, "run", "bad.yaml", "--overwrite", "--output", "results", NULL);
  assert_code(&run, 3);
  run_release(&run);
  char *after = get_text(folder, "results/probes.csv");
  assert_string_equal(before, after);
  free(before), free(after), free(text);
  folder_remove(&folder);
}

/* A folder with other things in it is not Sinew's to clear. */
static void overwrite_keeps_other_files(void **state) {
  (void)state;
  char *folder = square_folder(), path[4096];
  snprintf(path, sizeof path, "%s/results", folder);
  mkdir(path, 0777);
  put_text(folder, "results/notes.txt", "mine");
  Run run = run_sinew(folder, "run", "case.yaml", "--overwrite", NULL);
  assert_code(&run, 0);
  char *notes = get_text(folder, "results/notes.txt");
  assert_string_equal(notes, "mine");
  free(notes);
  run_release(&run);
  folder_remove(&folder);
}

static void output_cannot_be_made(void **state) {
  (void)state;
  char *folder = square_folder();
  Run run = run_sinew(folder, "run", "case.yaml", "--output", "square.msh/out", NULL);
  assert_code(&run, 9);
  assert_said(&run, "square.msh/out");
  run_release(&run);
  run = run_sinew(folder, "run", "case.yaml", "--output", "/proc/no/such/place", NULL);
  assert_code(&run, 9);
  run_release(&run);
  folder_remove(&folder);
}

/* No file may grow over 1 KiB: as good as a full disk. The signal of that limit is ignored by the shell for its child.
 */
static void disk_full(void **state) {
  (void)state;
  char *folder = square_folder();
  Run run =
      run_program(folder, "sh",
                  (const char *[]){"-c", "trap '' XFSZ; ulimit -f 2; exec \"$0\" run case.yaml", SINEW_PROGRAM, NULL});
  assert_code(&run, 9);
  assert_said(&run, "results");
  run_release(&run);
  folder_remove(&folder);
}

static void stdout_full(void **state) {
  (void)state;
  char *folder = square_folder();
  Run run =
      run_program(folder, "sh", (const char *[]){"-c", "exec \"$0\" list elements > /dev/full", SINEW_PROGRAM, NULL});
  assert_code(&run, 9);
  run_release(&run);
  folder_remove(&folder);
}

/* sh -c with the program as $0. */
static void shell_gives(const char *folder, const char *command, int code, const char *part) {
  Run run = run_program(folder, "sh", (const char *[]){"-c", command, SINEW_PROGRAM, NULL});
  assert_code(&run, code);
  assert_said(&run, part);
  run_release(&run);
}

/* `-`: the case comes through a pipe, its files lie in the current folder. */
static void case_from_stdin(void **state) {
  (void)state;
  char *folder = square_folder();
  shell_gives(folder, "cat case.yaml | \"$0\" run -", 0, "results/results.hdf");
  shell_gives(folder, "cat case.yaml | \"$0\" run case.yaml --resume", 0, "nothing to do");
  shell_gives(folder, "(cat case.yaml; echo 'titel: x') | \"$0\" check -", 3, "unknown key 'titel'");
  shell_gives(folder, "echo 'version: 2' | \"$0\" check -", 3, "<stdin>:1:");
  shell_gives(folder, "\"$0\" check - </dev/null", 3, "<stdin>:1:1: the case file is empty");
  shell_gives(folder, "\"$0\" check - <.", 3, "<stdin>: cannot read the case file: Is a directory");
  shell_gives(folder, "head -c 1100000 /dev/zero | \"$0\" check -", 3, "<stdin>: is longer than 1 MiB");
  folder_remove(&folder);
}

/* A text with all `on:` as `true:`, as writers of YAML 1.1 leave it; owned. */
static char *with_true(const char *text) {
  char *out = calloc(2 * strlen(text) + 1, 1), *to = out;
  while (*text) {
    const bool on = !strncmp(text, "{on: ", 5);
    to = stpcpy(to, on ? "{true: " : (char[]){*text, 0});
    text += on ? 5 : 1;
  }
  return out;
}

static void true_is_on(void **state) {
  (void)state;
  char *text = with_true(SQUARE_CASE);
  assert_non_null(strstr(text, "true: "));
  case_gives(text, 0, NULL);
  case_gives("version: 1\n\"true\": 3\n", 3, "unknown key 'true'"); /* in quotes it is what it says */
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(crlf_passes),
      cmocka_unit_test(crlf_keeps_columns),
      cmocka_unit_test(bom_passes_and_keeps_columns),
      cmocka_unit_test(spaces_and_unicode_pass),
      cmocka_unit_test(unicode_keeps_columns),
      cmocka_unit_test(unicode_group_passes),
      cmocka_unit_test(yaml_over_1_mib),
      cmocka_unit_test(yaml_deeper_than_64),
      cmocka_unit_test(many_brackets_end_quickly),
      cmocka_unit_test(nul_in_yaml),
      cmocka_unit_test(case_not_a_file),
      cmocka_unit_test(mesh_not_a_file),
      cmocka_unit_test(mesh_of_other_content),
      cmocka_unit_test(output_exists),
      cmocka_unit_test(error_keeps_the_old_result),
      cmocka_unit_test(overwrite_keeps_other_files),
      cmocka_unit_test(output_cannot_be_made),
      cmocka_unit_test(disk_full),
      cmocka_unit_test(stdout_full),
      cmocka_unit_test(case_from_stdin),
      cmocka_unit_test(true_is_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
