import type { CodeTree } from '../environments/code-tree.ts'

/** The files of a tree whose paths a pattern matches, in order: `*`, `**`, `?`, `[…]` and `{a,b}` as in Ruby's `Dir.glob`. */
export function filesMatching(tree: CodeTree, pattern: string): string[] {
  const found = alternatives(pattern).flatMap((each) => walk(tree, '', [each.split('/').filter(Boolean)]))
  return [...new Set(found)].filter((path) => tree.entry(path)?.kind !== 'directory')
}

type Segments = readonly string[]

/** What is at a path, or below it, and matches one of what is left of patterns. Each name is gone through once, as in Ruby. */
function walk(tree: CodeTree, path: string, patterns: readonly Segments[]): string[] {
  const left = patterns.flatMap(withoutRepeats)
  const own = left.some((segments) => segments.length === 0) ? [path] : []
  const heads = left.filter((segments) => segments.length > 0)
  if (heads.length === 0 || !isDirectory(tree, path)) return own
  const below = namesToTry(tree, path, heads).flatMap((name) => {
    const child = path === '' ? name : `${path}/${name}`
    const next = heads.flatMap((segments) => rest(segments, name, isDirectory(tree, child)))
    return next.length > 0 ? walk(tree, child, next) : []
  })
  return [...own, ...below]
}

/** `**` may stand for no folder at all. */
function withoutRepeats(segments: Segments): Segments[] {
  return segments[0] === '**' ? [segments, ...withoutRepeats(segments.slice(1))] : [segments]
}

/** A folder need not be listed for names that are said. */
function namesToTry(tree: CodeTree, path: string, heads: readonly Segments[]): readonly string[] {
  const names = new Set(heads.map(([head = '']) => head))
  if ([...names].some((name) => /[*?[]/.test(name))) return tree.list(path)
  return [...names].filter((name) => tree.entry(path === '' ? name : `${path}/${name}`))
}

/** What is left of a pattern when a name has matched its first segment. */
function rest([head = '', ...more]: Segments, name: string, isFolder: boolean): Segments[] {
  if (head === '**') return isFolder && !name.startsWith('.') ? [[head, ...more]] : []
  return matcherOf(head).test(name) ? [more] : []
}

function isDirectory(tree: CodeTree, path: string): boolean {
  return path === '' || tree.entry(path)?.kind === 'directory'
}

/** A pattern never matches a leading dot that it does not name. */
function matcherOf(segment: string): RegExp {
  const source = segment.replace(/\[!?[^\]]*\]|[*?]|[\\^$.|+(){}]/g, (token) => {
    if (token === '*') return '.*'
    if (token === '?') return '.'
    return token.startsWith('[') ? token.replace(/^\[!/, '[^') : `\\${token}`
  })
  return new RegExp(`^${segment.startsWith('.') ? '' : '(?!\\.)'}${source}$`, 'su')
}

/** `a{b,c}` is `ab` and `ac`. */
function alternatives(pattern: string): string[] {
  const found = /\{([^{}]*)\}/.exec(pattern)
  if (!found) return [pattern]
  const [whole, choices = ''] = found
  const before = pattern.slice(0, found.index)
  const after = pattern.slice(found.index + whole.length)
  return choices.split(',').flatMap((choice) => alternatives(`${before}${choice}${after}`))
}
