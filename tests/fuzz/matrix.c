/* libFuzzer target: matrices and right-hand sides in Matrix Market form. */
#include "algebra/market/matrix_market.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  char path[32];
  MarketMatrix matrix = {0};
  MarketArray array = {0};
  const int file = fuzz_file(bytes, size, path);
  if (market_matrix_read(path, MARKET_SYMMETRIC | MARKET_POSITIVE, &matrix) != OK) fuzz_holds(status_message()[0]);
  market_matrix_release(&matrix);
  if (market_array_read(path, 4, "A.mtx", &array) != OK) fuzz_holds(status_message()[0]);
  market_array_release(&array);
  close(file);
  fuzz_end();
  return 0;
}
