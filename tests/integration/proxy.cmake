# proxy: integration tests. In namespaces of their own where the user may make
# them, so that addresses other than loopback can be used.
find_program(python_with_pytest python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(unshare unshare)
set(proxy_tests noise daemon glance http socks request hello relay address limits handoff clients
	upstream workers)
foreach(name IN LISTS proxy_tests)
	set(command ${python_with_pytest} -m pytest -q -p no:cacheprovider
		${CMAKE_CURRENT_SOURCE_DIR}/integration/test_proxy_${name}.py)
	if(name STREQUAL "address" AND unshare)
		set(command sh -c "ip link set lo up && exec \"$@\"" sh
			${command})
		set(command ${unshare} --user --map-root-user --net ${command})
	endif()
	add_test(NAME integration/proxy_${name} COMMAND ${command})
	set_tests_properties(integration/proxy_${name} PROPERTIES
		LABELS integration TIMEOUT 300
		ENVIRONMENT EXEAT_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
endforeach()
