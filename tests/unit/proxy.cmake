# proxy: unit tests and fuzz targets
unit_test(test_client_hello wire)
target_sources(test_client_hello PRIVATE unit/hello_corpus.c)
