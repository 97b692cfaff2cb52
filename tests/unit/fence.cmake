# fence: unit tests and golden files
add_executable(fence_run helpers/fence_run.c)
target_link_libraries(fence_run PRIVATE machine conf exeat_options)
set_target_properties(fence_run PROPERTIES
	RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
