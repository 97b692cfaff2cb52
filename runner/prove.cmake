# exeat-prove: a program of its own; it is the attacker as well.
add_library(prove STATIC prove_attack.c prove_files.c prove_job.c prove_kernel.c
	prove_net.c
	prove_report.c prove_run.c prove_serve.c prove_stage.c prove_table.c prove_target.c)
target_include_directories(prove PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(prove PUBLIC runner machine PRIVATE exeat_options)
add_executable(exeat-prove prove_main.c)
target_link_libraries(exeat-prove PRIVATE prove exeat_options)
link_statically(exeat-prove)
install(TARGETS exeat-prove DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES exeat-prove.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
