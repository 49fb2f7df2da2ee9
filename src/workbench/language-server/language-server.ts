import {
  CodeActionKind,
  type Connection,
  type Diagnostic,
  DidChangeWatchedFilesNotification,
  type InitializeResult,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
  type TextEdit,
} from 'vscode-languageserver'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { PuppetError } from '../../base/issue.ts'
import type { CodeFile } from '../code-index/code-file.ts'
import { CodeWorkspace } from '../code-index/code-workspace.ts'
import { formatManifest } from '../format/format.ts'
import { isPlanFile } from '../format/plan-files.ts'
import type { LintSettings } from '../lint/options/lint-settings.ts'
import { completeAt } from './completion.ts'
import { listDiagnostics } from './diagnostics.ts'
import { findNamedFile, findParameterOfKey } from './file-links.ts'
import { buildHover } from './hover.ts'
import { listCorrections, listLintDiagnostics, readLintSettings, replaceText } from './lint-problems.ts'
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
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  completionProvider: { triggerCharacters: ['$', ':', '{', ','] },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  documentFormattingProvider: true,
  codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.SourceFixAll] },
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  foldingRangeProvider: true,
  semanticTokensProvider: {
    legend: { tokenTypes: [...tokenTypes], tokenModifiers: [...tokenModifiers] },
    full: true,
  },
}

/** Files whose creation and deletion the editor reports. */
const watchers = [
  '**/*.pp',
  '**/*.epp',
  '**/*.rb',
  '**/metadata.json',
  '**/environment.conf',
  '**/.puppet-lint.rc',
].map((globPattern) => ({ globPattern }))

/** Milliseconds after the last change until a document is checked. */
const checkDelayMs = 100

/** Handles the requests of an editor until it closes the connection. */
export function serveLanguage(connection: Connection, options: LanguageServerOptions): void {
  const documents = new TextDocuments(TextDocument)
  let workspace = new CodeWorkspace(options.root, options.modulepath)
  let lintSettings = readLintSettings(options.root)
  let canWatch = false
  connection.onInitialize(({ workspaceFolders, rootUri, capabilities: { workspace: able } }) => {
    canWatch = able?.didChangeWatchedFiles?.dynamicRegistration === true
    const root = toPath(workspaceFolders?.[0]?.uri ?? rootUri ?? '') ?? options.root
    workspace = new CodeWorkspace(root, options.modulepath)
    lintSettings = readLintSettings(root)
    return { capabilities, serverInfo: { name: 'plumb language-server', version: options.version } }
  })
  connection.onInitialized(() => {
    if (canWatch) void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers })
  })
  const getFile = (uri: string): CodeFile | undefined => {
    const path = toPath(uri)
    return path === undefined ? undefined : workspace.file(path)
  }
  const refresh = () => {
    workspace.refresh()
    lintSettings = readLintSettings(workspace.root)
  }
  connection.onDidChangeWatchedFiles(refresh)
  handleDocuments(connection, documents, {
    setText: (path, text) => workspace.setText(path, text),
    async check(uri) {
      const file = getFile(uri)
      return file && [...listDiagnostics(file), ...listLintDiagnostics(file, await lintSettings)]
    },
    saved: refresh,
  })
  answerPlaces(connection, () => workspace)
  answerFiles(connection, getFile, () => lintSettings)
  connection.onWorkspaceSymbol(({ query }) => [...searchSymbols(workspace, query)])
  documents.listen(connection)
  connection.listen()
}

