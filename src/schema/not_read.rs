//! What may make tables and was not read.

/// Something on one side of a diff that was not read, by the tables that may be in it: by what a tool knows these by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRead {
    /// Any table.
    Anything,
    /// The one of a Terraform label or a logical ID.
    Named(String),
    /// Those whose logical IDs begin so.
    Below(String),
}

impl NotRead {
    /// Whether the table of a Terraform label or a logical ID may be in it.
    #[must_use]
    pub fn may_hold(&self, label: &str) -> bool {
        match self {
            Self::Anything => true,
            Self::Named(name) => name == label,
            Self::Below(start) => !label.is_empty() && label.starts_with(start.as_str()),
        }
    }
}
