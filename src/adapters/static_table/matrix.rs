//! The matrix of a table: a vector for each word piece, read from the bytes of a safetensors file as
//! they are asked for.

use std::ops::Range;

use safetensors::{Dtype, SafeTensors};

/// The tensor of the vectors.
const VECTORS: &str = "embeddings";
/// What each piece weighs, where that is not in its vector already.
const WEIGHTS: &str = "weights";
/// The row of each piece, where several share one.
const MAPPING: &str = "mapping";

/// A vector for each piece.
pub(super) struct Matrix {
    bytes: Vec<u8>,
    vectors: Numbers,
    columns: usize,
    rows: usize,
    weights: Option<Numbers>,
    mapping: Option<Numbers>,
}

/// Numbers of one kind in a stretch of the file.
struct Numbers {
    at: Range<usize>,
    kind: Dtype,
}

impl Numbers {
    fn of(at: &Range<usize>, kind: Dtype) -> Result<Self, String> {
        match kind {
            Dtype::F64
            | Dtype::F32
            | Dtype::F16
            | Dtype::BF16
            | Dtype::I8
            | Dtype::I32
            | Dtype::I64 => Ok(Self {
                at: at.clone(),
                kind,
            }),
            kind => Err(format!("numbers of the kind {kind:?} are not read")),
        }
    }

    /// One of them; 0 where there is none.
    fn get(&self, bytes: &[u8], index: usize) -> f32 {
        let size = self.kind.bitsize() / 8;
        let all = bytes.get(self.at.clone()).unwrap_or_default();
        let one = all
            .get(index * size..(index + 1) * size)
            .unwrap_or_default();
        match (self.kind, one) {
            (Dtype::I8, [byte]) => f32::from(byte.cast_signed()),
            (Dtype::F16, [low, high]) => half(u16::from_le_bytes([*low, *high])),
            (Dtype::BF16, [low, high]) => f32::from_le_bytes([0, 0, *low, *high]),
            (Dtype::F32, [a, b, c, d]) => f32::from_le_bytes([*a, *b, *c, *d]),
            (Dtype::I32, [a, b, c, d]) => i32::from_le_bytes([*a, *b, *c, *d]) as f32,
            (Dtype::F64 | Dtype::I64, eight) => {
                let eight = <[u8; 8]>::try_from(eight).unwrap_or_default();
                match self.kind {
                    Dtype::F64 => f64::from_le_bytes(eight) as f32,
                    _ => i64::from_le_bytes(eight) as f32,
                }
            }
            _ => 0.0,
        }
    }
}

/// A number of 16 bits, IEEE 754.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from((bits >> 10) & 31), f32::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2_f32.powi(-24),
        31 => 0.0,
        _ => (1024.0 + fraction) * 2_f32.powi(exponent - 25),
    };
    sign * size
}

impl Matrix {
    /// The matrix in the bytes of a file, or what is wrong with it.
    pub(super) fn read(bytes: Vec<u8>) -> Result<Self, String> {
        let (header, metadata) =
            SafeTensors::read_metadata(&bytes).map_err(|error| error.to_string())?;
        // The length of the header stands before it.
        let start = size_of::<u64>() + header;
        let numbers = |name: &str| {
            let info = metadata.info(name)?;
            let (from, to) = info.data_offsets;
            let numbers = Numbers::of(&(start + from..start + to), info.dtype);
            Some(numbers.map_err(|why| format!("{name}: {why}")))
        };
        let shape = metadata.info(VECTORS).map(|info| info.shape.as_slice());
        let Some([rows, columns]) = shape else {
            return Err(format!("it has no matrix \"{VECTORS}\""));
        };
        let (rows, columns) = (*rows, *columns);
        let Some(vectors) = numbers(VECTORS).transpose()? else {
            return Err(format!("it has no matrix \"{VECTORS}\""));
        };
        let (weights, mapping) = (numbers(WEIGHTS).transpose()?, numbers(MAPPING).transpose()?);
        Ok(Self {
            vectors,
            columns,
            rows,
            weights,
            mapping,
            bytes,
        })
    }

    /// How many numbers a vector has.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Adds the vector of a piece.
    pub(super) fn add(&self, piece: u32, sum: &mut [f32]) {
        let piece = piece as usize;
        let row = match &self.mapping {
            Some(mapping) => mapping.get(&self.bytes, piece) as usize,
            None => piece,
        };
        if row >= self.rows {
            return;
        }
        let weights = self.weights.as_ref();
        let weight = weights.map_or(1.0, |weights| weights.get(&self.bytes, piece));
        for (column, total) in sum.iter_mut().enumerate() {
            *total += weight * self.vectors.get(&self.bytes, row * self.columns + column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_kind_are_read() {
        let read = |kind, bytes: &[u8]| {
            let numbers = Numbers::of(&(0..bytes.len()), kind).unwrap();
            numbers.get(bytes, 0)
        };
        assert_eq!(read(Dtype::F32, &1.5_f32.to_le_bytes()), 1.5);
        assert_eq!(read(Dtype::F64, &(-2.25_f64).to_le_bytes()), -2.25);
        assert_eq!(read(Dtype::I8, &[0xff]), -1.0);
        assert_eq!(read(Dtype::I64, &7_i64.to_le_bytes()), 7.0);
        assert_eq!(read(Dtype::BF16, &[0xc0, 0x3f]), 1.5);
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc100, -2.5),
            (0x0001, 2_f32.powi(-24)),
            (0, 0.0),
        ] {
            assert_eq!(half(bits), value);
        }
        assert!(Numbers::of(&(0..1), Dtype::BOOL).is_err());
        assert_eq!(read(Dtype::F32, &[1]), 0.0, "what is cut off is nothing");
    }
}
