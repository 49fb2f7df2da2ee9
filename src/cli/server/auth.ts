import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getStartLine } from '../../base/source.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { getPuppetShortName, puppetOids } from '../../ca/x509/oids.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { readAuthConf } from '../../server/auth/auth-files.ts'
import { type AuthorizationVerdict, authorize } from '../../server/auth/authorize.ts'
import { validateCertname } from '../../server/auth/certificate-name.ts'
import type { Rule, RuleEntry } from '../../server/auth/rule.ts'
import { getTokenPaths, isTokenExpired, readTokens } from '../../server/auth/token-file.ts'
import { type Client, createUnauthenticatedClient } from '../../server/http/client.ts'
import { getQueryString, parseRequestPath } from '../../server/http/request-path.ts'
import { type CliCommand, type CommandInvocation, defineCommand, type Io } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { type Option, renderAs } from '../command/options.ts'

const issues = defineIssues({
  AUTH_TEST_METHOD: {
    text: (a: { method: string }) => `'${a.method}' is not an HTTP method`,
    hint: () => `Valid methods: ${methods.join(', ')}.`,
  },
  AUTH_TEST_PATH: {
    text: (a: { path: string; reason: string }) => `The server rejects the path '${a.path}': ${a.reason}`,
    hint: () => 'Give a path with a leading slash: /puppet/v3/catalog/web1.example.com?environment=production',
  },
  AUTH_TEST_CERTNAME: { text: (a: { reason: string }) => `Invalid certname for --as: ${a.reason}` },
  AUTH_TEST_EXTENSION: {
    text: (a: { word: string }) => `'${a.word}' is not of the form NAME=VALUE`,
    hint: () => 'Give the short name or OID of the extension: --extension pp_cli_auth=true',
  },
  AUTH_TEST_STRANGER: {
    text: () => '--extension and --dns-alt-name require the certificate of --as',
    hint: () => 'Name the certificate with --as CERTNAME.',
  },
  AUTH_TEST_TOKEN: {
    text: (a: { name: string; known: readonly string[] }) => `Could not find token '${a.name}'`,
    hint: (a) => formatSuggestion(a.name, a.known) ?? "'plumb token list' lists all tokens.",
  },
})

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

/** The exit status of a request that is denied. */
const denied = 2

const options = [
  { flags: '--as <certname>', doc: 'Certname of the client. Default: a client without a certificate.' },
  {
    flags: '--extension <name=value>',
    doc: 'Extension of the client certificate; may be given several times.',
    repeated: true,
  },
  {
    flags: '--dns-alt-name <name>',
    doc: 'DNS alternative name of the client certificate; may be given several times.',
    repeated: true,
  },
  { flags: '--token <name>', doc: "Name of the client's token, as listed by 'plumb token list'." },
  renderAs,
] as const satisfies readonly Option[]

/** The command `plumb server auth`. */
export const serverAuth: CliCommand = {
  name: 'auth',
  summary: 'Test and list the rules of auth.conf.',
  commands: [
    defineCommand({
      name: 'test',
      summary: 'Print whether a request is allowed, and the rule that decides.',
      description: `Evaluates the rules that a server with these settings would evaluate: those of the auth_conf file or the default rules.
Nothing is sent, and no server needs to run.

  plumb server auth test GET /puppet/v3/catalog/web1.example.com --as web1.example.com
  plumb server auth test PUT /puppet-ca/v1/clean --as admin.example.com --extension pp_cli_auth=true
  plumb server auth test GET '/pdb/query/v4/nodes' --token dashboard --render-as json

Exits with 0 if the request is allowed, with 2 if it is denied, or with 1 for an error.`,
      usage: '<method> <path>',
      options,
      run: (invocation) => testAuthorization(invocation),
    }),
    defineCommand({
      name: 'list',
      summary: 'List the rules in the order of evaluation.',
      description: `The first rule that matches a request decides. A request that no rule matches is denied.

  plumb server auth list`,
      options: [renderAs],
      async run({ options: { renderAs }, settings: given, io }) {
        const settings = loadSettings({ given, runMode: 'server' })
        const { rules } = await readAuthRules(settings)
        if (renderAs === 'json') io.out(`${JSON.stringify(rules.map(toRuleJson), null, 2)}\n`)
        else for (const rule of rules) io.out(formatRule(rule))
        return 0
      },
    }),
  ],
}

const readAuthRules = (settings: Settings) => readAuthConf({ settings, system: { files: localFiles } })

async function testAuthorization({
  args,
  options: asked,
  settings: given,
  io,
}: CommandInvocation<typeof options>): Promise<number> {
  const [method = '', address = ''] = args
  if (!methods.includes(method.toUpperCase())) throwIssue(issues.AUTH_TEST_METHOD, { method })
  const settings = loadSettings({ given, runMode: 'server' })
  const client = await createTestClient(asked, settings)
  const path = validatePath(address)
  const { rules, allowHeaderCertInfo } = await readAuthRules(settings)
  const query = getQueryString(address)
  const verdict = authorize(rules, { path, method: method.toLowerCase(), query, client })
  if (asked.renderAs === 'json') io.out(`${JSON.stringify(toVerdictJson(verdict, settings), null, 2)}\n`)
  else {
    const { rule } = verdict
    const place = rule ? `\n  ${formatRulePlace(rule) ?? 'default rule of the server'}` : ''
    io.out(`${toPrintable(verdict.reason)}${place}\n`)
    printHeaderWarning(allowHeaderCertInfo, io)
  }
  return verdict.allowed ? 0 : denied
}

