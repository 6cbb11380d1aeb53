// Editor of the page: CodeMirror with faults and completion of the language server.
import { EditorView, basicSetup } from "codemirror";
import { EditorState } from "@codemirror/state";
import { autocompletion, snippet } from "@codemirror/autocomplete";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const ron = StreamLanguage.define({
  name: "ron",
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment) {
      if (stream.skipTo("*/")) { stream.match("*/"); state.comment = false; } else stream.skipToEnd();
      return "comment";
    }
    if (stream.match("//")) { stream.skipToEnd(); return "comment"; }
    if (stream.match("/*")) { state.comment = true; return "comment"; }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:[eE][-+]?\d+)?/)) return "number";
    if (stream.match(/^[A-Za-z_]\w*(?=\s*:)/)) return "propertyName";
    if (stream.match(/^(?:true|false|None|Some)\b/)) return "atom";
    if (stream.match(/^[A-Z]\w*/)) return "typeName";
    if (stream.match(/^\w+/)) return "variableName";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
});

const colors = HighlightStyle.define([
  { tag: tags.comment, color: "#888" },
  { tag: tags.string, color: "light-dark(#285, #8c8)" },
  { tag: tags.number, color: "light-dark(#a40, #fa6)" },
  { tag: tags.propertyName, color: "light-dark(#158, #7be)" },
  { tag: tags.typeName, color: "light-dark(#748, #c9e)" },
]);

// An offset in the document from line and character of the language server.
const offset = (doc, place) => {
  if (place.line >= doc.lines) return doc.length;
  const line = doc.line(place.line + 1);
  return Math.min(line.from + place.character, line.to);
};

const kinds = { 5: "property", 7: "class", 12: "constant", 16: "constant", 17: "text", 20: "enum" };

// Completions of the language server as those of CodeMirror.
const complete = items => async context => {
  const line = context.state.doc.lineAt(context.pos);
  const place = { line: line.number - 1, character: context.pos - line.from };
  const word = context.matchBefore(/\w+/);
  if (!context.explicit && !word) return null;
  const found = await items(context.state.doc.toString(), place);
  if (!found || found.length === 0) return null;
  const range = found[0].textEdit.range;
  const option = item => ({
    label: item.label,
    detail: item.detail,
    type: kinds[item.kind],
    boost: -Number(item.sortText || 0) / 100,
    // The text is shown as text: an element from a scene's words never becomes markup.
    info: item.documentation && (() => {
      const dom = document.createElement("div");
      dom.textContent = item.documentation.value;
      dom.style.whiteSpace = "pre-wrap";
      return dom;
    }),
    apply: item.insertTextFormat === 2
      ? snippet(item.textEdit.newText.replace(/\$0/g, "${}").replace(/\$\{0\}/g, "${}"))
      : item.textEdit.newText,
  });
  return {
    from: offset(context.state.doc, range.start),
    to: offset(context.state.doc, range.end),
    options: found.map(option),
    validFor: /^\w*$/,
  };
};

export const make = (parent, { text, changed, items }) => {
  const listener = EditorView.updateListener.of(update => {
    if (update.docChanged) changed(update.state.doc.toString());
  });
  const extensions = [
    basicSetup, ron, syntaxHighlighting(colors), lintGutter(), listener,
    autocompletion({ override: [complete(items)] }),
    EditorState.tabSize.of(4),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  return {
    text: () => view.state.doc.toString(),
    set(text) { view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }); },
    show(faults) {
      const doc = view.state.doc;
      const all = faults.map(fault => {
        const from = offset(doc, fault.range.start);
        const severity = ["error", "warning", "info", "hint"][(fault.severity || 1) - 1];
        return { from, to: Math.max(from, offset(doc, fault.range.end)), severity, message: fault.message };
      });
      view.dispatch(setDiagnostics(view.state, all));
    },
  };
};
