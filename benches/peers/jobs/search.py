"""The search for the settings with which a program reaches an error in the least processor time."""

import dataclasses
import math
import statistics

# A program whose run is this many times as long as its best one is not refined further.
WORSE = 2.0
# Nor are settings whose error does not change by more than this share in this many steps: shorter steps do not help.
SAME, COUNT = 0.01, 4
# Runs shorter than this are repeated.
SHORT = 0.02


@dataclasses.dataclass
class Best:
    """The settings of the fastest run that was accurate enough."""

    settings: dict
    error: float
    seconds: float


def ladder(first, last, ratio=1.25):
    """Whole numbers from first to last in steps of about this ratio."""
    count, numbers = float(first), []
    while count < last * 1.0001:
        if round(count) not in numbers:
            numbers.append(round(count))
        count *= ratio
    return numbers


def fastest(families, steps, run, bound):
    """The fastest settings with an error of at most the bound.

    families: settings that differ in anything but the step. steps: values of the setting "steps", from the longest step to the
    shortest one. run(settings) returns the error and the processor time. Within a family, the longest step that
    reaches the bound counts. A family ends early if it takes longer than the best one, or if shorter steps do not help.
    """
    best = None
    for family in families:
        errors = []
        for count in steps:
            settings = {**family, "steps": count}
            error, seconds = run(settings)
            if best and seconds > WORSE * best.seconds:
                break
            errors.append(error)
            last = errors[-COUNT:]
            if len(last) == COUNT and bound < min(last) and max(last) - min(last) <= SAME * min(last):
                break
            if error <= bound:
                # Further runs are less disturbed by other programs and by the first use of anything.
                seconds = min(seconds, *(run(settings)[1] for _ in range(5 if seconds < SHORT else 1)))
                if not best or seconds < best.seconds:
                    best = Best(settings, error, seconds)
                break
    return best


def pairs(first, second, count):
    """Processor times of two programs that take turns: the median ratio of second over first, all ratios, and both medians."""
    times = [(first(), second()) for _ in range(count)]
    ratios = [b / a for a, b in times]
    medians = [statistics.median(column) for column in zip(*times)]
    return statistics.median(ratios), ratios, medians


def rms(places, reference):
    """Root of the mean squared distance of nodes, infinite if a number is missing or not finite."""
    if len(places) != len(reference):
        return math.inf
    squares = [math.dist(a, b) ** 2 for a, b in zip(places, reference)]
    mean = sum(squares) / len(squares)
    return math.sqrt(mean) if math.isfinite(mean) else math.inf
