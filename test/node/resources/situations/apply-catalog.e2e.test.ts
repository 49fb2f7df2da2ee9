import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { commandSituations } from './command-situations.ts'
import { apply, catalogOf, put, resource, write } from './wire-catalogs.ts'

const notify = resource('Notify', 'n', { message: 'hello' })
const made = resource('File', '@/f', { content: 'a', mode: '0600' })

commandSituations(recordedAnswers(import.meta.filename, 'Puppet 7.23.0'), 'apply-catalog', {
  'a notify': [put(notify), apply()],
  'a file, twice': [put(made), apply(), apply()],
  'a file in noop': [put(made), apply('--noop')],
  'a file by standard input': [put(made), ['apply', '--catalog', '@/../c.json', '--verbose']],
  'a catalog that is missing': [apply()],
  'a catalog without resources': [write('{"name":"vm","environment":"production"}'), apply()],
  'a catalog of another node': [write(JSON.stringify(catalogOf([notify], { name: 'other' }))), apply()],
  'dependencies as texts and arrays': [
    put(resource('Notify', 'b', { require: ['Notify[a]'] }), resource('Notify', 'a', { before: 'Notify[b]' })),
    apply(),
  ],
  'a notification': [
    put(
      resource('Notify', 'a', { notify: 'Exec[x]' }),
      resource('Exec', 'x', { command: '/bin/echo x', refreshonly: true, logoutput: true }),
    ),
    apply(),
  ],
  'a value that is wrong': [put(resource('File', '@/f', { ensure: 'file', mode: 644 })), apply()],
  'a relative path': [put(resource('File', 'f', { content: 'x' })), apply()],
  'a resource without parameters': [put({ type: 'Notify', title: 'n', tags: [], exported: false }), apply()],
  'an exported resource': [put(resource('Notify', 'n', {}, { exported: true })), apply()],
  'tags and --tags': [
    put(resource('Notify', 'a', {}, { tags: ['x'] }), resource('Notify', 'b', {}, { tags: ['y'] })),
    apply('--tags', 'x'),
  ],
  'a parameter that is secret': [
    put(resource('File', '@/f', { content: 'secret' }, { sensitive_parameters: ['content'] })),
    apply('--show_diff'),
  ],
  'values of rich data': [
    put(
      resource('Notify', 'n', {
        message: { __ptype: 'Sensitive', __pvalue: 'secret' },
      }),
      resource('File', '@/f', { content: { __ptype: 'Binary', __pvalue: 'aGk=' } }),
    ),
    apply(),
  ],
  'a Deferred value': [
    put(resource('Notify', 'n', { message: { __ptype: 'Deferred', name: 'sprintf', arguments: ['%s!', 'hi'] } })),
    apply(),
  ],
  'a file and line': [put(resource('Exec', 'x', { command: '/bin/false' }, { file: '/m.pp', line: 5 })), apply()],
  'with a manifest, too': [put(notify), ['apply', '--catalog', '@/../c.json', '-e', "notify { 'm': }"]],
})
