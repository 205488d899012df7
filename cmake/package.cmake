# What is installed beside the program, and the Debian package of all of it:
#
#   cmake --preset package && cmake --build --preset package     build/package/dcsim_0.1.0_amd64.deb
#
# The preset installs below /usr, and the program does not look for a source tree.

if(DCSIM_PACKAGE)
  include(${CMAKE_CURRENT_LIST_DIR}/package_tools.cmake)
endif()

# The configs' schema, by which editors complete and check.
set(schema ${PROJECT_BINARY_DIR}/config.schema.json)
add_custom_command(OUTPUT ${schema} COMMAND dcsim --list schema > ${schema} DEPENDS dcsim VERBATIM)
add_custom_target(schema ALL DEPENDS ${schema})
install(FILES ${schema} DESTINATION ${CMAKE_INSTALL_DATADIR}/dcsim)

foreach(folder plots examples)
  install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/dcsim/${folder} USE_SOURCE_PERMISSIONS
          PATTERN __pycache__ EXCLUDE)
endforeach()
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.c" PATTERN "*.png" PATTERN "*.svg")
install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Debian's changelog is the head of ours, its copyright the notice and where Debian keeps the licences that it names.
file(READ CHANGELOG.md changes)
string(REGEX MATCH "\n## [^\n]*\n+([^\n#-][^\n]*)" head "${changes}")
set(head "${CMAKE_MATCH_1}")
if(NOT head)
  message(FATAL_ERROR "CHANGELOG.md: the newest version begins with no sentence")
endif()
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC) # or SOURCE_DATE_EPOCH
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/changelog @ONLY CONTENT "dcsim (@PROJECT_VERSION@) unstable; urgency=medium

  * @head@
    CHANGELOG.md beside this file has the changes.

 -- The dcsim developers <>  @now@
")
dcsim_install_gzip(${PROJECT_BINARY_DIR}/changelog ${CMAKE_INSTALL_DOCDIR})
file(READ NOTICE notice)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/copyright @ONLY CONTENT "@notice@
On Debian the GNU GPL, version 3, is /usr/share/common-licenses/GPL-3, the GNU LGPL, version 3,
/usr/share/common-licenses/LGPL-3.
")
install(FILES ${PROJECT_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The dcsim developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Latency services and batch applications share GPUs under a scheduling policy:
dcsim replays a workload against measured profiles of GPUs and says which share
of the requests meets its SLA, how busy the GPUs are and how much batch work
gets done. Policies are built in or loaded from shared objects, for which the
package has the headers.")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Scripts of plots/ and configs/; plug-ins; examples.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "sqlite3, gnuplot-nox, python3")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc, pkg-config, python3-pandas, python3-matplotlib, python3-jsonschema, r-cran-rsqlite")
include(CPack)
