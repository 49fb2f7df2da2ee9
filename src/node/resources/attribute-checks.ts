import { throwIssue } from '../../base/issue.ts'
import { issues } from './issues.ts'
import { metaparameterAttributes } from './metaparameters.ts'
import type { ProviderDefinition } from './provider.ts'
import type { ResourceAttribute, ResourceAttributes } from './type.ts'

/** Checks that the value of `audit` contains only attributes of the type, metaparameters and `all`. Throws CANNOT_AUDIT. */
export function checkAuditedNames(attributes: ResourceAttributes, reference: string, names: readonly unknown[]): void {
  for (const name of names)
    if (name !== 'all' && ![attributes, metaparameterAttributes].some((each) => Object.hasOwn(each, String(name))))
      throwIssue(issues.CANNOT_AUDIT, { name: String(name), reference })
}

/** Checks that the provider has the feature that a value of an attribute needs. Throws NEEDS_FEATURES. */
export function checkValueFeatures(
  provider: Pick<ProviderDefinition, 'name' | 'features'> | undefined,
  name: string,
  { valueNeeds = {} }: ResourceAttribute<unknown>,
  value: unknown,
): void {
  const feature = valueNeeds[Object.hasOwn(valueNeeds, String(value)) ? String(value) : '*']
  if (feature === undefined || !provider || provider.features?.includes(feature)) return
  throwIssue(issues.NEEDS_FEATURES, { provider: provider.name, features: feature, name, value: String(value) })
}
