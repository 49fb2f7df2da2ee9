import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/base/json/json-checks.ts'
import { NodeMachine } from '../../../src/ruby/node/node-machine.ts'
import { isRubyNative, nativeRuby } from '../../support/native-ruby.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('node-machine')
const options = {
  root: '',
  settings: {},
  nativeRuby,
  facts: { kernel: 'Linux' },
  loadPath: [join(folder, 'lib')],
  env: { PATH: process.env['PATH'] ?? '', HOME: '/root', GREETING: 'hello' },
  cwd: folder,
  debug: false,
}
const machine = new NodeMachine(options)

function evaluate(code: string, on: NodeMachine = machine): Json {
  const { value, error } = on.call('evaluate', [code.replaceAll('@', folder), '/test.rb'])
  return error ? `${error.kind}: ${error.message}` : (value ?? null)
}

describe("a node's machine", () => {
  it('reads and writes files with their modes and owners', () => {
    expect(evaluate("File.write('@/a', 'one'); File.open('@/a', 'a') { |f| f.puts 'two' }; File.read('@/a')")).toBe(
      'onetwo\n',
    )
    expect(evaluate("File.write('@/secret', 'x', perm: 0600); File.stat('@/secret').mode.to_s(8)")).toBe('100600')
    expect(evaluate("File.chmod(04755, '@/a'); File.chown(1, 2, '@/a'); s = File.stat('@/a'); [s.uid, s.gid]")).toEqual(
      [1, 2],
    )
    expect(statSync(join(folder, 'a')).uid).toBe(1)
    expect(evaluate("[File.setuid?('@/a'), File.executable?('@/a'), File.executable?('@/secret')]")).toEqual([
      false,
      true,
      false,
    ])
  })

  it.each<[string, Json]>([
    [
      'begin; Timeout.timeout(0.2) { n = 0\nwhile true\nn += 1\nend }; rescue Timeout::Error => e; e.message; end',
      'execution expired',
    ],
    [
      "class Late < StandardError; end; begin; Timeout.timeout(0.2, Late, 'late') { loop { [1].each { |x| x } } }; rescue Late => e; e.message; end",
      'late',
    ],
    [
      'begin; Timeout.timeout(5) { Timeout.timeout(0.1) { `sleep 4` } }; rescue Timeout::Error => e; e.message; end',
      'execution expired',
    ],
    ['Timeout.timeout(5) { |seconds| seconds }', 5],
    [
      // Only collections of garbage look at the clock, since the loop is outside the block.
      'spin = -> { "x" * 9 while true }; begin; Timeout.timeout(0.2) { spin.call }; rescue Timeout::Error => e; e.message; end',
      'execution expired',
    ],
    [
      'begin; Timeout.timeout(0.1) { begin; n = 0\nwhile true\nn += 1\nend; ensure; $cleaned = [1, 2].map { |x| x * 2 }; end }; rescue Timeout::Error; $cleaned; end',
      [2, 4],
    ],
    ['Timeout.timeout(5, &:itself)', 5],
    [
      // More lines than a trace could run within the limit.
      'work = -> { 200_000.times { |n| n + 1 } }; Timeout.timeout(20) { work.call }',
      200_000,
    ],
    // Texts of real Puppet 7.23.
    [
      'Puppet::Parameter.format_value_for_display([{ "a" => {}, :b => [nil, 1.5] }, "c"])',
      "[\n  {\n    'a' => {\n\n    },\n    'b' => [undef, 1.5]\n  },\n  'c']",
    ],
    [
      'Puppet::Parameter.format_value_for_display({ "a" => ["x", { "b" => 1 }, "z"] })',
      "{\n  'a' => ['x',\n    {\n      'b' => 1\n    },\n    'z']\n}",
    ],
    [
      'Puppet::Parameter.format_value_for_display("v\u00e4l".b) + Puppet::Parameter.format_value_for_display(["a", 36.chr].join(10.chr))',
      `'v\u00c3\u00a4l'"a\\n\\$"`,
    ],
    ["Dir.mkdir('@/d', 0700); File.stat('@/d').mode.to_s(8)", '40700'],
    ["FileUtils.mkdir_p('@/e/f/g'); FileUtils.touch('@/e/f/g/h'); Dir.glob('@/e/**/*').size", 3],
    ["FileUtils.rm_rf('@/e'); File.exist?('@/e')", false],
    [
      "File.symlink('nowhere', '@/l'); [File.readlink('@/l'), File.symlink?('@/l'), File.exist?('@/l')]",
      ['nowhere', true, false],
    ],
    [
      "File.rename('@/l', '@/m'); File.unlink('@/m'); File.lstat('@/m')",
      'Errno::ENOENT: No such file or directory @ rb_file_s_lstat - @/m',
    ],
    ['File.stat("@/none")', 'Errno::ENOENT: No such file or directory @ rb_file_s_stat - @/none'],
    ['File.chmod(0600, "@/none")', 'Errno::ENOENT: No such file or directory @ apply2files - @/none'],
    ['File.lchown(0, 0, "@/none")', 'Errno::ENOENT: No such file or directory @ apply2files - @/none'],
    ["File.read('@/none')", 'Errno::ENOENT: No such file or directory @ rb_sysopen - @/none'],
    ["File.utime(1000, 2000, '@/secret'); File.mtime('@/secret').to_i", 2000],
    ["Tempfile.create('t') { |f| f.write('x'); f.flush; File.stat(f.path).mode.to_s(8) }", '100600'],
    [
      "File.open('@/new', File::WRONLY | File::CREAT | File::EXCL, 0640) { |f| f << 'n' }; [File.read('@/new'), File.stat('@/new').mode & 0777]",
      ['n', 0o640],
    ],
    ["File.open('@/new', File::WRONLY | File::CREAT | File::EXCL)", 'Errno::EEXIST: File exists @ rb_sysopen - @/new'],
    [
      "f = File.new('@/new', 'r+'); f.seek(0, IO::SEEK_END); f.write('!'); f.rewind; f.truncate(1); f.close; File.size('@/new')",
      1,
    ],
    ["File.realpath('/proc/self/../..')", '/'],
    ["[File.exist?('/usr/bin/env'), File.file?('/usr/sbin/adduser'), Dir.exist?('/usr')]", [true, true, true]],
    ["FileUtils.cp('/etc/hostname', '@/copy'); File.read('@/copy') == File.read('/etc/hostname')", true],
    ["require 'pathname'; Pathname.new('@/d').children.size", 0],
    ["File.open('/dev/null', 'w') { |f| f.puts 'gone' }", null],
  ])('%s', (code, expected) => {
    expect(JSON.parse(JSON.stringify(evaluate(code)).replaceAll(folder, '@'))).toEqual(expected)
  })

  it.each<[string, Json]>([
    ['`echo one two`', 'one two\n'],
    ["`printf 'a\\nb' | wc -l`.strip", '1'],
    ["system('exit 3'); [$?.exitstatus, $?.success?, $CHILD_STATUS.to_i]", [3, false, 768]],
    ["system('/nowhere/at/all')", null],
    ['`/nowhere/at/all`', 'Errno::ENOENT: No such file or directory - /nowhere/at/all'],
    ["system('true') && !system('false')", true],
    [
      "Open3.capture3('sh', '-c', 'cat; echo err >&2; exit 2', stdin_data: 'in').then { |o, e, s| [o, e, s.exitstatus] }",
      ['in', 'err\n', 2],
    ],
    ["Open3.capture2e({ 'X' => 'y' }, 'echo $X; echo e >&2').first", 'y\ne\n'],
    ["IO.popen(['cat'], 'r+') { |io| io.puts 'through'; io.close_write; io.read }", 'through\n'],
    ["IO.popen('echo $GREETING').each_line.to_a", ['hello\n']],
    ["Open3.popen3('cat') { |i, o, e, t| i.puts 'x'; i.close; [o.read, t.value.success?] }", ['x\n', true]],
    ["pid = Process.spawn('exit 4'); Process.wait(pid); $?.exitstatus", 4],
    ["open('| echo piped') { |io| io.read }", 'piped\n'],
    ['`pwd`.chomp', '@'],
    ["Dir.chdir('/') { `pwd`.chomp }", '/'],
    ["ENV['GREETING'] = 'changed'; `echo $GREETING`", 'changed\n'],
    ["system('kill -9 $$'); [$?.signaled?, $?.termsig]", [true, 9]],
    ['Timeout.timeout(1) { `sleep 5` }', 'Timeout::Error: execution expired'],
    ["begin; Timeout.timeout(0.05) { sleep 5 }; rescue Timeout::Error; 'late'; end", 'late'],
    ['`head -c 3 /dev/zero`.bytes', [0, 0, 0]],
  ])('%s', (code, expected) => {
    expect(JSON.parse(JSON.stringify(evaluate(code)).replaceAll(folder, '@'))).toEqual(expected)
  })

  it.each<[string, Json]>([
    ["Etc.getpwnam('root').dir", '/root'],
    ['Etc.getpwuid(0).name', 'root'],
    ['Etc.getgrgid(0).name', 'root'],
    ["Etc.getgrnam('no-such-group')", "ArgumentError: can't find group for no-such-group"],
    ['Process.pid == Process.ppid', false],
    [isRubyNative ? 'Process.ppid' : 'Process.pid', process.pid],
    ['Process.euid', process.geteuid?.() ?? 0],
    ['Socket.gethostname', hostname()],
    ["Facter.value('kernel')", 'Linux'],
    [
      "FileUtils.mkdir_p('@/installed/puppet'); FileUtils.touch('@/installed/puppet/version.rb'); $LOAD_PATH << '@/installed'; $LOAD_PATH.unshift('@/installed'); $LOAD_PATH.include?('@/installed')",
      false,
    ],
    ['Thread.new { 7 }.value', 7],
    ["File.expand_path('~root')", '/root'],
    ['Time.now.to_i > 1_600_000_000', true],
    [
      'a = Process.clock_gettime(Process::CLOCK_MONOTONIC); sleep 0.05; Process.clock_gettime(Process::CLOCK_MONOTONIC) - a >= 0.05',
      true,
    ],
  ])('%s', (code, expected) => {
    expect(evaluate(code)).toEqual(expected)
  })

  it('loads from its path, and shows a root as the whole', () => {
    mkdirSync(join(folder, 'lib'), { recursive: true })
    writeFileSync(join(folder, 'lib', 'brought.rb'), 'BROUGHT = __FILE__')
    expect(evaluate("require 'brought'; BROUGHT")).toBe(join(folder, 'lib', 'brought.rb'))
    const root = join(folder, 'root')
    mkdirSync(join(root, 'etc'), { recursive: true })
    const rooted = new NodeMachine({ ...options, root, cwd: '/' })
    expect(evaluate("File.write('/etc/motd', 'hi'); Dir.children('/etc')", rooted)).toEqual(['motd'])
    expect(readFileSync(join(root, 'etc', 'motd'), 'utf8')).toBe('hi')
    expect(
      evaluate(
        "File.chmod(0600, '/etc/motd'); require 'brought'; [BROUGHT, File.stat('/etc/motd').mode & 0777]",
        rooted,
      ),
    ).toEqual([join(folder, 'lib', 'brought.rb'), 0o600])
  })

  it('is another one after a crash', () => {
    expect(evaluate('$kept = 1; Process.exit!(1)')).toMatch(/^crash: /)
    expect(evaluate('$kept')).toBe(null)
    expect(evaluate('exit 1')).toMatch(/^SystemExit: /)
  })

  it('logs text of any encoding, as Puppet does', () => {
    const code = String.raw`Puppet.warning("bin \xE9"); Puppet.warning("gr\xC3\xBC\xC3\x9F".b); Puppet.warning("gr\xFC\xDF".force_encoding("ISO-8859-1"))`
    expect(machine.call('evaluate', [code, '/test.rb']).logs.map(({ message }) => message)).toEqual([
      String.raw`Received a Log attribute with invalid encoding:"bin \xE9"`,
      'grüß',
      'grüß',
    ])
  })

  it('keeps only so many lines of a call', () => {
    const { logs } = machine.call('evaluate', ['6_000.times { |i| Puppet.notice(i.to_s) }', '/test.rb'])
    expect(logs).toHaveLength(5_001)
    expect(logs.at(-1)?.level).toBe('warning')
  })
})
