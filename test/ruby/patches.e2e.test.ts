// Own process: the V8 flags that other suites set make the stack frames of WebAssembly larger.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Diagnostic, PuppetError } from '../../src/base/issue.ts'
import { compileRuby } from '../../src/ruby/vm/distribution.ts'
import { Interpreter } from '../../src/ruby/vm/interpreter.ts'
import { patchRuby } from '../../src/ruby/vm/patches/patches.ts'
import { RubyBinary } from '../../src/ruby/vm/patches/ruby-binary.ts'
import { getCustomSection } from '../../src/ruby/vm/wasm-binary.ts'
import { createReadOnlyDisk } from '../../src/ruby/wasi/disk.ts'
import { createMemoryFiles } from '../../src/ruby/wasi/guest-files.ts'

// In a process of its own: in shared ones commands have changed flags of V8, and the stack then holds fewer frames.

const { resolve } = createRequire(import.meta.url)

/** The folder of a package's binaries; `undefined` if the package is not installed. */
function binariesOf(name: string): string | undefined {
  try {
    return dirname(resolve(`${name}/dist/ruby.wasm`))
  } catch {
    return undefined
  }
}

const packages = ['@ruby/3.4-wasm-wasi', '@ruby/4.0-wasm-wasi']
const scratch = mkdtempSync(join(tmpdir(), 'ruby-patches-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** A patched interpreter without our prelude. */
function booted(folder: string): (code: string) => string {
  const file = join(folder, 'ruby.wasm')
  const module = compileRuby(file, patchRuby(file, join(folder, 'ruby.debug+stdlib.wasm')))
  const world = {
    disk: createReadOnlyDisk(createMemoryFiles(new Map())),
    print: () => {},
    now: () => 0n,
    random: (bytes: Uint8Array) => bytes.fill(7),
  }
  const interpreter = new Interpreter(module, world, () => {})
  interpreter.boot()
  return (code) => {
    const value = interpreter.eval(code)
    try {
      return interpreter.readRubyString(value)
    } finally {
      interpreter.drop(value)
    }
  }
}

describe.each(packages)('the patches on %s', (name) => {
  const folder = binariesOf(name)
  const missing = folder ? '' : ` (${name} is not installed: run npm install)`

  it.skipIf(!folder)(`apply, and Ruby runs with them${missing}`, { timeout: 120_000 }, () => {
    const run = booted(folder!)
    expect(run('RUBY_VERSION')).toMatch(name === packages[0] ? /^3\.4\./ : /^4\.0\./)
    // Each of these fails without a patch where CRuby has not fixed the fault: see docs/ruby.md.
    const collectDeep = "def deep(n) = n == 0 ? (GC.start; 'collected') : [1].each { return deep(n - 1) }"
    expect(run(`${collectDeep}; deep(120)`)).toBe('collected')
    expect(run("20_000.times { [0].each { break } }; 'jumped'")).toBe('jumped')
    const leaveFiber = 'Fiber.new { [1].each { [2].each { Fiber.yield } } }.resume'
    expect(run(`20.times { 200.times { ${leaveFiber} }; GC.start }; 'left'`)).toBe('left')
  })
})

describe('a patch that does not apply', () => {
  const folder = binariesOf(packages[0]!)!
  const [file, debugFile] = [join(folder, 'ruby.wasm'), join(folder, 'ruby.debug+stdlib.wasm')]
  const changedFile = join(scratch, 'changed.wasm')

  function failure(binary: string, debugBinary: string): Diagnostic | undefined {
    try {
      patchRuby(binary, debugBinary)
    } catch (error) {
      if (error instanceof PuppetError) return error.diagnostic
      throw error
    }
    return undefined
  }

  it.each([
    ['mark-left-frames', '.debug_str', '\0mark_func_data\0', 'member rb_vm_struct.gc.mark_func_data'],
    ['scan-buffer', 'name', 'rb_wasm_scan_locals', 'function rb_wasm_scan_locals'],
    ['free-fiber-jumps', 'name', 'fiber_free', 'function fiber_free'],
    ['catch-loop', '.debug_str', '\0TRY_CATCH_PHASE_RESCUE\0', 'enumerator TRY_CATCH_PHASE_RESCUE'],
  ])('is named, with the binary and the missing name: %s', (patch, section, name, missing) => {
    const debugBinary = readFileSync(debugFile)
    const { start, end } = getCustomSection(debugBinary, section)
    const at = debugBinary.indexOf(name, start)
    expect(at).toBeLessThan(end)
    debugBinary.write('X', at + 1)
    writeFileSync(changedFile, debugBinary)
    expect(failure(file, changedFile)).toMatchObject({
      code: 'RUBY_PATCH',
      message: `Patch ${patch} does not apply to ${file}: the binary for debuggers has no ${missing}`,
      hint: 'Follow "Upgrade Ruby" in docs/ruby.md.',
    })
  })

  it.each([
    ['mark-left-frames', '_rb_wasm_setjmp_internal'],
    ['scan-buffer', 'rb_wasm_scan_locals'],
    ['catch-loop', 'rb_wasm_try_catch_loop_run'],
  ])('is named if the code of a function differs: %s', (patch, name) => {
    const binary = readFileSync(file)
    const ruby = new RubyBinary(binary, readFileSync(debugFile))
    ruby.functions.body(ruby.function(name)).fill(0x01)
    writeFileSync(changedFile, binary)
    expect(failure(changedFile, debugFile)?.message).toBe(
      `Patch ${patch} does not apply to ${changedFile}: the code of function ${name} is not as expected`,
    )
  })

  it('is named if the binary for debuggers is of another program', () => {
    const message = failure(join(folder, 'ruby.wasm'), trivialModule())?.message
    expect(message).toContain('the binary for debuggers is of another program')
  })

  /** A module with one function that does nothing. */
  function trivialModule(): string {
    const bytes = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 2, 1, 0, 3, 2, 1, 0, 10, 4, 1, 2, 0, 0x0b]
    writeFileSync(changedFile, Uint8Array.from(bytes))
    return changedFile
  }
})

describe('a binary that Plumbline was not built with', () => {
  it('is refused', () => {
    const file = join(binariesOf(packages[0]!)!, 'ruby.wasm')
    const { size, digest } = patchRuby(file, join(dirname(file), 'ruby.debug+stdlib.wasm'))
    expect(() => compileRuby(file, { size: size + 1, digest, edits: [] })).toThrow(
      'differs from the Ruby of the Plumbline build',
    )
    expect(() => compileRuby(file, { size, digest: '', edits: [] })).toThrow(
      'differs from the Ruby of the Plumbline build',
    )
  })
})
