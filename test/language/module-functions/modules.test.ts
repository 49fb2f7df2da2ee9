import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/base/json/json-checks.ts'
import { builtinFunctions } from '../../../src/language/functions/table.ts'
import type { EvaluationHost } from '../../../src/language/host.ts'
import { readProvenDigests } from '../../../src/language/module-functions/native-function-digests.ts'
import { findProvenFunction, moduleFunctions } from '../../../src/language/module-functions/table.ts'
import { toLiteral } from '../../../src/language/types/printing/text.ts'
import { Hash } from '../../../src/language/values/hash.ts'
import { convertJsonToValue } from '../../../src/language/values/json-values.ts'
import type { Value } from '../../../src/language/values/value.ts'
import { hostOf, worthOf } from '../../support/host.ts'
import { type Case, readCases } from '../cases/read-cases.js'

const folder = join(import.meta.dirname, 'cases')
const facts = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as Record<string, Json>

/** Functions that ask a catalog or modules; they are played where those are. */
const asksTheCatalog =
  /^(assert_private|defined_with_params|ensure_\w+|get\w+|load_module_metadata|stdlib::ensure_packages)( 9)?$/

/** A host that knows the facts, and the function of the group in the version that the group names. */
function hostFor({ group, strict }: Case): EvaluationHost & { readonly scope: ReturnType<typeof hostOf>['scope'] } {
  const values = Object.entries(facts).map(([name, value]): [string, Value] => [name, convertJsonToValue(value)])
  const host = hostOf({ variables: { ...Object.fromEntries(values), facts: Hash.of(values) } })
  host.scope.resource = { type: 'Class', title: 'main' }
  const played = moduleFunctions.get(group)
  return {
    ...host,
    strict,
    findFunction: (name) =>
      name === played?.name ? played : (builtinFunctions.get(name) ?? moduleFunctions.get(name)),
  }
}

function said(one: Case): string {
  try {
    const host = hostFor(one)
    return toLiteral(worthOf(one.code, host as ReturnType<typeof hostOf>))
  } catch (error) {
    return `! ${(error as Error).message}`
  }
}

const groups = new Map<string, Case[]>()
for (const one of readCases(folder)) {
  const name = `${basename(one.file, '.cases')} ${one.group}`
  groups.set(name, [...(groups.get(name) ?? []), one])
}

describe('functions of modules are worth what their Ruby says', () => {
  for (const [name, cases] of groups) {
    if (asksTheCatalog.test(cases[0]!.group)) continue
    it(name, () => {
      const wrong = cases
        .map((one) => ({ line: one.line, code: one.code, here: said(one).replaceAll('\n', '⏎'), ruby: one.expected }))
        .filter(({ here, ruby }) => here !== ruby)
      expect(JSON.stringify(wrong, undefined, 1)).toBe('[]')
    })
  }
})

describe('what is proven', () => {
  it('is there, each function by its own files', () => {
    const proven = readProvenDigests()
    expect(Object.keys(proven).filter((name) => !moduleFunctions.has(name))).toEqual([])
    const digests = Object.values(proven).flat()
    expect(new Set(digests).size).toBe(digests.length)
  })

  it('stands for no other file', () => {
    expect(findProvenFunction('pick', 'module Puppet::Parser::Functions; end')).toBeUndefined()
  })
})
