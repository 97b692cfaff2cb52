# runner: unit tests
unit_test(test_handoff policy)
unit_test(test_bwrap_info runner)
unit_test(test_child runner)
unit_test(test_relay_pump runner)
unit_test(test_run_files runner)
unit_test(test_run_options runner)
unit_test(test_setup_cause runner)
unit_test(test_std_streams runner)
