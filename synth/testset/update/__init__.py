"""Update of a set after changes of its corpus, and the versions of the set."""
