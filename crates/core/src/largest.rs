//! The largest of many numbers, without sorting them all.

/// Up to this count the largest numbers are kept in order during one pass; above it, a selection is faster.
const FEW: usize = 32;
/// How many numbers are compared with the lowest kept one at a time.
const BLOCK: usize = 16;
/// How many lanes are followed at a time: their maxima stay in registers.
const GROUP: usize = 16;
/// The most lanes: one and a half for each of the largest numbers, so that their maxima exclude most numbers.
const LANES: usize = FEW * 3 / 2;

/// Write the `count` largest numbers, largest first.
pub fn largest(numbers: &[f64], count: usize, kept: &mut Vec<f64>) {
    nth_largest(numbers, count, kept);
    kept.truncate(count);
    kept.sort_unstable_by(|a, b| b.total_cmp(a));
}

/// Memory for finding the largest numbers, used again and again.
#[derive(Debug, Default)]
pub struct LargestBuffers {
    pub(crate) numbers: Vec<f64>,
    /// Index and value of the numbers that may be among the largest.
    candidates: Vec<(usize, f64)>,
}

/// Call `visit` with the index and value of each number that is not below the `count`-th largest, in their order.
pub fn each_largest(numbers: &[f64], count: usize, buffers: &mut LargestBuffers, mut visit: impl FnMut(usize, f64)) {
    let LargestBuffers { numbers: kept, candidates } = buffers;
    if !has_lanes(numbers, count) {
        let lowest = nth_largest(numbers, count, kept);
        return each_from(numbers, lowest, visit);
    }
    // What reaches the bound is noted on the way, so that the numbers are not gone through once more.
    let bound = keep_passing(lane_maxima(numbers, count, &mut [f64::NEG_INFINITY; LANES]), count, kept);
    candidates.clear();
    each_from(numbers, bound, |index, number| candidates.push((index, number)));
    kept.clear();
    kept.extend(candidates.iter().map(|&(_, number)| number));
    let lowest = *kept.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a)).1;
    candidates.iter().filter(|&&(_, number)| number >= lowest).for_each(|&(index, number)| visit(index, number));
}

/// Whether lanes give a bound: for a few of many numbers.
fn has_lanes(numbers: &[f64], count: usize) -> bool {
    (1..=FEW).contains(&count) && numbers.len() >= 4 * LANES
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
    if !has_lanes(numbers, count) {
        return keep_passing(numbers, count, kept);
    }
    // `count` lanes reach the bound, so at least `count` numbers do.
    let bound = keep_passing(lane_maxima(numbers, count, &mut [f64::NEG_INFINITY; LANES]), count, kept);
    kept.clear();
    each_from(numbers, bound.next_up(), |_, number| kept.push(number));
    if kept.len() < count {
        kept.resize(count, bound);
        return bound;
    }
    *kept.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a)).1
}

/// Distribute the numbers over lanes, as many as `count` of the largest need, and return the maximum of each lane.
fn lane_maxima<'a>(numbers: &[f64], count: usize, maxima: &'a mut [f64; LANES]) -> &'a [f64] {
    let groups = (count * 3 / 2).div_ceil(GROUP);
    let lanes = &mut maxima[..groups * GROUP];
    let dealt = numbers.chunks_exact(lanes.len());
    let rest = dealt.remainder();
    for (group, lanes) in lanes.as_chunks_mut::<GROUP>().0.iter_mut().enumerate() {
        let mut raised = *lanes;
        for numbers in dealt.clone() {
            raise(&mut raised, &numbers.as_chunks::<GROUP>().0[group]);
        }
        *lanes = raised;
    }
    for (lane, &number) in lanes.iter_mut().zip(rest) {
        *lane = if number > *lane { number } else { *lane };
    }
    lanes
}

#[inline]
fn raise(lanes: &mut [f64; GROUP], numbers: &[f64; GROUP]) {
    for (lane, &number) in lanes.iter_mut().zip(numbers) {
        *lane = if number > *lane { number } else { *lane };
    }
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
    let mut visit_block = |block: &[f64], start: usize| {
        let large = block.iter().enumerate().filter(|&(_, &number)| number >= lowest);
        large.for_each(|(index, &number)| visit(start + index, number));
    };
    let (blocks, rest) = numbers.as_chunks::<BLOCK>();
    for (block, start) in blocks.iter().zip((0..).step_by(BLOCK)) {
        // One comparison of a block at a time: most blocks hold nothing large enough.
        if block.iter().fold(false, |any, &number| any | (number >= lowest)) {
            visit_block(block, start);
        }
    }
    visit_block(rest, numbers.len() - rest.len());
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
            let mut largest = Vec::new();
            each_largest(&numbers, count, &mut LargestBuffers::default(), |index, number| {
                largest.push((index, number));
            });
            assert_eq!(largest, visited, "{count}");
        }
    }
}