function printHeaderWarning(allowHeaderCertInfo: boolean, io: Io): void {
  if (allowHeaderCertInfo)
    printMessage(
      'Warning',
      'allow-header-cert-info is on: the server reads the client name from a header of the proxy',
      io,
    )
}

/** Parses the path of a request in the same way as the server. Throws AUTH_TEST_PATH. */
function validatePath(address: string): string {
  try {
    return parseRequestPath(address)
  } catch (error) {
    return throwIssue(issues.AUTH_TEST_PATH, { path: address, reason: (error as Error).message })
  }
}

async function createTestClient(
  { as, extension = [], dnsAltName = [], token }: CommandInvocation<typeof options>['options'],
  settings: Settings,
): Promise<Client> {
  if (as === undefined && extension.length + dnsAltName.length > 0) throwIssue(issues.AUTH_TEST_STRANGER, {})
  const refused = as === undefined ? undefined : validateCertname(as, 'the certificate').refused
  if (refused !== undefined) throwIssue(issues.AUTH_TEST_CERTNAME, { reason: refused })
  const extensions = extension.map((word) => {
    const [, name, value] = /^([\w.-]+)=(.*)$/s.exec(word) ?? throwIssue(issues.AUTH_TEST_EXTENSION, { word })
    return [name!, value!] as const
  })
  const named = Object.fromEntries(extensions.map(([name, value]) => [getPuppetShortName(name), value]))
  const byOid = extensions.map(([name, value]) => [puppetOids.get(name) ?? name, value] as const)
  const client = {
    ...createUnauthenticatedClient('127.0.0.1'),
    certname: as,
    extensions: named,
    extensionValues: new Map([...byOid, ...Object.entries(named)]),
    altNames: dnsAltName.length > 0 ? { dns: dnsAltName } : {},
  }
  if (token === undefined) return client
  const known = await readTokens(getTokenPaths(settings).tokens, localFiles)
  const found = known.find(({ name, id }) => name === token || id === token)
  if (found && isTokenExpired(found, Date.now())) return { ...client, refusedToken: 'the token has expired' }
  return found
    ? { ...client, token: { name: found.name, scopes: found.scopes } }
    : throwIssue(issues.AUTH_TEST_TOKEN, { name: token, known: known.map(({ name }) => name) })
}

const formatRulePlace = ({ span }: Rule): string | undefined => span && `${span.source.file}:${getStartLine(span)}`

function toVerdictJson({ allowed, reason, rule }: AuthorizationVerdict, { auth_conf }: Settings) {
  return {
    allowed,
    reason,
    rule: rule
      ? {
          name: rule.name,
          sort_order: rule.sortOrder,
          file: rule.span?.source.file ?? null,
          line: rule.span ? getStartLine(rule.span) : null,
        }
      : null,
    auth_conf,
  }
}

function toRuleJson(rule: Rule) {
  const { path, methods: only, query } = rule
  return {
    name: rule.name,
    sort_order: rule.sortOrder,
    path: path.kind === 'prefix' ? path.prefix : path.pattern.source,
    type: path.kind === 'prefix' ? 'path' : 'regex',
    methods: only ? [...only] : null,
    query: Object.fromEntries(query),
    allow: rule.allowUnauthenticated
      ? ['everybody']
      : [...rule.allow.map(formatWho), ...[...rule.allowTokens].map((scope) => `token ${scope}`)],
    deny: rule.deny.map(formatWho),
    file: rule.span?.source.file ?? null,
    line: rule.span ? getStartLine(rule.span) : null,
  }
}

function formatRule(rule: Rule): string {
  const { sort_order, path, type, methods: only, allow, deny } = toRuleJson(rule)
  const who = [allow.length > 0 ? `allow ${allow.join(', ')}` : '', deny.length > 0 ? `deny ${deny.join(', ')}` : '']
  const place = formatRulePlace(rule)
  const words = [String(sort_order), only?.join(',').toUpperCase() ?? 'ANY', type === 'regex' ? `~ ${path}` : path]
  const says = who.filter(Boolean).join('; ') || 'deny *'
  return `${toPrintable(`${words.join('  ')}  ${says}  (${rule.name}${place ? `, ${place}` : ''})`)}\n`
}

function formatWho(who: RuleEntry): string {
  switch (who.kind) {
    case 'any':
      return '*'
    case 'name':
      return who.name
    case 'common name':
      return who.certname
    case 'domain':
      return `*.${who.domain}`
    case 'pattern':
      return `/${who.pattern.source}/`
    case 'template':
      return who.template
    case 'nobody':
      return `nobody (${who.written})`
    case 'extensions': {
      const names = Object.entries(who.altNames ?? {}).map(
        ([kind, values]) => [`subject-alt-name ${kind}`, values] as const,
      )
      return [...who.extensions, ...names].map(([name, values]) => `${name}=${values.join('|')}`).join(' with ')
    }
  }
}
