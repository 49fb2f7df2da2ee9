import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets.ts'
import { isMissing } from '../../base/system-error.ts'
import type { CompileEnvironment } from '../../environments/compile-environment.ts'
import { Recorder } from '../../trace/recorder.ts'
import { type Step, shortened } from '../../trace/step.ts'
import { Reads } from '../reads/reads.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import type { CatalogTrace, KeptCatalog } from './kept-catalog.ts'
import { pruneTraces } from './kept-traces.ts'
import { isOfCode, questions, type Wanted, wantedOf } from './questions.ts'
import { readTrace, traceState, writeTrace } from './trace-file.ts'
import { traceKey } from './trace-key.ts'
import { isOff, turnOff, writeDifferent } from './traces-off.ts'

/** The folder of traces, and the share of recalled catalogs that is compiled again. */
export interface RecallOptions {
  /** A folder for each environment, in it a file for each node. */
  readonly folder: string
  /** One of so many recalled catalogs is compiled again and compared; 0 for none. */
  readonly checkEvery: number
  /** The key under which traces are written, 32 bytes; those of another one are none. */
  readonly key: Uint8Array
  /** Our own version: what another one compiled is compiled again. */
  readonly version: string
}

/** Traces that are written between two looks at how much all of them take. */
const pruneEvery = 500

/** The ending of the file of a trace that was made ahead, of code that may be served one day. */
const ahead = '-ahead'

/** A trace in memory, with the environments in which all of its questions about code are known to be answered alike. */
interface Held {
  readonly trace: CatalogTrace
  readonly state: string | undefined
  readonly holdsIn: WeakSet<CompileEnvironment>
}

/** A compilation's notes, which can be kept once its catalog is made. */
export interface Recording {
  readonly reads: Reads
  /** Keeps the catalog, where nothing spoke against it. */
  keep(catalog: KeptCatalog): void
}

