import { Worker } from 'node:worker_threads'
import { cpuMs } from './cpu-time.js'
import { longestStretched } from './mutate.js'

/** @import { Verdict } from './judge.js' */

/** An input that a thread works on for longer never ends, as far as anybody can tell. */
const hangMs = 10_000
/** A target with as many findings has one cause, or needs mending before more is found. */
const mostFindings = 5
/** As little stack as the main thread of a server has; as much memory as an input may never need. */
const stackMiB = 1
const memoryMiB = 768

/**
 * Fuzzes one target in a thread of its own, and tells each finding once. A thread that an input has ended or stopped gives
 * way to another, for the rest of the time.
 *
 * @param {{ file: string, seed: string, seconds: number, runs?: number, distill?: boolean, hangMs?: number, memoryMiB?: number, mostFindings?: number }} what
 * @param {(finding: { verdict: Verdict, bytes: Buffer }) => void} report
 * @returns {Promise<Totals>}
 */
export async function runTarget(what, report) {
  const { file, seed, seconds, distill = false } = what
  const limit = { hangMs, memoryMiB, mostFindings, runs: Number.POSITIVE_INFINITY, ...what }
  const until = Date.now() + seconds * 1000
  const totals = { runs: 0, kept: 0, branches: 0, taken: 0, distilled: /** @type {Uint8Array[]} */ ([]) }
  const known = new Set()
  const once = (/** @type {Verdict} */ verdict, /** @type {Uint8Array} */ bytes) => {
    if (known.has(verdict.signature)) return
    known.add(verdict.signature)
    report({ verdict, bytes: Buffer.from(bytes) })
  }
  const isEnough = () => known.size >= limit.mostFindings
  for (let again = 0; again === 0 || (Date.now() < until && totals.runs < limit.runs && !isEnough()); again++) {
    const thread = {
      file,
      seed: again === 0 ? seed : `${seed}.${again}`,
      until,
      mostRuns: limit.runs - totals.runs,
      distill,
    }
    const { died, inputs, ...rest } = await oneThread(thread, limit, once, isEnough)
    if (died) once(died.verdict, died.bytes)
    totals.runs += inputs
    if (!died) {
      Object.assign(totals, rest)
      break
    }
  }
  return totals
}

/** @typedef {{ runs: number, kept: number, branches: number, taken: number, distilled: Uint8Array[] }} Totals */

/**
 * @param {{ file: string, seed: string, until: number, mostRuns: number, distill: boolean }} thread
 * @param {{ hangMs: number, memoryMiB: number }} limit
 * @param {(verdict: Verdict, bytes: Uint8Array) => void} report
 * @param {() => boolean} isEnough
 * @returns {Promise<{ died?: { verdict: Verdict, bytes: Uint8Array }, inputs: number, [key: string]: any }>}
 */
function oneThread(thread, { hangMs, memoryMiB }, report, isEnough) {
  const shared = new SharedArrayBuffer(8)
  const input = new SharedArrayBuffer(longestStretched)
  const progress = new Int32Array(shared)
  const last = () => Uint8Array.from(new Uint8Array(input).subarray(0, progress[1]))
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.js', import.meta.url), {
      workerData: { ...thread, shared, input },
      resourceLimits: { stackSizeMb: stackMiB, maxOldGenerationSizeMb: memoryMiB },
    })
    const end = (/** @type {any} */ outcome) => {
      clearInterval(watch)
      void worker.terminate()
      resolve({ inputs: progress[0], ...outcome })
    }
    let seen = -1
    let since = 0
    /** @type {string | undefined} */
    let clock
    const watch = setInterval(() => {
      if (progress[0] !== seen || seen === 0) {
        seen = progress[0] ?? 0
        since = cpuMs(clock)
      } else if (cpuMs(clock) - since > hangMs) {
        const detail = `did not end within ${hangMs / 1000} s`
        end({ died: { verdict: { kind: 'hang', signature: 'hang', detail }, bytes: last() } })
      }
    }, 250)
    worker.on('message', ({ kind, ...message }) => {
      if (kind === 'begun') clock = message.thread
      else if (kind === 'finding') {
        report(message.verdict, message.bytes)
        if (isEnough()) end({})
      } else {
        const { runs, ...totals } = message
        end({ ...totals, inputs: runs })
      }
    })
    worker.on('error', (/** @type {Error & { code?: string }} */ error) => {
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') {
        clearInterval(watch)
        return reject(error)
      }
      const detail = `needed more than ${memoryMiB} MiB`
      end({ died: { verdict: { kind: 'memory', signature: 'memory', detail }, bytes: last() } })
    })
  })
}
