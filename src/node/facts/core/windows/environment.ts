import type { Machine } from '../../machine.ts'

/** An environment variable of Windows, whose names ignore case; undefined if it is missing or empty. */
export function getVariable({ variables }: Pick<Machine, 'variables'>, name: string): string | undefined {
  const key = Object.keys(variables).find((each) => each.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : variables[key] || undefined
}
