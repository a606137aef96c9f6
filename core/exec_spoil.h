/* For tests: what reads memory that nobody wrote. */
#pragma once

/* What exec_alloc gives on the CPU from now on is full of ones, NaN and -1, in place of zeros: on a GPU anything may be there. */
void exec_spoil_new(void);
