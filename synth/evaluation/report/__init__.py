"""Reports for people: pages, plots and CI files."""
