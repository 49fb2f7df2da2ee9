import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { compileLinearPattern } from '../../../base/text/linear-pattern.ts'
import { sopsIssues } from './issues.ts'
import { parseRemoteKey, type RemoteKey, remoteKinds } from './remote-keys.ts'
import { findEntry, type SopsMap, type SopsNode } from './sops-tree.ts'

/** The metadata that SOPS stores in an encrypted file. SOPS: stores/stores.go. */
export interface SopsMetadata {
  readonly lastModified: string
  /** The encrypted MAC. */
  readonly mac: string
  /** True if the MAC covers only encrypted values. */
  readonly isMacPartial: boolean
  readonly rule: EncryptionRule
  readonly groups: readonly KeyGroup[]
  /** Number of groups that are needed to combine the data key. */
  readonly threshold: number
}

/** Selects the encrypted values of a file by their keys. */
export interface EncryptionRule {
  /** True if the values below a matching key are encrypted; false if only they are not encrypted. */
  readonly selectsEncrypted: boolean
  matches(key: string): boolean
}

/** Recipients, each of which can decrypt the same part of the data key. */
export interface KeyGroup {
  /** The part, encrypted for each age recipient, in armor. */
  readonly age: readonly string[]
  /** The part, encrypted for each PGP key, in armor. */
  readonly pgp: readonly string[]
  /** Recipients whose service decrypts the part. */
  readonly remote: readonly RemoteKey[]
  /** Names of other kinds of recipients. */
  readonly others: readonly string[]
}

/** Reads the metadata of a file. Throws SOPS_METADATA, SOPS_LIMIT. */
export function parseSopsMetadata(map: SopsMap): SopsMetadata {
  const threshold = Number(getText(map, 'shamir_threshold') ?? 0)
  if (!Number.isInteger(threshold) || threshold < 0) failMetadata('shamir_threshold is not a number')
  return {
    lastModified: parseLastModified(getText(map, 'lastmodified') ?? ''),
    mac: getText(map, 'mac') ?? '',
    isMacPartial: /^(?:true|1)$/i.test(getText(map, 'mac_only_encrypted') ?? ''),
    rule: parseRule(map),
    groups: parseGroups(map),
    threshold,
  }
}

/** The time as Go formats it in RFC 3339; it authenticates the MAC. */
function parseLastModified(text: string): string {
  const [, time, zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[-+]\d\d:\d\d)$/.exec(text) ?? []
  if (time === undefined) return failMetadata('lastmodified is not a time')
  return `${time}${zone === '+00:00' ? 'Z' : zone}`
}

function parseRule(map: SopsMap): EncryptionRule {
  const given = ruleNames.flatMap((name) => {
    const text = getText(map, name)
    return text === undefined || text === '' ? [] : [[name, text] as const]
  })
  if (given.length > 1) failMetadata(`it has more than one rule: ${given.map(([name]) => name).join(', ')}`)
  const [name, text] = given[0] ?? ['unencrypted_suffix', '_unencrypted']
  if (name.endsWith('_comment_regex')) failMetadata(`${name} is not supported`)
  const selectsEncrypted = name.startsWith('encrypted_')
  if (name.endsWith('_suffix')) return { selectsEncrypted, matches: (key) => key.endsWith(text) }
  // Go's regular expressions are those of RE2.
  const pattern = compileLinearPattern(text, (source) => source)
  return { selectsEncrypted, matches: (key) => pattern.find(key) !== undefined }
}

const ruleNames = [
  'unencrypted_suffix',
  'encrypted_suffix',
  'unencrypted_regex',
  'encrypted_regex',
  'unencrypted_comment_regex',
  'encrypted_comment_regex',
] as const

function parseGroups(map: SopsMap): readonly KeyGroup[] {
  const counter = { left: budgets.secret.sopsKeys.bound }
  const own = parseGroup(map, counter)
  if (own.age.length + own.pgp.length + own.remote.length + own.others.length > 0) return [own]
  const groups = listItems(map, 'key_groups', counter).map((group) => parseGroup(checkMap(group), counter))
  return groups.length > 0 ? groups : failMetadata('no keys found in file')
}

function parseGroup(map: SopsMap, counter: Counter): KeyGroup {
  const listKeys = (name: string): readonly string[] =>
    listItems(map, name, counter).map((item) => getKeyText(checkMap(item), 'enc'))
  const remote = remoteKinds.flatMap((kind) =>
    listItems(map, kind, counter).map((item) => {
      const key = checkMap(item)
      return parseRemoteKey(kind, key, (name) => getKeyText(key, name))
    }),
  )
  const others = listItems(map, 'hckms', counter).length > 0 ? ['hckms'] : []
  return { age: listKeys('age'), pgp: listKeys('pgp'), remote, others }
}

function getKeyText(map: SopsMap, name: string): string {
  const text = getText(map, name) ?? ''
  const { bound } = budgets.secret.sopsKey
  return text.length <= bound ? text : failMetadata(`an encrypted data key exceeds ${bound} characters`)
}

/** The number of recipients and groups that a file may still have. */
interface Counter {
  left: number
}

function listItems(map: SopsMap, name: string, counter: Counter): readonly SopsNode[] {
  const list = findEntry(map, name)
  if (!list) return []
  if (list.kind !== 'list') return failMetadata(`${name} is not a list`)
  counter.left -= list.items.length
  if (counter.left < 0) throwIssue(sopsIssues.SOPS_LIMIT, { of: 'recipients', most: budgets.secret.sopsKeys.bound })
  return list.items
}

function checkMap(node: SopsNode): SopsMap {
  return node.kind === 'map' ? node : failMetadata('a recipient is not a mapping')
}

function getText(map: SopsMap, name: string): string | undefined {
  const node = findEntry(map, name)
  if (!node) return undefined
  return node.kind === 'leaf' ? node.text : failMetadata(`${name} is not a text`)
}

function failMetadata(why: string): never {
  return throwIssue(sopsIssues.SOPS_METADATA, { why })
}