/** Answers requests about a place in a file. */
function answerPlaces(connection: Connection, getWorkspace: () => CodeWorkspace): void {
  const placeOf = ({ textDocument, position }: TextDocumentPositionParams): PointedPlace => ({
    path: toPath(textDocument.uri) ?? '',
    position,
  })
  connection.onCompletion((at) => [...completeAt(getWorkspace(), placeOf(at))])
  connection.onHover((at) => buildHover(getWorkspace(), placeOf(at)))
  connection.onDefinition((at) => {
    const place = placeOf(at)
    const named = [...findParameterOfKey(getWorkspace(), place), ...findDefinitions(getWorkspace(), place)]
    return named.length > 0 ? named : [...findNamedFile(getWorkspace(), place)]
  })
  connection.onReferences(async (at) => [
    ...(await findReferences(getWorkspace(), placeOf(at), at.context.includeDeclaration)),
  ])
  connection.onDocumentHighlight((at) => [...listHighlights(getWorkspace(), placeOf(at))])
  connection.onPrepareRename((at) => findRenamable(getWorkspace(), placeOf(at)))
  connection.onRenameRequest(
    async (at) =>
      (await renameName(getWorkspace(), placeOf(at), at.newName)) ??
      new ResponseError(
        invalidParams,
        `'${at.newName}' is not a valid name of a variable, is used already, or the name cannot be changed`,
      ),
  )
}

/** Answers requests about a file. */
function answerFiles(
  connection: Connection,
  getFile: (uri: string) => CodeFile | undefined,
  getLintSettings: () => Promise<LintSettings>,
): void {
  connection.onDocumentFormatting(({ textDocument }) => formatDocument(getFile(textDocument.uri)))
  connection.onCodeAction(async ({ textDocument, context }) => {
    const settings = await getLintSettings()
    return listOf(getFile(textDocument.uri), (file) => listCorrections(file, settings, context.diagnostics))
  })
  connection.onDocumentSymbol(({ textDocument }) => listOf(getFile(textDocument.uri), buildOutline))
  connection.onFoldingRanges(({ textDocument }) => listOf(getFile(textDocument.uri), listFoldingRanges))
  connection.languages.semanticTokens.on(({ textDocument }) => {
    const file = getFile(textDocument.uri)
    return file ? buildSemanticTokens(file) : { data: [] }
  })
}

/** Code of JSON-RPC for invalid parameters. */
const invalidParams = -32602

function listOf<Item>(file: CodeFile | undefined, list: (file: CodeFile) => readonly Item[]): Item[] {
  return file ? [...list(file)] : []
}

/** The edit that formats a manifest; a manifest that cannot be formatted is an error with its reason. */
function formatDocument(file: CodeFile | undefined): TextEdit[] | ResponseError {
  if (!file?.path.endsWith('.pp')) return []
  try {
    const text = formatManifest(file.source, { tasks: isPlanFile(file.path) })
    return text === file.source.text ? [] : [replaceText(file, text)]
  } catch (error) {
    if (error instanceof PuppetError) return new ResponseError(requestFailed, error.diagnostic.message)
    throw error
  }
}

/** Code of the protocol for a request that is valid but failed. LSP 3.17. */
const requestFailed = -32803

/** Effects of changes to documents. */
interface DocumentEvents {
  /** Sets the text of an open file; undefined after it was closed. */
  setText(path: string, text: string | undefined): void
  /** The diagnostics of a document; undefined if it is not a file of code. */
  check(uri: string): Promise<Diagnostic[] | undefined>
  saved(): void
}

/** Keeps the texts of open documents, and publishes their diagnostics shortly after each change. */
function handleDocuments(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  { setText, check, saved }: DocumentEvents,
): void {
  const timers = new Map<string, NodeJS.Timeout>()
  const send = async (uri: string, diagnostics: Diagnostic[]) => {
    try {
      await connection.sendDiagnostics({ uri, diagnostics })
    } catch {
      // A closed connection receives nothing.
    }
  }
  const publish = async (uri: string) => {
    const diagnostics = await check(uri)
    if (diagnostics && documents.get(uri)) await send(uri, diagnostics)
  }
  documents.onDidChangeContent(({ document }) => {
    const path = toPath(document.uri)
    if (path === undefined) return
    setText(path, document.getText())
    clearTimeout(timers.get(path))
    timers.set(
      path,
      setTimeout(() => void publish(document.uri), checkDelayMs),
    )
  })
  documents.onDidClose(({ document }) => {
    const path = toPath(document.uri)
    if (path === undefined) return
    clearTimeout(timers.get(path))
    timers.delete(path)
    setText(path, undefined)
    void send(document.uri, [])
  })
  documents.onDidSave(saved)
}
