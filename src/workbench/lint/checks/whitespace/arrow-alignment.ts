import type { Resource } from '../../manifest/resources.ts'
import { countTokenCharacters, type Token } from '../../tokens/token.ts'
import { type Check, type Report, styleGuide } from '../check.ts'
import { alignArrow } from './align-arrow.ts'

/** `arrow_alignment` */
export const arrowAlignment: Check = {
  name: 'arrow_alignment',
  doc: 'The arrows of a group are in one column.',
  helpUri: styleGuide('spacing-indentation-and-whitespace'),
  check({ resources }, report) {
    for (const { arrows, outline } of resources) {
      if (arrows.length > 1 && arrows[0]!.line !== arrows.at(-1)!.line) checkGroups(outline, report)
    }
  },
}

/** The arrows between a pair of braces. */
interface Group {
  arrows: Token[]
  /** The column where all arrows belong. */
  column: number
  /** The column of the first attribute. */
  start: number | undefined
}

function checkGroups(outline: Resource['outline'], report: Report): void {
  const groups: Group[] = [{ arrows: [], column: 0, start: undefined }]
  let level = 0
  for (const token of outline) {
    // A semicolon within braces closes a level, which leads to levels below zero: puppet-lint counts them from the end.
    const group = groups.at(level)
    if (!group) return
    if (token.type === 'FARROW') addArrow(token, group)
    else if (token.type === 'LBRACE') {
      level++
      groups.push({ arrows: [], column: 0, start: undefined })
    } else if (token.type === 'RBRACE' || token.type === 'SEMIC') {
      reportArrows(group, report)
      Object.assign(group, { arrows: [], column: 0, start: undefined })
      level--
    }
  }
}

function addArrow(arrow: Token, group: Group): void {
  const name = arrow.previousCode
  if (!name) return
  const first = findFirstToken(name)
  group.start ??= first.column
  const isFirstOnLine = group.arrows.at(-1)?.line !== arrow.line
  const column = isFirstOnLine
    ? name.column + countTokenCharacters(name) + 1
    : group.start + countRange(first, name) + 1
  group.column = Math.max(group.column, column)
  group.arrows.push(arrow)
}

/** The first token of a name, which may be a string with interpolations. */
function findFirstToken(name: Token): Token {
  let token = name
  if (name.type === 'DQPOST') while (token.type !== 'DQPRE' && token.previous) token = token.previous
  return token
}

function countRange(first: Token, last: Token): number {
  let count = countTokenCharacters(last)
  for (let token = last; token !== first && token.previous; token = token.previous)
    count += countTokenCharacters(token.previous)
  return count
}

function reportArrows({ arrows, column, start }: Group, report: Report): void {
  if (arrows.length < 2 || arrows[0]!.line === arrows.at(-1)!.line) return
  arrows.forEach((arrow, index) => {
    if (arrow.column === column) return
    const isFirstOnLine = arrows[index - 1]?.line !== arrow.line
    const indent = isFirstOnLine ? undefined : (start ?? 1) - 1
    report({
      severity: 'warning',
      message: `indentation of => is not properly aligned (expected in column ${column}, but found it in column ${arrow.column})`,
      at: arrow,
      fix: (list) => alignArrow(arrow, { column, indent }, list),
    })
  })
}
