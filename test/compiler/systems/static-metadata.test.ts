import { chmodSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import type { ExactJson } from '../../../src/base/json/exact-json.ts'
import { openEnvironmentDirectory } from '../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../src/compiler/compile.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { catalogToWire } from '../../../src/model/catalog-wire.ts'
import { createPlainNode } from '../../../src/model/node.ts'
import { buildTrustedFacts } from '../../../src/node/facts/trusted.ts'
import { plainRequest } from '../../support/plain-request.js'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { knownSystems } from './known-systems.ts'
import { writeFiles } from './system-cases.ts'

interface Answer {
  readonly metadata?: ExactJson
  readonly recursive_metadata?: ExactJson
  readonly error?: string
}

/** Manifests with files of a module, by title. */
const manifests: Readonly<Record<string, string>> = {
  'a file on a drive': `file { 'C:/a.ini': source => 'puppet:///modules/app/a.ini' }`,
  'a title with backslashes': String.raw`file { 'C:\app\a.ini': source => 'puppet:///modules/app/a.ini' }`,
  'a path on a share': String.raw`file { '\\\\host\share\a.ini': source => 'puppet:///modules/app/a.ini' }`,
  'a title that is not the path': `file { 'ini': path => 'C:/a.ini', source => 'puppet:///modules/app/a.ini' }`,
  'a path with a slash at the end': `file { 'C:/a/': source => 'puppet:///modules/app/a.ini' }`,
  'source_permissions ignore': `file { 'C:/a': source => 'puppet:///modules/app/run.ps1', source_permissions => ignore }`,
  'source_permissions use': `file { 'C:/a': source => 'puppet:///modules/app/run.ps1', source_permissions => use }`,
  'source_permissions use_when_creating': `file { 'C:/a': source => 'puppet:///modules/app/run.ps1', source_permissions => use_when_creating }`,
  'source_permissions by a default': `File { source_permissions => use }
    file { 'C:/a': source => 'puppet:///modules/app/run.ps1' }`,
  'content with CRLF': `file { 'C:/a': source => 'puppet:///modules/app/crlf.txt' }`,
  'a folder': `file { 'C:/app': ensure => directory, recurse => true, source => 'puppet:///modules/app' }`,
  'a folder by remote recursion': `file { 'C:/app': ensure => directory, recurse => remote, source => 'puppet:///modules/app/sub' }`,
  'a folder with permissions': `file { 'C:/app': ensure => directory, recurse => true, source_permissions => use, source => 'puppet:///modules/app' }`,
  'a folder with ignored names': `file { 'C:/app': ensure => directory, recurse => true, ignore => ['*.ps1', 'sub'], source => 'puppet:///modules/app' }`,
  'a folder on a drive with a limit': String.raw`file { 'D:\app': ensure => directory, recurse => true, recurselimit => 1, source => 'puppet:///modules/app' }`,
  'folders of several sources': `file { 'C:/app': ensure => directory, recurse => true, sourceselect => all,
      source => ['puppet:///modules/app/sub', 'puppet:///modules/app/other', 'puppet:///modules/app/none'] }`,
  'the first source that exists': `file { 'C:/a': source => ['puppet:///modules/app/none', 'puppet:///modules/app/a.ini'] }`,
  'a source on a drive': `file { 'C:/a': source => 'D:/a.ini' }`,
  'a source on a drive beside one of the server': `file { 'C:/a': source => ['D:/a.ini', 'puppet:///modules/app/a.ini'] }`,
  'a source on a share': String.raw`file { 'C:/a': source => '\\\\host\share\a.ini' }`,
  'a source by file:': `file { 'C:/a': source => 'file:///D:/a.ini' }`,
  'a source by HTTP': `file { 'C:/a': source => 'http://downloads.example.test/a.ini' }`,
  'a link': `file { 'C:/a': source => 'puppet:///modules/app/link' }`,
  'a link that is followed': `file { 'C:/a': source => 'puppet:///modules/app/link', links => follow }`,
  'another checksum': `file { 'C:/a': source => 'puppet:///modules/app/a.ini', checksum => md5 }`,
  'a name with spaces and letters that are not ASCII': `file { 'C:/Über uns.txt': source => 'puppet:///modules/app/Über uns.txt' }`,
  'a file that is removed': `file { 'C:/a': ensure => absent, source => 'puppet:///modules/app/a.ini' }`,
  'a property list of macOS': `file { '/Library/LaunchDaemons/a.plist': owner => 'root', group => 'wheel', mode => '0644', source => 'puppet:///modules/app/a.plist' }`,
}

const files: Readonly<Record<string, string>> = {
  'a.ini': '[a]\r\nb=C:\\c\r\n',
  'crlf.txt': 'one\r\ntwo\r\n',
  'run.ps1': 'Write-Output $env:TEMP\r\n',
  'a.plist': '<plist/>\n',
  'sub/b.txt': 'b\r\n',
  'sub/deep/c.txt': 'c\n',
  'other/d.txt': 'd\n',
  'Über uns.txt': 'e\r\n',
}

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
const certname = 'win01.corp.example.test'
const folder = join(scratchFolder('static'), 'production')
const settings = loadSettings({ given: { confdir: '/nonexistent/etc', basemodulepath: '' } })
const facts = knownSystems['windows-2022'] as Record<string, ExactJson>
let answers: Readonly<Record<string, Answer>>

beforeAll(() => {
  writeFiles(folder, [
    ['environment.conf', ''],
    ...Object.entries(files).map(([name, content]) => [`modules/app/files/${name}`, content] as const),
  ])
  chmodSync(join(folder, 'modules/app/files/run.ps1'), 0o755)
  symlinkSync('a.ini', join(folder, 'modules/app/files/link'))
  const questions = Object.fromEntries(
    Object.entries(manifests).map(([title, manifest]) => [title, { manifest, facts, files }]),
  )
  answers = puppet.all<Answer>(questions, askPuppet)
})

describe('metadata of files in static catalogs for Windows is that of real Puppet', () => {
  it.each(Object.keys(manifests))('%s', async (title) => {
    expect(await answerOf(manifests[title]!)).toEqual(answers[title])
  })

  it('a source in another case is missing, which fails its resource only', async () => {
    expect(await answerOf(`file { 'C:/A': source => 'puppet:///modules/app/A.INI' }`)).toEqual({})
  })
})

function askPuppet(): Readonly<Record<string, Answer>> {
  const titles = Object.keys(manifests)
  const requests = titles.map((title) => ({ manifest: manifests[title], facts, node: certname }))
  const script = join(import.meta.dirname, '../../oracle/static.rb')
  const { stdout } = execaSync('ruby', [script], { input: JSON.stringify({ environment: folder, requests }) })
  const found = JSON.parse(stdout) as readonly Answer[]
  return Object.fromEntries(titles.map((title, index) => [title, comparable(found[index]!)]))
}

async function answerOf(manifest: string): Promise<Answer> {
  writeFiles(folder, [['manifests/site.pp', manifest]])
  const { environment } = await openEnvironmentDirectory({ directory: folder, name: 'production' }, settings)
  const trusted = buildTrustedFacts({ authenticated: 'local', certname })
  try {
    const { catalog } = compile(
      plainRequest(environment, {
        node: createPlainNode(certname, 'production'),
        ...{ facts, trusted, staticChecksum: 'sha256', codeId: 'c0de' },
      }),
    )
    const { metadata, recursive_metadata } = JSON.parse(JSON.stringify(catalogToWire(catalog, { richData: true })))
    return comparable({ metadata, recursive_metadata })
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { error: error.message }
  }
}

/** Without times of files, which are those of the scratch folder. */
function comparable({ error, ...found }: Answer): Answer {
  const withoutTimes = JSON.stringify(found).replaceAll(/\{[cm]time\}[^"]*/g, '{time}')
  return { ...JSON.parse(withoutTimes), ...(error !== undefined && { error }) }
}
