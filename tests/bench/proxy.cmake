# Load, origin and floor of the benchmarks
foreach(name capture_load proxy_load proxy_floor)
	add_executable(${name} bench/${name}.c)
	target_link_libraries(${name} PRIVATE policy exeat_options)
	set_target_properties(${name} PROPERTIES
		RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endforeach()
