# fence: unit tests and golden files
add_executable(fence_run helpers/fence_run.c)
target_link_libraries(fence_run PRIVATE machine conf exeat_options)
set_target_properties(fence_run PROPERTIES
	RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)

# Golden files: what each back end writes. To rewrite them and see what differs:
# tests/golden/run.py build/dev/bin/exeat-fence --update
find_program(EXEAT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(EXEAT_PYTHON python3 REQUIRED)
add_test(NAME golden/fence COMMAND ${EXEAT_PYTHON}
	${CMAKE_CURRENT_SOURCE_DIR}/golden/run.py $<TARGET_FILE:exeat-fence>)
set_tests_properties(golden/fence PROPERTIES LABELS golden TIMEOUT 120)

# Seatbelt profiles, evaluated (tinyscheme)
foreach(name profiles files)
	add_test(NAME integration/fence_${name}
		COMMAND ${EXEAT_PYTHON} -m pytest -q -p no:cacheprovider
			${CMAKE_CURRENT_SOURCE_DIR}/integration/test_fence_${name}.py)
	set_tests_properties(integration/fence_${name} PROPERTIES
		LABELS integration TIMEOUT 300
		ENVIRONMENT EXEAT_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
endforeach()

add_library(plan_case OBJECT unit/plan_case.c)
target_link_libraries(plan_case PRIVATE fence conf dep_cmocka exeat_options)
unit_test(test_paths fence)
unit_test(test_shebang fence)
fuzz_target(fuzz_shebang fence)
unit_test(test_env_plan fence)
foreach(name facts_text fence_plan plan_protect backends)
	unit_test(test_${name} plan_case fence conf)
endforeach()
unit_test(test_machine machine)
unit_test(test_tree_walk machine)
unit_test(test_fence_options fence)
target_sources(test_fence_options PRIVATE
	${PROJECT_SOURCE_DIR}/fence/fence_options.c)
fuzz_target(fuzz_fence fence)
unit_test(test_fence_property plan_case fence conf)
target_sources(test_fence_property PRIVATE unit/sbpl_eval.c
	${PROJECT_SOURCE_DIR}/runner/check_answer.c)
target_include_directories(test_fence_property PRIVATE
	${PROJECT_SOURCE_DIR}/runner)
set_tests_properties(unit/test_fence_property PROPERTIES TIMEOUT 300)

# How long plans and outputs take; slower than is promised is a failure.
add_executable(fence_bench bench/fence_bench.c)
target_link_libraries(fence_bench PRIVATE fence conf exeat_options)
set_target_properties(fence_bench PROPERTIES
	RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_test(NAME bench/fence COMMAND fence_bench)
set_tests_properties(bench/fence PROPERTIES LABELS bench TIMEOUT 120)

# The same of the part that other systems use.
add_executable(test_machine_portable unit/test_machine.c
	${PROJECT_SOURCE_DIR}/fence/machine.c
	${PROJECT_SOURCE_DIR}/fence/machine_account.c
	${PROJECT_SOURCE_DIR}/fence/machine_interpreter.c
	${PROJECT_SOURCE_DIR}/fence/machine_kernel.c
	${PROJECT_SOURCE_DIR}/fence/machine_links.c
	${PROJECT_SOURCE_DIR}/fence/machine_paths_portable.c
	${PROJECT_SOURCE_DIR}/fence/machine_sockets.c
	${PROJECT_SOURCE_DIR}/fence/tree_walk.c)
target_link_libraries(test_machine_portable PRIVATE fence dep_cmocka
	exeat_options)
set_target_properties(test_machine_portable PROPERTIES
	RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_test(NAME unit/test_machine_portable COMMAND test_machine_portable)
set_tests_properties(unit/test_machine_portable PROPERTIES LABELS unit
	TIMEOUT 60)
