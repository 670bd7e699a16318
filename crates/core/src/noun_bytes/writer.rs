//! Judgments and rankings → bytes.

use crate::annotations::{Annotations, Values};
use crate::bytes::Writer;
use crate::id_kinds::IdKinds;
use crate::ids::Ids;
use crate::table::{Items, Table};

impl Writer {
    fn words(&mut self, count: usize, words: impl Iterator<Item = [u8; 8]>) {
        self.packed(count);
        words.for_each(|word| self.raw(&word));
    }

    fn ids(&mut self, ids: &Ids) {
        self.packed(ids.len());
        ids.iter().for_each(|id| self.packed(id.len()));
        ids.iter().for_each(|id| self.raw(id));
    }

    /// The length of each part that lies between two starts.
    fn lengths(&mut self, starts: &[usize]) {
        starts.windows(2).for_each(|pair| self.packed(pair[1] - pair[0]));
    }

    pub fn table(&mut self, table: &Table) {
        let IdKinds { queries, items } = table.kinds();
        [queries, items].iter().for_each(|&kind| self.flag(kind.flag()));
        self.ids(table.queries());
        self.lengths(table.starts());
        match table.items() {
            Items::Text(_) | Items::Views(_) => {
                self.flag(0);
                self.ids(&table.items().texts());
            }
            Items::Whole(numbers) => {
                self.flag(1);
                self.words(numbers.len(), numbers.iter().map(|number| number.to_le_bytes()));
            }
        }
        self.words(table.row_count(), table.values().iter().map(|value| value.to_le_bytes()));
        self.flag(u8::from(table.order().is_some()));
        table.order().unwrap_or_default().iter().for_each(|&row| self.packed(row as usize));
        self.words(table.marks().iter().len(), table.marks().iter().map(|(_, mark)| mark.to_le_bytes()));
        table.marks().iter().for_each(|(row, _)| self.packed(row as usize));
    }

    pub fn annotations(&mut self, annotations: Option<&Annotations>) {
        match annotations.map(|annotations| &annotations.values) {
            None => self.flag(0),
            Some(Values::Subtopics(subtopics)) => {
                self.flag(1);
                self.ids(&subtopics.ids);
                self.lengths(&subtopics.id_starts);
                self.lengths(&subtopics.starts);
                subtopics.graded.iter().for_each(|&(subtopic, _)| self.packed(subtopic as usize));
                self.words(subtopics.graded.len(), subtopics.graded.iter().map(|(_, grade)| grade.to_le_bytes()));
            }
            Some(Values::Propensities(numbers)) => {
                self.flag(2);
                self.words(numbers.len(), numbers.iter().map(|number| number.to_le_bytes()));
            }
            Some(Values::Positions(numbers)) => {
                self.flag(3);
                self.words(numbers.len(), numbers.iter().map(|number| number.to_le_bytes()));
            }
        }
    }
}
