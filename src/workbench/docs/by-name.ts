import { compareCodeUnits } from '../../base/text/code-unit-order.ts'

/** Sorts by name; items with the same name stay in their order. */
export function sortByName<Item extends { readonly name: string }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((a, b) => compareCodeUnits(a.name, b.name))
}
