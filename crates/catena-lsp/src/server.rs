//! Requests and notifications, one after the other.

use super::documents::{Document, Documents};
use super::mailbox::Mailbox;
use super::place::Place;
use super::transport::{Incoming, Outbox, read};
use super::{completion, defaults_file, definition, diagnostics, formatting, hover, words};
use catena_scene::Limits;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CompletionOptions, CompletionParams, Diagnostic, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    DocumentFormattingParams, GotoDefinitionParams, Hover, HoverContents, HoverParams,
    HoverProviderCapability, InitializeParams, InitializeResult, OneOf, PublishDiagnosticsParams,
    SaveOptions, ServerCapabilities, ServerInfo, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The client asked for it, first by `shutdown` and then by `exit`.
    Asked,
    /// The client went, or sent `exit` alone.
    Gone,
}

/// Answers a client until it goes, within the default limits.
///
/// # Errors
/// When no thread can be started.
pub fn serve(input: impl BufRead, output: Box<dyn Write + Send>) -> io::Result<End> {
    serve_within(input, output, &Limits::default())
}

/// Answers a client until it goes. Scenes are read within limits.
///
/// # Errors
/// When no thread can be started.
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
            Incoming::Message(Message::Notification(it)) => server.notified(it),
            Incoming::Message(Message::Request(request)) => server.answer(request),
            Incoming::Message(Message::Response(_)) => {}
        }
    };
    server.faults.end();
    server.cautions.end();
    Ok(end)
}

/// How far the conversation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing but `initialize` is answered.
    New,
    Open,
    /// Nothing but `exit` is expected.
    ShutDown,
}

struct Server {
    phase: Phase,
    documents: Documents,
    /// Whether the client fills in places of completions.
    has_snippets: bool,
    faults: Mailbox,
    cautions: Mailbox,
    outbox: Outbox,
}

/// Why a request has no answer.
type Refusal = (ErrorCode, String);

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
                // First, so that what is known of an older text is not sent behind this.
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
        // A fault of the program ends a request and not the conversation.
        let result = catch_unwind(AssertUnwindSafe(|| self.result(request)));
        let broken = (ErrorCode::InternalError, "this request is more than catena can do".into());
        let response = match result.unwrap_or(Err(broken)) {
            Ok(value) => Response::new_ok(id, value),
            Err((code, why)) => refused(id, code, why),
        };
        self.outbox.send(response);
    }

    fn result(&mut self, request: Request) -> Result<Value, Refusal> {
        let Request { method, params, .. } = request;
        match (self.phase, method.as_str()) {
            (Phase::New, "initialize") => {
                let params: InitializeParams = read_params(params)?;
                self.phase = Phase::Open;
                self.has_snippets = knows_snippets(&params);
                to_value(capabilities())
            }
            (Phase::New, _) => {
                Err((ErrorCode::ServerNotInitialized, "`initialize` comes first".into()))
            }
            (Phase::ShutDown, _) => {
                Err((ErrorCode::InvalidRequest, "only `exit` follows `shutdown`".into()))
            }
            (Phase::Open, "initialize") => {
                Err((ErrorCode::InvalidRequest, "`initialize` comes once".into()))
            }
            (Phase::Open, "shutdown") => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::Open, "textDocument/completion") => {
                let params: CompletionParams = read_params(params)?;
                let at = params.text_document_position;
                to_value(self.at(&at, |server, document, offset| server.items(document, offset)))
            }
            (Phase::Open, "textDocument/hover") => {
                let params: HoverParams = read_params(params)?;
                let at = params.text_document_position_params;
                to_value(self.at(&at, |_, document, offset| hovered(document, offset)).flatten())
            }
            (Phase::Open, "textDocument/definition") => {
                let params: GotoDefinitionParams = read_params(params)?;
                let at = params.text_document_position_params;
                let find = |_: &mut Self, document: &Document, offset| {
                    definition::location(document, &Place::at(document.text(), offset))
                };
                let found = self.at(&at, find).transpose();
                to_value(found.map_err(|why| (ErrorCode::RequestFailed, why))?.flatten())
            }
            (Phase::Open, "textDocument/formatting") => {
                let params: DocumentFormattingParams = read_params(params)?;
                let document = self.documents.get(&params.text_document.uri);
                to_value(document.and_then(formatting::edits))
            }
            _ => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known here"))),
        }
    }

    /// Asks about a place of a document that is open and not too large.
    fn at<T>(
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
        let style = completion::Style { has_snippets: self.has_snippets, range };
        let path = document.path();
        completion::items(&place, &style, path.as_deref().and_then(|path| path.parent()))
    }

    /// Takes a notification; one that cannot be read is passed over, as the protocol has it.
    fn notified(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        if self.phase != Phase::Open {
            return;
        }
        let _ = catch_unwind(AssertUnwindSafe(|| self.take(&method, params)));
    }

    fn take(&mut self, method: &str, params: Value) -> Result<(), Refusal> {
        match method {
            "textDocument/didOpen" => {
                let params: DidOpenTextDocumentParams = read_params(params)?;
                let document = self.documents.open(params.text_document);
                self.check(document);
            }
            "textDocument/didChange" => {
                let params: DidChangeTextDocumentParams = read_params(params)?;
                let (uri, version) = (params.text_document.uri, params.text_document.version);
                // Nobody waits for the older text any more, and it would be copied for them.
                self.faults.forget(uri.as_str());
                self.cautions.forget(uri.as_str());
                if let Some(document) = self.documents.change(&uri, version, params.content_changes)
                {
                    self.check(document);
                }
            }
            "textDocument/didSave" => {
                let params: DidSaveTextDocumentParams = read_params(params)?;
                // Files that a scene names may have changed as well.
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

    /// Has the newest text of a document checked.
    fn check(&self, document: Document) {
        if !defaults_file::is_it(&document) {
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
    let text = hover::text(&place)?;
    let range = place.context.touched.as_ref().map(|word| document.range(word));
    Some(Hover { contents: HoverContents::Markup(words::markup(&text)), range })
}

fn refused(id: RequestId, code: ErrorCode, why: String) -> Response {
    Response::new_err(id, code as i32, why)
}

fn read_params<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn to_value(value: impl Serialize) -> Result<Value, Refusal> {
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
    // A field begins behind one of these.
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
