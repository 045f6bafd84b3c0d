//! From the states of a text's tokens to its vector.

/// The mean of the rows of `states`, scaled to length 1; zeros if the mean is zero or there is no row.
pub(super) fn unit_mean(states: &[f32], width: usize) -> Vec<f32> {
    // The mean's divisor falls away with the scaling.
    let mut sum = vec![0.0_f32; width];
    for row in states.chunks_exact(width) {
        for (total, value) in sum.iter_mut().zip(row) {
            *total += value;
        }
    }
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        for value in &mut sum {
            *value /= length;
        }
    }
    sum
}
