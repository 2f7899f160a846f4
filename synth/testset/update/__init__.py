"""Update of a set after its corpus changed, and the versions of the set."""
