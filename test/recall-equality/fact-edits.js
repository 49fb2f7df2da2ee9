import { chosen, sample } from '../support/chance.js'

/** Facts of some nodes, or of all, with another value: of those that were read, and of those that nobody reads. */
export function changedFacts({ nodes, factsRead }, chance) {
  const some = sample(nodes, chance(3) === 0 ? nodes.length : 1 + chance(3), chance)
  const before = some.map((node) => [node, node.facts])
  const read = [...factsRead]
  const path = chance(2) === 0 && read.length > 0 ? JSON.parse(chosen(read, chance)) : anyPath(some[0].facts, chance)
  const word = chance(1000)
  for (const node of some) node.facts = withOther(node.facts, path, word)
  return {
    about: `${path.join('.')} of ${some.length} nodes`,
    nodes: some.map((node) => node.name),
    undo: () => {
      for (const [node, facts] of before) node.facts = facts
    },
  }
}

/** The path of some value; now and then of one that is new. */
function anyPath(facts, chance) {
  const path = []
  for (let at = facts; isObject(at) && Object.keys(at).length > 0; at = at[path.at(-1)]) {
    if (chance(12) === 0) return [...path, `new_${chance(10)}`]
    path.push(chosen(Object.keys(at), chance))
  }
  return path
}

function withOther(value, [name, ...rest], word) {
  if (!isObject(value)) return value
  const found = Object.hasOwn(value, name) ? value[name] : undefined
  return { ...value, [name]: rest.length > 0 && isObject(found) ? withOther(found, rest, word) : other(found, word) }
}

/** Another value of the same type. */
function other(value, word) {
  if (typeof value === 'number') return value + 1 + (word % 5)
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return [...value, word]
  if (isObject(value)) return { ...value, [`new_${word % 10}`]: word }
  const digits = typeof value === 'string' ? /\d+(?!.*\d)/.exec(value) : undefined
  if (digits)
    return `${value.slice(0, digits.index)}${Number(digits[0]) + 1}${value.slice(digits.index + digits[0].length)}`
  return `${value ?? 'new'}${word % 7}`
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
