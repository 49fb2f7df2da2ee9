import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Json } from '../../../src/base/json/json-checks.ts'
import { NodeMachine, type NodeMachineOptions } from '../../../src/ruby/node/node-machine.ts'
import { NodeRuby } from '../../../src/ruby/node/node-ruby.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('native-ruby')
const options: NodeMachineOptions = {
  root: '',
  settings: {},
  facts: { kernel: 'Linux' },
  loadPath: [],
  nativeRuby: 'ruby',
  env: { PATH: process.env['PATH'] ?? '' },
  cwd: folder,
  debug: false,
}

/** An executable file. */
function writeProgram(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

const readChildren = (task: string) =>
  readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
/** Remains of other processes. */
const before = new Set(readdirSync(tmpdir()))

const isRunning = (pid: number) => existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readStatus(pid))
function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return 'State: Z'
  }
}

describe('an installed Ruby', () => {
  const machine = new NodeMachine(options)
  const evaluate = (code: string): Json => {
    const { value, error } = machine.call('evaluate', [code, '/code/x.rb'])
    return error ? `${error.kind}: ${error.message}` : (value ?? null)
  }

  it.each<[string, string, Json]>([
    ['loads gems with a C extension', "require 'msgpack'; MessagePack.unpack(MessagePack.pack([1, 'a']))", [1, 'a']],
    [
      'has threads that ask the host',
      "3.times.map { Thread.new { Facter.value('kernel') } }.map(&:value).uniq",
      ['Linux'],
    ],
    ['passes large values', '("x" * 3_000_000).then { |text| [text] * 3 }.sum(&:size)', 9_000_000],
    ['passes lines and bytes', '"a\\nb\\u2028\\u0000é"', 'a\nb\u2028\0é'],
    [
      'interrupts a loop',
      'begin; Timeout.timeout(0.1) { loop {} }; rescue Timeout::Error => error; error.message; end',
      'execution expired',
    ],
    [
      'interrupts code that asks the host all the time',
      "20.times.map { begin; Timeout.timeout(0.01) { loop { Facter.value('kernel') } }; rescue Timeout::Error; 1; end }.sum",
      20,
    ],
    [
      'ends threads that ask the host all the time',
      "thread = Thread.new { loop { Puppet[:certname] } }; 50.times { Thread.pass }; thread.kill; thread.join; 200.times.map { Puppet::Util::Package.versioncmp('1', '2') }.uniq",
      [-1],
    ],
    [
      'logs text of any encoding',
      'Puppet.warning("bin \\xE9"); Puppet.warning("bin \\xE9".b); Puppet.warning("gr\\xC3\\xBC\\xC3\\x9F".b); Puppet.warning("gr\\xFC\\xDF".force_encoding("ISO-8859-1")); 1',
      1,
    ],
    ['forks', 'Process.wait(fork { exit!(7) }); $?.exitstatus', 7],
    ['keeps forked processes from the bridge', 'fork; Process.wait rescue nil; 1', 1],
    [
      'runs a program as another user',
      "Puppet::Util::Execution.execute(['sh', '-c', 'id -u; id -g; umask'], uid: 65534, gid: 65534).to_s",
      '65534\n65534\n0022\n',
    ],
    [
      'gives a program input and its variables',
      "Puppet::Util::Execution.execute(['sh', '-c', 'cat; echo $A $LANG'], stdinfile: '/etc/hostname', custom_environment: { 'A' => 'b' }).to_s.lines.last",
      'b C\n',
    ],
    [
      'does not wait for a daemon that keeps the output open',
      "Puppet::Util::Execution.execute(['sh', '-c', 'echo begun; sleep 30 &']).to_s",
      'begun\n',
    ],
    [
      'reports a failing program',
      "Puppet::Util::Execution.execute(['false'], failonfail: true)",
      "Puppet::ExecutionFailure: Execution of 'false' returned 1: ",
    ],
    [
      'never loads an installed Puppet',
      "require 'puppet/application/agent'",
      'LoadError: cannot load such file -- puppet/application/agent',
    ],
    ['has types of the prelude', 'Puppet::Type.type(:nothing_here)', null],
  ])('%s', (_, code, expected) => {
    expect(evaluate(code)).toEqual(expected)
  })

  it('starts again after it ended', () => {
    const first = evaluate('Process.pid')
    expect(evaluate('exit!(3)')).toBe('crash: Ruby code of a module ended its interpreter: its process ended')
    const second = evaluate('Process.pid')
    expect(second).not.toBe(first)
    expect(evaluate('IO.for_fd(4, autoclose: false).syswrite("[]\\n"); 1')).toMatch(
      /^crash: .*: it sent an invalid message$/,
    )
    expect(evaluate('Process.pid')).not.toBe(second)
    expect(isRunning(second as number)).toBe(false)
  })

  it('is not waited for after it ended, while a forked process lives', () => {
    const code = `File.write('forked', fork { [$stdout, $stderr].each { |each| each.reopen(File::NULL) }; sleep 60 }.to_s); exit!(3)`
    expect(evaluate(code)).toMatch(/^crash: .*its process ended$/)
    const forked = Number(readFileSync(join(folder, 'forked'), 'utf8'))
    expect(isRunning(forked)).toBe(true)
    process.kill(forked)
  })

  it('ends where the first call fails', () => {
    const device = { name: 'd', type: 'nothing_here', url: '', debug: false, configurations: {} }
    const failing = new NodeMachine({ ...options, device })
    const children = () => readdirSync(`/proc/${process.pid}/task`).flatMap((task) => readChildren(task))
    const before = children().length
    for (const _ of [1, 2, 3]) expect(failing.call('evaluate', ['1', '/x.rb']).error).toBeDefined()
    expect(children().filter(isRunning).length).toBeLessThanOrEqual(before)
  })

  it('leaves no pipes behind', async () => {
    const list = () => readdirSync(tmpdir()).filter((name) => name.startsWith('plumb-ruby-') && !before.has(name))
    await expect.poll(list).toEqual([])
  })
})

