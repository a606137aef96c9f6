/* For a test that is built alone, without tests/testing.c. */
#include "tests/testing.h"

int testing_result(int failed) { return failed; }
