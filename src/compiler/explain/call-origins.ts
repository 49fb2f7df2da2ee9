import { toText } from '../../language/types/printing/text.ts'
import { isEqualValue } from '../../language/values/equality.ts'
import type { Value } from '../../language/values/value.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { NodeEvaluation } from '../provenance/node-evaluation.ts'
import { findFunctionParameters, getCallArguments, getFunctionName, isFunctionName } from './call-parts.ts'
import { getSpanPlace, type Origin, type OriginKind, removeDuplicateOrigins } from './origin.ts'
import type { OriginTracer } from './origin-tracer.ts'
import { createFactOrigin } from './top-scope-origins.ts'

const templates: ReadonlyMap<string, OriginKind> = new Map([
  ['template', 'template'],
  ['epp', 'template'],
  ['inline_template', 'template'],
  ['inline_epp', 'template'],
  ['file', 'file'],
])

/** Returns the origin of a call's result: the function, with the origins of its input. */
export function findCallOrigins(call: NodeEvaluation, origins: OriginTracer): readonly Origin[] {
  const name = getFunctionName(call)
  const { compilation } = origins
  const known = findFactOrigins(call, name, origins)
  if (known) return known
  const place = getSpanPlace(call.node.span)
  const given = getCallArguments(call)
  if (name === 'return' || name === 'next') return given.flatMap((each) => origins.sources(each))
  const reads = call.reads.flatMap((each) => origins.variable(each.name, each.scope))
  const kind = templates.get(name)
  if (kind) {
    const body = call.parts.filter(({ node }) => node.kind === 'Epp')
    // The first argument contributes to the result: the text of an inline template, or the file name of a template.
    const from = [...given.slice(0, 1), ...body].flatMap((each) => origins.sources(each))
    const asked = name.startsWith('inline_') ? 'in place' : toText(given[0]?.value)
    const detail = name.startsWith('inline_') ? undefined : findModuleFile(compilation, name, asked)
    return [
      {
        kind,
        name: `${name}(${asked})`,
        ...place,
        detail,
        from: removeDuplicateOrigins([...from, ...reads, ...findLookupOrigins(call, origins)]),
      },
    ]
  }
  const inside = call.parts.filter((part) => !given.includes(part) && !isFunctionName(call, part))
  const isOurs = findFunctionParameters(call, compilation) !== undefined
  const used = isOurs && inside.length > 0 ? inside : [...given, ...inside]
  const data = findLookupOrigins(call, origins)
  const from = data.length > 0 ? data : used.flatMap((each) => origins.sources(each))
  const about = { kind: 'function', name: `${name}()`, ...place } as const
  return [{ ...about, from: removeDuplicateOrigins([...from, ...reads]) }]
}

/** Returns the origins of the values that a lookup found; without a value, the origins of the lookup's default. */
function findLookupOrigins(call: NodeEvaluation, origins: OriginTracer): readonly Origin[] {
  const found = call.lookups.filter((each) => each.found)
  if (found.length > 0) return removeDuplicateOrigins(found.flatMap((each) => origins.data(each)))
  if (call.lookups.length === 0 || call.node.kind === 'CallMethod') return []
  const name = call.lookups.map(({ key }) => key).join(', ')
  const [, ...others] = call.parts.filter((part) => !isFunctionName(call, part))
  const value = others.findLast((each) => isEqualValue(each.value, call.value)) ?? others.at(-1)
  const from = value ? origins.leaves(value) : []
  return templates.has(getFunctionName(call))
    ? []
    : [{ kind: 'lookup default', name, ...getSpanPlace(call.node.span), from }]
}

/**
 * Returns the origin for a call that reads a fact: `$facts.get('os.family')`, `getvar('facts.os.family')` or
 * `fact('os.family')`.
 */
function findFactOrigins(call: NodeEvaluation, name: string, origins: OriginTracer): readonly Origin[] | undefined {
  const [first, second] = getCallArguments(call)
  const splitFactPath = (value: Value): string[] | undefined =>
    typeof value === 'string' ? value.split('.') : undefined
  if (name === 'get' || name === 'dig') {
    const keys =
      name === 'dig'
        ? getCallArguments(call)
            .slice(1)
            .map(({ value }) => value)
        : splitFactPath(second?.value)
    return first && keys && origins.narrowed(first, keys)
  }
  const [start, ...keys] = splitFactPath(first?.value) ?? []
  if (start === undefined) return undefined
  if (name === 'getvar') return origins.variable(start, call.scope, keys)
  return name === 'fact' ? [createFactOrigin(origins.compilation, [start, ...keys])] : undefined
}

function findModuleFile({ host }: Compilation, name: string, asked: string): string | undefined {
  return host.files.findInModule(name === 'file' ? 'files' : 'templates', asked)
}
