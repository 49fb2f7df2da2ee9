import { chosen, sample } from '../support/chance.js'
import { addresses, extensionNames, extensionOids, extensionValues, hostNames, uris } from './random-certificates.js'

/** @typedef {import('../support/chance.js').Chance} Chance */

const paths = [
  ...['/puppet/v3/catalog/a.test', '/puppet/v3/catalog/Web1', '/puppet/v3/node/web1.example.com', '/puppet/v3/facts/*'],
  ...[
    '/x',
    '/x/y',
    '/X/Y',
    '/',
    '/puppet',
    '/secret',
    '/a b',
    '/a%b',
    '/ä',
    '/own/a.test/b.test',
    '/own//',
    '/x\u2028',
  ],
  ...['/own/WEB1/', '/own/*.test/*', '/puppet/v3/catalog/bad.test', '/x\u0085y', '/\u212a', '/own/a.test./-'],
]
const odd = [
  ...['*', '*.', '*.test', '*.b.test', '*.Example.com', '*.example.com', '*example.com', 'web*', 'a.test.', '.a.test'],
  ...['*.a.*', '*.*', '', ' ', 'a b', 'ä.test', '$1', '$2', '$0', '$01', '$1.test', 'x$1', '*.$1', '/^$1$/', '$', 'a$'],
  ...[
    '$1.',
    'X$1',
    '$9999999999',
    '/',
    '//',
    '/a',
    'a/',
    '5',
    '+5',
    '007',
    '99999999999',
    '٣',
    '"x"',
    '"',
    '%1',
    '-',
    '_',
  ],
  ...['a-.test', '*.-a.test', '*.a_b.test', '$1$2', '$1.$2', '@', 'a@', '*.web1', '*.com', '$1-x', '\\a', 'a\nb'],
]
const atoms = [
  ...[
    'a',
    'b',
    'w',
    'k',
    's',
    'test',
    'web1',
    '\\.',
    '.',
    '.',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '[a-z]',
    '[^a-z]',
  ],
  ...[
    '[^/]',
    '[^/]',
    '[A-Z0-9]',
    '[a\\-z]',
    '[a-]',
    '[-a]',
    '[\\w.-]',
    '[^\\s]',
    '[\\D]',
    '\\/',
    '/',
    '\\x61',
    '\\u0061',
    '\\x{61}',
  ],
  ...[
    '\\Q.a\\E',
    '\\e',
    '\\_',
    '\\ ',
    ' ',
    '-',
    '}',
    ']',
    '#',
    '&',
    'ä',
    '\\ä',
    '\u212a',
    '[\u0085]',
    '[a&b]',
    '[--9]',
    '[+--]',
  ],
]
const oddAtoms = [
  ...[
    '\\b',
    '\\B',
    '\\R',
    '\\h',
    '\\v',
    '\\X',
    '\\p{L}',
    '\\pL',
    '\\p{Alpha}',
    '\\1',
    '\\k<n>',
    '\\0',
    '\\07',
    '\\cA',
    '\\G',
    '\\C',
  ],
  ...[
    '[',
    '[]',
    '[]a]',
    '[^]a]',
    '[a-\\d]',
    '[\\d-a]',
    '[z-a]',
    '[[a]]',
    '[a&&b]',
    '[[:alpha:]]',
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?>a)',
  ],
  ...[
    '(?x)a',
    '(?m)',
    '(?u)',
    '(?U)',
    '(?d)',
    '(?P<n>a)',
    '{',
    'a{',
    'a{,2}',
    '{2}',
    '*',
    '+a',
    '**',
    '\\',
    '\\q',
    '\\xg',
    '(',
    ')',
  ],
  ...[
    '\\Q',
    '\\E',
    '[\\Qa\\E]',
    '[^',
    '[\\',
    '\\x{110000}',
    '\\ud800',
    '(?<1>a)',
    '(?<a>b)(?<a>c)',
    '(?',
    '(?i',
    '(?-',
    '[&&]',
  ],
]
const quantifiers = ['*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?', '??', '{1,2}?']
const oddQuantifiers = [
  '*+',
  '++',
  '?+',
  '{2}+',
  '**',
  '{2}{3}',
  '{2,1}',
  '{a}',
  '{1001}',
  '{,3}',
  '*{2}',
  '{1,',
  '{ 1}',
]

