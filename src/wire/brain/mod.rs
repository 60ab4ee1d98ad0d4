//! Parameters and results of the tools of the page store, and pages as resources and memories.

mod memories;
mod params;
mod resources;
mod results;

pub use memories::{
    ChangeMemoryParams, CreateMemoryParams, FoundMemories, FoundMemory, Memory, MemoryChange,
    MemoryParams, MemoryQuery, MemoryRow, MemoryVersion, NewMemory, SearchMemoriesParams,
    VersionParams, VersionRow, VersionsParams,
};
pub use params::{
    BacklinksParams, CheckParams, CollectionsParams, GapParams, GapsParams, GetParams, GraphParams,
    LinkCloseParams, LinkParams, ListParams, PutParams, QueryParams, RawParams, SearchParams,
    StatsParams, TagsParams, TimelineParams,
};
pub use resources::{
    AwaitPageParams, ListPagesParams, PageContents, PageMeta, PageResource, PageResources,
    PageText, ReadPageParams,
};
pub use results::{
    Backlink, BacklinksResult, CheckResult, CollectionRow, CollectionsResult, Contradiction, Gap,
    GapResult, GapsResult, GetResult, Graph, GraphEdge, GraphNode, Hit, HitsResult,
    LinkCloseResult, LinkResult, ListResult, ListedPage, PutResult, RawResult, StatsResult,
    TagsResult, TimelineResult,
};
