import { join } from 'node:path'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

const modules = ['dns', 'things'].map((name) => join(import.meta.dirname, 'modules', name))

const zones = {
  'dns.json': JSON.stringify({
    'example.com': {
      email: 'hostmaster@example.com',
      records: {
        'www.example.com': { type: 'A', value: ['192.0.2.1'], ttl: 60 },
        'old.example.com': { type: 'TXT', value: ['old'], ttl: 60 },
        'mail.example.com': { type: 'MX', value: ['10 mx'], ttl: null },
      },
    },
    'example.org': {
      email: 'me@example.org',
      records: { 'a.example.org': { type: 'A', value: ['192.0.2.9'], ttl: 5 } },
    },
    'example.net': { email: 'me@example.net', records: {} },
  }),
}

const pegs = { 'pegs/a': 'red', 'pegs/b': 'green', 'pegs/c': 'blue' }

/** Puppet makes such a resource anew from a hash. */
const forgotten = 'tags of the Resource API are lost'

applyBoth(puppet, 'types and providers over a library, as in the guide to extensions', modules, {
  'zones and their records': {
    manifest: `
      dnsrr { 'www.example.com': value => ['192.0.2.2', '192.0.2.1'], ttl => '300' }
      dnsrr { 'ftp.example.com': type => 'CNAME', value => 'www.example.com' }
      dnsrr { 'old.example.com': ensure => absent }
      dnsrr { 'www.example.edu': value => '192.0.2.7', subscribe => Dnszone['example.com'] }
      dnszone { 'example.com': email => 'root@example.com' }
      dnszone { 'example.edu': }
      dnszone { 'example.net': ensure => absent }`,
    files: zones,
  },
  'in noop': {
    manifest: `
      dnszone { 'example.com': email => 'root@example.com' } -> dnszone { 'new.example.com': }
      dnsrr { ['a.example.org', 'b.example.org']: ensure => absent }`,
    files: zones,
    noop: true,
  },
  'a record without its zone': {
    manifest: `dnsrr { 'www.example.info': value => '192.0.2.2' } -> dnszone { 'example.gov': }`,
    files: zones,
  },
  'a value that is not allowed': { manifest: `dnsrr { 'x.example.com': type => 'PTR', value => 'x' }`, files: zones },
})

applyBoth(puppet, "things of modules' own types that are not in the catalog go as in real Puppet", modules, {
  'all but those of the catalog': {
    manifest: `
      resources { 'dnsrr': purge => true }
      dnsrr { 'www.example.com': value => '192.0.2.1' }
      dnsrr { 'the mail': name => 'mail.example.com', zone => 'example.com', type => 'MX', value => '10 mx' }
      notify { 'after': require => Resources['dnsrr'] }
      notify { 'before': before => Resources['dnsrr'] }`,
    files: zones,
  },
  'those that others need': {
    manifest: `
      dnszone { 'example.org': }
      resources { 'dnszone': purge => true, loglevel => warning, tag => 'mine' }
      resources { 'dnsrr': purge => true, noop => true }`,
    files: zones,
  },
  'in noop': {
    manifest: `resources { ['dnsrr', 'dnszone', 'peg']: purge => true } resources { 'note': purge => false }`,
    files: { ...zones, ...pegs },
    noop: true,
    withoutTags: forgotten,
  },
  'by the Resource API': {
    manifest: `
      resources { 'peg': purge => true }
      peg { 'b': colour => 'yellow' }
      peg { 'd': colour => 'black' }
      resources { 'dnsrr': }`,
    files: { ...zones, ...pegs },
    withoutTags: forgotten,
  },
  'of a provider that lists nothing': { manifest: `resources { 'note': purge => true } notify { 'on': }` },
})
