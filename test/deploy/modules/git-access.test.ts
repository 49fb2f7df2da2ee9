import { describe, expect, it } from 'vitest'
import { parseRemoteAddress } from '../../../src/code/git/remotes/remote.ts'
import { createGitAccess, readHostCredentials } from '../../../src/deploy/modules/git-access.ts'
import { ModuleWeb } from '../../../src/deploy/modules/module-http-client.ts'
import { readModuleSources } from '../../../src/deploy/puppetfile/allowed-sources.ts'

const means = readHostCredentials({ git_ssh_key: [], git_known_hosts: '', git_token_files: [], module_ca_file: '' })
const proxy = { host: 'proxy.example.com', port: 3128, user: undefined, password: undefined }

/** The message of an error; `allowed` without one. */
async function access(url: string, hasProxy: boolean, networks: readonly string[] = []): Promise<string> {
  const proxyTo = () => (hasProxy ? proxy : undefined)
  const sources = readModuleSources(['https://', 'ssh://', ...networks])
  const web = new ModuleWeb({ sources, trusted: new URL('https://forge.example.com'), authorities: '', proxyTo })
  try {
    await createGitAccess(parseRemoteAddress(url), { means, web, proxyTo })
    return 'allowed'
  } catch (error) {
    return (error as Error).message
  } finally {
    await web.close()
  }
}

describe('a host whose name has a private address', () => {
  const isRefused = /^localhost has the address (?:127\.0\.0\.1|::1), which is not public$/
  it.each([
    ['https://localhost/x/y', false],
    ['ssh://git@localhost/x/y', false],
    ['git@localhost:x/y', false],
    ['ssh://git@localhost:2222/x/y', true],
  ])('is refused: %s, with a proxy: %s', async (url, hasProxy) => {
    expect(await access(url, hasProxy)).toMatch(isRefused)
  })

  it('is resolved by the proxy for https', async () => {
    expect(await access('https://localhost/x/y', true)).toBe('allowed')
  })

  it('is allowed in a network of puppetfile_sources', async () => {
    expect(await access('ssh://git@localhost/x/y', false, ['127.0.0.0/8', '::1'])).toBe('allowed')
  })
})

describe('a host name without an address', () => {
  it('may be reached by ssh where a proxy is set', async () => {
    expect(await access('ssh://git@nowhere.invalid/x/y', true)).toBe('allowed')
    expect(await access('ssh://git@nowhere.invalid/x/y', false)).toContain('nowhere.invalid')
  })
})
