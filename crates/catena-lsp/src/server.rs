//! Requests and notifications, which are processed one after the other.

use super::documents::{Document, Documents};
use super::mailbox::Mailbox;
use super::place::Place;
use super::transport::{Incoming, Outbox, read};
use super::{completion, definition, diagnostics, words};
use catena_ron::Slot;
use catena_scene::Limits;
use catena_scene::format::format;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CompletionOptions, CompletionParams, Diagnostic, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    DocumentFormattingParams, GotoDefinitionParams, Hover, HoverContents, HoverParams,
    HoverProviderCapability, InitializeParams, InitializeResult, OneOf, PublishDiagnosticsParams,
    SaveOptions, ServerCapabilities, ServerInfo, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, TextEdit, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Reason why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The client requested it by `shutdown` followed by `exit`.
    Asked,
    /// The connection closed, or the client sent `exit` without `shutdown`.
    Gone,
}

/// Answers a client until the session ends, with the default limits.
///
/// # Errors
/// Returns an error when a thread cannot be started.
pub fn serve(input: impl BufRead, output: Box<dyn Write + Send>) -> io::Result<End> {
    serve_within(input, output, &Limits::default())
}

/// Answers a client until the session ends. Scenes are read within `limits`.
///
/// # Errors
/// Returns an error when a thread cannot be started.
pub fn serve_within(
    mut input: impl BufRead,
    output: Box<dyn Write + Send>,
    limits: &Limits,
) -> io::Result<End> {
    let mut server = Server::start(Outbox::new(output), limits)?;
    let end = loop {
        match read(&mut input) {
            Incoming::End => break End::Gone,
            Incoming::Broken(why) => server.outbox.refuse(&why),
            Incoming::Message(Message::Notification(it)) if it.method == "exit" => {
                break if server.phase == Phase::ShutDown { End::Asked } else { End::Gone };
            }
            Incoming::Message(Message::Notification(it)) => server.handle_notification(it),
            Incoming::Message(Message::Request(request)) => server.answer(request),
            Incoming::Message(Message::Response(_)) => {}
        }
    };
    server.faults.end();
    server.cautions.end();
    Ok(end)
}

/// State of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Only `initialize` is answered.
    New,
    Open,
    /// Only `exit` is expected.
    ShutDown,
}

struct Server {
    phase: Phase,
    documents: Documents,
    /// Whether the client supports snippets in completions.
    has_snippets: bool,
    faults: Mailbox,
    cautions: Mailbox,
    outbox: Outbox,
}

/// Error code and reason of a rejected request.
type Rejection = (ErrorCode, String);

impl Server {
    fn start(outbox: Outbox, limits: &Limits) -> io::Result<Self> {
        let (out, within) = (outbox.clone(), limits.clone());
        let cautions = Mailbox::start(move |document, if_newest| {
            let found = diagnostics::cautions(document, &within);
            if_newest(&mut || publish(&out, &document.uri, Some(document.version), found.clone()));
        })?;
        let (out, next, within) = (outbox.clone(), cautions.clone(), limits.clone());
        let faults = Mailbox::start(move |document, if_newest| {
            let found = diagnostics::faults(document, &within);
            if_newest(&mut || {
                // The queue is updated before publishing, so that cautions of an older text cannot
                // replace this result.
                match found.is_empty() {
                    true => next.put(document.clone()),
                    false => next.forget(document.uri.as_str()),
                }
                publish(&out, &document.uri, Some(document.version), found.clone());
            });
        })?;
        let (phase, documents, has_snippets) = (Phase::New, Documents::default(), false);
        Ok(Self { phase, documents, has_snippets, faults, cautions, outbox })
    }

    /// Answers a request.
    fn answer(&mut self, request: Request) {
        let id = request.id.clone();
        // A panic ends the request but not the session.
        let result = catch_unwind(AssertUnwindSafe(|| self.dispatch(request)));
        let broken = (ErrorCode::InternalError, "this request is not supported".into());
        let response = match result.unwrap_or(Err(broken)) {
            Ok(value) => Response::new_ok(id, value),
            Err((code, why)) => refused(id, code, why),
        };
        self.outbox.send(response);
    }

