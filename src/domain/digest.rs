//! SHA-256 and hexadecimal digits.

use aws_lc_rs::digest::{SHA256, digest};

/// The SHA-256 of some bytes.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest(&SHA256, bytes).as_ref());
    hash
}

/// Bytes as lower-case hexadecimal digits, two a byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            digits.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_nothing_is_the_published_one() {
        assert!(hex(&sha256(b"")).starts_with("e3b0c44298fc1c149afbf4c8996fb924"));
    }
}
