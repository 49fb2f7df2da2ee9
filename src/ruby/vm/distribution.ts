import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { MiB } from '../../base/budgets/budget.ts'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, fail } from '../../base/issue.ts'
import { systemCode } from '../../base/system-error.ts'
import { memoryLimit } from './limit-memory.ts'
import { mends } from './mends.ts'
import { type Packed, readBehind, readPacked } from './packed.ts'
import type { Snapshot } from './snapshot.ts'
import { edited } from './wasm-binary.ts'

const issues = defineIssues({
  RUBY_MISSING: {
    text: (a: { file: string }) => `Ruby code needs ${a.file}, which is not there`,
    hint: () => "Run 'npm install' and 'npm run build' in the folder of Plumbline; they bring Ruby as WebAssembly.",
  },
  RUBY_OTHER: {
    text: (a: { file: string }) => `${a.file} is another Ruby than this version of Plumbline works with`,
    hint: () =>
      "Run 'npm install' and 'npm run build' in the folder of Plumbline; they bring the one that it was made with.",
  },
})

/** The folder of the standard library as Ruby sees it. */
export const libraryPath = 'ruby'

/** Names of what the build makes, beside the compiled code. */
export const distributionFiles = {
  library: 'stdlib.bin',
  snapshot: 'snapshot.bin',
  /** Of a machine that has our Ruby for nodes besides. */
  nodeSnapshot: 'node-snapshot.bin',
} as const

/** Bytes in front of a binary for what is added to it. */
const editRoom = 16 * 1024

/**
 * V8 counts the bytes of machine code that a function jumps back over. The loops of an interpreter are the size of 0.3 MB:
 * with V8's budget of 1.8 MB it optimizes them after a moment, for a second of CPU and 30 MB in each of its threads. This
 * one is spent by Ruby that runs for a second; then one function is optimized at a time.
 */
const optimizing = ['--wasm-tiering-budget=1000000000', '--wasm-num-compilation-tasks=1']

/** In the build of this checkout, also when the sources run (in tests). */
const folder = new URL(
  '../',
  import.meta.url.replace(/\/src\/ruby\/vm\/distribution\.ts$/, '/dist/ruby/vm/distribution.js'),
)

/** All that a restored interpreter is made of. Threads share it: post it to them. */
export interface Distribution {
  readonly module: WebAssembly.Module
  readonly library: PackedFiles
  readonly snapshot: Snapshot
}

/** Files by path, and where the bytes of each begin and end. */
export type PackedFiles = Packed<{ readonly [path: string]: readonly [start: number, end: number] }>

/**
 * Loads Ruby without keeping the thread from its work, but for a moment. Throws RUBY_MISSING.
 */
export async function loadDistribution(): Promise<Distribution> {
  return { module: await WebAssembly.compile(binaryOf('ruby.wasm')), ...files() }
}

/** Loads Ruby at once. Throws RUBY_MISSING. */
export function loadDistributionNow(snapshot: keyof typeof distributionFiles = 'snapshot'): Distribution {
  return { module: compileRuby('ruby.wasm'), ...files(snapshot) }
}

/** The binary of CRuby, compiled; with the standard library in it only for the build. */
export function compileRuby(binary: RubyBinary): WebAssembly.Module {
  return new WebAssembly.Module(binaryOf(binary))
}

type RubyBinary = 'ruby.wasm' | 'ruby+stdlib.wasm'

function binaryOf(binary: RubyBinary): Uint8Array {
  const name = `@ruby/3.4-wasm-wasi/dist/${binary}`
  for (const flag of optimizing) setFlagsFromString(flag)
  try {
    return adapted(readBehind(editRoom, createRequire(import.meta.url).resolve(name)), name)
  } catch (error) {
    if (systemCode(error) === 'MODULE_NOT_FOUND') fail(issues.RUBY_MISSING, { file: name })
    throw error
  }
}

/** Ruby's binary with its faults mended, and its memory bounded. */
function adapted(buffer: Uint8Array, file: string): Uint8Array {
  const binary = buffer.subarray(editRoom)
  const limit = memoryLimit(binary, budgets.environment.rubyMemory.bound / MiB)
  const edits = [...(mends(binary) ?? fail(issues.RUBY_OTHER, { file })), limit]
  return edited(
    buffer,
    editRoom,
    edits.toSorted((one, other) => one.start - other.start),
  )
}

/** Ruby's standard library, and an interpreter that has loaded what every module may use. */
function files(snapshot: keyof typeof distributionFiles = 'snapshot'): Pick<Distribution, 'library' | 'snapshot'> {
  const { header, bytes: pages } = read<Omit<Snapshot, 'pages'>>(distributionFiles[snapshot])
  return { library: read(distributionFiles.library), snapshot: { ...header, pages } }
}

function read<Header>(name: string): Packed<Header> {
  try {
    return readPacked(new URL(name, folder))
  } catch {
    return fail(issues.RUBY_MISSING, { file: name })
  }
}
