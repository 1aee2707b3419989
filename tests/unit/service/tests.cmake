# It counts how often SQL is read.
target_link_options(unit_service_test_read_once PRIVATE -Wl,--wrap=lexer_run)
