import { chosen } from '../support/chance.js'

/** What a node exports, otherwise: as if another server had compiled it, or it had been deactivated. */
export function changedExports({ store, nodes }, chance) {
  if (!store) return undefined
  const exporting = nodes.filter(({ name }) => store.of(name).length > 0)
  if (exporting.length === 0) return undefined
  const { name } = chosen(exporting, chance)
  const before = store.of(name)
  const at = chance(before.length)
  const [how, after] = chosen(
    [
      ['gone', []],
      ['one fewer', before.filter((_, index) => index !== at)],
      ['another title', before.map((each, index) => (index === at ? { ...each, title: `${each.title} too` } : each))],
      ['another tag', before.map((each, index) => (index === at ? { ...each, tags: [...each.tags, 'new'] } : each))],
      ['the same', [...before]],
    ],
    chance,
  )
  store.replace(name, after)
  return { about: `${how}: ${before[at].type} of ${name}`, undo: () => store.replace(name, before) }
}
