/* ROWS_SPAN of a rows.def is ROWS of a kernel for which the CPU has NAME_span(args, begin, end) beside NAME_body: rows that
 * follow each other at once, where they share work that a row of its own would do again. The same bits. */
#ifndef ROWS_SPAN
#define ROWS_SPAN ROWS
#endif
