/** The value under a name that comes from outside, of a table; nothing that every object inherits: `constructor`, `toString`. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
