/** A value of each kind for every variable; `undefined` leaves the variables out, but for those whose use tells their kind. */
const kinds: readonly (Kind | 'guessed' | 'none')[] = [
  'guessed',
  'none',
  'text',
  'list',
  'hash',
  'nested',
  'number',
  'flag',
  'nothing',
]

type Kind = keyof typeof values

const values = {
  text: "'some text'",
  list: "['one', 'two']",
  hash: "{ 'b' => 'two', 'a' => 'one' }",
  nested:
    "{ 'first' => { 'name' => 'n', 'ensure' => 'present', 'options' => ['x', 'y'] }, 'other' => { 'value' => 1 } }",
  number: '42',
  flag: 'true',
  nothing: 'undef',
} as const

/** Names that a define has anyway, or that nobody may assign. */
const taken = new Set([
  'name',
  'title',
  'facts',
  'trusted',
  'server_facts',
  'module_name',
  'caller_module_name',
  'environment',
])

/** Manifests that notice what a template makes of variables of every kind. */
export function templateProbes(template: string, text: string): string[] {
  const named = [
    ...text.matchAll(/@([a-z_]\w*)|scope\[['"]([a-z_]\w*)['"]\]|scope\.lookupvar\(['"]([a-z_]\w*)['"]\)/g),
  ].map(([, one, two, three]) => (one ?? two ?? three)!)
  const names = [...new Set(named)].filter((name) => !taken.has(name) && !name.startsWith('_'))
  return kinds.map((kind) => {
    const given = kind === 'none' ? [] : names
    const assigned = given.map(
      (name) => `  $${name} = ${values[kind === 'guessed' ? kindOf(name, text) : (kind as Kind)]}\n`,
    )
    return `define probe() {\n${assigned.join('')}  notice(template('${template}'))\n}\nprobe { 'thing': }\n`
  })
}

/** By what a template does with a variable. */
function kindOf(name: string, text: string): Kind {
  const uses = [...text.matchAll(new RegExp(`@${name}\\b([^\\n]{0,60})`, 'g'))].map(([, after]) => after!)
  const some = (pattern: RegExp) => uses.some((use) => pattern.test(use))
  if (
    some(/^(\.\w+)*\.?(each|map|sort_by|select|reject)\w*( do|\s*\{)\s*\|\s*\(?\w+,/) ||
    some(/^\.(keys|each_pair|has_key|key\?|to_hash)/)
  ) {
    return some(/\|\s*\w+,\s*\w+\|[^%]*\w+\[/) ? 'nested' : 'hash'
  }
  if (some(/^\[['":]/)) return 'nested'
  if (some(/^(\.\w+)*\.(each|join|map|collect|select|flatten|sort|uniq|length|size|first)\b/)) return 'list'
  if (some(/^\s*(==|!=)\s*(true|false)\b/)) return 'flag'
  if (some(/^(\.to_i)?\s*([<>]=?|[-+*/])\s*\d/)) return 'number'
  return 'text'
}
