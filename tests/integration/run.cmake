# the whole of exeat: live probes of `exeat run`, as root and as a user
string(SHA1 user ${CMAKE_BINARY_DIR})
string(SUBSTRING ${user} 0 8 user)
set(user exeat-${user})
foreach(act make remove)
	add_test(NAME integration/account_${act}
		COMMAND ${EXEAT_PYTHON}
			${CMAKE_CURRENT_SOURCE_DIR}/lab/account.py ${act} ${user})
	set_tests_properties(integration/account_${act} PROPERTIES
		LABELS integration TIMEOUT 60)
endforeach()
set_tests_properties(integration/account_make PROPERTIES
	FIXTURES_SETUP account)
set_tests_properties(integration/account_remove PROPERTIES
	FIXTURES_CLEANUP account)

foreach(name
	attacks
	audit
	bare_addresses
	audit_kill
	audit_suggest
	capture
	capture_noise
	captured_clients
	clients
	prove
	connect
	doctor
	domain
	environment
	exit
	fails_closed
	graft
	inside
	listen
	life
	loopback
	main_job
	names
	programs
	protect
	registry
	script
	streams
	syscalls
	tap
	wall
	who)
	add_test(NAME integration/${name}
		COMMAND ${EXEAT_PYTHON} -m pytest -q -p no:cacheprovider
			${CMAKE_CURRENT_SOURCE_DIR}/integration/test_${name}.py)
	set_tests_properties(integration/${name} PROPERTIES
		LABELS integration TIMEOUT 600
		FIXTURES_REQUIRED account
		ENVIRONMENT "EXEAT_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};EXEAT_TEST_USER=${user}")
endforeach()
# It compares files of /etc, which must not change under it.
set_property(TEST integration/fence_files APPEND PROPERTY
	FIXTURES_REQUIRED account)
