/** Codes of SQLite that say something of a statement's values, and nothing of the disk. */
const ofValues = /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG|RANGE|ERROR)/
/** The same as numbers: ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE. */
const ofValuesInNode = new Set([1, 18, 19, 20, 25])

/**
 * The reason why a command can never be written, from the error of its transaction; `undefined` of an error that passes, such as
 * a full disk or a database that is away. Of PostgreSQL the classes 22, 23 and 42 of SQLSTATE are about values.
 */
export function problemOfCommand(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // A driver that is handed what it cannot bind.
  if (error instanceof TypeError || error instanceof RangeError) return error.message
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  // Node's own SQLite tells numbers, of which the lower byte is the kind.
  if (code === 'ERR_SQLITE_ERROR') return ofValuesInNode.has(Number(errcode) & 0xff) ? error.message : undefined
  if (typeof code !== 'string') return undefined
  return ofValues.test(code) || /^(?:22|23|42)\w{3}$/.test(code) ? error.message : undefined
}
