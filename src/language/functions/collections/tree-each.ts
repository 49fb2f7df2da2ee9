import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { ANY, ARRAY, createArrayType, createTupleType, createVariantType, HASH } from '../../types/constructors.ts'
import { isAssignable } from '../../types/is-assignable.ts'
import { isInstance } from '../../types/is-instance.ts'
import { printWithDefinition } from '../../types/printing/print.ts'
import { OBJECT } from '../../types/standard-types.ts'
import { Hash } from '../../values/hash.ts'
import { IteratorValue } from '../../values/iterator.ts'
import { ObjectValue } from '../../values/object.ts'
import type { Type } from '../../values/type.ts'
import type { Value } from '../../values/value.ts'
import { defineFunction, type FunctionBlock } from '../definition/define-function.ts'
import { runUntilBreak } from './iteration-functions.ts'

/**
 * `tree_each`: passes each value with its path, an array of keys and indexes (`[]` for the root); depth first by
 * default.
 */
export const treeEach = defineFunction(
  'tree_each',
  'Iterates over all values of nested data with their paths, depth first or breadth first.',
  {
    'Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options?, Callable[2,2] &$block': (
      tree: Value,
      options: Hash | undefined,
      block: FunctionBlock,
    ) => {
      runUntilBreak(() => {
        for (const [path, value] of walkTree(tree, readOptions(options))) block(path, value)
      })
      return tree
    },
    'Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options?, Callable[1,1] &$block': (
      tree: Value,
      options: Hash | undefined,
      block: FunctionBlock,
    ) => {
      runUntilBreak(() => {
        for (const [, value] of walkTree(tree, readOptions(options))) block(value)
      })
      return tree
    },
    'Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options?': (tree: Value, options: Hash | undefined) => {
      const given = readOptions(options)
      return new IteratorValue(createTupleType([createArrayType(), ANY]), () => walkTree(tree, given))
    },
  },
  {
    types: {
      OptionsType:
        'Struct[{container_type => Optional[Type], include_root => Optional[Boolean], ' +
        'include_containers => Optional[Boolean], include_values => Optional[Boolean], ' +
        'order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}]',
    },
  },
)

/** Types allowed in the option `container_type`. */
const containers = createVariantType([ARRAY, HASH, OBJECT])

interface Options {
  readonly containerType: Type | undefined
  readonly root: boolean
  readonly containers: boolean
  readonly values: boolean
  readonly breadthFirst: boolean
  readonly references: boolean
}

type Visit = [path: readonly Value[], value: Value]

function readOptions(given: Hash | undefined): Options {
  const readFlag = (name: string, standard: boolean): boolean => (given?.get(name) as boolean | undefined) ?? standard
  const containerType = given?.get('container_type') as Type | undefined
  if (containerType && !isAssignable(containers, containerType))
    throwArgumentError(
      `Only Array, Hash, and Object types can be used as container types. Got ${printWithDefinition(containerType)}`,
    )
  const options = {
    containerType,
    containers: readFlag('include_containers', true),
    values: readFlag('include_values', true),
    root: readFlag('include_containers', true) && readFlag('include_root', true),
    breadthFirst: given?.get('order') === 'breadth_first',
    references: readFlag('include_refs', false),
  }
  if (!options.containers && !options.values)
    throwArgumentError("Options 'include_containers' and 'include_values' cannot both be false")
  return options
}

/** Pending visits are taken from the end (depth first) or the front (breadth first). */
function* walkTree(tree: Value, options: Options): Generator<Visit> {
  const waiting: Visit[] = [[[], tree]]
  for (let visit = takeNext(waiting, options); visit; visit = takeNext(waiting, options)) {
    const [path, value] = visit
    const children = getChildren(value, options)
    const isRoot = path.length === 0
    // In Puppet, a breadth-first walk visits values regardless of `include_values`.
    const values = options.values || options.breadthFirst
    if (isRoot ? options.root : children ? options.containers : values) yield visit
    const visits = (children ?? []).map(([key, child]): Visit => [[...path, key], child])
    waiting.push(...(options.breadthFirst ? visits : visits.reverse()))
  }
}

function takeNext(waiting: Visit[], { breadthFirst }: Options): Visit | undefined {
  return breadthFirst ? waiting.shift() : waiting.pop()
}

/** Keys and values of a container; `undefined` for a value treated as a leaf. */
function getChildren(value: Value, { containerType, references }: Options): (readonly [Value, Value])[] | undefined {
  if (containerType && !isInstance(containerType, value)) return undefined
  if (value instanceof Hash) return [...value]
  if (Array.isArray(value)) return value.map((item, index) => [index, item])
  if (value instanceof IteratorValue) return Array.from(value, (item, index) => [index, item])
  if (!(value instanceof ObjectValue)) return undefined
  const isReference = (name: string): boolean => value.type.attributes.get(name)?.kind === 'reference'
  return [...value.attributes].filter(([name]) => references || !isReference(name))
}
