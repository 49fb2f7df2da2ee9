import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readModuleSources } from '../../../src/deploy/puppetfile/allowed-sources.ts'
import { PuppetfileEvaluator } from '../../../src/deploy/puppetfile/puppetfile-evaluator.ts'
import { readPuppetfile } from '../../../src/deploy/puppetfile/puppetfile-reader.ts'
import { tgzOf } from '../../support/archive.ts'
import { openForge, type TestForge } from '../../support/forge.ts'
import { type GitHost, openGitHost } from '../../support/git-host.ts'
import { fetcherHere, filesOfFolder } from '../../support/module-fetching.ts'
import { without } from '../../support/needs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const lacks = without('r10k')

describe.skipIf(lacks !== '')(`Puppetfiles beside r10k${lacks}`, () => {
  let forge: TestForge
  let host: GitHost
  let web: ReturnType<typeof createServer>
  let webUrl = ''
  const commits: Record<string, string> = {}
  const evaluator = new PuppetfileEvaluator()

  beforeAll(async () => {
    ;[forge, host] = await Promise.all([openForge(), openGitHost()])
    const files = {
      'manifests/init.pp': 'class ntp {}\n',
      'spec/x_spec.rb': 'x\n',
      'files/run': { script: '#!/bin/sh\n' },
    }
    commits.first = host.commit('ntp', files, 'master')
    host.git('ntp', 'tag', 'v1.0.0', commits.first)
    commits.second = host.commit(
      'ntp',
      { 'manifests/init.pp': 'class ntp { }\n', link: { link: 'manifests' } },
      'master',
    )
    host.git('ntp', 'tag', '--annotate', '--message', 'two', 'v2.0.0', commits.second)
    host.commit('ntp', { 'manifests/server.pp': 'class ntp::server {}\n' }, 'feature/x')
    host.commit('ntp', { 'manifests/production.pp': 'class ntp::production {}\n' }, 'production')
    host.commit('both', { 'metadata.json': '{}' }, 'master')
    const release = { 'manifests/init.pp': 'class a {}\n', 'spec/a_spec.rb': 'x\n' }
    await forge.publish({ slug: 'acme-a', version: '1.9.0', files: release })
    await forge.publish({
      ...{ slug: 'acme-a', version: '1.10.0' },
      files: {
        ...release,
        'files/tool': { mode: 0o775, content: '#!/bin/sh\n' },
        'files/odd name': { mode: 0o4600, content: 'é' },
        'files/link': { type: 'symlink', linkname: 'tool' },
        [`${'deep/'.repeat(12)}file`]: 'deep',
      },
    })
    await forge.publish({ slug: 'acme-a', version: '2.0.0-rc1', files: release })
    await forge.publish({
      ...{ slug: 'acme-nested', version: '1.0.0' },
      archive: await tgzOf({
        'other/x': 'x',
        'top/in/metadata.json': '{}',
        'top/in/lib/metadata.json': '{}',
        'top/in/a': 'a',
      }),
    })
    const flat = await tgzOf({ 'manifests/init.pp': 'class tar {}\n', 'metadata.json': '{}', 'spec/x': 'x' })
    web = createServer((_, response) => response.end(flat)).listen(0, '127.0.0.1')
    await new Promise((done) => web.once('listening', done))
    webUrl = `http://127.0.0.1:${(web.address() as AddressInfo).port}/flat.tar.gz`
  })
  afterAll(async () => {
    await Promise.all([forge.close(), host.close(), evaluator.close()])
    web.close()
  })

  const rows: readonly (readonly [what: string, text: () => string])[] = [
    ['a branch that is none in particular', () => `mod 'ntp', git: '${host.url}/ntp.git'`],
    ['a branch', () => `mod 'ntp', git: '${host.url}/ntp', branch: 'feature/x'`],
    ['a tag', () => `mod 'ntp', git: '${host.url}/ntp', tag: 'v1.0.0'`],
    ['an annotated tag', () => `mod 'ntp', git: '${host.url}/ntp', ref: 'v2.0.0'`],
    ['a tag that is called a branch', () => `mod 'ntp', git: '${host.url}/ntp', branch: 'v1.0.0'`],
    ['a commit', () => `mod 'ntp', git: '${host.url}/ntp', commit: '${commits.first}'`],
    ['the beginning of a commit', () => `mod 'ntp', git: '${host.url}/ntp', ref: '${commits.first!.slice(0, 10)}'`],
    ['words of any type', () => `mod 'ntp', type: 'git', source: '${host.url}/ntp', version: 'v1.0.0'`],
    ['a default', () => `mod 'ntp', git: '${host.url}/ntp', branch: 'none', default_branch: 'feature/x'`],
    [
      'a default that is overridden',
      () =>
        `mod 'ntp', git: '${host.url}/ntp', branch: 'none', default_branch: 'x', default_branch_override: 'production'`,
    ],
    ['without spec', () => `mod 'ntp', git: '${host.url}/ntp', exclude_spec: true`],
    ['with spec elsewhere', () => `mod 'ntp', git: '${host.url}/ntp', exclude_spec: true, install_path: 'x'`],
    ['a release', () => "mod 'acme/a', '1.9.0'"],
    ['the latest', () => "mod 'acme-a', :latest"],
    ['no version', () => "mod 'acme/a'"],
    ['a pre-release', () => "mod 'acme/a', '2.0.0-rc1'"],
    ['a release without spec', () => "mod 'acme/a', type: 'forge', version: '1.10.0', exclude_spec: true"],
    ['a module within its archive', () => "mod 'acme/nested', '1.0.0'"],
    ['a tarball', () => `mod 'tar', type: 'tarball', source: '${webUrl}'`],
    ['a tarball without spec', () => `mod 'tar', type: 'tarball', source: '${webUrl}', exclude_spec: true`],
    [
      'Ruby',
      () =>
        `moduledir 'ext'\n%w[ntp both].each { |n| mod n, git: "${host.url}/#{n}" }\nmod 'acme/a', ENV['X'] || '1.9.0'`,
    ],
  ]
  it.each(rows)('%s', async (_, text) => {
    const folder = scratchFolder('r10k')
    writeFileSync(join(folder, 'Puppetfile'), `${text()}\n`)
    writeFileSync(join(folder, 'r10k.yaml'), `cachedir: ${folder}/cache\nforge:\n  baseurl: ${forge.url}\n`)
    mkdirSync(join(folder, 'modules'))
    const puppetfile = await readPuppetfile(Buffer.from(text()), {
      evaluator,
      sources: readModuleSources([host.url, webUrl]),
      branch: 'production',
    })
    await execa('r10k', ['puppetfile', 'check', '--puppetfile', 'Puppetfile'], { cwd: folder })
    await execa(
      'r10k',
      ['puppetfile', 'install', '--config', 'r10k.yaml', '--puppetfile', join(folder, 'Puppetfile')],
      {
        cwd: folder,
      },
    )
    const fetcher = fetcherHere({ puppetfile_sources: [host.url, webUrl], module_repository: forge.url })
    try {
      expect(puppetfile.modules.length).toBeGreaterThan(0)
      for (const module of puppetfile.modules) {
        const { tree } = await fetcher.fetch(module, { branch: 'production' })
        expect(fetcher.filesOf(tree), module.title).toEqual(filesOfFolder(join(folder, module.path)))
      }
    } finally {
      await fetcher.close()
    }
  })

  it.each([
    "mod 'a b', '1.0.0'",
    "mod 'a/b', 'one'",
    "mod 'a/b', {}",
    'modd "x"',
    "mod 'a/b', '1.0.0'\nmod 'c/b', '1.0.0'",
    "mod 'x', git: 'https://github.com/a/x', install_path: '../../x'",
    'raise "no"',
    'mod (',
  ])('refuses %j, too', async (text) => {
    const folder = scratchFolder('r10k')
    writeFileSync(join(folder, 'Puppetfile'), `${text}\n`)
    const { exitCode } = await execa('r10k', ['puppetfile', 'check', '--puppetfile', join(folder, 'Puppetfile')], {
      cwd: folder,
      reject: false,
    })
    const sources = readModuleSources(['https://github.com'])
    const reading = readPuppetfile(Buffer.from(text), { evaluator, sources, branch: 'production' })
    await expect(reading).rejects.toThrow()
    expect(exitCode).not.toBe(0)
  })
})
