import fc from 'fast-check'
import { PuppetError } from '../../../dist/base/issue.js'
import { compileNameGlob } from '../../../dist/base/text/glob.js'
import { findMatchingPaths } from '../../../dist/code/environments/glob.js'
import { allowing, must, textOf } from '../target.js'

/** Names that globs are tried on, besides what stands in the input. */
const names = [
  '',
  'a',
  'b',
  'ab',
  'ba',
  'aa.b',
  '.a',
  'modules',
  '-',
  ']',
  '{a',
  'a,b',
  'A',
  'é',
  '*',
  '\\',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
]
const files = [
  'a.yaml',
  'b.yaml',
  '.hidden.yaml',
  'nodes/web1.yaml',
  'nodes/web2.yaml',
  'nodes/deep/er/x.yaml',
  'os/Debian/12.yaml',
]

/** The least of a CodeTree that a glob goes through. */
const folders = new Map([['', new Set()]])
for (const file of files)
  file.split('/').reduce((above, name) => {
    const path = above === '' ? name : `${above}/${name}`
    folders.get(above)?.add(name)
    if (path !== file && !folders.has(path)) folders.set(path, new Set())
    return path
  }, '')
const tree = {
  entry: (path) => (folders.has(path) ? { kind: 'directory' } : files.includes(path) ? { kind: 'file' } : undefined),
  list: (path) => [...(folders.get(path) ?? [])].sort(),
  linkDestination: () => undefined,
}

/** Globs: the first line is one, the others are names; it agrees with a slow matcher. @type {import('../target.js').Target} */
export default {
  name: 'glob',
  seeds: [
    '*.pp\na.pp\n.pp\nb',
    'a[b-d^]?{x,yz}*\nabcxq',
    '**/*.yaml',
    '[!a]*\\*\nb*',
    'nodes/{web1,web2}.yaml',
    '{a,b{c,d}}e\nace',
    '*a*a*a*a*a*a*a*a*b',
  ],
  dictionary: [
    '*',
    '**',
    '?',
    '[',
    ']',
    '[!',
    '[^',
    '-',
    '{',
    '}',
    ',',
    '\\',
    '/',
    '.',
    '**/',
    '*a',
    '\n',
    '[a-z]',
    '{a,b}',
    '[[:alpha:]]',
    '*.yaml',
  ],
  grammar: fc
    .array(fc.constantFrom('*', '?', 'a', 'b', '[ab]', '[!a]', '.', '\n', '**/', '-'), { maxLength: 40 })
    .map((parts) => parts.join('')),
  // What the meter lets through, which is more than any glob of a site, takes a third of a second.
  freeMs: 400,
  run(bytes) {
    const [glob = '', ...given] = textOf(bytes).split('\n')
    const pattern = allowing([PuppetError], () => compileNameGlob(glob))
    for (const name of pattern ? [...names, ...given.slice(0, 20)] : []) {
      const matches = pattern.matches(name)
      if (isPlain(glob) && name.length <= 60 && !name.includes('/'))
        must(matches === slowly(glob, name), `${JSON.stringify(glob)} on ${JSON.stringify(name)}: ${matches}`)
    }
    const found = allowing([PuppetError], () => findMatchingPaths(tree, glob)) ?? []
    must(
      found.every((path) => tree.entry(path.replace(/\/+$/, ''))),
      `${JSON.stringify(glob)} finds what is not there: ${found}`,
    )
    must(new Set(found).size === found.length, 'found twice')
  },
}

/** Whether the slow matcher knows all of it: no classes, braces, backslashes. @param {string} glob */
function isPlain(glob) {
  return glob.length <= 60 && !/[[\]{}\\/]/.test(glob)
}

/** `*` and `?` by the book, with a table: never more than one look at each pair of places. @param {string} glob @param {string} name */
function slowly(glob, name) {
  const pattern = [...glob]
  const chars = [...name]
  if (chars[0] === '.' && (pattern[0] === '*' || pattern[0] === '?')) return false
  let row = chars.reduce((/** @type {boolean[]} */ all) => [...all, false], [true])
  for (const token of pattern) {
    const next = [token === '*' && row[0]]
    chars.forEach((char, at) => {
      next.push(token === '*' ? row[at + 1] || next[at] : row[at] && (token === '?' || token === char))
    })
    row = next
  }
  return row[chars.length] === true
}
