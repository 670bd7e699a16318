//! Fixtures that the tests of several modules share: rules, plans, and tables of a few rows.

use crate::builder::Builder;
use crate::plan::{Plan, Request, Requested};
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

pub(crate) fn plan(measures: Vec<Requested>, rules: Rules) -> Plan {
    Plan::new(&Request { text: String::new(), asked: String::new(), measures, rules })
}

pub(crate) fn table(rows: &[(&str, &str, f64)]) -> Table {
    builder(rows).finish()
}

/// A builder with these rows of (query, item, value).
pub(crate) fn builder(rows: &[(&str, &str, f64)]) -> Builder {
    let mut builder = Builder::default();
    for &(query, item, value) in rows {
        builder.query(query.as_bytes());
        builder.row(item.as_bytes(), value);
    }
    builder
}
