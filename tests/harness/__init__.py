"""The test runner behind tests/run_tests.py: one module for each kind of test.

Standard library only and Python 3.8, so that a packed folder runs on any machine with a GPU.
"""
