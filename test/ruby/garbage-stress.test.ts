import { describe, expect, it } from 'vitest'
import { unrulyFiles } from '../../bench/ruby-soak/unruly.js'
import type { Json } from '../../src/base/json/json-checks.ts'
import type { RubyMachine } from '../../src/ruby/ruby-machine.ts'
import { createRubySandbox } from '../../src/ruby/ruby-sandbox.ts'
import { ownRuby } from '../../src/ruby/worker-share.ts'
import { treeOf } from '../support/map-tree.ts'
import { plainRequest } from '../support/plain-request.js'

// Ruby that looks for garbage each time that it makes an object says what it says else. A live object that is taken for
// garbage then is found out at once, and not in one of a thousand catalogs.

import { isNight } from '../support/nightly.ts'
import { changed, stress } from './garbage-stressing.ts'

/** What Ruby code comes to; what it asks, `nested` code of the same machine answers, which may ask again. */
function said(machine: RubyMachine, code: string, nested: string): Json {
  const answer = (_: string, [depth]: readonly Json[]): Json =>
    Number(depth) === 0 ? 'end' : run(nested.replaceAll('DEPTH', String(Number(depth) - 1)))
  const run = (each: string): Json => machine.call('evaluate', [each, '/test.rb'], answer)
  return run(code)
}

describe('Ruby that always looks for garbage', () => {
  const [calm, stressed] = [0, 1].map(() => createRubySandbox(ownRuby.image(), {})) as [RubyMachine, RubyMachine]
  said(stressed, `GC.stress = ${isNight ? stress.all : stress.young}`, '')

  const ask = (depth: number | string) => `Plumb::Bridge.ask('call', ${depth})`
  it.each([
    ['maps', '%w[a b].map { |x| x * 3 + "." }.each_slice(2).map { |x| x.join("-") }.join', ''],
    [
      'hashes',
      '{ "a" => [1, { "b" => nil }] }.to_h { |k, v| [k.to_sym, v.inspect] }.map { |k, v| "#{k}#{v}" }.join',
      '',
    ],
    ['formats', '[format("%05.1f|%-5s|%+d", 1.25, "ab", 3), "a-b_c".tr("-", "_").scan(/\\w/).join("+")].join', ''],
    ['patterns', '"one two".gsub(/(?<first>\\w)(\\w*)/) { $~[:first].upcase + "x" }.sub(/O./) { |m| m * 2 }', ''],
    ['JSON', 'JSON.generate(JSON.parse("[1, {\\"a\\": [null, 1.5, \\"x\\"]}]"))', ''],
    ['exceptions', '3.times.map { |i| [i].each { |x| raise ArgumentError, "e#{x}" } rescue $!.message }.join', ''],
    ['throws', 'catch(:a) { 3.times.map { |i| [i].each { |x| throw :a, "t#{x}" if x == 2 } } }', ''],
    [
      'ensures',
      'all = []; (begin; [1].map { |x| raise "e" }; ensure; all << "s"; end rescue all << $!.message); all.join',
      '',
    ],
    [
      'fibers',
      'f = Fiber.new { 3.times.map { |i| Fiber.yield; "s#{i}" } }; r = nil; r = f.resume while f.alive?; r.join',
      '',
    ],
    ['enumerators', 'e = %w[a b].each_with_index; [e.next, e.peek, e.next, (e.next rescue $!.class)].join("+")', ''],
    ['procs', '->(a, b = a * 2, *c, d: "d") { [a, b, c, d].join }.curry(1).("x")', ''],
    ['eval', 'eval("x = 1; [x, binding.local_variables.size > 0].join")', ''],
    ['structs', 'S = Struct.new(:a, :b, keyword_init: true); S.new(a: "x", b: [1]).then { |s| s.a + s.b.inspect }', ''],
    ['questions', `%w[a b].map { |x| x * 2 + ${ask(2)} }.join`, `%w[c d].map { |x| x + ${ask('DEPTH')} }.sort.join`],
    [
      'questions, left',
      `[1, 2].map { |x| "#{x}" + (${ask(2)} rescue $!.message) }.join`,
      `[3].map { |x| ${ask('DEPTH')}; raise "e#{x}" }`,
    ],
    [
      'questions in a catch',
      `catch(:a) { [1].each { |x| throw :a, "#{x}" + ${ask(1)} } }`,
      `catch(:b) { [2].each { |x| throw :b, "#{x}" + ${ask('DEPTH')} } }`,
    ],
  ])('%s', (_, code, nested) => {
    expect(said(stressed, code, nested)).toEqual(said(calm, code, nested))
  })
})

describe('catalogs whose Ruby always looks for garbage', () => {
  it.each([
    'notice(unruly::alternate(2))',
    "notice(unruly::descend(1, 'text') |$depth, $text| { unruly::join([$text, unruly::raised($depth), unruly::thrown($depth)]) })",
    "$model = 'm' notice(template('unruly/nested.erb'))",
  ])('are those that they are else: %s', (call) => {
    const tree = { ...treeOf(unrulyFiles, '/code/production'), time: 0 }
    const parts = { name: 'production', tree, modulepath: [{ tree, path: 'site' }], version: 1, globalHiera: undefined }
    const request = plainRequest(
      { ...parts, manifest: { text: '' } },
      { facts: { round: 1, processors: { models: ['m'] } } },
    )
    expect(changed(request, [call])).toEqual([])
  })
})
