# What is installed beside the program, and the Debian package of all of it:
#
#   cmake --preset package && cmake --build --preset package     build/package/dcsim_0.1.0_amd64.deb
#
# The preset installs below /usr, and the program does not look for a source tree.

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
install(FILES NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

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
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc, pkg-config, python3-pandas, python3-matplotlib, python3-jsonschema")
include(CPack)
