import type { TokenIndex } from './manifest/token-index.ts'
import { stripSpace } from './strip-space.ts'
import { isSpace, isWord } from './tokens/characters.ts'
import type { Token } from './tokens/token.ts'

/** The reason why a line ignores a check; empty if none is given. */
export interface Suppression {
  readonly reason: string
  /** The last day on which the comment has an effect, as `YYYY-MM-DD`. */
  readonly until?: string
  /** The line of the comment. */
  readonly commentLine: number
}

/** Problems that a manifest's `lint:ignore` comments suppress. */
export interface Suppressions {
  find(check: string, line: number): Suppression | undefined
  /** Comments that have lost their effect. */
  readonly expired: readonly (Suppression & { readonly check: string })[]
  /** Messages about comments that begin or end nothing. */
  readonly warnings: readonly string[]
}

interface Range extends Suppression {
  readonly first: number
  readonly last: number
}

/** Reads the control comments of a manifest: `lint:ignore:CHECK REASON` and `lint:endignore`. */
export function readControlComments(index: TokenIndex, today: string): Suppressions {
  const ranges = new Map<string, Range[]>()
  const expired: (Suppression & { check: string })[] = []
  const warnings: string[] = []
  const open: { readonly check: string; readonly suppression: Suppression }[][] = []
  const suppress = (check: string, suppression: Suppression, last: number): void => {
    if (suppression.until !== undefined && suppression.until < today) expired.push({ ...suppression, check })
    else {
      const known = ranges.get(check) ?? []
      known.push({ ...suppression, first: suppression.commentLine, last })
      ranges.set(check, known)
    }
  }
  for (const token of index.select('COMMENT', 'MLCOMMENT', 'SLASH_COMMENT')) {
    const comment = readComment(token.value)
    if (!comment) continue
    const opened: { check: string; suppression: Suppression }[] = []
    for (const command of comment.commands) {
      if (command.check !== undefined) {
        const suppression = { ...readReason(comment.reason), commentLine: token.line }
        if (isAtLineEnd(token)) suppress(command.check, suppression, token.line)
        else opened.push({ check: command.check, suppression })
        continue
      }
      const top = open.pop()
      if (!top)
        warnings.push(`lint:endignore comment with no opening lint:ignore:<check> comment found on line ${token.line}`)
      for (const { check, suppression } of top ?? []) suppress(check, suppression, token.line)
    }
    if (opened.length > 0) open.push(opened)
  }
  for (const [first] of open)
    warnings.push(
      `lint:ignore:${first!.check} comment on line ${first!.suppression.commentLine} with no closing lint:endignore comment`,
    )
  const lines = new Map(Array.from(ranges, ([check, each]) => [check, mapLines(each)]))
  return { find: (check, line) => lines.get(check)?.get(line), expired, warnings }
}

/** The suppression of each line. The later of two comments wins. */
function mapLines(ranges: readonly Range[]): ReadonlyMap<number, Suppression> {
  const lines = new Map<number, Suppression>()
  /** For a line that has a suppression, a later line that may have none. */
  const following = new Map<number, number>()
  const findFree = (from: number): number => {
    let line = from
    for (let next = following.get(line); next !== undefined; next = following.get(line)) {
      following.set(line, following.get(next) ?? next)
      line = next
    }
    return line
  }
  for (const range of ranges.toReversed()) {
    for (let line = findFree(range.first); line <= range.last; line = findFree(line)) {
      lines.set(line, range)
      following.set(line, line + 1)
    }
  }
  return lines
}

/** True for a comment that shares its line with code, and has an effect on that line alone. */
function isAtLineEnd({ previous }: Token): boolean {
  return previous !== undefined && previous.type !== 'NEWLINE' && previous.type !== 'INDENT'
}

interface ControlComment {
  readonly commands: readonly { readonly check: string | undefined }[]
  readonly reason: string
}

const ignore = 'lint:ignore:'
const endIgnore = 'lint:endignore'

function readComment(value: string): ControlComment | undefined {
  if (!value.includes('lint:')) return undefined
  const text = stripSpace(value)
  const isControl = text.startsWith(endIgnore) || (text.startsWith(ignore) && isWord(text.charCodeAt(ignore.length)))
  if (!isControl) return undefined
  const words = splitWords(text)
  const end = words.findIndex((word) => !word.startsWith('lint:ignore') && !word.startsWith(endIgnore))
  const controls = end === -1 ? words : words.slice(0, end)
  const commands = controls.flatMap((word): { readonly check: string | undefined }[] => {
    const [, command, check] = word.split(':')
    if (command === 'ignore') return check === undefined || check === '' ? [] : [{ check }]
    return [{ check: undefined }]
  })
  return { commands, reason: end === -1 ? '' : words.slice(end).join(' ') }
}

function splitWords(text: string): string[] {
  const words: string[] = []
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !isSpace(text.charCodeAt(at))) continue
    if (at > start) words.push(text.slice(start, at))
    start = at + 1
  }
  return words
}

/** Splits `until YYYY-MM-DD` off a reason. */
function readReason(reason: string): { readonly reason: string; readonly until?: string } {
  const match = /^until (\d{4}-\d\d-\d\d)(?: |$)/.exec(reason)
  return match ? { reason, until: match[1]! } : { reason }
}
