import { throwIssue } from '../../../base/issue.ts'
import type { Settings } from '../../../machine/settings/settings.ts'
import { ldapIssues } from './ldap-issues.ts'

/** Values of an LDAP entry by attribute name, spelled as by the server. */
export type LdapEntry = ReadonlyMap<string, readonly string[]>

/** Settings that define the meaning of attributes. */
export type LdapAttributes = Pick<Settings, 'ldapclassattrs' | 'ldapparentattr' | 'ldapstackedattrs'>

/** Value of a variable from an attribute; `true` and `false` become booleans. */
export type LdapValue = string | boolean | readonly (string | boolean)[]

/** A node from one entry, or from an entry and its parents. */
export interface LdapNode {
  readonly classes: readonly string[]
  readonly parameters: ReadonlyMap<string, LdapValue>
  readonly environment: string | undefined
  /** Name of the parent entry. */
  readonly parent: string | undefined
}

/** Interprets an entry. Puppet 5: indirector/node/ldap.rb, `entry2hash`. Throws LDAP_PARENTS. */
export function toLdapNode(entry: LdapEntry, settings: LdapAttributes): LdapNode {
  const listValues = (names: string) => parseLdapNames(names).flatMap((name) => findValues(entry, name))
  const parents = listValues(settings.ldapparentattr)
  if (parents.length > 1) throwIssue(ldapIssues.LDAP_PARENTS, { parents })
  const stacked = new Set(parseLdapNames(settings.ldapstackedattrs))
  const parameters = new Map<string, LdapValue>()
  for (const [name, values] of entry)
    if (!stacked.has(name.toLowerCase())) parameters.set(name, toParameterValue(values))
  for (const each of listValues(settings.ldapstackedattrs)) {
    const [name, value] = parseParameter(each)
    if (!parameters.has(name)) parameters.set(name, toBoolean(value))
  }
  return {
    classes: [...new Set(listValues(settings.ldapclassattrs))],
    parameters,
    environment: findValues(entry, 'environment')[0],
    parent: parents[0],
  }
}

/** Merges a node with its parent: classes of both; parameters and environment of the node win. */
export function mergeParent(node: LdapNode, parent: LdapNode): LdapNode {
  return {
    classes: [...new Set([...node.classes, ...parent.classes])],
    parameters: new Map([...parent.parameters, ...node.parameters]),
    environment: node.environment ?? parent.environment,
    parent: parent.parent,
  }
}

/** Attribute names in a setting, in lowercase: LDAP names are case-insensitive. RFC 4512, 2.5. */
export function parseLdapNames(list: string): readonly string[] {
  return list.split(',').flatMap((name) => name.trim().toLowerCase() || [])
}

function findValues(entry: LdapEntry, name: string): readonly string[] {
  return [...entry].flatMap(([each, values]) => (each.toLowerCase() === name ? values : []))
}

function toParameterValue(values: readonly string[]): LdapValue {
  const [first, ...others] = values.map(toBoolean)
  return first !== undefined && others.length === 0 ? first : values.map(toBoolean)
}

function toBoolean(value: string): string | boolean {
  return value === 'true' || (value === 'false' ? false : value)
}

/** Splits `name=value`; the value is empty if it is missing. */
function parseParameter(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=')
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
