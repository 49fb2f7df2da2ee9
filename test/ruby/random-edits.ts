import { type Chance, chosen } from '../support/chance.js'
import type { Edits } from '../support/edited-tree.ts'

/** Edits with one more: a file changed, gone, made, or as it was at first. `textOf` is that of the files at first. */
export function editedOnce(
  edits: Edits,
  paths: readonly string[],
  textOf: (path: string) => string | undefined,
  chance: Chance,
): Edits {
  const path = chosen(paths, chance)
  const all = new Map(edits)
  if (all.has(path) && chance(3) === 0) all.delete(path)
  else {
    const text = all.has(path) ? all.get(path) : textOf(path)
    all.set(path, text === undefined ? newText(path, chance) : changed(path, text, chance))
  }
  // A folder is no file, and the other way round.
  const isAround = (each: string): boolean => each.startsWith(`${path}/`) || path.startsWith(`${each}/`)
  for (const each of [...all.keys()]) if (isAround(each)) all.delete(each)
  return all
}

const words = ['a', 'b', 'one', 'two', 'list', 'deep', '7', 'other']

function newText(path: string, chance: Chance): string {
  const word = chosen(words, chance)
  if (path.endsWith('.json')) return `{ "${word}": "new", "a": "new" }`
  if (/\.ya?ml$/.test(path)) return `${word}: new\nnew: ${word}\n`
  return /\.(?:rb|pp)$/.test(path) ? `# ${word}\n` : `new ${word}\n`
}

function changed(path: string, text: string, chance: Chance): string | undefined {
  const kind = chance(8)
  if (kind < 2) return undefined
  if (/\.(?:rb|pp)$/.test(path)) return `${text}\n# ${chance(100)}\n`
  if (kind < 3) return `${text}${chosen(words, chance)}\n`
  const places = [...text.matchAll(/\b[a-z]+\b|\b\d+\b/g)]
  if (places.length === 0) return newText(path, chance)
  const { 0: word, index } = chosen(places, chance)
  return `${text.slice(0, index)}${chosen(words, chance)}${text.slice(index + word.length)}`
}
