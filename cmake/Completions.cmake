# barnum_completions(PROGRAM): what bash, zsh and fish need to complete its command lines, printed by itself, into the
# folders in which they look for it. Not where the program is instrumented or can't run here.
function(barnum_completions program)
  if(BARNUM_SANITIZE OR CMAKE_CROSSCOMPILING)
    return()
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/completions)
  file(MAKE_DIRECTORY ${folder})
  foreach(shell bash zsh fish)
    add_custom_command(OUTPUT ${folder}/${program}.${shell}
      COMMAND ${program} completion ${shell} > ${folder}/${program}.${shell}
      DEPENDS ${program} VERBATIM)
    list(APPEND files ${folder}/${program}.${shell})
  endforeach()
  add_custom_target(${program}_completions ALL DEPENDS ${files})
  # OPTIONAL: who has built nothing but the programs may install them.
  install(FILES ${folder}/${program}.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME ${program} OPTIONAL)
  # zsh's own folder for others' functions; Debian has one of its own for packages.
  install(CODE "
    set(zsh_folder site-functions)
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
      set(zsh_folder vendor-completions)
    endif()
    file(INSTALL FILES \"${folder}/${program}.zsh\" RENAME _${program}
         DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${zsh_folder}\" OPTIONAL)")
  install(FILES ${folder}/${program}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d OPTIONAL)
endfunction()
