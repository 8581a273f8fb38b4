"""What tables, figures and pages are made of: numbers in words, rows, drawings."""
