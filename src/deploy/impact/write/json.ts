import type { ExactJson } from '../../../base/json/exact-json.ts'
import { printJson } from '../../../base/json/json-text.ts'
import { printableJson } from '../../../base/text/printable.ts'
import type { NodeChange, ParameterChange } from '../node-change.ts'
import type { FailureGroup, FaultGroup, Impact } from '../result.ts'

/** An impact as JSON: names in snake case, `null` for missing values. */
export function impactJson(impact: Impact): string {
  const { environment, from = null, to, counts, compiled, recalled, ms } = impact
  const { unaffected, same, mended, fresh, unchecked } = impact
  const json = {
    ...{ environment, from, to, counts, compiled, recalled, milliseconds: ms },
    changed: impact.changed.map(({ nodes, change }) => ({ nodes, ...changeJson(change) })),
    broken: impact.broken.map(failureJson),
    failing: impact.failing.map(failureJson),
    faults: impact.faults.map(faultJson),
    exports: impact.exports,
    ...{ unaffected, same, mended, fresh, unchecked },
  }
  return printableJson(`${printJson(json as unknown as ExactJson, 2)}\n`)
}

function changeJson({ counts, added, removed, changed, edges, moved }: NodeChange) {
  const { edgesAdded: edges_added, edgesRemoved: edges_removed, ...rest } = counts
  return {
    counts: { ...rest, edges_added, edges_removed },
    ...{ added, removed, edges, moved },
    changed: changed.map(({ resource, parameters }) => ({ resource, parameters: parameters.map(parameterJson) })),
  }
}

function parameterJson({ name, from, to, patch, secret = false }: ParameterChange) {
  return { name, from: from ?? null, to: to ?? null, patch: patch ?? null, secret }
}

function faultJson({ kind, rule, severity, message, resource, file, line, nodes }: FaultGroup) {
  const place = { resource: resource ?? null, file: file ?? null, line: line ?? null }
  return { kind, rule: rule ?? null, severity, message, ...place, nodes }
}

function failureJson({ message, file, line, column, hint, nodes }: FailureGroup) {
  return { message, file: file ?? null, line: line ?? null, column: column ?? null, hint: hint ?? null, nodes }
}
