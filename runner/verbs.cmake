# runner: what stands beside the raising of a fence: scripts, limits, the list
# of runs.
add_library(verbs STATIC
	${CMAKE_CURRENT_LIST_DIR}/run_limits.c
	${CMAKE_CURRENT_LIST_DIR}/script.c
)
target_include_directories(verbs PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_link_libraries(verbs PUBLIC runner conf PRIVATE exeat_options)
