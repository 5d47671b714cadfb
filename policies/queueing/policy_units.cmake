# Made from registry.def: a source per policy header, for what is compiled per policy.

# schedproof_read_policies(): sets `headers` to those of registry.def, and `policies_HEADER` to the types in each.
macro(schedproof_read_policies)
  set(list ${PROJECT_SOURCE_DIR}/policies/queueing/registry.def)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} lines REGEX "^SCHEDPROOF_POLICY")
  set(headers)
  foreach(line ${lines})
    string(REGEX MATCH "^SCHEDPROOF_POLICY\\(([a-z0-9_]+), ([A-Za-z0-9]+)\\)$" matched "${line}")
    if(NOT matched)
      message(FATAL_ERROR "policies/queueing/registry.def: expected SCHEDPROOF_POLICY(header, Type), not '${line}'")
    endif()
    list(APPEND headers ${CMAKE_MATCH_1})
    list(APPEND policies_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
  endforeach()
  list(REMOVE_DUPLICATES headers)
endmacro()

# schedproof_policy_units(out include macro): writes HEADER.cpp in the binary folder, which includes `include` and the
# policies' header and calls `macro` on each policy in it, and lists these sources in `out`.
function(schedproof_policy_units out include macro)
  schedproof_read_policies()
  set(units)
  foreach(header ${headers})
    set(calls)
    foreach(policy ${policies_${header}})
      string(APPEND calls "${macro}(${policy})\n")
    endforeach()
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/policy_units/${header}.cpp)
    file(CONFIGURE OUTPUT ${unit} @ONLY CONTENT
"// Made by CMake from policies/queueing/registry.def.
#include \"policies/queueing/${header}.hpp\"

#include \"${include}\"

${calls}")
    list(APPEND units ${unit})
  endforeach()
  set(${out} ${units} PARENT_SCOPE)
endfunction()

# schedproof_policy_headers(out): lists the policies' own headers.
function(schedproof_policy_headers out)
  schedproof_read_policies()
  list(TRANSFORM headers REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/policies/queueing/\\1.hpp")
  set(${out} ${headers} PARENT_SCOPE)
endfunction()

# schedproof_policy_includes(out): an include directive for each of the policies' own headers.
function(schedproof_policy_includes out)
  schedproof_read_policies()
  set(text)
  foreach(header ${headers})
    string(APPEND text "#include \"policies/queueing/${header}.hpp\"\n")
  endforeach()
  set(${out} ${text} PARENT_SCOPE)
endfunction()
