import type { SourceSpan } from '../../../base/source.ts'
import type { CallMethod, CallNamedFunction, Expression } from '../../../language/syntax/tree/nodes.ts'
import { ANY } from '../../../language/types/constructors.ts'
import { getTupleSize } from '../../../language/types/is-assignable.ts'
import { isInstance } from '../../../language/types/is-instance.ts'
import { describeMismatch } from '../../../language/types/mismatch/mismatch.ts'
import type { Type } from '../../../language/values/type.ts'
import type { CheckedCode } from '../code/checked-code.ts'
import type { FoundFunction } from '../code/code-definitions.ts'
import { readLiteral } from '../code/code-type-names.ts'
import type { CodeCheck } from '../code-check.ts'

/** Calls whose number of arguments, or a literal argument, fits no signature of the function. */
export const wrongArguments: CodeCheck = {
  name: 'wrong_arguments',
  check(file, code, report) {
    for (const { node } of [...file.listNodes('CallNamedFunction'), ...file.listNodes('CallMethod')]) {
      const call = readCall(node)
      const found = call && code.definitions.findFunction(call.name, file.file)
      if (!found || call.args.some(({ kind }) => kind === 'Unfold')) continue
      const problem = describeCall(call.name, call.args, listSignatures(found, code))
      if (problem !== undefined) report(problem, call.span)
    }
  },
}

interface Call {
  readonly name: string
  readonly span: SourceSpan
  readonly args: readonly Expression[]
}

function readCall(node: CallNamedFunction | CallMethod): Call | undefined {
  if (node.kind === 'CallMethod') {
    const { left, right } = node.functor
    return right.kind === 'QualifiedName'
      ? { name: right.value, span: right.span, args: [left, ...node.arguments] }
      : undefined
  }
  const { functor } = node
  return functor.kind === 'QualifiedName'
    ? { name: functor.value, span: functor.span, args: node.arguments }
    : undefined
}

interface Signature {
  readonly types: readonly (Type | undefined)[]
  readonly least: number
  readonly most: number
}

function listSignatures(found: FoundFunction, code: CheckedCode): readonly Signature[] {
  if (found.kind === 'ruby') return []
  if (found.kind === 'built-in')
    return found.callable.signatures.flatMap(({ parameters }) => {
      if (!parameters) return []
      const { from = 0, to } = getTupleSize(parameters)
      return { types: parameters.types, least: from, most: to ?? Infinity }
    })
  const { parameters } = found.definition.node
  const types = parameters.map(({ type }) => (type ? code.types.resolve(type) : ANY))
  const least = parameters.filter(({ value, capturesRest }) => !value && !capturesRest).length
  return [{ types, least, most: parameters.at(-1)?.capturesRest ? Infinity : parameters.length }]
}

function describeCall(name: string, args: readonly Expression[], signatures: readonly Signature[]): string | undefined {
  const count = args.length
  const fitting = signatures.filter(({ least, most }) => least <= count && count <= most)
  if (signatures.length === 0) return undefined
  if (fitting.length === 0) return `'${name}' expects ${describeCounts(signatures)}, got ${count}`
  const problems = fitting.map((each) => describeArguments(each, args))
  return problems.includes(undefined) ? undefined : `'${name}': ${problems[0]}`
}

function describeArguments({ types }: Signature, args: readonly Expression[]): string | undefined {
  for (const [index, each] of args.entries()) {
    const type = types[Math.min(index, types.length - 1)]
    const literal = readLiteral(each)
    if (type && literal && !isInstance(type, literal.value))
      return describeMismatch(`argument ${index + 1}`, type, literal.value)
  }
  return undefined
}

function describeCounts(signatures: readonly Signature[]): string {
  const least = Math.min(...signatures.map((each) => each.least))
  const most = Math.max(...signatures.map((each) => each.most))
  if (most === Infinity) return `at least ${formatCount(least)}`
  return least === most ? formatCount(least) : `between ${least} and ${most} arguments`
}

function formatCount(count: number): string {
  return `${count} ${count === 1 ? 'argument' : 'arguments'}`
}
