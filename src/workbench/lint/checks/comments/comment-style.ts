import { stripSpace } from '../../strip-space.ts'
import { Token } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'
import { type Check, styleGuide } from '../check.ts'

/** `slash_comments` */
export const slashComments: Check = {
  name: 'slash_comments',
  doc: 'A comment begins with # instead of //.',
  helpUri: styleGuide('comments'),
  check(manifest, report) {
    for (const token of manifest.select('SLASH_COMMENT')) {
      const fix = () => {
        token.type = 'COMMENT'
        return true
      }
      report({ severity: 'warning', message: '// comment found', at: token, fix })
    }
  },
}

/** `star_comments` */
export const starComments: Check = {
  name: 'star_comments',
  doc: 'A comment begins with # instead of /*.',
  helpUri: styleGuide('comments'),
  check(manifest, report) {
    for (const token of manifest.select('MLCOMMENT')) {
      const fix = (list: TokenList) => convertComment(token, list)
      report({ severity: 'warning', message: '/* */ comment found', at: token, fix })
    }
  },
}

/** Converts a comment to one that begins each line with #. False if code follows on the last line of the comment. */
function convertComment(token: Token, list: TokenList): boolean {
  if (hasCodeAfter(token)) return false
  const [first = '', ...others] = stripSpace(token.value).split('\n').map(stripSpace)
  token.type = 'COMMENT'
  token.value = ` ${first}`
  const { next, previous } = token
  const isIndented = previous?.type === 'INDENT' || previous?.type === 'WHITESPACE' || previous?.type === 'NEWLINE'
  for (const line of others) {
    list.insertBefore(new Token('NEWLINE', list.lineBreak), next)
    // After a line break puppet-lint repeats that, which gives an empty line.
    if (isIndented) list.insertBefore(new Token('INDENT', previous.value), next)
    list.insertBefore(new Token('COMMENT', ` ${line}`), next)
  }
  return true
}

function hasCodeAfter({ next }: Token): boolean {
  let token = next
  while (token?.type === 'WHITESPACE') token = token.next
  return token !== undefined && token.type !== 'NEWLINE'
}
