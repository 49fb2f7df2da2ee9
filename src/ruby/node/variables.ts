/** The variables of this process, as a node's Ruby has them in `ENV`. */
export function ownVariables(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env)
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
}
