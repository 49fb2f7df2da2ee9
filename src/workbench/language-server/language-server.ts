import {
  type ClientCapabilities,
  CodeActionKind,
  type Connection,
  type Diagnostic,
  DidChangeWatchedFilesNotification,
  type InitializeResult,
  type MarkupContent,
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
import { isDataFile } from '../code-index/data-keys.ts'
import { formatManifest } from '../format/format.ts'
import { isPlanFile } from '../format/plan-files.ts'
import type { LintSettings } from '../lint/options/lint-settings.ts'
import { completeAt } from './completion.ts'
import { completeDataKeys, describeDataKey, listDataDiagnostics } from './data/data-documents.ts'
import { completeMetadata, isMetadataFile, listMetadataDiagnostics } from './data/module-metadata.ts'
import { listDiagnostics } from './diagnostics.ts'
import { completeEmbedded, findEmbeddedDefinition } from './embedded-ruby.ts'
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
import type { NodeChoice } from './node-data/chosen-node.ts'
import { completeFacts } from './node-data/fact-completion.ts'
import { listInlayHints } from './node-data/inlay-hints.ts'
import { describeFact, describeParameterData } from './node-data/node-hover.ts'
import { answerNodeRequests, commands, readNodeChoice } from './node-data/node-requests.ts'
import { type NodeServices, NodeSession } from './node-data/node-session.ts'
import type { NodeValues } from './node-data/node-values.ts'
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
  /** Facts and data of nodes. */
  readonly nodes: NodeServices
}

const capabilities: InitializeResult['capabilities'] = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  completionProvider: { triggerCharacters: ['$', ':', '{', ',', '[', "'", '@'] },
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
  inlayHintProvider: true,
  executeCommandProvider: { commands },
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
  '**/*.{yaml,yml,eyaml}',
  '**/.puppet-lint.rc',
].map((globPattern) => ({ globPattern }))

/** Milliseconds after the last change until a document is checked. */
const checkDelayMs = 100

/** A running language server. */
export interface RunningLanguageServer {
  /** Removes temporary files. */
  close(): Promise<void>
}

/** Handles the requests of an editor until it closes the connection. */
export function serveLanguage(connection: Connection, options: LanguageServerOptions): RunningLanguageServer {
  const documents = new TextDocuments(TextDocument)
  const session = new NodeSession(options.nodes, options.root)
  let workspace = new CodeWorkspace(options.root, options.modulepath)
  let lintSettings = readLintSettings(options.root)
  let able: ClientCapabilities['workspace']
  let failure: string | undefined
  connection.onInitialize(({ workspaceFolders, rootUri, initializationOptions, capabilities: client }) => {
    able = client.workspace
    const root = toPath(workspaceFolders?.[0]?.uri ?? rootUri ?? '') ?? options.root
    workspace = new CodeWorkspace(root, options.modulepath)
    lintSettings = readLintSettings(root)
    failure = openSession(session, root, readNodeChoice(initializationOptions))
    return { capabilities, serverInfo: { name: 'plumb language-server', version: options.version } }
  })
  connection.onInitialized(() => {
    if (able?.didChangeWatchedFiles?.dynamicRegistration === true)
      void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers })
    if (failure !== undefined) connection.window.showErrorMessage(failure)
  })
  const getFile = (uri: string): CodeFile | undefined => {
    const path = toPath(uri)
    return path === undefined || !isCodeFile(path) ? undefined : workspace.file(path)
  }
  const refresh = () => {
    workspace.refresh()
    void session.refresh()
    lintSettings = readLintSettings(workspace.root)
  }
  connection.onDidChangeWatchedFiles(refresh)
  handleDocuments(connection, documents, {
    setText: (path, text) => workspace.setText(path, text),
    async check(uri) {
      const path = toPath(uri) ?? ''
      if (isDataFile(path)) return [...listDataDiagnostics(workspace, path)]
      if (isMetadataFile(path)) return [...listMetadataDiagnostics(workspace, path)]
      const file = getFile(uri)
      return file && [...listDiagnostics(file), ...listLintDiagnostics(file, await lintSettings)]
    },
    saved: refresh,
  })
  answerNodeRequests(connection, session, () => {
    if (able?.inlayHint?.refreshSupport === true) void connection.languages.inlayHint.refresh()
  })
  answerPlaces(connection, () => workspace)
  answerNodeData(connection, () => workspace, session)
  answerFiles(connection, getFile, () => lintSettings)
  connection.onWorkspaceSymbol(({ query }) => [...searchSymbols(workspace, query)])
  documents.listen(connection)
  connection.listen()
  return { close: () => session.refresh() }
}

