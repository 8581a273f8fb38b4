"""The command line: reads options, calls one function, prints."""