    fn dispatch(&mut self, request: Request) -> Result<Value, Rejection> {
        let Request { method, params, .. } = request;
        match (self.phase, method.as_str()) {
            (Phase::New, "initialize") => {
                let params: InitializeParams = read_params(params)?;
                self.phase = Phase::Open;
                self.has_snippets = knows_snippets(&params);
                to_value(capabilities())
            }
            (Phase::New, _) => Err((
                ErrorCode::ServerNotInitialized,
                "the first request must be `initialize`".into(),
            )),
            (Phase::ShutDown, _) => {
                Err((ErrorCode::InvalidRequest, "after `shutdown`, only `exit` is allowed".into()))
            }
            (Phase::Open, "initialize") => {
                Err((ErrorCode::InvalidRequest, "`initialize` may be sent only once".into()))
            }
            (Phase::Open, "shutdown") => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::Open, "textDocument/completion") => {
                let params: CompletionParams = read_params(params)?;
                let at = params.text_document_position;
                to_value(
                    self.with_document(&at, |server, document, offset| {
                        server.items(document, offset)
                    }),
                )
            }
            (Phase::Open, "textDocument/hover") => {
                let params: HoverParams = read_params(params)?;
                let at = params.text_document_position_params;
                to_value(
                    self.with_document(&at, |_, document, offset| hovered(document, offset))
                        .flatten(),
                )
            }
            (Phase::Open, "textDocument/definition") => {
                let params: GotoDefinitionParams = read_params(params)?;
                let at = params.text_document_position_params;
                let find = |_: &mut Self, document: &Document, offset| {
                    definition::location(document, &Place::at(document.text(), offset))
                };
                let found = self.with_document(&at, find).transpose();
                to_value(found.map_err(|why| (ErrorCode::RequestFailed, why))?.flatten())
            }
            (Phase::Open, "textDocument/formatting") => {
                let params: DocumentFormattingParams = read_params(params)?;
                let document = self.documents.get(&params.text_document.uri);
                to_value(document.and_then(formatting_edits))
            }
            _ => Err((ErrorCode::MethodNotFound, format!("unknown method `{method}`"))),
        }
    }

    /// Calls `ask` with the byte offset of a position, if the document is open and not too large.
    fn with_document<T>(
        &mut self,
        at: &TextDocumentPositionParams,
        ask: impl FnOnce(&mut Self, &Document, usize) -> T,
    ) -> Option<T> {
        let document = self.documents.get(&at.text_document.uri)?.clone();
        if !document.is_small() {
            return None;
        }
        let offset = document.offset(at.position);
        Some(ask(self, &document, offset))
    }

    fn items(&self, document: &Document, offset: usize) -> Vec<lsp_types::CompletionItem> {
        let place = Place::at(document.text(), offset);
        let range = document.range(&place.replaced());
        let style = completion::CompletionStyle { has_snippets: self.has_snippets, range };
        let path = document.path();
        completion::items(&place, &style, path.as_deref().and_then(|path| path.parent()))
    }

    /// Processes a notification. Invalid notifications are ignored, as the protocol requires.
    fn handle_notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        if self.phase != Phase::Open {
            return;
        }
        let _ = catch_unwind(AssertUnwindSafe(|| self.dispatch_notification(&method, params)));
    }

    fn dispatch_notification(&mut self, method: &str, params: Value) -> Result<(), Rejection> {
        match method {
            "textDocument/didOpen" => {
                let params: DidOpenTextDocumentParams = read_params(params)?;
                let document = self.documents.open(params.text_document);
                self.check(document);
            }
            "textDocument/didChange" => {
                let params: DidChangeTextDocumentParams = read_params(params)?;
                let (uri, version) = (params.text_document.uri, params.text_document.version);
                // Forgetting the older text drops the other references to it, so that the change
                // does not copy it.
                self.faults.forget(uri.as_str());
                self.cautions.forget(uri.as_str());
                if let Some(document) = self.documents.change(&uri, version, params.content_changes)
                {
                    self.check(document);
                }
            }
            "textDocument/didSave" => {
                let params: DidSaveTextDocumentParams = read_params(params)?;
                // Files that the scene names may have changed too.
                if let Some(document) = self.documents.get(&params.text_document.uri) {
                    self.check(document.clone());
                }
            }
            "textDocument/didClose" => {
                let params: DidCloseTextDocumentParams = read_params(params)?;
                let uri = params.text_document.uri;
                self.documents.close(&uri);
                self.faults.forget(uri.as_str());
                self.cautions.forget(uri.as_str());
                publish(&self.outbox, &uri, None, Vec::new());
            }
            _ => {}
        }
        Ok(())
    }

    /// Queues the newest text of a document for checking.
    fn check(&self, document: Document) {
        if !definition::is_defaults_file(&document) {
            self.cautions.forget(document.uri.as_str());
            self.faults.put(document);
        }
    }
}

