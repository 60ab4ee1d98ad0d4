//! Server-sent events as they come in, piece by piece.

/// Collects pieces of a stream and gives the data of its events.
#[derive(Default)]
pub(super) struct Events {
    bytes: Vec<u8>,
}

impl Events {
    /// The data of every event that has come to its end with this piece.
    pub(super) fn push(&mut self, piece: &[u8]) -> Vec<String> {
        self.bytes.extend_from_slice(piece);
        let mut found = Vec::new();
        while let Some((end, next)) = self.end() {
            let event: Vec<u8> = self.bytes.drain(..next).collect();
            found.extend(data(&String::from_utf8_lossy(&event[..end])));
        }
        found
    }

    /// Where the first event ends, and where the next one begins: behind an empty line.
    fn end(&self) -> Option<(usize, usize)> {
        const ENDS: [&[u8]; 3] = [b"\n\n", b"\r\n\r\n", b"\r\r"];
        let place = |end: &[u8]| {
            let mut windows = self.bytes.windows(end.len());
            windows.position(|window| window == end)
        };
        let ends = ENDS.iter().filter_map(|end| Some((place(end)?, end.len())));
        ends.min().map(|(at, length)| (at, at + length))
    }
}

/// The data of an event; none of a comment.
fn data(event: &str) -> Option<String> {
    let lines = event.split(['\n', '\r']);
    let data = lines.filter_map(|line| {
        let rest = line.strip_prefix("data:")?;
        Some(rest.strip_prefix(' ').unwrap_or(rest))
    });
    let data: Vec<&str> = data.collect();
    (!data.is_empty()).then(|| data.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_whole_wherever_the_pieces_are_cut() {
        let text = "event: a\ndata: {\"x\":\"ä\"}\n\n: ping\n\ndata:1\r\ndata: 2\r\n\r\ndata: [DONE]\n\nrest";
        let expected = ["{\"x\":\"ä\"}", "1\n2", "[DONE]"];
        for size in 1..text.len() {
            let mut events = Events::default();
            let pieces = text.as_bytes().chunks(size);
            let found: Vec<String> = pieces.flat_map(|piece| events.push(piece)).collect();
            assert_eq!(found, expected, "pieces of {size} bytes");
        }
    }
}
