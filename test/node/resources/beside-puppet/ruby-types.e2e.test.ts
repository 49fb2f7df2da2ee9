import { join } from 'node:path'
import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { applyBoth } from './apply-both.ts'

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

/** Puppet forgets the tags and the place of such a resource: it makes it anew from a hash. */
const tagsOfResourceApi = 'theirs are lost'

const things = join(import.meta.dirname, 'modules', 'things')

applyBoth(puppet, "types of modules' own beside real Puppet", [things], {
  'a type with a provider of its own': {
    manifest: `
      file { '@/d': ensure => directory }
      note { '@/d/one': text => 'first', ending => period }
      note { '@/two': ensure => absent }
      note { '@/three': words => ['b', 'a'], state => closed, weight => '5', quiet => true, loud => true }
      note { '@/four': text => 'x', subscribe => Note['@/three'] }
      notify { 'after the notes': }`,
    files: { two: 'go', four: 'y' },
  },
  'a run that only says what it would do': {
    manifest: `note { '@/a': text => 'new' } ~> note { '@/b': text => 'x', ensure => present } note { '@/c': ensure => absent }`,
    files: { a: 'old', c: '' },
    noop: true,
  },
  'things that are prefetched': {
    manifest: `
      record { 'a': file => '@/r.json', value => 'one', members => ['x', 'y'] }
      record { 'b': file => '@/r.json', size => 5 }
      record { 'c': file => '@/r.json', ensure => absent }
      record { 'd': file => '@/r.json', ensure => locked }
      record { 'e': file => '@/r.json', members => ['q'], membership => inclusive, value => 'v' }`,
    files: {
      'r.json':
        '{"b":{"ensure":"present","size":4},"c":{"ensure":"present"},"d":{"ensure":"present"},"e":{"ensure":"present","members":"p,q"}}',
    },
  },
  'a value that is wrong': { manifest: `note { 'relative': text => 'x' } file { '@/x': content => 'x' }` },
  'a value that is not among those allowed': { manifest: `note { '@/x': ending => 'comma' }` },
  'a value that cannot be munged': { manifest: `note { '@/x': weight => 'heavy' }` },
  'attributes that do not go together': { manifest: `note { '@/x': text => 'a', words => 'b' }` },
  'a provider that cannot work': {
    manifest: `note { '@/x': provider => other, text => 'a' } -> file { '@/y': content => '' } file { '@/z': content => '' }`,
  },
  'resources that others bring along': {
    manifest: `
      bundle { '@/b': leaves => ['one', 'two'], late => ['three', 'four'] } -> notify { 'after': }`,
  },
  'types of the Resource API': {
    manifest: `
      file { '@/none': ensure => directory }
      entry { '@/e.json#one': value => 'LOUD', count => 3, flag => false, comment => '@/none' }
      entry { '@/e.json#two': value => 'same' }
      entry { '@/e.json#three': value => 'other', count => 2, flag => true }
      entry { '@/e.json#four': ensure => absent }
      entry { '@/e.json#five': ensure => absent }
      pair { '@/pairs/a': size => 3 }
      pair { '@/pairs/b': size => 3 }
      pair { '@/pairs/c': size => 3 }`,
    files: {
      'e.json': '{"two":{"value":"same"},"three":{"value":"another","count":2},"four":{}}',
      'pairs/a': 'xxxxx',
      'pairs/b': 'x',
    },
    withoutTags: tagsOfResourceApi,
  },
  'a provider of the Resource API that fails': {
    manifest: `entry { '@/e.json#x': value => 'bomb' } -> entry { '@/e.json#y': value => 'after' }`,
    withoutTags: tagsOfResourceApi,
  },
  'a value of the Resource API that is of another type': { manifest: `entry { '@/e.json#x': count => 'many' }` },
  'secrets and floats of the Resource API': {
    manifest: `
      safe { '@/one': secret => Sensitive('hush'), key => Sensitive('key'), ratio => 2.0 }
      -> safe { '@/two': secret => Sensitive('hush') }`,
    withoutTags: tagsOfResourceApi,
  },
  'a value that is a secret': {
    manifest: `note { '@/s': text => Sensitive('hush hush'), loglevel => warning } note { '@/t': text => Sensitive('hush hush') }`,
    files: { t: 'old' },
  },
})
