//! What tests of several modules need: rules to begin from, and tables of a few rows.

use crate::builder::Builder;
use crate::rules::{DefaultCutoff, Duplicates, Missing, Negative, NothingRelevant, OwnId, Rules, Ties, Unjudged};
use crate::table::Table;

pub(crate) const RULES: Rules = Rules {
    default_cutoff: DefaultCutoff::List,
    ties: Ties::Given,
    float32: false,
    nothing_relevant: NothingRelevant::Zero,
    missing: Missing::Skip,
    unjudged: Unjudged::Zero,
    negative: Negative::Zero,
    duplicates: Duplicates::Error,
    own_id: OwnId::Keep,
    depth: None,
};

pub(crate) fn table(rows: &[(&str, &str, f64)]) -> Table {
    let mut builder = Builder::default();
    for &(query, item, value) in rows {
        builder.query(query.as_bytes());
        builder.row(item.as_bytes(), value);
    }
    builder.finish()
}
