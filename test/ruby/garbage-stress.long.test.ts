import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unrulyFiles } from '../../bench/ruby-soak/unruly.js'
import type { Json } from '../../src/base/wire.ts'
import { begin } from '../../src/compiler/begin/begin.ts'
import { compile } from '../../src/compiler/compile.ts'
import type { CompileRequest } from '../../src/compiler/request/compile-request.ts'
import { LegacyRubyFunction, RubyFunction } from '../../src/ruby/functions.ts'
import { RubyMachine } from '../../src/ruby/machine.ts'
import { ownRuby } from '../../src/ruby/ruby-share.ts'
import { debianModules } from '../support/debian-modules.ts'
import { treeOf } from '../support/map-tree.ts'
import { without } from '../support/needs.ts'
import { plainRequest } from '../support/plain-request.js'
import { filesOf, requestOf } from './beside-puppet.ts'
import { functionProbes } from './function-probes.ts'
import { templateProbes } from './template-probes.ts'

// Ruby that looks for garbage each time that it makes an object says what it says else. A live object that is taken for
// garbage then is found out at once, and not in one of a thousand catalogs.

const isNightly = process.env.CI_NIGHTLY === '1'

/** Every so many templates, functions and types; of each, every so many probes. */
const [files, probes] = isNightly ? [1, 5] : [200, 3]

/** At each object, Ruby looks for garbage among all, which takes 6 ms, or among those that are new: 0.5 ms. */
const stress = { all: 'true', young: '1' } as const

/** What Ruby code comes to; what it asks, `nested` code of the same machine answers, which may ask again. */
function said(machine: RubyMachine, code: string, nested: string): Json {
  const answer = (_: string, [depth]: readonly Json[]): Json =>
    Number(depth) === 0 ? 'end' : run(nested.replaceAll('DEPTH', String(Number(depth) - 1)))
  const run = (each: string): Json => machine.call('evaluate', [each, '/test.rb'], answer)
  return run(code)
}

describe('Ruby that always looks for garbage', () => {
  const [calm, stressed] = [0, 1].map(() => new RubyMachine(ownRuby.image(), {})) as [RubyMachine, RubyMachine]
  said(stressed, `GC.stress = ${isNightly ? stress.all : stress.young}`, '')

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

/** What a manifest comes to, in one text. */
function outcome(request: CompileRequest, environment: string, text: string): string {
  try {
    const { catalog, logs } = compile({
      ...request,
      environment: { ...request.environment, name: environment, manifest: { text } },
    })
    const resources = catalog.resources.map(({ type, title, parameters }) => [type, title, [...parameters]])
    return JSON.stringify([logs.map(({ level, message }) => [level, message]), resources])
  } catch (error) {
    return `! ${(error as Error).message}`
  }
}

/** Manifests that come to another thing when Ruby looks for garbage among new objects at each. */
function changed(request: CompileRequest, manifests: readonly string[]) {
  const set = `notice(inline_template('<% GC.stress = ${stress.young} %>'))`
  const count = () => {
    const said = outcome(request, 'stress', countCollections)
    expect(said).toMatch(/\["notice","\d+"\]/)
    return Number(/\["notice","(\d+)"\]/.exec(said)![1])
  }
  outcome(request, 'stress', set)
  const before = count()
  const stressed = manifests.map((text) => outcome(request, 'stress', text))
  expect(count() - before).toBeGreaterThan(manifests.length * 50)
  return manifests.flatMap((text, index) => {
    const calm = outcome(request, 'calm', text)
    return calm === stressed[index] ? [] : [{ text, calm, stressed: stressed[index] }]
  })
}

const countCollections = "notice(inline_template('<%= GC.count %>'))"
const every = <Item>(step: number, items: readonly Item[]) => items.filter((_, index) => index % step === 0)

describe('catalogs whose Ruby always looks for garbage', () => {
  it('are those that they are else, through manifests and Ruby in turns', () => {
    const tree = { ...treeOf(unrulyFiles, '/code/production'), time: 0 }
    const parts = { name: 'production', tree, modulepath: [{ tree, path: 'site' }], version: 1, globalHiera: undefined }
    const request = plainRequest(
      { ...parts, manifest: { text: '' } },
      { facts: { round: 1, processors: { models: ['m'] } } },
    )
    const calls = [
      'notice(unruly::alternate(2))',
      "notice(unruly::descend(1, 'text') |$depth, $text| { unruly::join([$text, unruly::raised($depth), unruly::thrown($depth)]) })",
      "$model = 'm' notice(template('unruly/nested.erb'))",
    ]
    expect(changed(request, calls)).toEqual([])
  })
})

const lacking = without("Debian's modules")

describe.skipIf(lacking)(`Debian's modules, whose Ruby always looks for garbage${lacking}`, () => {
  const patience = { timeout: 7_200_000 }

  it('have templates that give the same text', patience, () => {
    const manifests = every(files, filesOf(debianModules, 'templates', '.erb')).flatMap(([module, path]) =>
      every(
        probes,
        templateProbes(`${module}/${path}`, readFileSync(join(debianModules, module, 'templates', path), 'utf8')),
      ),
    )
    expect(changed(requestOf(debianModules, ''), manifests)).toEqual([])
  })

  it.each([
    ['4.x', 'lib/puppet/functions', RubyFunction],
    ['3.x', 'lib/puppet/parser/functions', LegacyRubyFunction],
  ] as const)('have functions of the %s API that are worth the same', patience, (_, folder, kind) => {
    const request = requestOf(debianModules, '')
    const { host, top } = begin(request, [])
    const names = filesOf(debianModules, folder, '.rb').map(([, path]) =>
      path.slice(0, -'.rb'.length).replaceAll('/', '::'),
    )
    const found = [...new Set(names)]
      .filter((name) => !byChance.has(name))
      .map((name) => [name, host.findFunction(name, top)] as const)
      .flatMap(([name, callable]) => (callable instanceof kind ? [[name, callable] as const] : []))
    const manifests = every(files >> 1 || 1, found).flatMap(([name, callable]) =>
      every(probes * 2, functionProbes(name, callable)),
    )
    expect(manifests.length).toBeGreaterThan(0)
    expect(changed(request, manifests)).toEqual([])
  })

  it('have types that are the same', patience, () => {
    const types = filesOf(debianModules, 'lib/puppet/type', '.rb').map(([, path]) => path.slice(0, -'.rb'.length))
    const manifests = every(files, types).map((type) => `${type} { 'a title': }`)
    expect(changed(requestOf(debianModules, ''), manifests)).toEqual([])
  })
})

/** Functions that do not say the same twice. */
const byChance = new Set(['shuffle', 'str2saltedsha512', 'time', 'date', 'pry'])
