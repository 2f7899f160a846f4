"""Groups of nodes that hang together more than chance would have it, found in a time near the number of edges."""

from __future__ import annotations

from collections.abc import Sequence

Weights = list[dict[int, float]]

_ROUNDS = 12


def communities(neighbours: Weights, resolution: float = 1.0) -> list[int]:
    """For each node the number of its community, in the order in which these first appear.

    `neighbours[a][b]` is the weight of the edge between a and b, and the same as `neighbours[b][a]`.
    Nodes move to the community that gains most modularity, then communities become nodes, until
    nothing moves (Blondel et al., "Fast unfolding of communities in large networks", 2008). Nodes are
    visited in order and ties go to the lower number, so the same graph always falls apart alike.
    A greater `resolution` makes smaller communities.
    """
    total = sum(sum(row.values()) for row in neighbours)
    member = list(range(len(neighbours)))
    while total and len(neighbours) > 1:
        moved = _numbered(_moved(neighbours, total, resolution))
        if len(set(moved)) == len(neighbours):
            break
        member = [moved[community] for community in member]
        neighbours = _folded(neighbours, moved)
    return _numbered(member)


def _moved(neighbours: Weights, total: float, resolution: float) -> list[int]:
    degree = [sum(row.values()) for row in neighbours]
    community = list(range(len(neighbours)))
    weight = list(degree)
    waiting = list(range(len(neighbours)))
    for _ in range(_ROUNDS):
        touched: set[int] = set()
        for node in waiting:
            links: dict[int, float] = {}
            for other, strength in neighbours[node].items():
                if other != node:
                    links[community[other]] = links.get(community[other], 0.0) + strength
            old = community[node]
            weight[old] -= degree[node]
            share = resolution * degree[node] / total
            best, gain = old, links.get(old, 0.0) - share * weight[old]
            for there, strength in links.items():
                found = strength - share * weight[there]
                if found > gain + 1e-12 or (there < best and best != old and found > gain - 1e-12):
                    best, gain = there, found
            weight[best] += degree[node]
            if best != old:
                community[node] = best
                touched.update(other for other in neighbours[node] if community[other] != best)
        if not touched:
            break
        waiting = sorted(touched)
    return community


def _folded(neighbours: Weights, community: Sequence[int]) -> Weights:
    """The graph whose nodes are the communities; what is within one becomes its edge to itself."""
    folded: Weights = [{} for _ in range(max(community) + 1)]
    for node, row in enumerate(neighbours):
        mine = folded[community[node]]
        for other, strength in row.items():
            mine[community[other]] = mine.get(community[other], 0.0) + strength
    return folded


def _numbered(community: Sequence[int]) -> list[int]:
    order: dict[int, int] = {}
    return [order.setdefault(found, len(order)) for found in community]
