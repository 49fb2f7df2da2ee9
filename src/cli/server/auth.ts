import { defineIssues, fail } from '../../base/issue.ts'
import { lineOf } from '../../base/source.ts'
import { printable } from '../../base/text/printable.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { puppetNameOf, puppetOids } from '../../ca/x509/oids.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localFiles } from '../../machine/system/files.ts'
import { readAuthConf } from '../../server/auth/auth-files.ts'
import { authorize, type Verdict } from '../../server/auth/authorize.ts'
import { nameIn } from '../../server/auth/certificate-name.ts'
import type { Rule, Who } from '../../server/auth/rule.ts'
import { isExpired, readTokens, tokenFiles } from '../../server/auth/token-file.ts'
import { type Client, stranger } from '../../server/http/client.ts'
import { queryOf, requestPath } from '../../server/http/request-path.ts'
import { type Command, defineCommand, type Invocation, type Io } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { say } from '../command/say.ts'

const issues = defineIssues({
  AUTH_TEST_METHOD: {
    text: (a: { method: string }) => `'${a.method}' is no method of a request`,
    hint: () => `There are ${methods.join(', ')}.`,
  },
  AUTH_TEST_PATH: {
    text: (a: { path: string; reason: string }) => `'${a.path}' is no path that the server takes: ${a.reason}`,
    hint: () => 'It begins with a slash: /puppet/v3/catalog/web1.example.com?environment=production',
  },
  AUTH_TEST_CERTNAME: { text: (a: { reason: string }) => `No certificate can be meant: ${a.reason}` },
  AUTH_TEST_EXTENSION: {
    text: (a: { word: string }) => `'${a.word}' is no extension with its value`,
    hint: () => 'By its short name or its OID: --extension pp_cli_auth=true',
  },
  AUTH_TEST_STRANGER: {
    text: () => 'Extensions and alternative names are those of a certificate, and none is named',
    hint: () => 'Name it with --certname.',
  },
  AUTH_TEST_TOKEN: {
    text: (a: { name: string; known: readonly string[] }) => `There is no token '${a.name}'`,
    hint: (a) => didYouMean(a.name, a.known) ?? "'plumb token list' shows them.",
  },
})

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

/** The exit status of a request that is denied. */
const denied = 2

const options = [
  { flags: '--as <certname>', doc: 'The name in the certificate of who asks; nobody has shown one without it.' },
  {
    flags: '--extension <name=value>',
    doc: 'An extension of that certificate; may be given several times.',
    repeated: true,
  },
  {
    flags: '--dns-alt-name <name>',
    doc: 'A DNS alternative name of that certificate; may be given several times.',
    repeated: true,
  },
  { flags: '--token <name>', doc: "A token by its name, as 'plumb token list' shows it." },
  renderAs,
] as const satisfies readonly Option[]

/** `plumb server auth` */
export const serverAuth: Command = {
  name: 'auth',
  summary: 'Says who may do what, by the rules of auth.conf.',
  commands: [
    defineCommand({
      name: 'test',
      summary: 'Says of a request if it is allowed, and which rule decides.',
      description: `Asks the rules that a server with these settings would ask: those of the auth_conf file, or those that come with the
server. Nothing is sent to anybody, and no server needs to run.

  plumb server auth test GET /puppet/v3/catalog/web1.example.com --as web1.example.com
  plumb server auth test PUT /puppet-ca/v1/clean --as admin.example.com --extension pp_cli_auth=true
  plumb server auth test GET '/pdb/query/v4/nodes' --token dashboard --render-as json

The exit status is 0 when it is allowed, 2 when it is denied, and 1 when that cannot be said.`,
      usage: '<method> <path>',
      options,
      run: (invocation) => test(invocation),
    }),
    defineCommand({
      name: 'list',
      summary: 'Lists the rules in the order in which they are asked.',
      description: `The first rule that is about a request decides; behind the last one, everything is denied.

  plumb server auth list`,
      options: [renderAs],
      async run({ options: { renderAs }, settings: given, io }) {
        const settings = loadSettings({ given, runMode: 'server' })
        const { rules } = await rulesOf(settings)
        if (renderAs === 'json') io.out(`${JSON.stringify(rules.map(ruleAsJson), null, 2)}\n`)
        else for (const rule of rules) io.out(ruleAsText(rule))
        return 0
      },
    }),
  ],
}

const rulesOf = (settings: Settings) => readAuthConf({ settings, system: { files: localFiles } })

