import { type Chance, chosen } from '../../support/chance.js'
import type { Edits } from '../../support/edited-tree.ts'

/** A site's files with one more edit, of those that people make; most leave the site in order. */
export function editedSite(
  edits: Edits,
  paths: readonly string[],
  textOf: (path: string) => string | undefined,
  chance: Chance,
): Edits {
  const path = chosen(paths, chance)
  const all = new Map(edits)
  if (all.has(path) && chance(3) === 0) {
    all.delete(path)
    return all
  }
  const text = all.has(path) ? all.get(path) : textOf(path)
  if (text === undefined) all.delete(path)
  else if (chance(25) === 0) {
    all.set(path, undefined)
    if (chance(2) === 0) all.set(path.replace(/(\.\w+)?$/, '_moved$1'), text)
  } else all.set(path, changed(path, text, chance))
  return all
}

function changed(path: string, text: string, chance: Chance): string {
  const kind = chance(6)
  if (/\.(?:pp|rb|ya?ml|conf|eyaml)$/.test(path)) {
    if (kind === 0) return `${text}\n# a word ${chance(1000)}\n`
    if (kind === 1 && !path.endsWith('.rb')) return `# above ${chance(1000)}\n${text}`
  }
  if (/\.ya?ml$/.test(path) && kind === 2) return `${text}\nnew_key_${chance(5)}: ${chance(100)}\n`
  if (path.endsWith('.pp') && kind === 3) return `${text}\nnotify { 'said ${chance(5)} of ${path}': }\n`
  const numbers = [...text.matchAll(/(?<=[\s'"=:])\d+(?=[\s'",])/g)]
  if (numbers.length === 0) return /\.(?:pp|rb|ya?ml|json)$/.test(path) ? `${text}\n` : `${text}more ${chance(1000)}\n`
  const { 0: number, index } = chosen(numbers, chance)
  return `${text.slice(0, index)}${Number(number) + 1 + chance(3)}${text.slice(index + number.length)}`
}
