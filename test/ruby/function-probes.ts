import { getTupleSize } from '../../src/language/types/is-assignable.ts'
import type { Callable } from '../../src/language/values/callable.ts'
import { sampleOf } from './sample-value.ts'

/** What every function is called with: right for some, wrong for most. */
const everywhere = [
  '',
  "'abc'",
  "'10.1.2.3/24'",
  "'/etc/some/path'",
  '42',
  '-1.5',
  'true',
  'undef',
  "['b', 'a', 'b']",
  "{ 'b' => 1, 'a' => [2, undef] }",
  "'abc', 'b'",
  "'3', 4",
  "['a', 'b', 'c'], 'b'",
  "['a', 'b'], ['b', 'c']",
  "{ 'a' => 1 }, { 'b' => 2 }",
  "{ 'a' => 1 }, 'a'",
  "{ 'a' => { 'b' => 1 } }, ['a', 'b'], 'none'",
  "'abc', '[a-c]+', 'no match'",
  '[1, 2, 3], 1, 2',
  "Sensitive('secret')",
  "Integer, 'x'",
  "'a', 'b', 'c', 'd', 'e', 'f'",
]

/** Manifests that notice what a function makes of arguments that every kind of function takes, and of those of its own. */
export function functionProbes(name: string, callable: Callable): string[] {
  const own = callable.signatures.flatMap(({ parameters, block }) => {
    const types = parameters?.types ?? []
    const least = parameters ? getTupleSize(parameters).from : 0
    const values = types.map(sampleOf)
    const lambda = block ? ' |*$given| { $given }' : ''
    return [values, values.slice(0, least)].map((each) => `(${each.join(', ')})${lambda}`)
  })
  const calls = new Set([...everywhere.map((each) => `(${each})`), ...own])
  return [...calls].map((call) => `$result = ${name}${call}\nnotice(String($result, '%p'))`)
}
