import { countCharacters } from '../../tokens/characters.ts'
import { Token } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'
import { type Check, styleGuide } from '../check.ts'

const helpUri = styleGuide('spacing-indentation-and-whitespace')

/** `140chars` */
export const chars140: Check = createLineLength(140)

/** `80chars` */
export const chars80: Check = { ...createLineLength(80), isOptional: true }

function createLineLength(limit: number): Check {
  return {
    name: `${limit}chars`,
    doc: `A line without a URL or a call of template has at most ${limit} characters.`,
    helpUri,
    check({ text }, report) {
      const message = `line has more than ${limit} characters`
      let start = 0
      for (let line = 1; start < text.length; line++) {
        const end = findLineEnd(text, start)
        if (end - start > limit && isTooLong(text.slice(start, end), limit))
          report({ severity: 'warning', message, at: { line, column: limit } })
        start = end + 1
      }
    },
  }
}

function findLineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end === -1 ? text.length : end
}

function isTooLong(line: string, limit: number): boolean {
  return countCharacters(line) > limit && !line.includes('://') && !line.includes('template(')
}

/** `2sp_soft_tabs` */
export const softTabs: Check = {
  name: '2sp_soft_tabs',
  doc: 'Each level of indentation has two spaces.',
  helpUri,
  check(manifest, report) {
    for (const token of manifest.select('INDENT')) {
      if (token.value.length % 2 === 0) continue
      report({ severity: 'error', message: 'two-space soft tabs not used', at: token })
    }
  },
}

/** `hard_tabs` */
export const hardTabs: Check = {
  name: 'hard_tabs',
  doc: 'Space contains no tab characters.',
  helpUri,
  check(manifest, report) {
    for (const token of manifest.select('INDENT', 'WHITESPACE')) {
      if (!token.value.includes('\t')) continue
      const fix = () => {
        token.value = token.value.replaceAll('\t', '  ')
        return true
      }
      report({ severity: 'error', message: 'tab character found', at: token, fix })
    }
  },
}

/** `trailing_whitespace` */
export const trailingWhitespace: Check = {
  name: 'trailing_whitespace',
  doc: 'A line does not end with space.',
  helpUri,
  check(manifest, report) {
    for (const token of manifest.select('INDENT', 'WHITESPACE')) {
      if (token.next && token.next.type !== 'NEWLINE') continue
      const fix = (list: TokenList) => {
        list.remove(token)
        return true
      }
      report({ severity: 'error', message: 'trailing whitespace found', at: token, fix })
    }
  },
}

/** `space_before_arrow` */
export const spaceBeforeArrow: Check = {
  name: 'space_before_arrow',
  doc: 'One space is before the arrow of a resource with one line of attributes.',
  check({ resources }, report) {
    for (const { arrows } of resources) {
      if (arrows.length === 0 || arrows[0]!.line !== arrows.at(-1)!.line) continue
      for (const arrow of arrows) {
        const { previous } = arrow
        if (!previous || previous.value === ' ') continue
        const { line, column } = previous
        const message = `there should be a single space before '=>' on line ${line}, column ${column}`
        report({ severity: 'warning', message, at: previous, fix: (list) => setSpace(previous, arrow, list) })
      }
    }
  },
}

function setSpace(previous: Token, arrow: Token, list: TokenList): boolean {
  if (previous.type === 'WHITESPACE') previous.value = ' '
  else if (previous === arrow.previousCode) list.insertBefore(new Token('WHITESPACE', ' '), arrow)
  else return false
  return true
}
