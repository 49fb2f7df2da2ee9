/** Returns this process's environment variables for Ruby's `ENV`. */
export function getProcessEnvironment(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
