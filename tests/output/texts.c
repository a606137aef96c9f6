/* report.json, probes.csv and results.xdmf as text. */
#include "output/json.h"
#include "output/text.h"
#include "output/receipt.h"
#include "output/writer.h"

#include "core/memory.h"
#include "sample.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void json_is_json(void **state) {
  (void)state;
  Json *json = NULL;
  const char *text = NULL;
  assert_ok(json_create(&json));
  json_string(json, "title", "a \"b\" \\ \n\t\x01 \xc3\xa4 \xff\xc3( \xed\xa0\x80");
  json_number(json, "third", 1.0 / 3);
  json_number(json, "tenth", 0.1);
  json_number(json, "nan", NAN);
  json_number(json, "infinite", -INFINITY);
  json_object(json, "seconds");
  json_number(json, "solve", 2);
  json_end(json);
  json_array(json, "list");
  json_integer(json, NULL, -9007199254740993);
  json_bool(json, NULL, true);
  json_null(json, NULL);
  json_object(json, NULL);
  json_end(json);
  assert_ok(json_text(json, &text));
  assert_string_equal(
      text, "{\n  \"title\": \"a \\\"b\\\" \\\\ \\n\\t\\u0001 \xc3\xa4 \xef\xbf\xbd\xef\xbf\xbd( "
            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\",\n  \"third\": 0.3333333333333333,\n  \"tenth\": 0.1,\n"
            "  \"nan\": null,\n  \"infinite\": null,\n  \"seconds\": {\n    \"solve\": 2\n  },\n  \"list\": [\n"
            "    -9007199254740993,\n    true,\n    null,\n    {}\n  ]\n}\n");
  json_destroy(&json);
  assert_null(json);
  json_destroy(&json);
}

static void json_misuse_is_a_bug(void **state) {
  (void)state;
  for (int how = 0; how < 4; ++how) {
    Json *json = NULL;
    const char *text = NULL;
    assert_ok(json_create(&json));
    if (how == 0) json_number(json, NULL, 1);
    if (how == 1) json_end(json);
    if (how == 2) json_array(json, "a"), json_number(json, "b", 1);
    for (int i = 0; how == 3 && i < 100; ++i) json_object(json, "deep");
    assert_fails(json_text(json, &text), ERR_BUG, "JSON");
    json_destroy(&json);
  }
}

static void saving_is_all_or_nothing(void **state) {
  (void)state;
  Text text = {0};
  text_add(&text, "%s %d", "old", 1);
  assert_ok(text_save(&text, sample_path("report.json"), true));
  text_cut(&text, 0);
  text_add(&text, "new");
  mkdir(sample_path("report.json.new"), 0777); /* the temporary file cannot be made */
  assert_fails(text_save(&text, sample_path("report.json"), true), ERR_IO, "report.json");
  char *kept = sample_text("report.json");
  assert_string_equal(kept, "old 1");
  free(kept);
  rmdir(sample_path("report.json.new"));
  assert_fails(text_save(&text, sample_path("no/folder.json"), true), ERR_IO, "No such file");
  text_release(&text);
  sample_clean();
}

/* As the result gets its name. */
static void name_probes(void) { assert_int_equal(rename(sample_path("probes.csv.new"), sample_path("probes.csv")), 0); }

static void is_text(const char *wanted) {
  char *text = sample_text("probes.csv");
  assert_string_equal(text, wanted);
  free(text);
}

static void probes(void **state) {
  (void)state;
  static const char *const names[] = {"hole", "a,b \"c\"", "left-reaction-x"};
#define HEADER "time,hole,\"a,b \"\"c\"\"\",left-reaction-x\n"
#define FIRST "0,0.33333333333333331,-1.0000000000000001e+300,0\n0.5,nan,2,3\n"
  ProbeFileParams params = {.folder = sample_folder(), .n_column = 3, .name = names};
  ProbeFile *file = NULL;
  ReceiptPiece piece = {0};
  Receipt receipt = {.head.n_piece = 1, .piece = &piece};
  assert_ok(probe_file_create(&params, &file));
  assert_ok(probe_file_row(file, 0, (double[]){1.0 / 3, -1e300, 0}));
  assert_ok(probe_file_row(file, 0.5, (double[]){-NAN, 2, 3}));
  assert_fails(probe_file_sync(file, &receipt.head.probes_bytes, &receipt.head.probes_sum), ERR_IO,
               "removed"); /* no name yet */
  assert_ok(probe_file_close(&file));
  assert_int_equal(access(sample_path("probes.csv.new"), F_OK), -1); /* nothing without a result */

  assert_ok(probe_file_create(&params, &file));
  assert_ok(probe_file_row(file, 0, (double[]){1.0 / 3, -1e300, 0}));
  name_probes();
  assert_ok(probe_file_row(file, 0.5, (double[]){-NAN, 2, 3}));
  assert_ok(probe_file_sync(file, &receipt.head.probes_bytes, &receipt.head.probes_sum));
  assert_ok(probe_file_row(file, 1, (double[]){7, 8, 9}));
  assert_ok(probe_file_close(&file));
  is_text(HEADER FIRST "1,7,8,9\n");

  FILE *torn = fopen(sample_path("probes.csv"), "a");
  fputs("1.5,2", torn);
  fclose(torn);
  void *bytes = NULL;
  assert_ok(receipt_pack(&receipt, &bytes, &params.n_receipt));
  params.receipt = bytes;
  for (int turn = 0; turn < 2; ++turn) { /* what is later than the receipt goes */
    assert_ok(probe_file_create(&params, &file));
    assert_ok(probe_file_row(file, 2, (double[]){1, 2, 4}));
    assert_ok(probe_file_close(&file));
    is_text(HEADER FIRST "2,1,2,4\n");
  }
  static const char *const others[] = {"hole", "a,b \"c\"", "left-reaction-y"};
  params.name = others;
  assert_fails(probe_file_create(&params, &file), ERR_RESTART, "other columns");
  params.name = names;
  FILE *damaged = fopen(sample_path("probes.csv"), "r+");
  fseek(damaged, sizeof HEADER + 8, SEEK_SET);
  fputc('4', damaged);
  fclose(damaged);
  assert_fails(probe_file_create(&params, &file), ERR_RESTART, "probes.csv' is damaged");
  assert_int_equal(truncate(sample_path("probes.csv"), sizeof HEADER), 0);
  assert_fails(probe_file_create(&params, &file), ERR_RESTART, "is cut short");
  unlink(sample_path("probes.csv"));
  assert_fails(probe_file_create(&params, &file), ERR_RESTART, "is missing");
  mem_free(&bytes);

  params = (ProbeFileParams){.folder = sample_folder()};
  assert_ok(probe_file_create(&params, &file));
  assert_ok(probe_file_row(file, 3, NULL));
  assert_ok(probe_file_close(&file));
  params.folder = sample_path("missing");
  assert_fails(probe_file_create(&params, &file), ERR_IO, "probes.csv");
  sample_clean();
}

