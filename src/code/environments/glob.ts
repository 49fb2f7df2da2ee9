import {
  compileNameGlob,
  createGlobMeter,
  expandBraces,
  expandFirstBraces,
  type Glob,
  type Meter,
} from '../../base/text/glob.ts'
import type { CodeTree } from './code-tree.ts'
import { joinPath } from './modules.ts'

/** The methods of a tree that a glob search uses. */
type Names = Pick<CodeTree, 'entry' | 'list' | 'linkDestination'>

/**
 * Returns the paths in a tree that match a pattern, in Ruby's order. Patterns contain `*`, `?`,
 * `[…]`, `{a,b}` and `**`, which does not follow links, as in Ruby's `Dir.glob`. Each folder is
 * read once for each alternative of the preceding braces, and the total cost is limited. Throws
 * GLOB_TOO_LONG, GLOB_TOO_WIDE, GLOB_TOO_COSTLY.
 */
export function findMatchingPaths(
  tree: Names,
  pattern: string,
  meter: Meter = createGlobMeter(`'${pattern.slice(0, 80)}'`),
): string[] {
  if (expandBraces(pattern).length === 0) return []
  const found = new Set<string>()
  collectMatches({ tree, meter, parts: createPartParser(meter), found }, '', [pattern.replace(/\/(?:\.?\/)+/g, '/')])
  return [...found]
}

/**
 * Returns true for a path with a wildcard, a set or braces. Puppet: settings/environment_conf.rb,
 * expand_glob.
 */
