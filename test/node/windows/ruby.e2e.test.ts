import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { onDriveZ, startWindows, type WindowsMachine, windowsFolder } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')

const node = onDriveZ(join(windowsFolder, 'node.exe'))

/** Ways of Ruby to run programs, with their output or error. */
const ways: Readonly<Record<string, readonly [code: string, says: string]>> = {
  'words for a batch file': [`execute.call(['C:/tools/words.cmd', 'a b', 'c&d', '"e"'])`, '["a b","c&d","\\"e\\""]'],
  'a line for a batch file': [String.raw`execute.call('C:\\tools\\words.cmd "a b" c')`, '["a b","c"]'],
  'a batch file of the path': ["Puppet::Util.withenv('PATH' => 'C:/tools') { execute.call('words one') }", '["one"]'],
  'backticks for a batch file': ['`C:/tools/words.cmd "a b" d`', '["a b","d"]'],
  'a path with spaces': ["execute.call('C:/tools/a b/say.bat x')", 'said x'],
  'a path with spaces as one word': ["execute.call(['C:/tools/a b/say'])", 'said'],
  'one word with spaces': [
    "execute.call(['cmd.exe /c echo x'])",
    'Errno::ENOENT: No such file or directory - CreateProcess',
  ],
  'a line without a shell': [
    String.raw`execute.call(%q("${node}" C:\tools\args.cjs "a b" c\"d <in> | & %PATHEXT% ^))`,
    '["a b","c\\"d","<in>","|","&","%PATHEXT%","^"]',
  ],
  'a command of cmd.exe without a shell': [
    "execute.call('echo x')",
    'Errno::ENOENT: No such file or directory - CreateProcess',
  ],
  'backticks for a shell': ['`echo a& echo b`.split.inspect', '["a", "b"]'],
  'a pipe': [
    `Puppet::Util::Execution.execpipe('cmd.exe /c "echo a& echo b 1>&2"') { |pipe| pipe.read.split.inspect }`,
    '["a", "b"]',
  ],
  'a program of the current folder': [
    "Open3.capture2('planted', chdir: 'C:/work')",
    'Errno::ENOENT: No such file or directory - planted',
  ],
  'a program of a relative folder': [
    "Open3.capture2({ 'PATH' => '.;work' }, 'planted', chdir: 'C:/work')",
    'Errno::ENOENT: No such file or directory - planted',
  ],
  'a path without a drive': [
    "Open3.capture2('/bin/sh', '-c', 'x')",
    'Errno::ENOENT: No such file or directory - /bin/sh',
  ],
  'a shell of Linux on the path': ["Puppet::Util.which('/bin/sh').inspect", 'nil'],
  'words that no batch file can receive': [
    String.raw`Open3.capture2('C:/tools/words.cmd', "a\nb")`,
    'Errno::EINVAL: Invalid argument - C:/tools/words.cmd',
  ],
  'folders of facts': ['Facter::Core::Execution.search_paths.grep(/sbin/).inspect', '[]'],
  'the command of cmd.exe that facts can run': ["Facter::Core::Execution.execute('echo x')", 'x'],
  'a command of cmd.exe in a fact': [
    "Facter::Core::Execution.execute('ver')",
    "Facter::Core::Execution::ExecutionFailure: Could not execute 'ver': command not found",
  ],
  'a command that is not looked up': [
    "Facter::Core::Execution.execute('echo x', expand: false)",
    'ArgumentError: Unsupported argument on Windows expand with value false',
  ],
}

