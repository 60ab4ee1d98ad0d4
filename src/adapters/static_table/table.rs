//! The table: a text is the mean of the vectors of its word pieces.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;

use super::matrix::Matrix;
use super::pieces::Pieces;
use crate::domain::brain::{Embedder, Likeness, NoVectors, Vector};
use crate::domain::digest::{hex, sha256};

/// The files of a table.
const MATRIX: &str = "model.safetensors";
const PIECES: &str = "tokenizer.json";
/// Bytes of the matrix: twice those of the largest that are published.
const MATRIX_BYTES_MAX: u64 = 2 << 30;
/// Bytes of the vocabulary: several times those of half a million pieces.
const PIECES_BYTES_MAX: u64 = 128 << 20;
/// Pieces of a text that count, as model2vec counts them.
const PIECES_MAX: usize = 512;
/// Digits of what tells one table from another of the same name.
const DIGITS: usize = 8;
/// Numbers of a vector at most: those of the largest models.
const COLUMNS_MAX: usize = 8_192;
/// Its ranks count half of those of words: it knows what words mean, and not what a sentence does.
/// Below the cosine, texts share no more than the words that all texts have.
const LIKENESS: Likeness = Likeness {
    weight: 0.5,
    cosine_min: 0.3,
};

/// A table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableUnusable {
    /// A file of it cannot be read.
    #[error("brain.embedder_path: {path}: {reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file of it is none of a table.
    #[error("brain.embedder_path: {path} is of no table of model2vec: {reason}")]
    Unfit {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// A table of vectors of word pieces.
pub(crate) struct StaticTable {
    model: String,
    table: Arc<Table>,
}

struct Table {
    matrix: Matrix,
    pieces: Pieces,
}

impl StaticTable {
    /// Loads the table in a folder.
    pub(crate) fn load(folder: &Path) -> Result<Self, TableUnusable> {
        let matrix = read(&folder.join(MATRIX), MATRIX_BYTES_MAX)?;
        let pieces = read(&folder.join(PIECES), PIECES_BYTES_MAX)?;
        let digests = [sha256(&matrix), sha256(&pieces)].concat();
        let mut digits = hex(&sha256(&digests));
        digits.truncate(DIGITS);
        let unfit = |name: &str, reason| TableUnusable::Unfit {
            path: folder.join(name),
            reason,
        };
        let pieces = Pieces::read(&pieces).map_err(|why| unfit(PIECES, why))?;
        let matrix = Matrix::read(matrix).map_err(|why| unfit(MATRIX, why))?;
        let columns = matrix.columns();
        if !(1..=COLUMNS_MAX).contains(&columns) {
            let why = format!("its vectors have {columns} numbers; 1 to {COLUMNS_MAX} are read");
            return Err(unfit(MATRIX, why));
        }
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        Ok(Self {
            model: format!("table-{name}-{digits}"),
            table: Arc::new(Table { matrix, pieces }),
        })
    }
}

impl Table {
    fn vector(&self, text: &str) -> Vector {
        let mut sum = vec![0.0; self.matrix.columns()];
        for piece in self.pieces.of(text, PIECES_MAX) {
            self.matrix.add(piece, &mut sum);
        }
        Vector::of(&sum)
    }
}

#[async_trait]
impl Embedder for StaticTable {
    fn model(&self) -> &str {
        &self.model
    }

    fn likeness(&self) -> Likeness {
        LIKENESS
    }

    fn is_here(&self) -> bool {
        true
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, NoVectors> {
        let (table, texts) = (Arc::clone(&self.table), texts.to_vec());
        // Long texts take longer than whoever serves may be kept from it.
        let made = tokio::task::spawn_blocking(move || {
            texts.iter().map(|text| table.vector(text)).collect()
        });
        made.await
            .map_err(|error| NoVectors::Unavailable(error.to_string()))
    }
}

fn read(path: &Path, max: u64) -> Result<Vec<u8>, TableUnusable> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(max + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let unreadable = |reason: String| TableUnusable::Unreadable {
        path: path.to_owned(),
        reason,
    };
    let bytes = read().map_err(|error| unreadable(error.to_string()))?;
    if bytes.len() as u64 > max {
        return Err(unreadable(format!("it has more than {max} bytes")));
    }
    Ok(bytes)
}
