import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { liveAnswers } from '../beside-puppet/apply-both.ts'
import type { ApplyCase } from '../beside-puppet/apply-case.ts'
import { situations } from './situations.ts'

// A process of its own: this one waits for real Puppet.
const server = spawn(process.execPath, [join(import.meta.dirname, '../../../support/status-server.js')], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const port = String((await once(server.stdout, 'data'))[0]).trim()
const web = `http://127.0.0.1:${port}`
afterAll(() => void server.stdin.end())

const sumOf = (kind: string) => createHash(kind).update('of the web\n').digest('hex')
const file = (path: string, attributes = '', files: ApplyCase['files'] = {}): ApplyCase => ({
  files,
  manifest: `file { '@/f': source => '${web}/${path}', ${attributes} }`,
})
const old = { f: 'old\n' }

situations(liveAnswers, 'files of the web', [], {
  'a text': file('text'),
  'a text in place of another': file('text/sum', '', old),
  'an empty body': file('empty/sum', '', old),
  'no length': file('text/no-length/sum'),
  'a status 404': file('404', '', old),
  'a status 403': file('403'),
  'a status 500': file('500', '', old),
  'a status 503': file('503'),
  'a status 204': { ...file('204'), once: 'the time of an answer without one is that of the request' },
  'a status 410': file('410'),
  'a redirection 301': file('to/301/text/sum'),
  'a redirection 302': file('to/302/text/sum'),
  'a redirection 307': file('to/307/text/sum'),
  'a redirection 308': file('to/308/text/sum'),
  'a redirection 303': file('to/303/text/sum'),
  'a redirection to a redirection': file('to/302/to/301/text/sum'),
  'a redirection to what is not there': file('to/302/404'),
  'a redirection to itself': file('to/302/loop'),
  'a redirection without a place': file('to/302/nowhere'),
  'a query': file('query?a=1&b=%20c'),
  'a fragment': file('text/sum#part'),
  'a user that is refused': { manifest: `file { '@/f': source => '${web}/user' }` },
  'checksum => md5': file('text/sum', 'checksum => md5', old),
  'checksum => sha1': file('text', 'checksum => sha1', old),
  'checksum => sha512': file('text', 'checksum => sha512'),
  'checksum => sha256lite': file('text', 'checksum => sha256lite'),
  'checksum => none': file('text', 'checksum => none', old),
  'checksum => ctime': file('text', 'checksum => ctime'),
  'a checksum_value that is right': file('text', `checksum => sha256, checksum_value => '${sumOf('sha256')}'`),
  'a checksum_value that is wrong': file(
    'text',
    `checksum => sha256, checksum_value => '${sumOf('sha256').replace(/./, 'x')}'`,
    old,
  ),
  'a checksum_value of another body': file('other', `checksum => sha256, checksum_value => '${sumOf('sha256')}'`, old),
  'a checksum_value in capitals': file('text', `checksum => md5, checksum_value => '${sumOf('md5').toUpperCase()}'`),
  'a checksum_value without checksum': file('text', `checksum_value => '${sumOf('sha256')}'`),
  'a checksum_value of what is there': file('404', `checksum => md5, checksum_value => '${sumOf('md5')}'`, {
    f: 'of the web\n',
  }),
  'ensure => present': file('text/sum', 'ensure => present'),
  'ensure => file': file('text/sum', 'ensure => file', old),
  'ensure => absent': file('404', 'ensure => absent', old),
  'ensure => link': file('text', "ensure => link, target => '@/g'"),
  'ensure => directory': file('text', 'ensure => directory'),
  'in place of a directory': file('text/sum', '', { 'f/inner': '' }),
  'in place of a link': file('text/sum', '', { f: '-> @/g', g: 'old\n' }),
  'several of which the first is not there': {
    manifest: `file { '@/f': source => ['${web}/404', '${web}/text/sum', '${web}/other'] }`,
  },
  'several of which the first fails': { manifest: `file { '@/f': source => ['${web}/500', '${web}/text/sum'] }` },
  'several of which none is there': { manifest: `file { '@/f': source => ['${web}/404', '${web}/404/2'] }` },
  'several of which the first is of a module': {
    manifest: `file { '@/f': source => ['puppet:///modules/none/f', '${web}/text/sum'] }`,
  },
  'several of which the first is a file': {
    files: { g: 'of a file\n' },
    manifest: `file { '@/f': source => ['@/g', '${web}/text/sum'] }`,
  },
  'backup beside it': file('text/sum', "backup => '.old'", old),
  'backup => false': file('text/sum', 'backup => false', old),
  'replace => false': file('text/sum', 'replace => false', old),
  'replace => false of what is missing': file('text/sum', 'replace => false'),
  mode: file('text/sum', "mode => '0600', owner => 'daemon', group => 'daemon'", old),
  'a mode in signs': file('text/sum', "mode => 'u=rwx,go='"),
  'show_diff => false': file('text/sum', 'show_diff => false', old),
  'validate_cmd that agrees': file('text/sum', "validate_cmd => '/bin/grep -q web %'", old),
  'validate_cmd that refuses': file('other/sum', "validate_cmd => '/bin/grep -q web %'", old),
  noop: { ...file('text/sum', '', old), noop: true },
  'noop of what is not there': { ...file('404', '', old), noop: true },
  'content beside it': file('text', "content => 'x'"),
  'recurse => remote': file('text', 'recurse => remote'),
  'no path': { manifest: `file { '@/f': source => '${web}' }` },
  'a scheme in capitals': { manifest: `file { '@/f': source => 'HTTP://127.0.0.1:${port}/text/sum' }` },
  'a scheme of a file in capitals': { files: { g: 'g' }, manifest: "file { '@/f': source => 'FILE://@/g' }" },
  'a scheme of a server in capitals': { manifest: "file { '@/f': source => 'PUPPET:///modules/none/f' }" },
  'another scheme in capitals': { manifest: "file { '@/f': source => 'FTP://127.0.0.1/f' }" },
  'that others wait for': {
    manifest: `file { '@/f': source => '${web}/text/sum' } ~> exec { '/bin/cp @/f @/g': refreshonly => true } file { '@/e': source => '${web}/500' } -> notify { 'n': }`,
  },
})
