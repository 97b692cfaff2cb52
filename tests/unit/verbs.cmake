# verbs of the runner: unit tests
unit_test(test_script verbs)
