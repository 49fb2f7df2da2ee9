import { describe, expect, it } from 'vitest'
import { checked, lineOf } from './check.ts'

const rules = (text: string) => ({ 'policies/rules.yaml': text })
const noExec = `rules:
  no_exec: { message: Nothing is run, type: Exec, resource: false, severity: warning }
exceptions:
`
const two = `exec { '/bin/a': } exec { '/bin/b': }`
const lines = (text: string, more: Partial<Parameters<typeof checked>[0]> = {}) =>
  checked({ manifest: two, files: rules(text), ...more }).findings.map(lineOf)

describe('exceptions', () => {
  const bare = 'warning no_exec: Exec[/bin/b] -: is not allowed'
  const other = 'warning no_exec: Exec[/bin/a] -: is not allowed'
  const of = (more: string) => `${noExec}  - { rule: no_exec, until: 2026-06-30, reason: r, ${more} }\n`

  it.each([
    ['a resource', of("resource: 'Exec[/bin/a]'"), [`${other} [until 2026-06-30]`, bare]],
    [
      'a pattern of resources',
      of("resource: 'Exec[/bin/*]'"),
      [`${other} [until 2026-06-30]`, `${bare} [until 2026-06-30]`],
    ],
    ['a pattern that is no set', of("resource: '[/bin/a]'"), [other, bare]],
    [
      'this node',
      of("resource: 'Exec[/bin/?]', nodes: ['db*', 'web?.example.com']"),
      [`${other} [until 2026-06-30]`, `${bare} [until 2026-06-30]`],
    ],
    ['another node', of("nodes: 'db*'"), [other, bare]],
  ])('are made for %s', (_, text, found) => {
    expect(lines(text)).toEqual(found)
  })

  it('count to the one that lasts longest', () => {
    const text = `${noExec}  - { rule: no_exec, until: 2026-06-30, reason: r }\n  - { rule: no_exec, until: 2026-01-01, reason: s, resource: 'Exec[/bin/a]' }\n`
    expect(lines(text)).toEqual([`${other} [until 2026-06-30]`, `${bare} [until 2026-06-30]`])
    expect(lines(text, { now: '2026-07-01' })).toEqual([`${other} (until 2026-06-30)`, `${bare} (until 2026-06-30)`])
  })
})

describe('rules', () => {
  it('may be about some nodes only', () => {
    const text = `rules: { no_exec: { message: m, type: Exec, resource: false, nodes: 'db*' } }`
    expect(lines(text)).toEqual([])
    expect(lines(text, { node: 'db1' })).toHaveLength(2)
  })

  it('name file and line of what they find', () => {
    const modules = { 'modules/a/manifests/init.pp': `class a {\n\n  exec { '/bin/a': }\n}` }
    const { findings } = checked({ manifest: 'include a', files: { ...rules(noExec), ...modules } })
    expect(findings).toEqual([
      {
        rule: 'no_exec',
        severity: 'warning',
        message: 'Nothing is run',
        detail: 'is not allowed',
        node: 'web1.example.com',
        resource: 'Exec[/bin/a]',
        file: '/code/production/modules/a/manifests/init.pp',
        line: 3,
        parameter: undefined,
        exception: undefined,
      },
    ])
  })

  it('find no more than can be read', () => {
    const { findings } = checked({
      manifest: `Integer[1, 1005].each |$n| { exec { "/bin/\${n}": } }`,
      files: rules(noExec),
    })
    expect(findings).toHaveLength(1001)
    expect(lineOf(findings.at(-1)!)).toBe('warning no_exec: the catalog -: and 5 more, which are omitted')
  })

  it('take data for what it is: numbers, names that objects inherit, keys of digits', () => {
    const text = `rules:
  numbers: { message: m, type: Notify, parameters: { properties: { message: { properties: { i: { const: 12 }, f: { const: 1.5 }, '10': { const: ten } } } } } }
  inherited: { message: m, type: Notify, parameters: { properties: { message: { required: [constructor] } } } }
`
    const manifest = `notify { 'a': message => { 'i' => 12, 'f' => 1.5, '10' => 'ten', '__proto__' => { 'constructor' => 1 } } }`
    expect(checked({ manifest, files: rules(text) }).findings.map(lineOf)).toEqual([
      'error inherited: Notify[a] message: message.constructor is missing',
    ])
  })
})

