//! The program behind the gate of the demo: an MCP server that lists the files of a folder and deletes
//! them. It asks nobody; that is what the gate is for.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Map, Value, json};

use super::desk::put_back;

/// Serves the files of a folder on standard input and output, until the input ends.
///
/// # Errors
/// The client does not speak the protocol.
pub async fn serve_desk(folder: PathBuf) -> io::Result<()> {
    let pipes = (tokio::io::stdin(), tokio::io::stdout());
    let running = DeskServer(folder).serve(pipes).await;
    let ended = running.map_err(io::Error::other)?.waiting().await;
    ended.map(drop).map_err(io::Error::other)
}

struct DeskServer(PathBuf);

impl ServerHandler for DeskServer {
    fn get_info(&self) -> ServerConfig {
        let about = Implementation::new("desk", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(about)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let named = json!({
            "type": "object",
            "properties": { "name": { "type": "string", "description": "Name of the file" } },
            "required": ["name"],
        });
        let nothing = json!({ "type": "object" });
        Ok(ListToolsResult::with_all_items(vec![
            tool("list_files", "Lists the files of the desk.", &nothing),
            tool("delete_file", "Deletes a file of the desk.", &named),
            tool("restore_files", "Puts the first files back.", &nothing),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let done = match &*request.name {
            "list_files" => self.list().map(CallToolResult::structured),
            "delete_file" => self.delete(&arguments).map(said),
            "restore_files" => put_back(&self.0).map(|()| said("All files are back.".to_owned())),
            _ => return Err(ErrorData::invalid_params("there is no such tool", None)),
        };
        let failed =
            |error: io::Error| CallToolResult::error(vec![ContentBlock::text(error.to_string())]);
        Ok(done.unwrap_or_else(failed).into())
    }
}

impl DeskServer {
    fn list(&self) -> io::Result<Value> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.0)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            files.push((name, entry.metadata()?.len()));
        }
        files.sort();
        let files = files.into_iter();
        let files = files.map(|(name, bytes)| json!({ "name": name, "bytes": bytes }));
        Ok(json!({ "files": files.collect::<Vec<_>>() }))
    }

    fn delete(&self, arguments: &Map<String, Value>) -> io::Result<String> {
        let name = arguments.get("name").and_then(Value::as_str);
        let name = name.unwrap_or_default();
        // A file of this folder, and no path that leads out of it.
        if Path::new(name).file_name() != Some(name.as_ref()) {
            return Err(io::Error::other("name: the name of a file is required"));
        }
        let missing = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => io::Error::other(format!("There is no {name}.")),
            _ => error,
        };
        std::fs::remove_file(self.0.join(name)).map_err(missing)?;
        Ok(format!("Deleted {name}."))
    }
}

fn tool(name: &'static str, description: &'static str, arguments: &Value) -> Tool {
    let schema = arguments.as_object().cloned().unwrap_or_default();
    Tool::new(name, description, Arc::new(schema))
}

fn said(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}
