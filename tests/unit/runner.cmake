# runner: unit tests
unit_test(test_handoff policy)
