import type { Value } from '../../language/values/value.ts'
import type { AnyResource } from './managed-resource.ts'
import { metaparameterAttributes } from './metaparameters.ts'

/** The declared metaparameters, for a generated resource to copy; `alias` is not copied. */
export function listDeclaredMetaparameters({ given }: AnyResource): [name: string, value: Value][] {
  return [...given].filter(([name]) => Object.hasOwn(metaparameterAttributes, name) && name !== 'alias')
}
