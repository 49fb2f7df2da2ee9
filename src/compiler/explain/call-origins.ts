import { toText } from '../../language/types/printing/text.ts'
import { equals } from '../../language/values/equals.ts'
import type { Value } from '../../language/values/value.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { Evaluated } from '../provenance/evaluated.ts'
import { argumentsOf, functionName, isFunctor, parametersOf } from './call-parts.ts'
import type { Follow } from './follow.ts'
import { type Origin, type OriginKind, placeAt, unique } from './origin.ts'
import { factOrigin } from './top-origins.ts'

const templates: ReadonlyMap<string, OriginKind> = new Map([
  ['template', 'template'],
  ['epp', 'template'],
  ['inline_template', 'template'],
  ['inline_epp', 'template'],
  ['file', 'file'],
])

/** Returns the origin of a call's result: the function, with the origins of its input. */
export function callOrigin(call: Evaluated, origins: Follow): readonly Origin[] {
  const name = functionName(call)
  const { compilation } = origins
  const known = factOf(call, name, origins)
  if (known) return known
  const place = placeAt(call.node.span)
  const given = argumentsOf(call)
  if (name === 'return' || name === 'next') return given.flatMap((each) => origins.sources(each))
  const reads = call.reads.flatMap((each) => origins.variable(each.name, each.scope))
  const kind = templates.get(name)
  if (kind) {
    const body = call.parts.filter(({ node }) => node.kind === 'Epp')
    // The text of an inline template is one of the sources; the file name of a template may be a source, too.
    const from = [...given.slice(0, 1), ...body].flatMap((each) => origins.sources(each))
    const asked = name.startsWith('inline_') ? 'in place' : toText(given[0]?.value)
    const detail = name.startsWith('inline_') ? undefined : fileOf(compilation, name, asked)
    return [
      {
        kind,
        name: `${name}(${asked})`,
        ...place,
        detail,
        from: unique([...from, ...reads, ...dataOf(call, origins)]),
      },
    ]
  }
  const inside = call.parts.filter((part) => !given.includes(part) && !isFunctor(call, part))
  const isOurs = parametersOf(call, compilation) !== undefined
  const used = isOurs && inside.length > 0 ? inside : [...given, ...inside]
  const data = dataOf(call, origins)
  const from = data.length > 0 ? data : used.flatMap((each) => origins.sources(each))
  const about = { kind: 'function', name: `${name}()`, ...place } as const
  return [{ ...about, from: unique([...from, ...reads]) }]
}

/** Returns the origins of the values that a lookup found; without a value, the origins of the lookup's default. */
function dataOf(call: Evaluated, origins: Follow): readonly Origin[] {
  const found = call.lookups.filter((each) => each.found)
  if (found.length > 0) return unique(found.flatMap((each) => origins.data(each)))
  if (call.lookups.length === 0 || call.node.kind === 'CallMethod') return []
  const name = call.lookups.map(({ key }) => key).join(', ')
  const [, ...others] = call.parts.filter((part) => !isFunctor(call, part))
  const value = others.findLast((each) => equals(each.value, call.value)) ?? others.at(-1)
  const from = value ? origins.leaves(value) : []
  return templates.has(functionName(call)) ? [] : [{ kind: 'lookup default', name, ...placeAt(call.node.span), from }]
}

/**
 * Returns the origin for a call that reads a fact: `$facts.get('os.family')`, `getvar('facts.os.family')` or
 * `fact('os.family')`.
 */
function factOf(call: Evaluated, name: string, origins: Follow): readonly Origin[] | undefined {
  const [first, second] = argumentsOf(call)
  const path = (value: Value): string[] | undefined => (typeof value === 'string' ? value.split('.') : undefined)
  if (name === 'get' || name === 'dig') {
    const keys =
      name === 'dig'
        ? argumentsOf(call)
            .slice(1)
            .map(({ value }) => value)
        : path(second?.value)
    return first && keys && origins.narrowed(first, keys)
  }
  const [start, ...keys] = path(first?.value) ?? []
  if (start === undefined) return undefined
  if (name === 'getvar') return origins.variable(start, call.scope, keys)
  return name === 'fact' ? [factOrigin(origins.compilation, [start, ...keys])] : undefined
}

function fileOf({ host }: Compilation, name: string, asked: string): string | undefined {
  return host.files.findInModule(name === 'file' ? 'files' : 'templates', asked)
}
