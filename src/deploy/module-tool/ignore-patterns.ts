import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { moduleToolIssues as issues } from './issues.ts'

interface IgnorePattern {
  readonly parts: readonly string[]
  readonly isNegated: boolean
  /** True for a pattern that matches only folders. */
  readonly isFolder: boolean
}

/** Patterns in the syntax of .gitignore. The last pattern that matches a path decides. */
export class IgnorePatterns {
  readonly #patterns: readonly IgnorePattern[]

  constructor(lines: readonly string[]) {
    const { ignorePatterns } = budgets.module
    if (lines.length > ignorePatterns.bound)
      throwIssue(issues.PACKAGE_TOO_LARGE, { most: ignorePatterns.bound, what: 'ignore patterns' })
    this.#patterns = lines.flatMap(parsePattern)
  }

  /** True if a path from the root, whose parents are not ignored, is ignored. */
  ignores(path: string, isFolder: boolean): boolean {
    const parts = path.split('/')
    const found = this.#patterns.findLast((each) => (isFolder || !each.isFolder) && matchesParts(each.parts, parts))
    return found !== undefined && !found.isNegated
  }
}

function parsePattern(line: string): IgnorePattern[] {
  const text = trimSpaces(line.replace(/\r$/, ''))
  if (text === '' || text.startsWith('#')) return []
  const isNegated = text.startsWith('!')
  const bare = (isNegated ? text.slice(1) : text).replace(/^\\(?=[#!])/, '')
  const isFolder = bare.endsWith('/')
  const path = isFolder ? bare.slice(0, -1) : bare
  // A pattern with a slash that is not at its end is relative to the root.
  const isAnchored = path.includes('/')
  const parts = path.split('/').filter((part) => part !== '')
  return parts.length === 0 ? [] : [{ parts: isAnchored ? parts : ['**', ...parts], isNegated, isFolder }]
}

/** Removes trailing spaces, except one after a backslash. */
function trimSpaces(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--
  return line.slice(0, end)
}

/** Compares all parts of a path; `**` matches any number of parts. */
function matchesParts(pattern: readonly string[], parts: readonly string[]): boolean {
  // Numbers of leading parts that the pattern so far can match.
  let ends = new Set([0])
  for (const [index, each] of pattern.entries()) {
    const next = new Set<number>()
    const isLast = index === pattern.length - 1
    for (const end of ends)
      if (each === '**') for (let at = isLast ? end + 1 : end; at <= parts.length; at++) next.add(at)
      else if (end < parts.length && matchesWildcards(each, parts[end]!)) next.add(end + 1)
    ends = next
  }
  return ends.has(parts.length)
}

/** Compares a name with a pattern of `*`, `?`, `[…]` and `\`; takes at most the product of their lengths. */
function matchesWildcards(pattern: string, name: string): boolean {
  let [at, index] = [0, 0]
  let star: readonly [at: number, index: number] | undefined
  while (index < name.length) {
    if (pattern[at] === '*') {
      star = [++at, index]
      continue
    }
    const length = at < pattern.length ? matchOne(pattern, at, name[index]!) : 0
    if (length > 0) {
      at += length
      index++
    } else if (star) {
      star = [star[0], star[1] + 1]
      ;[at, index] = star
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}

/** Length of the part of the pattern that matches one character; 0 if it does not match. */
function matchOne(pattern: string, at: number, char: string): number {
  const own = pattern[at]
  if (own === '?') return 1
  if (own === '\\' && at + 1 < pattern.length) return pattern[at + 1] === char ? 2 : 0
  const end = own === '[' ? pattern.indexOf(']', at + 2) : -1
  if (end < 0) return own === char ? 1 : 0
  const isNegated = pattern[at + 1] === '!' || pattern[at + 1] === '^'
  const list = pattern.slice(at + (isNegated ? 2 : 1), end)
  return isInList(list, char) === isNegated ? 0 : end + 1 - at
}

function isInList(list: string, char: string): boolean {
  for (let at = 0; at < list.length; at++) {
    if (list[at + 1] === '-' && at + 2 < list.length) {
      if (list[at]! <= char && char <= list[at + 2]!) return true
      at += 2
    } else if (list[at] === char) return true
  }
  return false
}
