import type { Worker } from 'node:worker_threads'
import { createPuppetError } from '../../base/issue.ts'
import { startThread } from '../../base/program/script-thread.ts'
import { PauseSwitch } from '../../base/threads/pause-switch.ts'
import { openThreadBridge, type ThreadBridge } from '../../base/threads/thread-bridge.ts'
import { lowerThreadPriority, type PriorityLevel } from '../../base/threads/thread-priority.ts'
import type { ExportedResource, ExportSearch } from '../../model/exported-resource.ts'
import type { OutsideRequests } from '../../network/outside/outside-requests.ts'
import { RubyWatch } from '../../ruby/run-watch.ts'
import type { SharedRuby } from '../../ruby/worker-share.ts'
import { openStoreBridge, type QueryableStore } from '../../store/code-questions/store-bridge.ts'
import type { ExportStore } from '../../store/exports/export-store.ts'
import type { FoundExports } from '../../store/exports/found-exports.ts'
import type { RecallOptions } from '../recall/catalog-recall.ts'
import type { SharedGeneratorCache } from '../request/generator-cache.ts'
import type { CompileJob, JobMessage, WorkerAnswer, WorkerData, WorkerMessage } from './compile-job.ts'
import { poolIssues } from './issues.ts'

/** Options of a thread, and limits for its jobs. */
export interface ThreadOptions {
  /** Time limit in seconds for one catalog; 0 means no limit. */
  readonly timeout: number
  /** Time limit in seconds for one call of Ruby code in a module; 0 or undefined means no limit. */
  readonly rubyTimeout?: number
  /** Path of the thread's script; only tests use another script. */
  readonly script: string
  readonly stackSizeMb?: number
  /** Largest heap of the thread in MiB. If the heap grows larger, the thread ends, and only its current job fails. */
  readonly heapMb?: number
  /** Opens a bridge through which a thread reads blobs that its environments have not loaded. */
  blobs?(): ThreadBridge
  /** The store of exported resources, for collectors; `undefined` without storeconfigs. */
  readonly exports?: Pick<ExportStore, 'search' | 'find'> | undefined
  /** The store that puppetdb_query() queries; without a store, the function does not exist. */
  readonly store?: QueryableStore | undefined
  /** Access to DNS and HTTP for Ruby code in modules; if undefined, the code has no network access. */
  readonly outside?: OutsideRequests | undefined
  /** Folder in which results of external queries are stored; `undefined` to store no results. */
  readonly answers?: string | undefined
  /** Options for recalling catalogs from traces; if `undefined`, every catalog is compiled. */
  readonly recall?: RecallOptions | undefined
  /** Path of a file with recorded results, which are used instead of all external queries. */
  readonly inputs?: string | undefined
}

/** State that all threads of a process share. */
export interface SharedThreadState {
  readonly ruby: SharedRuby
  readonly generated: SharedGeneratorCache
}

/** The current job of a thread. */
export interface ThreadWork {
  readonly node: string
  readonly environment: string
  readonly codeId: string | undefined
  /** Milliseconds spent on the job so far; 0 while the thread starts. */
  readonly ms: number
  /**
   * The current call of Ruby code: its location in the manifests, which may be empty, and its duration so far in
   * milliseconds.
   */
  readonly ruby: { readonly place: string; readonly ms: number } | undefined
}

/** Receives the results of a thread. */
export interface ThreadOwner {
  /** Called with the reply to a job and its duration in milliseconds; the thread is idle then. */
  answered(answer: WorkerAnswer, ms: number): void
  /** Called when the thread has ended unexpectedly; its current job, if any, has failed. */
  lost(why: (job: CompileJob) => Error, ms: number): void
}

/**
 * Size of the young generation of a thread's heap in MiB. With V8's default of 48, the threads would use most of the
 * memory of a small server.
 */
const youngMb = 24

/** A thread that compiles one job at a time, with enforcement of the job's time limits. */
export class CompileThread {
  readonly #options: ThreadOptions
  readonly #owner: ThreadOwner
  readonly #worker: Worker
  readonly #watch = new RubyWatch()
  readonly #pause = new PauseSwitch()
  #job: { readonly id: number; readonly job: CompileJob } | undefined
  /** Start of the job (`performance.now()`), later by the length of its pauses; `undefined` while the thread starts. */
  #since: number | undefined
  /** Start of the current pause. */
  #pausedAt: number | undefined
  #id: number | undefined
  #ready = false
  #ended = false
  #settings: CompileJob['settings'] | undefined
  #patience: PriorityLevel | undefined
  #timer: NodeJS.Timeout | undefined
  #patrol: NodeJS.Timeout | undefined

