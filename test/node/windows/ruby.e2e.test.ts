import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { startWindows, type WindowsMachine } from '../../support/windows/wine.ts'

const missing = without('Windows (Wine)')

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

  it('reports calls of functions of Windows by name', async () => {
    const { stderr } = await apply(`ffi_user { 'x': ensure => present }`)
    expect(stderr).toContain('Win32::Registry::HKEY_LOCAL_MACHINE calls functions of Windows')
  })
})
