import { getLineAndColumn } from '../../base/source.ts'
import type { CountedName, CountedNames } from './counted-names.ts'
import type { DataKey } from './data-keys.ts'
import type { NameKind, Occurrence } from './occurrence.ts'

/** A place of a name in a file: a line and UTF-16 columns from 0. */
export interface NamePlace {
  readonly path: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly isDefinition: boolean
}

/** The places of the names of a file, in a compact form that needs no syntax tree. */
export interface NamePlaces {
  readonly names: readonly CountedName[]
  /** For each place: index of the name, line, start, end, 1 for a definition. */
  readonly numbers: Int32Array
}

const numbersPerPlace = 5

/** Kinds of places besides those of names in code. */
type PlaceKind = NameKind | 'data key' | 'inherited'

/** The name under which places are found. A reference may mean a data type or a resource type. */
export function getPlaceName(kind: PlaceKind, name: string): string {
  return `${kind === 'data type' || kind === 'resource type' ? 'type' : kind} ${name}`
}

/** The places of the names in code; local variables have none, since other files do not use them. */
export function collectPlaces(occurrences: readonly Occurrence[], names: CountedNames): NamePlaces {
  const places = new PlaceList(names)
  for (const { kind, name, span, isDefinition, parentClass } of occurrences) {
    if (kind === 'variable' && name.includes('@')) continue
    places.add(getPlaceName(parentClass === undefined ? kind : 'inherited', name), span, isDefinition)
  }
  return places.finish()
}

/** The places of keys of Hiera data. */
export function collectKeyPlaces(keys: readonly DataKey[], names: CountedNames): NamePlaces {
  const places = new PlaceList(names)
  for (const { name, span } of keys) places.add(getPlaceName('data key', name), span, true)
  return places.finish()
}

class PlaceList {
  readonly #all: CountedNames
  readonly #names: CountedName[] = []
  readonly #indexes = new Map<string, number>()
  readonly #numbers: number[] = []

  constructor(all: CountedNames) {
    this.#all = all
  }

  add(name: string, { source, start, end }: Occurrence['span'], isDefinition: boolean): void {
    const { line, column } = getLineAndColumn(source, start)
    const known = this.#indexes.get(name)
    if (known === undefined) {
      this.#indexes.set(name, this.#names.length)
      this.#names.push(this.#all.add(name))
    }
    const index = known ?? this.#names.length - 1
    this.#numbers.push(index, line - 1, column - 1, column - 1 + end - start, isDefinition ? 1 : 0)
  }

  finish(): NamePlaces {
    return { names: this.#names, numbers: Int32Array.from(this.#numbers) }
  }
}

/** The places of a name in a file. */
export function* findPlacesIn(path: string, { names, numbers }: NamePlaces, name: CountedName): Generator<NamePlace> {
  const index = names.indexOf(name)
  if (index === -1) return
  for (let at = 0; at < numbers.length; at += numbersPerPlace) {
    if (numbers[at] !== index) continue
    const [line, start, end, flag] = numbers.subarray(at + 1, at + numbersPerPlace) as unknown as [
      ...[number, number, number, number],
    ]
    yield { path, line, start, end, isDefinition: flag === 1 }
  }
}
