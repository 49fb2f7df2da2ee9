import { readFileSync } from 'node:fs'
import { decodeLosslessUtf8, hasReplacementCharacter } from '../../base/text/byte-text.ts'

/**
 * The environment variables of this process. Bytes that are not UTF-8 are escaped; Node.js itself
 * replaces them with U+FFFD.
 */
export function readExactVariables(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env)
  const known = entries.filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (!known.some(([, value]) => hasReplacementCharacter(value))) return Object.fromEntries(known)
  const exact = readInitialVariables()
  return Object.fromEntries(known.map(([name, value]) => [name, decodeExactValue(value, exact.get(name))]))
}

/** The initial environment variables of this process on Linux; empty on other systems. */
function readInitialVariables(): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>()
  let bytes: Buffer
  try {
    bytes = readFileSync('/proc/self/environ')
  } catch {
    return found
  }
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at)
    const entry = bytes.subarray(at, end === -1 ? bytes.length : end)
    const equals = entry.indexOf('=')
    if (equals > 0) found.set(entry.toString('utf8', 0, equals), entry.subarray(equals + 1))
    at += entry.length + 1
  }
  return found
}

/** The original bytes of a variable as text, unless the process has changed the variable since its start. */
function decodeExactValue(value: string, bytes: Buffer | undefined): string {
  return bytes?.toString('utf8') === value ? decodeLosslessUtf8(bytes) : value
}
