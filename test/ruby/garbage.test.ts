import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/json/json-checks.ts'
import type { RubyAnswer, RubyMachine } from '../../src/ruby/ruby-machine.ts'
import { createRubySandbox } from '../../src/ruby/ruby-sandbox.ts'
import { ownRuby } from '../../src/ruby/worker-share.ts'

const nobody: RubyAnswer = () => null
const fresh = () => createRubySandbox(ownRuby.image(), {})
const run = (machine: RubyMachine, code: string, answer = nobody): Json =>
  machine.call('evaluate', [code, '/test.rb'], answer)

/** Ruby code that leaves behind 0.8 MiB; some hundred of it is more than a machine has for later from its start. */
const garbage = "Array.new(200) { |number| 'text' * 1000 + number.to_s }"
/** Collects garbage, and puts other objects in its place. */
const collect = "GC.start; Array.new(20_000) { |number| 'text ' * 3 + number.to_s }"
const mebibyte = 2 ** 20

/** How much more a machine holds after Ruby code, in MiB, without the memory that it has for later from its start. */
function growth(code: string): number {
  const machine = fresh()
  const before = machine.memorySize
  expect(run(machine, `${code}; 1`)).toBe(1)
  return (machine.memorySize - before) / mebibyte
}

describe("Ruby's garbage", () => {
  it('is collected while a call runs', () => {
    expect(growth(`400.times { ${garbage} }`)).toBeLessThan(8)
  })

  it('is collected in the calls that another call waits for', () => {
    const machine = fresh()
    const before = machine.memorySize
    const answer = () => {
      for (let call = 0; call < 400; call++) run(machine, `${garbage}; nil`)
      return null
    }
    run(machine, "Plumb::Bridge.ask('call', 0, 'f', [])", answer)
    expect(machine.memorySize - before).toBeLessThan(8 * mebibyte)
  })

  it('is collected where no fiber is needed', () => {
    const machine = fresh()
    const before = machine.memorySize
    for (let call = 0; call < 400; call++) machine.callAlone('evaluate', [`${garbage}; nil`, '/test.rb'])
    expect(machine.memorySize - before).toBeLessThan(8 * mebibyte)
  })

  // Only a variable of C's `map` has the list: of a fiber that was left, WebAssembly keeps it aside.
  it.each<[string, string]>([
    [
      'a fiber that was left',
      `f = Fiber.new { 5.times.map { |i| Fiber.yield; "s#{i}" } }; 3.times { f.resume }; ${collect}`,
    ],
    [
      'an enumerator that was left',
      `f = Enumerator.new { |to| to << 0; to << 5.times.map { |i| to << i; "s#{i}" } }; 3.times { f.next }; ${collect}; def f.resume = self.next; def f.alive? = @last.nil?`,
    ],
  ])('is nothing of %s', (_, code) => {
    const rest = 'last = nil; loop { last = f.resume; break if last.is_a?(Array) }; last.join'
    expect(run(fresh(), `${code}; ${rest}`)).toBe('s0s1s2s3s4')
  })

  it('is nothing of the calls that wait for the host, at any depth', () => {
    const machine = fresh()
    const nested = (depth: number): Json =>
      run(
        machine,
        `${collect}; %w[a b c].map { |each| each * 3 + (each == 'b' ? Plumb::Bridge.ask('call', ${depth}) : '.') }.each_slice(2).map(&:join).join`,
        (_, [inner]) => (inner === 0 ? '' : nested(Number(inner) - 1)),
      )
    const expected = (depth: number): string => `aaa.bbb${depth === 0 ? '' : expected(depth - 1)}ccc.`
    expect(nested(6)).toBe(expected(6))
  })

  it('never moves what stays: the host holds addresses', () => {
    expect(() => run(fresh(), 'GC.compact')).toThrow('unimplemented')
    expect(() => run(fresh(), 'GC.auto_compact = true')).toThrow('unimplemented')
    expect(() => run(fresh(), 'GC.verify_compaction_references')).toThrow('unimplemented')
  })
})

describe("Ruby's memory", () => {
  // Each is more than a machine may hold, or more than its stack, if a tenth of it stayed.
  it.each([
    ['exceptions in a loop', "20_000.times { begin; raise 'x'; rescue; end }"],
    ['exceptions through blocks', "30_000.times { begin; [1].each { raise 'x' }; rescue; end }"],
    ['throws through blocks', '30_000.times { catch(:found) { [1].each { throw :found } } }'],
    ['breaks out of blocks', '30_000.times { [1].each { break } }'],
    ['enumerators that are left', '5_000.times { [1, 2].each.next }'],
    ['fibers that are left', '5_000.times { Fiber.new { [1].each { Fiber.yield } }.resume }'],
  ])('holds nothing of %s', (_, code) => {
    expect(growth(code)).toBeLessThan(16)
  })
})
