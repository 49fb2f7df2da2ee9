import type { Token } from '../../tokens/token.ts'
import { type Check, styleGuide } from '../check.ts'

/** `documentation` */
export const documentation: Check = {
  name: 'documentation',
  doc: 'A comment is directly above each class and defined type.',
  helpUri: styleGuide('public-and-private'),
  check({ definitions }, report) {
    for (const { keyword, type } of definitions) {
      if (hasCommentAbove(keyword)) continue
      const kind = type === 'CLASS' ? 'class' : 'defined type'
      report({ severity: 'warning', message: `${kind} not documented`, at: keyword })
    }
  },
}

function hasCommentAbove({ previous }: Token): boolean {
  let lineBreaks = 0
  for (let token = previous; token; token = token.previous) {
    switch (token.type) {
      case 'NEWLINE':
        lineBreaks++
        if (lineBreaks > 1) return false
        break
      case 'WHITESPACE':
      case 'INDENT':
        break
      case 'COMMENT':
      case 'MLCOMMENT':
      case 'SLASH_COMMENT':
        return true
      default:
        return false
    }
  }
  return false
}
