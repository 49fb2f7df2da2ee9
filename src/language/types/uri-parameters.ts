import type { UriParts } from '../ruby-semantics/uri/uri-parts.ts'
import { Hash } from '../values/hash.ts'
import type { Type, UriType } from '../values/type.ts'
import type { Uri } from '../values/uri.ts'
import * as make from './constructors.ts'
import { isMatchingPart } from './is-assignable.ts'

/** True if a URI has the parts that the type requires. */
export function isInstanceOfUri({ parameters = Hash.empty }: UriType, uri: Uri): boolean {
  return [...parameters].every(([name, pattern]) => isMatchingPart(pattern, uri.parts[name as keyof UriParts]))
}

const text = make.createOptionalType(
  make.createVariantType([
    make.NON_EMPTY_STRING,
    make.REGEXP,
    make.createTypeType(make.PATTERN),
    make.createTypeType(make.ENUM),
    make.createTypeType(make.NOT_UNDEF),
    make.createTypeType(make.UNDEF),
  ]),
)
const number = make.createOptionalType(
  make.createVariantType([
    make.createIntegerType(0),
    make.createTypeType(make.NOT_UNDEF),
    make.createTypeType(make.UNDEF),
  ]),
)

/**
 * Type of the hash in `URI[…]`, which contains values or patterns of parts. Puppet: p_uri_type.rb,
 * TYPE_URI_PARAM_HASH_TYPE.
 */
export const URI_PARAMETERS: Type = make.createStructType(
  ['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment', 'opaque'].map((name) => ({
    name,
    optional: true,
    value: name === 'port' ? number : text,
  })),
)
