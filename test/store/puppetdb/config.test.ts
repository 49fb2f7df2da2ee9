import { describe, expect, it } from 'vitest'
import { parsePuppetDbConfig } from '../../../src/store/puppetdb/config.ts'

const file = '/etc/plumb/puppetdb.conf'

function read(text: string | undefined) {
  const warnings: string[] = []
  return { config: parsePuppetDbConfig({ file, text }, (message) => warnings.push(message)), warnings }
}

const main = (text: string) => read(`[main]\n${text}\n`)

describe('puppetdb.conf', () => {
  it('has defaults, with and without a file', () => {
    for (const text of [undefined, '', '[main]\n', '# a comment\n; another\n'])
      expect(read(text)).toMatchObject({
        config: {
          serverUrls: [{ origin: 'https://puppetdb:8081' }],
          submitOnlyServerUrls: [],
          serverUrlTimeout: 30,
          softWriteFailure: false,
          minSuccessfulSubmissions: 1,
          commandBroadcast: false,
          stickyReadFailover: false,
          includeUnchangedResources: false,
          verifyClientCertificate: true,
        },
        warnings: [],
      })
  })

  it('reads every setting', () => {
    const { config, warnings } = main(`  server_urls = https://a:8081, https://b:8081/ ,https://[::1]
      submit_only_server_urls=https://c:8081
      server_url_timeout = 5
      soft_write_failure = false
      min_successful_submissions = 2
      command_broadcast = true
      sticky_read_failover = true
      include_unchanged_resources = true
      verify_client_certificate = false`)
    expect(config.serverUrls.map(String)).toEqual(['https://a:8081/', 'https://b:8081/', 'https://[::1]/'])
    expect(config.submitOnlyServerUrls.map(String)).toEqual(['https://c:8081/'])
    expect(config).toMatchObject({
      ...{ serverUrlTimeout: 5, minSuccessfulSubmissions: 2, commandBroadcast: true, stickyReadFailover: true },
      ...{ includeUnchangedResources: true, verifyClientCertificate: false, softWriteFailure: false },
    })
    expect(warnings).toEqual([])
  })

  it.each([
    [
      'server_url_timeot = 5',
      "Unknown setting 'server_url_timeot' in PuppetDB config /etc/plumb/puppetdb.conf:2. Did you mean 'server_url_timeout'?",
    ],
    ['nothing_like_it = 5', "Unknown setting 'nothing_like_it' in PuppetDB config /etc/plumb/puppetdb.conf:2"],
    [
      'server = puppetdb',
      "Setting 'server = puppetdb' is retired: use 'server_urls' instead. Defaulting to 'server_urls=https://puppetdb:8081'.",
    ],
    ['[other]\nport_of = 1', "Ignoring section [other]: 'port_of' in PuppetDB config /etc/plumb/puppetdb.conf:3"],
  ])('warns of %j', (text, warning) => {
    expect(main(text)).toMatchObject({ config: { serverUrlTimeout: 30 }, warnings: [warning] })
  })

  it.each([
    ['server_urls = http://a:8081', "PuppetDB 'server_urls' must be https, found 'http://a:8081'"],
    ['server_urls = https://a:8081/pdb', "PuppetDB 'server_urls' cannot contain URL paths, found 'https://a:8081/pdb'"],
    [
      'server_urls = https://a b',
      "Error parsing URL 'https://a b' in PuppetDB 'server_urls', error message was 'bad URI(is not URI?)'",
    ],
    ['server_urls = ,', "server_urls' contains no URL of a PuppetDB"],
    ['soft_write_failure = yes', 'invalid value for Boolean: "yes"'],
    [
      'server_url_timeout = soon',
      "The setting 'server_url_timeout' of PuppetDB must be an integer of at least 1, not 'soon'",
    ],
    ['what is this', "Unparseable line 'what is this' in PuppetDB config /etc/plumb/puppetdb.conf:2"],
    ['server_urls =', "Unparseable line 'server_urls =' in PuppetDB config /etc/plumb/puppetdb.conf:2"],
    ['min_successful_submissions = 2', 'command_broadcast must be set to true to use min_successful_submissions'],
    [
      'min_successful_submissions = 2\ncommand_broadcast = true',
      'min_successful_submissions (2) must be less than or equal to the number of server_urls (1)',
    ],
    [
      'min_successful_submissions = 2\nsoft_write_failure = true',
      'soft_write_failure cannot be enabled when min_successful_submissions is greater than 1',
    ],
    [
      'server_urls = https://a\nsubmit_only_server_urls = https://a',
      'Server URLs must be in either server_urls or submit_only_server_urls, not both. (["https://a"] are in both)',
    ],
  ])('refuses %j', (text, message) => {
    expect(() => main(text)).toThrow(message)
  })

  it('refuses settings outside of a section', () => {
    expect(() => read('server_urls = https://a')).toThrow(
      "Setting 'server_urls = https://a' is illegal outside of section in PuppetDB config /etc/plumb/puppetdb.conf:1",
    )
  })
})
