import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toLiteral } from '../../../src/language/types/printing/text.ts'
import { Hash } from '../../../src/language/values/hash.ts'
import { hostOf, worthOf } from '../../support/host.ts'
import { type Case, readCases } from '../cases/read-cases.js'

/** Functions that ask the catalog, its node, or the disk of a server: `test/compiler` plays their cases. */
const asksTheCatalog =
  /^(contain|create_resources|defined|include|realize|require|tag|tagged|getvar|find_file|generate)\b|^lookup\('nosuch', (\{merge|String, 'bad')/

/** What this host has not: Ruby's templates, and backends as functions. */
const isNotHere = /^(hocon_data|json_data|yaml_data|template|inline_template|eyaml_lookup_key)\(/

/** Jumps out of everything and values of iterators are told by the program, which here is a lambda alone. */
const needsTheProgram = /^(break|return)\(|^(reverse_each\(|\[.*\]\.(reverse_each|step\(2\))$)/

/** Real Puppet lists every signature where the same is wrong with each; we say it once. */
const isSaidShorter = /^\[1\]\.tree_each\(\{nosuch/

const isPlayed = ({ file, code }: Case): boolean =>
  basename(file) === 'functions.cases' &&
  ![asksTheCatalog, isNotHere, needsTheProgram, isSaidShorter].some((each) => each.test(code))

const host = () => hostOf({ variables: { facts: Hash.empty }, settings: { digest_algorithm: 'sha256' } })

function said(code: string): string {
  try {
    return toLiteral(worthOf(code, host()))
  } catch (error) {
    return `! ${(error as Error).message.replaceAll('\n', '⏎')}`
  }
}

describe('functions are worth what real Puppet says', () => {
  it.each(
    readCases()
      .filter(isPlayed)
      .map((one) => [one.code, one.expected] as const),
  )('%s', (code, expected) => {
    expect(said(code)).toBe(expected)
  })
})
