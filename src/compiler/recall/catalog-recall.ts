import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { isMissingFileError } from '../../base/system-error.ts'
import type { TraceStep } from '../../ruby/trace/trace-step.ts'
import type { Reads } from '../reads/compilation-reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { type AnswerCache, AnswerCaches, areAnswersUnchanged } from './answer-cache.ts'
import { createCompilationRecorder } from './compilation-recorder.ts'
import { areTracesDisabled, disableTraces, writeDifferentCatalogs } from './disabled-traces.ts'
import { type AnswerContext, createAnswerContext, isCodeQuestion } from './recall-questions.ts'
import { pruneTraces } from './stored-traces.ts'
import {
  readStepGroups,
  readTraceCatalog,
  readTraceHead,
  readTraceState,
  type TraceHead,
  writeTrace,
} from './trace-file.ts'
import { computeTraceKey } from './trace-key.ts'
import type { CatalogSummary, CatalogTrace, TracedCatalog } from './traced-catalog.ts'

/** Options for recalling catalogs. */
export interface RecallOptions {
  /** Folder of traces; it contains a folder for each environment, with a file for each node. */
  readonly folder: string
  /** Every `checkEvery`-th recalled catalog is compiled again and compared; 0 to compare none. */
  readonly checkEvery: number
  /** Encryption key for traces, 32 bytes; traces written with another key are ignored. */
  readonly key: Uint8Array
  /** Plumbline's version; traces of other versions are ignored. */
  readonly version: string
}

/** Number of traces written between two checks of the total size. */
const pruneEvery = 500

/** File suffix of a trace recorded in advance for code that is not served yet. */
const ahead = '-ahead'

/** A trace that is held in memory, with its catalog. */
interface Held {
  readonly head: TraceHead
  readonly catalog: TracedCatalog
}

/** A trace that is being recorded; it is stored when its catalog is complete. */
export interface Recording {
  readonly reads: Reads
  /** Stores the trace with the catalog, unless the compilation cannot be recalled. */
  keep(catalog: TracedCatalog): void
}

/**
 * Catalogs of earlier compilations. A catalog is valid as long as all inputs that its compilation read are unchanged.
 */
