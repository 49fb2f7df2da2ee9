import {
  type Connection,
  type InitializeResult,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { CodeFile } from '../code-index/code-file.ts'
import { CodeWorkspace } from '../code-index/code-workspace.ts'
import { completeAt } from './completion.ts'
import { listDiagnostics } from './diagnostics.ts'
import { findNamedFile, findParameterOfKey } from './file-links.ts'
import { buildHover } from './hover.ts'
import {
  findDefinitions,
  findReferences,
  findRenamable,
  listHighlights,
  type PointedPlace,
  renameName,
} from './navigation.ts'
import { buildOutline, listFoldingRanges, searchSymbols } from './outline.ts'
import { toPath } from './positions.ts'
import { buildSemanticTokens, tokenModifiers, tokenTypes } from './semantic-tokens.ts'

/** Options of a language server. */
export interface LanguageServerOptions {
  readonly version: string
  /** Folder of the code if the client names none. */
  readonly root: string
  /** Folders of modules besides those of the code. */
  readonly modulepath: readonly string[]
}

const capabilities: InitializeResult['capabilities'] = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
  completionProvider: { triggerCharacters: ['$', ':', '{', ','] },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  foldingRangeProvider: true,
  semanticTokensProvider: {
    legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
    full: true,
  },
}

/** Milliseconds after the last change until a document is checked. */
const checkDelayMs = 100

/** Handles the requests of an editor until it closes the connection. */
export function serveLanguage(connection: Connection, options: LanguageServerOptions): void {
  const documents = new TextDocuments(TextDocument)
  let workspace = new CodeWorkspace(options.root, options.modulepath)
  connection.onInitialize(({ workspaceFolders, rootUri }) => {
    const root = toPath(workspaceFolders?.[0]?.uri ?? rootUri ?? '') ?? options.root
    workspace = new CodeWorkspace(root, options.modulepath)
    return { capabilities, serverInfo: { name: 'plumb language-server', version: options.version } }
  })
  const getFile = (uri: string): CodeFile | undefined => {
    const path = toPath(uri)
    return path === undefined ? undefined : workspace.file(path)
  }
  handleDocuments(connection, documents, () => workspace, getFile)
  const placeOf = ({ textDocument, position }: TextDocumentPositionParams): PointedPlace => ({
    path: toPath(textDocument.uri) ?? '',
    position,
  })
  connection.onCompletion((at) => [...completeAt(workspace, placeOf(at))])
  connection.onHover((at) => buildHover(workspace, placeOf(at)))
  connection.onDefinition((at) => {
    const place = placeOf(at)
    const named = [...findParameterOfKey(workspace, place), ...findDefinitions(workspace, place)]
    return named.length > 0 ? named : [...findNamedFile(workspace, place)]
  })
  connection.onReferences(async (at) => [
    ...(await findReferences(workspace, placeOf(at), at.context.includeDeclaration)),
  ])
  connection.onDocumentHighlight((at) => [...listHighlights(workspace, placeOf(at))])
  connection.onPrepareRename((at) => findRenamable(workspace, placeOf(at)))
  connection.onRenameRequest(
    async (at) =>
      (await renameName(workspace, placeOf(at), at.newName)) ??
      new ResponseError(
        invalidParams,
        `'${at.newName}' is not a valid name of a variable, or the name cannot be changed`,
      ),
  )
  connection.onDocumentSymbol(({ textDocument }) => listOf(getFile(textDocument.uri), buildOutline))
  connection.onWorkspaceSymbol(({ query }) => [...searchSymbols(workspace, query)])
  connection.onFoldingRanges(({ textDocument }) => listOf(getFile(textDocument.uri), listFoldingRanges))
  connection.languages.semanticTokens.on(({ textDocument }) => {
    const file = getFile(textDocument.uri)
    return file ? buildSemanticTokens(file) : { data: [] }
  })
  documents.listen(connection)
  connection.listen()
}

/** Code of JSON-RPC for invalid parameters. */
const invalidParams = -32602

function listOf<Item>(file: CodeFile | undefined, list: (file: CodeFile) => readonly Item[]): Item[] {
  return file ? [...list(file)] : []
}

/** Keeps the texts of open documents, and publishes their diagnostics shortly after each change. */
function handleDocuments(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  getWorkspace: () => CodeWorkspace,
  getFile: (uri: string) => CodeFile | undefined,
): void {
  const timers = new Map<string, NodeJS.Timeout>()
  const check = (uri: string) => {
    const file = getFile(uri)
    if (file) void connection.sendDiagnostics({ uri, diagnostics: [...listDiagnostics(file)] })
  }
  documents.onDidChangeContent(({ document }) => {
    const path = toPath(document.uri)
    if (path === undefined) return
    getWorkspace().setText(path, document.getText())
    clearTimeout(timers.get(path))
    timers.set(
      path,
      setTimeout(() => check(document.uri), checkDelayMs),
    )
  })
  documents.onDidClose(({ document }) => {
    const path = toPath(document.uri)
    if (path === undefined) return
    clearTimeout(timers.get(path))
    timers.delete(path)
    getWorkspace().setText(path, undefined)
    void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] })
  })
  documents.onDidSave(() => getWorkspace().refresh())
}
