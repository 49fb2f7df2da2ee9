import { mapTags } from './docstring/docstring.ts'
import type { Docstring } from './model.ts'

/** The name of a parameter, with `*` or `&` for the rest of the arguments or a block, and its default value. */
export type SignatureParameter = readonly [name: string, value: string | undefined]

/** Formats a call with the types of the `@param` tags: `max(Numeric *$values)`. */
export function formatSignature(name: string, parameters: readonly SignatureParameter[], { tags }: Docstring): string {
  const types = mapTags({ text: '', tags }, 'param')
  const words = parameters.map(([parameter, value]) => {
    const tag = types.get(parameter)
    const prefix = /^[*&]/.exec(parameter)?.[0] ?? ''
    const bare = parameter.slice(prefix.length)
    return `${tag?.types ? `${tag.types[0] ?? ''} ` : 'Any '}${prefix}$${bare}${value === undefined ? '' : ` = ${value}`}`
  })
  return `${name}(${words.join(', ')})`
}
