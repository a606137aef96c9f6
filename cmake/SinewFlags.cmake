# Compiler flags of all C targets; sinew_library(): one static library per room; sinew_sources(): the files of a sub-room; sinew_rows(): its row kernels.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(SINEW_WARNINGS -Wall -Wextra -Wshadow -Wconversion -Wdouble-promotion -Wmissing-prototypes -Wstrict-prototypes -Wvla)
if(SINEW_STRICT)
  list(APPEND SINEW_WARNINGS -Werror)
endif()
if(SINEW_SANITIZE STREQUAL thread)
  add_compile_options($<$<COMPILE_LANGUAGE:C>:-fsanitize=thread> $<$<COMPILE_LANGUAGE:C>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=thread)
elseif(SINEW_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:C>:-fsanitize=address,undefined> $<$<COMPILE_LANGUAGE:C>:-fno-omit-frame-pointer>
                      $<$<COMPILE_LANGUAGE:C>:-fno-sanitize-recover=undefined>)
  add_link_options(-fsanitize=address,undefined)
endif()
if(SINEW_FUZZ) # every branch is watched
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "SINEW_FUZZ needs clang: cmake --preset fuzz (apt-get install clang libclang-rt-14-dev)")
  endif()
  add_compile_options($<$<COMPILE_LANGUAGE:C>:-fsanitize=fuzzer-no-link>)
endif()
include(CheckCCompilerFlag)
# What is built to be used elsewhere runs on x86-64 processors with AVX2 and FMA; app/main.c says so on others.
option(SINEW_NATIVE "Compile for this machine's own processor, as quickstart.sh does" OFF)
check_c_compiler_flag(-march=native SINEW_HAS_NATIVE)
set(SINEW_MARCH "")
if(SINEW_NATIVE AND SINEW_HAS_NATIVE)
  set(SINEW_MARCH -march=native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  check_c_compiler_flag(-march=x86-64-v3 SINEW_HAS_X86_64_V3)
  if(SINEW_HAS_X86_64_V3)
    set(SINEW_MARCH -march=x86-64-v3)
  endif()
endif()

# sinew_library(core SOURCES a.c b.c LINK other targets)
function(sinew_library room)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(sinew_${room} STATIC ${ARG_SOURCES})
  target_include_directories(sinew_${room} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/rows)
  target_compile_options(sinew_${room} PRIVATE $<$<COMPILE_LANGUAGE:C>:${SINEW_WARNINGS}>)
  target_compile_options(sinew_${room} PRIVATE $<$<COMPILE_LANGUAGE:C>:${SINEW_MARCH}>)
  target_compile_definitions(sinew_${room} PRIVATE _GNU_SOURCE)
  target_link_libraries(sinew_${room} PUBLIC ${ARG_LINK} m)
  if(OpenMP_C_FOUND)
    target_link_libraries(sinew_${room} PUBLIC OpenMP::OpenMP_C)
  endif()
endfunction()

# In a sub-room's CMakeLists.txt, sinew_sources(solver pcg.c linear.c): its files, compiled into the room's library.
function(sinew_sources room)
  foreach(source ${ARGN})
    target_sources(sinew_${room} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  endforeach()
endfunction()

# In a folder's CMakeLists.txt: writes FOLDER/rows.h, which declares the row kernels of its rows.def, and FOLDER/rows.c, which
# defines them for the CPU (core/rows.h). A folder whose kernels need more than bodies has a rows.c of its own.
function(sinew_rows room)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/rows/${folder}/rows.h CONTENT "#pragma once
#define ROWS_DECLARE
#include \"core/rows.h\"
#include \"${folder}/rows.def\"
#include \"core/rows_end.h\"
")
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/rows.c)
  if(NOT EXISTS ${source})
    set(source ${PROJECT_BINARY_DIR}/rows/${folder}/rows.c)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${folder}/rows.h\"

#include \"core/rows.h\"
#include \"${folder}/rows.def\"
")
  endif()
  target_sources(sinew_${room} PRIVATE ${source})
endfunction()
