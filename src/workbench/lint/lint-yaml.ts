import { symbolsAsNames } from '../../language/ruby-semantics/yaml/permitted-classes.ts'
import { YamlError } from '../../language/ruby-semantics/yaml/yaml-error.ts'
import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import { parseYaml } from '../../language/values/yaml.ts'
import { isLegacyFact } from './checks/facts/structured-facts.ts'
import { createMeter } from './manifest/meter.ts'
import { SyntaxFault } from './manifest/syntax-fault.ts'
import type { Problem } from './problem.ts'

const check = 'legacy_facts'
/** The cost of a value, in tokens of a manifest; an alias repeats all values below it. */
const aliasSteps = 100

/** Finds legacy facts in the interpolations of a YAML file, such as `%{::osfamily}`. Nothing is corrected. */
export function lintYaml(text: string): readonly Problem[] {
  let texts: readonly string[]
  try {
    texts = listTexts(parseYaml(text, { ...symbolsAsNames, aliases: true }))
  } catch (error) {
    if (!(error instanceof YamlError) && !(error instanceof SyntaxFault)) throw error
    const offset = error instanceof YamlError ? error.offset : undefined
    const line = offset === undefined ? 1 : text.slice(0, offset).split('\n').length
    return [{ kind: 'error', check: 'syntax', message: `Syntax error (${error.message})`, line, column: 1 }]
  }
  const lines = text.split('\n')
  const lineOf = new Map<string, number>()
  const problems: Problem[] = []
  for (const value of texts) {
    for (const [, fact = ''] of value.matchAll(/%\{(?:::?|facts\.)?([a-zA-Z0-9_]+)\}/g)) {
      if (!isLegacyFact(fact)) continue
      const line = lineOf.get(value) ?? Math.max(1, lines.findIndex((each) => each.includes(value)) + 1)
      lineOf.set(value, line)
      problems.push({ kind: 'warning', check, message: `legacy fact '${fact}'`, line, column: 1 })
    }
  }
  return problems
}

/** All keys and texts of a document, in order. Throws SyntaxFault if aliases multiply them beyond the limit. */
function listTexts(data: Value): string[] {
  const texts: string[] = []
  const meter = createMeter()
  const pending: Value[] = [data]
  while (pending.length > 0) {
    const value = pending.pop()
    meter.spend(aliasSteps)
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value)) for (let at = value.length - 1; at >= 0; at--) pending.push(value[at])
    else if (value instanceof Hash) {
      const entries = [...value]
      for (const [key, item] of entries.toReversed()) pending.push(item, typeof key === 'string' ? key : undefined)
    }
  }
  return texts
}
