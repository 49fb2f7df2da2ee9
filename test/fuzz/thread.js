// Runs one target in a thread of its own, until its time is over: node:worker_threads, started by run-target.js.
import { parentPort, workerData } from 'node:worker_threads'
import { corpusOf } from './corpus.js'
import { startCoverage } from './coverage.js'
import { ownThread } from './cpu-time.js'
import { judge } from './judge.js'
import { longestInput, longestStretched, mutate } from './mutate.js'
import { randomFrom } from './random.js'

/** @import { Target } from './target.js' */

const { file, seed, until, mostRuns, shared, input } = workerData
/** What the main thread sees: how many inputs were begun, and the length of this one. */
const progress = new Int32Array(shared)
/** The input that is being read, should this thread never come back from it. */
const current = new Uint8Array(input)

parentPort?.postMessage({ kind: 'begun', thread: ownThread() })
const coverage = startCoverage()
const target = /** @type {Target} */ ((await import(file)).default)
const random = randomFrom(`${seed} ${target.name}`)
/** Inputs that took a branch no other took before. */
const pool = [Buffer.alloc(0)]
const found = new Map()
let runs = 0

/** @param {Uint8Array} bytes */
function tried(bytes) {
  runs++
  current.set(bytes.subarray(0, current.length))
  progress[1] = bytes.length
  Atomics.add(progress, 0, 1)
  const verdict = judge(target, bytes, coverage.clear)
  if (verdict && !found.has(verdict.signature)) {
    found.set(verdict.signature, verdict)
    const smallest = verdict.kind === 'error' ? reduced(bytes, verdict.signature) : bytes
    parentPort?.postMessage({ kind: 'finding', verdict, bytes: smallest })
  }
  if (!coverage.isNew() || verdict) return
  if (bytes.length <= 2 * longestInput) pool.push(Buffer.from(bytes))
}

/**
 * The input without what the finding does not need.
 *
 * @param {Uint8Array} bytes
 * @param {string} signature
 */
function reduced(bytes, signature) {
  let smallest = Buffer.from(bytes)
  const deadline = performance.now() + 3000
  for (let size = smallest.length >> 1; size > 0 && performance.now() < deadline; size >>= 1)
    for (let start = 0; start < smallest.length && performance.now() < deadline; ) {
      const without = Buffer.concat([smallest.subarray(0, start), smallest.subarray(start + size)])
      Atomics.add(progress, 0, 1)
      if (judge(target, without)?.signature === signature) smallest = without
      else start += size
    }
  return smallest
}

for (const { bytes } of corpusOf(target)) tried(bytes.subarray(0, longestStretched))
const grammar = target.grammar && (await import('fast-check')).default
while (performance.timeOrigin + performance.now() < until && runs < mostRuns) {
  // The newest half of the pool gets as much as all of it.
  const newest = random.oneIn(2) ? pool.length >> 1 : 0
  const parent = pool[newest + random.below(pool.length - newest)] ?? pool[0]
  if (grammar && target.grammar && random.oneIn(20)) {
    const [text = ''] = grammar.sample(target.grammar, { numRuns: 1, seed: random.below(2 ** 31) })
    tried(Buffer.from(text).subarray(0, longestInput))
  } else tried(mutate(/** @type {Buffer} */ (parent), random.of(pool), target.dictionary, random))
}

/** The fewest and shortest inputs that take, together, each branch that was taken. */
function distilled() {
  const left = new Set()
  const taken = pool.map((bytes) => {
    Atomics.add(progress, 0, 1)
    judge(target, bytes, coverage.clear)
    const features = coverage.features()
    for (const feature of features) left.add(feature)
    return { bytes, features }
  })
  /** @type {Buffer[]} */
  const chosen = []
  for (const { bytes, features } of taken.sort((a, b) => a.bytes.length - b.bytes.length)) {
    if (!features.some((feature) => left.has(feature))) continue
    for (const feature of features) left.delete(feature)
    chosen.push(bytes)
  }
  return chosen
}

parentPort?.postMessage({
  kind: 'done',
  runs,
  kept: pool.length,
  ...coverage.total(),
  distilled: workerData.distill ? distilled() : [],
})
