import { refuse } from '../values/argument-error.ts'
import type { Callable } from '../values/callable.ts'
import { Hash } from '../values/hash.ts'
import type { Value } from '../values/value.ts'
import { defineLegacyFunction } from './legacy-function.ts'

const isEmpty = (value: Value): boolean => value === undefined || value === ''

function list(name: string, value: Value): readonly Value[] {
  return Array.isArray(value) ? value : refuse(`${name}(): Requires array to work with`)
}

const pick = defineLegacyFunction('pick', 'The first argument that is neither undef nor empty.', -2, (args) => {
  const index = args.findIndex((value) => !isEmpty(value))
  return index === -1 ? refuse('pick(): must receive at least one non empty value') : args[index]
})

const pickDefault = defineLegacyFunction(
  'pick_default',
  'The first argument that is neither undef nor empty, or else the last.',
  -2,
  (args) => args.find((value) => !isEmpty(value)) ?? args.at(-1),
)

const member = defineLegacyFunction(
  'member',
  'Whether an array has a value, or all of several.',
  2,
  ([array, sought]) => {
    const known = Hash.of(list('member', array).map((each) => [each, true]))
    return (Array.isArray(sought) ? sought : [sought]).every((each) => known.has(each))
  },
)

const concat = defineLegacyFunction('concat', 'Arrays one after the other.', -2, ([first, ...others]) => [
  ...list('concat', first),
  ...others.flat(),
])

const merge = defineLegacyFunction('merge', 'Hashes in one; later ones win.', -3, (args) =>
  args.reduce<Hash>((all, each) => {
    if (isEmpty(each)) return all
    return each instanceof Hash
      ? all.merge(each)
      : refuse('merge: unexpected argument type, only expects hash arguments')
  }, Hash.empty),
)

/** Functions of the module stdlib that manifests call all the time, without Ruby. The module has to be there. */
export const stdlibFunctions: ReadonlyMap<string, Callable> = new Map(
  [pick, pickDefault, member, concat, merge].map((each) => [each.name, each]),
)