/** The catalogs of earlier compilations, each good for as long as all that it read is as it was. */
export class Recall {
  readonly #options: RecallOptions
  readonly #held = new LRUCache<string, Held>({
    maxSize: budgets.environment.tracesInMemory.bound,
    sizeCalculation: ({ trace }) => sizeOf(trace),
  })
  readonly #known = new WeakMap<
    CompileEnvironment,
    { readonly others: readonly WeakRef<CompileEnvironment>[]; readonly answers: Answers }
  >()
  #recalled = 0
  #kept = 0

  constructor(options: RecallOptions) {
    this.#options = options
  }

  /** The catalog of an earlier compilation that each of these would make again. */
  find(...requests: readonly [CompileRequest, ...CompileRequest[]]): KeptCatalog | undefined {
    const path = this.#pathOf(requests[0])
    if (path === undefined || isOff(this.#folderOf(requests[0]))) return undefined
    const asked: Asked = {
      keys: requests.map((each) => traceKey(each, this.#options.version)),
      wanted: requests.map(wantedOf),
      // Of one node after the other it is asked what a push does to them: most of their questions are the same.
      known: requests.length > 1 ? this.#knownIn(requests.map(({ environment }) => environment)) : undefined,
    }
    return this.#findAt(path, asked) ?? this.#findAt(`${path}${ahead}`, asked)
  }

  /** Makes the trace that was made ahead the node's own: its code is served now. */
  arrived(request: CompileRequest, catalog: KeptCatalog): void {
    const path = this.#pathOf(request)
    const held = path !== undefined && this.#held.get(`${path}${ahead}`)
    if (!held || held.trace.catalog !== catalog) return
    try {
      renameSync(`${path}${ahead}`, path)
    } catch (error) {
      // Another thread was first.
      if (!isMissing(error)) throw error
    }
    this.#held.delete(`${path}${ahead}`)
    this.#held.set(path, held)
  }

  /** True for a recalled catalog that is to be compiled again and compared. */
  isToBeChecked(): boolean {
    const { checkEvery } = this.#options
    this.#recalled++
    return checkEvery > 0 && this.#recalled % checkEvery === 0
  }

  /**
   * Notes for a compilation; `undefined` for one that is not to be recalled. One that is made ahead leaves alone the trace
   * of the code that is served.
   */
  record(request: CompileRequest, isAhead = false): Recording | undefined {
    const own = this.#pathOf(request)
    const path = own !== undefined && isAhead ? `${own}${ahead}` : own
    if (path === undefined || isOff(this.#folderOf(request))) return undefined
    const key = traceKey(request, this.#options.version)
    const wanted = wantedOf(request)
    const recorder = new Recorder(() => undefined)
    const reads = new Reads(request.environment, (kind, args, given) => {
      const answer = given ?? questions[kind]!.answer(wanted, args)
      recorder.asked({ kind, args }, questions[kind], answer)
    })
    return {
      reads,
      keep: (catalog) => {
        if (reads.spoilt !== undefined || recorder.spoilt !== undefined) return
        this.#keep(path, { key, steps: recorder.steps, catalog }, request.environment)
      },
    }
  }

  /**
   * The message about a recalled catalog that is not the one that was compiled; none where they are equal. Both are
   * written beside the traces then, and nothing of the environment is recalled until somebody says so.
   */
  check(request: CompileRequest, recalled: Uint8Array, compiled: Uint8Array): string | undefined {
    if (Buffer.compare(recalled, compiled) === 0) return undefined
    const { node, environment } = request
    const folder = this.#folderOf(request)
    const message =
      `The catalog of ${node.name} that was recalled is not the one that was compiled: both are in ${folder}. ` +
      `No catalog of environment ${environment.name} is recalled until \`plumb code traces --on ${environment.name}\`.`
    turnOff(folder, message)
    writeDifferent(folder, node.name, { recalled, compiled })
    this.#held.clear()
    return message
  }

  /** Answers about code that were asked of these environments together. */
  #knownIn(environments: readonly CompileEnvironment[]): Answers {
    const [last, ...others] = environments as readonly [CompileEnvironment, ...CompileEnvironment[]]
    const known = this.#known.get(last)
    if (known && others.every((each, index) => known.others[index]?.deref() === each)) return known.answers
    const answers = noAnswers()
    this.#known.set(last, { others: others.map((each) => new WeakRef(each)), answers })
    return answers
  }

  #findAt(path: string, asked: Asked): KeptCatalog | undefined {
    const held = this.#held.get(path)
    if (held && holds(held, asked)) return held.trace.catalog
    const state = traceState(path)
    if (state === undefined || state === held?.state) return undefined
    const trace = readTrace(path, this.#options.key)
    if (!trace) return undefined
    const read: Held = { trace, state, holdsIn: new WeakSet() }
    // Of nodes that are only asked about there are too many to hold.
    if (!asked.known) this.#held.set(path, read)
    return holds(read, asked) ? trace.catalog : undefined
  }

  #keep(path: string, trace: CatalogTrace, environment: CompileEnvironment): void {
    writeTrace(path, trace, this.#options.key)
    if (this.#kept++ % pruneEvery === 0) void pruneTraces(this.#options.folder)
    this.#held.set(path, { trace, state: traceState(path), holdsIn: new WeakSet([environment]) })
  }

  /** None for code in a folder, which changes under our hands. */
  #pathOf({ environment, node }: CompileRequest): string | undefined {
    if (environment.tree.codeId === undefined || !/^[\w.-]+$/.test(node.name)) return undefined
    return join(this.#options.folder, environment.name, `${node.name}.trace`)
  }

  #folderOf({ environment }: CompileRequest): string {
    return join(this.#options.folder, environment.name)
  }
}

/** Answers to questions about code, by kind and arguments, part by part. */
interface Answers {
  parts: Map<string, Answers> | undefined
  /** Empty at first; `undefined` where environments differ, or there is none. */
  answer: string | undefined | typeof unasked
}

const unasked = Symbol('unasked')

function noAnswers(): Answers {
  return { parts: undefined, answer: unasked }
}

/** Catalogs that are asked for, one or more that are to be the same. */
interface Asked {
  readonly keys: readonly string[]
  readonly wanted: readonly Wanted[]
  readonly known: Answers | undefined
}

/** True where all that a compilation asked is answered as it was. */
function holds({ trace, holdsIn }: Held, { keys, wanted, known }: Asked): boolean {
  if (keys.some((key) => key !== trace.key)) return false
  const environments = wanted.map(({ request }) => request.environment)
  const isKnown = environments.every((each) => holdsIn.has(each))
  for (const { question, answer } of trace.steps) {
    const ofCode = isOfCode(question.kind)
    if (isKnown && ofCode) continue
    const now = known && ofCode ? answerIn(known, question, wanted) : answerTo(question, wanted)
    if (now !== answer) return false
  }
  for (const each of environments) holdsIn.add(each)
  return true
}

function answerIn(known: Answers, question: Step['question'], wanted: readonly Wanted[]): string | undefined {
  let place = partOf(known, question.kind)
  for (const part of question.args) place = partOf(place, String(part))
  if (place.answer === unasked) place.answer = answerTo(question, wanted)
  return place.answer
}

function partOf(whole: Answers, part: string): Answers {
  whole.parts ??= new Map()
  const found = whole.parts.get(part) ?? noAnswers()
  if (found.parts === undefined && found.answer === unasked) whole.parts.set(part, found)
  return found
}

/** The answer as traces have it, the same for all that are wanted; `undefined` where there is none. */
function answerTo({ kind, args }: Step['question'], wanted: readonly Wanted[]): string | undefined {
  const [first, ...others] = wanted.map((each) => questions[kind]?.answer(each, args))
  return first === undefined || others.some((each) => each !== first) ? undefined : shortened(first)
}

function sizeOf({ steps, catalog: { text, stored } }: CatalogTrace): number {
  return text.rest.length + (stored?.length ?? 0) + steps.length * 300 + 4096
}
