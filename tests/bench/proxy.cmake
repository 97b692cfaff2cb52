# proxy_load: clients and origin of tests/bench/proxy_bench.py
add_executable(proxy_load bench/proxy_load.c)
target_link_libraries(proxy_load PRIVATE policy exeat_options)
set_target_properties(proxy_load PROPERTIES
	RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
