import type { Check } from '../check.ts'
import { quoteToken } from '../quote.ts'

/** `unquoted_node_name` */
export const unquotedNodeName: Check = {
  name: 'unquoted_node_name',
  doc: 'The name of a node is quoted.',
  check({ tokens, meter }, report) {
    for (const node of tokens) {
      if (node.type !== 'NODE') continue
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
        report({ severity: 'warning', message: 'unquoted node name found', at: token, fix: quoteToken(token) })
      }
    }
  },
}
