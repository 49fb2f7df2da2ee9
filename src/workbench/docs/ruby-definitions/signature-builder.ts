import { parseDocstring } from '../docstring/docstring.ts'
import { formatSignature, type SignatureParameter } from '../function-signature.ts'
import type { DocTag, FunctionSignature } from '../model.ts'

/** A parameter in the code. */
interface ParameterCode {
  readonly type?: string | undefined
  /** Default value as code. */
  readonly value?: string | undefined
  readonly isOptional?: boolean
  /** `*` for the rest of the arguments, `&` for a block. */
  readonly prefix?: '*' | '&' | ''
}

/** Combines the parameters of a signature with the tags of its comment. */
export class SignatureBuilder {
  readonly #name: string
  readonly #text: string
  readonly #parameters: SignatureParameter[] = []
  readonly #tags: DocTag[]
  /** Positions of the `@param` tags of the comment, by the name of the parameter. */
  readonly #documented: ReadonlyMap<string | undefined, number>

  constructor(name: string, comment = '') {
    this.#name = name
    const { text, tags } = parseDocstring(comment)
    this.#text = text
    this.#tags = [...tags]
    const parameters = [...tags.entries()].filter(([, { tag }]) => tag === 'param')
    this.#documented = new Map(parameters.toReversed().map(([index, tag]) => [tag.name, index]))
  }

  /** Adds a parameter. Its type in the code replaces the type in the comment. */
  add(name: string | undefined, { type, value, isOptional = false, prefix = '' }: ParameterCode): void {
    const index = this.#documented.get(name)
    const tag = index === undefined ? undefined : this.#tags[index]
    const written = type ?? tag?.types?.[0] ?? 'Any'
    const fields = { types: [isOptional ? `Optional[${written}]` : written], name: `${prefix}${name ?? ''}` }
    this.#parameters.push([fields.name, value])
    if (index === undefined) this.#tags.push({ tag: 'param', text: '', ...fields })
    else this.#tags[index] = { ...tag!, ...fields }
  }

  setReturnType(type: string | undefined): void {
    const types = type === undefined ? [] : [type]
    const index = this.#tags.findIndex(({ tag }) => tag === 'return')
    if (index === -1) this.#tags.push({ tag: 'return', text: '', types })
    else this.#tags[index] = { ...this.#tags[index]!, types }
  }

  build(): FunctionSignature {
    if (this.#tags.find(({ tag }) => tag === 'return')?.types === undefined) this.setReturnType('Any')
    const docstring = { text: this.#text, tags: this.#tags }
    const defaults = new Map<string, string>()
    for (const [name, value] of this.#parameters) if (value !== undefined) defaults.set(name, value)
    return { signature: formatSignature(this.#name, this.#parameters, docstring), docstring, defaults }
  }
}
