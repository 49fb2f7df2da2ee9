import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/json/json-checks.ts'
import type { RubyMachine } from '../../src/ruby/ruby-machine.ts'
import { createRubySandbox } from '../../src/ruby/ruby-sandbox.ts'
import { createMemoryFiles } from '../../src/ruby/wasi/guest-files.ts'
import { ownRuby } from '../../src/ruby/worker-share.ts'

const files = createMemoryFiles(new Map([['lib/a.rb', Buffer.from('module A; PLACE = __FILE__; end')]]))
const machine = createRubySandbox(ownRuby.image(), { 'code/env': files })

function evaluate(code: string, answer: (question: string, args: readonly Json[]) => Json = () => null): Json {
  return machine.call('evaluate', [code, '/code/env/test.rb'], answer)
}

function failure(code: string, on: RubyMachine = machine): string {
  try {
    return `no failure: ${JSON.stringify(on.call('evaluate', [code, '/code/env/test.rb'], () => null))}`
  } catch (error) {
    return (error as Error).message
  }
}

describe('a Ruby machine', () => {
  it.each<[string, Json]>([
    ['1 + 1', 2],
    ['1.0', ['f', '1.0']],
    ['10**20', ['i', '100000000000000000000']],
    ['[nil, :undef, :default, :a]', ['l', null, null, ['d'], 'a']],
    ['{ 2 => 1, "a" => {} }', ['h', 2, 1, 'a', ['h']]],
    ['"caf\\xC3\\xA9".b', 'café'],
    ['/a.b/', ['r', 'a.b']],
    ["require '/code/env/lib/a.rb'; A::PLACE", '/code/env/lib/a.rb'],
    ['Dir.children("/code/env/lib")', ['l', 'a.rb']],
    ['({ a: 1 }).to_s + { "b" => nil }.inspect', '{:a=>1}{"b"=>nil}'],
    ['"a" =~ nil', null],
    ['[File.exists?("/code"), Fixnum, PSON].to_s', '[true, Integer, JSON]'],
    ['Digest::SHA256.hexdigest("a")[0, 8]', 'ca978112'],
    ['YAML.load("a: [1]")["a"][0]', 1],
    ['IPAddr.new("10.0.0.1/8").to_s', '10.0.0.0'],
    ['OpenSSL::Digest::MD5.hexdigest("")[0, 4]', 'd41d'],
    ['"x" * 200_000', 'x'.repeat(200_000)],
  ])('%s', (code, expected) => {
    expect(evaluate(code)).toEqual(expected)
  })

  it('takes texts of any length', () => {
    for (const length of [65_520, 65_536, 131_072, 1_000_000])
      expect(evaluate('Puppet[:x].length', () => 'y'.repeat(length - 8))).toBe(length - 8)
  })

  it('asks at any depth, through exceptions and throws', () => {
    const depth = (question: string, args: readonly Json[]): Json =>
      question !== 'call' || Number(args[0]) === 0
        ? 0
        : evaluate(
            `catch(:done) { begin; raise 'x'; rescue; throw :done, 1 + Plumb::Bridge.ask('call', ${Number(args[0]) - 1}); end }`,
            depth,
          )
    expect(evaluate("Plumb::Bridge.ask('call', 100)", depth)).toBe(100)
  })

  it('goes on after thousands of calls, questions, and failures', () => {
    const code = '[1, 2].each { |x| x }; begin; nil.upcase; rescue NoMethodError; Puppet[:a]; end'
    for (let round = 0; round < 1500; round++) expect(evaluate(code, () => 'answer')).toBe('answer')
    for (let round = 0; round < 300; round++) expect(failure('Puppet[:a]; nil.foo')).toContain('undefined method')
    expect(evaluate("3000.times { Plumb::Bridge.ask('call', 1) }; 1")).toBe(1)
  })

  it('gives back the very error that an answer threw, unless Ruby rescues it', () => {
    const thrown = new Error('ours')
    const answer = (): never => {
      throw thrown
    }
    expect(() => evaluate('Puppet[:a]', answer)).toThrow(thrown)
    expect(evaluate('begin; Puppet[:a]; rescue => e; e.message; end', answer)).toBe('ours')
    expect(() => evaluate('begin; Puppet[:a]; rescue => e; raise e; end', answer)).toThrow(thrown)
  })

  it('answers at once inside an enumerator of Ruby', () => {
    expect(evaluate('Enumerator.new { |y| y << Puppet[:a] }.next', () => 'now')).toBe('now')
  })

  it.each([
    ['nil.foo', "undefined method `foo' for nil:NilClass"],
    ['foo', "undefined local variable or method `foo' for main:Object"],
    ['"a".foo(1)', 'undefined method `foo\' for "a":String'],
    ['Missing', 'uninitialized constant Missing'],
    ['raise Puppet::ParseError.new("x", "f.pp", 3)', 'x (file: f.pp, line: 3)'],
    ['def deep(n) = deep(n + 1); deep(0)', 'stack level too deep'],
    ['exit', 'exit'],
    ['File.read("/etc/shadow")', 'No such file or directory @ rb_sysopen - /etc/shadow'],
    ['File.read("/code/env/../../etc/shadow")', /No such file or directory/],
    ['File.write("/code/env/x", "")', /Read-only file system/],
    ['system("true")', /programs cannot be run/],
    ['`true`', /programs cannot be run/],
    ['IO.popen("true")', /programs cannot be run/],
    ['Open3.capture2("true")', 'Not supported'],
    ['TCPSocket.new("localhost", 22)', 'Network access is disabled'],
    ['require "net/http"; Net::HTTP.get(URI("http://localhost/"))', /Network access is disabled/],
    ['"x" * (1 << 30)', 'failed to allocate memory'],
  ])('%s fails alone', (code, expected) => {
    expect(failure(code)).toMatch(expected)
    expect(evaluate('1')).toBe(1)
  })

  it('exit! ends its machine and no other', () => {
    const other = createRubySandbox(ownRuby.image(), {})
    expect(failure('exit!', other)).toBe('Ruby code of a module ended its interpreter: Ruby ended with status 1')
    expect(other.isDead).toBe(true)
    expect(failure('1', other)).toContain('ended its interpreter')
    expect(evaluate('1')).toBe(1)
  })

  // Frames of newer Nodes are small enough for Ruby to reach its own limit, which is an exception.
  it('blocks nested without end fail alone or end their machine, and no other', () => {
    const other = createRubySandbox(ownRuby.image(), {})
    const reason = failure('def deep(n) = [1].each { deep(n) }; deep(0)', other)
    expect(reason).toMatch(/^(Ruby code of a module ended its interpreter: )?(stack level|blocks nested) too deep$/)
    expect(other.isDead).toBe(reason.includes('ended its interpreter'))
    expect(failure('1', other)).toContain(other.isDead ? 'ended its interpreter' : 'no failure: 1')
    expect(evaluate('1')).toBe(1)
  })

  it('shares nothing with another', () => {
    evaluate('$shared = 1; class String; def shouted = upcase; end')
    expect(failure('[$shared, "a".respond_to?(:shouted)]', createRubySandbox(ownRuby.image(), {}))).toBe(
      'no failure: ["l",null,false]',
    )
  })
})
