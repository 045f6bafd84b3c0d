//! Which texts run together: texts of like length, so that padding is short, and no more tokens than memory allows.

/// Groups the positions of `lengths` such that in each group the longest times the number of texts is at most `max_tokens`
/// (a text longer than that is alone). Every position is in one group.
pub(super) fn by_length(lengths: &[usize], max_tokens: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&text| lengths[text]);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for text in order {
        // In ascending order the text at hand is the longest of its group.
        match groups.last_mut() {
            Some(group) if (group.len() + 1) * lengths[text] <= max_tokens => group.push(text),
            _ => groups.push(vec![text]),
        }
    }
    groups
}
