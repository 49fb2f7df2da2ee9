import { fail } from '../../../base/issue.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { ldapIssues } from './ldap-issues.ts'

/** The values of each attribute of an entry of a directory, by its name as the server writes it. */
export type LdapEntry = ReadonlyMap<string, readonly string[]>

/** Settings that say what attributes of an entry mean. */
export type LdapAttributes = Pick<Settings, 'ldapclassattrs' | 'ldapparentattr' | 'ldapstackedattrs'>

/** The value of a variable that an attribute gives; `true` and `false` are no texts. */
export type LdapValue = string | boolean | readonly (string | boolean)[]

/** A node as one entry, or an entry and those that it inherits from, have it. */
export interface LdapNode {
  readonly classes: readonly string[]
  readonly parameters: ReadonlyMap<string, LdapValue>
  readonly environment: string | undefined
  /** The name of the entry that it inherits from. */
  readonly parent: string | undefined
}

/** The meaning of an entry. Puppet 5: indirector/node/ldap.rb, `entry2hash`. Throws LDAP_PARENTS. */
export function ldapNode(entry: LdapEntry, settings: LdapAttributes): LdapNode {
  const valuesOf = (names: string) => ldapNames(names).flatMap((name) => valuesNamed(entry, name))
  const parents = valuesOf(settings.ldapparentattr)
  if (parents.length > 1) fail(ldapIssues.LDAP_PARENTS, { parents })
  const stacked = new Set(ldapNames(settings.ldapstackedattrs))
  const parameters = new Map<string, LdapValue>()
  for (const [name, values] of entry) if (!stacked.has(name.toLowerCase())) parameters.set(name, parameterOf(values))
  for (const each of valuesOf(settings.ldapstackedattrs)) {
    const [name, value] = parameterIn(each)
    if (!parameters.has(name)) parameters.set(name, asBoolean(value))
  }
  return {
    classes: [...new Set(valuesOf(settings.ldapclassattrs))],
    parameters,
    environment: valuesNamed(entry, 'environment')[0],
    parent: parents[0],
  }
}

/** A node with what it inherits: classes of both, and of parameters and environment what it does not say itself. */
export function inheritFrom(node: LdapNode, parent: LdapNode): LdapNode {
  return {
    classes: [...new Set([...node.classes, ...parent.classes])],
    parameters: new Map([...parent.parameters, ...node.parameters]),
    environment: node.environment ?? parent.environment,
    parent: parent.parent,
  }
}

/** The names in a setting that lists attributes, in lower case: LDAP does not tell cases apart. RFC 4512, 2.5. */
export function ldapNames(list: string): readonly string[] {
  return list.split(',').flatMap((name) => name.trim().toLowerCase() || [])
}

function valuesNamed(entry: LdapEntry, name: string): readonly string[] {
  return [...entry].flatMap(([each, values]) => (each.toLowerCase() === name ? values : []))
}

function parameterOf(values: readonly string[]): LdapValue {
  const [first, ...others] = values.map(asBoolean)
  return first !== undefined && others.length === 0 ? first : values.map(asBoolean)
}

function asBoolean(value: string): string | boolean {
  return value === 'true' || (value === 'false' ? false : value)
}

/** `name=value`; a name alone has no value. */
function parameterIn(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
