import { budgets } from '../../base/budgets/budgets.ts'
import { defineIssues, fail } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { utcText } from '../../base/time/utc-text.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import {
  addToken,
  isExpired,
  readTokens,
  readUses,
  removeTokens,
  type TokenRecord,
  tokenFiles,
  tokenName,
} from '../../server/auth/token-file.ts'
import { isTokenScope, tokenScopes } from '../../server/auth/token-scopes.ts'
import { type Command, defineCommand, type Io } from '../command/command.ts'
import { renderAs } from '../command/options.ts'

const issues = defineIssues({
  TOKEN_NAME: {
    text: (a: { name: string }) => `'${printable(a.name)}' is no name of a token`,
    hint: () =>
      'A name has small letters, digits, dots, dashes and underscores, at most 63, and begins with one of the first.',
  },
  TOKEN_UNNAMED: {
    text: (a: { action: string }) => `Say which token to ${a.action}`,
    hint: (a) => `'plumb token ${a.action} NAME'. Name it after who uses it: puppetboard, grafana, jane.`,
  },
  TOKEN_UNKNOWN: {
    text: (a: { name: string; known: readonly string[] }) => `There is no token named '${printable(a.name)}'`,
    hint: (a) => didYouMean(a.name, a.known) ?? "'plumb token list' shows all.",
  },
  TOKEN_SCOPE: {
    text: (a: { scope: string }) => `'${printable(a.scope)}' is nothing that a token may do`,
    hint: () => `It may: ${Object.keys(tokenScopes).join(', ')}.`,
  },
  TOKEN_TTL: {
    text: (a: { ttl: string }) => `Invalid ttl '${printable(a.ttl)}'`,
    hint: () =>
      `It is a length of time such as 90d, 12h or 1y, at most ${budgets.token.lifeDays.bound}d, or 'unlimited'.`,
  },
  TOKEN_DESCRIPTION: {
    text: () => `The description is longer than ${budgets.token.description.bound} characters, or of several lines`,
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
  summary: 'Makes a token, and prints it this once.',
  usage: '[name]',
  description: `The token is the only line on standard output, so that a script can take it; all else goes to standard error. It cannot
be shown again: what is kept is a digest. A running server lets it in at once.

A token is a password. Give each tool its own, named after it, so that one can be ended without the others; keep it in a
file that only the tool may read; and let it end.

Scopes (--scope, several with commas between):
${Object.entries(tokenScopes)
  .map(([scope, what]) => `  ${scope.padEnd(9)} ${what}`)
  .join('\n')}

  plumb token create puppetboard --description 'the dashboard on web3' --ttl 1y
  plumb token create nightly --ttl 12h >/run/nightly/token
  plumb token create jane --scope code-push   # the password for https://server:8140/git/code.git
  curl --cacert /etc/plumb/ssl/certs/ca.pem -H "X-Authentication: $(cat token)" https://server:8140/pdb/query/v4/nodes

The exit status is 0, or 1 where there is one of that name already.`,
  options: [
    { flags: '--description <text>', doc: 'What it is for, and whose it is.' },
    { flags: '--ttl <duration>', doc: "How long it is good: 90d, 12h, 1y, or 'unlimited'.", default: '90d' },
    { flags: '--scope <scopes>', doc: 'What it may do.', default: 'query' },
    renderAs,
  ],
  async run({ args: [name], options, settings: given, io }) {
    if (name === undefined) fail(issues.TOKEN_UNNAMED, { action: 'create' })
    if (!tokenName.test(name)) fail(issues.TOKEN_NAME, { name })
    const { description = '', ttl, scope } = options
    if (description.length > budgets.token.description.bound || printable(description) !== description)
      fail(issues.TOKEN_DESCRIPTION, {})
    const now = localSystem.now()
    const request = { name, description, scopes: scopesIn(scope), expires: endOf(ttl, now) }
    const { tokens } = tokenFiles(loadSettings({ given, runMode: 'server' }))
    const token = await addToken(tokens, request, localSystem.files, now)
    if (options.renderAs === 'json')
      io.out(`${JSON.stringify({ ...request, expires: request.expires ?? null, token })}\n`)
    else {
      const end = request.expires === undefined ? 'until it is revoked' : `until ${utcText(new Date(request.expires))}`
      io.err(`The token '${name}' is good for ${request.scopes.join(', ')} ${end}. It is not shown again:\n`)
      io.out(`${token}\n`)
    }
    return 0
  },
})

const list = defineCommand({
  name: 'list',
  summary: 'Lists tokens: what each may do, until when, and when it was last used.',
  description: `What a token is, nobody can say; its name, its scopes and its times can be said. Times of use are written once a minute.
The id stands within the token, and in the server's log where one was refused.

The exit status is 0, also where there is none.`,
  options: [renderAs],
  async run({ options, settings: given, io }) {
    const paths = tokenFiles(loadSettings({ given, runMode: 'server' }))
    const tokens = await readTokens(paths.tokens, localSystem.files)
    const uses = await readUses(paths.uses, localSystem.files)
    const now = localSystem.now()
    if (options.renderAs === 'json')
      io.out(
        `${JSON.stringify(
          tokens.map((each) => shown(each, uses, now)),
          undefined,
          2,
        )}\n`,
      )
    else showTable(tokens, uses, now, io)
    return 0
  },
})

const revoke = defineCommand({
  name: 'revoke',
  summary: 'Ends tokens, at once.',
  usage: '[name...]',
  description: `A running server refuses them from the next request on; it needs no restart and no signal.

  plumb token revoke puppetboard nightly

The exit status is 0, or 1 where one of the names is not there; the others are ended all the same.`,
  async run({ args, settings: given, io }) {
    if (args.length === 0) fail(issues.TOKEN_UNNAMED, { action: 'revoke' })
    const { tokens } = tokenFiles(loadSettings({ given, runMode: 'server' }))
    const known = (await readTokens(tokens, localSystem.files)).map(({ name }) => name)
    const removed = await removeTokens(tokens, args, localSystem.files)
    for (const name of removed) io.out(`The token '${name}' is revoked\n`)
    const missing = args.find((name) => !removed.includes(name))
    return missing === undefined ? 0 : fail(issues.TOKEN_UNKNOWN, { name: missing, known })
  },
})

/** `plumb token` */
export const token: Command = {
  name: 'token',
  summary: 'Makes, lists and revokes tokens: passwords of tools that ask the store, and of people who push code.',
  description: `A tool without a certificate (a dashboard, a script, a person's browser) shows a token instead: in the header
X-Authentication, as PuppetDB's clients do, or as 'Authorization: Bearer'. A token may do what its scopes say, where
a rule of auth.conf allows that scope ('allow-token: query'; the default rules do for /pdb/query, /pdb/meta and /ui, and
for /git with code-read and code-push). Git shows it as the password, with any name of a user.

Works on a file of the server (the setting token_file; 0600, digests only), beside a running server or without one.
Where several servers serve one fleet, run it on each, or let token_file be one file that all of them see.

  plumb token create puppetboard --description 'the dashboard on web3' --ttl 1y
  plumb token list
  plumb token revoke puppetboard`,
  commands: [create, list, revoke],
}

function scopesIn(text: string): readonly string[] {
  const scopes = text.split(',').map((each) => each.trim())
  const unknown = scopes.find((scope) => !isTokenScope(scope))
  return unknown === undefined ? [...new Set(scopes)] : fail(issues.TOKEN_SCOPE, { scope: unknown })
}

/** The time at which a token ends. Throws TOKEN_TTL. */
function endOf(ttl: string, now: number): string | undefined {
  if (ttl === 'unlimited') return undefined
  const [, digits, unit] = /^(\d{1,9})([smhdy]?)$/.exec(ttl) ?? []
  const life = Number(digits) * unitMs[unit ?? '']!
  const isLife = life > 0 && life <= budgets.token.lifeDays.bound * dayMs
  return isLife ? new Date(now + life).toISOString() : fail(issues.TOKEN_TTL, { ttl })
}

/** A token as it is listed: without its digest. */
function shown(token: TokenRecord, uses: ReadonlyMap<string, number>, now: number) {
  const { id, name, description, scopes, created, expires } = token
  const used = uses.get(id)
  return {
    ...{ name, description, scopes, id, created, expires: expires ?? null, expired: isExpired(token, now) },
    last_used: used === undefined ? null : new Date(used).toISOString(),
  }
}

function showTable(tokens: readonly TokenRecord[], uses: ReadonlyMap<string, number>, now: number, io: Io): void {
  if (tokens.length === 0) {
    io.out('There are no tokens\n')
    return
  }
  const time = (text: string | null, otherwise: string) => (text === null ? otherwise : utcText(new Date(text)))
  const rows = tokens
    .map((each) => shown(each, uses, now))
    .map(({ name, scopes, id, created, expires, expired, last_used, description }) => [
      ...[name, scopes.join(','), id, time(created, '')],
      `${time(expires, 'never')}${expired ? ' (expired)' : ''}`,
      ...[time(last_used, 'never'), description],
    ])
    .map((row) => row.map(printable))
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
