import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { formatUtcDate } from '../../base/time/utc-text.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import {
  addToken,
  getTokenPaths,
  isTokenExpired,
  readTokens,
  readTokenUses,
  removeTokens,
  type TokenRecord,
  tokenName,
} from '../../server/auth/token-file.ts'
import { isTokenScope, tokenScopes } from '../../server/auth/token-scopes.ts'
import { type CliCommand, defineCommand, type Io } from '../command/command.ts'
import { renderAs } from '../command/options.ts'

const issues = defineIssues({
  TOKEN_NAME: {
    text: (a: { name: string }) => `'${toPrintable(a.name)}' is not a valid token name`,
    hint: () =>
      'Use at most 63 lowercase letters, digits, dots, dashes and underscores; the first character is a letter or digit.',
  },
  TOKEN_UNNAMED: {
    text: (a: { action: string }) => `No token name given to ${a.action}`,
    hint: (a) => `Use 'plumb token ${a.action} NAME'. Name a token after its user: puppetboard, grafana, jane.`,
  },
  TOKEN_UNKNOWN: {
    text: (a: { name: string; known: readonly string[] }) => `Could not find token '${toPrintable(a.name)}'`,
    hint: (a) => formatSuggestion(a.name, a.known) ?? "'plumb token list' lists all tokens.",
  },
  TOKEN_SCOPE: {
    text: (a: { scope: string }) => `Unknown token scope '${toPrintable(a.scope)}'`,
    hint: () => `Valid scopes: ${Object.keys(tokenScopes).join(', ')}.`,
  },
  TOKEN_TTL: {
    text: (a: { ttl: string }) => `Invalid ttl '${toPrintable(a.ttl)}'`,
    hint: () => `Give a duration such as 90d, 12h or 1y, at most ${budgets.token.lifeDays.bound}d, or 'unlimited'.`,
  },
  TOKEN_DESCRIPTION: {
    text: () => `The description must be a single line of at most ${budgets.token.description.bound} characters`,
  },
})

const dayMs = 86_400_000
const unitMs: Readonly<Record<string, number>> = {
  '': 1000,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: dayMs,
  y: 365 * dayMs,
}

const create = defineCommand({
  name: 'create',
  summary: 'Create a token and print it.',
  usage: '[name]',
  description: `The token is the only line on standard output; other messages go to standard error. The token cannot be printed again,
because the server stores only a digest. A running server accepts the token at once.

A token is a password. Create one for each tool, named after the tool, so that each can be revoked separately. Store it
in a file that only the tool can read, and give it an expiry date.

Scopes for --scope, separated by commas:
${Object.entries(tokenScopes)
  .map(([scope, what]) => `  ${scope.padEnd(9)} ${what}`)
  .join('\n')}

  plumb token create puppetboard --description 'the dashboard on web3' --ttl 1y
  plumb token create nightly --ttl 12h >/run/nightly/token
  plumb token create jane --scope code-push   # the password for https://server:8140/git/code.git
  curl --cacert /etc/plumb/ssl/certs/ca.pem -H "X-Authentication: $(cat token)" https://server:8140/pdb/query/v4/nodes

Exits with 0, or with 1 if a token of that name exists.`,
  options: [
    { flags: '--description <text>', doc: 'Purpose and owner of the token.' },
    { flags: '--ttl <duration>', doc: "Lifetime of the token: 90d, 12h, 1y, or 'unlimited'.", default: '90d' },
    { flags: '--scope <scopes>', doc: 'Scopes of the token, separated by commas.', default: 'query' },
    renderAs,
  ],
  async run({ args: [name], options, settings: given, io }) {
    if (name === undefined) throwIssue(issues.TOKEN_UNNAMED, { action: 'create' })
    if (!tokenName.test(name)) throwIssue(issues.TOKEN_NAME, { name })
    const { description = '', ttl, scope } = options
    if (description.length > budgets.token.description.bound || toPrintable(description) !== description)
      throwIssue(issues.TOKEN_DESCRIPTION, {})
    const now = localSystem.now()
    const request = { name, description, scopes: parseScopes(scope), expires: computeExpiry(ttl, now) }
    const { tokens } = getTokenPaths(loadSettings({ given, runMode: 'server' }))
    const token = await addToken(tokens, request, localSystem.files, now)
    if (options.renderAs === 'json')
      io.out(`${JSON.stringify({ ...request, expires: request.expires ?? null, token })}\n`)
    else {
      const end =
        request.expires === undefined ? 'until it is revoked' : `until ${formatUtcDate(new Date(request.expires))}`
      io.err(`Token '${name}' is valid for ${request.scopes.join(', ')} ${end}. It will not be printed again:\n`)
      io.out(`${token}\n`)
    }
    return 0
  },
})

