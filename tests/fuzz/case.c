/* libFuzzer target: the reader of case files. What it accepts is written out as `sinew check` does, and reads back to
 * the same. */
#include "app/input/case.h"
#include "output/text.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void read_back(const Case *c) {
  Text first = {0}, second = {0};
  Case *again = NULL;
  case_echo(c, &first);
  fuzz_holds(first.status == OK);
  if (case_parse("echo.yaml", first.data, strlen(first.data), 0, NULL, &again) == OK) {
    case_echo(again, &second);
    fuzz_holds(second.status == OK && strcmp(first.data, second.data) == 0);
  }
  case_destroy(&again);
  text_release(&first);
  text_release(&second);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  Case *c = NULL;
  if (case_parse("fuzz.yaml", (const char *)bytes, size, 0, NULL, &c) == OK) read_back(c);
  else fuzz_holds(status_message()[0] && !c);
  case_destroy(&c);
  fuzz_end();
  return 0;
}
