"""The algorithm E-divisive as published (Matteson and James, 2014, and the package ecp for R): the reference with which
`ftr history` is compared. Shares no code with the product."""

import numpy as np


def best_division(distances, least):
    """Returns (statistic, number of values before the change)."""
    count = len(distances)
    sums = np.zeros((count + 1, count + 1))
    sums[1:, 1:] = distances.cumsum(0).cumsum(1)
    best = (-1.0, 0)
    for at in range(least, count - least + 1):
        left = sums[at, at]
        ends = np.arange(at + least, count + 1)
        both = sums[at, ends] - left
        right = sums[ends, ends] - left - 2 * both
        behind = ends - at
        statistic = at * behind / (at + behind) * (2 * both / (at * behind) - left / (at * (at - 1)) -
                                                    right / (behind * (behind - 1)))
        greatest = statistic.max()
        if greatest > best[0]:
            best = (greatest, at)
    return best


def change_points(values, random, level=0.05, permutations=199, least=2):
    """Returns the indices of the first values after the changes."""
    values = np.asarray(values, float)
    segments, found = [(0, len(values))], []
    while segments:
        begin, end = segments.pop()
        if end - begin < 2 * least:
            continue
        part = values[begin:end]
        distances = np.abs(part[:, None] - part[None, :])
        statistic, at = best_division(distances, least)
        greater = 0
        for _ in range(permutations):
            order = random.permutation(len(part))
            greater += best_division(distances[np.ix_(order, order)], least)[0] >= statistic
            if (greater + 1) / (permutations + 1) > level:
                break
        else:
            found.append(begin + at)
            segments += [(begin, begin + at), (begin + at, end)]
    return sorted(found)
