import type { Value } from '../../language/values/value.ts'
import type { AnyResource } from './managed-resource.ts'
import { metaparameters } from './metaparameters.ts'

/** Metaparameters as given, for a resource that is made in the image of this one; a name of its own is not handed on. */
export function givenMetaparameters({ given }: AnyResource): [name: string, value: Value][] {
  return [...given].filter(([name]) => Object.hasOwn(metaparameters, name) && name !== 'alias')
}
