# runner: what stands beside the raising of a fence: scripts, limits, the list
# of runs.
add_library(verbs STATIC
	${CMAKE_CURRENT_LIST_DIR}/process_id.c
	${CMAKE_CURRENT_LIST_DIR}/registry.c
	${CMAKE_CURRENT_LIST_DIR}/run_entry.c
	${CMAKE_CURRENT_LIST_DIR}/run_limits.c
	${CMAKE_CURRENT_LIST_DIR}/run_use.c
	${CMAKE_CURRENT_LIST_DIR}/script.c
)
target_include_directories(verbs PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_link_libraries(verbs PUBLIC runner conf PRIVATE exeat_options)

# Programs of their own, as git has them: `exeat ps` starts exeat-ps.
foreach(verb ps kill)
	add_executable(exeat-${verb} ${CMAKE_CURRENT_LIST_DIR}/${verb}_main.c)
	target_link_libraries(exeat-${verb} PRIVATE verbs exeat_options)
	link_statically(exeat-${verb})
	install(TARGETS exeat-${verb}
		DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/exeat)
endforeach()
install(FILES ${CMAKE_CURRENT_LIST_DIR}/exeat-ps.1
	DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
