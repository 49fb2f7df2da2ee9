import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { runPlumbTest } from './sample-suite.ts'

/** Runs examples of a suite that is only about RSpec. */
async function runExamples(code: string, words: readonly string[] = []) {
  const folder = scratchFolder('hostile')
  mkdirSync(join(folder, 'spec/classes'), { recursive: true })
  writeFileSync(join(folder, 'spec/classes/x_spec.rb'), `require 'rspec-puppet'\n${code}`)
  const { exitCode, stdout, stderr } = await runPlumbTest(folder, ['--jobs', '2', ...words])
  return { exitCode, stdout: String(stdout), stderr: String(stderr) }
}

describe(`a hostile suite${without('RSpec')}`, { skip: without('RSpec') !== '' }, () => {
  it.each([
    ['an endless example', 'loop {}', /took longer than 2 seconds/],
    [
      'an example that kills its process',
      'Process.kill(:KILL, Process.pid)',
      /process of the example ended \(signal 9\)/,
    ],
    ['an example that exits', 'exit!(3)', /process of the example ended \(exit status 3\)/],
    [
      'an example that closes all files',
      '(3..50).each { |n| IO.for_fd(n).close rescue nil }',
      /process of the example ended/,
    ],
    [
      'an example that writes to all files',
      '(3..50).each { |n| IO.for_fd(n, "w").write("x" * 100) rescue nil }; sleep',
      /process of the example ended|took longer/,
    ],
    [
      'an exception that cannot be copied',
      'raise Class.new(StandardError) { def initialize = (super("odd"); @x = proc {}) }',
      /odd/,
    ],
  ])('%s fails, and the others run', async (_, code, message) => {
    const examples = `describe 'x' do\n  it { expect(1).to eq(1) }\n  it('odd') { ${code} }\n  it { expect(2).to eq(2) }\nend`
    const { exitCode, stdout } = await runExamples(examples, ['--example-timeout', '2'])
    expect(stdout).toMatch(message)
    expect(stdout).toMatch(/^3 examples, 1 failure$/m)
    expect(exitCode).toBe(1)
  })

  it('spec files that never load end with a reason', async () => {
    const { exitCode, stderr } = await runExamples('loop {}', ['--example-timeout', '2'])
    expect(stderr).toContain('The spec files did not load within 2 seconds')
    expect(exitCode).toBe(1)
  })

  it('a process that ends while it loads spec files is reported', async () => {
    const { exitCode, stderr } = await runExamples('Process.kill(:KILL, Process.pid)')
    expect(stderr).toContain('The Ruby process of the suite ended before the suite: signal SIGKILL')
    expect(exitCode).toBe(1)
  })

  it('an invalid spec file is an error of RSpec', async () => {
    const { exitCode, stdout } = await runExamples('describe "x" do')
    expect(stdout).toMatch(/error occurred outside of examples/)
    expect(exitCode).toBe(1)
  })

  it('large output and large messages arrive', async () => {
    const code = `describe 'x' do\n  it { puts 'y' * 1_000_000; raise 'z' * 3_000_000 }\nend`
    const { stdout } = await runExamples(code)
    expect(stdout.length).toBeGreaterThan(3_000_000)
    expect(stdout).toMatch(/^1 example, 1 failure$/m)
  })

  it('garbage on the socket of the compiler fails the example only', async () => {
    const code = `describe 'x', type: :class do
  let(:pre_condition) { 'class x {}' }
  it { UNIXSocket.new(PlumbSpec.config['socket']).tap { |s| s.write("{]\\n[\\n" + 'x' * 100_000) }; is_expected.to compile }
  context 'with garbage' do
    let(:pre_condition) { 'class x {} notify { "y": }' }
    it { PlumbSpec::Transport.send(:socket).write("garbage\\n"); is_expected.to contain_class('x') }
    it { expect(catalogue.classes).to include('x') }
  end
end`
    const { stdout } = await runExamples(code, ['--jobs', '1'])
    expect(stdout).toMatch(/^3 examples, 1 failure$/m)
    expect(stdout).toContain('the compiler has closed the connection')
  })
})

/** Examples that the built-in Ruby must bound or refuse, with their failures. */
const refused: readonly (readonly [example: string, failure: RegExp])[] = [
  ['loop {}', /took longer than 20 seconds/],
  ['exit!(3)', /Ruby ended with status 3/],
  ['def deep(n) = [1].each { deep(n + 1) }; deep(0)', /SystemStackError|Ruby process of the example ended/],
  ['x = []; loop { x << "a" * 10_000_000 }', /failed to allocate memory|Ruby process of the example ended/],
  ['`true`', /Operation not permitted/],
  ['fork { }', /NotImplementedError/],
  ['File.read("/etc/passwd")', /No such file or directory/],
  ['File.read("../../../../../../../etc/passwd")', /No such file or directory/],
  [
    'require "tmpdir"; Dir.mktmpdir { |d| File.symlink("/etc/passwd", "#{d}/x"); File.read("#{d}/x") }',
    /No such file or directory/,
  ],
  ['File.write("spec/new", "x")', /Permission denied/],
  ['require "tmpdir"; Dir.mktmpdir { |d| File.write("#{d}/x", "y"); raise File.read("#{d}/x") * 3 }', /yyy/],
]

describe(`a hostile suite in the built-in Ruby${without('RSpec')}`, { skip: without('RSpec') !== '' }, () => {
  it('fails in the examples that it bounds or refuses, and the others run', async () => {
    const examples = refused.map(([code], index) => `  it('example ${index}') { ${code} }\n`).join('')
    const code = `describe 'x' do\n  it { expect(1).to eq(1) }\n${examples}  it { expect(2).to eq(2) }\nend`
    const { exitCode, stdout } = await runExamples(code, ['--ruby', 'built-in', '--example-timeout', '20'])
    refused.forEach(([, failure], index) => {
      const start = stdout.indexOf(`x example ${index}\n`)
      expect(start).toBeGreaterThan(0)
      expect(stdout.slice(start).split(/\n\n {2}\d+\) /, 1)[0]).toMatch(failure)
    })
    expect(stdout).toMatch(new RegExp(`^${refused.length + 2} examples, ${refused.length} failures$`, 'm'))
    expect(exitCode).toBe(1)
  })

  it('spec files that never load end with a reason', async () => {
    const { exitCode, stderr } = await runExamples('loop {}', ['--ruby', 'built-in', '--example-timeout', '2'])
    expect(stderr).toContain('The spec files did not load within 2 seconds')
    expect(exitCode).toBe(1)
  })

  it('a Ruby that ends while it loads spec files is reported', async () => {
    const { exitCode, stderr } = await runExamples('exit!(3)', ['--ruby', 'built-in'])
    expect(stderr).toContain('The built-in Ruby ended before the suite')
    expect(exitCode).toBe(1)
  })
})
