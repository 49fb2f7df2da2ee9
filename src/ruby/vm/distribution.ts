import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deserialize } from 'node:v8'
import { defineIssues, fail } from '../../base/issue.ts'
import { filesInMemory, type GuestFiles } from '../wasi/guest-files.ts'
import type { Snapshot } from './snapshot.ts'

const issues = defineIssues({
  RUBY_MISSING: {
    text: (a: { file: string }) => `Ruby code needs ${a.file}, which is not there`,
    hint: () => "Run 'npm install' in the folder of Plumbline; it brings Ruby as WebAssembly.",
  },
})

/** Where the standard library is for Ruby; the binary covers `/usr` with an empty one of its own. */
export const libraryPath = 'ruby'

/** Names of what the build makes, beside the compiled code. */
export const distributionFiles = { library: 'stdlib.bin', snapshot: 'snapshot.bin' } as const

const folder = new URL('../dist/', import.meta.url)

/** The binary of CRuby, compiled; with the standard library in it only for the build. */
export function compileRuby(binary: 'ruby.wasm' | 'ruby+stdlib.wasm' = 'ruby.wasm'): WebAssembly.Module {
  const name = `@ruby/3.4-wasm-wasi/dist/${binary}`
  try {
    return new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') fail(issues.RUBY_MISSING, { file: name })
    throw error
  }
}

/** Ruby's standard library. */
export function standardLibrary(): GuestFiles {
  return filesInMemory(deserialize(read(distributionFiles.library)) as Map<string, Uint8Array>)
}

/** An interpreter that has loaded what every module may use. */
export function preludeSnapshot(): Snapshot {
  const snapshot = deserialize(read(distributionFiles.snapshot)) as Snapshot
  const pages = new Uint8Array(new SharedArrayBuffer(snapshot.pages.length))
  pages.set(snapshot.pages)
  return { ...snapshot, pages }
}

function read(name: string): Buffer {
  try {
    return readFileSync(new URL(name, folder))
  } catch {
    return fail(issues.RUBY_MISSING, { file: name })
  }
}
