import { refuse } from '../../language/ruby-semantics/argument-error.ts'
import type { FunctionDefinition, Program, TypeAlias } from '../../language/syntax/tree/nodes.ts'

/**
 * Returns the definition of a type file. Throws unless it is the only content of the file. Puppet:
 * type_definition_instantiator.rb.
 */
export function typeOfFile(program: Program, name: string, file: string): TypeAlias {
  const found = 'type alias or type definition'
  return onlyDefinition(program, { kind: 'TypeAlias', noun: 'type', found, quote: "'" }, name, file) as TypeAlias
}

/**
 * Returns the definition of a function file. Throws unless it is the only content of the file. Puppet:
 * puppet_function_instantiator.rb.
 */
export function functionOfFile(program: Program, name: string, file: string): FunctionDefinition {
  const wanted = { kind: 'FunctionDefinition', noun: 'function', found: 'function', quote: '' } as const
  return onlyDefinition(program, wanted, name, file) as FunctionDefinition
}

/** The required kind of definition, with its name and its quotation marks in messages. */
interface Wanted {
  readonly kind: 'TypeAlias' | 'FunctionDefinition'
  readonly noun: string
  readonly found: string
  readonly quote: string
}

function onlyDefinition(
  { definitions, body }: Program,
  { kind, noun, found, quote }: Wanted,
  name: string,
  file: string,
): TypeAlias | FunctionDefinition {
  const [definition, ...others] = definitions
  const loaded = `The code loaded from ${file}`
  const named = (text: string) => `${quote}${text}${quote}`
  if (!definition) return refuse(`${loaded} does not define the ${noun} '${name}' - it is empty.`)
  if (others.length > 0)
    return refuse(`${loaded} must contain only the ${noun} '${name}' - it has additional definitions.`)
  if (definition.kind !== kind) return refuse(`${loaded} does not define the ${noun} '${name}' - no ${found} found.`)
  const actual = (definition as TypeAlias | FunctionDefinition).name
  if (actual.toLowerCase() !== name)
    return refuse(`${loaded} produced ${noun} with the wrong name, expected ${named(name)}, actual ${named(actual)}`)
  if (body !== definition)
    return refuse(`${loaded} contains additional logic - can only contain the ${noun} ${named(name)}`)
  return definition as TypeAlias | FunctionDefinition
}

/** Returns the type set in a module's `types/init_typeset.pp`; the type set must have the name of the module. */
export function typeSetOfFile(program: Program, name: string, file: string): TypeAlias {
  const alias = typeOfFile(program, name, file)
  const { type } = alias
  if (type.kind === 'Access' && type.left.kind === 'QualifiedReference' && type.left.casedValue === 'TypeSet')
    return alias
  const wanted = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return refuse(`The code loaded from ${file} does not define the TypeSet '${wanted}'`)
}
