# fence: unit tests and golden files
add_executable(fence_run helpers/fence_run.c)
target_link_libraries(fence_run PRIVATE machine conf exeat_options)
set_target_properties(fence_run PROPERTIES
	RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)

# Golden files: what each back end writes. To rewrite them and see what differs:
# tests/golden/run.py build/dev/bin/exeat-fence --update
find_program(python3 NAMES /usr/bin/python3 python3)
add_test(NAME golden/fence COMMAND ${python3}
	${CMAKE_CURRENT_SOURCE_DIR}/golden/run.py $<TARGET_FILE:exeat-fence>)
set_tests_properties(golden/fence PROPERTIES LABELS golden TIMEOUT 120)
