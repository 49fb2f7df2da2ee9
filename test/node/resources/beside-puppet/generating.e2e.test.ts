import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'
import { type ApplyCase, refused } from './apply-case.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const tree = {
  'd/a.tmp': 'aaaa',
  'd/b.txt': 'bb',
  'd/.c.tmp': 'c',
  'd/large': 'x'.repeat(3000),
  'd/sub/d.tmp': 'd',
  'd/sub/deep/e.tmp': 'e',
  'd/sub/deep/f.txt': 'f',
  'd/bare/g.tmp': 'g',
}

const tidied = (attributes: string, more: Partial<ApplyCase> = {}): ApplyCase => ({
  files: tree,
  manifest: `tidy { '@/d': ${attributes} }`,
  ...more,
})

applyBoth(puppet, 'tidy is as in real Puppet', [], {
  'a file alone': { files: tree, manifest: "tidy { ['@/d/b.txt', '@/d/none', '@/d/sub']: }" },
  'all files': tidied('recurse => true'),
  'all files, in noop': tidied('recurse => true', { noop: true }),
  'files to a depth': tidied('recurse => 1'),
  'files to a depth of two': tidied("recurse => '2'"),
  'files by name': tidied("recurse => true, matches => ['*.tmp', '[xyb].txt']"),
  'files and folders': tidied('recurse => inf, rmdirs => true'),
  'folders that are not empty': tidied("recurse => true, rmdirs => true, matches => ['*.tmp', 'deep', 'bare']"),
  'files by size': tidied("recurse => true, size => '1k'"),
  'files by size in bytes': tidied("recurse => true, size => '2b', matches => '*.t*'"),
  'files by age, all young': tidied("recurse => true, age => '1w'"),
  'files by age, all old enough': tidied("recurse => true, age => '0s', type => mtime"),
  'files by age or size': tidied("recurse => true, age => '2d', size => '2', type => ctime"),
  'files that somebody manages': {
    files: tree,
    manifest: `
      tidy { 'the folder': path => '@/d', recurse => true, matches => '*.t*', backup => true, before => Notify['later'], notify => Exec['heard'] }
      file { '@/d/a.tmp': content => 'other' }
      notify { 'first': before => Tidy['the folder'] }
      notify { 'later': }
      exec { 'heard': command => '/bin/true', refreshonly => true }`,
  },
  'a folder with noop and a schedule of its own': tidied("recurse => 1, noop => true, loglevel => warning, tag => 'x'"),
  'too many files': tidied('recurse => true, max_files => 3'),
  'names without depth': refused("tidy { '/x': matches => '*' }"),
  'a depth that is none': refused("tidy { '/x': recurse => deep }"),
  'an age that is none': refused("tidy { '/x': age => old }"),
  'an age without a unit': refused("tidy { '/x': age => '1y' }"),
  'an age of two digits': refused("tidy { '/x': age => '10' }"),
  'an age that is a number': refused("tidy { '/x': age => 1 }"),
  'a size without a unit': refused("tidy { '/x': size => '1x' }"),
  'a time that is none': refused("tidy { '/x': type => birth }"),
})

const once = 'the machine stays as it is'
const purged = ['host_core', 'mount_core', 'mailalias', 'cron_core', 'sshkeys_core', 'selinux_core']

applyBoth(puppet, 'resources that are not in the catalog go as in real Puppet', purged, {
  'entries of files, in noop': {
    manifest: `
      resources { ['host', 'mount', 'mailalias', 'cron', 'sshkey', 'selboolean']: purge => true, noop => true }
      host { 'localhost': ip => '127.0.0.1' }`,
    once,
  },
  'nothing of files': { manifest: "resources { 'file': purge => true }", noop: true, once },
  'nothing without purge': { manifest: "resources { 'group': }", noop: true, once },
  'a type that is none': refused("resources { 'nothing': purge => true }"),
  'a type that cannot go': refused("resources { 'exec': purge => true }"),
  'a number that is none': refused("resources { 'user': unless_uid => 'x' }"),
  'a limit that is none': refused("resources { 'user': unless_system_user => some }"),
})
