import { throwIssue } from '../../base/issue.ts'
import { parseIniLines } from '../../base/text/ini.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { puppetDbIssues } from './issues.ts'

/** The settings of `puppetdb.conf`. */
export interface PuppetDbConfig {
  /** Servers in the order in which they are tried. */
  readonly serverUrls: readonly URL[]
  /** Servers that receive commands but no queries. */
  readonly submitOnlyServerUrls: readonly URL[]
  /** Timeout for a request to one server, in seconds. */
  readonly serverUrlTimeout: number
  /** True to log a command that no server accepted, instead of failing. */
  readonly softWriteFailure: boolean
  /** Minimum number of servers that must accept a command when it is sent to all servers. */
  readonly minSuccessfulSubmissions: number
  /** True to send commands to all servers. */
  readonly commandBroadcast: boolean
  /** True to continue using the server that responded after the first server failed. */
  readonly stickyReadFailover: boolean
  readonly includeUnchangedResources: boolean
  /** False to send no client certificate to the servers; their certificates are always verified. */
  readonly verifyClientCertificate: boolean
}

const defaults = {
  server_urls: 'https://puppetdb:8081',
  submit_only_server_urls: '',
  server_url_timeout: '30',
  soft_write_failure: 'false',
  min_successful_submissions: '1',
  command_broadcast: 'false',
  sticky_read_failover: 'false',
  include_unchanged_resources: 'false',
  verify_client_certificate: 'true',
}

const syntax = {
  blank: /^\s*(?:[#;]|$)/,
  header: /^\s*\[(?<section>\w+)\s*\]\s*$/,
  setting: /^\s*(?<name>\w+)\s*=\s*(?<value>\S.*)$/s,
}

type Name = keyof typeof defaults

const names = Object.keys(defaults) as readonly Name[]

/** A file, and its text; `undefined` if the file does not exist. */
interface ConfigFile {
  readonly file: string
  readonly text: string | undefined
}

/**
 * Parses the section [main] of the file; missing settings have defaults. puppet-terminus-puppetdb:
 * util/puppetdb/config.rb.
 */
export function parsePuppetDbConfig({ file, text = '' }: ConfigFile, warn: (message: string) => void): PuppetDbConfig {
  const values = { ...defaults, ...parseValues(text, file, warn) }
  const readFlag = (name: Name) => parseBoolean(values[name])
  const config: PuppetDbConfig = {
    serverUrls: parseUrls(values.server_urls),
    submitOnlyServerUrls: parseUrls(values.submit_only_server_urls),
    serverUrlTimeout: parseNumber('server_url_timeout', values.server_url_timeout, 1),
    softWriteFailure: readFlag('soft_write_failure'),
    minSuccessfulSubmissions: parseNumber('min_successful_submissions', values.min_successful_submissions, 0),
    commandBroadcast: readFlag('command_broadcast'),
    stickyReadFailover: readFlag('sticky_read_failover'),
    includeUnchangedResources: readFlag('include_unchanged_resources'),
    verifyClientCertificate: readFlag('verify_client_certificate'),
  }
  checkConfig(config)
  return config
}

function parseValues(text: string, file: string, warn: (message: string) => void): Partial<Record<Name, string>> {
  const values: Partial<Record<Name, string>> = {}
  let section: string | undefined
  for (const line of parseIniLines(text, syntax)) {
    const place = { line: toPrintable(line.text.replace(/\r$/, '')), file, number: line.number }
    if (line.kind === 'header') section = line.section
    if (line.kind === 'other') throwIssue(puppetDbIssues.PUPPETDB_CONF_LINE, place)
    if (line.kind !== 'setting') continue
    const { name: key, value } = line
    if (key === 'server' || key === 'port')
      warn(
        `Setting '${place.line}' is retired: use 'server_urls' instead. Defaulting to 'server_urls=https://puppetdb:8081'.`,
      )
    else if (section === undefined) throwIssue(puppetDbIssues.PUPPETDB_CONF_SECTION, place)
    else if (section !== 'main')
      warn(`Ignoring section [${section}]: '${key}' in PuppetDB config ${file}:${place.number}`)
    else if (isSettingName(key)) values[key] = value
    else warn(formatUnknownSetting(key, place))
  }
  return values
}

function formatUnknownSetting(
  key: string,
  { file, number }: { readonly file: string; readonly number: number },
): string {
  const hint = formatSuggestion(key, names)
  return `Unknown setting '${key}' in PuppetDB config ${file}:${number}${hint === undefined ? '' : `. ${hint}`}`
}

function isSettingName(key: string): key is Name {
  return Object.hasOwn(defaults, key)
}

function parseBoolean(value: string): boolean {
  if (value !== 'true' && value !== 'false')
    throwIssue(puppetDbIssues.PUPPETDB_CONF_BOOLEAN, { value: toPrintable(value) })
  return value === 'true'
}

function parseNumber(name: Name, value: string, least: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  return number >= least
    ? number
    : throwIssue(puppetDbIssues.PUPPETDB_CONF_NUMBER, { name, value: toPrintable(value), least })
}

function parseUrls(text: string): readonly URL[] {
  const each = text.split(',').map((url) => url.trim())
  return each.filter((url) => url !== '').map(parseUrl)
}

function parseUrl(text: string): URL {
  const url = toPrintable(text)
  if (!URL.canParse(text)) return throwIssue(puppetDbIssues.PUPPETDB_URL_INVALID, { url, why: 'bad URI(is not URI?)' })
  const parsed = new URL(text)
  if (parsed.protocol !== 'https:') throwIssue(puppetDbIssues.PUPPETDB_URL_SCHEME, { url })
  if (parsed.pathname !== '/' || parsed.search !== '' || parsed.hash !== '')
    throwIssue(puppetDbIssues.PUPPETDB_URL_PATH, { url })
  return new URL(parsed.origin)
}

function checkConfig(config: PuppetDbConfig): void {
  const { serverUrls, submitOnlyServerUrls, minSuccessfulSubmissions: least } = config
  if (serverUrls.length === 0) throwIssue(puppetDbIssues.PUPPETDB_NO_URLS, {})
  if (config.softWriteFailure && least > 1) throwIssue(puppetDbIssues.PUPPETDB_SOFT_AND_SEVERAL, {})
  const submitOnly = submitOnlyServerUrls.map(({ origin }) => origin)
  const both = serverUrls.map(({ origin }) => origin).filter((origin) => submitOnly.includes(origin))
  if (both.length > 0) throwIssue(puppetDbIssues.PUPPETDB_URLS_OVERLAP, { urls: both })
  if (least > 1 && !config.commandBroadcast) throwIssue(puppetDbIssues.PUPPETDB_SEVERAL_WITHOUT_BROADCAST, {})
  if (least > serverUrls.length) throwIssue(puppetDbIssues.PUPPETDB_TOO_FEW_URLS, { least, urls: serverUrls.length })
}
