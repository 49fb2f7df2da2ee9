import { PuppetError } from '../../../../base/issue.ts'
import { Hash } from '../../../../language/values/hash.ts'
import type { Value } from '../../../../language/values/value.ts'
import {
  type AttributeKind,
  createEnumKind,
  failMunging,
  inspectPlainValue,
  type PlainValue,
  toPlainValue,
} from '../../attribute-kinds.ts'
import { failWithMessage } from '../../issues.ts'

/** Rights in the order in which a permission lists them. */
const rightNames = ['full', 'modify', 'write', 'read', 'execute', 'mask_specific'] as const

const affectNames = [
  'all',
  'self_only',
  'children_only',
  'self_and_direct_children_only',
  'direct_children_only',
] as const

/** A right of a permission; `mask_specific` stands for the access mask. */
export type AclRight = (typeof rightNames)[number]

/** Rights of an account, and who inherits them. The names are those of manifests. */
export interface AclPermission {
  /** Name or security identifier of the account. */
  readonly identity: string
  readonly rights: readonly AclRight[]
  /** The access mask, a decimal number. */
  readonly mask: string | undefined
  readonly perm_type: 'allow' | 'deny'
  readonly child_types: 'all' | 'objects' | 'containers' | 'none'
  readonly affects: (typeof affectNames)[number]
  readonly is_inherited: boolean
  /** Remarks about the declaration. */
  readonly warnings: readonly string[]
}

const rightKind = createEnumKind(...rightNames)
const typeKind = createEnumKind('allow', 'deny')
const childKind = createEnumKind('all', 'objects', 'containers', 'none')
const affectKind = createEnumKind(...affectNames)

/** A list of permissions as manifests declare them. */
export const permissionsKind: AttributeKind<readonly AclPermission[]> = {
  list: true,
  parse: (value) => (Array.isArray(value) ? (value.flat(Number.POSITIVE_INFINITY) as Value[]) : [value]).map(parse),
}

function parse(value: Value): AclPermission {
  const isEmpty = value === undefined || value === '' || (value instanceof Hash && [...value].length === 0)
  if (isEmpty) failWithMessage('A non-empty permissions must be specified.')
  const given = value instanceof Hash ? (toPlainValue(value) as Readonly<Record<string, PlainValue>>) : {}
  if ((given['is_inherited'] ?? false) !== false) failWithMessage(describeInherited(given))
  try {
    return parseFields(given)
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return failMunging('permissions', value, error.diagnostic.message)
  }
}

const describeInherited = (given: Readonly<Record<string, PlainValue>>): string =>
  [
    'Puppet can not manage inherited ACEs.',
    'If you used puppet resource acl to build your manifest, please remove',
    'any is_inherited => true entries in permissions when adding the resource',
    'to the manifest.',
    `Reference: ${inspectPlainValue(given)}`,
  ].join(`\n${' '.repeat(14)}`)

function parseFields(given: Readonly<Record<string, PlainValue>>): AclPermission {
  const warnings: string[] = []
  const identity = toText(given['identity']) || toText(given['id'])
  if (identity === '') failWithMessage('A non-empty identity must be specified.')
  const mask = toText(given['mask']) || undefined
  const rights = parseRights(given['rights'], { identity, mask, warnings })
  const perm_type = typeKind.parse((given['perm_type'] ?? 'allow') as Value) as AclPermission['perm_type']
  const type = given['type'] ?? undefined
  if (type !== undefined) {
    warnings.push('Permission `type` is deprecated and has been replaced with perm_type for allow or deny')
    if ((given['perm_type'] ?? type) !== type)
      failWithMessage(`Can not accept both \`type\` => ${String(type)} and \`perm_type\` => ${perm_type}`)
  }
  return reconcileInheritance({
    identity,
    rights,
    mask,
    perm_type: type === undefined ? perm_type : (typeKind.parse(type as Value) as AclPermission['perm_type']),
    child_types: childKind.parse((given['child_types'] ?? 'all') as Value) as AclPermission['child_types'],
    affects: affectKind.parse((given['affects'] ?? 'all') as Value) as AclPermission['affects'],
    is_inherited: false,
    warnings,
  })
}

const toText = (value: PlainValue | undefined): string => (value === undefined || value === null ? '' : String(value))

interface RightsContext {
  readonly identity: string
  readonly mask: string | undefined
  readonly warnings: string[]
}

