import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll } from 'vitest'

import { applyBoth, liveAnswers } from './apply-both.ts'

// A process of its own: this one waits for real Puppet.
const server = spawn(process.execPath, [join(import.meta.dirname, '../../../support/web-server.js')], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
const web = `http://127.0.0.1:${String((await once(server.stdout, 'data'))[0]).trim()}`
afterAll(() => void server.stdin.end())

const told = ['sha256', 'sha1', 'md5', 'content-md5', 'all', 'mtime', 'no-head', 'forbidden-head', 'moved', 'a%20b']

applyBoth(liveAnswers, 'files of the web are as in real Puppet', [], {
  'by what a server tells of them': {
    files: { all: 'old\n', mtime: 'old\n' },
    manifest: told.map((name) => `file { '@/${name}': source => '${web}/${name}' }`).join('\n'),
  },
  'by a sum of choice': {
    manifest: `
      file { '@/md5': source => '${web}/all', checksum => md5 } file { '@/sha1': source => '${web}/all', checksum => sha1 }
      file { '@/other': source => '${web}/md5', checksum => sha256 }
      file { '@/mode': source => '${web}/all', mode => '0600', owner => 'daemon' }`,
  },
  'that are newer than what is there': {
    files: { future: 'old\n' },
    manifest: `file { '@/future': source => '${web}/future' }`,
  },
  'by their time, which nobody tells': {
    files: { b: 'old\n' },
    manifest: `
      file { '@/a': source => '${web}/bare' } file { '@/c': source => '${web}/all', checksum => mtime }
      exec { '/usr/bin/touch -d 2019-01-01 @/b': } -> file { '@/b': source => '${web}/bare' }`,
    once: 'a second is not the next one, or is',
  },
  'that are not what was told': {
    files: { a: 'old\n' },
    manifest: `file { ['@/a', '@/b']: source => '${web}/wrong' }`,
  },
  'that are not there': {
    manifest: `
      file { '@/a': source => '${web}/none' } file { '@/b': source => ['${web}/none', '${web}/sha256'] }
      file { '@/c': source => '${web}/error' } notify { 'after': require => File['@/a'] }`,
  },
  'that are elsewhere': {
    manifest: `file { '@/a': source => '${web}/moved-for-ever' }`,
  },
  'with what the web does not have': {
    manifest: `
      file { '@/d': source => '${web}/sha256', recurse => true, ensure => directory }
      file { '@/p': source => '${web}/sha256', source_permissions => use }`,
  },
  'with a sum of the catalog': {
    manifest: `
      file { '@/a': source => '${web}/bare', checksum => md5, checksum_value => '4f27f2a7e4e9c9a8b6c1ba8a9d3f2e10' }
      file { '@/b': source => '${web}/bare', checksum => sha256, checksum_value => '1c903ccdde94ddd5c5933463fa9c2cb23bed3468f0132633901e469e01c8706f' }`,
  },
  'of a server that is not there': { manifest: "file { '@/a': source => 'http://127.0.0.1:1/a' }" },
  'in noop': { noop: true, manifest: `file { '@/a': source => '${web}/sha256' }` },
})
