//! Vectors from a table of word pieces, as model2vec writes them: loaded once, with no model to run.

mod matrix;
mod pieces;
mod table;

pub(crate) use table::{StaticTable, TableUnusable};