describe('secrets', () => {
  const manifest = `
$secret = Sensitive('s3cret')
define conf($key, $all = undef) { }
conf { 'a': key => $secret, all => { 'deep' => [$secret], 'later' => Deferred('unwrap', [$secret]) } }`
  const anything = `
  by_schema: { message: m, type: Conf, parameters: { properties: { key: { const: 1 } } } }
  deeper: { message: m, type: Conf, parameters: { properties: { all: { const: 1 } } } }
  whole: { message: m, type: Conf, resource: { properties: { parameters: { const: 1 } } } }
  by_function: { message: m, type: Conf, function: 'policies::tell' }
  by_error: { message: m, type: Conf, function: 'policies::raise' }`
  const files = {
    'policies/rules.yaml': `rules:${anything}`,
    'policies/code.pp': `
function policies::tell($all) {
  $all.map |$each| {
    $parameters = $each['parameters']
    notice($parameters['key'].unwrap)
    $each + { 'message' => "\${parameters['key'].unwrap} \${parameters['all']['deep'][0].unwrap} \${parameters['all']['later']} \${parameters['key'] =~ Sensitive}" }
  }
}
function policies::raise($all) { fail(String($all.map |$each| { $each['parameters']['key'].unwrap })) }`,
  }

  it('are in nothing that a rule finds, logs or raises', () => {
    const { findings, logs } = checked({ manifest, files })
    expect(findings.map(({ rule }) => rule)).toEqual(['by_schema', 'deeper', 'whole', 'by_function', 'by_error'])
    expect(logs.map(({ message }) => message)).toEqual(['[redacted]'])
    expect(JSON.stringify({ findings, logs })).not.toContain('s3cret')
    expect(findings[3]!.detail).toMatch(/^\[redacted\] \[redacted\] .* true$/)
  })
})

describe('functions of policies', () => {
  const withCode = (code: string, function_ = 'policies::f') => ({
    'policies/rules.yaml': `rules: { f: { message: m, function: '${function_}' } }`,
    'policies/code.pp': code,
    'modules/site/functions/rule.pp': `function site::rule($all) { ["\${facts['role']}, \${all.length}"] }`,
    'modules/site/functions/role.pp': `function site::role() { $facts['role'] }`,
    'hiera.yaml': 'version: 5\n',
    'data/common.yaml': 'policies::limit: 3\n',
  })
  const found = (code: string, name?: string) =>
    checked({ manifest: two, files: withCode(code, name), facts: { role: 'web' } }).findings.map(lineOf)
  const f = (body: string) => `function policies::f($all) { ${body} }`

  it.each([
    ['undef', 'undef', []],
    ['an empty list', '[]', []],
    [
      'facts, data and modules',
      `["\${facts['role']} \${lookup('policies::limit')} \${site::role()}"]`,
      ['error f: the catalog -: web 3 web'],
    ],
    [
      'a type alias',
      `[String($all =~ Policies::All)] }
type Policies::All = Array[Struct[{type => String, title => String, tags => Array, file => Any, line => Any, exported => Boolean, parameters => Hash}]]
function policies::g() { `,
      ['error f: the catalog -: true'],
    ],
    [
      'a text that is too long',
      `[Integer[1, 2000].map |$n| { 'x' }.join('')]`,
      [`error f: the catalog -: ${'x'.repeat(1000)}…`],
    ],
  ])('give %s', (_, body, expected) => {
    expect(found(f(body))).toEqual(expected)
  })

  it('may be those of modules', () => {
    expect(found('', 'site::rule')).toEqual(['error f: the catalog -: web, 5'])
  })

  it.each([
    ['a String', f(`'x'`), /returned a String instead of a list of findings/],
    ['a number in the list', f('[1]'), /returned an Integer instead of a list of findings/],
    ['a resource that is not there', f(`[File['/nope']]`), /returned File\[\/nope\], which is not in the catalog/],
    [
      'an error',
      f(`fail('broken')`),
      /could not be checked: Evaluation Error: .*broken \(file: \/code\/production\/policies\/code\.pp, line: 1, column: 30\)/,
    ],
    [
      'a wrong signature',
      'function policies::f(Integer $all) { }',
      /'policies::f' parameter 'all' expects an Integer value, got Tuple/,
    ],
    ['recursion', f('policies::f($all)'), /could not be checked: .*/],
    ['a large value', f(`Integer[1, 10000000].map |$n| { $n }`), /could not be checked: .*/],
    ['classes', f('include site'), /could not be checked: .*/],
    ['programs', f(`[generate('/bin/echo', 'x')]`), /could not be checked: .*/],
    ['the store', f(`[puppetdb_query('nodes { }')]`), /could not be checked: .*Unknown function: 'puppetdb_query'/],
    [
      'nothing, for want of one',
      'function policies::g() { }',
      /Could not find function policies::f in the manifests of \/code\/production\/policies or in a module/,
    ],
  ])('that give %s are a finding, and no exception is made for it', (_, code, words) => {
    const given = found(code)
    expect(given).toHaveLength(1)
    expect(given[0]).toMatch(words)
    expect(given[0]).toMatch(/^error f: the catalog -: /)
  })

  it.each([
    ['what does not parse', 'function {', /Syntax error/],
    ['resources', `file { '/a': }`, /resource|Policy code/i],
    ['classes', 'class a { }', /class|Policy code/i],
    ['other code', `notice('x')`, /Policy code can contain only functions and type aliases/],
  ])('stand in code without %s', (_, code, words) => {
    expect(() => found(code)).toThrow(words)
  })
})
