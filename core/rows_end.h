/* Forgets the macros of core/rows.h. */
#undef ROWS
#undef ROWS_SUM
#undef ROWS_SPAN
#undef ROWS_DECLARE
