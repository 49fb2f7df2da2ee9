import type { Manifest } from '../../manifest/manifest.ts'
import { type Check, styleGuide } from '../check.ts'

/** `case_without_default` */
export const caseWithoutDefault: Check = {
  name: 'case_without_default',
  doc: 'A case statement has a default case.',
  helpUri: styleGuide('defaults-for-case-statements-and-selectors'),
  check(manifest, report) {
    const ends = findCaseEnds(manifest)
    for (const [start, end] of ends) {
      if (hasDefault(start, end, ends, manifest)) continue
      const message = 'case statement without a default case'
      report({ severity: 'warning', message, at: manifest.tokens[start]! })
    }
  },
}

/** The index of the closing brace of each case statement, by the index of its keyword. */
function findCaseEnds({ tokens, meter, index }: Manifest): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  for (const { index: start } of index.select('CASE')) {
    let depth = 0
    let at = start + 1
    for (; at < tokens.length; at++) {
      const token = tokens[at]!
      if (token.type === 'LBRACE') depth++
      else if (token.type === 'RBRACE') depth--
      if (token.type === 'RBRACE' && depth === 0) {
        ends.set(start, at)
        break
      }
    }
    meter.spend(at - start)
  }
  return ends
}

/** True if the statement itself has a default case; statements within it are skipped. */
function hasDefault(
  start: number,
  end: number,
  ends: ReadonlyMap<number, number>,
  { tokens, meter }: Manifest,
): boolean {
  let depth = 0
  for (let at = start; at <= end; at++) {
    const inner = at === start ? undefined : ends.get(at)
    if (inner !== undefined) {
      at = inner
      continue
    }
    const { type } = tokens[at]!
    if (type === 'LBRACE') depth++
    else if (type === 'RBRACE') depth--
    else if (type === 'DEFAULT' && depth === 1) return true
  }
  meter.spend(end - start)
  return false
}

/** `selector_inside_resource` */
export const selectorInsideResource: Check = {
  name: 'selector_inside_resource',
  doc: 'A resource contains no selector.',
  helpUri: styleGuide('keep-resource-declarations-simple'),
  check({ resources }, report) {
    for (const { arrows } of resources) {
      for (const token of arrows) {
        if (token.nextCode?.type !== 'VARIABLE') continue
        if (token.nextCode.nextCode?.type !== 'QMARK') continue
        report({ severity: 'warning', message: 'selector inside resource block', at: token })
      }
    }
  },
}
