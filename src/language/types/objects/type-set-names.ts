import type { Type, TypeSetType } from '../../values/type.ts'

/** Returns the name of a type in a type set, or of a type in a referenced set (`Alias::Name`). */
export function findNameInSet({ types, references }: TypeSetType, type: Type): string | undefined {
  for (const [name, each] of types) if (each === type) return name
  for (const [alias, reference] of references) {
    const name = findNameInSet(reference.typeSet, type)
    if (name !== undefined) return `${alias}::${name}`
  }
  return undefined
}