async function test({ args, options: asked, settings: given, io }: Invocation<typeof options>): Promise<number> {
  const [method = '', address = ''] = args
  if (!methods.includes(method.toUpperCase())) fail(issues.AUTH_TEST_METHOD, { method })
  const settings = loadSettings({ given, runMode: 'server' })
  const client = await clientOf(asked, settings)
  const path = pathOf(address)
  const { rules, allowHeaderCertInfo } = await rulesOf(settings)
  const query = queryOf(address)
  const verdict = authorize(rules, { path, method: method.toLowerCase(), query, client })
  if (asked.renderAs === 'json') io.out(`${JSON.stringify(asJson(verdict, settings), null, 2)}\n`)
  else {
    const { rule } = verdict
    const place = rule ? `\n  ${placeOf(rule) ?? 'a rule that comes with the server'}` : ''
    io.out(`${printable(verdict.reason)}${place}\n`)
    sayOfHeaders(allowHeaderCertInfo, io)
  }
  return verdict.allowed ? 0 : denied
}

function sayOfHeaders(allowHeaderCertInfo: boolean, io: Io): void {
  if (allowHeaderCertInfo) say('Warning', 'allow-header-cert-info is on: a proxy before the server says who asks', io)
}

/** The path of an address as the server reads it. Throws AUTH_TEST_PATH. */
function pathOf(address: string): string {
  try {
    return requestPath(address)
  } catch (error) {
    return fail(issues.AUTH_TEST_PATH, { path: address, reason: (error as Error).message })
  }
}

async function clientOf(
  { as, extension = [], dnsAltName = [], token }: Invocation<typeof options>['options'],
  settings: Settings,
): Promise<Client> {
  if (as === undefined && extension.length + dnsAltName.length > 0) fail(issues.AUTH_TEST_STRANGER, {})
  const refused = as === undefined ? undefined : nameIn(as, 'the certificate').refused
  if (refused !== undefined) fail(issues.AUTH_TEST_CERTNAME, { reason: refused })
  const extensions = extension.map((word) => {
    const [, name, value] = /^([\w.-]+)=(.*)$/s.exec(word) ?? fail(issues.AUTH_TEST_EXTENSION, { word })
    return [name!, value!] as const
  })
  const named = Object.fromEntries(extensions.map(([name, value]) => [puppetNameOf(name), value]))
  const byOid = extensions.map(([name, value]) => [puppetOids.get(name) ?? name, value] as const)
  const client = {
    ...stranger('127.0.0.1'),
    certname: as,
    extensions: named,
    extensionValues: new Map([...byOid, ...Object.entries(named)]),
    altNames: dnsAltName.length > 0 ? { dns: dnsAltName } : {},
  }
  if (token === undefined) return client
  const known = await readTokens(tokenFiles(settings).tokens, localFiles)
  const found = known.find(({ name, id }) => name === token || id === token)
  if (found && isExpired(found, Date.now())) return { ...client, refusedToken: 'the token has ended' }
  return found
    ? { ...client, token: { name: found.name, scopes: found.scopes } }
    : fail(issues.AUTH_TEST_TOKEN, { name: token, known: known.map(({ name }) => name) })
}

const placeOf = ({ span }: Rule): string | undefined => span && `${span.source.file}:${lineOf(span)}`

function asJson({ allowed, reason, rule }: Verdict, { auth_conf }: Settings) {
  return {
    allowed,
    reason,
    rule: rule
      ? {
          name: rule.name,
          sort_order: rule.sortOrder,
          file: rule.span?.source.file ?? null,
          line: rule.span ? lineOf(rule.span) : null,
        }
      : null,
    auth_conf,
  }
}

function ruleAsJson(rule: Rule) {
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
      : [...rule.allow.map(whoText), ...[...rule.allowTokens].map((scope) => `token ${scope}`)],
    deny: rule.deny.map(whoText),
    file: rule.span?.source.file ?? null,
    line: rule.span ? lineOf(rule.span) : null,
  }
}

function ruleAsText(rule: Rule): string {
  const { sort_order, path, type, methods: only, allow, deny } = ruleAsJson(rule)
  const who = [allow.length > 0 ? `allow ${allow.join(', ')}` : '', deny.length > 0 ? `deny ${deny.join(', ')}` : '']
  const place = placeOf(rule)
  const words = [String(sort_order), only?.join(',').toUpperCase() ?? 'ANY', type === 'regex' ? `~ ${path}` : path]
  const says = who.filter(Boolean).join('; ') || 'deny *'
  return `${printable(`${words.join('  ')}  ${says}  (${rule.name}${place ? `, ${place}` : ''})`)}\n`
}

function whoText(who: Who): string {
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
