def mean(numbers):
    # FIXME: an empty list divides by zero
    return sum(numbers) / len(numbers)


def median(numbers):
    # TODO: a quicker way for long lists
    numbers = sorted(numbers)
    # FIXME: of an even count, the mean of the two in the middle
    return numbers[len(numbers) // 2]