fn publish(outbox: &Outbox, uri: &Uri, version: Option<i32>, diagnostics: Vec<Diagnostic>) {
    let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version };
    let Ok(params) = serde_json::to_value(params) else { return };
    outbox.send(Notification { method: "textDocument/publishDiagnostics".into(), params });
}

fn hovered(document: &Document, offset: usize) -> Option<Hover> {
    let place = Place::at(document.text(), offset);
    let text = hover_text(&place)?;
    let range = place.context.touched.as_ref().map(|word| document.range(word));
    Some(Hover { contents: HoverContents::Markup(words::markup(&text)), range })
}

fn refused(id: RequestId, code: ErrorCode, why: String) -> Response {
    Response::new_err(id, code as i32, why)
}

fn read_params<T: DeserializeOwned>(params: Value) -> Result<T, Rejection> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn to_value(value: impl Serialize) -> Result<Value, Rejection> {
    serde_json::to_value(value).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

fn knows_snippets(params: &InitializeParams) -> bool {
    let completion =
        params.capabilities.text_document.as_ref().and_then(|it| it.completion.as_ref());
    let item = completion.and_then(|it| it.completion_item.as_ref());
    item.and_then(|it| it.snippet_support).unwrap_or(false)
}

fn capabilities() -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions::default())),
        ..TextDocumentSyncOptions::default()
    };
    // Characters after which a field or value may begin.
    let triggers = ["(", ",", ":", " ", "[", "{", "\""].map(String::from).to_vec();
    InitializeResult {
        capabilities: ServerCapabilities {
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(triggers),
                ..CompletionOptions::default()
            }),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            document_formatting_provider: Some(OneOf::Left(true)),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "catena".into(),
            version: Some(env!("CARGO_PKG_VERSION").into()),
        }),
    }
}

/// Returns the documentation of the field or name at a place, as Markdown.
fn hover_text(place: &Place<'_>) -> Option<String> {
    let word = place.word()?;
    let value = place.value;
    let thing = value.things().into_iter().find(|thing| thing.name == word);
    let known = value.words().into_iter().find(|known| known.name == word);
    let field = || place.member().map(|member| words::member(place, member));
    match (place.slot(), thing, known) {
        (Slot::Name, ..) => field(),
        (_, Some(thing), _) => Some(words::thing(&thing)),
        (_, None, Some(known)) => {
            let meaning = words::word(&known);
            Some(field().map_or(meaning.clone(), |field| format!("{meaning}\n\n---\n\n{field}")))
        }
        _ => field(),
    }
}

/// Returns the edits that format a document: none or one. Returns `None` if the text cannot be
/// parsed.
fn formatting_edits(document: &Document) -> Option<Vec<TextEdit>> {
    let limits = Limits::default();
    let scene = document.scene_text(&limits).ok()?;
    let new = format(&scene, &limits).ok()?;
    let old = document.text();
    if new == old {
        return Some(Vec::new());
    }
    // Equal lines at both ends are excluded from the edit, so that cursors there do not move.
    let same = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let start = old.floor_char_boundary(same(old, &new));
    let start = old[..start].rfind('\n').map_or(0, |at| at + 1);
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let both = old_rest.bytes().rev().zip(new_rest.bytes().rev());
    let end = both.take_while(|(a, b)| a == b).count();
    // The edit covers whole lines, so that it splits neither characters nor line ends.
    let rough = (old_rest.len() - end).saturating_sub(1);
    let line_end = old_rest.bytes().skip(rough).position(|byte| byte == b'\n');
    let old_end = line_end.map_or(old_rest.len(), |at| rough + at + 1);
    let new_end = new_rest.len().saturating_sub(old_rest.len() - old_end);
    let new_text = new_rest.get(..new_end)?.to_owned();
    Some(vec![TextEdit { range: document.range(&(start..start + old_end)), new_text }])
}
