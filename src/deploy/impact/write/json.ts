import type { ExactJson } from '../../../base/json/exact-json.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import { toPrintableJson } from '../../../base/text/printable.ts'
import type { CompileFailureGroup, FaultGroup, Impact } from '../impact-result.ts'
import type { NodeChange, ParameterChange } from '../node-change.ts'

/** Formats an impact as JSON: names in snake case, `null` for missing values. */
export function formatImpactJson(impact: Impact): string {
  const { environment, from = null, to, counts, compiled, recalled, ms } = impact
  const { unaffected, same, mended, fresh, unchecked } = impact
  const json = {
    ...{ environment, from, to, counts, compiled, recalled, milliseconds: ms },
    changed: impact.changed.map(({ nodes, change }) => ({ nodes, ...toChangeJson(change) })),
    broken: impact.broken.map(toFailureJson),
    failing: impact.failing.map(toFailureJson),
    faults: impact.faults.map(toFaultJson),
    exports: impact.exports,
    ...{ unaffected, same, mended, fresh, unchecked },
  }
  return toPrintableJson(`${formatExactJson(json as unknown as ExactJson, 2)}\n`)
}

function toChangeJson({ counts, added, removed, changed, edges, moved, classes, restarts }: NodeChange) {
  const { edgesAdded: edges_added, edgesRemoved: edges_removed, ...rest } = counts
  return {
    counts: { ...rest, edges_added, edges_removed },
    ...{ added, removed, edges, moved, classes, restarts },
    changed: changed.map(({ resource, parameters }) => ({ resource, parameters: parameters.map(toParameterJson) })),
  }
}

function toParameterJson({ name, from, to, patch, secret = false }: ParameterChange) {
  return { name, from: from ?? null, to: to ?? null, patch: patch ?? null, secret }
}

function toFaultJson({ kind, rule, severity, message, resource, file, line, nodes }: FaultGroup) {
  const place = { resource: resource ?? null, file: file ?? null, line: line ?? null }
  return { kind, rule: rule ?? null, severity, message, ...place, nodes }
}

function toFailureJson({ message, file, line, column, hint, nodes }: CompileFailureGroup) {
  return { message, file: file ?? null, line: line ?? null, column: column ?? null, hint: hint ?? null, nodes }
}
