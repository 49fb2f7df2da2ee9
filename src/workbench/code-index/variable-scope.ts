/** A scope of variables: top scope, a class, or code with local variables (defined type, function, lambda, node). */
export interface VariableScope {
  /** Prefix of the full names of its variables: empty for top scope, the name of a class; undefined for local scopes. */
  readonly className: string | undefined
  /** Offset of the code, which identifies a local scope. */
  readonly start: number
  readonly variables: Set<string>
  /** The scope whose variables are visible inside. A function sees no variables of its file. */
  readonly parent: VariableScope | undefined
  /** The class that a class inherits, in lower case. */
  readonly parentClass?: string | undefined
}

/** Full name of a variable of a scope. */
export function getVariableName({ className, start }: VariableScope, name: string): string {
  if (className === undefined) return `${name}@${start}`
  return className === '' ? name : `${className}::${name}`
}

/** Full name of the variable that an unqualified name means: of the innermost scope that sets it, otherwise top scope. */
export function resolveVariable(scope: VariableScope, name: string): string {
  for (let at: VariableScope | undefined = scope; at; at = at.parent)
    if (at.variables.has(name)) return getVariableName(at, name)
  return name
}

/** The class that may define a variable, which no scope of the file sets. */
export function findParentClass(scope: VariableScope, name: string): string | undefined {
  let parentClass: string | undefined
  for (let at: VariableScope | undefined = scope; at; at = at.parent) {
    // Top scope comes after the inherited class.
    if (at.className !== '' && at.variables.has(name)) return undefined
    parentClass ??= at.parentClass
  }
  return parentClass
}
