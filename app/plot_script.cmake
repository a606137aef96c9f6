# Writes OUT, a header with app/plot.py as bytes. At the time of configuration.
function(sinew_plot_script OUT)
  set(path "${CMAKE_CURRENT_SOURCE_DIR}/plot.py")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  file(READ "${path}" bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(CONCAT text "/* Made by app/plot_script.cmake. */\n#pragma once\n"
           "static const unsigned char plot_script[] = {\n${bytes}};\n")
  file(GENERATE OUTPUT "${OUT}" CONTENT "${text}")
endfunction()
