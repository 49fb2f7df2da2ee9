import { splitIntoSlices } from '../../../base/slices.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { findMatch } from '../../ruby-semantics/regexp/match.ts'
import type { Callable } from '../../values/callable.ts'
import { Hash } from '../../values/hash.ts'
import { toMapKey } from '../../values/hash-key.ts'
import type { Regexp } from '../../values/regexp.ts'
import { isTruthy, type Value } from '../../values/value.ts'
import { collectBounded } from '../../values/value-size-limits.ts'
import { defineFunction, type FunctionBlock } from '../definition/define-function.ts'
import { iterate } from './iterable-items.ts'
import { runUntilBreak } from './iteration-functions.ts'
import { isRubyEqual } from './ruby-compare.ts'

/** `index`: undef if nothing matches; positions in a string count code points. */
export const index = defineFunction(
  'index',
  'Returns the index or key of the first element that equals a value or for which the block is true.',
  {
    'Hash[Any, Any] $hash, Callable[2,2] &$block': (hash: Hash, block: FunctionBlock) =>
      hash.keys().find((key) => isTruthy(block(key, hash.get(key)))),
    'Hash[Any, Any] $hash, Callable[1,1] &$block': (hash: Hash, block: FunctionBlock) =>
      hash.keys().find((key) => isTruthy(block(hash.get(key)))),
    'Iterable $enumerable, Callable[2,2] &$block': (iterable: Value, block: FunctionBlock) =>
      findIndex(iterable, (item, at) => isTruthy(block(at, item))),
    'Iterable $enumerable, Callable[1,1] &$block': (iterable: Value, block: FunctionBlock) =>
      findIndex(iterable, (item) => isTruthy(block(item))),
    'String $str, Variant[String, Regexp] $match': (text: string, match: string | Regexp) => {
      const at = typeof match === 'string' ? text.indexOf(match) : (findMatch(match, text)?.index ?? -1)
      return at === -1 ? undefined : [...text.slice(0, at)].length
    },
    'Iterable $enumerable, Any $match': (iterable: Value, match: Value) =>
      iterable instanceof Hash
        ? iterable.keys().find((key) => isRubyEqual(iterable.get(key), match))
        : findIndex(iterable, (item) => isRubyEqual(item, match)),
  },
)

/** `group_by`: orders the groups by their first elements; elements of a hash are `[key, value]` pairs. */
export const groupBy = defineFunction('group_by', "Groups elements by the block's result into a hash.", {
  'Collection $collection, Callable[1,1] &$block >> Hash': (items: Value, block: FunctionBlock) =>
    groupElements(iterate(items), (item) => block(item)),
  'Array $array, Callable[2,2] &$block >> Hash': (items: readonly Value[], block: FunctionBlock) =>
    groupElements(items, (item, at) => block(at, item)),
  'Collection $collection, Callable[2,2] &$block >> Hash': (hash: Hash, block: FunctionBlock) =>
    groupElements(hash, (pair) => block(...(pair as [Value, Value]))),
})

/** `partition`: hash elements are returned as `[key, value]` pairs. */
export const partition = defineFunction(
  'partition',
  'Splits elements into two arrays: those for which the block is true, and the others.',
  {
    'Collection $collection, Callable[1,1] &$block >> Tuple[Array, Array]': (items: Value, block: FunctionBlock) =>
      partitionElements(iterate(items), (item) => block(item)),
    'Array $array, Callable[2,2] &$block >> Tuple[Array, Array]': (items: readonly Value[], block: FunctionBlock) =>
      partitionElements(items, (item, at) => block(at, item)),
    'Collection $collection, Callable[2,2] &$block >> Tuple[Array, Array]': (hash: Hash, block: FunctionBlock) =>
      partitionElements(hash, (pair) => block(...(pair as [Value, Value]))),
  },
)

/** `slice`: if the block has several parameters, pads a short last slice with undef, or with `[]` for a hash. */
export const slice = defineFunction(
  'slice',
  'Divides elements into slices of a size; passes them to a block or returns them as arrays.',
  {
    'Hash[Any, Any] $hash, Integer[1, default] $slice_size, &$block?': (
      hash: Hash,
      size: number,
      block?: FunctionBlock,
    ) => sliceElements(hash, hash, size, [], block),
    'Iterable $enumerable, Integer[1, default] $slice_size, &$block?': (
      items: Value,
      size: number,
      block?: FunctionBlock,
    ) => sliceElements(items, iterate(items), size, undefined, block),
  },
)

function findIndex(iterable: Value, test: (item: Value, at: number) => boolean): Value {
  let at = 0
  for (const item of iterate(iterable)) {
    if (test(item, at)) return at
    at++
  }
  return undefined
}

function groupElements(items: Iterable<Value>, keyFor: (item: Value, at: number) => Value): Hash {
  const groups = new Map<unknown, [Value, Value[]]>()
  let at = 0
  for (const item of items) {
    const key = keyFor(item, at++)
    const identity = toMapKey(key)
    const group = groups.get(identity)
    if (group) group[1].push(item)
    else groups.set(identity, [key, [item]])
  }
  return Hash.of(groups.values())
}

function partitionElements(items: Iterable<Value>, test: (item: Value, at: number) => Value): Value[] {
  const yes: Value[] = []
  const no: Value[] = []
  let at = 0
  for (const item of items) (isTruthy(test(item, at++)) ? yes : no).push(item)
  return [yes, no]
}

function sliceElements(all: Value, items: Iterable<Value>, size: number, filler: Value, block?: FunctionBlock): Value {
  const slices = splitIntoSlices(collectBounded(items), size)
  if (!block) return slices
  const whole = isWholeSliceBlock(block.callable, size)
  runUntilBreak(() => {
    for (const part of slices) {
      if (whole) block(part)
      else block(...part, ...Array<Value>(size - part.length).fill(filler))
    }
  })
  return all
}

/** True if the block takes a slice as one array; any other block needs a parameter for each element. */
function isWholeSliceBlock(lambda: Callable, size: number): boolean {
  const names = lambda.parameterNames[0] ?? []
  const bounds = lambda.signatures[0]?.parameters?.size
  const flexible = bounds !== undefined && bounds.from !== bounds.to
  const served = flexible ? size : names.length
  if (served === 0) return throwArgumentError('slice(): block must define at least one parameter. Block has 0.')
  if (served !== 1 && served !== size)
    return throwArgumentError(
      `slice(): block must define one parameter, or the same number of parameters as the given size of the slice (${size}). ` +
        `Block has ${served}; ${names.join(', ')}`,
    )
  return served === 1
}
