import {
  CodeActionKind,
  type Connection,
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
import { toJsonRecord } from '../../base/json/json-checks.ts'
import type { CodeFile } from '../code-index/code-file.ts'
import type { CodeWorkspace } from '../code-index/code-workspace.ts'
import { formatManifest } from '../format/format.ts'
import { isPlanFile } from '../format/plan-files.ts'
import { CodeSession } from './code-session.ts'
import { completeAt } from './completion.ts'
import { completeDataKeys, describeDataKey } from './data/data-documents.ts'
import { completeMetadata } from './data/module-metadata.ts'
import { type CheckPuppetfile, checkDocument } from './document-checks.ts'
import { completeEmbedded, findEmbeddedDefinition } from './embedded-ruby.ts'
import { findNamedFile, findParameterOfKey } from './file-links.ts'
import { buildHover } from './hover.ts'
import { listCorrections, replaceText } from './lint-problems.ts'
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
import { answerNodeRequests, chooseNode, commands, readNodeChoice } from './node-data/node-requests.ts'
import { type NodeServices, NodeSession } from './node-data/node-session.ts'
import type { NodeValues } from './node-data/node-values.ts'
import { OpenDocuments } from './open-documents.ts'
import { buildOutline, listFoldingRanges, searchSymbols } from './outline.ts'
import { isCodeFile, toPath } from './positions.ts'
import { readSemanticChoice } from './semantic-choice.ts'
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
  readonly checkPuppetfile: CheckPuppetfile
}

const capabilities: InitializeResult['capabilities'] = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  completionProvider: { triggerCharacters: ['$', ':', '{', ',', '[', "'", '@', '>'] },
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

/** A running language server. */
export interface RunningLanguageServer {
  /** Ends work in progress, and removes temporary files. */
  close(): Promise<void>
}

/** Handles the requests of an editor until it closes the connection. */
export function serveLanguage(connection: Connection, options: LanguageServerOptions): RunningLanguageServer {
  const documents = new TextDocuments(TextDocument)
  const failed = (error: unknown) => connection.console.error(error instanceof Error ? error.stack! : String(error))
  const nodes = new NodeSession(options.nodes, options.root, failed)
  const updated = () => open.checkAll()
  const code: CodeSession = new CodeSession(options.root, options.modulepath, { updated, failed })
  const open: OpenDocuments = new OpenDocuments(connection, documents, {
    setText: (path, text) => code.workspace.setText(path, text),
    check: (path, check) => checkDocument(code, path, check, options.checkPuppetfile),
    failed,
    saved(path) {
      handleChanges(code, nodes, [path])
      if (!client.reportsChanges) code.searchChanges()
    },
  })
  const client: EditorClient = handleStart(connection, options, code, nodes)
  connection.onDidChangeWatchedFiles(({ changes }) =>
    handleChanges(
      code,
      nodes,
      changes.map(({ uri }) => toPath(uri) ?? ''),
    ),
  )
  const nodeChanged = () => {
    if (client.canRefreshHints) connection.languages.inlayHint.refresh().catch(failed)
  }
  connection.onDidChangeConfiguration(({ settings }) => {
    const { plumb } = toJsonRecord(settings)
    const choice = readSemanticChoice(plumb)
    if (choice !== undefined) code.choose(choice)
    if (plumb !== undefined) chooseNode(connection, nodes, readNodeChoice(plumb), nodeChanged)
  })
  answerNodeRequests(connection, nodes, nodeChanged)
  answerPlaces(connection, code)
  answerNodeData(connection, code, nodes)
  answerFiles(connection, code)
  connection.onWorkspaceSymbol(({ query }) => [...searchSymbols(code.workspace, query)])
  documents.listen(connection)
  connection.listen()
  return {
    close() {
      open.close()
      code.close()
      return nodes.refresh()
    },
  }
}

/** Abilities of the editor that the server uses. */
interface EditorClient {
  canRefreshHints: boolean
  /** True if the editor reports changes of files on disk. */
  reportsChanges: boolean
}