/** Opens a folder with a node; returns the reason if the node has no facts. */
function openSession(session: NodeSession, root: string, choice: NodeChoice): string | undefined {
  try {
    session.open(root, choice)
    return undefined
  } catch (error) {
    if (error instanceof PuppetError) return error.diagnostic.message
    throw error
  }
}

/** True for a manifest or an EPP template; templates and data are no code of Puppet. */
function isCodeFile(path: string): boolean {
  return !isDataFile(path) && !/\.(?:json|erb|rb)$/.test(path) && !path.endsWith('/Puppetfile')
}

/** The place of a request. */
function toPlace({ textDocument, position }: TextDocumentPositionParams): PointedPlace {
  return { path: toPath(textDocument.uri) ?? '', position }
}

/** Answers requests whose responses contain data of the chosen node. */
function answerNodeData(connection: Connection, getWorkspace: () => CodeWorkspace, session: NodeSession): void {
  connection.onCompletion(async (at) => {
    const [workspace, place, values] = [getWorkspace(), toPlace(at), await session.values()]
    const facts = values && completeFacts(workspace, place, values)
    const found = facts ?? completeDataKeys(workspace, place) ?? completeMetadata(workspace, place)
    return [...(found ?? (await completeEmbedded(workspace, place)) ?? completeAt(workspace, place))]
  })
  connection.onHover(async (at) => describePlace(getWorkspace(), toPlace(at), await session.values()))
  connection.languages.inlayHint.on(async ({ textDocument, range }) => {
    const [workspace, path, values] = [getWorkspace(), toPath(textDocument.uri) ?? '', await session.values()]
    const file = values && path.endsWith('.pp') ? workspace.file(path) : undefined
    return file && values ? [...listInlayHints(workspace, file, range, values)] : []
  })
}

function describePlace(workspace: CodeWorkspace, place: PointedPlace, values: NodeValues | undefined) {
  const fact = values && describeFact(workspace, place, values)
  if (fact) return fact
  const hover = describeDataKey(workspace, place) ?? (isCodeFile(place.path) ? buildHover(workspace, place) : undefined)
  const data = values && describeParameterData(workspace, place, values)
  if (!hover || data === undefined) return hover
  const { value } = hover.contents as MarkupContent
  return { ...hover, contents: { kind: 'markdown' as const, value: `${value}\n\n${data}` } }
}

/** Answers requests about a place in a file. */
function answerPlaces(connection: Connection, getWorkspace: () => CodeWorkspace): void {
  connection.onDefinition(async (at) => {
    const [workspace, place] = [getWorkspace(), toPlace(at)]
    const named = [...findParameterOfKey(workspace, place), ...findDefinitions(workspace, place)]
    if (named.length > 0) return named
    return (await findEmbeddedDefinition(workspace, place)) ?? [...findNamedFile(workspace, place)]
  })
  connection.onReferences(async (at) => [
    ...(await findReferences(getWorkspace(), toPlace(at), at.context.includeDeclaration)),
  ])
  connection.onDocumentHighlight((at) => [...listHighlights(getWorkspace(), toPlace(at))])
  connection.onPrepareRename((at) => findRenamable(getWorkspace(), toPlace(at)))
  connection.onRenameRequest(
    async (at) =>
      (await renameName(getWorkspace(), toPlace(at), at.newName)) ??
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
