import type { Manifest } from '../../manifest/manifest.ts'
import type { Token } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'
import type { Check } from '../check.ts'
import { isLegacyFact, toStructuredFact } from './structured-facts.ts'

/** `legacy_facts` */
export const legacyFacts: Check = {
  name: 'legacy_facts',
  doc: 'A fact is read from the structured facts.',
  check(manifest: Manifest, report) {
    for (const token of manifest.select('VARIABLE', 'UNENC_VARIABLE')) {
      const fact = getFactName(token)
      if (fact === undefined || !isLegacyFact(fact)) continue
      const fix = (list: TokenList) => replaceFact(token, fact, list)
      report({ severity: 'warning', message: `legacy fact '${fact}'`, at: token, fix })
    }
  },
}

/** The name of the fact that a variable reads: `$::name`, `$facts['name']` or `${facts['name']}`. */
function getFactName(token: Token): string | undefined {
  const { value } = token
  const index = getFactsIndex(value.startsWith('::') ? value.slice(2) : value)
  if (index !== undefined) return index
  if (value === 'facts') return getKey(token)
  return value.startsWith('::') ? value.slice(2) : undefined
}

/** The text between the first and the last bracket of `facts[…]`, without quotes. */
function getFactsIndex(name: string): string | undefined {
  if (!name.startsWith('facts[') || !name.endsWith(']')) return undefined
  const index = name.slice('facts['.length, -1)
  const isQuoted = index.length > 2 && index.startsWith("'") && index.endsWith("'")
  return isQuoted ? index.slice(1, -1) : index
}

function getKey({ nextCode: bracket }: Token): string | undefined {
  const key = bracket?.nextCode
  if (bracket?.type !== 'LBRACK' || !key) return undefined
  return key.type === 'STRING' || key.type === 'SSTRING' || key.type === 'NAME' ? key.value : undefined
}

/** Facts without a structured counterpart remain. */
function replaceFact(token: Token, fact: string, list: TokenList): boolean {
  const structured = toStructuredFact(fact)
  if (structured === undefined) return false
  if (token.value === 'facts') {
    for (let { next } = token; next; next = token.next) {
      list.remove(next)
      if (next.type === 'RBRACK') break
    }
  }
  token.value = structured
  return true
}
