import { compareTexts } from '../../../../language/ruby-semantics/text/compare.ts'
import type { ConcatFragment } from '../../types/concat.ts'

/** A sort key of fragments: numbers and texts, compared element by element. */
type SortKey = readonly (string | number)[]

/** Sorts fragments by order and name. With `numeric`, orders that are numbers are compared as numbers. */
export function sortFragments(
  fragments: readonly ConcatFragment[],
  how: 'alpha' | 'numeric',
): readonly ConcatFragment[] {
  const key = how === 'alpha' ? parseTextKey : parseNumberKey
  return fragments
    .map((fragment) => [key(`${fragment.get('order')}___${fragment.name}`), fragment] as const)
    .sort(([a], [b]) => compareKeys(a, b))
    .map(([, fragment]) => fragment)
}

/** Splits the sort key of a fragment into order and name, as the module concat does. */
function parseTextKey(text: string): SortKey {
  return splitAt(text, '__')
}

function parseNumberKey(text: string): SortKey {
  return splitAt(text, '___').map((part) => (/^\d+$/m.test(part) ? Number.parseInt(part, 10) || 0 : part))
}

function splitAt(text: string, sign: string): readonly string[] {
  const at = text.indexOf(sign)
  return [text.slice(0, at), text.slice(at + sign.length)]
}

function compareKeys(a: SortKey, b: SortKey): number {
  for (const [index, one] of a.entries()) {
    const other = b[index]!
    if (typeof one !== typeof other) throw new Error('comparison of Array with Array failed')
    const order = typeof one === 'number' ? one - Number(other) : compareTexts(one as string, other as string)
    if (order !== 0) return order
  }
  return 0
}
