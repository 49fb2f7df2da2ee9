import { dirname, join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { checkJsonArray, checkJsonObject, checkJsonString, checkOptionalString } from '../../base/json/json-checks.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { Settings } from '../../machine/settings/settings.ts'
import { FileLock } from '../../machine/system/file-lock.ts'
import type { Files } from '../../machine/system/system.ts'
import { computeSecretDigest, createToken, type SecretDigest } from './token-text.ts'

/** A stored token: a digest in place of the secret. */
export interface TokenRecord extends SecretDigest {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Keys of `tokenScopes`. An unknown scope, from a later version, is kept and grants nothing. */
  readonly scopes: readonly string[]
  /** Times in ISO 8601. A token without `expires` does not expire. */
  readonly created: string
  readonly expires: string | undefined
}

/** Properties of a token to create. */
export type TokenRequest = Pick<TokenRecord, 'name' | 'description' | 'scopes' | 'expires'>

/** Errors of the token file. */
export const tokenIssues = defineIssues({
  TOKEN_EXISTS: {
    text: (a: { name: string }) => `A token named '${a.name}' already exists`,
    hint: (a) => `Use another name, or revoke the token with 'plumb token revoke ${a.name}'.`,
  },
  TOO_MANY_TOKENS: {
    text: (a: { bound: number }) => `The limit of ${a.bound} tokens is reached`,
    hint: () => "Revoke unused tokens. 'plumb token list' prints the last use of each.",
  },
  TOKEN_FILE: {
    text: (a: { file: string; reason: string }) => `Could not read the tokens in ${a.file}: ${a.reason}`,
    hint: (a) =>
      `The server rejects all tokens until the file can be read. Move ${a.file} away to start with an empty file.`,
  },
})

/** Paths of the token file and of the file with last-used times. */
export function getTokenPaths({ token_file }: Pick<Settings, 'token_file'>) {
  return { tokens: token_file, uses: join(dirname(token_file), 'token-uses.json') }
}

/** The tokens in a file; empty if the file is missing. Throws TOKEN_FILE. */
export async function readTokens(file: string, files: Pick<Files, 'readText'>): Promise<readonly TokenRecord[]> {
  try {
    const content = await files.readText(file)
    if (content === undefined) return []
    const { version, tokens } = checkJsonObject(JSON.parse(content), 'the file')
    if (version !== 1) throw new Error(`version ${JSON.stringify(version)} is not supported`)
    return checkJsonArray(tokens, 'tokens').map(parseTokenRecord)
  } catch (error) {
    return throwIssue(tokenIssues.TOKEN_FILE, { file, reason: formatError(error) })
  }
}

function parseTokenRecord(value: unknown, index: number): TokenRecord {
  const token = checkJsonObject(value, `token ${index + 1}`)
  const readField = (key: string, form: RegExp) => {
    const found = checkJsonString(token[key], `${key} of token ${index + 1}`)
    if (!form.test(found)) throw new Error(`${key} of token ${index + 1} is invalid`)
    return found
  }
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
  return {
    id: readField('id', /^[0-9a-f]{16}$/),
    name: readField('name', tokenName),
    description: checkOptionalString(token['description'], 'description') ?? '',
    scopes: checkJsonArray(token['scopes'], 'scopes').map((scope) => checkJsonString(scope, 'scope')),
    created: readField('created', time),
    expires: token['expires'] === undefined ? undefined : readField('expires', time),
    salt: readField('salt', /^[0-9a-f]{32}$/),
    digest: readField('digest', /^[0-9a-f]{64}$/),
  }
}

/** Allowed form of a token's name; names appear in logs. */
export const tokenName = /^[a-z0-9][a-z0-9._-]{0,62}$/

/** Returns true if the token has expired. */
export function isTokenExpired({ expires }: Pick<TokenRecord, 'expires'>, now: number): boolean {
  return expires !== undefined && Date.parse(expires) <= now
}

/**
 * Adds a token and returns its text, which cannot be recovered later. Throws TOKEN_EXISTS and
 * TOO_MANY_TOKENS.
 */
export async function addToken(file: string, request: TokenRequest, files: Files, now: number): Promise<string> {
  const { id, secret, text: whole } = createToken()
  const added = { id, ...request, created: new Date(now).toISOString(), ...computeSecretDigest(secret) }
  await changeTokens(file, files, (tokens) => {
    if (tokens.some(({ name }) => name === request.name)) throwIssue(tokenIssues.TOKEN_EXISTS, { name: request.name })
    const { bound } = budgets.token.kept
    if (tokens.length >= bound) throwIssue(tokenIssues.TOO_MANY_TOKENS, { bound })
    return [...tokens, added]
  })
  return whole
}

/** Removes tokens by name; returns the names that existed. */
export async function removeTokens(file: string, names: readonly string[], files: Files): Promise<readonly string[]> {
  let removed: readonly string[] = []
  await changeTokens(file, files, (tokens) => {
    const isRemovedToken = ({ name }: TokenRecord) => names.includes(name)
    removed = tokens.filter(isRemovedToken).map(({ name }) => name)
    return removed.length === 0 ? tokens : tokens.filter((token) => !isRemovedToken(token))
  })
  return removed
}

/**
 * Replaces the stored tokens with the result of `work`, atomically and under a file lock. Only the owner of the
 * folder can read the file.
 */
async function changeTokens(
  file: string,
  files: Files,
  work: (tokens: readonly TokenRecord[]) => readonly TokenRecord[],
): Promise<void> {
  const folder = dirname(file)
  if ((await files.stat(folder)) === undefined) await files.makeDirectory(folder, 0o750)
  await new FileLock(`${file}.lock`).run(async () => {
    const before = await readTokens(file, files)
    const after = work(before)
    if (after === before) return
    await files.write(file, `${JSON.stringify({ version: 1, tokens: after }, undefined, 2)}\n`, 0o600)
    await chownToFolderOwner(folder, file, files)
  })
}

/**
 * If root creates tokens for a server that runs as another user, the file must belong to that user.
 */
async function chownToFolderOwner(folder: string, file: string, files: Files): Promise<void> {
  const owner = await files.stat(folder)
  const own = await files.stat(file)
  if (process.getuid?.() !== 0 || !owner || !own || owner.uid === own.uid) return
  await files.chown(file, owner.uid, owner.gid)
}

/** Last-used times by token id, in milliseconds since 1970; an unreadable file counts as empty. */
export async function readTokenUses(
  file: string,
  files: Pick<Files, 'readText'>,
): Promise<ReadonlyMap<string, number>> {
  try {
    const uses = checkJsonObject(JSON.parse((await files.readText(file)) ?? '{}'), 'uses')
    return new Map(Object.entries(uses).flatMap(([id, at]) => (typeof at === 'string' ? [[id, Date.parse(at)]] : [])))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof PuppetError) return new Map()
    throw error
  }
}

/** Writes the last-used times of tokens. */
export async function writeTokenUses(file: string, uses: ReadonlyMap<string, number>, files: Files): Promise<void> {
  const lines = [...uses].map(([id, at]) => [id, new Date(at).toISOString()])
  await files.write(file, `${JSON.stringify(Object.fromEntries(lines), undefined, 2)}\n`, 0o600)
}
