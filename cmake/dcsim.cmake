# What every target of the project shares.

# Warnings, language, no contraction of a*b+c, sanitizers.
function(dcsim_flags target)
  target_compile_features(${target} PRIVATE c_std_11)
  set_target_properties(${target} PROPERTIES C_EXTENSIONS ON POSITION_INDEPENDENT_CODE ON)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
    -Wno-sign-conversion -ffp-contract=off -fno-math-errno)
  if(DCSIM_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(DCSIM_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${DCSIM_SANITIZE}
                           -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${DCSIM_SANITIZE})
  endif()
  if(DCSIM_FUZZ) # so that the fuzzer sees which branches of the library an input takes
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# dcsim_embed(target FILE...): the text of results/store_schema.sql as `const char store_schema_sql[]`, which a
# header declares. A file that changes runs CMake again.
function(dcsim_embed target)
  foreach(file ${ARGN})
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${name} name)
    file(READ ${path} text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "\n" "\\n\"\n    \"" text "${text}")
    set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.c)
    file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "/* Made by the build. */
extern const char @name@[];
const char @name@[] =
    \"@text@\";
")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    target_sources(${target} PRIVATE ${source})
  endforeach()
endfunction()

# dcsim_library(name PATTERN... [LINKS target...] [PRIVATE target...]): static library dcs_<name>.
# Files that are not C are embedded as texts. LINKS: what its headers use, too; PRIVATE: what only
# its code uses. Calls in src/des/banned.h are forbidden. The property DCSIM_LIBRARIES lists all of
# them.
function(dcsim_library name)
  cmake_parse_arguments(arg "" "" "LINKS;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${arg_UNPARSED_ARGUMENTS})
  set(texts ${sources})
  list(FILTER texts EXCLUDE REGEX "\\.c$")
  add_library(dcs_${name} STATIC ${sources})
  dcsim_embed(dcs_${name} ${texts})
  dcsim_flags(dcs_${name})
  target_include_directories(dcs_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_compile_options(dcs_${name} PRIVATE -include ${PROJECT_SOURCE_DIR}/src/des/banned.h)
  target_link_libraries(dcs_${name} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE})
  set_property(GLOBAL APPEND PROPERTY DCSIM_LIBRARIES ${name})
endfunction()

# The version and commit that results name, looked up at every build. Not the time or the machine:
# builds stay reproducible.
function(dcsim_build_id target)
  set(folder ${PROJECT_BINARY_DIR}/generated)
  if(NOT TARGET build_id)
    file(MAKE_DIRECTORY ${folder})
    add_custom_target(build_id BYPRODUCTS ${folder}/build_id.h
      COMMAND ${CMAKE_COMMAND} -DOUT=${folder}/build_id.h -DVERSION=${PROJECT_VERSION}
              -DSOURCE=${PROJECT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/build_id.cmake)
  endif()
  add_dependencies(${target} build_id)
  set(source "")
  if(DCSIM_FIND_SOURCES)
    set(source ${PROJECT_SOURCE_DIR})
  endif()
  target_include_directories(${target} PRIVATE ${folder})
  target_compile_definitions(${target} PRIVATE
    DCS_DATA_DIR="${CMAKE_INSTALL_FULL_DATADIR}/dcsim" DCS_SOURCE_DIR="${source}")
endfunction()

# What someone needs who builds a policy as a shared object: the header, what policies share, a
# CMake package and a .pc file.
function(dcsim_install_policy_headers)
  include(CMakePackageConfigHelpers)
  add_library(policy INTERFACE)
  target_include_directories(policy INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/dcsim>)
  install(FILES src/policies/policy.h src/policies/param.h src/policies/kernel_counters.h src/policies/host_views.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dcsim/policies)
  install(DIRECTORY src/policies/lib/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/dcsim/policies/lib
          FILES_MATCHING PATTERN "*.h")
  install(TARGETS policy EXPORT dcsim-targets)
  install(EXPORT dcsim-targets NAMESPACE dcsim:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dcsim)
  file(WRITE ${PROJECT_BINARY_DIR}/dcsim-config.cmake
       "include(\"\${CMAKE_CURRENT_LIST_DIR}/dcsim-targets.cmake\")\n")
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/dcsim-config-version.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/dcsim-config.cmake
                ${PROJECT_BINARY_DIR}/dcsim-config-version.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/dcsim)
  configure_file(cmake/dcsim-policy.pc.in dcsim-policy.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/dcsim-policy.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# Of Debian's zsh a package completes in vendor-completions, whoever else installs in site-functions.
function(dcsim_install_completion)
  set(zsh site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(zsh vendor-completions)
  endif()
  foreach(program dcsim dcsim-calibrate) # bash looks for a file of the program's name
    install(FILES completion/dcsim.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${program})
  endforeach()
  install(FILES completion/_dcsim DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh})
endfunction()

# A test that hangs ends; ThreadSanitizer takes ten times as long.
set(DCSIM_TEST_TIMEOUT 900)
if(DCSIM_SANITIZE MATCHES "thread")
  set(DCSIM_TEST_TIMEOUT 3600)
endif()

# dcsim_test(label name SOURCE... [LIBS target...] [ARGS ...]): one executable, one CTest with its
# label. cmocka is linked. Exit code 77 = skipped, and the test says why.
function(dcsim_test label name)
  cmake_parse_arguments(arg "" "" "LIBS;ARGS" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  dcsim_flags(${name})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} PkgConfig::CMOCKA)
  target_compile_definitions(${name} PRIVATE DCS_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             DCS_BINARY_DIR="${PROJECT_BINARY_DIR}")
  add_test(NAME ${label}/${name} COMMAND ${name} ${arg_ARGS})
  set_tests_properties(${label}/${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT ${DCSIM_TEST_TIMEOUT})
endfunction()

# dcsim_script_test(label name SCRIPT [ARGS...]): a shell test, run with DCSIM, DCSIM_CALIBRATE,
# SOURCE_DIR and BINARY_DIR in its environment. Exit code 77 = skipped, and the script says why.
function(dcsim_script_test label name script)
  add_test(NAME ${label}/${name} COMMAND bash ${PROJECT_SOURCE_DIR}/tests/${script} ${ARGN})
  set_tests_properties(${label}/${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT ${DCSIM_TEST_TIMEOUT}
    ENVIRONMENT "DCSIM=$<TARGET_FILE:dcsim>;DCSIM_CALIBRATE=$<TARGET_FILE:dcsim-calibrate>;SOURCE_DIR=${PROJECT_SOURCE_DIR};BINARY_DIR=${PROJECT_BINARY_DIR};SANITIZE=${DCSIM_SANITIZE}")
endfunction()
