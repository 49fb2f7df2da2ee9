/** A scope of variables: top scope, a class, or code with local variables (defined type, function, lambda, node). */
export interface VariableScope {
  /** Prefix of the full names of its variables: empty for top scope, the name of a class; undefined for local scopes. */
  readonly className: string | undefined
  /** Offset of the code, which identifies a local scope. */
  readonly start: number
  readonly variables: Set<string>
  /** The scope whose variables are visible inside. A function sees no variables of its file. */
  readonly parent: VariableScope | undefined
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
