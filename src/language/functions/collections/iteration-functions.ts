import { BreakSignal } from '../../evaluator/control-flow.ts'
import { requireBoundedCount } from '../../ruby-semantics/size-limits.ts'
import { Hash } from '../../values/hash.ts'
import { isTruthy, type Value } from '../../values/value.ts'
import { type DefinedFunction, defineFunction, type FunctionBlock } from '../definition/define-function.ts'
import { iterate } from './iterable-items.ts'

/** `each`: returns the iterable, also after `break()`. */
export const each = defineIteration('each', 'Calls the block for each element; returns the iterable.', (steps, all) => {
  runUntilBreak(() => {
    for (const step of steps) step.run()
  })
  return all
})

/** `map`: returns an array, also for a hash; `break()` keeps the values so far. */
export const map = defineIteration('map', "Returns the block's results for each element.", (steps) => {
  const result: Value[] = []
  runUntilBreak(() => {
    for (const step of steps) requireBoundedCount(result.push(step.run()))
  })
  return result
})

/** `filter`: returns a hash for a hash, otherwise an array. */
export const filter = defineIteration('filter', 'Returns the elements for which the block is true.', (steps, all) => {
  const result: Value[] = []
  const collectMatches = (): void => {
    for (const step of steps) if (isTruthy(step.run())) requireBoundedCount(result.push(step.item))
  }
  // In Puppet, `break()` ends functions/filter.rb for arrays but not for hashes.
  if (all instanceof Hash) collectMatches()
  else runUntilBreak(collectMatches)
  return all instanceof Hash ? Hash.of(result as [Value, Value][]) : result
})

/** `all`: true if there are no elements. Does not catch `break()`, which ends the enclosing iteration. */
export const all = defineIteration('all', 'Returns true if the block is true for every element.', (steps) => {
  for (const step of steps) if (!isTruthy(step.run())) return false
  return true
})

/** `any`: false if there are no elements. Does not catch `break()`, which ends the enclosing iteration. */
export const any = defineIteration('any', 'Returns true if the block is true for any element.', (steps) => {
  for (const step of steps) if (isTruthy(step.run())) return true
  return false
})

/** `reduce`: without a start value, starts with the first element; undef if there are no elements. */
export const reduce = defineFunction(
  'reduce',
  'Combines all elements into one value by a block with memo and element.',
  {
    'Iterable $enumerable, Callable[2,2] &$block': (items: Value, block: FunctionBlock) => {
      const rest = iterate(items)[Symbol.iterator]()
      const first = rest.next()
      return first.done ? undefined : reduceElements(first.value, { [Symbol.iterator]: () => rest }, block)
    },
    'Iterable $enumerable, Any $memo, Callable[2,2] &$block': (items: Value, memo: Value, block: FunctionBlock) =>
      reduceElements(memo, iterate(items), block),
  },
)

/** Runs `work` until it returns or a block calls `break()`. */
export function runUntilBreak(work: () => void): void {
  try {
    work()
  } catch (signal) {
    if (!(signal instanceof BreakSignal)) throw signal
  }
}

/** Arguments of one call of a block in an iteration. */
interface Step {
  readonly item: Value
  run(): Value
}

/**
 * Defines a function whose block takes one parameter (an element, or a pair of a hash) or two (index or key, and
 * value).
 */
function defineIteration(
  name: string,
  doc: string,
  work: (steps: Iterable<Step>, iterable: Value) => Value,
): DefinedFunction {
  const iterateByTwo = (iterable: Value, block: FunctionBlock): Value =>
    work(generateIndexedSteps(iterable, block), iterable)
  const iterateByOne = (iterable: Value, block: FunctionBlock): Value => work(generateSteps(iterable, block), iterable)
  return defineFunction(name, doc, {
    'Hash[Any, Any] $hash, Callable[2,2] &$block': iterateByTwo,
    'Hash[Any, Any] $hash, Callable[1,1] &$block': iterateByOne,
    'Iterable $enumerable, Callable[2,2] &$block': iterateByTwo,
    'Iterable $enumerable, Callable[1,1] &$block': iterateByOne,
  })
}

function* generateSteps(iterable: Value, block: FunctionBlock): Generator<Step> {
  for (const item of iterate(iterable)) yield { item, run: () => block(item) }
}

function* generateIndexedSteps(iterable: Value, block: FunctionBlock): Generator<Step> {
  if (iterable instanceof Hash) {
    for (const item of iterable) yield { item, run: () => block(item[0], item[1]) }
    return
  }
  let index = 0
  for (const item of iterate(iterable)) {
    const at = index++
    yield { item, run: () => block(at, item) }
  }
}

function reduceElements(memo: Value, items: Iterable<Value>, block: FunctionBlock): Value {
  let result = memo
  runUntilBreak(() => {
    for (const item of items) result = block(result, item)
  })
  return result
}
