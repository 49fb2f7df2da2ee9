import { recordedAnswers } from '../../../support/recorded-answers.ts'
import type { ApplyCase } from '../beside-puppet/apply-case.ts'
import { situations } from './situations.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** Two runs of one manifest, or one of each of two, with a script between them; both remember what they set. */
const runs = (manifest: string | readonly string[], between = 'true', more: Partial<ApplyCase> = {}): ApplyCase => ({
  manifest,
  between,
  remembers: true,
  ...more,
})
const content = "file { '@/f': content => 'a' }"
const mode = "file { '@/f': ensure => file, mode => '0600' }"

situations(puppet, 'corrective', ['host_core'], {
  'content that somebody changes': runs(content, 'echo x > @/f'),
  'content that nobody changes': runs(content),
  'content that somebody and the manifest change': runs([content, "file { '@/f': content => 'b' }"], 'echo x > @/f'),
  'content that the manifest changes': runs([content, "file { '@/f': content => 'b' }"]),
  'content that somebody changes to the new value': runs([content, "file { '@/f': content => 'b' }"], 'printf b > @/f'),
  'a file that somebody removes': runs(content, 'rm @/f'),
  'a file of ensure => absent that somebody makes': runs("file { '@/f': ensure => absent }", 'echo x > @/f', {
    files: { f: 'x' },
  }),
  'a folder that somebody makes a file': runs(
    "file { '@/d': ensure => directory, force => true }",
    'rmdir @/d; echo x > @/d',
  ),
  'a mode that somebody changes': runs(mode, 'chmod 644 @/f'),
  'a symbolic mode that somebody changes': runs("file { '@/f': ensure => file, mode => 'u=rw,go=' }", 'chmod 644 @/f'),
  'a mode of a folder that somebody changes': runs(
    "file { '@/d': ensure => directory, mode => '0640' }",
    'chmod 700 @/d',
  ),
  'a mode in another form with the same bits': runs([mode, "file { '@/f': ensure => file, mode => 'u=rw,go=' }"]),
  'an owner that somebody changes': runs("file { '@/f': ensure => file, owner => 'daemon' }", 'chown bin @/f'),
  'an owner of several that somebody changes': runs(
    "file { '@/f': ensure => file, owner => ['daemon', 'bin'] }",
    'chown bin @/f',
  ),
  'an owner of several that somebody changes to another': runs(
    "file { '@/f': ensure => file, owner => ['daemon', 'bin'] }",
    'chown sys @/f',
  ),
  'a link that somebody changes': runs("file { '@/l': ensure => link, target => '/a' }", 'ln -sfn /b @/l'),
  'a property that is new in the manifest': runs(["file { '@/f': ensure => file }", mode]),
  'a property that was new and wrong before': runs([mode, "file { '@/f': content => 'z' }"], 'chmod 644 @/f'),
  'noop of what somebody changed': runs([mode, `${mode.slice(0, -1)}, noop => true }`], 'chmod 644 @/f'),
  'noop at first': runs([`${mode.slice(0, -1)}, noop => true }`, mode], 'true', { files: { f: 'x' } }),
  'a failure at first': runs(
    ["file { '@/none/f': content => 'a' }", "file { '@/none/f': content => 'a' }"],
    'mkdir @/none',
  ),
  'a failure afterwards': runs(content, 'rm @/f; mkdir @/f'),
  'a host that somebody changes': runs(
    "host { 'a.example': ip => '10.0.0.1', host_aliases => ['b', 'c'], target => '@/hosts' }",
    'echo 10.0.0.2 a.example > @/hosts',
  ),
  'a command': runs("exec { '/bin/true': }", 'true', { manifest: ["exec { '/bin/true': }"] }),
  'a notify': runs("notify { 'n': }", 'true', { manifest: ["notify { 'n': }"] }),
  'Sensitive content that somebody changes': runs("file { '@/f': content => Sensitive('a') }", 'echo x > @/f'),
  'a file of recursion that somebody changes': runs(
    "file { '@/to': ensure => directory, recurse => true, source => '@/from' }",
    'echo x > @/to/a',
    { files: { 'from/a': 'a' } },
  ),
  'a resource that was away for a run': runs([content, "notify { 'n': }", content], 'echo x > @/f'),
  'a resource that is audited': runs(
    "file { '@/f': content => 'a', audit => [mode, content] }",
    'chmod 600 @/f; echo x > @/f',
  ),
  'a resource that is only audited': runs("file { '@/f': audit => [mode, content] }", 'chmod 600 @/f; echo x > @/f', {
    files: { f: 'x' },
  }),
  'several properties at once': runs(
    "file { '@/f': content => 'a', mode => '0600', owner => 'daemon' }",
    'echo x > @/f; chmod 644 @/f',
  ),
  'a schedule that is not due': runs(
    "schedule { 's': period => daily } file { '@/f': content => 'a', schedule => 's' }",
    'echo x > @/f',
  ),
  'a resource by another title': runs([content, "file { 'other': path => '@/f', content => 'a' }"], 'echo x > @/f'),
})
