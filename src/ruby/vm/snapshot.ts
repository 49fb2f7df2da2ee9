import type { World } from '../wasi/wasi.ts'
import { Interpreter } from './interpreter.ts'

/**
 * The memory of an idle interpreter, which contains its whole state. Restoring a copy takes 15 ms; starting Ruby and
 * loading our code takes two seconds.
 */
export interface Snapshot {
  /** Size of the interpreter's memory in bytes. */
  readonly size: number
  /** Ranges that are not zero: offsets in memory and in `pages`. */
  readonly runs: readonly (readonly [start: number, end: number])[]
  readonly pages: Uint8Array
  /** Ruby's descriptor of the bridge; -1 if it is not open. */
  readonly bridge: number
}

const pageSize = 4096
const wasmPage = 65536

/** Takes a snapshot; no Ruby code may be running. */
export function takeSnapshot(interpreter: Interpreter): Snapshot {
  const memory = new Uint8Array(interpreter.memory.buffer)
  const words = new Uint32Array(interpreter.memory.buffer)
  const runs: [number, number][] = []
  for (let start = 0; start < memory.length; start += pageSize) {
    if (isZeroPage(words, start)) continue
    const last = runs.at(-1)
    if (last?.[1] === start) last[1] = start + pageSize
    else runs.push([start, start + pageSize])
  }
  const total = runs.reduce((sum, [start, end]) => sum + end - start, 0)
  const pages = new Uint8Array(total)
  let at = 0
  for (const [start, end] of runs) {
    pages.set(memory.subarray(start, end), at)
    at += end - start
  }
  return { size: memory.length, runs, pages, bridge: interpreter.wasi.bridgeDescriptor }
}

/** Restores a new interpreter from a snapshot of the same binary. */
export function restoreSnapshot(
  module: WebAssembly.Module,
  snapshot: Snapshot,
  world: World,
  receive: (message: Uint8Array) => void,
): Interpreter {
  const interpreter = new Interpreter(module, world, receive)
  const missing = (snapshot.size - interpreter.memory.buffer.byteLength) / wasmPage
  if (missing > 0) interpreter.memory.grow(missing)
  const memory = new Uint8Array(interpreter.memory.buffer)
  let at = 0
  for (const [start, end] of snapshot.runs) {
    memory.set(snapshot.pages.subarray(at, at + end - start), start)
    at += end - start
  }
  if (snapshot.bridge !== -1) interpreter.wasi.reopenBridge(snapshot.bridge)
  return interpreter
}

function isZeroPage(words: Uint32Array, start: number): boolean {
  const end = (start + pageSize) / 4
  for (let at = start / 4; at < end; at++) if (words[at] !== 0) return false
  return true
}
