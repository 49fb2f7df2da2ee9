import { createIntegerType, createTupleType, createVariantType, UNIT } from '../../types/constructors.ts'
import { inferDetailedType } from '../../types/infer.ts'
import { Hash } from '../../values/hash.ts'
import { IteratorValue } from '../../values/iterator.ts'
import type { Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { collectBounded } from '../../values/value-size-limits.ts'
import { defineFunction, type FunctionBlock } from '../definition/define-function.ts'
import { iterate } from './iterable-items.ts'
import { runUntilBreak } from './iteration-functions.ts'

/** `reverse_each`: returns an Iterator, which copies elements on demand; with a block, runs it and returns undef. */
export const reverseEach = defineFunction('reverse_each', 'Iterates from the last to the first element, lazily.', {
  'Iterable $iterable': (iterable: Value) =>
    new IteratorValue(inferElementType(iterable), () => collectBounded(iterate(iterable)).reverse().values()),
  'Iterable $iterable, Callable[1,1] &$block': (iterable: Value, block: FunctionBlock) => {
    runUntilBreak(() => {
      for (const item of collectBounded(iterate(iterable)).reverse()) block(item)
    })
    return undefined
  },
})

/** `step`: returns an Iterator of elements 0, n, 2n and so on; with a block, runs it and returns undef. */
export const step = defineFunction('step', 'Iterates over the first element and every nth one after it, lazily.', {
  'Iterable $iterable, Integer[1] $step': (iterable: Value, by: number) =>
    new IteratorValue(inferElementType(iterable), () => selectEveryNth(iterable, by)),
  'Iterable $iterable, Integer[1] $step, Callable[1,1] &$block': (
    iterable: Value,
    by: number,
    block: FunctionBlock,
  ) => {
    runUntilBreak(() => {
      for (const item of selectEveryNth(iterable, by)) block(item)
    })
    return undefined
  },
})

/** Element type of an iterable, inferred from its content. */
function inferElementType(iterable: Value): Type {
  if (iterable instanceof IteratorValue) return iterable.elementType
  if (iterable instanceof Hash) return createTupleType([makeVariant(iterable.keys()), makeVariant(iterable.values())])
  if (typeof iterable === 'number') return iterable === 0 ? UNIT : createIntegerType(0, iterable - 1)
  if (typeof iterable === 'object' && 'kind' in iterable) return iterable
  return makeVariant(collectBounded(iterate(iterable)))
}

function makeVariant(values: readonly Value[]): Type {
  return values.length === 0 ? UNIT : createVariantType(values.map(inferDetailedType))
}

function* selectEveryNth(iterable: Value, by: number): Generator<Value> {
  let index = 0
  for (const item of iterate(iterable)) if (index++ % by === 0) yield item
}
