# lint: the quick checks, as tests; ./dev lint runs all of them
find_program(EXEAT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(EXEAT_PYTHON python3 REQUIRED)
foreach(check tree cases layers banned sizes)
	add_test(NAME lint/${check}
		COMMAND ${EXEAT_PYTHON} lint/${check}.py
		WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
	set_tests_properties(lint/${check} PROPERTIES LABELS lint TIMEOUT 60)
endforeach()