export function isGlobPattern(path: string): boolean {
  return /[*?[{]/.test(path)
}

/**
 * Returns a function that counts the names up to the first folder matching a pattern; `undefined`
 * without a match.
 */
export function createFolderMatcher(pattern: string): (names: readonly string[]) => number | undefined {
  const parts = createPartParser()
  const start = expandBraces(pattern)
  return (names) => {
    let left = expandPatterns(start, parts)
    for (let at = 0; ; at++) {
      if (left.some(({ kind }) => kind === 'end')) return at
      const name = names[at]
      if (name === undefined || left.length === 0) return undefined
      const rest = left.flatMap((each) => getRemainingPattern(name, each, true))
      left = expandPatterns(rest, parts)
    }
  }
}

interface Walk {
  readonly tree: Names
  readonly meter: Meter
  readonly parts: (text: string) => Part
  readonly found: Set<string>
}

/** A pattern of a path, split into its first part and the rest. */
interface Part {
  /** The whole pattern; empty for the kind `end`. */
  readonly text: string
  /** `folders` is `**`, `said` a literal name; `braces` have a glob unless they contain a slash. */
  readonly kind: 'end' | 'folders' | 'said' | 'pattern' | 'braces'
  /** The literal name. */
  readonly name: string
  readonly glob: Glob | undefined
  readonly rest: string
}

/** Cost of looking up one name in a tree, counted in matching steps (measured). */
const stepsOfName = 30
/** Cost of expanding one character of a pattern for one brace alternative, counted in matching steps (measured). */
const stepsOfBraces = 16

/** Finds the paths below `path` that match one of the patterns; the patterns are relative to `path`. */
function collectMatches(at: Walk, path: string, patterns: readonly string[]): void {
  const left = expandPatterns(patterns, at.parts)
  at.meter.spend(left.length)
  // Below `**`, names matched by braces are returned in the folder's order. Ruby: dir.c,
  // glob_helper.
  const inOrder = left.some(({ kind }) => kind === 'folders')
  const braces = left.filter(({ kind, glob }) => kind === 'braces' && !(inOrder && glob))
  const heads = left.filter((each) => each.kind !== 'end' && !braces.includes(each))
  if (path !== '' && left.some(({ kind }) => kind === 'end')) at.found.add(path)
  if (left.length === 0 || !isFolder(at.tree, path)) return
  for (const name of listCandidateNames(at, path, heads)) {
    const child = joinPath(path, name)
    at.meter.spend(stepsOfName)
    const deeper = isFolder(at.tree, child) && at.tree.linkDestination(child) === undefined
    const next = heads.flatMap((head) => getRemainingPattern(name, head, deeper, at.meter))
    if (next.length > 0) collectMatches(at, child, next)
  }
  for (const { text } of braces) for (const each of expandFirstBraces(text) ?? []) collectMatches(at, path, [each])
}

/** Returns the patterns without duplicates, and for `**` also the pattern after it, since `**` may match no folder. */
function expandPatterns(patterns: readonly string[], parts: Walk['parts']): readonly Part[] {
  const found = new Map<string, Part>()
  for (const pattern of patterns) {
    const part = parts(pattern)
    found.set(part.text, part)
    if (part.kind === 'folders' && !found.has(part.rest)) found.set(part.rest, parts(part.rest))
  }
  return [...found.values()]
}

/**
 * Returns the names in a folder that may match the patterns. If all patterns begin with literal names, the folder
 * is not read, and the names are in the order of the patterns, as in Ruby.
 */
function listCandidateNames({ tree }: Walk, path: string, heads: readonly Part[]): Iterable<string> {
  if (heads.some(({ kind }) => kind !== 'said')) return tree.list(path)
  return new Set(heads.map(({ name }) => name).filter((name) => tree.entry(joinPath(path, name))))
}

/** Returns the rest of a pattern after a name matched its first part. */
function getRemainingPattern(
  name: string,
  { text, kind, name: said, glob, rest }: Part,
  deeper: boolean,
  meter?: Meter,
): string[] {
  if (kind === 'folders') return deeper && !name.startsWith('.') ? [text] : []
  const matches = glob ? glob.matches(name, meter) : kind === 'said' && said === name
  return matches ? [rest] : []
}

function isFolder(tree: Names, path: string): boolean {
  return path === '' || tree.entry(path)?.kind === 'directory'
}

/** Parses the parts of patterns, with a cache; the cost of expanding braces is limited. */
function createPartParser(meter?: Meter): Walk['parts'] {
  const known = new Map<string, Part>()
  return (text) => {
    const part = known.get(text) ?? parsePart(text, meter)
    known.set(text, part)
    return part
  }
}

function parsePart(text: string, meter: Meter | undefined): Part {
  const plain = { text, name: '', glob: undefined, rest: '' }
  if (text === '') return { ...plain, kind: 'end' }
  if (text.startsWith('**/')) {
    let at = 3
    while (text.startsWith('**/', at)) at += 3
    return { ...plain, kind: 'folders', rest: text.slice(at) }
  }
  const end = findNameEnd(text)
  const head = text.slice(0, end)
  const rest = text.slice(end + 1)
  if (expandFirstBraces(head)) {
    const all = expandBraces(head)
    meter?.spend((all.length + 1) * head.length * stepsOfBraces)
    return { ...plain, kind: 'braces', glob: head.includes('/') ? undefined : createAlternativesGlob(all), rest }
  }
  if (/[*?[]/.test(head.replace(/\\./gs, ''))) return { ...plain, kind: 'pattern', glob: compileNameGlob(head), rest }
  return { ...plain, kind: 'said', name: head.replace(/\\(.)/gs, '$1'), rest }
}

function createAlternativesGlob(patterns: readonly string[]): Glob {
  const globs = patterns.map(compileNameGlob)
  return { matches: (name, meter) => globs.some((glob) => glob.matches(name, meter)) }
}

/** Returns the end of the first name of a pattern; a slash inside brackets or braces does not end the name. */
function findNameEnd(text: string): number {
  let isSet = false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '[') isSet = true
    else if (character === ']') isSet = false
    else if (character === '{') depth++
    else if (character === '}') depth--
    else if (character === '/' && !isSet && depth <= 0) return at
  }
  return text.length
}