function parseRights(given: PlainValue | undefined, { identity, mask, warnings }: RightsContext): readonly AclRight[] {
  if (given === undefined || given === null || given === '') failWithMessage('A non-empty rights must be specified.')
  if (!Array.isArray(given))
    return failWithMessage(`Value for rights should be an array. Perhaps try ['${String(given)}']?`)
  if (given.length === 0) failWithMessage('Value for rights should have least one element in the array.')
  const named = new Set(given.map((each) => rightKind.parse(each as Value) as AclRight))
  const rights = rightNames.filter((name) => named.has(name))
  const reference = formatPermission({ identity, rights, mask })
  const advice = 'In each ace, when specifying rights, if you include'
  if (named.has('mask_specific')) {
    if (rights.length > 1)
      failWithMessage(
        `${advice} 'mask_specific', it should be without anything else e.g. rights => ['mask_specific']. Please decide whether 'mask_specific' or predetermined rights and correct the manifest. Reference: ${reference}`,
      )
    if (mask === undefined)
      failWithMessage(
        `If you specify rights => ['mask_specific'], you must also include mask => 'value'. Reference: ${reference}`,
      )
    if (!/^\d{1,10}$/.test(mask) || Number(mask) > largestMask)
      failWithMessage(`The mask must be a number from 0 to ${largestMask}. Reference: ${reference}`)
  }
  const most = (['full', 'modify'] as const).find((name) => named.has(name))
  if (most === undefined || rights.length === 1) return rights
  warnings.push(
    `${advice} '${most}', it should be without anything else e.g. rights => ['${most}']. Please remove the extraneous rights from the manifest to remove this warning. Reference: ${reference}`,
  )
  return [most]
}

const largestMask = 0xffff_ffff

/** A permission that no child inherits affects only the target, and conversely. */
export function reconcileInheritance(permission: AclPermission): AclPermission {
  const { child_types, affects } = permission
  if (child_types !== 'none' && affects !== 'self_only') return permission
  const warn = (one: string, other: string, instead: string) =>
    `If ${one}, ${other} => value will be ignored. Please remove ${other} or set ${instead} to remove this warning. Reference: ${formatPermission(permission)}`
  const warnings = [...permission.warnings]
  if (child_types === 'none' && affects !== 'all' && affects !== 'self_only')
    warnings.push(warn("child_types => 'none'", 'affects', "affects => 'self_only'"))
  if (child_types !== 'none' && child_types !== 'all')
    warnings.push(warn("affects => 'self_only'", 'child_types', "child_types => 'none'"))
  return { ...permission, child_types: 'none', affects: 'self_only', warnings }
}

/** The fields of a permission that differ from the defaults, as events contain them. */
export function describePermission(
  permission: Pick<AclPermission, 'identity' | 'rights' | 'mask'> & Partial<AclPermission>,
  identity: string = permission.identity,
): Readonly<Record<string, string | boolean | readonly string[]>> {
  const { rights, mask, perm_type = 'allow', child_types = 'all', affects = 'all', is_inherited } = permission
  return {
    identity,
    rights,
    ...(rights[0] === 'mask_specific' && rights.length === 1 && mask !== undefined && { mask }),
    ...(perm_type !== 'allow' && { perm_type }),
    ...(child_types !== 'all' && child_types !== 'none' && { child_types }),
    ...(affects !== 'all' && { affects }),
    ...(is_inherited && { is_inherited }),
  }
}

/** A permission in messages about a manifest. */
function formatPermission(permission: Parameters<typeof describePermission>[0]): string {
  const fields = Object.entries(describePermission(permission)).map(
    ([key, value]) => `${key} => ${Array.isArray(value) ? inspectPlainValue(value) : `'${String(value)}'`}`,
  )
  return `\n { ${fields.join(', ')} }`
}

/** Keys whose values are symbols in Ruby. */
const symbols = ['perm_type', 'child_types', 'affects']

/** Described permissions as Ruby's `inspect` writes them, for messages about changes. */
export function inspectPermissions(permissions: readonly ReturnType<typeof describePermission>[]): string {
  const texts = permissions.map((permission) => {
    const fields = Object.entries(permission).map(
      ([key, value]) => `"${key}"=>${symbols.includes(key) ? `:${String(value)}` : inspectPlainValue(value)}`,
    )
    return `{${fields.join(', ')}}`
  })
  return `[${texts.join(', ')}]`
}
