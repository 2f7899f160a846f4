"""Reports for people: HTML pages, plots and CI files."""
