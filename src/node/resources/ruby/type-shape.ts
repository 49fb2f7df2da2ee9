import { anyKind, inspectPlainValue } from '../attribute-kinds.ts'
import {
  defineNamevar,
  defineParameter,
  defineProperty,
  type NativeTypeDefinition,
  type ResourceAttributes,
} from '../type.ts'

/** The description of a Ruby type for a run. */
export interface RubyTypeShape {
  readonly name: string
  /** Reason why the type is unusable; `null` if no file defines it. */
  readonly error?: string | null
  readonly parameters: readonly string[]
  readonly properties: readonly string[]
  readonly namevars: readonly string[]
  readonly isomorphic: boolean
  readonly refreshes_itself: boolean
  readonly has_providers: boolean
  /** The methods among `refresh`, `generate` and `eval_generate` that the type defines. */
  readonly methods: readonly string[]
  readonly not_idempotent: readonly string[]
  readonly applies_to: NonNullable<NativeTypeDefinition['appliesTo']>
  /** Values of `ensure` that make a refresh unnecessary when they are set. */
  readonly needless: readonly string[]
}

/** Creates a type from its description; its attributes accept the values that Ruby munged. */
export function createTypeFromShape(shape: RubyTypeShape, rest: Partial<NativeTypeDefinition>): NativeTypeDefinition {
  const namevars = [...shape.namevars].sort()
  const key = shape.namevars.length === 1 ? shape.namevars[0] : undefined
  const attributes: Record<string, ResourceAttributes[string]> = {
    ...Object.fromEntries(shape.parameters.map((name) => [name, defineParameter(anyKind, '')])),
    ...Object.fromEntries(
      shape.properties.map((name) => [name, defineProperty(anyKind, '', getPropertyOptions(shape, name))]),
    ),
  }
  if (key !== undefined && attributes[key]?.role !== 'property') attributes[key] = defineNamevar(anyKind, '')
  return {
    name: shape.name,
    doc: '',
    attributes,
    appliesTo: shape.applies_to,
    ...(shape.isomorphic ? {} : { repeatable: true as const }),
    ...(key !== undefined && attributes[key]?.role === 'namevar'
      ? {}
      : { identity: (resource) => namevars.map((name) => inspectPlainValue(resource.get(name))) }),
    ...(shape.refreshes_itself ? { refreshesItself: true as const } : {}),
    ...(shape.has_providers ? {} : { providesItself: true as const }),
    ...rest,
  }
}

function getPropertyOptions({ not_idempotent }: RubyTypeShape, name: string): { readonly idempotent?: false } {
  return not_idempotent.includes(name) ? { idempotent: false } : {}
}