  constructor(options: ThreadOptions, { ruby, generated }: SharedThreadState, owner: ThreadOwner) {
    this.#options = options
    this.#owner = owner
    const { script, stackSizeMb = 48, heapMb = 2048, exports: store } = options
    const blobs = options.blobs?.()
    const exports = store && openThreadBridge((search: ExportSearch) => searchStore(store, search))
    const nodes = options.store && openStoreBridge(options.store)
    const outside = options.outside?.bridge()
    const bridge = ruby.bridge(this.#watch)
    const texts = generated.bridge()
    this.#worker = startThread(script, {
      resourceLimits: { stackSizeMb, maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
      workerData: {
        pause: this.#pause.memory,
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

  /** Milliseconds spent on the current job so far, without pauses. */
  get spent(): number {
    return this.#since === undefined ? 0 : (this.#pausedAt ?? performance.now()) - this.#since
  }

  /** Returns the state of the current job; `undefined` if the thread is idle. */
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

  /** Starts a job. Throws if the job cannot be sent to a thread. */
  begin(id: number, job: CompileJob): void {
    this.#job = { id, job }
    this.#worker.ref() // keep the process alive until the catalog arrives
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

  /** Lowers the thread's priority permanently, on systems where each thread has a priority. */
  standBack(as: PriorityLevel = 'patient'): void {
    this.#patience = as
    if (this.#id !== undefined) lowerThreadPriority(as, this.#id)
  }

  /**
   * Pauses the current job before its next read, or lets it continue. The pause ends with the job at the latest, and
   * does not count towards its time limits.
   */
  setPaused(isPaused: boolean): void {
    if (isPaused === (this.#pausedAt !== undefined)) return
    this.#pause.set(isPaused)
    const now = performance.now()
    if (isPaused) this.#pausedAt = now
    else {
      if (this.#since !== undefined) this.#since += now - this.#pausedAt!
      this.#pausedAt = undefined
    }
    this.#limitTime()
  }

  /** Ends the thread, also during a job; the owner is not notified. */
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

  /** Starts the timer of a job; the time for starting the thread is not included. */
  #time(): void {
    if (!this.#job || !this.#ready) return
    this.#since = performance.now()
    if (this.#pausedAt !== undefined) this.#pausedAt = this.#since
    this.#limitTime()
  }

  /** Sets the timer for the rest of the job's time limit; clears it during a pause. */
  #limitTime(): void {
    clearTimeout(this.#timer)
    const { timeout } = this.#options
    if (this.#since === undefined || this.#pausedAt !== undefined || timeout <= 0 || !Number.isFinite(timeout)) return
    const expire = () =>
      this.#lose(({ node, environment }) =>
        createPuppetError(poolIssues.COMPILE_TIMEOUT, {
          node: node.name,
          environment: environment.name,
          seconds: timeout,
        }),
      )
    this.#timer = setTimeout(expire, timeout * 1000 - this.spent)
  }

  /** Ends the thread if a call of Ruby exceeds its time limit. */
  #lookAfterRuby(): void {
    const { rubyTimeout: seconds = 0 } = this.#options
    this.#watch.end()
    if (seconds <= 0 || !Number.isFinite(seconds)) return
    const checkRubyTime = () => {
      const run = this.#watch.running()
      if (run === undefined || Date.now() - run.since < seconds * 1000) return
      this.#lose(({ node }) =>
        createPuppetError(poolIssues.COMPILE_RUBY_TIMEOUT, { node: node.name, seconds, place: run.place }),
      )
    }
    this.#patrol = setInterval(checkRubyTime, Math.min(1000, seconds * 250)).unref()
  }

  #crash(reason: string): void {
    this.#lose(({ node, environment }) =>
      createPuppetError(poolIssues.COMPILE_CRASHED, { node: node.name, environment: environment.name, reason }),
    )
  }

  /** Ends the thread, because a running job cannot be interrupted otherwise. */
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
    this.setPaused(false)
    this.#worker.unref()
  }
}

/** Searches the exported resources in a store. If the store returns text, the requesting thread parses it. */
async function searchStore(
  store: Pick<ExportStore, 'search' | 'find'>,
  search: ExportSearch,
): Promise<FoundExports | readonly ExportedResource[]> {
  return store.find ? store.find(search) : store.search(search)
}