/** @param {Chance} chance @param {number} oddness One in so many parts is odd. */
function randomPattern(chance, oddness, depth = 2) {
  const parts = Array.from({ length: 1 + chance(4) }, () => {
    if (chance(oddness) === 0) return chosen([...oddAtoms], chance)
    const kind = chance(10)
    let atom = chosen(atoms, chance)
    if (kind < 3 && depth > 0) {
      const opening = chosen(['(', '(', '(?:', '(?<n>', '(?i:', '(?s:', '(?-i:', '(?is-s:'], chance)
      atom = `${opening}${randomPattern(chance, oddness * 2, depth - 1)})`
    } else if (kind === 3)
      atom = chosen(['^', '$', '\\A', '\\z', '\\Z', '(?i)', '(?s)', '(?-i)', '|', '|', '^', '$'], chance)
    if (kind === 3 && chance(20) > 0) return atom
    if (chance(3) > 0) return atom
    return atom + (chance(oddness) === 0 ? chosen(oddQuantifiers, chance) : chosen(quantifiers, chance))
  })
  return parts.join('')
}

const usefulPatterns = [
  ...[
    '^/own/([^/]+)/(.*)$',
    '^/puppet/v3/catalog/([^/]+)$',
    '^/puppet/v3/(?:node|facts)/([^/]+)$',
    '(?i)^/x',
    '/y$',
    '^/own/(a)?',
  ],
  ...[
    '^/(x|own)/([^/]*)',
    '.',
    '^.*$',
    '^/\\w+$',
    '(/x)|(/own)',
    '^(/[^/]+)*$',
    '(?i)/k',
    '(?i:[k-s])',
    '^/(.*)(?:/|$)',
  ],
]

/** One part of a pattern in so many is odd, in a file with odd parts; no part of another file. */
const oddParts = (/** @type {boolean} */ isOdd) => (isOdd ? 14 : 1e9)

/** @param {Chance} chance @param {boolean} isOdd */
const pathPattern = (chance, isOdd) =>
  chance(4) === 0 ? `/?${randomPattern(chance, oddParts(isOdd))}` : chosen(usefulPatterns, chance)

/** @param {Chance} chance @param {boolean} isOdd @param {boolean} hasGroups True if `$1` has a meaning. */
function randomName(chance, isOdd, hasGroups) {
  const kind = chance(20)
  if (kind < 8) return chosen(hostNames, chance)
  if (kind < 11) return chosen(['*', '*', '*.test', '*.b.test', '*.Example.com', '*.example.com'], chance)
  if (kind < 12) return hasGroups ? chosen(['$1', '$1', '$1', '$1.test', 'Web$1'], chance) : '*'
  if (kind < 14) return chosen(isOdd ? odd : hostNames, chance)
  if (kind < 16)
    return `/${chosen(['^web', 'test$', '^A', '\\.test$', '(?i)^web1$', '^[^.]+$', '^a\\.', 'bad'], chance)}/`
  if (kind < 18) return `/${randomPattern(chance, oddParts(isOdd))}/`
  return chosen(hostNames, chance).toUpperCase()
}

