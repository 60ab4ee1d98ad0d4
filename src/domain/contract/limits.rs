//! How large and how complex a contract may be; beyond that it is refused without being compiled.

/// The limits of one contract. Exceeding any of them refuses the contract with a finding.
#[derive(Clone, Debug)]
pub(crate) struct ContractLimits {
    /// The whole contract as JSON, in bytes.
    pub(crate) contract_bytes_max: usize,
    /// Number of props, actions, channels and slots together.
    pub(crate) entries_max: usize,
    /// One schema as JSON, in bytes; the limit holds again after its references are resolved.
    pub(crate) schema_bytes_max: usize,
    /// How deep schemas may nest.
    pub(crate) schema_depth_max: usize,
    /// How many schemas one value may be validated against, references resolved.
    pub(crate) subschemas_max: usize,
    /// How many schemas the whole contract may consist of, references resolved.
    pub(crate) contract_subschemas_max: usize,
    /// The schemas of the contract as JSON, references resolved, in bytes.
    pub(crate) expanded_bytes_max: usize,
    /// How many branches one `allOf`, `anyOf` or `oneOf` may have.
    pub(crate) branches_max: usize,
    /// How many `pattern`s the contract may have in all.
    pub(crate) patterns_max: usize,
    /// How long one `pattern` may be, in bytes.
    pub(crate) pattern_bytes_max: usize,
}

/// A contract goes into a model's context and is kept by every session; larger ones contain data.
const CONTRACT_BYTES_MAX: usize = 256 * 1024;
/// Each becomes a part of one page; a page of a thousand parts is no longer an interface.
const ENTRIES_MAX: usize = 1_000;
/// A quarter of a contract: a longer schema is usually an enumeration that belongs in the props.
const SCHEMA_BYTES_MAX: usize = 64 * 1024;
/// A name is repeated in the path of every message below it; no real identifier is longer.
pub(super) const NAME_BYTES_MAX: usize = 256;
/// Twice what hand-written and generated schemas need, and far below any stack limit.
const SCHEMA_DEPTH_MAX: usize = 32;
/// Validation time grows with this number; 2,000 validate a small value in well under 10 ms.
const SUBSCHEMAS_MAX: usize = 2_000;
/// More than a contract of the largest size has without references; each compiles in about 20 µs.
const CONTRACT_SUBSCHEMAS_MAX: usize = 10_000;
/// Every compiled contract keeps several copies of its schemas.
const EXPANDED_BYTES_MAX: usize = 512 * 1024;
/// A union a person can still read; with `SUBSCHEMAS_MAX` it bounds schemas that keep doubling.
const BRANCHES_MAX: usize = 16;
/// Each pattern may take up to [`super::formats::PATTERN_STATE_BYTES_MAX`] of memory.
const PATTERNS_MAX: usize = 64;
/// Patterns for codes and names are short; generated ones cost compile time.
const PATTERN_BYTES_MAX: usize = 1_024;

impl Default for ContractLimits {
    fn default() -> Self {
        Self {
            contract_bytes_max: CONTRACT_BYTES_MAX,
            entries_max: ENTRIES_MAX,
            schema_bytes_max: SCHEMA_BYTES_MAX,
            schema_depth_max: SCHEMA_DEPTH_MAX,
            subschemas_max: SUBSCHEMAS_MAX,
            contract_subschemas_max: CONTRACT_SUBSCHEMAS_MAX,
            expanded_bytes_max: EXPANDED_BYTES_MAX,
            branches_max: BRANCHES_MAX,
            patterns_max: PATTERNS_MAX,
            pattern_bytes_max: PATTERN_BYTES_MAX,
        }
    }
}
