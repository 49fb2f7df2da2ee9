import { formatError } from '../../language/ruby-semantics/errno.ts'
import { type Files, getFileVersion } from '../../machine/system/system.ts'
import { isTokenExpired, readTokens, readTokenUses, type TokenRecord, writeTokenUses } from './token-file.ts'
import { computeSecretDigest, isMatchingSecret, parseTokenText } from './token-text.ts'
import type { TokenVerifier } from './token-verifier.ts'

/** Dependencies of `TokenRegistry`. */
export interface TokenRegistryParts {
  /** Paths from `getTokenPaths`. */
  readonly paths: { readonly tokens: string; readonly uses: string }
  readonly files: Files
  now(): number
  /** Called once for each problem that makes all tokens invalid, such as an unreadable token file. */
  onTrouble(message: string): void
  /** Called with the reason for a refusal; the message does not contain the token. */
  onRefused(message: string): void
}

/** Interval at which last-used times are written, in milliseconds. */
const usesIntervalMs = 60_000

/** Digest to compare with if the token id is unknown, so that the check takes the same time as for a known id. */
const nobody = computeSecretDigest('nobody')

/**
 * The tokens of the server. The token file is read again after it changes, so that `plumb token` takes effect with
 * the next request. If the token file cannot be read, no token is valid.
 */
export class TokenRegistry implements TokenVerifier {
  readonly #parts: TokenRegistryParts
  #byId: ReadonlyMap<string, TokenRecord> = new Map()
  #seen: string | undefined
  #trouble: string | undefined
  readonly #uses = new Map<string, number>()
  #writing: NodeJS.Timeout | undefined

  constructor(parts: TokenRegistryParts) {
    this.#parts = parts
  }

  async verify(token: string): Promise<{ readonly name: string; readonly scopes: readonly string[] } | undefined> {
    const parts = parseTokenText(token)
    if (!parts) return this.#refuse('its format is invalid')
    if (!(await this.#refresh())) return this.#refuse('the token file cannot be read')
    const known = this.#byId.get(parts.id)
    const isGenuine = isMatchingSecret(parts.secret, known ?? nobody)
    if (!known || !isGenuine) return this.#refuse(`no token with ID ${parts.id} matches it`)
    const now = this.#parts.now()
    if (isTokenExpired(known, now)) return this.#refuse(`'${known.name}' expired on ${known.expires}`)
    this.#used(known.id, now)
    return { name: known.name, scopes: known.scopes }
  }

  /** Writes pending last-used times. */
  async close(): Promise<void> {
    if (this.#writing === undefined) return
    clearTimeout(this.#writing)
    await this.#writeUses()
  }

  #refuse(why: string): undefined {
    this.#parts.onRefused(`Rejected a token: ${why}`)
  }

  /** Reads the token file again if it changed; returns false if it cannot be read. */
  async #refresh(): Promise<boolean> {
    const { files, paths, onTrouble } = this.#parts
    try {
      const stat = await files.stat(paths.tokens)
      const version = stat ? getFileVersion(stat) : ''
      if (version !== this.#seen) {
        const tokens = await readTokens(paths.tokens, files)
        this.#byId = new Map(tokens.map((token) => [token.id, token]))
        this.#seen = version
      }
      this.#trouble = undefined
      return true
    } catch (error) {
      const message = formatError(error)
      if (this.#trouble !== message) onTrouble(message)
      this.#trouble = message
      this.#seen = undefined
      return false
    }
  }

  #used(id: string, now: number): void {
    this.#uses.set(id, now)
    this.#writing ??= setTimeout(() => void this.#writeUses(), usesIntervalMs).unref()
  }

  async #writeUses(): Promise<void> {
    this.#writing = undefined
    const { files, paths, onTrouble } = this.#parts
    try {
      const all = new Map([...(await readTokenUses(paths.uses, files)), ...this.#uses])
      await writeTokenUses(paths.uses, new Map([...all].filter(([id]) => this.#byId.has(id))), files)
    } catch (error) {
      onTrouble(`Could not record the last uses of tokens: ${formatError(error)}`)
    }
  }
}
