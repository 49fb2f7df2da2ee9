import type { Program, TypeAlias } from '../../language/syntax/tree/nodes.ts'
import { refuse } from '../../ruby-semantics/argument-error.ts'

/** The type that a file of a module defines: nothing else may be in it (Puppet: type_definition_instantiator.rb). */
export function typeOfFile({ definitions, body }: Program, name: string, file: string): TypeAlias {
  const [definition, ...others] = definitions
  const loaded = `The code loaded from ${file}`
  if (!definition) return refuse(`${loaded} does not define the type '${name}' - it is empty.`)
  if (others.length > 0)
    return refuse(`${loaded} must contain only the type '${name}' - it has additional definitions.`)
  if (definition.kind !== 'TypeAlias')
    return refuse(`${loaded} does not define the type '${name}' - no type alias or type definition found.`)
  if (definition.name.toLowerCase() !== name)
    return refuse(`${loaded} produced type with the wrong name, expected '${name}', actual '${definition.name}'`)
  if (body !== definition) return refuse(`${loaded} contains additional logic - can only contain the type '${name}'`)
  return definition
}

/** The type set that `types/init_typeset.pp` of a module defines: it has the module's name. */
export function typeSetOfFile(program: Program, name: string, file: string): TypeAlias {
  const alias = typeOfFile(program, name, file)
  const { type } = alias
  if (type.kind === 'Access' && type.left.kind === 'QualifiedReference' && type.left.casedValue === 'TypeSet')
    return alias
  const wanted = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return refuse(`The code loaded from ${file} does not define the TypeSet '${wanted}'`)
}
