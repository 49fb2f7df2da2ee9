import { addTags, parseDocstring } from '../docstring/docstring.ts'
import { formatSignature, type SignatureParameter } from '../function-signature.ts'
import type { Docstring, DocTag, FunctionSignature } from '../model.ts'

/** What the code says of a parameter. */
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
  readonly #parameters: SignatureParameter[] = []
  /** The `@param` tags of the comment, by the name of the parameter. */
  readonly #documented: ReadonlyMap<string | undefined, DocTag>
  #docstring: Docstring

  constructor(name: string, comment = '') {
    this.#name = name
    const { text, tags } = parseDocstring(comment)
    this.#docstring = { text, tags }
    const parameters = tags.filter(({ tag }) => tag === 'param')
    this.#documented = new Map(parameters.toReversed().map((tag) => [tag.name, tag]))
  }

  /** Adds a parameter. Its type in the code replaces the type in the comment. */
  add(name: string | undefined, { type, value, isOptional = false, prefix = '' }: ParameterCode): void {
    const tag = this.#documented.get(name)
    const written = type ?? tag?.types?.[0] ?? 'Any'
    const fields = { types: [isOptional ? `Optional[${written}]` : written], name: `${prefix}${name ?? ''}` }
    this.#parameters.push([fields.name, value])
    if (tag === undefined) this.#docstring = addTags(this.#docstring, { tag: 'param', text: '', ...fields })
    else this.#replaceTag(tag, fields)
  }

  setReturnType(type: string | undefined): void {
    const types = type === undefined ? [] : [type]
    const tag = this.#docstring.tags.find((each) => each.tag === 'return')
    if (tag === undefined) this.#docstring = addTags(this.#docstring, { tag: 'return', text: '', types })
    else this.#replaceTag(tag, { types })
  }

  build(): FunctionSignature {
    const returned = this.#docstring.tags.find((each) => each.tag === 'return')
    if (returned?.types === undefined) this.setReturnType('Any')
    const defaults = new Map<string, string>()
    for (const [name, value] of this.#parameters) if (value !== undefined) defaults.set(name, value)
    const signature = formatSignature(this.#name, this.#parameters, this.#docstring)
    return { signature, docstring: this.#docstring, defaults }
  }

  #replaceTag(tag: DocTag, fields: Partial<DocTag>): void {
    const { text, tags } = this.#docstring
    this.#docstring = { text, tags: tags.map((each) => (each === tag ? { ...each, ...fields } : each)) }
  }
}
