import { cpuMs, ownThread } from './cpu-time.js'

/** @import { Target } from './target.js' */

/** What any input may take, however short: a collection of garbage, code that is compiled. */
const freeMs = 50
/** What a byte may cost besides. A reader in a line takes a fifth of it with all branches counted. */
const nsPerByte = 1000
/** How often what took too long is measured again: what was compiled and collected then is not again. */
const measurements = 4

/** Times the bound after which nothing is measured again. */
const beyondDoubt = 20

/** How many times slower than a quiet machine this one may be: CI's neighbours are not known. */
const patience = Number(process.env.FUZZ_PATIENCE ?? 1)

const thread = ownThread()

/**
 * What was wrong with how a target took an input, or nothing.
 *
 * @param {Target} target
 * @param {Uint8Array} bytes
 * @param {() => void} [before] Done before each time that it is read.
 * @returns {Verdict | undefined}
 */
export function judge(target, bytes, before = () => {}) {
  const quiet = (target.freeMs ?? freeMs) + (bytes.length * (target.nsPerByte ?? nsPerByte)) / 1e6
  const bound = patience * quiet
  let ms = Number.POSITIVE_INFINITY
  for (let left = measurements; left > 0 && ms > bound; left--) {
    if (left < measurements - 1 && ms > beyondDoubt * bound) break
    // The time of day is quick to ask, and says enough where it is short; else counts how long this thread had a processor.
    const start = performance.now()
    before()
    const begun = left < measurements ? cpuMs(thread) : 0
    try {
      target.run(bytes)
    } catch (error) {
      return { kind: 'error', signature: signatureOf(error), detail: detailOf(error) }
    }
    ms = Math.min(ms, performance.now() - start)
    if (ms > bound && begun > 0) ms = Math.min(ms, cpuMs(thread) - begun)
  }
  if (ms <= bound) return undefined
  const detail = `${bytes.length} bytes took ${ms.toFixed(0)} ms, and ${bound.toFixed(0)} are allowed`
  return { kind: 'time', signature: 'time', detail }
}

/** @typedef {{ kind: 'error' | 'time' | 'hang' | 'memory', signature: string, detail: string }} Verdict */

/**
 * What tells one finding from another: the kind of error and where it was thrown; of a target's own, its first words.
 *
 * @param {unknown} error
 */
function signatureOf(error) {
  if (!(error instanceof Error)) return String(error)
  const [place] = /\bdist\/[^\s:)]+:\d+/.exec(error.stack ?? '') ?? []
  return `${error.name} ${place ?? error.message.replace(/[^a-z ].*$/s, '').slice(0, 60)}`
}

/** @param {unknown} error */
function detailOf(error) {
  return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 12).join('\n') : String(error)
}
