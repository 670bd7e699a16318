//! The largest of many numbers, without sorting them all.

/// Up to this count the largest numbers are kept in order during one pass; above it, a selection is faster.
const FEW: usize = 32;
/// How many numbers are compared with the lowest kept one at a time.
const BLOCK: usize = 16;
/// The number of lanes whose maxima give a lower bound that excludes most numbers.
const LANES: usize = 2 * FEW;

/// Write the `count` largest numbers, largest first.
pub fn largest(numbers: &[f64], count: usize, kept: &mut Vec<f64>) {
    nth_largest(numbers, count, kept);
    kept.truncate(count);
    kept.sort_unstable_by(|a, b| b.total_cmp(a));
}

/// The `count`-th largest of the numbers; -inf if there are no more than that, or if `count` is 0. `kept` begins with
/// the largest, in no particular order.
pub fn nth_largest(numbers: &[f64], count: usize, kept: &mut Vec<f64>) -> f64 {
    kept.clear();
    if count == 0 || count >= numbers.len() {
        kept.extend_from_slice(if count == 0 { &[] } else { numbers });
        return f64::NEG_INFINITY;
    }
    if count > FEW {
        kept.extend_from_slice(numbers);
        return *kept.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a)).1;
    }
    if numbers.len() < 4 * LANES {
        return keep_passing(numbers, count, kept);
    }
    // `count` lanes reach the bound, so at least `count` numbers do.
    let bound = keep_passing(&lane_maxima(numbers), count, kept);
    kept.clear();
    each_from(numbers, bound.next_up(), |_, number| kept.push(number));
    if kept.len() < count {
        kept.resize(count, bound);
        return bound;
    }
    *kept.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a)).1
}

/// Distribute the numbers over lanes, and return the maximum of each lane.
fn lane_maxima(numbers: &[f64]) -> [f64; LANES] {
    let mut maxima = [f64::NEG_INFINITY; LANES];
    for dealt in numbers.chunks(LANES) {
        for (lane, &number) in maxima.iter_mut().zip(dealt) {
            *lane = if number > *lane { number } else { *lane };
        }
    }
    maxima
}

/// The `count`-th largest of more numbers than that; `kept` holds the largest in order.
fn keep_passing(numbers: &[f64], count: usize, kept: &mut Vec<f64>) -> f64 {
    let (first, rest) = numbers.split_at(count);
    kept.clear();
    kept.extend_from_slice(first);
    kept.sort_unstable_by(|a, b| b.total_cmp(a));
    pass_by(kept, rest);
    kept[count - 1]
}

/// Call `visit` with the index and value of each number that is not below `lowest`.
pub fn each_from(numbers: &[f64], lowest: f64, mut visit: impl FnMut(usize, f64)) {
    for (block, start) in numbers.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
        // One comparison of a block at a time: most blocks hold nothing large enough.
        if block.iter().fold(false, |any, &number| any | (number >= lowest)) {
            let large = block.iter().enumerate().filter(|&(_, &number)| number >= lowest);
            large.for_each(|(index, &number)| visit(start + index, number));
        }
    }
}

/// Keep the largest of the numbers; `kept` is sorted and keeps its length.
fn pass_by(kept: &mut [f64], numbers: &[f64]) {
    let Some(mut lowest) = kept.last().copied() else {
        return;
    };
    for block in numbers.chunks(BLOCK) {
        // One comparison of a block at a time, as in `each_from`.
        if block.iter().fold(false, |any, &number| any | (number > lowest)) {
            for &number in block.iter().filter(|&&number| number > lowest) {
                if number > kept[kept.len() - 1] {
                    insert(kept, number);
                }
            }
            lowest = kept[kept.len() - 1];
        }
    }
}

/// Insert a number into a sorted list, and drop the last one.
fn insert(kept: &mut [f64], number: f64) {
    let mut index = kept.len() - 1;
    while index > 0 && kept[index - 1] < number {
        kept[index] = kept[index - 1];
        index -= 1;
    }
    kept[index] = number;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_of_many_numbers_equals_the_start_of_a_sort() {
        let numbers = |modulus| (0..500_u32).map(move |index| f64::from(index.wrapping_mul(2_654_435_761) % modulus));
        // Few different numbers, many, in rising order (all the largest at the end), and in falling order.
        for numbers in [numbers(5).collect(), numbers(97).collect(), numbers(1 << 30).collect()] {
            check(numbers);
        }
        check((0..500).map(f64::from).collect());
        check((0..500).map(|index| -f64::from(index)).collect());
    }

    fn check(numbers: Vec<f64>) {
        let mut sorted = numbers.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        for count in [0, 1, 7, FEW, FEW + 1, 200, 499, 500, 501] {
            let mut kept = vec![1.0; 3];
            largest(&numbers, count, &mut kept);
            assert_eq!(kept, sorted[..count.min(500)], "{count}");
            let expected = if (1..500).contains(&count) { sorted[count - 1] } else { f64::NEG_INFINITY };
            assert_eq!(nth_largest(&numbers, count, &mut kept), expected, "{count}");
            let mut visited = Vec::new();
            each_from(&numbers, expected, |index, number| visited.push((index, number)));
            let plain = numbers.iter().copied().enumerate().filter(|&(_, number)| number >= expected);
            assert_eq!(visited, plain.collect::<Vec<_>>(), "{count}");
        }
    }
}
