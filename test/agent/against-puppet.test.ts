import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyCatalog, reportOf } from '../../src/agent/apply.ts'
import { moduleSources } from '../../src/agent/file-sources.ts'
import { consoleLog, reportLog, teeLog } from '../../src/agent/log.ts'
import { detailedExitStatus } from '../../src/agent/report-builder.ts'
import { requestFor, unclassified } from '../../src/cli/compile-options.ts'
import { compile } from '../../src/compiler/compile.ts'
import { openParts } from '../../src/environments/open-environment.ts'
import { loadSettings } from '../../src/settings/settings.ts'
import { localSystem } from '../../src/system/local-system.ts'
import { hasPuppet, withoutPuppet } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const scratch = scratchFolder('apply')

/** A manifest, what is there before it, and flags; `@` stands for the folder. */
interface Case {
  readonly manifest: string
  readonly files?: Readonly<Record<string, string>>
  readonly noop?: boolean
  readonly tags?: string
}

/** The sum of `hello\n`. */
const hello = '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03'

/** The folder of a sum in a bucket. */
const placeOf = (sum: string) => [...sum.slice(0, 8), sum].join('/')

const cases: Readonly<Record<string, Case>> = {
  'a class with files, commands and messages': {
    manifest: `
      class demo {
        file { '@/d': ensure => directory, mode => '0750' }
        -> file { '@/d/a': content => "hello\\n", mode => 'u=rw,go=r' }
        file { '@/d/l': ensure => link, target => '@/d/a' }
        exec { 'e1': command => '/bin/echo hi', logoutput => true, subscribe => File['@/d/a'] }
        exec { 'e2': command => '/bin/false' , path => '/bin' }
        notify { 'after': require => Exec['e2'] }
        notify { 'msg': message => 'hello', withpath => true }
        exec { 'e3': command => '/bin/echo ref', refreshonly => true, subscribe => Exec['e1'] }
        file { '@/d/sens': content => Sensitive('abc') }
      }
      include demo`,
  },
  'changes of what is there, with a diff': {
    files: { a: 'changed\n', 'd/x': 'x', keep: 'kept' },
    manifest: `
      file { '@/a': content => "hello\\nworld\\n", mode => '0600', show_diff => true }
      file { '@/d': ensure => absent }
      file { '@/d/x': ensure => absent }
      file { '@/keep': content => 'other', replace => false }
      file { '@/gone': ensure => absent }`,
  },
  'a directory in the way, with and without force': {
    files: { 'd/x': 'x', 'e/x': 'x' },
    manifest: `
      file { '@/d': ensure => absent, force => true }
      file { '@/e': ensure => link, target => '/etc/motd', force => true }`,
  },
  'only what would be done': {
    noop: true,
    files: { a: 'old' },
    manifest: `
      class demo {
        file { '@/a': content => 'new', mode => '0640', notify => Exec['e'] }
        file { '@/b': ensure => directory }
        exec { 'e': command => '/bin/echo hi', refreshonly => true }
        notify { 'm': }
      }
      include demo`,
  },
  'containers that pass refreshes on': {
    manifest: `
      class a { file { '@/a': content => 'x' } file { '@/b': content => 'y' } }
      class b { exec { 'b': command => '/bin/true', refreshonly => true } }
      define c { exec { "c\${title}": command => '/bin/true', refreshonly => true } }
      c { ['1', '2']: }
      include a, b
      Class['a'] ~> Class['b'] ~> C['1'] -> C['2']`,
  },
  'failures that stop what depends on them': {
    manifest: `
      class a { exec { 'no': command => '/bin/false' } file { '@/a': content => 'x', require => Exec['no'] } }
      class b { notify { 'b': } notify { 'c': require => Notify['b'] } }
      include a, b
      Class['a'] -> Class['b']
      notify { 'free': }`,
  },
  'providers that do not work here': {
    manifest: `
      class c { service { 'x': ensure => running, provider => 'launchd' } }
      package { 'p': provider => 'macports', before => Notify['dep'] }
      notify { 'dep': } notify { 'other': require => Class['c'] }
      notify { 'last': }
      include c`,
  },
  'a circle': {
    manifest: `
      file { '@/x': ensure => file, require => File['@/y'] }
      file { '@/y': ensure => file, require => File['@/z'] }
      file { '@/z': ensure => file, require => File['@/x'] }`,
  },
  'folders copied with all that is in them': {
    files: { 'src/a': 'a', 'src/sub/b': 'b', 'src/skip.bak': 'n', 'dst/extra': 'e', 'dst/sub/more': 'm' },
    manifest: `
      file { '@/dst':
        ensure => directory, recurse => true, purge => true, force => true, ignore => '*.bak', source => '@/src',
      }
      file { '@/dst/own': content => 'own' }
      notify { 'after': require => File['@/dst'] }`,
  },
  'folders copied without purging, to a depth': {
    files: { 'src/a': 'a', 'src/sub/b': 'b', 'src/sub/deep/c': 'c', 'dst/extra': 'e' },
    manifest: `file { '@/dst': ensure => directory, recurse => remote, recurselimit => 2, source => '@/src', mode => '0644' }`,
  },
  'modes of all that is in a folder': {
    files: { 'd/a': 'a', 'd/sub/b': 'b' },
    manifest: `file { '@/d': ensure => directory, recurse => true, mode => 'g+w,o-r' }`,
  },
  'conditions of commands': {
    files: { there: 'x' },
    manifest: `
      exec { 'a': command => '/bin/echo a', creates => '@/there' }
      exec { 'b': command => '/bin/echo b', unless => '/bin/true' }
      exec { 'c': command => '/bin/echo c', onlyif => ['/bin/true', '/bin/false'] }
      exec { 'd': command => 'echo d; exit 3', provider => shell, returns => [0, 3], logoutput => true }
      exec { 'e': command => ['/bin/echo', 'a; b'], logoutput => true }
      exec { 'f': command => 'echo $FOO > f.txt', cwd => '@', path => ['/bin', '/usr/bin'], environment => 'FOO=bar' }
      exec { 'g': command => '/bin/sleep 5', timeout => 0.2 }
      exec { 'h': command => '/bin/echo out; exit 4', path => '/bin', tries => 2 }
      exec { 'i': command => 'nothing-of-that-name', path => '/bin' }
      exec { 'j': command => Sensitive('/bin/echo secret; exit 1'), path => '/bin', provider => shell }`,
  },
  'only what is tagged': {
    tags: 'wanted',
    manifest: `
      notify { 'a': tag => 'wanted' }
      notify { 'b': }
      class wanted { notify { 'c': } }
      include wanted`,
  },
  'loglevel and noop of single resources': {
    manifest: `
      notify { 'a': loglevel => warning }
      file { '@/a': content => 'x', noop => true }
      file { '@/b': content => 'x', loglevel => err }
      exec { 'e': command => '/bin/true', subscribe => File['@/a'], refreshonly => true }`,
  },
  'content that a command refuses': {
    manifest: `
      file { '@/a': content => 'good', validate_cmd => '/bin/grep -q good %' }
      file { '@/b': content => 'bad', validate_cmd => '/bin/grep -q good %' }`,
  },
  'sources that are there and not': {
    files: { 'src/a': 'from source' },
    manifest: `
      file { '@/a': source => ['@/none', '@/src/a'] }
      file { '@/b': source => '@/none' }
      file { '@/c': source => 'file://@/src/a', checksum => md5 }
      file { '@/l': ensure => '@/src/a' }
      file { '@/m': source => ['puppet:///modules/none/a', 'puppet:///modules/none/b'] }
      file { '@/r': ensure => directory, recurse => true, source => 'puppet:///modules/none/r' }
      notify { 'after': require => File['@/m'] }`,
  },
  'backups beside': {
    files: { a: 'old' },
    manifest: `file { '@/a': content => 'new', backup => '.bak' }`,
  },
  'content from a bucket': {
    files: { a: 'old', [`bucket/${placeOf(hello)}/contents`]: 'hello\n', [`bucket/${placeOf(hello)}/paths`]: '/x\n' },
    manifest: `
      filebucket { 'b': path => '@/bucket' }
      File { backup => 'b' }
      file { '@/a': content => '{sha256}${hello}' }
      file { '@/md5': content => '{md5}b1946ac92492d2347c6235b4d2611184' }
      file { '@/other': content => '{sha256}${hello}', checksum => md5 }
      file { '@/lost': content => '{sha256}${'0'.repeat(64)}' }
      file { '@/none': content => '{sha256}${hello}', backup => false }
      file { '@/secret': content => Sensitive('{sha256}${hello}') }
      file { '@/words': content => "{sha256} ${hello}" }`,
  },
  'checksums that are times': {
    files: { a: 'old', src: 'from source' },
    manifest: `
      file { '@/a': source => '@/src', checksum => mtime }
      file { '@/c': ensure => file, checksum => mtime }`,
  },
  'nobody of that name': {
    files: { a: 'a' },
    manifest: `file { '@/a': owner => 'nobody-of-that-name' } file { '@/b': content => 'x', group => 'no-such-group' }`,
  },
}

