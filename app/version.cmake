# cmake -DSOURCE=... -DVERSION=... -DOUT=... -P version.cmake: the version and the commit as a header.
cmake_minimum_required(VERSION 3.22)
set(COMMIT unknown)
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE failed)
if(NOT failed)
  set(COMMIT ${found})
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define SINEW_VERSION \"@VERSION@\"\n#define SINEW_COMMIT \"@COMMIT@\"\n" @ONLY)
