import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deserialize } from 'node:v8'
import { defineIssues, fail } from '../../base/issue.ts'
import { filesInMemory, type GuestFiles } from '../wasi/guest-files.ts'
import { limitMemory } from './limit-memory.ts'
import type { Snapshot } from './snapshot.ts'

const issues = defineIssues({
  RUBY_MISSING: {
    text: (a: { file: string }) => `Ruby code needs ${a.file}, which is not there`,
    hint: () => "Run 'npm install' and 'npm run build' in the folder of Plumbline; they bring Ruby as WebAssembly.",
  },
})

/** Where the standard library is for Ruby. */
export const libraryPath = 'ruby'

/** Names of what the build makes, beside the compiled code. */
export const distributionFiles = { library: 'stdlib.bin', snapshot: 'snapshot.bin' } as const

/** What one interpreter may hold, in MiB; Ruby's own part is 60. */
const memoryBound = 512

/** In the build of this checkout, also when the sources run (in tests). */
const folder = new URL(
  '../',
  import.meta.url.replace(/\/src\/ruby\/vm\/distribution\.ts$/, '/dist/ruby/vm/distribution.js'),
)

/** All that a restored interpreter is made of; one for a thread. V8 shares the machine code between threads. */
export interface Distribution {
  readonly module: WebAssembly.Module
  readonly library: GuestFiles
  readonly snapshot: Snapshot
}

let loaded: Distribution | undefined

/** Loads Ruby when it is first needed. Throws RUBY_MISSING. */
export function distribution(): Distribution {
  loaded ??= { module: compileRuby(), library: standardLibrary(), snapshot: preludeSnapshot() }
  return loaded
}

/** The binary of CRuby, compiled; with the standard library in it only for the build. */
export function compileRuby(binary: 'ruby.wasm' | 'ruby+stdlib.wasm' = 'ruby.wasm'): WebAssembly.Module {
  const name = `@ruby/3.4-wasm-wasi/dist/${binary}`
  try {
    const bytes = readFileSync(createRequire(import.meta.url).resolve(name))
    return new WebAssembly.Module(limitMemory(bytes, memoryBound))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') fail(issues.RUBY_MISSING, { file: name })
    throw error
  }
}

/** Ruby's standard library. */
function standardLibrary(): GuestFiles {
  return filesInMemory(deserialize(read(distributionFiles.library)) as Map<string, Uint8Array>)
}

/** An interpreter that has loaded what every module may use. */
function preludeSnapshot(): Snapshot {
  return deserialize(read(distributionFiles.snapshot)) as Snapshot
}

function read(name: string): Buffer {
  try {
    return readFileSync(new URL(name, folder))
  } catch {
    return fail(issues.RUBY_MISSING, { file: name })
  }
}
