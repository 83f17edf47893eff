//! Values as literals of a language: quoting is right by construction.

pub mod hcl;
pub mod yaml;

/// Whether nobody sees a character in a review: control characters, line and paragraph separators, marks that turn the
/// direction of what stands around them, the byte order mark, and what is no character at all.
#[must_use]
pub fn is_invisible(character: char) -> bool {
    match character {
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => true,
        _ => character.is_control(),
    }
}
