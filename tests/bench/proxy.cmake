# Load, origin and floor of the benchmarks
foreach(name capture_load proxy_load proxy_floor)
	add_executable(${name} bench/${name}.c)
	target_link_libraries(${name} PRIVATE policy exeat_options)
	set_target_properties(${name} PROPERTIES
		RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endforeach()

# 20,000 idle tunnels for a minute: not among the other tests (ctest -L load)
add_test(NAME load/proxy_idle COMMAND ${EXEAT_PYTHON}
	${CMAKE_CURRENT_SOURCE_DIR}/bench/proxy_idle.py
	${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set_tests_properties(load/proxy_idle PROPERTIES LABELS load TIMEOUT 300
	RUN_SERIAL ON)
