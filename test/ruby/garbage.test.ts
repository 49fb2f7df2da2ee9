import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/wire.ts'
import { RubyMachine } from '../../src/ruby/machine.ts'
import { ownRuby } from '../../src/ruby/ruby-share.ts'

// While a fiber runs, WebAssembly's Ruby does not see what C's functions of the others hold: what it collected then was,
// now and then, alive, and a large site's compilations ended in a broken interpreter.
describe("Ruby's garbage", () => {
  const made = "Array.new(2000) { |number| 'text ' * 10 + number.to_s }"
  const run = (machine: RubyMachine, code: string): Json => machine.call('evaluate', [code, '/test.rb'], () => null)

  it('is not collected while a call runs', () => {
    const machine = new RubyMachine(ownRuby.image(), {})
    expect(run(machine, `before = GC.count; 200.times { ${made} }; GC.count - before`)).toBe(0)
  })

  it('is collected between calls', () => {
    const machine = new RubyMachine(ownRuby.image(), {})
    for (let call = 0; call < 1500; call++) run(machine, `${made}; nil`)
    expect(machine.memorySize).toBeLessThan(260 * 1024 * 1024)
  })

  it('is collected where no fiber is needed', () => {
    const machine = new RubyMachine(ownRuby.image(), {})
    for (let call = 0; call < 1500; call++) machine.callAlone('evaluate', [`${made}; nil`, '/test.rb'])
    expect(machine.memorySize).toBeLessThan(260 * 1024 * 1024)
  })

  it('is collected now and then while a call waits for the host', () => {
    const machine = new RubyMachine(ownRuby.image(), {})
    const answer = () => {
      for (let call = 0; call < 1500; call++) run(machine, `${made}; nil`)
      return null
    }
    machine.call('evaluate', ["Plumb::Bridge.ask('call', 0, 'f', [])", '/test.rb'], answer)
    expect(machine.memorySize).toBeLessThan(400 * 1024 * 1024)
  })
})
