# The maker of training questions works; it needs nothing but Python.
find_program(PYTHON3 python3)
if(PYTHON3)
  add_test(NAME train/synth
           COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/train/synth/test_make.py)
  set_tests_properties(train/synth PROPERTIES LABELS train TIMEOUT 1200)
  add_test(NAME train/widen
           COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/train/test_widen.py)
  set_tests_properties(train/widen PROPERTIES LABELS train)
  add_test(NAME train/run COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/train/test_run.py)
  add_test(NAME train/weights # skips itself where PyTorch is not installed
           COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/train/test_weights.py)
  set_tests_properties(train/run train/weights PROPERTIES LABELS train)
endif()
