import type { Connection, Diagnostic, TextDocuments } from 'vscode-languageserver'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { toPath } from './positions.ts'

/** Publishes diagnostics of a document, until its text changes. */
export interface DocumentCheck {
  /** False after the text changed or the document was closed. */
  isCurrent(): boolean
  publish(diagnostics: readonly Diagnostic[]): Promise<void>
}

/** Effects of changes to documents. */
export interface DocumentEvents {
  /** Sets the text of an open file; undefined after it was closed. */
  setText(path: string, text: string | undefined): void
  /** Publishes the diagnostics of a file. */
  check(path: string, check: DocumentCheck): Promise<void>
  saved(path: string): void
  /** Reports the error of a check; the documents remain open. */
  failed(error: unknown): void
}

/** Milliseconds after the last change until a document is checked. */
const checkDelayMs = 100

/** Keeps the texts of open documents, and publishes their diagnostics shortly after each change. */
export class OpenDocuments {
  readonly #connection: Connection
  readonly #documents: TextDocuments<TextDocument>
  readonly #events: DocumentEvents
  readonly #timers = new Map<string, NodeJS.Timeout>()
  /** The number of the last check of each open document. */
  readonly #checks = new Map<string, number>()
  #lastCheck = 0

  constructor(connection: Connection, documents: TextDocuments<TextDocument>, events: DocumentEvents) {
    this.#connection = connection
    this.#documents = documents
    this.#events = events
    documents.onDidChangeContent(({ document }) => {
      const path = toPath(document.uri)
      if (path === undefined) return
      events.setText(path, document.getText())
      this.#schedule(document.uri)
    })
    documents.onDidClose(({ document }) => {
      const path = toPath(document.uri)
      if (path === undefined) return
      this.#cancel(document.uri)
      events.setText(path, undefined)
      void this.#send(document.uri, [])
    })
    documents.onDidSave(({ document }) => {
      const path = toPath(document.uri)
      if (path !== undefined) events.saved(path)
    })
  }

  /** Checks all open documents again, after other files or settings changed. */
  checkAll(): void {
    for (const uri of this.#documents.keys()) this.#schedule(uri)
  }

  close(): void {
    for (const uri of [...this.#timers.keys(), ...this.#checks.keys()]) this.#cancel(uri)
  }

  #cancel(uri: string): void {
    clearTimeout(this.#timers.get(uri))
    this.#timers.delete(uri)
    this.#checks.delete(uri)
  }

  #schedule(uri: string): void {
    this.#cancel(uri)
    this.#timers.set(
      uri,
      setTimeout(() => this.#check(uri).catch(this.#events.failed), checkDelayMs),
    )
  }

  async #check(uri: string): Promise<void> {
    const number = ++this.#lastCheck
    this.#checks.set(uri, number)
    const isCurrent = () => this.#checks.get(uri) === number
    const publish = async (diagnostics: readonly Diagnostic[]) => {
      if (isCurrent()) await this.#send(uri, diagnostics)
    }
    await this.#events.check(toPath(uri) ?? '', { isCurrent, publish })
  }

  async #send(uri: string, diagnostics: readonly Diagnostic[]): Promise<void> {
    try {
      await this.#connection.sendDiagnostics({ uri, diagnostics: [...diagnostics] })
    } catch {
      // A closed connection receives nothing.
    }
  }
}