/** @param {Chance} chance */
function randomExtensionRule(chance, isOdd) {
  const rule = {}
  for (const key of sample([...extensionNames, ...extensionOids], chance(3), chance))
    rule[key] = chance(3) === 0 ? sample(extensionValues, 1 + chance(3), chance) : chosen(extensionValues, chance)
  if (chance(4) === 0) {
    const kinds = {
      'dns-name': hostNames,
      ip: addresses,
      uri: uris,
      'rfc822-name': ['root@a.test', 'a.test'],
      'other-name': ['x'],
    }
    rule['subject-alt-name'] = {}
    for (const kind of sample(Object.keys(kinds), 1 + chance(2), chance))
      rule['subject-alt-name'][kind] = chance(2) === 0 ? [chosen(kinds[kind], chance)] : chosen(kinds[kind], chance)
    if (isOdd && chance(15) === 0)
      rule['subject-alt-name'] = chosen(['a.test', ['a.test'], { dns: 'a.test' }, { ip: 5 }, {}], chance)
  }
  if (isOdd && chance(15) === 0)
    rule[chosen(['pp_role', 'x/pp_role', '2.5.29.17'], chance)] = chosen(['1', 5, true, null, {}, [], 'web'], chance)
  return rule
}

/** @param {Chance} chance */
function randomEntry(chance, isOdd, hasGroups) {
  const kind = chance(isOdd ? 20 : 19)
  if (kind < 13) return randomName(chance, isOdd, hasGroups)
  if (kind < 15) return { certname: randomName(chance, isOdd, hasGroups) }
  if (kind < 19) return { extensions: randomExtensionRule(chance, isOdd) }
  return chosen(
    [
      ...[
        {},
        5,
        null,
        true,
        [],
        { certname: 'a.test', extensions: {} },
        { certname: '' },
        { name: 'a.test' },
        { certname: 7 },
      ],
      ...[
        { rbac: { permission: 'a:b:c' } },
        { rbac: { permission: 'a' } },
        { rbac: 'a:b:c' },
        { extensions: 'x' },
        { extensions: null },
      ],
      ...[
        { certname: null },
        { certname: 'a.test', other: 1 },
        { certname: false, extensions: { pp_role: 'web' } },
        { certname: '12' },
      ],
    ],
    chance,
  )
}

