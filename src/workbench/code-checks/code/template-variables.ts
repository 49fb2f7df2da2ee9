import { join } from 'node:path'
import { normalizeName } from '../../../compiler/code/code-definition.ts'
import { getChildren } from '../../../language/syntax/tree/children.ts'
import type { AnyNode, CallNamedFunction, HostClassDefinition } from '../../../language/syntax/tree/nodes.ts'
import type { CodeFile } from '../../code-index/code-file.ts'
import { getPlainVariableName } from '../../code-index/occurrence.ts'
import type { CheckedCode } from './checked-code.ts'
import { listErbVariables } from './erb-variables.ts'
import { findVariableOwner } from './inherited-variables.ts'

/** Variables that ERB templates read and no caller sets, by the name of the template. */
export class TemplateVariables {
  readonly #code: CheckedCode
  readonly #unset = new Map<string, readonly string[]>()

  constructor(code: CheckedCode) {
    this.#code = code
  }

  /** The names without `@`; none if the callers of the template are not known. */
  listUnset(template: string): readonly string[] {
    const known = this.#unset.get(template)
    if (known) return known
    const names = this.#search(template)
    this.#unset.set(template, names)
    return names
  }

  #search(template: string): readonly string[] {
    const { workspace, topScope } = this.#code
    const [module = '', ...rest] = template.split('/')
    const folder = workspace.modules.get(module)?.folder
    const calls = folder === undefined || rest.includes('..') ? undefined : this.findCalls(template)
    const text = calls && workspace.text(join(folder!, 'templates', ...rest))
    if (text === undefined) return []
    const callers = calls!.map((each) => findCaller(each))
    if (callers.includes(undefined)) return []
    const owners = [...new Set(callers)]
    const set = new Set(owners.flatMap((each) => [...each!.variables]))
    const parents = owners.map((each) => each!.parent).filter((each) => each !== undefined)
    const isInherited = (name: string) =>
      parents.some(({ file, name: parent }) => findVariableOwner(this.#code, parent, name, file) !== 'none')
    return listErbVariables(text).filter((name) => !topScope.has(name) && !set.has(name) && !isInherited(name))
  }

  /** The calls of a template; undefined if its name also occurs elsewhere, such as in a default. */
  findCalls(name: string): readonly LocatedCall[] | undefined {
    const { uses, workspace } = this.#code
    const names = name.endsWith('.epp') ? [name, name.slice(0, -4)] : [name]
    const calls = names.flatMap((each) => uses.getCalls(each))
    const occurrences = names.reduce((sum, each) => sum + uses.strings.count(each), 0)
    if (occurrences !== calls.length) return undefined
    const found = calls.map(({ path, start }) => {
      const file = workspace.file(path)
      const call = file && findCall(file, start)
      return call && { file, call }
    })
    return found.every((each) => each !== undefined) ? found : undefined
  }
}

/** A call that renders a template with a literal name. */
interface LocatedCall {
  readonly file: CodeFile
  readonly call: CallNamedFunction
}

const calls = new WeakMap<CodeFile, ReadonlyMap<number, CallNamedFunction>>()

/** The call of `template` or `epp` at an offset. */
function findCall(file: CodeFile, start: number): CallNamedFunction | undefined {
  const known = calls.get(file) ?? indexCalls(file)
  calls.set(file, known)
  return known.get(start)
}

function indexCalls({ program }: CodeFile): ReadonlyMap<number, CallNamedFunction> {
  const found = new Map<number, CallNamedFunction>()
  const pending: AnyNode[] = program ? [program] : []
  for (let node = pending.pop(); node; node = pending.pop()) {
    const name = node.kind === 'CallNamedFunction' && node.functor.kind === 'QualifiedName' ? node.functor.value : ''
    if (node.kind === 'CallNamedFunction' && (name === 'template' || name === 'epp')) found.set(node.span.start, node)
    pending.push(...getChildren(node))
  }
  return found
}

interface Caller {
  readonly variables: ReadonlySet<string>
  readonly parent: { readonly name: string; readonly file: CodeFile } | undefined
}

interface CallerRange {
  readonly start: number
  readonly end: number
  readonly caller: Caller
}

const ranges = new WeakMap<CodeFile, readonly CallerRange[]>()

/** The innermost definition around a call; undefined at top scope. */
function findCaller({ file, call }: LocatedCall): Caller | undefined {
  const list = ranges.get(file) ?? listCallers(file)
  ranges.set(file, list)
  const at = call.span.start
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]!.start <= at) low = middle + 1
    else high = middle
  }
  const found = list[low - 1]
  return found && at < found.end ? found.caller : undefined
}

/** The definitions of a file that contain no other one, in their order, with the variables that they set. */
function listCallers(file: CodeFile): readonly CallerRange[] {
  const sorted = (file.program?.definitions ?? []).toSorted((a, b) => a.span.start - b.span.start)
  const variables = file.occurrences
    .filter(({ kind, isDefinition }) => kind === 'variable' && isDefinition)
    .sort((a, b) => a.span.start - b.span.start)
  let next = 0
  return sorted.flatMap((each, index) => {
    const { start, end } = each.span
    // Calls in a definition that contains others are not judged.
    const following = sorted[index + 1]
    if (following && following.span.start < end) return []
    const names = new Set<string>()
    while (next < variables.length && variables[next]!.span.start < start) next++
    for (; next < variables.length && variables[next]!.span.start < end; next++)
      names.add(getPlainVariableName(variables[next]!.name))
    const parent = each.kind === 'HostClassDefinition' ? getParent(each, file) : undefined
    return [{ start, end, caller: { variables: names, parent } }]
  })
}

function getParent({ parentClass }: HostClassDefinition, file: CodeFile): Caller['parent'] {
  return parentClass === undefined ? undefined : { name: normalizeName(parentClass), file }
}