const files = {
  'lib/puppet/type/marker.rb': `
    Puppet::Type.newtype(:marker) do
      ensurable
      newparam(:path, namevar: true) do
        validate { |path| raise ArgumentError, "not absolute: #{path}" unless Puppet::Util.absolute_path?(path) }
      end
      newproperty(:content)
    end`,
  'lib/puppet/provider/marker/files.rb': `
    require_relative '../../../marker_text'
    Puppet::Type.type(:marker).provide(:files) do
      confine kernel: :windows
      commands cmd: 'cmd.exe'
      def exists? = File.exist?(resource[:path])
      def create = File.write(resource[:path], MarkerText.of(cmd('/c', 'echo', resource[:content])))
      def destroy = File.delete(resource[:path])
      def content = File.read(resource[:path]).strip
      def content=(text)
        File.write(resource[:path], MarkerText.of(text))
      end
    end`,
  'lib/marker_text.rb': 'module MarkerText; def self.of(text) = "#{text.strip}\\n"; end',
  'lib/puppet/type/ffi_user.rb': 'Puppet::Type.newtype(:ffi_user) { ensurable; newparam(:name, namevar: true) }',
  'lib/puppet/provider/ffi_user/api.rb': `
    Puppet::Type.type(:ffi_user).provide(:api) do
      def exists? = Win32::Registry::HKEY_LOCAL_MACHINE.nil?
    end`,
  'lib/puppet/functions/windows_view.rb': `
    Puppet::Functions.create_function(:windows_view) do
      dispatch(:view) {}
      def view
        [RbConfig::CONFIG['host_os'], Puppet.features.microsoft_windows?, File::ALT_SEPARATOR, File::PATH_SEPARATOR,
         File.expand_path('../y', 'C:/work/a'), File.expand_path('c:\\\\x\\\\.'), File.exist?('C:\\\\work\\\\site.pp'), Dir.exist?('C:/work'),
         Dir.children('C:/work').include?('site.pp'), Dir.glob('C:/work/si*.pp'), ENV['SYSTEMroot'] == ENV['SystemRoot'],
         Dir.pwd.match?(/\\A[A-Z]:/), \`cmd.exe /c echo hi\`.strip, \`echo a&echo b\`.split.join, system('exit 3'), $?.exitstatus,
         Puppet::Util.which('reg').to_s.downcase.end_with?('reg.exe')].inspect
      end
    end`,
  'lib/puppet/functions/windows_programs.rb': `
    require 'open3'
    Puppet::Functions.create_function(:windows_programs) do
      dispatch(:programs) {}
      def programs
        execute = ->(command) { Puppet::Util::Execution.execute(command, failonfail: false, combine: true) }
        ways = { ${Object.entries(ways)
          .map(([name, [code]]) => `'${name}' => -> { ${code} }`)
          .join(',\n')} }
        File.write('C:/work/programs.json', JSON.generate(ways.transform_values { |way| said(&way) }))
        'done'
      end
      def said
        Array(yield).first.to_s.strip
      rescue StandardError => error
        "#{error.class}: #{error.message}"
      end
    end`,
  'lib/facter/ruby_fact.rb': `
    Facter.add(:ruby_fact) { setcode { Facter::Core::Execution.execute('cmd.exe /c echo factual') } }`,
}

describe.skipIf(missing)(`module Ruby on Windows${missing}`, () => {
  let windows: WindowsMachine
  beforeAll(async () => {
    windows = await startWindows()
    for (const [name, text] of Object.entries(files)) {
      const path = join(windows.driveC, 'modules/marker', name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    const programs = {
      'tools/args.cjs': 'console.log(JSON.stringify(process.argv.slice(2)))\n',
      'tools/words.cmd': `@"${node.replaceAll('/', '\\')}" C:\\tools\\args.cjs %*\r\n`,
      'tools/a b/say.bat': '@echo said %1\r\n',
      'work/planted.bat': '@echo planted\r\n',
    }
    for (const [name, text] of Object.entries(programs)) {
      mkdirSync(dirname(join(windows.driveC, name)), { recursive: true })
      writeFileSync(join(windows.driveC, name), text)
    }
  })
  afterAll(() => windows?.stop())

  const apply = (manifest: string) => {
    writeFileSync(join(windows.driveC, 'work/site.pp'), manifest)
    const words = ['apply', '--detailed-exitcodes', '--modulepath', 'C:\\modules', 'C:\\work\\site.pp']
    return windows.plumb(words)
  }

  it('applies a type with a provider, and changes nothing in a second run', async () => {
    const manifest = `marker { 'C:/work/marker.txt': ensure => present, content => 'one' }`
    expect(await apply(manifest)).toMatchObject({ exitCode: 2, stderr: '' })
    expect(readFileSync(join(windows.driveC, 'work/marker.txt'), 'utf8')).toBe('one\n')
    expect(await apply(manifest)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await apply(manifest.replace('present', 'absent'))).toMatchObject({ exitCode: 2, stderr: '' })
    expect((await apply(`marker { '/work/x': ensure => present }`)).stderr).toContain('not absolute: /work/x')
  })

  it('shows Ruby a Windows: drives, variables, programs', async () => {
    const { stdout, stderr } = await apply(`notify { 'view': message => Deferred('windows_view') }`)
    expect(stderr).toBe('')
    expect(stdout).toContain(
      'Notice: ["mingw32", true, "\\\\", ";", "C:/work/y", "c:/x", true, true, true, ["C:/work/site.pp"], true, true, "hi", "ab", false, 3, true]',
    )
  })

  it('runs programs as Ruby and Puppet do, and none of a folder that others can write to', async () => {
    const { stdout, stderr } = await apply(`notify { 'programs': message => Deferred('windows_programs') }`)
    expect(stderr).toBe('')
    expect(stdout).toContain('Notice: done')
    const said = JSON.parse(readFileSync(join(windows.driveC, 'work/programs.json'), 'utf8')) as unknown
    expect(said).toEqual(Object.fromEntries(Object.entries(ways).map(([name, [, says]]) => [name, says])))
  })

  it('reports calls of functions of Windows by name', async () => {
    const { stderr } = await apply(`ffi_user { 'x': ensure => present }`)
    expect(stderr).toContain('Win32::Registry::HKEY_LOCAL_MACHINE calls functions of Windows')
  })
})
