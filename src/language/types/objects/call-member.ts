import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import type { UriParts } from '../../ruby-semantics/uri/uri-parts.ts'
import type { Callable } from '../../values/callable.ts'
import { ObjectValue } from '../../values/object.ts'
import type { AnyMember, CallableType, Type } from '../../values/type.ts'
import { Uri } from '../../values/uri.ts'
import type { Value } from '../../values/value.ts'
import * as make from '../constructors.ts'
import { describeCallMismatch } from '../mismatch/mismatch.ts'
import { getMembers } from './object-inheritance.ts'
import { formatMemberLabel } from './object-members.ts'

/** Calls or reads a member of a value. Returns the result as `{ value }`; `undefined` if there is no such member. */
export function callMember(
  value: Value,
  name: string,
  args: readonly Value[],
  block?: Callable,
): { readonly value: Value } | undefined {
  if (value instanceof Uri) return readUriMember(value, name)
  const member = value instanceof ObjectValue ? getMembers(value.type).get(name) : undefined
  return member && { value: callObjectMember(value as ObjectValue, member, args, block) }
}

const uriMembers: ReadonlySet<string> = new Set([
  ...['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment', 'opaque'],
])

function readUriMember(uri: Uri, name: string): { readonly value: Value } | undefined {
  if (!uriMembers.has(name)) return undefined
  return { value: uri.parts[name as keyof UriParts] }
}

const noArguments = make.createCallableType(make.createTupleType([], make.createSizeBounds(0, 0)))

function callObjectMember(
  object: ObjectValue,
  member: AnyMember,
  args: readonly Value[],
  block: Callable | undefined,
): Value {
  const label = formatMemberLabel(member)
  if (member.feature === 'function' && member.owner === 'Error') return getMessage(object, args)
  const signatures = member.feature === 'function' ? findCallables(member.type) : [noArguments]
  const said = describeCallMismatch(label, signatures, [], args, block)
  if (said !== undefined) return throwArgumentError(said)
  if (member.feature === 'function') return throwArgumentError(`no method is implemented for ${label}`)
  if (member.kind === 'derived' && !object.attributes.has(member.name))
    return throwArgumentError(`no method is implemented for derived ${label}`)
  return object.attributes.get(member.name)
}

/** The only function that Puppet implements for `Error`; checks the argument count as Ruby does. */
function getMessage({ attributes }: ObjectValue, { length }: readonly Value[]): Value {
  return length === 0
    ? attributes.get('msg')
    : throwArgumentError(`wrong number of arguments (given ${length}, expected 0)`)
}

function findCallables(type: Type): readonly CallableType[] {
  if (type.kind === 'Variant') return type.types.flatMap(findCallables)
  if (type.kind === 'TypeAlias') return findCallables(type.resolved)
  return type.kind === 'Callable' ? [type] : []
}
