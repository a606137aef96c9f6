# sinew_script(OUT NAME SCRIPT...) writes OUT, a header with the files, one after the other, as the bytes NAME[]. At the time of
# configuration.
function(sinew_script OUT NAME)
  set(bytes "")
  foreach(script ${ARGN})
    set(path "${CMAKE_CURRENT_SOURCE_DIR}/${script}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    file(READ "${path}" more HEX)
    string(APPEND bytes "${more}")
  endforeach()
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(CONCAT text "/* Made by app/script.cmake. */\n#pragma once\n"
           "static const unsigned char ${NAME}[] = {\n${bytes}};\n")
  file(GENERATE OUTPUT "${OUT}" CONTENT "${text}")
endfunction()
