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

/** Errors of a network, and of a socket that nobody has made. */
const ofNetwork = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EPIPE',
    'ENOENT',
  ],
])

/** True of an error of a PostgreSQL that is not there, or not yet: it is starting, stopping, or has no connection left. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { readonly code?: unknown }
  // The driver's words when it is hung up on.
  if (typeof code !== 'string') return error.message.startsWith('Connection terminated')
  return ofNetwork.has(code) || /^(?:08|53|57)\w{3}$/.test(code)
}
