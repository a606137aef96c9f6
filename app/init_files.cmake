# Writes OUT, a header with the files of app/init/ as bytes. At the time of configuration; FILES is a list of
# KIND/NAME|MEANING.
function(sinew_init_files OUT)
  set(arrays "")
  set(rows "")
  set(i 0)
  foreach(line ${ARGN})
    string(REGEX MATCH "^([^/]*)/([^|]*)[|](.*)$" _ "${line}")
    set(kind "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    set(meaning "${CMAKE_MATCH_3}")
    set(path "${CMAKE_CURRENT_SOURCE_DIR}/init/${kind}/${name}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    file(READ "${path}" bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char init_bytes_${i}[] = {\n${bytes}};\n")
    string(APPEND rows "    {\"${kind}\", \"${name}\", \"${meaning}\", init_bytes_${i}, sizeof init_bytes_${i}},\n")
    math(EXPR i "${i} + 1")
  endforeach()
  string(CONCAT text "/* Made by app/init_files.cmake. */\n#pragma once\n#include <stddef.h>\ntypedef struct InitFile {\n"
           "  const char *kind, *name, *meaning;\n  const unsigned char *bytes;\n  size_t n;\n} InitFile;\n"
           "${arrays}static const InitFile init_files[] = {\n${rows}};\n"
           "enum { N_INIT_FILES = sizeof init_files / sizeof *init_files };\n")
  file(GENERATE OUTPUT "${OUT}" CONTENT "${text}")
endfunction()
