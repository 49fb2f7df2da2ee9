import { statManagedFile } from '../../file-tree.ts'
import { failWithMessage } from '../../issues.ts'
import { createMissingFileError, joinLines, type Lines, readLines, toByteString, writeBytes } from '../../line-files.ts'
import { defineProvider, type ProviderWork } from '../../provider.ts'
import { type FileLineAttributes, fileLine } from '../../types/file-line.ts'
import { checkPattern, createLineReader, type LineReader } from './encoded-lines.ts'

interface State {
  lines: Lines
}

type LineWork = ProviderWork<FileLineAttributes, State>

/**
 * The provider of `file_line`, which manages lines of a file, compared as a whole or by a pattern.
 */
export const fileLineRuby = defineProvider<FileLineAttributes, State>(fileLine, 'ruby', {
  doc: 'Reads the file, changes its lines, and rewrites it.',
  begin: () => ({ lines: [] }),
  async read(work) {
    work.state.lines = await readLineFile(work)
    return { ensure: isPresent(work) ? 'present' : 'absent', line: work.resource.get('line') }
  },
  create: createLine,
  remove: removeLine,
})

async function readLineFile({ resource, system, noop }: LineWork): Promise<Lines> {
  const path = resource.get('path')!
  const lines = await readLines(system.files, path)
  if (lines) return lines
  if ((await statManagedFile(system.files, path, 'follow'))?.kind === 'directory')
    throw new Error(`Is a directory - ${path}`)
  if (!noop) throw createMissingFileError(path)
  return []
}

/** Compares the line and patterns of a resource with its file. */
class Comparison {
  readonly #work: LineWork
  readonly #reader: LineReader
  readonly #line: string | undefined

  constructor(work: LineWork) {
    this.#work = work
    this.#reader = createLineReader(work.resource.get('encoding') ?? 'UTF-8')
    this.#line = work.resource.get('line')
  }

  isLine(line: string): boolean {
    return this.#line !== undefined && this.#reader.is(line, this.#line)
  }

  matches(line: string, name: 'match' | 'after'): boolean {
    const pattern = this.#work.resource.get(name)
    if (pattern === undefined) throw new Error('wrong argument type nil (expected Regexp)')
    return this.#reader.matches(line, pattern)
  }

  /** Throws Ruby's error for an invalid pattern, even if the file has no lines. */
  check(name: 'match' | 'after'): void {
    const pattern = this.#work.resource.get(name)
    if (pattern !== undefined) checkPattern(pattern)
  }

  /**
   * The number of matching lines. With `replace_all_matches_not_matching_line`, lines that already
   * have the desired text do not count.
   */
  count(name: 'match' | 'after'): number {
    this.check(name)
    const { resource, state } = this.#work
    const othersOnly = resource.get('replace_all_matches_not_matching_line') === 'true'
    return state.lines.filter((line) => !(othersOnly && this.isLine(line)) && this.matches(line, name)).length
  }
}

function isPresent(work: LineWork): boolean {
  const { resource, state } = work
  const comparison = new Comparison(work)
  const hasLine = state.lines.some((line) => comparison.isLine(line))
  if (!resource.has('match')) return hasLine
  const isMatched = comparison.count('match') > 0
  if (resource.get('ensure') !== 'present')
    return hasLine || (isMatched && resource.get('match_for_absence') === 'true')
  if (!isMatched) return hasLine || resource.get('append_on_no_match') === 'false'
  if (resource.get('replace_all_matches_not_matching_line') === 'true') return false
  return hasLine || resource.get('replace') === 'false'
}

async function createLine(work: LineWork): Promise<void> {
  const { resource, state } = work
  const comparison = new Comparison(work)
  if (resource.get('replace') !== 'true' && comparison.count('match') > 0) return
  const line = toByteString(resource.get('line') ?? '')
  if (resource.has('match')) return writeFile(work, joinLines(replaceLines(work, comparison, line)))
  if (!resource.has('after')) return writeFile(work, joinLines([...state.lines, line]))
  const count = comparison.count('after')
  if (count > 1 && resource.get('multiple') !== 'true') {
    const message = `${count} lines match pattern '${resource.get('after')}' in file '${resource.get('path')}'. One or no line must match the pattern.`
    failWithMessage(message)
  }
  const lines = state.lines.flatMap((each) => (comparison.matches(each, 'after') ? [each, line] : [each]))
  return writeFile(work, joinLines(count === 0 ? [...lines, line] : lines))
}

/**
 * Replaces the matching lines with the desired line. Without a match, inserts the desired line
 * after the first match of `after`, or at the end.
 */
function replaceLines({ resource, state }: LineWork, comparison: Comparison, line: string): Lines {
  comparison.check('after')
  let count = comparison.count('match')
  checkSingleMatch(resource.get('multiple'), count, resource.get('path'), resource.get('match'))
  const lines: string[] = []
  for (const each of state.lines) {
    lines.push(comparison.matches(each, 'match') ? line : each)
    if (count > 0 || !resource.has('after') || !comparison.matches(each, 'after')) continue
    lines.push(line)
    count += 1
  }
  return count === 0 ? [...lines, line] : lines
}

async function removeLine(work: LineWork): Promise<void> {
  const { resource, state } = work
  const comparison = new Comparison(work)
  const byPattern = resource.get('match_for_absence') === 'true' && resource.has('match')
  if (byPattern)
    checkSingleMatch(resource.get('multiple'), comparison.count('match'), resource.get('path'), resource.get('match'))
  const isRemoved = (line: string) => (byPattern ? comparison.matches(line, 'match') : comparison.isLine(line))
  return writeFile(work, state.lines.filter((line) => !isRemoved(line)).join(''))
}

function checkSingleMatch(multiple: string | undefined, count: number, path = '', pattern = ''): void {
  if (count <= 1 || multiple === 'true') return
  failWithMessage(`More than one line in file '${path}' matches pattern '${pattern}'`)
}

async function writeFile({ resource, system }: LineWork, bytes: string): Promise<void> {
  await writeBytes(system.files, resource.get('path')!, bytes)
}