function prepare(name: string, who: string, { files = {}, manifest }: Case): { folder: string; manifest: string } {
  const folder = join(scratch, `${Object.keys(cases).indexOf(name)}-${who}`)
  mkdirSync(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return { folder, manifest: manifest.replaceAll('@', folder) }
}

const places = (who: string) => ['--confdir', join(scratch, `conf-${who}`), '--vardir', join(scratch, `var-${who}`)]

function realRun(name: string, each: Case) {
  const { folder, manifest } = prepare(name, 'puppet', each)
  const flags = ['--color=false', '--detailed-exitcodes', '--show_diff', ...places('puppet')]
  if (each.noop) flags.push('--noop')
  if (each.tags) flags.push('--tags', each.tags)
  const { status, stdout, stderr } = spawnSync('puppet', ['apply', ...flags, '-e', manifest], { encoding: 'utf8' })
  return { status, out: cleaned(stdout, folder), err: cleaned(stderr, folder), tree: treeOf(folder) }
}

async function ownRun(name: string, each: Case) {
  const { folder, manifest } = prepare(name, 'plumb', each)
  const settings = loadSettings({
    given: { confdir: join(scratch, 'own'), vardir: join(scratch, 'own'), certname: 'vm' },
  })
  const environment = openParts({ name: 'production', modulepath: [], manifest: { text: manifest } })
  const { catalog } = compile(
    requestFor({ node: 'vm', facts: undefined, classified: unclassified }, environment, settings),
  )
  const said = { out: '', err: '' }
  const say = (where: 'out' | 'err') => (text: string) => {
    said[where] += text
  }
  const gathered = reportLog('info', Date.now)
  const log = teeLog(consoleLog({ out: say('out'), err: say('err'), color: false }, 'notice'), gathered)
  const applied = await applyCatalog(catalog, {
    settings: {
      noop: each.noop ?? false,
      tags: each.tags ? [each.tags] : [],
      skip_tags: [],
      ignoreschedules: false,
      evaltrace: false,
      show_diff: true,
      digest_algorithm: 'sha256',
      statedir: join(folder, '..'),
      statefile: join(folder, '..', `${name}.state.yaml`),
      transactionstorefile: join(folder, '..', `${name}.store.yaml`),
      clientbucketdir: join(folder, '..', 'bucket'),
      classfile: join(folder, '..', 'classes.txt'),
      resourcefile: join(folder, '..', 'resources.txt'),
    },
    system: localSystem,
    machine: localSystem,
    facts: { os: { family: 'Debian', name: 'Debian' } },
    sources: moduleSources(localSystem.files, []),
    log,
  })
  const run = { host: 'vm', time: 0, transactionUuid: 'x', noop: each.noop ?? false, logs: gathered.lines, times: {} }
  const status = applied.applied ? detailedExitStatus(reportOf(catalog, applied, run)) : 1
  // Ours indents further lines of a message: docs/differences.md.
  const own = (text: string) => cleaned(text.replace(/^ {2}/gm, ''), folder)
  return { status, out: own(said.out), err: own(said.err), tree: treeOf(folder) }
}

/** Log lines that ought to be equal: without times, temporary names, and what only Ruby says twice. */
function cleaned(output: string, folder: string): string[] {
  const lines = output
    .replaceAll(folder, '@')
    .replace(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .filter(
      (line) => line !== '' && !/Facter|^ +(lines|version|\^)|lines\.|Compiled catalog|^\s*\^|version\.gsub/.test(line),
    )
    .map((line) =>
      line.replace(/in \d+\.\d+ seconds/, 'in N seconds').replace(/ \(file: .*?line: \d+\)| \(line: \d+\)/g, ''),
    )
    // There is no such option here: docs/differences.md.
    .map((line) => line.replace(/\\nTry the '--graph' option .*$/, ''))
    .map((line) => line.replace(/^(---|\+\+\+) .*$/, '$1').replace(/@\/b(?:20[^' ]+|\.plumb-staged)/, '@/b.staged'))
  return lines.filter((line, index) => line !== lines[index - 1] && !/^Wrapped|^Could not find group/.test(line))
}

function treeOf(folder: string): string[] {
  const listing = execFileSync('find', ['.', '-mindepth', '1', '-printf', '%P %M %l\n'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const files = execFileSync('find', ['.', '-type', 'f'], { cwd: folder, encoding: 'utf8' }).split('\n').filter(Boolean)
  return [
    ...listing.replaceAll(folder, '@').split('\n').filter(Boolean).sort(),
    ...files.sort().map((path) => `${path}: ${readFileSync(join(folder, path), 'utf8').replaceAll(folder, '@')}`),
  ]
}

describe.skipIf(!hasPuppet)(`a catalog is applied as real Puppet applies it${withoutPuppet}`, () => {
  for (const [name, each] of Object.entries(cases))
    it(name, async () => {
      const real = realRun(name, each)
      const own = await ownRun(name, each)
      expect(own).toEqual(real)
    })
})