const list = defineCommand({
  name: 'list',
  summary: 'List tokens with their scopes, expiry dates and last uses.',
  description: `The tokens themselves cannot be printed. The ID is a part of the token; the server logs it when it rejects a token. Last
uses are recorded once a minute. Exits with 0, even if there are no tokens.`,
  options: [renderAs],
  async run({ options, settings: given, io }) {
    const paths = getTokenPaths(loadSettings({ given, runMode: 'server' }))
    const tokens = await readTokens(paths.tokens, localSystem.files)
    const uses = await readTokenUses(paths.uses, localSystem.files)
    const now = localSystem.now()
    if (options.renderAs === 'json')
      io.out(
        `${JSON.stringify(
          tokens.map((each) => toListedToken(each, uses, now)),
          undefined,
          2,
        )}\n`,
      )
    else printTokenTable(tokens, uses, now, io)
    return 0
  },
})

const revoke = defineCommand({
  name: 'revoke',
  summary: 'Revoke tokens.',
  usage: '[name...]',
  description: `A running server rejects the tokens from the next request on, without a restart or a signal.

  plumb token revoke puppetboard nightly

Exits with 0, or with 1 if one of the tokens does not exist; the others are revoked.`,
  async run({ args, settings: given, io }) {
    if (args.length === 0) throwIssue(issues.TOKEN_UNNAMED, { action: 'revoke' })
    const { tokens } = getTokenPaths(loadSettings({ given, runMode: 'server' }))
    const known = (await readTokens(tokens, localSystem.files)).map(({ name }) => name)
    const removed = await removeTokens(tokens, args, localSystem.files)
    for (const name of removed) io.out(`Revoked token '${name}'\n`)
    const missing = args.find((name) => !removed.includes(name))
    return missing === undefined ? 0 : throwIssue(issues.TOKEN_UNKNOWN, { name: missing, known })
  },
})

/** The command `plumb token`. */
export const tokenCommand: CliCommand = {
  name: 'token',
  summary: 'Create, list and revoke tokens for tools that query the store and for users who push code.',
  description: `A client without a certificate (a dashboard, a script, a browser) authenticates with a token: in the header
X-Authentication, like PuppetDB's clients, or as 'Authorization: Bearer'. The scopes of a token take effect where a rule
of auth.conf allows them ('allow-token: query'). The default rules allow query for /pdb/query, /pdb/meta and /ui, and
code-read and code-push for /git. For Git, the token is the password, with any user name.

The command reads and writes token_file (mode 0600, digests only); the server may be running or stopped. With several
servers, run it on each, or share token_file between them.

  plumb token create puppetboard --description 'the dashboard on web3' --ttl 1y
  plumb token list
  plumb token revoke puppetboard`,
  commands: [create, list, revoke],
}

function parseScopes(text: string): readonly string[] {
  const scopes = text.split(',').map((each) => each.trim())
  const unknown = scopes.find((scope) => !isTokenScope(scope))
  return unknown === undefined ? [...new Set(scopes)] : throwIssue(issues.TOKEN_SCOPE, { scope: unknown })
}

/** The expiry time of a token; `undefined` for `unlimited`. Throws TOKEN_TTL. */
function computeExpiry(ttl: string, now: number): string | undefined {
  if (ttl === 'unlimited') return undefined
  const [, digits, unit] = /^(\d{1,9})([smhdy]?)$/.exec(ttl) ?? []
  const life = Number(digits) * unitMs[unit ?? '']!
  const isLife = life > 0 && life <= budgets.token.lifeDays.bound * dayMs
  return isLife ? new Date(now + life).toISOString() : throwIssue(issues.TOKEN_TTL, { ttl })
}

/** A token for the list, without its digest. */
function toListedToken(token: TokenRecord, uses: ReadonlyMap<string, number>, now: number) {
  const { id, name, description, scopes, created, expires } = token
  const used = uses.get(id)
  return {
    ...{ name, description, scopes, id, created, expires: expires ?? null, expired: isTokenExpired(token, now) },
    last_used: used === undefined ? null : new Date(used).toISOString(),
  }
}

function printTokenTable(tokens: readonly TokenRecord[], uses: ReadonlyMap<string, number>, now: number, io: Io): void {
  if (tokens.length === 0) {
    io.out('No tokens\n')
    return
  }
  const formatTime = (text: string | null, otherwise: string) =>
    text === null ? otherwise : formatUtcDate(new Date(text))
  const rows = tokens
    .map((each) => toListedToken(each, uses, now))
    .map(({ name, scopes, id, created, expires, expired, last_used, description }) => [
      ...[name, scopes.join(','), id, formatTime(created, '')],
      `${formatTime(expires, 'never')}${expired ? ' (expired)' : ''}`,
      ...[formatTime(last_used, 'never'), description],
    ])
    .map((row) => row.map(toPrintable))
  const all = [['NAME', 'SCOPES', 'ID', 'CREATED', 'EXPIRES', 'LAST USED', 'DESCRIPTION'], ...rows]
  const widths = all[0]!.map((_, at) => Math.max(...all.map((row) => row[at]!.length)))
  for (const row of all)
    io.out(
      `${row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd()}\n`,
    )
}
