import { acceptsParameter, isMetaparameter } from '../../../compiler/code/native-types.ts'
import type { Expression, Parameter, Resource, ResourceBody } from '../../../language/syntax/tree/nodes.ts'
import { acceptsUndef } from '../../../language/types/is-assignable.ts'
import type { CheckedFile } from '../checked-file.ts'
import type { CheckedCode } from '../code/checked-code.ts'
import { indexParameters } from '../code/file-names.ts'
import type { CodeCheck } from '../code-check.ts'
import { type DeclaredOwner, findDeclaredOwner, listReferencedOwners } from './declared-owner.ts'

/** Parameters that a class, defined type or resource type does not have. */
export const unknownParameter: CodeCheck = {
  name: 'unknown_parameter',
  check(file, code, report) {
    for (const { owner, operations } of listOperations(file, code))
      for (const each of operations) {
        if (each.kind !== 'AttributeOperation' || isMetaparameter(each.name) || accepts(owner, each.name)) continue
        const suggestion = file.suggest(each.name, () => listParameterNames(owner))
        report(`${owner.label} has no parameter '${each.name}'${suggestion}`, each.span)
      }
  },
}

/** Required parameters of defined types. Hiera may set those of classes. */
export const missingParameter: CodeCheck = {
  name: 'missing_parameter',
  check(file, code, report) {
    for (const { node } of file.listNodes('Resource')) {
      const owner = findDeclaredOwner(node, node.bodies[0]!, file, code)
      if (owner?.kind !== 'define' || node.bodies.some(({ title }) => title.kind === 'LiteralDefault')) continue
      const { adjustedTypes } = code.uses
      if (adjustedTypes.has(owner.name) || adjustedTypes.has('*')) continue
      for (const body of node.bodies) {
        if (body.operations.some(({ kind }) => kind === 'AttributesOperation')) continue
        const given = new Set(body.operations.map((each) => 'name' in each && each.name))
        const missing: Parameter[] = []
        for (const each of listRequired(owner.parameters, code))
          if (!given.has(each.name) && missing.push(each) === maxNamed) break
        const names = missing.map(({ name }) => `'${name}'`).join(', ')
        if (missing.length > 0) report(`${owner.label} requires the parameter ${names}`, body.title.span)
      }
    }
  },
}

/** Largest number of missing parameters in a message. */
const maxNamed = 10
const required = new WeakMap<readonly Parameter[], readonly Parameter[]>()

function listRequired(parameters: readonly Parameter[], code: CheckedCode): readonly Parameter[] {
  const known = required.get(parameters)
  if (known) return known
  const found = parameters.filter((each) => isRequired(each, code))
  required.set(parameters, found)
  return found
}

function isRequired({ value, type, capturesRest, name }: Parameter, code: CheckedCode): boolean {
  if (value || capturesRest || name === 'title' || name === 'name') return false
  if (!type) return true
  const resolved = code.types.resolve(type)
  return resolved !== undefined && !acceptsUndef(resolved)
}

interface OwnedOperations {
  readonly owner: DeclaredOwner
  readonly operations: ResourceBody['operations']
}

/** The attributes of resources, defaults, overrides and collectors, with what they belong to. */
export function* listOperations(file: CheckedFile, code: CheckedCode): Generator<OwnedOperations> {
  for (const { node } of file.listNodes('Resource'))
    for (const body of node.bodies) {
      const owner = findDeclaredOwner(node as Resource, body, file, code)
      if (owner) yield { owner, operations: body.operations }
    }
  const withReferences: readonly { readonly reference: Expression; readonly operations: ResourceBody['operations'] }[] =
    [
      ...file.listNodes('ResourceDefaults').map(({ node }) => ({ ...node, reference: node.typeRef })),
      ...file.listNodes('ResourceOverride').map(({ node }) => ({ ...node, reference: node.resources })),
      ...file.listNodes('Collect').map(({ node }) => ({ ...node, reference: node.type })),
    ]
  for (const { reference, operations } of withReferences)
    for (const owner of listReferencedOwners(reference, file, code)) yield { owner, operations }
}

function accepts(owner: DeclaredOwner, name: string): boolean {
  if (owner.kind === 'native') return acceptsParameter(owner.type, name) || name === 'provider'
  return name === 'name' || name === 'title' || indexParameters(owner.parameters).has(name)
}

function listParameterNames(owner: DeclaredOwner): readonly string[] {
  if (owner.kind !== 'native') return owner.parameters.map(({ name }) => name)
  return [...owner.type.parameters, ...owner.type.properties]
}
