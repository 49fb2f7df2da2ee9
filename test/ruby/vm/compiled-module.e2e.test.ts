import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'

const dist = new URL('../../../dist/ruby/vm/', import.meta.url)

let file: string
beforeEach(() => {
  file = join(scratchFolder('compiled'), 'code.bin')
})

/** A module that exports `add`, and functions that store and read its code. */
const prelude = `
  import { cachedDataVersionTag, setFlagsFromString } from 'node:v8'
  import { readCompiledModule, withDelayedOptimization, writeCompiledModule } from '${dist}compiled-module.js'
  import { loadDistributionSync } from '${dist}distribution.js'
  const binary = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0,
    7, 7, 1, 3, 97, 100, 100, 0, 0, 10, 9, 1, 7, 0, 32, 0, 32, 1, 106, 11)
  const add = (module) => new WebAssembly.Instance(module).exports.add(1, 2)
  const [file] = process.argv.slice(1)
`

/** Runs code in a process of its own, whose V8 has these options, and returns its output. */
function run(code: string, options: readonly string[] = []): string {
  const words = [...options, '--input-type=module', '--eval', `${prelude}\n${code}`, pathToFileURL(file).href]
  return execFileSync(process.execPath, words, { encoding: 'utf8' }).trim()
}

function store(): void {
  run(`
    setFlagsFromString('--no-liftoff')
    const module = new WebAssembly.Module(binary)
    add(module)
    for (const flag of ['--liftoff', '--wasm-dynamic-tiering']) setFlagsFromString(flag)
    writeCompiledModule(new URL(file), 'this', module)`)
}

const read = (identity = 'this') => `
  const module = readCompiledModule(new URL(file), '${identity}', binary)
  console.log(module && add(module))`

describe('the machine code of a module', () => {
  it('is used by another process', () => {
    store()
    expect(run(read())).toBe('3')
  })

  it('is not used for another binary, or with other options of V8', () => {
    store()
    expect(run(read('other'))).toBe('undefined')
    expect(run(read(), ['--stack-size=500'])).toBe('undefined')
    expect(run(read(), ['--disallow-code-generation-from-strings'])).toBe('undefined')
  })

  it('is not used if it is missing or incomplete', () => {
    expect(run(read())).toBe('undefined')
    store()
    const bytes = readFileSync(file)
    for (const kept of [bytes.subarray(0, 3), bytes.subarray(0, -1)]) {
      writeFileSync(file, kept)
      expect(run(read())).toBe('undefined')
    }
  })

  it('leaves the options of V8 as they were', () => {
    store()
    expect(
      run(`
        const before = cachedDataVersionTag()
        const module = withDelayedOptimization(() => readCompiledModule(new URL(file), 'this', binary))
        console.log(cachedDataVersionTag() === before, module)`),
    ).toBe('true undefined')
  })

  // V8 ends a process that stores a module without optimized code.
  it('is part of the build for Ruby', () => {
    run(`writeCompiledModule(new URL(file), 'this', loadDistributionSync('nodeSnapshot').module)`)
    expect(readFileSync(file).length).toBeGreaterThan(1_000_000)
  })
})
