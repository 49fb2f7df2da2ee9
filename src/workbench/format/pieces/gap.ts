import { throwIssue } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'
import { formatIssues } from '../issues.ts'
import type { Comment } from './piece.ts'

/** The text between two pieces: comments and white space. */
export interface Gap {
  readonly comments: readonly Comment[]
  /** Line breaks after the last comment. */
  readonly newlines: number
  /** True if the gap contains a line break outside comments. */
  readonly hasNewline: boolean
}

/** Offsets of the texts of heredocs; `end` is after the line of the last end tag. */
export interface Body {
  readonly start: number
  readonly end: number
}

const emptyGap: Gap = { comments: [], newlines: 0, hasNewline: false }

/** Reads the gap from `start` to `end`, without the texts of the heredocs that start on the line before it. */
export function readGap(source: Source, start: number, end: number, bodies: Body | undefined): Gap {
  if (start === end) return emptyGap
  const { text } = source
  const comments: Comment[] = []
  let newlines = 0
  let hasNewline = false
  let skipped = bodies
  for (let at = start; at < end; ) {
    const code = text.charCodeAt(at)
    if (code === 10) {
      newlines++
      hasNewline = true
      at = skipped?.end ?? at + 1
      skipped = undefined
    } else if (code === 35 || code === 47) {
      const isBlock = code === 47
      const next = isBlock ? text.indexOf('*/', at + 2) + 2 : findLineEnd(text, at)
      if (skipped && next > skipped.start)
        throwIssue(formatIssues.FORMAT_UNSUPPORTED, { code: '/*' }, { source, start: at, end: at + 2 })
      comments.push({ text: trimLines(text.slice(at, next)), isBlock, start: at, newlines })
      newlines = 0
      at = next
    } else at++
  }
  return { comments, newlines, hasNewline }
}

function findLineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** Removes white space at the ends of lines. */
function trimLines(text: string): string {
  return text.includes('\n')
    ? text
        .split('\n')
        .map((each) => each.trimEnd())
        .join('\n')
    : text.trimEnd()
}