/* In pieces of any length the sum of the whole; every changed bit is seen. */
static void checksums(void **state) {
  (void)state;
  unsigned char bytes[300];
  for (int i = 0; i < 300; ++i) bytes[i] = (unsigned char)(i * i + 7 * i);
  for (int n = 0; n < 300; n += 13) {
    Checksum whole = {0};
    checksum_add(&whole, bytes, n);
    for (int part = 1; part < 70; part += 3) {
      Checksum sum = {0};
      for (int at = 0; at < n; at += part) {
        checksum_add(&sum, bytes + at, part < n - at ? part : n - at);
        checksum_value(&sum); /* may be asked for at any time */
      }
      assert_true(checksum_value(&sum) == checksum_value(&whole));
    }
    for (int bit = 0; bit < 8 * n; ++bit) {
      Checksum other = {0};
      bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
      checksum_add(&other, bytes, n);
      bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
      assert_true(checksum_value(&other) != checksum_value(&whole));
    }
  }
}

/* Tags open and close in order; attributes are quoted; no stray '<' or '&'. */
static void assert_well_formed(const char *text) {
  char open[32][64];
  int depth = 0;
  const char *p = strstr(text, "?>");
  assert_true(p && strncmp(text, "<?xml ", 6) == 0);
  for (p += 2; *p; ++p) {
    if (*p == '&')
      assert_true(!strncmp(p, "&amp;", 5) || !strncmp(p, "&lt;", 4) || !strncmp(p, "&gt;", 4) ||
                  !strncmp(p, "&quot;", 6));
    if (*p != '<') continue;
    const bool closing = p[1] == '/';
    char name[64];
    assert_int_equal(sscanf(p + 1 + closing, "%63[A-Za-z]", name), 1);
    const char *end = p;
    for (int quoted = 0; *end && (quoted || *end != '>'); ++end) quoted ^= *end == '"';
    assert_true(*end == '>');
    if (closing) {
      assert_true(depth > 0);
      assert_string_equal(open[--depth], name);
    } else if (end[-1] != '/') {
      assert_true(depth < 32);
      strcpy(open[depth++], name);
    }
    p = end;
  }
  assert_int_equal(depth, 0);
}

static void sidecar_is_xml(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(2, (const ElementKind[]){ELEMENT_TRI3, ELEMENT_QUAD4});
  const WriterField field[] = {{"a<b & \"c\"", false, 1, false, NULL}, {"stress", true, 6, false, NULL}};
  WriterParams params = sample_params(mesh, 1200);
  params.n_field = 2;
  params.field = field;
  Writer *writer = NULL;
  const double zero[64] = {0};
  assert_ok(writer_create(&params, &writer));
  for (int k = 0; k < 1200; ++k) assert_ok(writer_step(writer, k, (const double *const[]){zero, zero}));
  char *text = sample_text("results.xdmf");
  assert_well_formed(text);
  assert_non_null(strstr(text, "Name=\"a&lt;b &amp; &quot;c&quot;\""));
  assert_non_null(strstr(text, "Time Value=\"3\"")); /* later steps come now and then, */
  free(text);
  assert_ok(writer_close(&writer));
  text = sample_text("results.xdmf");
  assert_well_formed(text);
  assert_non_null(strstr(text, "Time Value=\"1199\"")); /* and at the end */
  assert_non_null(strstr(text, "Dimensions=\"2 1 6\">results.hdf<"));
  free(text);
  mesh_destroy(&mesh);
  sample_clean();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_is_json),
      cmocka_unit_test(json_misuse_is_a_bug),
      cmocka_unit_test(saving_is_all_or_nothing),
      cmocka_unit_test(probes),
      cmocka_unit_test(checksums),
      cmocka_unit_test(sidecar_is_xml),
  };
  return cmocka_run_group_tests_name("output/texts", tests, NULL, NULL);
}
