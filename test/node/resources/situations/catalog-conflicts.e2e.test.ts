import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { commandSituations } from './command-situations.ts'
import { apply, catalogOf, put, resource, write } from './wire-catalogs.ts'

const file = (title: string, parameters: object, more: object = {}) => resource('File', title, parameters, more)
const here = { file: '/m.pp', line: 5 }
const notify = (title: string, parameters: object = {}, more: object = {}) =>
  resource('Notify', title, parameters, more)
const withEdges = (resources: readonly object[], ...edges: readonly (readonly [string, string])[]) => {
  const catalog = catalogOf(resources)
  const more = edges.map(([source, target]) => ({ source, target }))
  return write(JSON.stringify({ ...catalog, edges: [...catalog.edges, ...more] }))
}

commandSituations(recordedAnswers(import.meta.filename, 'Puppet 7.23.0'), 'catalog-conflicts', {
  'a resource that is there twice': [put(notify('n'), notify('n')), apply()],
  'a resource that is there twice, with places': [
    put(notify('n', {}, here), notify('n', {}, { ...here, line: 9 })),
    apply(),
  ],
  'the second with a place': [put(notify('n'), notify('n', {}, here)), apply()],
  'the first with a place': [put(notify('n', {}, here), notify('n')), apply()],
  'a title in two cases': [put(notify('n'), notify('N')), apply()],
  'a type in two cases': [put(notify('n'), resource('notify', 'n', {})), apply()],
  'an exec that is there twice': [
    put(resource('Exec', 'x', { command: '/bin/true' }), resource('Exec', 'x', { command: '/bin/echo' })),
    apply(),
  ],
  'a class that is there twice': [
    put(resource('Class', 'A', {}, { kind: 'class' }), resource('Class', 'A', {}, { kind: 'class' })),
    apply(),
  ],
  'a class in two cases': [
    put(resource('Class', 'A', {}, { kind: 'class' }), resource('Class', 'a', {}, { kind: 'class' })),
    apply(),
  ],
  'two files of one path': [put(file('a', { path: '@/x', content: '' }), file('b', { path: '@/x' })), apply()],
  'two files of one path, with places': [
    put(file('a', { path: '@/x' }, here), file('b', { path: '@/x' }, { ...here, line: 9 })),
    apply(),
  ],
  'a path that is the title of another file': [put(file('@/x', {}), file('b', { path: '@/x' })), apply()],
  'a title that is the path of another file': [put(file('b', { path: '@/x' }), file('@/x', {})), apply()],
  'a path with a slash at its end': [put(file('@/x', {}), file('@/x/', {})), apply()],
  'a path with two slashes': [put(file('@/x', {}), file('@//x', {})), apply()],
  'a path attribute with a slash at its end': [put(file('@/x', {}), file('b', { path: '@/x/' })), apply()],
  'two slashes that are the same': [put(file('b', { path: '@//y' }), file('c', { path: '@/y/' })), apply()],
  'two execs of one command': [
    put(resource('Exec', 'a', { command: '/bin/true' }), resource('Exec', 'b', { command: '/bin/true' })),
    apply(),
  ],
  'two tidies of one path': [
    put(resource('Tidy', 'a', { path: '@/x' }), resource('Tidy', 'b', { path: '@/x' })),
    apply(),
  ],
  'two notifies of one name': [put(notify('a', { name: 'z' }), notify('b', { name: 'z' })), apply()],
  'two groups of one name': [
    put(resource('Group', 'a', { name: 'root' }), resource('Group', 'b', { name: 'root' })),
    apply(),
  ],
  'two packages of one name': [
    put(
      resource('Package', 'a', { name: 'z', provider: 'gem', ensure: 'absent' }),
      resource('Package', 'b', { name: 'z', provider: 'gem', ensure: 'absent' }),
    ),
    apply(),
  ],
  'two packages of one name and other providers': [
    put(
      resource('Package', 'a', { name: 'z', provider: 'gem', ensure: 'absent' }),
      resource('Package', 'b', { name: 'z', provider: 'dpkg', ensure: 'absent' }),
    ),
    apply(),
  ],
  'two packages of apt': [
    put(
      resource('Package', 'a', { name: 'z', provider: 'apt', ensure: 'absent' }),
      resource('Package', 'b', { name: 'z', provider: 'apt', ensure: 'absent' }),
    ),
    apply(),
  ],
  'two packages of the default provider, one named': [
    put(
      resource('Package', 'a', { name: 'z', provider: 'apt', ensure: 'absent' }),
      resource('Package', 'b', { name: 'z', ensure: 'absent' }),
    ),
    apply(),
  ],
  'a package of a provider that is not there': [
    put(
      resource('Package', 'a', { name: 'z', provider: 'dnf', ensure: 'absent' }),
      resource('Package', 'b', { name: 'z', provider: 'dnf', ensure: 'absent' }),
    ),
    apply(),
  ],
  'two packages of a manifest': [
    ['apply', '-e', "package { 'a': name => 'z', ensure => absent } package { 'b': name => 'z', ensure => absent }"],
  ],
  'an alias that is a title': [put(notify('a'), notify('b', { alias: 'a' })), apply()],
  'an alias that is the own title': [put(notify('a', { alias: 'a' })), apply()],
  'an alias that is a later title': [put(notify('b', { alias: 'a' }), notify('a')), apply()],
  'an alias of two resources': [put(notify('a', { alias: 'z' }), notify('b', { alias: ['y', 'z'] })), apply()],
  'an alias of two resources of other types': [
    put(notify('a', { alias: 'z' }), resource('Exec', 'b', { command: '/bin/true', alias: 'z' })),
    apply(),
  ],
  'an alias of two execs, with places': [
    put(
      resource('Exec', 'a', { command: '/bin/true', alias: 'z' }, here),
      resource('Exec', 'b', { command: '/bin/true', alias: 'z' }, { ...here, line: 9 }),
    ),
    apply(),
  ],
  'an alias that is a name': [put(notify('a', { name: 'z' }), notify('b', { alias: 'z' })), apply()],
  'an alias that is the path of a file': [
    put(file('a', { path: '@/z' }), file('b', { path: '@/y', alias: '@/z' })),
    apply(),
  ],
  'a name that is another title': [put(notify('a'), notify('b', { name: 'a' })), apply()],
  'a default schedule': [put(resource('Schedule', 'daily', { period: 'daily' })), apply()],
  'a schedule of the name of a default': [
    put(resource('Schedule', 'mine', { name: 'daily', period: 'daily' })),
    apply(),
  ],
  'a filebucket of the name of the default': [
    put(resource('Filebucket', 'mine', { name: 'puppet', path: '@/bucket' })),
    apply(),
  ],
  'an edge to a missing resource': [withEdges([notify('a')], ['Class[Main]', 'Notify[b]']), apply()],
  'an edge from a missing resource': [withEdges([notify('a')], ['Class[Other]', 'Notify[a]']), apply()],
  'an edge with a reference in lower case': [withEdges([notify('a')], ['class[main]', 'notify[a]']), apply()],
  'an edge by an alias': [withEdges([notify('a', { alias: 'b' })], ['Class[Main]', 'Notify[b]']), apply()],
  'an edge by a path': [withEdges([file('a', { path: '@/x' })], ['Class[Main]', 'File[@/x]']), apply()],
  'an edge by a path with a slash': [withEdges([file('@/x', {})], ['Class[Main]', 'File[@/x/]']), apply()],
  'an edge that is no reference': [withEdges([notify('a')], ['Class[Main]', 'nonsense']), apply()],
  'an edge between resources': [withEdges([notify('b'), notify('a')], ['Notify[a]', 'Notify[b]']), apply()],
  'an edge without a target': [
    write(JSON.stringify({ ...catalogOf([notify('a')]), edges: [{ source: 'Class[Main]' }] })),
    apply(),
  ],
  'a requirement that is no reference': [put(notify('a', { require: 'nonsense' })), apply()],
  'a requirement by an alias': [put(notify('a', { require: 'Notify[z]' }), notify('b', { alias: 'z' })), apply()],
  'a requirement by a path with a slash': [
    put(notify('a', { require: 'File[@/x/]' }), file('b', { path: '@/x', content: '' })),
    apply(),
  ],
  'a resource without a type': [write(JSON.stringify(catalogOf([{ title: 'n', tags: [] }]))), apply()],
  'a resource without a title': [write(JSON.stringify(catalogOf([{ type: 'Notify', tags: [] }]))), apply()],
  'an unknown type': [put(resource('Nosuch', 'n', {})), apply()],
  'a define of a catalog': [put(resource('My::Thing', 'n', {}, { kind: 'defined_type' })), apply()],
  'a resource that is there twice in a manifest': [['apply', '-e', "notify { 'n': } notify { 'n': }"]],
  'two files of one path in a manifest': [['apply', '-e', "file { 'a': path => '@/x' } file { 'b': path => '@/x' }"]],
  'two slashes in a manifest': [['apply', '-e', "file { '@/x': } file { '@//x': }"]],
  'a missing requirement in a manifest': [['apply', '-e', "notify { 'a': require => Notify['b'] }"]],
})
