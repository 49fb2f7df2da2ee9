import { hash } from 'node:crypto'
import { formatExactJson } from '../../base/json/json-text.ts'
import { createGrowingLru } from '../../base/lru-cache.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { toRichData } from '../../language/rich-data/rich-data.ts'
import type { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { backends } from '../hiera/backends.ts'
import { loadDataFile } from '../hiera/data-files.ts'

/** Digests of values by backend, file and key. */
const digests = createGrowingLru<string>(100_000)

/** Returns the digest of a key's value in a data file; `undefined` if the file cannot be read. */
export function computeDataKeyDigest(tree: CodeTree, path: string, backend: string, key: string): string | undefined {
  return getCachedDigest(tree, path, backend, `key ${key}`, (data) => (data.has(key) ? data.get(key) : nothing))
}

/** Returns the digest of all data in a file. */
export function computeDataFileDigest(tree: CodeTree, path: string, backend: string): string | undefined {
  return getCachedDigest(tree, path, backend, 'all', (data) => data)
}

/** Result for a key that the data does not contain. */
const nothing = Symbol('nothing')

function getCachedDigest(
  tree: CodeTree,
  path: string,
  name: string,
  part: string,
  find: (data: Hash) => Value | typeof nothing,
): string | undefined {
  const entry = tree.entry(path)
  if (entry?.kind !== 'file') return ''
  const id = [name, entry.oid, part].join('\0')
  const known = digests.get(id)
  if (known !== undefined) return known
  let isOdd = false
  const data = loadDataFile(backends.get(name)!, tree, path, () => {
    isOdd = true
  })
  // The answer is undefined for data with a warning, so that the catalog is compiled again and the warning is logged
  // again.
  if (isOdd) return undefined
  const value = find(data)
  const answer = value === nothing ? 'none' : computeValueDigest(value)
  digests.set(id, answer)
  return answer
}

function computeValueDigest(value: Value): string {
  return hash(
    'sha256',
    formatExactJson(toRichData(value, { richData: true, bytes: 'escaped', warn: () => {} })),
    'base64',
  )
}
