import { createHash } from 'node:crypto'
import { MiB } from '../../base/budgets/budget.ts'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { resolveLibraryFile } from '../../base/program/program-files.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import {
  delayOptimization,
  readCompiledModule,
  withDelayedOptimization,
  writeCompiledModule,
} from './compiled-module.ts'
import { createMemoryLimitEdit } from './memory-limit.ts'
import { type PackedFile, readFileWithHeadroom, readPackedFile } from './packed-file.ts'
import type { Snapshot } from './snapshot.ts'
import { applyEdits, type Edit } from './wasm-binary.ts'

const issues = defineIssues({
  RUBY_MISSING: {
    text: (a: { file: string }) => `Ruby code needs ${a.file}, which does not exist`,
    hint: () => "Run 'npm install' and 'npm run build' in the directory of Plumbline to install Ruby as WebAssembly.",
  },
  RUBY_OTHER: {
    text: (a: { file: string }) => `${a.file} differs from the Ruby of the Plumbline build`,
    hint: () => "Run 'npm install' and 'npm run build' in the directory of Plumbline.",
  },
})

/** Folder of the standard library in Ruby. */
export const libraryPath = 'ruby'

/** Files that the build creates in addition to the compiled code. */
export const distributionFiles = {
  patches: 'patches.bin',
  library: 'stdlib.bin',
  snapshot: 'snapshot.bin',
  /** Snapshot of a machine that has also loaded our Ruby code for nodes. */
  nodeSnapshot: 'node-snapshot.bin',
} as const

/** Machine code of the binary, if the build could store it. */
export const codeFile = 'code.bin'

/** Number of bytes reserved before a binary for additions. */
const editRoom = 16 * 1024

/** Folder of Ruby's files in the build of this checkout, also if the sources run (in tests). */
export const rubyBuildFolder = new URL(
  '../',
  import.meta.url.replace(/\/src\/ruby\/vm\/distribution\.ts$/, '/dist/ruby/vm/distribution.js'),
)

/** The parts of a restored interpreter. Threads share it by posting it. */
export interface RubyDistribution {
  readonly module: WebAssembly.Module
  readonly library: PackedFiles
  readonly snapshot: Snapshot
}

/** Files by path, with the offsets of their bytes. */
export type PackedFiles = PackedFile<{ readonly [path: string]: readonly [start: number, end: number] }>

/** Edits that fix faults of a binary, and the size and digest that identify the binary. */
export interface BinaryPatches {
  /** Size of the binary in bytes. */
  readonly size: number
  /** Digest of the bytes that the edits replace. */
  readonly digest: string
  readonly edits: readonly Edit[]
}

/** Loads Ruby without blocking the thread for long. Throws RUBY_MISSING or RUBY_OTHER. */
export async function loadDistribution(): Promise<RubyDistribution> {
  delayOptimization()
  return { module: await WebAssembly.compile(loadInstalledBinary().binary), ...loadLibraryAndSnapshot() }
}

/**
 * Loads Ruby synchronously, with the machine code that the build stored, if this V8 accepts it. Throws RUBY_MISSING or
 * RUBY_OTHER.
 */
export function loadDistributionSync(snapshot: keyof typeof distributionFiles = 'snapshot'): RubyDistribution {
  const { binary, identity } = loadInstalledBinary()
  const compile = () =>
    readCompiledModule(new URL(codeFile, rubyBuildFolder), identity, binary) ?? new WebAssembly.Module(binary)
  return { module: withDelayedOptimization(compile), ...loadLibraryAndSnapshot(snapshot) }
}

/** Stores the optimized machine code of a module of `loadDistributionSync`, for the build. */
export function storeCompiledRuby({ module }: RubyDistribution): void {
  withDelayedOptimization(() =>
    writeCompiledModule(new URL(codeFile, rubyBuildFolder), loadInstalledBinary().identity, module),
  )
}

/** Returns the path of a file in the package that contains CRuby. */
export function resolveRubyFile(name: string): string {
  const path = `@ruby/3.4-wasm-wasi/dist/${name}`
  try {
    return resolveLibraryFile(path)
  } catch (error) {
    if (getSystemErrorCode(error) === 'MODULE_NOT_FOUND') throwIssue(issues.RUBY_MISSING, { file: path })
    throw error
  }
}

/** Compiles a binary of CRuby with patches, for the build. Throws RUBY_OTHER. */
export function compileRuby(file: string, patches: BinaryPatches): WebAssembly.Module {
  const { binary } = patchBinary(file, patches)
  return withDelayedOptimization(() => new WebAssembly.Module(binary))
}

/** A digest of the bytes that edits replace. */
export function computeReplacedDigest(binary: Uint8Array, edits: readonly Edit[]): string {
  const hash = createHash('sha256')
  for (const { start, end } of edits) hash.update(binary.subarray(start, end))
  return hash.digest('hex')
}

function loadInstalledBinary(): PatchedBinary {
  return patchBinary(
    resolveRubyFile('ruby.wasm'),
    readDistributionFile<BinaryPatches>(distributionFiles.patches).header,
  )
}

/** A binary with its edits, and the text that identifies both. */
interface PatchedBinary {
  readonly binary: Uint8Array
  readonly identity: string
}

/** Returns Ruby's binary with its faults fixed and its memory limited. */
function patchBinary(file: string, { size, digest, edits }: BinaryPatches): PatchedBinary {
  const buffer = readFileWithHeadroom(editRoom, file)
  const binary = buffer.subarray(editRoom)
  if (binary.length !== size || computeReplacedDigest(binary, edits) !== digest) throwIssue(issues.RUBY_OTHER, { file })
  const limit = createMemoryLimitEdit(binary, budgets.environment.rubyMemory.bound / MiB)
  const all = [...edits, limit].toSorted((one, other) => one.start - other.start)
  const places = all.map(({ start, end, bytes }) => [start, end, Array.from(bytes)])
  const identity = createHash('sha256')
    .update(`${size} ${digest} ${JSON.stringify(places)}`)
    .digest('hex')
  return { binary: applyEdits(buffer, editRoom, all), identity }
}

/** Returns Ruby's standard library, and a snapshot that has loaded the commonly used parts. */
function loadLibraryAndSnapshot(
  snapshot: keyof typeof distributionFiles = 'snapshot',
): Pick<RubyDistribution, 'library' | 'snapshot'> {
  const { header, bytes: pages } = readDistributionFile<Omit<Snapshot, 'pages'>>(distributionFiles[snapshot])
  return { library: readDistributionFile(distributionFiles.library), snapshot: { ...header, pages } }
}

function readDistributionFile<Header>(name: string): PackedFile<Header> {
  try {
    return readPackedFile(new URL(name, rubyBuildFolder))
  } catch {
    return throwIssue(issues.RUBY_MISSING, { file: name })
  }
}