describe('a program that is no usable Ruby', () => {
  it.each([
    ['missing', () => join(folder, 'none'), /^Could not start '.*none' as the Ruby of modules/],
    [
      'old',
      () => writeProgram('old', '#!/bin/sh\necho \'"it is Ruby 2.7.8; 3.1 or later is required"\' >&4\n'),
      /cannot run modules: it is Ruby 2\.7\.8/,
    ],
    ['silent', () => writeProgram('silent', '#!/bin/sh\n'), /cannot run modules: it ended while it loaded our code/],
    [
      'other',
      () => writeProgram('other', '#!/bin/sh\necho garbage >&4\n'),
      /cannot run modules: it ended while it loaded our code/,
    ],
  ])('%s', (_, program, expected) => {
    const { error } = new NodeMachine({ ...options, nativeRuby: program() }).call('evaluate', ['1', '/x.rb'])
    expect(error?.message).toMatch(expected)
  })
})

describe('the end of an installed Ruby', () => {
  const rubies: NodeRuby[] = []
  afterAll(() => Promise.all(rubies.map((each) => each.close())))
  const start = (signal?: AbortSignal) => {
    const ruby = new NodeRuby(options, () => {}, undefined, signal)
    rubies.push(ruby)
    return ruby
  }

  it('comes with the end of the run, which daemons survive', async () => {
    const ruby = start()
    const [pid, daemon] = (await ruby.call('evaluate', ["[Process.pid, spawn('sleep', '60')]", '/x.rb'])) as number[]
    await ruby.close()
    await expect.poll(() => isRunning(pid!)).toBe(false)
    expect(isRunning(daemon!)).toBe(true)
    process.kill(daemon!)
  })

  it('comes with the time limit, during a program too', async () => {
    const timeOver = new AbortController()
    const ruby = start(timeOver.signal)
    const pid = (await ruby.call('evaluate', ['Process.pid', '/x.rb'])) as number
    const file = join(folder, 'program')
    const call = ruby.call('evaluate', [`system("echo $$ > ${file}; exec sleep 60")`, '/x.rb'])
    await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : '')).toMatch(/\n/)
    timeOver.abort()
    await expect(call).rejects.toThrow('execution expired')
    await expect.poll(() => isRunning(pid)).toBe(false)
    await expect.poll(() => isRunning(Number(readFileSync(file, 'utf8')))).toBe(false)
  })

  it('comes when the process of the agent is killed', async () => {
    const code = "File.write('pid', $$.to_s); loop { sleep 1 }"
    const script = `
      import { NodeMachine } from '${join(import.meta.dirname, '../../../dist/ruby/node/node-machine.js')}'
      const machine = new NodeMachine(${JSON.stringify(options)})
      for (;;) machine.call('evaluate', [${JSON.stringify(code)}, '/x.rb'])`
    const agent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
    await expect
      .poll(() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8') !== '')
      .toBe(true)
    agent.kill('SIGKILL')
    await once(agent, 'exit')
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    await expect.poll(() => isRunning(pid)).toBe(false)
  })
})

it('plumb facts, apply and resource select it by the setting', () => {
  const main = join(import.meta.dirname, '../../../dist/main.js')
  writeFileSync(join(folder, 'own.rb'), 'Facter.add(:own) { setcode { RUBY_PLATFORM } }')
  const words = ['facts', '--custom-dir', folder, '--ruby_provider', 'native', '--ruby_path', 'ruby', 'own']
  expect(String(execFileSync(process.execPath, [main, ...words]))).toBe(
    String(execFileSync('ruby', ['-e', 'puts RUBY_PLATFORM'])),
  )
})