export class Recall {
  readonly #options: RecallOptions
  readonly #held = new LRUCache<string, Held>({
    maxSize: budgets.environment.tracesInMemory.bound,
    sizeCalculation: estimateTraceSize,
  })
  readonly #answers = new AnswerCaches()
  #recalled = 0
  #kept = 0

  constructor(options: RecallOptions) {
    this.#options = options
  }

  /** Finds an earlier catalog that a compilation of this request would produce again. */
  find(request: CompileRequest): TracedCatalog | undefined {
    const asked = this.#asked([request])
    for (const path of this.#listPaths(request)) {
      const head = this.#headAt(path, asked)
      const held = this.#held.get(path)
      if (head && held?.head === head) return held.catalog
      const catalog = head && readTraceCatalog(head, this.#options.key)
      if (!catalog) continue
      this.#held.set(path, { head, catalog })
      return catalog
    }
    return undefined
  }

  /** Finds an earlier catalog that a compilation of each of these requests would produce again; returns its summary. */
  findSame(...requests: readonly [CompileRequest, ...CompileRequest[]]): CatalogSummary | undefined {
    const asked = this.#asked(requests)
    for (const path of this.#listPaths(requests[0])) {
      const head = this.#headAt(path, asked)
      if (head) return head.summary
    }
    return undefined
  }

  /** Makes a trace that was recorded in advance the current trace of the node, because its code is now served. */
  arrived(request: CompileRequest, catalog: TracedCatalog): void {
    const path = this.#getPath(request)
    const held = path !== undefined && this.#held.get(`${path}${ahead}`)
    if (!held || held.catalog !== catalog) return
    try {
      renameSync(`${path}${ahead}`, path)
    } catch (error) {
      // Another thread has already moved the file.
      if (!isMissingFileError(error)) throw error
    }
    this.#held.delete(`${path}${ahead}`)
    this.#held.set(path, { head: { ...held.head, path }, catalog })
  }

  /** Returns true if the current recalled catalog must be compiled again and compared. */
  isToBeChecked(): boolean {
    const { checkEvery } = this.#options
    this.#recalled++
    return checkEvery > 0 && this.#recalled % checkEvery === 0
  }

  /**
   * Starts recording a compilation; returns `undefined` if the compilation cannot be recalled. With `isAhead`, the new
   * trace does not replace the trace of the served code. `beforeRead` is called before every read.
   */
  record(request: CompileRequest, isAhead = false, beforeRead?: () => void): Recording | undefined {
    const own = this.#getPath(request)
    const path = own !== undefined && isAhead ? `${own}${ahead}` : own
    if (path === undefined || areTracesDisabled(this.#getFolder(request))) return undefined
    const key = computeTraceKey(request, this.#options.version)
    const notes = createCompilationRecorder(request, createAnswerContext(request), beforeRead)
    return {
      reads: notes.reads,
      keep: (catalog) => {
        const steps = notes.steps()
        if (!steps) return
        const hasCodeQuestion = ({ question }: TraceStep) => isCodeQuestion(question, request)
        this.#keep(path, {
          key,
          own: steps.filter((each) => !hasCodeQuestion(each)),
          code: steps.filter(hasCodeQuestion),
          catalog,
        })
      },
    }
  }

  /**
   * Compares a recalled catalog with the compiled catalog. If they differ, returns a message, writes both catalogs to
   * the folder of the traces, and disables recall for the environment until an operator enables it again.
   */
  check(request: CompileRequest, recalled: Uint8Array, compiled: Uint8Array): string | undefined {
    if (Buffer.compare(recalled, compiled) === 0) return undefined
    const { node, environment } = request
    const folder = this.#getFolder(request)
    const message =
      `The recalled catalog of ${node.name} differs from the compiled catalog: both are in ${folder}. ` +
      `Traces of environment ${environment.name} are off until you run \`plumb code traces --on ${environment.name}\`.`
    disableTraces(folder, message)
    writeDifferentCatalogs(folder, node.name, { recalled, compiled })
    this.#held.clear()
    return message
  }

  #asked(requests: readonly CompileRequest[]): Asked {
    return {
      keys: requests.map((each) => computeTraceKey(each, this.#options.version)),
      wanted: requests.map(createAnswerContext),
      known: this.#answers.of(requests.map(({ environment }) => environment)),
    }
  }

  /** Returns the head of the trace in this file; `undefined` unless the trace is valid for all requests. */
  #headAt(path: string, asked: Asked): TraceHead | undefined {
    const held = this.#held.get(path)
    if (held && this.#holds(held.head, asked)) return held.head
    if (held && held.head.state === readTraceState(path)) return undefined
    const head = readTraceHead(path, this.#options.key)
    return head && this.#holds(head, asked) ? head : undefined
  }

  /** Returns true if all answers in the trace are unchanged. */
  #holds(head: TraceHead, { keys, wanted, known }: Asked): boolean {
    if (keys.some((key) => key !== head.key)) return false
    if (!areAnswersUnchanged(head.own, wanted)) return false
    let read: ReturnType<typeof readStepGroups>
    return head.groups.every((name) => {
      const holds = known.groupHolds(name)
      if (holds !== undefined) return holds
      read ??= readStepGroups(head, this.#options.key)
      return read !== undefined && known.hold(name, read.of(name), wanted)
    })
  }

  #keep(path: string, trace: CatalogTrace): void {
    const head = writeTrace(path, trace, this.#options.key)
    if (this.#kept++ % pruneEvery === 0) void pruneTraces(this.#options.folder)
    this.#held.set(path, { head, catalog: trace.catalog })
  }

  /** Returns the files that may contain a trace for the request; empty if recall is disabled. */
  #listPaths(request: CompileRequest): readonly string[] {
    const path = this.#getPath(request)
    return path === undefined || areTracesDisabled(this.#getFolder(request)) ? [] : [path, `${path}${ahead}`]
  }

  /** Returns the path of the trace; `undefined` for code in a plain folder, which can change during the compilation. */
  #getPath({ environment, node }: CompileRequest): string | undefined {
    if (environment.tree.codeId === undefined || !/^[\w.-]+$/.test(node.name)) return undefined
    return join(this.#options.folder, environment.name, `${node.name}.trace`)
  }

  #getFolder({ environment }: CompileRequest): string {
    return join(this.#options.folder, environment.name)
  }
}

/** One or more requests whose catalogs must all be identical to the catalog of a trace. */
interface Asked {
  readonly keys: readonly string[]
  readonly wanted: readonly AnswerContext[]
  readonly known: AnswerCache
}

/**
 * Returns the approximate size of a trace in memory, in bytes. The compressed form of a catalog takes up to a quarter
 * of the size of its text.
 */
function estimateTraceSize({ head: { own, groups }, catalog: { text, stored } }: Held): number {
  return Math.ceil(text.rest.length * 1.25) + (stored?.length ?? 0) + own.length * 300 + groups.length * 100 + 4096
}
