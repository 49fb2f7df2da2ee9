import { Worker } from 'node:worker_threads'
import { errorOf } from '../../base/issue.ts'
import { openThreadBridge, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { type Patience, standBack } from '../../base/threads/thread-priority.ts'
import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import type { OutsideWorld } from '../../network/outside/outside-world.ts'
import type { SharedRuby } from '../../ruby/ruby-share.ts'
import { RubyWatch } from '../../ruby/watch.ts'
import { type AskedStore, openStoreBridge } from '../../store/code-questions/store-bridge.ts'
import type { ExportStore } from '../../store/exports/export-store.ts'
import type { FoundExports } from '../../store/exports/found.ts'
import type { RecallOptions } from '../recall/recall.ts'
import type { SharedTexts } from '../request/generated-texts.ts'
import { poolIssues } from './issues.ts'
import type { CompileJob, JobMessage, WorkerAnswer, WorkerData, WorkerMessage } from './job.ts'

/** Start data of a thread, and the limits of its work. */
export interface ThreadOptions {
  /** Seconds that one catalog may take; 0 is no limit. */
  readonly timeout: number
  /** Seconds that one piece of a module's Ruby may take; 0 or none is no limit. */
  readonly rubyTimeout?: number
  /** The thread's script; another than our own only for tests. */
  readonly script: string
  readonly stackSizeMb?: number
  /** The thread's heap in MiB, at most; a fuller heap ends the thread, and fails its job only. */
  readonly heapMb?: number
  /** For each thread a way to ask for blobs that its environments did not load. */
  blobs?(): ThreadBridge
  /** The store of exported resources, for collectors; without it storeconfigs is off. */
  readonly exports?: Pick<ExportStore, 'search' | 'find'> | undefined
  /** The store of nodes, for puppetdb_query(); without it there is no such function. */
  readonly store?: AskedStore | undefined
  /** The way to DNS and HTTP; without it modules' Ruby has no network. */
  readonly outside?: OutsideWorld | undefined
  /** The folder in which answers from outside are kept; none where they are not. */
  readonly answers?: string | undefined
  /** The traces that catalogs are recalled from; none where each is compiled. */
  readonly recall?: RecallOptions | undefined
  /** A file of answers from outside, in place of all who could be asked. */
  readonly inputs?: string | undefined
}

/** State that the threads of a process share. */
export interface SharedByThreads {
  readonly ruby: SharedRuby
  readonly generated: SharedTexts
}

/** A job that a thread does now. */
export interface ThreadWork {
  readonly node: string
  readonly environment: string
  readonly codeId: string | undefined
  /** Milliseconds that the job has taken; of a thread that still starts, 0. */
  readonly ms: number
  /** The call of Ruby that runs: its place in the manifests, which may be empty, and the milliseconds that it has taken. */
  readonly ruby: { readonly place: string; readonly ms: number } | undefined
}

/** Who hears what becomes of a thread and its job. */
export interface ThreadOwner {
  /** The job is answered, in so many milliseconds; the thread can have another one. */
  answered(answer: WorkerAnswer, ms: number): void
  /** The thread is no more, and with it its job, if it had one. */
  lost(why: (job: CompileJob) => Error, ms: number): void
}

/** The young generation of a thread's heap, in MiB at most: V8's own 48 for each thread would be most of a small server. */
const youngMb = 24

/** One thread that compiles, a job at a time; it looks after the time that its job takes. */
export class CompileThread {
  readonly #options: ThreadOptions
  readonly #owner: ThreadOwner
  readonly #worker: Worker
  readonly #watch = new RubyWatch()
  #job: { readonly id: number; readonly job: CompileJob } | undefined
  /** When its job began, by `performance.now()`; a thread that still starts has not begun. */
  #since: number | undefined
  #id: number | undefined
  #ready = false
  #ended = false
  #settings: CompileJob['settings'] | undefined
  #patience: Patience | undefined
  #timer: NodeJS.Timeout | undefined
  #patrol: NodeJS.Timeout | undefined

  constructor(options: ThreadOptions, { ruby, generated }: SharedByThreads, owner: ThreadOwner) {
    this.#options = options
    this.#owner = owner
    const { script, stackSizeMb = 48, heapMb = 2048, exports: store } = options
    const blobs = options.blobs?.()
    const exports = store && openThreadBridge((search: ExportSearch) => foundIn(store, search))
    const nodes = options.store && openStoreBridge(options.store)
    const outside = options.outside?.bridge()
    const bridge = ruby.bridge(this.#watch)
    const texts = generated.bridge()
    this.#worker = new Worker(script, {
      resourceLimits: { stackSizeMb, maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
      workerData: {
        ...{ blobs, exports, ruby: bridge, generated: texts },
        ...{ store: nodes, outside, answers: options.answers, inputs: options.inputs, recall: options.recall },
      } satisfies WorkerData,
      transferList: [blobs, exports, nodes, outside, bridge, texts].flatMap((bridge) => bridge?.port ?? []),
    })
    this.#worker.on('message', (message: WorkerMessage) => this.#hear(message))
    this.#worker.on('error', (error) => this.#crash(error.message))
    this.#worker.on('exit', (code) => this.#crash(`exit code ${code}`))
    this.#worker.unref()
  }

  /** Milliseconds that its job has taken. */
  get spent(): number {
    return this.#since === undefined ? 0 : performance.now() - this.#since
  }

  /** Its job, as far as it is; none of an idle thread. */
  work(): ThreadWork | undefined {
    if (!this.#job) return undefined
    const { node, environment, codeId } = this.#job.job
    const run = this.#watch.running()
    return {
      node: node.name,
      environment: environment.name,
      codeId,
      ms: this.spent,
      ruby: run && { place: run.place, ms: Date.now() - run.since },
    }
  }

  /** Begins a job. Throws what cannot be sent to a thread. */
  begin(id: number, job: CompileJob): void {
    this.#job = { id, job }
    this.#worker.ref() // who waits for a catalog does not end before it comes
    this.#time()
    this.#lookAfterRuby()
    try {
      const { settings, ...rest } = job
      const isKnown = settings === this.#settings
      this.#worker.postMessage({ id, job: rest, ...(!isKnown && { settings }) } satisfies JobMessage)
      this.#settings = settings
    } catch (error) {
      this.#done()
      throw error
    }
  }

  /** Stands back behind threads in a hurry, where the system can tell threads apart; it stays so. */
  standBack(as: Patience = 'patient'): void {
    this.#patience = as
    if (this.#id !== undefined) standBack(as, this.#id)
  }

  /** Ends it, whatever it does; the owner does not hear of it. */
  end(): Promise<number> {
    this.#ended = true
    this.#done()
    return this.#worker.terminate()
  }

  #hear(message: WorkerMessage): void {
    if (this.#ended) return
    if (message.kind === 'ready') {
      this.#ready = true
      this.#id = message.thread
      if (this.#patience) this.standBack(this.#patience)
      this.#time()
    } else if (message.id === this.#job?.id) {
      const ms = this.spent
      this.#done()
      this.#owner.answered(message, ms)
    }
  }

  /** Begins to count the time of a job; that of a thread that still starts is not the catalog's. */
  #time(): void {
    const { timeout } = this.#options
    if (!this.#job || !this.#ready) return
    this.#since = performance.now()
    if (timeout <= 0 || !Number.isFinite(timeout)) return
    const expire = () =>
      this.#lose(({ node, environment }) =>
        errorOf(poolIssues.COMPILE_TIMEOUT, { node: node.name, environment: environment.name, seconds: timeout }),
      )
    this.#timer = setTimeout(expire, timeout * 1000)
  }

  /** Ends a thread whose Ruby takes too long. */
  #lookAfterRuby(): void {
    const { rubyTimeout: seconds = 0 } = this.#options
    this.#watch.end()
    if (seconds <= 0 || !Number.isFinite(seconds)) return
    const look = () => {
      const run = this.#watch.running()
      if (run === undefined || Date.now() - run.since < seconds * 1000) return
      this.#lose(({ node }) => errorOf(poolIssues.COMPILE_RUBY_TIMEOUT, { node: node.name, seconds, place: run.place }))
    }
    this.#patrol = setInterval(look, Math.min(1000, seconds * 250)).unref()
  }

  #crash(reason: string): void {
    this.#lose(({ node, environment }) =>
      errorOf(poolIssues.COMPILE_CRASHED, { node: node.name, environment: environment.name, reason }),
    )
  }

  /** Gives up the thread, which cannot be asked to stop. */
  #lose(why: (job: CompileJob) => Error): void {
    if (this.#ended) return
    const ms = this.spent
    void this.end()
    this.#owner.lost(why, ms)
  }

  #done(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#patrol)
    this.#job = undefined
    this.#since = undefined
    this.#worker.unref()
  }
}

/** The answer of a store: text where the thread that asked is to read it. */
async function foundIn(
  store: Pick<ExportStore, 'search' | 'find'>,
  search: ExportSearch,
): Promise<FoundExports | readonly ExportedResource[]> {
  return store.find ? store.find(search) : store.search(search)
}
