import type { Resource } from '../../manifest/resources.ts'
import type { Token, TokenType } from '../../tokens/token.ts'
import type { Check } from '../check.ts'
import { quoteToken } from '../quote.ts'

/** `resource_reference_chain_without_whitespace` */
export const referenceChainWithoutWhitespace: Check = {
  name: 'resource_reference_chain_without_whitespace',
  doc: 'No space is between a data type and its bracket.',
  isOptional: true,
  check(manifest, report) {
    for (const token of manifest.select('TYPE')) if (hasSpaceBeforeBracket(token)) report(describeSpace(token))
  },
}

/** `resource_reference_without_whitespace` */
export const referenceWithoutWhitespace: Check = {
  name: 'resource_reference_without_whitespace',
  doc: 'No space is between the type and the title of a reference.',
  isOptional: true,
  check(manifest, report) {
    if (manifest.resources.length === 0) return
    for (const token of manifest.select('CLASSREF')) if (hasSpaceBeforeBracket(token)) report(describeSpace(token))
  },
}

function hasSpaceBeforeBracket({ next, nextCode }: Token): boolean {
  return next?.type === 'WHITESPACE' && nextCode?.type === 'LBRACK'
}

function describeSpace(at: Token) {
  return { severity: 'error', message: 'whitespce between reference type and title', at } as const
}

/** `resource_reference_with_unquoted_title` */
export const referenceWithUnquotedTitle: Check = {
  name: 'resource_reference_with_unquoted_title',
  doc: 'The title in a reference is quoted.',
  isOptional: true,
  check({ resources }, report) {
    const message = 'unquoted title in resource reference'
    for (const resource of resources)
      for (const at of findTitles(resource, 'NAME')) report({ severity: 'error', message, at, fix: quoteToken(at) })
  },
}

/** `resource_reference_without_title_capital` */
export const referenceWithoutTitleCapital: Check = {
  name: 'resource_reference_without_title_capital',
  doc: 'The title in a reference is not a capitalized word.',
  isOptional: true,
  check({ resources }, report) {
    const message = 'resource reference with title with capital letter'
    for (const resource of resources)
      for (const at of findTitles(resource, 'CLASSREF')) report({ severity: 'error', message, at })
  },
}

const relationships: ReadonlySet<string> = new Set(['require', 'subscribe', 'notify', 'before', 'consume', 'export'])

/** The first titles of references in relationships, if they have the type. A comment ends the search of a value. */
function* findTitles({ parameters, tokens }: Resource, type: TokenType): Generator<Token> {
  const names = new Set(parameters)
  const end = tokens.at(-1)!.index
  for (const parameter of parameters) {
    if (!relationships.has(parameter.value)) continue
    for (let token = parameter.nextCode?.next; token && token.index <= end && !names.has(token); token = token.next) {
      if (token.type === 'COMMENT' || token.type === 'SLASH_COMMENT' || token.type === 'MLCOMMENT') break
      const title = token.next?.next
      if (token.type === 'CLASSREF' && token.next?.type === 'LBRACK' && title?.type === type) yield title
    }
  }
}
