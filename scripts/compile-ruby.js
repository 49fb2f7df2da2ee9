// Stores the optimized machine code of those functions of the Ruby interpreter that a run on a node uses. Needs its own
// process, whose V8 optimizes each function at its first call.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { createMachineOptions, runRuby, writeRubyModule } from './warm-ruby.js'

const { loadDistributionSync, storeCompiledRuby } = await import('#built/ruby/vm/distribution.js')
const { createRubyMachine, NodeMachine } = await import('#built/ruby/node/node-machine.js')
const { toRubyImage } = await import('#built/ruby/ruby-image.js')
const { createMachineDisk } = await import('#built/ruby/wasi/machine-disk.js')

useFixedInputs()
const scratch = mkdtempSync(join(tmpdir(), 'plumb-build-'))
const lib = join(scratch, 'lib')
writeRubyModule(lib)
setFlagsFromString('--no-liftoff')
const distribution = loadDistributionSync('nodeSnapshot')
const spare = createRubyMachine(createMachineDisk(), toRubyImage(distribution))
const machine = new NodeMachine(createMachineOptions(lib), {}, spare)
try {
  await runRuby((operation, args) => {
    const { error } = machine.call(operation, args)
    if (error) throw new Error(`${operation}: ${error.message}`)
  }, scratch)
} finally {
  rmSync(scratch, { recursive: true })
}
// The code is for V8's usual options; `--no-liftoff` implied the second.
for (const flag of ['--liftoff', '--wasm-dynamic-tiering']) setFlagsFromString(flag)
storeCompiledRuby(distribution)

/**
 * Replaces clocks and random numbers by counters: the functions that Ruby calls, such as those of a timer, would
 * otherwise depend on the load of the machine, and two builds would differ.
 */
function useFixedInputs() {
  let count = 0
  const begin = 1_700_000_000_000
  const next = () => ++count / 1000
  Date.now = () => begin + Math.floor(next())
  performance.now = next
  process.hrtime.bigint = () => BigInt(++count) * 1000n
  Object.assign(globalThis.crypto, { getRandomValues: (bytes) => bytes.fill(++count & 255) })
}
