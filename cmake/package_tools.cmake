# What CPack needs to make a Debian package: without dpkg-shlibdeps it would depend on nothing, without file it fails
# after everything has been built.
find_program(DCSIM_SHLIBDEPS dpkg-shlibdeps)
find_program(DCSIM_FILE file)
if(NOT DCSIM_SHLIBDEPS OR NOT DCSIM_FILE)
  message(FATAL_ERROR "missing for a Debian package: apt-get install dpkg-dev file")
endif()
