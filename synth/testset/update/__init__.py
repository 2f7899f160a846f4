"""What becomes of the rows of a set when its corpus changes, and the versions that follow one another."""
