//! Two texts as a unified diff, for people and for `patch`.

/// The differences between two versions of a file; empty when there are none.
#[must_use]
pub fn unified(path: &str, previous: &str, next: &str) -> String {
    if previous == next {
        return String::new();
    }
    similar::TextDiff::from_lines(previous, next)
        .unified_diff()
        .context_radius(3)
        .header(&format!("a/{path}"), &format!("b/{path}"))
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_names_the_file_and_the_lines() {
        assert_eq!(unified("x.tf", "a\nb\n", "a\nb\n"), "");
        assert_eq!(unified("x.tf", "a\nb\n", "a\nc\n"), "--- a/x.tf\n+++ b/x.tf\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
        assert!(unified("x.tf", "a", "a\n").contains("\\ No newline at end of file"));
    }
}
