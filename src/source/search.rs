//! Bytes looked for eight at a time: readers go over nearly all of a text for what ends a piece of it.

const LOW: u64 = u64::from_le_bytes([1; 8]);
const HIGH: u64 = LOW << 7;

/// Where the first of some bytes is.
pub(crate) fn first_of<const N: usize>(text: &[u8], wanted: [u8; N]) -> Option<usize> {
    // A byte of `word` that is wanted is zero in one of these; below the first such byte nothing is borrowed.
    let found = |word: u64| {
        let each = wanted.iter().map(|byte| word ^ (LOW * u64::from(*byte)));
        each.fold(0, |found, word| found | (word.wrapping_sub(LOW) & !word)) & HIGH
    };
    first(text, found, |byte| wanted.contains(&byte))
}

/// Where the first byte is that is not this one.
pub(crate) fn first_other(text: &[u8], than: u8) -> Option<usize> {
    first(text, |word| word ^ (LOW * u64::from(than)), |byte| byte != than)
}

/// `in_word` gives a word whose first bit that is set lies in the byte that is found, 0 for none.
fn first(text: &[u8], in_word: impl Fn(u64) -> u64, is_it: impl Fn(u8) -> bool) -> Option<usize> {
    let (words, rest) = text.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let found = in_word(u64::from_le_bytes(*word));
        if found != 0 {
            return Some(at * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|byte| is_it(*byte)).map(|at| words.len() * 8 + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_byte_by_byte(text in prop::collection::vec(prop_oneof![0..4_u8, 30..36_u8, 126..131_u8, 252..=255_u8], 0..40)) {
            for wanted in [[b' ', 0, 127], [b'!', 128, 255], [1, 2, 254]] {
                prop_assert_eq!(first_of(&text, wanted), text.iter().position(|byte| wanted.contains(byte)));
            }
            let blanks: Vec<u8> = text.iter().map(|byte| if *byte < 128 { b' ' } else { *byte }).collect();
            prop_assert_eq!(first_other(&blanks, b' '), blanks.iter().position(|byte| *byte != b' '));
        }
    }
}
