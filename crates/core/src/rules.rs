//! The answers of a convention to the questions that no formula answers.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    IdDescending,
    IdAscending,
    Given,
    Reversed,
    Average,
    Worst,
    Best,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NothingRelevant {
    Zero,
    One,
    Nan,
    Skip,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    Skip,
    Zero,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unjudged {
    Zero,
    Drop,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Negative {
    Zero,
    Keep,
    Drop,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplicates {
    Error,
    First,
    Last,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnId {
    Keep,
    Drop,
}

/// Where a measure without a cutoff is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultCutoff {
    List,
    All,
    At(usize),
}

/// The answers of a convention that hold for all measures.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    pub default_cutoff: DefaultCutoff,
    pub ties: Ties,
    pub float32: bool,
    pub nothing_relevant: NothingRelevant,
    pub missing: Missing,
    pub unjudged: Unjudged,
    pub negative: Negative,
    pub duplicates: Duplicates,
    pub own_id: OwnId,
    /// How many of the first ranked items count; none for all.
    pub depth: Option<usize>,
}

impl Rules {
    /// Whether ranked items may be removed or refused, so that all of them must be looked up.
    pub fn drops(&self) -> bool {
        self.unjudged != Unjudged::Zero || self.negative == Negative::Drop || self.own_id == OwnId::Drop
    }
}
