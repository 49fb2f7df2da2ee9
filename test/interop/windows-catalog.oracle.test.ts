import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knownSystems } from '../compiler/systems/known-systems.ts'
import { controlRepository } from '../support/control-repository.ts'
import { type RunningServer, startServer } from '../support/plumb.ts'
import { hasPuppet, noModules, withoutPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const certname = 'win01.corp.example.test'
const crlf = '[app]\r\npath=C:\\app\r\n'
const utf16 = Buffer.from('\uFEFFWrite-Output "\u00e9"\r\n', 'utf16le')
const manifest = `
if $facts['kernel'] != 'windows' { fail("not Windows: \${facts['kernel']}") }
File { source_permissions => ignore }
file { 'C:/app': ensure => directory, recurse => true, source => 'puppet:///modules/app/tree' }
file { 'C:/crlf.ini': source => 'puppet:///modules/app/crlf.ini' }
file { 'C:\\\\back.ini': source => 'puppet:///modules/app/crlf.ini', require => File['C:/crlf.ini'] }
file { 'C:/template.ini': content => epp('app/template.epp', { 'user' => $facts['identity']['user'] }) }
file { 'C:/bytes.ps1': content => file('app/utf-16.ps1') }
`

/** A fact that replaces one of this machine. */
const factOf = (name: string) => `Facter.add(:${name}) do
  has_weight 1000
  setcode { JSON.parse(${JSON.stringify(JSON.stringify([knownSystems['windows-2022']![name]]))}).first }
end
`

describe.skipIf(!hasPuppet)(`a real Puppet agent that accepts paths of Windows${withoutPuppet}`, () => {
  const home = scratchFolder('windows-agent')
  const machine = scratchFolder('windows-machine')
  const shim = join(import.meta.dirname, '../oracle/windows-paths.rb')
  let server: RunningServer

  beforeAll(async () => {
    const repository = controlRepository({
      'manifests/site.pp': manifest.replaceAll('\n', '\r\n'),
      'modules/app/files/crlf.ini': crlf,
      'modules/app/files/utf-16.ps1': utf16,
      'modules/app/files/tree/run.bat': '@echo off\r\n',
      'modules/app/files/tree/sub/\u00fcber uns.txt': 'x\r\n',
      'modules/app/templates/template.epp': '<%- | String $user | -%>\r\nuser=<%= $user %>\r\n',
      'modules/app/lib/puppet/functions/app/none.rb': '# CRLF\r\n',
    })
    server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
    mkdirSync(join(machine, 'C:'))
    mkdirSync(join(home, 'facts'))
    const facts = ['kernel', 'os', 'identity'].map((name) => factOf(name)).join('')
    writeFileSync(join(home, 'facts/windows.rb'), `require 'json'\n${facts}`)
  })
  afterAll(async () => {
    await server?.stop()
  })

  const runAgent = () => {
    const directories = ['confdir', 'vardir', 'ssldir', 'codedir', 'rundir', 'logdir', 'publicdir']
    const words = [
      ...['agent', '--onetime', '--no-daemonize', '--verbose', '--no-splay', '--detailed-exitcodes'],
      ...['--color', 'false', '--server', 'localhost', '--serverport', String(server.port), '--certname', certname],
      ...directories.flatMap((name) => [`--${name}`, join(home, name)]),
      ...['--keylength', '2048', ...noModules],
    ]
    const env = { RUBYOPT: `-r${shim}`, FACTERLIB: join(home, 'facts') }
    return execa('puppet', words, { reject: false, all: true, cwd: machine, env })
  }
  const read = (path: string) => readFileSync(join(machine, path))

  it('applies the catalog, with the bytes of each file', async () => {
    const { all, exitCode } = await runAgent()
    expect(exitCode, all).toBe(2)
    expect(read('C:/crlf.ini').toString()).toBe(crlf)
    expect(read('C:\\back.ini').toString()).toBe(crlf)
    expect(read('C:/template.ini').toString()).toBe('user=CORP\\svc_puppet\r\n')
    expect(read('C:/bytes.ps1').equals(utf16)).toBe(true)
    expect(read('C:/app/run.bat').toString()).toBe('@echo off\r\n')
    expect(read('C:/app/sub/\u00fcber uns.txt').toString()).toBe('x\r\n')
    expect(readFileSync(join(home, 'vardir/lib/puppet/functions/app/none.rb'), 'utf8')).toBe('# CRLF\r\n')
  })

  it('changes nothing in its second run', async () => {
    const { all, exitCode } = await runAgent()
    expect(exitCode, all).toBe(0)
  })
})
