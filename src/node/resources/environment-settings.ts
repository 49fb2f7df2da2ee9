/** A doubtful entry of an attribute `environment`: no variable, a second value of a variable, or an empty value. */
export type EnvironmentProblem = 'unclear' | 'repeated' | 'empty'

/**
 * Adds the variables of an attribute `environment`, a list of `NAME=value`, to `env`; a later value
 * replaces an earlier one. `report` receives the doubtful entries, with the name of the variable, or
 * the whole entry if it is unclear.
 */
export function addEnvironmentSettings(
  env: Record<string, string | undefined>,
  settings: readonly string[],
  report: (problem: EnvironmentProblem, name: string, value: string) => void,
): void {
  for (const setting of settings) {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(setting) ?? []
    if (name === undefined || value === undefined) {
      report('unclear', setting, '')
      continue
    }
    if (env[name] !== undefined) report('repeated', name, value)
    if (value === '') report('empty', name, value)
    env[name] = value
  }
}
