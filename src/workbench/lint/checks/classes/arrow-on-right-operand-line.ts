import { Token } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'
import { type Check, styleGuide } from '../check.ts'

/** `arrow_on_right_operand_line` */
export const arrowOnRightOperandLine: Check = {
  name: 'arrow_on_right_operand_line',
  doc: 'A chaining arrow is on the line of the operand to its right.',
  helpUri: styleGuide('chaining-arrow-syntax'),
  check(manifest, report) {
    for (const arrow of manifest.select('IN_EDGE', 'IN_EDGE_SUB')) {
      const { previousCode: left, nextCode: right } = arrow
      if (!right || right.line === arrow.line) continue
      const message = "arrow should be on the right operand's line"
      report({ severity: 'warning', message, at: arrow, fix: (list) => moveArrow(arrow, left, right, list) })
    }
  },
}

function moveArrow(arrow: Token, left: Token | undefined, right: Token, list: TokenList): boolean {
  list.remove(arrow)
  list.insertBefore(arrow, right)
  list.insertBefore(new Token('WHITESPACE', ' ', right.line, 3), right)
  const space = left?.next
  if (space?.type === 'WHITESPACE' && (space.next?.type === 'NEWLINE' || space.next?.type === 'WHITESPACE'))
    list.remove(space)
  return true
}
