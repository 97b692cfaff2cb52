# conf: unit tests and fuzz targets
unit_test(test_hostname policy)
unit_test(test_netaddr policy)
unit_test(test_text policy)
unit_test(test_audit policy)
target_compile_definitions(test_audit PRIVATE
	AUDIT_SCHEMA="${PROJECT_SOURCE_DIR}/conf/audit.schema.json")
unit_test(test_conf conf)
target_compile_definitions(test_conf PRIVATE
	EXAMPLES_DIR="${PROJECT_SOURCE_DIR}/conf/examples"
	MANUAL="${PROJECT_SOURCE_DIR}/conf/exeat-policy.5")
target_sources(test_conf PRIVATE unit/conf_build.c)
unit_test(test_conf_errors conf)
target_sources(test_conf_errors PRIVATE unit/conf_build.c)
if(NOT APPLE) # its linker has no --wrap
	unit_test(test_conf_memory conf)
	target_link_options(test_conf_memory PRIVATE
		-Wl,--wrap=calloc,--wrap=strdup)
endif()
unit_test(test_policy conf)
fuzz_target(fuzz_hostname policy)
fuzz_target(fuzz_netaddr policy)
fuzz_target(fuzz_conf_file conf)
fuzz_target(fuzz_rule conf)
unit_test(test_proxy_url policy)
fuzz_target(fuzz_proxy_url policy)
unit_test(test_policy_upstream conf)
target_sources(test_policy_upstream PRIVATE unit/conf_build.c)
