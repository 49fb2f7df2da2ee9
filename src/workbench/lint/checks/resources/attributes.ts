import { type Check, styleGuide } from '../check.ts'
import { quoteToken } from '../quote.ts'
import { putEnsureFirst } from './put-ensure-first.ts'

/** `duplicate_params` */
export const duplicateParams: Check = {
  name: 'duplicate_params',
  doc: 'A resource sets each attribute once.',
  check({ resources }, report) {
    for (const { outline } of resources) {
      const seen = new Map<number, Set<string>>()
      let level = 0
      for (const { type, previousCode: name } of outline) {
        if (type === 'LBRACE') level++
        else if (type === 'RBRACE') {
          seen.delete(level)
          level--
        } else if (type === 'FARROW' && name?.type === 'NAME') {
          const names = seen.get(level) ?? new Set()
          if (names.has(name.value))
            report({ severity: 'error', message: 'duplicate parameter found in resource', at: name })
          seen.set(level, names.add(name.value))
        }
      }
    }
  },
}

/** `ensure_first_param` */
export const ensureFirstParam: Check = {
  name: 'ensure_first_param',
  doc: 'The attribute ensure comes first.',
  helpUri: styleGuide('attribute-ordering'),
  check({ resources }, report) {
    for (const resource of resources) {
      if (resource.type?.type === 'CLASS') continue
      const index = resource.parameters.findIndex(({ value }) => value === 'ensure')
      if (index <= 0) continue
      report({
        severity: 'warning',
        message: "ensure found on line but it's not the first attribute",
        at: resource.parameters[index]!,
        fix: (list) => putEnsureFirst(resource, list),
      })
    }
  },
}

/** `unquoted_resource_title` */
export const unquotedResourceTitle: Check = {
  name: 'unquoted_resource_title',
  doc: 'The title of a resource is quoted.',
  helpUri: styleGuide('resource-names'),
  check({ titles }, report) {
    for (const token of titles) {
      if (token.type !== 'NAME') continue
      report({ severity: 'warning', message: 'unquoted resource title', at: token, fix: quoteToken(token) })
    }
  },
}
