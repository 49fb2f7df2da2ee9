import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { requireBoundedCount } from '../../ruby-semantics/size-limits.ts'
import { Binary } from '../../values/binary.ts'
import { Hash } from '../../values/hash.ts'
import { toMapKey } from '../../values/hash-key.ts'
import { IteratorValue } from '../../values/iterator.ts'
import { isType, type Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { collectBounded } from '../../values/value-size-limits.ts'
import { ITERABLE } from '../constructors.ts'
import { generalizeType } from '../generalize.ts'
import { inferType } from '../infer.ts'
import { isInstance } from '../is-instance.ts'
import { printWithDefinition } from '../printing/print.ts'
import { getRubyClassName } from '../ruby-class.ts'
import type { NewFunction } from './new-function.ts'

/** Implements `Array.new`. */
export const newArray: NewFunction = {
  name: 'new_array',
  dispatches: [
    {
      parameters: ['Variant[Array,Hash,Binary,Iterable] from', 'Boolean[false] wrap?'],
      run: ([from]) => getElements(from),
    },
    { parameters: ['Any from', 'Boolean[true] wrap'], run: ([from]) => (Array.isArray(from) ? from : [from]) },
  ],
  mismatch: ([from, wrap]) =>
    wrap === undefined || typeof wrap === 'boolean'
      ? `Value of type ${formatTypeName(from)} cannot be converted to Array`
      : undefined,
}

function formatTypeName(value: Value): string {
  return printWithDefinition(generalizeType(inferType(value)))
}

/** Elements of a value that can be iterated. */
function getElements(value: Value): readonly Value[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return collectBounded(value)
  if (typeof value === 'number') return Array.from({ length: requireBoundedCount(value) }, (_, index) => index)
  if (value instanceof Hash) return Array.from(value)
  if (value instanceof Binary) return collectBounded(value.bytes)
  if (value instanceof IteratorValue) return collectBounded(value)
  return isType(value) ? listTypeElements(value) : []
}

function listTypeElements(type: Type): readonly Value[] {
  if (type.kind === 'Enum') return type.values
  if (type.kind === 'TypeAlias') return listTypeElements(type.resolved)
  if (type.kind !== 'Integer' || type.from === undefined || type.to === undefined) return []
  const from = Number(type.from)
  return Array.from({ length: requireBoundedCount(Number(type.to) - from + 1) }, (_, index) => from + index)
}

/** Implements `Hash.new`. */
export const newHash: NewFunction = {
  name: 'new_hash',
  types: {
    KeyValueArray: 'Array[Tuple[Any,Any],1]',
    TreeArray: 'Array[Tuple[Array,Any],1]',
    NewHashOption: 'Enum[tree, hash_tree]',
  },
  dispatches: [
    {
      parameters: ['TreeArray from', 'NewHashOption build_option?'],
      run: ([from, option]) => (option ? buildTree(from, option === 'hash_tree') : Hash.of(from)),
    },
    { parameters: ['KeyValueArray from'], run: ([from]) => Hash.of(from) },
    { parameters: ['Any from'], run: ([from]) => toHash(from) },
  ],
}

function toHash(from: Value): Hash {
  if (from instanceof Hash) return from
  if (!Array.isArray(from) && !isInstance(ITERABLE, from))
    return throwArgumentError(`Value of type ${formatTypeName(from)} cannot be converted to Hash`)
  const list = getElements(from)
  if (list.length % 2 === 1) throwArgumentError('odd number of arguments for Hash')
  return Hash.of(list.flatMap((key, index) => (index % 2 === 0 ? [[key, list[index + 1]] as const] : [])))
}

/** A hash or array under construction. */
interface Branch {
  readonly isArray: boolean
  readonly children: Map<unknown, readonly [Value, Branch | { readonly leaf: Value }]>
}

/** Builds nested hashes from `[[path, value], …]`. If `hashTree` is true, arrays become hashes as well. */
function buildTree(entries: readonly (readonly [readonly Value[], Value])[], hashTree: boolean): Value {
  const root: Branch = { isArray: false, children: new Map() }
  for (const [path, value] of entries) {
    const last = path.at(-1)
    if (path.length === 0) {
      for (const [key, each] of toPairs(value)) putValue(root, key, each, false)
      continue
    }
    const parent = path.slice(0, -1).reduce<Branch>((branch, key) => descendBranch(branch, key), root)
    putValue(parent, last, value, hashTree)
  }
  return freezeBranch(root)
}

function toPairs(value: Value): Iterable<readonly [Value, Value]> {
  if (Array.isArray(value)) return value.map((each, index) => [index, each] as const)
  return value instanceof Hash
    ? value
    : throwArgumentError(`no implicit conversion of ${getRubyClassName(value)} into Hash`)
}

function descendBranch(branch: Branch, key: Value): Branch {
  const child = branch.children.get(toMapKey(key))?.[1]
  if (child && 'children' in child) return child
  if (child && typeof child.leaf === 'string') return throwArgumentError('string not matched')
  const fresh: Branch = { isArray: false, children: new Map() }
  branch.children.set(toMapKey(key), [key, fresh])
  return fresh
}

function putValue(branch: Branch, key: Value, value: Value, hashTree: boolean): void {
  const child = getBranch(value, hashTree) ?? { leaf: value }
  branch.children.set(toMapKey(key), [key, child])
}

function getBranch(value: Value, hashTree: boolean): Branch | undefined {
  if (!Array.isArray(value) && !(value instanceof Hash)) return undefined
  const branch: Branch = { isArray: Array.isArray(value) && !hashTree, children: new Map() }
  for (const [key, each] of toPairs(value)) putValue(branch, key, each, hashTree && Array.isArray(value))
  return branch
}

function freezeBranch({ isArray, children }: Branch): Value {
  const entries = Array.from(
    children.values(),
    ([key, child]) => [key, 'leaf' in child ? child.leaf : freezeBranch(child)] as const,
  )
  if (!isArray) return Hash.of(entries)
  const list: Value[] = []
  for (const [key, value] of entries) list[Number(key)] = value
  return Array.from(list)
}
