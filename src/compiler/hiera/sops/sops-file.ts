import { createHash, type Hash as Digest } from 'node:crypto'
import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { encodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { Hash } from '../../../language/values/hash.ts'
import type { Value } from '../../../language/values/value.ts'
import { decryptDataKey, type SopsKeys } from './data-key.ts'
import { parseDotenvTree } from './dotenv-tree.ts'
import { parseIniTree } from './ini-tree.ts'
import { sopsIssues } from './issues.ts'
import { parseJsonTree } from './json-tree.ts'
import { parseSopsMetadata, type SopsMetadata } from './metadata.ts'
import type { SopsLeaf, SopsMap, SopsNode } from './sops-tree.ts'
import { decryptSopsValue } from './value-cipher.ts'
import { parseYamlTree } from './yaml-tree.ts'

/** A parsed file: its values, still encrypted, and its metadata. */
export interface SopsFile {
  readonly data: SopsMap
  readonly metadata: SopsMetadata
}

const parsers: Readonly<Record<string, (text: string) => SopsMap>> = {
  yaml: parseYamlTree,
  yml: parseYamlTree,
  json: parseJsonTree,
  env: parseDotenvTree,
  ini: parseIniTree,
}

/** Parses a file by its extension, as SOPS does. Needs no key. Throws SOPS_…, JSON_…. */
export function parseSopsFile(text: string, path: string): SopsFile {
  const extension = /\.([a-z]+)$/.exec(path)?.[1] ?? ''
  const parse = Object.hasOwn(parsers, extension) ? parsers[extension] : undefined
  if (!parse) return throwIssue(sopsIssues.SOPS_FORMAT, { path })
  const { bound } = budgets.secret.sopsFile
  if (text.length > bound) return throwIssue(sopsIssues.SOPS_LIMIT, { of: 'characters', most: bound })
  const { entries } = parse(text)
  const metadata = entries.find(([key]) => key === 'sops')?.[1]
  if (metadata?.kind !== 'map') return throwIssue(sopsIssues.SOPS_NO_METADATA, {})
  return {
    data: { kind: 'map', entries: entries.filter(([key]) => key !== 'sops') },
    metadata: parseSopsMetadata(metadata),
  }
}

/** Decrypts all values of a file, and verifies its MAC. Throws SOPS_…, without any plain text. */
export function decryptSopsFile({ data, metadata }: SopsFile, keys: SopsKeys): Hash {
  const decryption = new Decryption(decryptDataKey(metadata, keys), metadata)
  const value = decryption.value(data, [], false) as Hash
  decryption.verifyMac()
  return value
}

/** The first bytes that a MAC over only the encrypted values covers: SHA-256 of `sops`. */
const partialMacStart = createHash('sha256').update('sops').digest()

/** The decryption of one file; collects the input of its MAC in the order of the file. */
class Decryption {
  readonly #key: Buffer
  readonly #metadata: SopsMetadata
  readonly #mac: Digest = createHash('sha512')

  constructor(key: Buffer, metadata: SopsMetadata) {
    this.#key = key
    this.#metadata = metadata
    if (metadata.isMacPartial) this.#mac.update(partialMacStart)
  }

  /** Decrypts a value. `isSelected` is true below a key that matches the rule of the file. */
  value(node: SopsNode, path: readonly string[], isSelected: boolean): Value {
    if (node.kind === 'null') return undefined
    if (node.kind === 'list') return node.items.map((item) => this.value(item, path, isSelected))
    if (node.kind === 'leaf') return this.#leaf(node, path, isSelected)
    const { rule } = this.#metadata
    return Hash.of(
      node.entries.map(([key, item]) => [key, this.value(item, [...path, key], isSelected || rule.matches(key))]),
    )
  }

  #leaf(leaf: SopsLeaf, path: readonly string[], isSelected: boolean): Value {
    const isEncrypted = isSelected === this.#metadata.rule.selectsEncrypted
    const plain = isEncrypted ? this.#decrypt(leaf, path) : leaf
    if (isEncrypted || !this.#metadata.isMacPartial) this.#mac.update(encodeLosslessUtf8(plain.text))
    return plain.value
  }

  #decrypt({ value }: SopsLeaf, path: readonly string[]): SopsLeaf {
    const { bound } = budgets.secret.sopsPath
    const joined = `${path.join(':')}:`
    if (joined.length > bound) throwIssue(sopsIssues.SOPS_LIMIT, { of: 'characters in a path', most: bound })
    const at = path.join('.')
    // SOPS: sops.go, `Decrypt`
    if (typeof value !== 'string') return throwIssue(sopsIssues.SOPS_VALUE, { at, why: 'is not encrypted' })
    return decryptSopsValue(value, this.#key, joined, at)
  }

  /** Throws SOPS_MAC if the file was changed since SOPS wrote it. */
  verifyMac(): void {
    const { mac, lastModified } = this.#metadata
    const expected = decryptSopsValue(mac, this.#key, lastModified, 'sops.mac').text
    if (expected !== this.#mac.digest('hex').toUpperCase()) throwIssue(sopsIssues.SOPS_MAC, {})
  }
}
