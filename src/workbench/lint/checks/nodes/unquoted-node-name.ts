import type { Token } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'
import type { Check } from '../check.ts'

/** `unquoted_node_name` */
export const unquotedNodeName: Check = {
  name: 'unquoted_node_name',
  doc: 'The name of a node is quoted.',
  check(manifest, report) {
    const { tokens, meter } = manifest
    for (const node of manifest.select('NODE')) {
      let end = node.index
      while (end < tokens.length && tokens[end]!.type !== 'LBRACE') end++
      meter.spend(end - node.index)
      if (end === tokens.length) {
        const message = 'Syntax error (try running `puppet parser validate <file>`)'
        report({ severity: 'error', message, at: node, isSyntaxError: true })
        continue
      }
      for (const token of tokens.slice(node.index, end)) {
        if (token.type !== 'NAME' || token.value === 'default') continue
        report({
          severity: 'warning',
          message: 'unquoted node name found',
          at: token,
          fix: (list) => quoteName(token, list),
        })
      }
    }
  },
}

/** Quotes the whole name, which has several tokens if it contains dots. */
function quoteName(token: Token, list: TokenList): boolean {
  // An earlier part of the same name was corrected.
  if (token.isRemoved) return true
  let first = token
  while (isPart(first.previous)) first = first.previous
  let value = first.value
  for (let part = first.next; isPart(part); part = part.next) {
    value += part.value
    list.remove(part)
  }
  first.type = 'SSTRING'
  first.value = value
  return true
}

function isPart(token: Token | undefined): token is Token {
  return token?.type === 'NAME' || token?.type === 'DOT' || token?.type === 'NUMBER'
}
