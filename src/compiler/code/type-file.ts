import { throwArgumentError } from '../../language/ruby-semantics/argument-error.ts'
import type { FunctionDefinition, Program, TypeAlias } from '../../language/syntax/tree/nodes.ts'

/**
 * Returns the definition of a type file. Throws unless it is the only content of the file. Puppet:
 * type_definition_instantiator.rb.
 */
export function getFileType(program: Program, name: string, file: string): TypeAlias {
  const found = 'type alias or type definition'
  return getOnlyDefinition(program, { kind: 'TypeAlias', noun: 'type', found, quote: "'" }, name, file) as TypeAlias
}

/**
 * Returns the definition of a function file. Throws unless it is the only content of the file. Puppet:
 * puppet_function_instantiator.rb.
 */
export function getFileFunction(program: Program, name: string, file: string): FunctionDefinition {
  const wanted = { kind: 'FunctionDefinition', noun: 'function', found: 'function', quote: '' } as const
  return getOnlyDefinition(program, wanted, name, file) as FunctionDefinition
}

/** The required kind of definition, with its name and its quotation marks in messages. */
interface Wanted {
  readonly kind: 'TypeAlias' | 'FunctionDefinition'
  readonly noun: string
  readonly found: string
  readonly quote: string
}

function getOnlyDefinition(
  { definitions, body }: Program,
  { kind, noun, found, quote }: Wanted,
  name: string,
  file: string,
): TypeAlias | FunctionDefinition {
  const [definition, ...others] = definitions
  const loaded = `The code loaded from ${file}`
  const quoteName = (text: string) => `${quote}${text}${quote}`
  if (!definition) return throwArgumentError(`${loaded} does not define the ${noun} '${name}' - it is empty.`)
  if (others.length > 0)
    return throwArgumentError(`${loaded} must contain only the ${noun} '${name}' - it has additional definitions.`)
  if (definition.kind !== kind)
    return throwArgumentError(`${loaded} does not define the ${noun} '${name}' - no ${found} found.`)
  const actual = (definition as TypeAlias | FunctionDefinition).name
  if (actual.toLowerCase() !== name)
    return throwArgumentError(
      `${loaded} produced ${noun} with the wrong name, expected ${quoteName(name)}, actual ${quoteName(actual)}`,
    )
  if (body !== definition)
    return throwArgumentError(`${loaded} contains additional logic - can only contain the ${noun} ${quoteName(name)}`)
  return definition as TypeAlias | FunctionDefinition
}

/** Returns the type set in a module's `types/init_typeset.pp`; the type set must have the name of the module. */
export function getFileTypeSet(program: Program, name: string, file: string): TypeAlias {
  const alias = getFileType(program, name, file)
  const { type } = alias
  if (type.kind === 'Access' && type.left.kind === 'QualifiedReference' && type.left.casedValue === 'TypeSet')
    return alias
  const wanted = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return throwArgumentError(`The code loaded from ${file} does not define the TypeSet '${wanted}'`)
}
