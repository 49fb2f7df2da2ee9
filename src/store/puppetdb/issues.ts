import { defineIssues } from '../../base/issue.ts'

/**
 * Messages as in puppet-terminus-puppetdb: util/puppetdb/config.rb, util/puppetdb/http.rb,
 * util/puppetdb/command.rb.
 */
export const puppetDbIssues = defineIssues({
  PUPPETDB_CONF_SECTION: {
    text: (a: { line: string; file: string; number: number }) =>
      `Setting '${a.line}' is illegal outside of section in PuppetDB config ${a.file}:${a.number}`,
    hint: () => 'Move the setting below a line [main].',
  },
  PUPPETDB_CONF_LINE: {
    text: (a: { line: string; file: string; number: number }) =>
      `Unparseable line '${a.line}' in PuppetDB config ${a.file}:${a.number}`,
    hint: () => 'Write a section ([main]), a setting (server_urls = https://puppetdb:8081) or a comment (#).',
  },
  PUPPETDB_CONF_BOOLEAN: {
    text: (a: { value: string }) => `invalid value for Boolean: "${a.value}"`,
    hint: () => 'Use true or false.',
  },
  PUPPETDB_CONF_NUMBER: {
    text: (a: { name: string; value: string; least: number }) =>
      `The setting '${a.name}' of PuppetDB must be an integer of at least ${a.least}, not '${a.value}'`,
  },
  PUPPETDB_URL_INVALID: {
    text: (a: { url: string; why: string }) =>
      `Error parsing URL '${a.url}' in PuppetDB 'server_urls', error message was '${a.why}'`,
  },
  PUPPETDB_URL_SCHEME: { text: (a: { url: string }) => `PuppetDB 'server_urls' must be https, found '${a.url}'` },
  PUPPETDB_URL_PATH: {
    text: (a: { url: string }) => `PuppetDB 'server_urls' cannot contain URL paths, found '${a.url}'`,
  },
  PUPPETDB_NO_URLS: {
    text: () => "'server_urls' contains no URL of a PuppetDB",
    hint: () => 'Give a URL such as https://puppetdb.example.com:8081; separate several by commas.',
  },
  PUPPETDB_SOFT_AND_SEVERAL: {
    text: () => 'soft_write_failure cannot be enabled when min_successful_submissions is greater than 1',
  },
  PUPPETDB_URLS_OVERLAP: {
    text: (a: { urls: readonly string[] }) =>
      `Server URLs must be in either server_urls or submit_only_server_urls, not both. (${JSON.stringify(a.urls)} are in both)`,
  },
  PUPPETDB_SEVERAL_WITHOUT_BROADCAST: {
    text: () => 'command_broadcast must be set to true to use min_successful_submissions',
  },
  PUPPETDB_TOO_FEW_URLS: {
    text: (a: { least: number; urls: number }) =>
      `min_successful_submissions (${a.least}) must be less than or equal to the number of server_urls (${a.urls})`,
  },
  PUPPETDB_UNREACHED: {
    text: (a: { path: string; least: number; urls: readonly string[] }) =>
      `Failed to execute '${a.path}' on at least ${a.least} of the following 'server_urls': ${a.urls.join(', ')}`,
    hint: () => 'The warnings in the server log give the error of each server.',
  },
  PUPPETDB_BROKEN: { text: (a: { why: string }) => `The response of PuppetDB is incomplete: ${a.why}` },
  PUPPETDB_REFUSED: {
    text: (a: { status: number; reason: string; body: string }) => `[${a.status} ${a.reason}] ${a.body}`,
    hint: (a) =>
      a.status === 403 ? 'Add the certname of this server to the certificate-allowlist of PuppetDB.' : undefined,
  },
  PUPPETDB_BUSY: {
    text: (a: { seconds: number }) => `The server is busy; retry in ${a.seconds} seconds`,
  },
  PUPPETDB_ANSWER: {
    text: (a: { why: string }) => `The response is not from a PuppetDB: ${a.why}`,
    hint: () =>
      'Check that the URL has the port of PuppetDB (default: 8081), and that no other service is in front of it.',
  },
  PUPPETDB_TOO_MANY: {
    text: () => 'Too many requests are waiting for the PuppetDB behind this server',
    hint: () => 'PuppetDB is slower than the rate of requests. Check its load.',
  },
})
