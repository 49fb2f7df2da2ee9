import type { CodeTree } from '../environments/code-tree.ts'

/** The files of a tree whose paths a pattern matches, in order: `*`, `**`, `?`, `[…]` and `{a,b}` as in Ruby's `Dir.glob`. */
export function filesMatching(tree: CodeTree, pattern: string): string[] {
  const found = alternatives(pattern).flatMap((each) => expand(tree, '', each.split('/').filter(Boolean)))
  return [...new Set(found)].filter((path) => tree.entry(path)?.kind !== 'directory')
}

function expand(tree: CodeTree, directory: string, [segment, ...rest]: readonly string[]): string[] {
  if (segment === undefined) return [directory]
  const below = (name: string): string => (directory === '' ? name : `${directory}/${name}`)
  if (segment === '**') {
    const folders = tree.list(directory).filter((name) => !name.startsWith('.') && isDirectory(tree, below(name)))
    return [
      ...expand(tree, directory, rest),
      ...folders.flatMap((name) => expand(tree, below(name), [segment, ...rest])),
    ]
  }
  if (!/[*?[]/.test(segment)) return tree.entry(below(segment)) ? expand(tree, below(segment), rest) : []
  const matches = matcherOf(segment)
  const names = tree.list(directory).filter((name) => matches.test(name))
  return names.flatMap((name) => {
    if (rest.length === 0) return [below(name)]
    return isDirectory(tree, below(name)) ? expand(tree, below(name), rest) : []
  })
}

function isDirectory(tree: CodeTree, path: string): boolean {
  return tree.entry(path)?.kind === 'directory'
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
