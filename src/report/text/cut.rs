//! Two long values side by side, cut so that what differs shows.

/// The most characters that are shown of a value; the JSON has all of it.
const VALUE: usize = 60;

/// How much of what is alike stands before what differs.
const LEAD: usize = 20;

/// Both, as long as they may be.
pub(super) fn pair(before: &str, after: &str) -> (String, String) {
    let from_the_start = (window(before, 0), window(after, 0));
    if from_the_start.0 != from_the_start.1 || before == after {
        return from_the_start;
    }
    let alike = before.chars().zip(after.chars()).take_while(|(before, after)| before == after).count();
    // No room is left empty behind the longer one.
    let longest = before.chars().count().max(after.chars().count());
    let start = alike.saturating_sub(LEAD).min(longest.saturating_sub(VALUE));
    (window(before, start), window(after, start))
}

/// What stands there, with a mark where something is left out.
fn window(text: &str, start: usize) -> String {
    let mut rest = text.chars().skip(start);
    let mut shown = if start == 0 { String::new() } else { "…".to_owned() };
    shown.extend(rest.by_ref().take(VALUE));
    if rest.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_shows_on_both_sides() {
        let long = |end: &str| format!("{}{end}", "a".repeat(100));
        let lead = "a".repeat(VALUE - 3);
        assert_eq!(pair(&long("10"), &long("100")), (format!("…{lead}10"), format!("…{lead}100")));
    }

    #[test]
    fn what_differs_at_once_is_cut_at_the_end() {
        let (before, after) = (format!("b{}", "a".repeat(100)), "c".to_owned());
        assert_eq!(pair(&before, &after), (format!("b{}…", "a".repeat(59)), after));
        let whole = "a".repeat(VALUE);
        assert_eq!(pair(&whole, &format!("{whole}b")), (whole.clone(), format!("{whole}…")));
    }

    #[test]
    fn what_comes_behind_is_left_out_too() {
        let long = |middle: &str| format!("{}{middle}{}", "ä".repeat(70), "z".repeat(70));
        let (before, after) = pair(&long("1"), &long("2"));
        assert_eq!(before, format!("…{}1{}…", "ä".repeat(20), "z".repeat(39)));
        assert_eq!(after, before.replace('1', "2"));
    }
}
