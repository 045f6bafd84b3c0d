//! Tables for people: [`Table`] aligns columns by width on a terminal. Machines get JSON instead.

use std::fmt;

/// Characters of a cell that are shown; the rest is cut with `…`.
const MAX_CELL: usize = 80;

/// Rows under headings, left-aligned; the last column is not padded.
#[derive(Debug, Default)]
pub(crate) struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<H: Into<String>>(headings: impl IntoIterator<Item = H>) -> Self {
        Self {
            headings: headings.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        self.rows
            .push(cells.into_iter().map(|cell| clean(&cell.into())).collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = self
            .headings
            .iter()
            .enumerate()
            .map(|(column, heading)| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                cells
                    .chain([heading])
                    .map(|cell| cell.chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        write_row(f, &self.headings, &widths)?;
        let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
        write_row(f, &rule, &widths)?;
        self.rows.iter().try_for_each(|row| write_row(f, row, &widths))
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, cells: &[String], widths: &[usize]) -> fmt::Result {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths) {
        line.push_str(cell);
        line.extend(std::iter::repeat_n(
            ' ',
            width.saturating_sub(cell.chars().count()) + 2,
        ));
    }
    writeln!(f, "{}", line.trim_end())
}

/// One line, without control characters (data must not steer a terminal), cut to [`MAX_CELL`].
fn clean(cell: &str) -> String {
    let line: String = cell
        .chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    if line.chars().count() <= MAX_CELL {
        return line;
    }
    line.chars().take(MAX_CELL - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    //! Alignment.
    use super::{MAX_CELL, Table};

    #[test]
    fn aligns_and_cuts() {
        let mut table = Table::new(["name", "n"]);
        table.row(["a\tb", "1"]);
        table.row(["école", "12"]);
        assert_eq!(table.to_string(), "name   n\n─────  ──\na b    1\nécole  12\n");
        let mut table = Table::new(["x"]);
        table.row(["y".repeat(200)]);
        let shown = table.to_string();
        assert!(
            shown.ends_with(&format!("{}…\n", "y".repeat(MAX_CELL - 1))),
            "{shown}"
        );
    }
}
