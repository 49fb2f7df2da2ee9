import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import { budgets } from '../../../base/budgets/budgets.ts'
import { isIssue, throwIssue } from '../../../base/issue.ts'
import { createTextLru } from '../../../base/lru-cache.ts'
import { getSystemErrorCode } from '../../../base/system-error.ts'
import { decodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { formatErrorReason } from '../../../language/ruby-semantics/errno.ts'
import { decryptUnlessFailed } from './decryption-failures.ts'
import { failByStatus, isDecrypted, parseGpgStatus } from './gpg-status.ts'
import { secretIssues } from './issues.ts'
import { getKeyState, type KeyFile } from './key-files.ts'

const { gpgTime, gpgOutput, decryptedTexts } = budgets.secret

/** Decrypted messages by digest of the message, its home and the state of the keys in the home. */
const decrypted = createTextLru(decryptedTexts.bound)

/** The milliseconds that gpg may still use; shared by all messages of a file. */
export interface GpgTime {
  left: number
}

/** Starts to count the time of gpg. */
export function createGpgTime(): GpgTime {
  return { left: gpgTime.bound }
}

/**
 * Decrypts an OpenPGP message with a key of a GnuPG home. Runs gpg, which alone can read its keys, and blocks the
 * thread. Messages are cached until a key of the home changes, and failures for a minute. Bytes that are not UTF-8 are
 * escaped (base/text/byte-text.ts). Throws GPG_….
 */
export function decryptWithGpg(message: Uint8Array, home: KeyFile, time: GpgTime = createGpgTime()): string {
  if (!isFolder(home.real)) throwIssue(secretIssues.GPG_HOME_MISSING, { home: home.path })
  const id = hash('sha256', `${home.real}\n${getKeyState(home)}\n${hash('sha256', message)}`)
  const known = decrypted.get(id)
  if (known) return known.text
  if (time.left <= 0) failByTime()
  const isWholeTime = time.left === gpgTime.bound
  const start = performance.now()
  try {
    const text = decryptUnlessFailed(
      id,
      // A failure after a part of the time may be caused by the other messages of the file.
      (error) => isWholeTime && isIssue(error, GPG_FAILED, GPG_NO_SECRET_KEY, GPG_PASSPHRASE),
      () => runGpg(message, home, time),
    )
    decrypted.set(id, { text })
    return text
  } finally {
    time.left -= performance.now() - start
  }
}

const { GPG_FAILED, GPG_NO_SECRET_KEY, GPG_PASSPHRASE } = secretIssues

function runGpg(message: Uint8Array, { path, real }: KeyFile, { left }: GpgTime): string {
  const { error, status, output } = spawnSync('gpg', ['--homedir', real, ...gpgOptions], {
    input: message,
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C', LC_ALL: 'C' },
    timeout: Math.ceil(left),
    maxBuffer: gpgOutput.bound + statusBytes,
    killSignal: 'SIGKILL',
  })
  const code = error ? getSystemErrorCode(error) : undefined
  if (code === 'ENOENT') return throwIssue(secretIssues.GPG_MISSING, {})
  if (code === 'ETIMEDOUT') return failByTime()
  if (code === 'ENOBUFS') return failGpg(`its output exceeds ${gpgOutput.bound} bytes`)
  // gpg may end before it has read a message that is not an OpenPGP message.
  if (error && code !== 'EPIPE') return failGpg(formatErrorReason(error))
  const lines = parseGpgStatus(output[3]?.toString('latin1') ?? '')
  const text = output[1]
  return text && isDecrypted(lines, status) ? decodeLosslessUtf8(text) : failByStatus(lines, path)
}

/** Room for the status lines: two for each recipient of a message. */
const statusBytes = 64 * 1024

const gpgOptions = [
  // Not `--quiet`, which omits status lines about missing keys.
  ...['--batch', '--no-tty', '--pinentry-mode', 'error'],
  // A signature inside a message must not start a connection to a key server.
  ...['--no-auto-key-retrieve', '--no-auto-check-trustdb'],
  ...['--max-output', String(gpgOutput.bound), '--status-fd', '3', '--decrypt'],
] as const

function failByTime(): never {
  return failGpg(`it took more than ${gpgTime.bound / 1000} seconds`)
}

function failGpg(why: string): never {
  return throwIssue(secretIssues.GPG_FAILED, { why })
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
