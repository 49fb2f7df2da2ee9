import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import {
  createConnection,
  createProtocolConnection,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { openPuppetfileCheck } from '../../../src/cli/language-server/puppetfile-check.ts'
import { createTestRequest } from '../../../src/cli/test/test-request.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { type RunningLanguageServer, serveLanguage } from '../../../src/workbench/language-server/language-server.ts'
import type { NodeChoice } from '../../../src/workbench/language-server/node-data/chosen-node.ts'
import type { NodeServices } from '../../../src/workbench/language-server/node-data/node-session.ts'
import { openTestCode } from '../../../src/workbench/manifest-tests/test-code.ts'

/** A place in a document: the position of `|` in a text. */
export interface Marked {
  readonly text: string
  readonly position: { readonly line: number; readonly character: number }
}

/** Reads the position of `‸` in a text, and removes it. */
export function readMark(marked: string): Marked {
  const at = marked.indexOf('‸')
  const before = marked.slice(0, at).split('\n')
  const position = { line: before.length - 1, character: before.at(-1)!.length }
  return { text: marked.slice(0, at) + marked.slice(at + 1), position }
}

function createNodes(choice: NodeChoice): NodeServices {
  const settings = loadSettings({ given: {}, runMode: 'user' })
  const createRequest = createTestRequest(settings)
  return {
    ...{ choice, gemFolders: [] },
    createRequest: (node, environment) => createRequest({ ...node, certname: node.name }, environment),
    openCode: (root) => openTestCode(root, [], settings),
  }
}

/** An editor that speaks the protocol with a server in the same process. */
export class Editor {
  readonly #root: string
  readonly #server: RunningLanguageServer
  readonly #puppetfiles = openPuppetfileCheck()
  readonly #connection: ProtocolConnection
  readonly #diagnostics = new Map<string, PublishDiagnosticsParams>()
  readonly #versions = new Map<string, number>()

  constructor(root: string, modulepath: readonly string[] = [], choice: NodeChoice = {}) {
    this.#root = root
    const [toServer, toClient] = [new PassThrough(), new PassThrough()]
    const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient))
    const nodes = createNodes(choice)
    const checkPuppetfile = this.#puppetfiles.check
    this.#server = serveLanguage(server, { version: '1', root: '/nonexistent', modulepath, nodes, checkPuppetfile })
    this.#connection = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer))
    this.#connection.onNotification('textDocument/publishDiagnostics', (given: PublishDiagnosticsParams) => {
      this.#diagnostics.set(given.uri, given)
    })
    this.#connection.listen()
  }

  async start(initializationOptions?: unknown): Promise<unknown> {
    const root = pathToFileURL(this.#root).href
    return this.ask('initialize', {
      ...{
        initializationOptions,
        processId: null,
        rootUri: root,
        capabilities: {},
        workspaceFolders: [{ uri: root, name: 'code' }],
      },
    })
  }

  uri(path: string): string {
    return pathToFileURL(join(this.#root, path)).href
  }

  /** Sends a request. */
  ask<Result>(method: string, parameters: object): Promise<Result> {
    return this.#connection.sendRequest(method, parameters)
  }

  /** Sends a notification. */
  tell(method: string, parameters: object): Promise<void> {
    return this.#connection.sendNotification(method, parameters)
  }

  /** Opens a document, or replaces its text. */
  async type(path: string, text: string): Promise<void> {
    const uri = this.uri(path)
    const version = (this.#versions.get(path) ?? 0) + 1
    this.#versions.set(path, version)
    if (version === 1)
      await this.#connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'puppet', version, text },
      })
    else
      await this.#connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      })
  }

  async close(path: string): Promise<void> {
    this.#versions.delete(path)
    await this.#connection.sendNotification('textDocument/didClose', { textDocument: { uri: this.uri(path) } })
  }

  /** Types a text with a mark, and asks about the place of the mark. */
  async askAt<Result>(method: string, path: string, marked: string, more: object = {}): Promise<Result> {
    const { text, position } = readMark(marked)
    await this.type(path, text)
    return this.ask(method, { textDocument: { uri: this.uri(path) }, position, ...more })
  }

  /** The last diagnostics of a document. */
  diagnosticsOf(path: string): PublishDiagnosticsParams | undefined {
    return this.#diagnostics.get(this.uri(path))
  }

  end(): void {
    void this.#server.close()
    void this.#puppetfiles.close()
    this.#connection.end()
    this.#connection.dispose()
  }
}

/** Writes files below a folder. */
export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
