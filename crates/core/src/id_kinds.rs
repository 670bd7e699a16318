//! The types of ids before they became text, so that they can be returned as these types.

/// What ids were. Dates and times are only those that their text gives back exactly: no time zone, at most microseconds,
/// years from 1 to 9999.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum IdKind {
    #[default]
    Text,
    Whole,
    Date,
    DateTime,
}

/// What the ids of queries and of items were.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct IdKinds {
    pub queries: IdKind,
    pub items: IdKind,
}

/// Every kind, at the index that is its flag in byte forms.
const KINDS: [IdKind; 4] = [IdKind::Text, IdKind::Whole, IdKind::Date, IdKind::DateTime];

impl IdKind {
    pub fn name(self) -> &'static str {
        match self {
            IdKind::Text => "text",
            IdKind::Whole => "whole",
            IdKind::Date => "date",
            IdKind::DateTime => "datetime",
        }
    }

    /// The kind of that name; text for any other.
    pub fn from_name(name: &str) -> Self {
        KINDS.into_iter().find(|kind| kind.name() == name).unwrap_or_default()
    }

    pub fn flag(self) -> u8 {
        self as u8
    }

    pub fn from_flag(flag: u8) -> Option<Self> {
        KINDS.get(usize::from(flag)).copied()
    }

    /// The kind that all have; text where they differ or where there are none.
    pub fn common(kinds: impl IntoIterator<Item = IdKind>) -> Self {
        let mut kinds = kinds.into_iter();
        let first = kinds.next().unwrap_or_default();
        if kinds.all(|kind| kind == first) { first } else { IdKind::Text }
    }

    /// This kind if all ids have its form, else text. Whole numbers are not checked.
    pub fn of_all<'a>(self, ids: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let fits = match self {
            IdKind::Text | IdKind::Whole => return self,
            IdKind::Date => is_date,
            IdKind::DateTime => is_datetime,
        };
        if ids.into_iter().all(fits) { self } else { IdKind::Text }
    }
}

/// Whether a text is a date such as `2024-01-31`.
fn is_date(text: &[u8]) -> bool {
    let parts = (text.get(..4), text.get(4), text.get(5..7), text.get(7), text.get(8..));
    let (Some(year), Some(b'-'), Some(month), Some(b'-'), Some(day)) = parts else { return false };
    match (digits::<4>(year), digits::<2>(month), digits::<2>(day)) {
        (Some(year @ 1..), Some(month @ 1..=12), Some(day @ 1..)) => day <= month_length(year, month),
        _ => false,
    }
}

/// Whether a text is a point in time such as `2024-01-31T09:30:00` or `2024-01-31T09:30:00.000001`; midnight is a date.
fn is_datetime(text: &[u8]) -> bool {
    let Some((date, time)) = text.split_at_checked(10) else { return false };
    is_date(date) && (time.is_empty() || is_time(time))
}

/// Whether a text is a time of the day such as `T09:30:00`.
fn is_time(text: &[u8]) -> bool {
    let Some((clock, fraction)) = text.split_at_checked(9) else { return false };
    let is_clock = match clock {
        [b'T', hour @ .., b':', _, _, b':', _, _] => {
            let below = |number: Option<u32>, bound| number.is_some_and(|number| number < bound);
            below(digits::<2>(hour), 24) && below(digits::<2>(&clock[4..6]), 60) && below(digits::<2>(&clock[7..]), 60)
        }
        _ => false,
    };
    is_clock && (fraction.is_empty() || fraction.strip_prefix(b".").is_some_and(|rest| digits::<6>(rest).is_some()))
}

/// The number of a text of exactly `COUNT` digits.
fn digits<const COUNT: usize>(text: &[u8]) -> Option<u32> {
    let is_number = text.len() == COUNT && text.iter().all(u8::is_ascii_digit);
    is_number.then(|| text.iter().fold(0, |number, digit| 10 * number + u32::from(digit - b'0')))
}

fn month_length(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flag_of_every_kind_is_read_back() {
        for kind in KINDS {
            assert_eq!(IdKind::from_flag(kind.flag()), Some(kind));
        }
        assert_eq!(IdKind::from_flag(KINDS.len() as u8), None);
    }

    #[test]
    fn common_of_different_kinds_is_text() {
        assert_eq!(IdKind::common([]), IdKind::Text);
        assert_eq!(IdKind::common([IdKind::Date, IdKind::Date]), IdKind::Date);
        assert_eq!(IdKind::common([IdKind::Date, IdKind::DateTime]), IdKind::Text);
    }

    #[test]
    fn of_all_with_other_than_calendar_days_is_no_date() {
        let kind = |text: &str| IdKind::Date.of_all([text.as_bytes()]);
        for text in ["2024-01-31", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"] {
            assert_eq!(kind(text), IdKind::Date, "{text}");
        }
        let others = ["", "2024-1-31", "2024-02-30", "2023-02-29", "1900-02-29", "0000-01-01", "+10000-01-01"];
        for text in others.into_iter().chain(["2024-13-01", "2024-00-01", "2024-04-31", "2024/01/31", "2024-01-311"]) {
            assert_eq!(kind(text), IdKind::Text, "{text}");
        }
    }

    #[test]
    fn of_all_with_zones_or_finer_than_microseconds_is_no_datetime() {
        let kind = |text: &str| IdKind::DateTime.of_all([text.as_bytes()]);
        for text in ["2024-01-31", "2024-01-31T09:30:00", "2024-01-31T23:59:59.000001"] {
            assert_eq!(kind(text), IdKind::DateTime, "{text}");
        }
        for text in ["", "T09:30:00", "2024-01-31T24:00:00", "2024-01-31T09:60:00", "2024-01-31 09:30:00"] {
            assert_eq!(kind(text), IdKind::Text, "{text}");
        }
        for rest in ["9:30", "09:30:00.5", "09:30:00.000000001", "09:30:00+09:00", "0a:30:00", "09:30:00.00000x"] {
            assert_eq!(kind(&format!("2024-01-31T{rest}")), IdKind::Text, "{rest}");
        }
    }

    #[test]
    fn of_all_with_one_id_of_another_form_is_text() {
        assert_eq!(IdKind::Date.of_all([&b"2024-01-31"[..], b"q7"]), IdKind::Text);
        assert_eq!(IdKind::Whole.of_all([&b"q7"[..]]), IdKind::Whole);
    }
}
