/** SQLite error codes that are caused by a statement's values, not by the disk. */
const ofValues = /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG|RANGE|ERROR)/
/** The same codes as numbers: ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE. */
const ofValuesInNode = new Set([1, 18, 19, 20, 25])

/**
 * Returns the error message if a command can never be written; `undefined` for a temporary error,
 * such as a full disk or an unavailable database. In PostgreSQL, the values of a command cause
 * errors of the SQLSTATE classes 22, 23 and 42.
 */
export function findPermanentProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // The driver cannot bind a value.
  if (error instanceof TypeError || error instanceof RangeError) return error.message
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  // Node's SQLite reports numbers; the lower byte is the primary error code.
  if (code === 'ERR_SQLITE_ERROR') return ofValuesInNode.has(Number(errcode) & 0xff) ? error.message : undefined
  if (typeof code !== 'string') return undefined
  return ofValues.test(code) || /^(?:22|23|42)\w{3}$/.test(code) ? error.message : undefined
}

/** Error codes of the network, and the code for a missing Unix socket. */
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

/** True if PostgreSQL is unavailable: it is unreachable, is starting or stopping, or has no free connections. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { readonly code?: unknown }
  // The driver's message when the connection is closed.
  if (typeof code !== 'string') return error.message.startsWith('Connection terminated')
  return ofNetwork.has(code) || /^(?:08|53|57)\w{3}$/.test(code)
}
