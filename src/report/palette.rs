//! The colours that a report is written in.

use crate::diff::Rank;
use annotate_snippets::Renderer;
use anstyle::{AnsiColor, Style};

/// The terminal's own codes for what a report tells apart, or none: a large plan that nobody sees in colour is written without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    pub(super) danger: Style,
    pub(super) caution: Style,
    pub(super) good: Style,
    pub(super) dim: Style,
    /// All that stands beside a line of a text.
    pub(super) beside: Style,
}

impl Palette {
    /// In colour.
    pub const COLOURED: Self = Self {
        danger: AnsiColor::Red.on_default().bold(),
        caution: AnsiColor::Yellow.on_default(),
        good: AnsiColor::Green.on_default(),
        dim: Style::new().dimmed(),
        beside: AnsiColor::BrightBlue.on_default().bold(),
    };

    /// In none.
    pub const PLAIN: Self =
        Self { danger: Style::new(), caution: Style::new(), good: Style::new(), dim: Style::new(), beside: Style::new() };

    /// By how grave something is.
    pub(super) fn of(&self, gravity: Rank) -> Style {
        match gravity {
            gravity if gravity.blocks() => self.danger,
            gravity if gravity.warns() => self.caution,
            _ => self.good,
        }
    }

    /// What writes a text with its places.
    pub(super) fn renderer(&self) -> Renderer {
        if *self == Self::PLAIN { Renderer::plain() } else { Renderer::styled() }
    }
}
