import { commandSituations } from './command-situations.ts'

const resource = (type: string, title: string, parameters: object, more: object = {}) => ({
  type,
  title,
  tags: [type.toLowerCase()],
  exported: false,
  parameters,
  ...more,
})
const catalogOf = (resources: readonly object[], more: object = {}) => {
  const stage = { type: 'Stage', title: 'main', tags: ['stage'], exported: false, parameters: { name: 'main' } }
  const main = { type: 'Class', title: 'Main', tags: ['class'], exported: false, kind: 'class' }
  const contains = resources.map((each) => ({
    source: 'Class[Main]',
    target: `${(each as { type: string }).type}[${(each as { title: string }).title}]`,
  }))
  const edges = [{ source: 'Stage[main]', target: 'Class[Main]' }, ...contains]
  const head = { name: 'vm', version: 1, environment: 'production', catalog_format: 1 }
  return { tags: ['settings'], ...head, resources: [stage, main, ...resources], edges, classes: [], ...more }
}
const write = (text: string) => `cat > @/c.json <<'END'\n${text}\nEND`
const put = (...resources: readonly object[]) => write(JSON.stringify(catalogOf(resources)))
const apply = (...words: readonly string[]) => ['apply', '--catalog', '@/c.json', ...words]
const notify = resource('Notify', 'n', { message: 'hello' })
const made = resource('File', '@/f', { content: 'a', mode: '0600' })

commandSituations('apply-catalog', {
  'a notify': [put(notify), apply()],
  'a file, twice': [put(made), apply(), apply()],
  'a file in noop': [put(made), apply('--noop')],
  'a file by standard input': [put(made), ['apply', '--catalog', '@/c.json', '--verbose']],
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
  'with a manifest, too': [put(notify), ['apply', '--catalog', '@/c.json', '-e', "notify { 'm': }"]],
})