/** Opens the folder of the editor when the connection starts. */
function handleStart(
  connection: Connection,
  options: LanguageServerOptions,
  code: CodeSession,
  nodes: NodeSession,
): EditorClient {
  const client = { canRefreshHints: false, reportsChanges: false }
  let failure: string | undefined
  connection.onInitialize(({ workspaceFolders, rootUri, initializationOptions, capabilities: { workspace } }) => {
    client.canRefreshHints = workspace?.inlayHint?.refreshSupport === true
    client.reportsChanges = workspace?.didChangeWatchedFiles?.dynamicRegistration === true
    const root = toPath(workspaceFolders?.[0]?.uri ?? rootUri ?? '') ?? options.root
    code.open(root, readSemanticChoice(initializationOptions))
    failure = openSession(nodes, root, readNodeChoice(initializationOptions))
    return { capabilities, serverInfo: { name: 'plumb language-server', version: options.version } }
  })
  connection.onInitialized(() => {
    if (client.reportsChanges) void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers })
    if (failure !== undefined) connection.window.showErrorMessage(failure)
  })
  return client
}

/** Files whose content is no data of a node. */
const codePattern = /\.(?:pp|epp|erb|rb|rc)$/

function isTypeAlias(path: string): boolean {
  return path.endsWith('.pp') && path.includes('/types/')
}

/** Reads changed files again; the data of the node only if a file changed that it may depend on. */
function handleChanges(code: CodeSession, nodes: NodeSession, paths: readonly string[]): void {
  if (paths.some((path) => path.endsWith('/.puppet-lint.rc'))) code.readSettings()
  // A type alias may convert data.
  if (paths.some((path) => !codePattern.test(path) || isTypeAlias(path))) void nodes.refresh()
  code.change(paths)
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

/** The place of a request. */
function toPlace({ textDocument, position }: TextDocumentPositionParams): PointedPlace {
  return { path: toPath(textDocument.uri) ?? '', position }
}

/** Answers requests whose responses contain data of the chosen node. */
function answerNodeData(connection: Connection, code: CodeSession, nodes: NodeSession): void {
  connection.onCompletion(async (at) => {
    const [workspace, place, values] = [code.workspace, toPlace(at), await nodes.values()]
    if (place.path.endsWith('.erb')) await code.loaded()
    const facts = values && completeFacts(workspace, place, values)
    const found = facts ?? completeDataKeys(workspace, place) ?? completeMetadata(workspace, place)
    return [...(found ?? completeEmbedded(workspace, place) ?? completeAt(workspace, place))]
  })
  connection.onHover(async (at) => describePlace(code.workspace, toPlace(at), await nodes.values()))
  connection.languages.inlayHint.on(async ({ textDocument, range }) => {
    const [workspace, path, values] = [code.workspace, toPath(textDocument.uri) ?? '', await nodes.values()]
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

/** Answers requests about a place in a file. Those about all files wait until the files are read. */
function answerPlaces(connection: Connection, code: CodeSession): void {
  connection.onDefinition(async (at) => {
    const [workspace, place] = [code.workspace, toPlace(at)]
    const named = [...findParameterOfKey(workspace, place), ...findDefinitions(workspace, place)]
    if (named.length > 0) return named
    if (!place.path.endsWith('.erb')) return [...findNamedFile(workspace, place)]
    return findEmbeddedDefinition(await code.loaded(), place)
  })
  connection.onReferences(async (at) => [
    ...findReferences(await code.loaded(), toPlace(at), at.context.includeDeclaration),
  ])
  connection.onDocumentHighlight((at) => [...listHighlights(code.workspace, toPlace(at))])
  connection.onPrepareRename((at) => findRenamable(code.workspace, toPlace(at)))
  connection.onRenameRequest(
    async (at) =>
      renameName(await code.loaded(), toPlace(at), at.newName) ??
      new ResponseError(
        invalidParams,
        `'${at.newName}' is not a valid name of a variable, is used already, or the name cannot be changed`,
      ),
  )
}

/** Answers requests about a file. */
function answerFiles(connection: Connection, code: CodeSession): void {
  const getFile = (uri: string): CodeFile | undefined => {
    const path = toPath(uri)
    return path === undefined || !isCodeFile(path) ? undefined : code.workspace.file(path)
  }
  connection.onDocumentFormatting(({ textDocument }) => formatDocument(getFile(textDocument.uri)))
  connection.onCodeAction(async ({ textDocument, context }) => {
    const settings = await code.lintSettings
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
