# verbs of the runner: unit tests
unit_test(test_script verbs)
unit_test(test_job_stop runner)
unit_test(test_process_id verbs)
