# the whole of exeat: live probes of `exeat run`, as root and as a user
foreach(name main_job wall inside streams exit fails_closed)
	add_test(NAME integration/${name}
		COMMAND ${EXEAT_PYTHON} -m pytest -q -p no:cacheprovider
			${CMAKE_CURRENT_SOURCE_DIR}/integration/test_${name}.py)
	set_tests_properties(integration/${name} PROPERTIES
		LABELS integration TIMEOUT 600
		ENVIRONMENT EXEAT_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
endforeach()
