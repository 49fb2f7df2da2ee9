import type { Resource } from '../../manifest/resources.ts'
import type { Token } from '../../tokens/token.ts'
import type { Check } from '../check.ts'

/** `anchor_resource` */
export const anchorResource: Check = {
  name: 'anchor_resource',
  doc: 'A manifest uses contain instead of resources of the type anchor.',
  isOptional: true,
  check({ resources }, report) {
    for (const { type } of resources) {
      if (type?.value !== 'anchor') continue
      report({ severity: 'warning', message: 'manifest includes anchor resource', at: type })
    }
  },
}

/** `file_ensure` */
export const fileEnsure: Check = {
  name: 'file_ensure',
  doc: 'The attribute ensure of a file states its kind instead of present.',
  isOptional: true,
  check({ resources }, report) {
    for (const resource of resources) {
      if (resource.type?.value !== 'file') continue
      const value = findAttribute(resource, 'ensure')?.nextCode?.nextCode
      if (value?.value !== 'present' || !['NAME', 'STRING', 'SSTRING'].includes(value.type)) continue
      const fix = () => {
        value.value = findAttribute(resource, 'target') ? 'link' : 'file'
        return true
      }
      report({ severity: 'warning', message: 'ensure set to present on file resource', at: value, fix })
    }
  },
}

function findAttribute({ tokens }: Resource, name: string): Token | undefined {
  return tokens.find(({ type, value, nextCode }) => type === 'NAME' && value === name && nextCode?.type === 'FARROW')
}
