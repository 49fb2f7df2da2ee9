import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { debianModules } from '../../support/debian-modules.ts'
import { without } from '../../support/needs.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** The secret is put together where a manifest is evaluated: no text of code holds it. */
const secret = 'unmistak4ble'
const folder = scratchFolder('secrets')
const withoutModules = without("Debian's modules")

const manifest = `
  $secret = Sensitive("unmis\${'tak4ble'}")
  $raw = $secret.unwrap
  file { '@': ensure => directory }
  file { '@/l': content => "x\\n" }
  -> file_line { 'l': path => '@/l', line => $secret }
  ini_setting { 'i': path => '@/i.ini', section => 's', setting => 'password', value => $secret, show_diff => true }
  ini_setting { 'i2': path => '@/i.ini', section => 's', setting => 'other', value => $secret }
  ini_subsetting { 'is': path => '@/is.ini', section => 's', setting => 'opts', subsetting => '-X', value => $secret }
  concat_file { 'c': path => '@/c', tag => 'c' }
  concat_fragment { 'cf': target => 'c', content => $secret, tag => 'c' }
  cron { 'cr': command => $secret, environment => Sensitive(["A=\${raw}"]), user => 'nobody', target => 'nobody', noop => true }
  host { 'h': ip => '1.2.3.4', comment => $secret, target => '@/hosts' }
  mailalias { 'm': recipient => $secret, target => '@/aliases' }
  ssh_authorized_key { 'k': user => 'root', type => 'ssh-rsa', key => $secret, target => '@/keys' }
  sshkey { 'sk': type => 'ssh-rsa', key => $secret, target => '@/known' }
  yumrepo { 'y': baseurl => 'http://h/', password => $secret, target => '@/y.repo', noop => true }
  augeas { 'a': context => '/files/etc/hosts', changes => Sensitive("set /files/x/\${raw} y"), root => '@' }
  mount { '@/mnt': ensure => present, device => $secret, fstype => 'tmpfs', options => $secret, noop => true }
  user { 'nobody2x': ensure => present, password => $secret, noop => true }
  exec { 'words': command => ['/bin/sh', '-c', 'exit 3', $secret] }
  exec { 'variables': command => '/bin/sh -c "env; exit 3"', environment => Sensitive(["A=\${raw}"]), logoutput => true }
  exec { 'late': command => Deferred('sprintf', ['/bin/sh -c "echo %s; exit 3"', Deferred('unwrap', [$secret])]) }
  file { '@/late': content => Deferred('unwrap', [$secret]), validate_cmd => '/bin/sh -c "cat %; exit 3"' }
  service { 's': ensure => running, provider => 'base', start => Sensitive("/bin/sh -c 'echo \${raw}; exit 3'"),
    status => Sensitive("/bin/sh -c 'echo \${raw}; exit 3'") }
  note { '@/note': text => $secret }
  note { '@/words': words => Sensitive(['a', $raw]) }
  note { '@/later': text => Deferred('unwrap', [$secret]) }
  notify { 'nested': message => { 'a' => [$secret] } }`

it.skipIf(withoutModules !== '')(
  `a secret in resources of modules is not in what a run says under --debug --trace --evaltrace, or leaves behind${withoutModules}`,
  async () => {
    const modules = join(folder, 'modules')
    mkdirSync(modules)
    for (const name of [
      'stdlib',
      'concat',
      'inifile',
      'cron_core',
      'host_core',
      'mount_core',
      'sshkeys_core',
      'augeas_core',
    ])
      symlinkSync(join(debianModules, name), join(modules, name))
    const own = resolve(import.meta.dirname, '../resources/beside-puppet/modules')
    const places = [
      '--confdir',
      join(folder, 'etc'),
      '--vardir',
      join(folder, 'var'),
      '--modulepath',
      `${modules}:${own}`,
    ]
    const flags = ['--test', '--debug', '--trace', '--evaltrace', '--graph']
    const code = manifest.replaceAll('@', join(folder, 'd'))
    const { status, out, err } = await runHere(['apply', ...flags, ...places, '-e', code])
    expect(status, err).toBe(6)
    const traces = [secret, Buffer.from(secret).toString('base64').slice(0, -3), Buffer.from(secret).toString('hex')]
    const leaks = (text: string) => text.split('\n').filter((line) => traces.some((trace) => line.includes(trace)))
    expect(leaks(`${out}${err}`)).toEqual([])
    const left = readdirSync(join(folder, 'var'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('clientbucket'))
      .map((entry) => join(entry.parentPath, entry.name))
    expect(left.join()).toMatch(
      /expanded_relationships\.dot.*last_run_report\.yaml|last_run_report\.yaml.*relationships\.dot/,
    )
    expect(left.filter((path) => leaks(readFileSync(path, 'latin1')).length > 0)).toEqual([])
    // It was at work: what is managed has it.
    for (const name of ['l', 'i.ini', 'is.ini', 'c', 'hosts', 'aliases', 'keys', 'known', 'note', 'words', 'later'])
      expect(readFileSync(join(folder, 'd', name), 'utf8'), name).toContain(secret)
  },
)
