# install_unit(FILE DESTINATION PROGRAM): a unit of systemd, which names the program by its path, @TROUPE@ or @BARNUM@. That
# is known at install time: units go where systemd looks below any prefix.
function(install_unit file destination program)
  string(TOUPPER ${program} variable)
  install(CODE "
    set(${variable} \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${program}\")
    string(REGEX REPLACE \"\\\\.in$\" \"\" name \"${file}\")
    get_filename_component(name \"\${name}\" NAME)
    set(unit \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${destination}/\${name}\")
    message(STATUS \"Installing: \${unit}\")
    configure_file(\"${CMAKE_CURRENT_SOURCE_DIR}/${file}\" \"\${unit}\" @ONLY)
  ")
endfunction()
