//! Releases of a provider for Terraform.

/// A release: major, minor and patch.
pub type Release = (u64, u64, u64);

/// The releases that a version constraint allows: from one on, and below another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Releases {
    /// The first that is allowed.
    pub from: Release,
    /// The first above these that is not.
    pub below: Option<Release>,
}

impl Releases {
    /// All of one major version.
    #[must_use]
    pub fn of_major(major: u64) -> Self {
        Self { from: (major, 0, 0), below: Some((major + 1, 0, 0)) }
    }

    /// Those that are allowed by both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let below = self.below.into_iter().chain(other.below).min();
        Self { from: self.from.max(other.from), below }
    }

    /// Whether none is allowed.
    #[must_use]
    pub fn is_none(self) -> bool {
        self.below.is_some_and(|below| below <= self.from)
    }

    /// Whether all of them are before a release; None where some are.
    #[must_use]
    pub fn are_before(self, release: Release) -> Option<bool> {
        if self.below.is_some_and(|below| below <= release) {
            return Some(true);
        }
        (self.from >= release).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_are_before_and_some_are_not() {
        let of = |from, below| Releases { from, below };
        assert_eq!(of((6, 20, 0), Some((6, 20, 1))).are_before((6, 29, 0)), Some(true));
        assert_eq!(of((6, 29, 0), None).are_before((6, 29, 0)), Some(false));
        assert_eq!(Releases::of_major(6).are_before((6, 29, 0)), None);
        assert_eq!(Releases::of_major(5).are_before((6, 29, 0)), Some(true));
        assert!(Releases::of_major(5).and(Releases::of_major(6)).is_none());
    }
}
