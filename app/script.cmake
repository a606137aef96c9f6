# Writes OUT, a header with the file SCRIPT as the bytes NAME[]. At the time of configuration.
function(sinew_script OUT NAME SCRIPT)
  set(path "${CMAKE_CURRENT_SOURCE_DIR}/${SCRIPT}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  file(READ "${path}" bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(CONCAT text "/* Made by app/script.cmake. */\n#pragma once\n"
           "static const unsigned char ${NAME}[] = {\n${bytes}};\n")
  file(GENERATE OUTPUT "${OUT}" CONTENT "${text}")
endfunction()
