import { setTimeout } from 'node:timers/promises'
import { budgets } from '../../base/budgets/budgets.ts'
import { runCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { CodeWorkspace } from '../code-index/code-workspace.ts'
import type { LintSettings } from '../lint/options/lint-settings.ts'
import { readLintSettings } from './lint-problems.ts'
import type { SemanticChoice } from './semantic-choice.ts'

/** Largest number of changed files that are noted one by one; for more, all files are listed again. */
const mostSingleChanges = 50
/** Files that decide where modules are. */
const structuralPattern = /\/(?:metadata\.json|environment\.conf)$/

/** Notifications of work in the background. */
export interface CodeEvents {
  /** All changed files were read. */
  updated(): void
  /** Reading files failed; the next change reads them again. */
  failed(error: unknown): void
}

/** The code of the folder that an editor opened, and its settings. */
export class CodeSession {
  readonly #modulepath: readonly string[]
  readonly #events: CodeEvents
  #workspace: CodeWorkspace
  #choice: SemanticChoice = 'errors'
  #lintSettings: Promise<LintSettings>
  #running: Promise<void> | undefined
  #isUpdateWanted = false
  #isClosed = false

  constructor(root: string, modulepath: readonly string[], events: CodeEvents) {
    this.#modulepath = modulepath
    this.#events = events
    this.#workspace = this.#createWorkspace(root)
    this.#lintSettings = readLintSettings(root, this.#choice)
  }

  get workspace(): CodeWorkspace {
    return this.#workspace
  }

  get lintSettings(): Promise<LintSettings> {
    return this.#lintSettings
  }

  /** Opens another folder, and begins to read its files. */
  open(root: string, choice: SemanticChoice | undefined): void {
    this.#workspace = this.#createWorkspace(root)
    this.#choice = choice ?? this.#choice
    this.readSettings()
    this.#update()
  }

  /** Changes which semantic problems are shown. */
  choose(choice: SemanticChoice): void {
    this.#choice = choice
    this.readSettings()
    this.#events.updated()
  }

  /** Reads the settings of the linter again. */
  readSettings(): void {
    this.#lintSettings = readLintSettings(this.#workspace.root, this.#choice)
  }

  /** Resolves when all files have been read once. */
  async loaded(): Promise<CodeWorkspace> {
    while (!this.#workspace.index.isLoaded) await this.#startUpdate()
    return this.#workspace
  }

  /** Notes files that were created, changed or deleted. */
  change(paths: readonly string[]): void {
    if (paths.length > mostSingleChanges || paths.some((path) => structuralPattern.test(path))) {
      this.#workspace.refresh()
      this.#update()
    } else {
      for (const path of paths) this.#workspace.change(path)
      this.#events.updated()
    }
  }

  /** Searches all files for changes, since the editor does not report them. */
  searchChanges(): void {
    this.#update()
  }

  close(): void {
    this.#isClosed = true
  }

  #update(): void {
    this.#isUpdateWanted = true
    this.#startUpdate().catch(this.#events.failed)
  }

  #startUpdate(): Promise<void> {
    this.#running ??= this.#runUpdates().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #runUpdates(): Promise<void> {
    do {
      this.#isUpdateWanted = false
      const { index } = this.#workspace
      const work = this.#whileOpen(index.update())
      await (index.isLoaded ? runInBackground(work) : runCooperatively(work))
      if (!this.#isClosed) this.#events.updated()
    } while (this.#isUpdateWanted && !this.#isClosed)
  }

  *#whileOpen(work: Generator<void>): Generator<void> {
    while (!this.#isClosed && work.next().done !== true) yield
  }

  #createWorkspace(root: string): CodeWorkspace {
    return new CodeWorkspace(root, {
      modulepath: this.#modulepath,
      parsedFiles: budgets.workbench.editedFiles.bound,
    })
  }
}

/** Milliseconds of work between two pauses, and of a pause. */
const [workMs, pauseMs] = [2, 5]

/** Runs a generator in slices of a few milliseconds, with pauses for other requests. */
async function runInBackground(work: Generator<void>): Promise<void> {
  for (let start = performance.now(); work.next().done !== true; ) {
    if (performance.now() - start < workMs) continue
    await setTimeout(pauseMs)
    start = performance.now()
  }
}