/** @param {Chance} chance */
function randomRule(chance, index, isOdd) {
  const isRegex = chance(2) === 0
  const match = isRegex
    ? { path: pathPattern(chance, isOdd), type: 'regex' }
    : { path: chosen([...paths, '/', '/', '/own', '/puppet/v3'], chance), type: 'path' }
  if (chance(4) === 0)
    match.method = chance(2) === 0 ? sample(['get', 'post', 'PUT', 'head', 'delete'], chance(4), chance) : 'get'
  if (chance(4) === 0) {
    match['query-params'] = {}
    for (const name of sample(['environment', 'node', 'a', 'ä', 'ip', 'x y', 'bucket_path'], 1 + chance(2), chance))
      match['query-params'][name] = chance(2) === 0 ? chosen(['dev', 'a b', '', '%zz'], chance) : ['dev', 'test', 'ä']
  }
  const rule = { name: `rule ${index}`, 'sort-order': 1 + chance(4), 'match-request': match }
  const hasGroups = isRegex && (isOdd || /^\^.*\(\[/.test(match.path))
  const entry = () => randomEntry(chance, isOdd, hasGroups)
  const list = () => (chance(2) === 0 ? entry() : Array.from({ length: chance(4) }, entry))
  const kind = chance(8)
  if (kind === 0) rule['allow-unauthenticated'] = true
  else {
    if (kind < 7) rule.allow = chance(3) === 0 ? '*' : list()
    if (kind > 3) rule.deny = list()
  }
  return rule
}

/** Changes of a rule that Puppet Server rejects, or takes in a way of its own. */
const distortions = [
  ...[undefined, 0, 1000, '5', '500', 1.5, null, true, -1, [5], '5.0', 5e2].map((value) => ['sort-order', value]),
  ...[undefined, 5, '', null, 'rule 0', true, '7', ['x']].map((value) => ['name', value]),
  ...['true', 'yes', false, null, 1, [], true].map((value) => ['allow-unauthenticated', value]),
  ...[undefined, null, 'x', [], 5].map((value) => ['match-request', value]),
  ...[undefined, null, '*', [], [[]], {}, false, '', [['a.test']]].flatMap((value) => [
    ['allow', value],
    ['deny', value],
  ]),
  ...[undefined, null, 5, '5', '', true].map((value) => ['match-request.path', value]),
  ...[undefined, null, 'Path', 'REGEX', 'glob', 5, ['path']].map((value) => ['match-request.type', value]),
  ...[null, 'any', 'GET', 'eat', 5, [], [5], [null], ['get', 'any'], {}, true].map((value) => [
    'match-request.method',
    value,
  ]),
  ...[
    null,
    false,
    [],
    'x',
    {},
    { a: 5 },
    { a: '5' },
    { a: [] },
    { a: [5] },
    { 'x/a': 'dev' },
    { a: {} },
    { a: null },
  ].map((value) => ['match-request.query-params', value]),
]

/** @param {Chance} chance */
export function randomConf(chance) {
  const isOdd = chance(3) === 0
  const rules = Array.from({ length: 1 + chance(4) }, (_, index) => randomRule(chance, index, isOdd))
  // With a rule that allows the rest, a deny rule that does not match here is seen.
  if (chance(2) === 0)
    rules.push({ name: 'rest', 'sort-order': 900, 'match-request': { path: '/', type: 'path' }, allow: '*' })
  if (isOdd && chance(3) === 0) {
    const [key, value] = /** @type {[string, any]} */ (chosen(distortions, chance))
    const rule = /** @type {any} */ (chosen(rules, chance))
    const parts = key.split('.')
    const holder = parts.length === 2 ? rule['match-request'] : rule
    const name = parts.at(-1) ?? ''
    if (value === undefined) delete holder[name]
    else holder[name] = value
  }
  const authorization = /** @type {any} */ ({ version: 1, rules })
  if (chance(5) === 0)
    authorization['allow-header-cert-info'] =
      isOdd && chance(5) === 0 ? chosen(['true', 1, null, 'x'], chance) : chance(3) > 0
  if (isOdd && chance(30) === 0) authorization.version = chosen([2, '1', 1.5, null, '1.0'], chance)
  if (isOdd && chance(30) === 0) authorization.rules = chosen([null, {}, [], 'x', [5], [null]], chance)
  return { authorization }
}

const bare = /^[A-Za-z_][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*$/

/** A value in HOCON, by chance in one of its many ways. @param {Chance} chance @returns {string} */
export function hocon(value, chance, depth = 0) {
  if (Array.isArray(value)) {
    const separator = chosen([', ', '\n', ',\n', ',  # x\n'], chance)
    return `[${value.map((each) => hocon(each, chance, depth + 1)).join(separator)}${chance(8) === 0 && value.length > 0 ? ',' : ''}]`
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([key, member]) => {
      const name = bare.test(key) && !key.includes('.') && chance(2) === 0 ? key : JSON.stringify(key)
      const isObject = typeof member === 'object' && member !== null && !Array.isArray(member)
      const assign = isObject && chance(3) === 0 ? ' ' : chosen([': ', ' = ', ':', '='], chance)
      return `${name}${assign}${hocon(member, chance, depth + 1)}`
    })
    const text = fields.join(chosen([', ', '\n', ' ,\n // y\n'], chance))
    return depth === 0 ? text : `{${text}}`
  }
  if (typeof value === 'string') {
    const isWord = bare.test(value) && !['true', 'false', 'null', 'include'].includes(value)
    if (isWord && chance(2) === 0) return value
    if (!value.includes('"') && !value.endsWith('\\') && chance(8) === 0) return `"""${value}"""`
    return JSON.stringify(value)
  }
  if (typeof value === 'number' && chance(30) === 0)
    return chosen([`${value}.0`, `0${value}`, `${value}e0`, `"${value}"`], chance)
  return JSON.stringify(value)
}

/** A text of rules; some are damaged by a character. @param {Chance} chance */
export function randomConfText(chance) {
  let text = hocon(randomConf(chance), chance)
  if (chance(12) === 0) {
    const at = chance(text.length)
    const inserted = chosen(
      ['', '', '"', '{', '}', ',', '\n', '#', '$', '${?x}', '+', '\\', '.', ' ', '*', '`', '\t', '\u00a0', '\ufeff'],
      chance,
    )
    text = text.slice(0, at) + inserted + text.slice(at + chance(3))
  }
  if (chance(40) === 0)
    text += chosen(
      [
        '\nauthorization.version = 1',
        '\nauthorization { x: 1 }',
        '\nx = ${authorization.version}',
        '\nauthorization.rules += {}',
        '\n}',
      ],
      chance,
    )
  return text
}

const methods = ['get', 'get', 'get', 'post', 'put', 'delete', 'head']
const queries = [
  ...[
    'environment=dev',
    'environment=test',
    'environment=dev&environment=x',
    'a=a+b',
    'a=a%20b',
    'a',
    'a=',
    'a&b=1',
    '=dev',
    '%61=dev',
  ],
  ...[
    'node=dev',
    'ip=dev',
    'bucket_path=dev',
    'a=%zz',
    'a=%ff',
    '%C3%A4=%C3%A4',
    'x+y=dev',
    'a=dev=x',
    'environment=DEV',
    'a=dev&a=%zz',
  ],
  ...['?a=dev', 'a[]=dev', 'a=%C3%A4', '&&a=dev', 'a=dev#x', 'environment%3Ddev', 'environment=dev;a=dev', 'a=%2525zz'],
]
const distinguishedNames = [
  'CN=a.test',
  'CN=web1.example.com,O=x',
  '/CN=a.test',
  'O=x',
  'CN=a.test,CN=b.test',
  'cn=A.Test',
  'CN=',
]

/** @param {Chance} chance @param {string} text */
function distorted(chance, text) {
  const encoded = encodeURI(text).replaceAll('?', '%3F')
  const kind = chance(24)
  const at = chance(encoded.length)
  if (kind === 0) return encoded.replace('/', '//')
  if (kind === 1) return `${encoded}/..`
  if (kind === 2) return `${encoded}/.`
  if (kind === 3) return encoded.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  if (kind === 4)
    return `${encoded}${chosen(['%0a', '%E2%80%A8', '%C2%85', '%0d%0a', '%00', '%2e%2e', '%2f', '%ff', '%', '/%2e', '\\x'], chance)}`
  if (kind === 5 && encoded[at] !== '%')
    return encoded.slice(0, at) + chosen(['A', '1', '.', '-', '%2F', '/', 'web1'], chance) + encoded.slice(at)
  if (kind === 6) return encoded.toUpperCase()
  if (kind === 7) return encoded.replaceAll('/', '%2F').replace('%2F', '/')
  if (kind === 8) return `${encoded}${chosen(['x', '/x', ' ', '/a.test'], chance)}`
  return encoded
}

/** @param {Chance} chance @param {number} certificates @returns {import('./authorization.js').AskedRequest} */
export function randomRequest(chance, certificates) {
  const path =
    chance(4) === 0
      ? `/puppet/v3/${chosen(['catalog', 'node', 'facts'], chance)}/${chosen(hostNames, chance)}`
      : chosen(paths, chance)
  const query = chance(3) === 0 ? `?${chosen(queries, chance)}` : ''
  const request = { method: chosen(methods, chance), url: distorted(chance, path) + query }
  if (chance(12) > 0) request.certificate = chance(certificates)
  if (chance(4) === 0)
    request.headers = {
      'x-client-verify': chance(5) === 0 ? 'FAILED' : 'SUCCESS',
      'x-client-dn': chosen(distinguishedNames, chance),
    }
  return request
}
