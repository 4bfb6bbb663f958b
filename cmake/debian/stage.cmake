# What makes of an installation below CPACK_TEMPORARY_DIRECTORY the contents of a Debian package.
set(root ${CPACK_TEMPORARY_DIRECTORY})
set(doc ${root}/usr/share/doc/barnum)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Debian's place for the licence; README.md links to LICENSE.
file(REMOVE ${doc}/LICENSE)
file(COPY ${CPACK_BARNUM_DEBIAN_DIR}/copyright ${CPACK_BARNUM_DEBIAN_DIR}/changelog DESTINATION ${doc})
file(READ ${doc}/changelog changelog)
string(REPLACE "barnum (${CPACK_BARNUM_VERSION})" "barnum (${CPACK_DEBIAN_PACKAGE_VERSION})" changelog "${changelog}")
file(WRITE ${doc}/changelog "${changelog}")
file(CREATE_LINK copyright ${doc}/LICENSE SYMBOLIC)
run(gzip -9n ${doc}/changelog)

# For the settings of troupe-agent@.service.
file(MAKE_DIRECTORY ${root}/etc/troupe)

# Whatever the umask of the clone was.
run(chmod -R u=rwX,go=rX ${root})
