import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packedModule, tgzOf } from '../../support/archive.ts'
import { openForge, type TestForge } from '../../support/forge.ts'
import { asksProgram, recordedAnswers } from '../../support/recorded-answers.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

/** Versions of modules on the Forge, with their dependencies: `name range; name range`. */
const published: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'acme-base': { '1.0.0': '', '1.5.0': '', '2.0.0': '', '2.1.0-rc1': '' },
  'acme-lib': { '1.0.0': 'acme/base >= 1.0.0 < 2.0.0', '2.0.0': 'acme/base >= 2.0.0 < 3.0.0' },
  'acme-web': {
    '1.0.0': 'acme/lib 1.x; acme/base 1.x',
    '1.1.0': 'acme/lib 1.x; acme/base 1.x',
    '2.0.0': 'acme/lib 2.x; acme/base >= 1.0.0',
  },
  'acme-old': { '1.0.0': 'acme/base 1.x' },
  'acme-ring': { '1.0.0': 'acme/round >= 1.0.0' },
  'acme-round': { '1.0.0': 'acme/ring >= 1.0.0' },
  'acme-broken': { '1.0.0': 'acme/nowhere >= 1.0.0' },
  'acme-clash': { '1.0.0': 'acme/base 1.x; acme/needs2 >= 1.0.0' },
  'acme-needs2': { '1.0.0': 'acme/base 2.x' },
  'other-base': { '1.0.0': '' },
  'acme-pre': { '1.0.0-rc1': '' },
}

/** Cases: the installed modules as on the Forge (`slug@version`; `!` for a changed file), and the command line. */
const cases: Readonly<Record<string, readonly [installed: string, ...words: string[]]>> = {
  'install with dependencies': ['', 'install', 'acme-web'],
  'install a version': ['', 'install', 'acme/web', '--version', '1.0.0'],
  'install a range': ['', 'install', 'acme-web', '--version', '1.x'],
  'install with an installed dependency': ['acme-base@1.0.0', 'install', 'acme-lib', '--version', '1.0.0'],
  'install and upgrade a dependency': ['acme-base@2.0.0 acme-lib@1.0.0', 'install', 'acme-old'],
  'install against an installed module': [
    'acme-old@1.0.0 acme-base@1.0.0',
    'install',
    'acme-web',
    '--version',
    '2.0.0',
  ],
  'install the best of all': ['acme-old@1.0.0 acme-base@1.0.0', 'install', 'acme-web'],
  'install a cycle': ['', 'install', 'acme-ring'],
  'install without a dependency on the Forge': ['', 'install', 'acme-broken'],
  'install an impossible set': ['', 'install', 'acme-clash'],
  'install an unknown module': ['', 'install', 'acme-unknown'],
  'install an unknown version': ['', 'install', 'acme-web', '--version', '7.0.0'],
  'install twice': ['acme-base@1.5.0', 'install', 'acme-base'],
  'install another version': ['acme-base@1.5.0', 'install', 'acme-base', '--version', '2.0.0'],
  'install another version of a changed module': ['acme-base@1.5.0!', 'install', 'acme-base', '--version', '2.0.0'],
  'install by force': ['acme-base@1.5.0', 'install', 'acme-base', '--version', '2.0.0', '--force'],
  'install without dependencies': ['', 'install', 'acme-web', '--ignore-dependencies'],
  'install over a module of another owner': ['acme-base@1.5.0', 'install', 'other-base'],
  'install over a module without metadata': ['bare', 'install', 'acme-bare'],
  'install a prerelease alone': ['', 'install', 'acme-pre'],
  'install a short name': ['', 'install', 'web'],
  'install a lower version that a module needs': [
    'acme-lib@2.0.0 acme-base@2.0.0',
    'install',
    'acme-web',
    '--version',
    '1.0.0',
  ],
  'install an archive': ['', 'install', '$DIR/acme-lib-1.0.0.tar.gz'],
  'install an archive alone': ['', 'install', '$DIR/acme-lib-1.0.0.tar.gz', '--ignore-dependencies'],
  upgrade: ['acme-base@1.0.0', 'upgrade', 'acme-base'],
  'upgrade to a version': ['acme-base@1.0.0', 'upgrade', 'acme-base', '--version', '1.5.0'],
  'upgrade the newest': ['acme-base@2.0.0', 'upgrade', 'acme-base'],
  'upgrade with dependencies': ['acme-web@1.0.0 acme-lib@1.0.0 acme-base@1.0.0', 'upgrade', 'acme-web'],
  'upgrade against others': ['acme-old@1.0.0 acme-base@1.5.0', 'upgrade', 'acme-base'],
  'upgrade against others to a version': [
    'acme-old@1.0.0 acme-base@1.0.0',
    'upgrade',
    'acme-base',
    '--version',
    '2.0.0',
  ],
  'upgrade by force': ['acme-old@1.0.0 acme-base@1.5.0', 'upgrade', 'acme-base', '--force'],
  'upgrade a changed module': ['acme-base@1.5.0!', 'upgrade', 'acme-base'],
  'upgrade a changed module anyway': ['acme-base@1.5.0!', 'upgrade', 'acme-base', '--ignore-changes'],
  'upgrade to a lower version': ['acme-base@1.5.0', 'upgrade', 'acme-base', '--version', '1.0.0'],
  'upgrade a missing module': ['', 'upgrade', 'acme-base'],
  'upgrade to an unknown version': ['acme-base@1.0.0', 'upgrade', 'acme-base', '--version', '9.0.0'],
  uninstall: ['acme-base@1.0.0', 'uninstall', 'acme-base'],
  'uninstall a version': ['acme-base@1.0.0', 'uninstall', 'acme/base', '--version', '1.x'],
  'uninstall another version': ['acme-base@1.0.0', 'uninstall', 'acme-base', '--version', '2.0.0'],
  'uninstall a required module': ['acme-base@1.0.0 acme-old@1.0.0', 'uninstall', 'acme-base'],
  'uninstall a required module by force': ['acme-base@1.0.0 acme-old@1.0.0', 'uninstall', 'acme-base', '--force'],
  'uninstall a changed module': ['acme-base@1.0.0!', 'uninstall', 'acme-base'],
  'uninstall a missing module': ['acme-base@1.0.0', 'uninstall', 'base'],
  changes: ['acme-base@1.0.0!', 'changes', '$DIR/modules/base'],
  'no changes': ['acme-base@1.0.0', 'changes', '$DIR/modules/base'],
}

const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')

interface Ended {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** Versions of the modules by folder. */
  readonly modules: Readonly<Record<string, string>>
}

let forge: TestForge
let archive: Buffer

function parseDependencies(text: string) {
  return text
    .split('; ')
    .filter((each) => each !== '')
    .map((each) => ({ name: each.split(' ')[0], version_requirement: each.slice(each.indexOf(' ') + 1) }))
}

beforeAll(async () => {
  forge = await openForge()
  for (const [slug, versions] of Object.entries(published))
    for (const [version, dependencies] of Object.entries(versions))
      await forge.publish({
        slug,
        version,
        metadata: {
          author: 'acme',
          license: 'x',
          source: 'x',
          summary: 'x',
          dependencies: parseDependencies(dependencies),
        },
      })
  const metadata = { source: 'x', dependencies: parseDependencies(published['acme-lib']!['1.0.0']!) }
  archive = await tgzOf(packedModule('acme-lib', '1.0.0', {}, metadata))
})
afterAll(() => forge.close())

/** Makes a directory with the installed modules of a case. */
function prepare(installed: string): string {
  const root = scratchFolder('module-changes')
  mkdirSync(join(root, 'modules'))
  writeFileSync(join(root, 'acme-lib-1.0.0.tar.gz'), archive)
  for (const each of installed.split(' ').filter((word) => word !== '')) {
    const [, slug = '', version = '', mark] = /^([\w-]+)(?:@([\d.]+)(!)?)?$/.exec(each) ?? []
    const folder = join(root, 'modules', slug.replace(/^\w+-/, ''))
    mkdirSync(join(folder, 'manifests'), { recursive: true })
    if (version === '') continue
    const dependencies = parseDependencies(published[slug]![version]!)
    const metadata = { name: slug, version, author: 'acme', license: 'x', source: 'x', summary: 'x', dependencies }
    writeFileSync(join(folder, 'metadata.json'), JSON.stringify(metadata))
    writeFileSync(join(folder, 'manifests/init.pp'), mark ? 'changed' : '')
    writeFileSync(join(folder, 'checksums.json'), '{"manifests/init.pp":"d41d8cd98f00b204e9800998ecf8427e"}')
  }
  return root
}

function wordsOf(words: readonly string[], root: string): string[] {
  const settings =
    words[0] === 'changes' ? [] : ['--modulepath', join(root, 'modules'), '--module_repository', forge.url]
  return ['module', ...words.map((word) => word.replace('$DIR', root)), ...settings]
}

function endOf(root: string, exitCode: number, stdout: string, stderr: string): Ended {
  const plain = (text: string) => text.replaceAll(escapes, '').replaceAll(root, '$DIR').replaceAll(forge.url, '$FORGE')
  const modules = Object.fromEntries(
    readdirSync(join(root, 'modules')).map((name) => {
      const file = join(root, 'modules', name, 'metadata.json')
      return [name, existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : '']
    }),
  )
  return { exitCode, stdout: plain(stdout), stderr: plain(stderr), modules }
}

async function runPuppet([installed, ...words]: readonly [string, ...string[]]): Promise<Ended> {
  const root = prepare(installed)
  return new Promise((done) => {
    const child = execFile(
      'puppet',
      [...wordsOf(words, root), '--color=false', '--vardir', join(root, 'var'), '--confdir', join(root, 'etc')],
      (_, stdout, stderr) => done(endOf(root, child.exitCode ?? -1, stdout, stderr)),
    )
  })
}

describe('changes of modules beside real Puppet', async () => {
  const titles = Object.keys(cases)
  let real: Readonly<Record<string, Ended>> = {}
  beforeAll(async () => {
    const answers: Record<string, Ended> = {}
    if (asksProgram) for (const title of titles) answers[title] = await runPuppet(cases[title]!)
    real = puppet.all(Object.fromEntries(titles.map((title) => [title, [cases[title], published]])), () => answers)
  }, 300_000)

  it.each(titles)('%s', async (title) => {
    const [installed, ...words] = cases[title]!
    const root = prepare(installed)
    const { status, out, err } = await runHere([...wordsOf(words, root), '--vardir', join(root, 'var')])
    // Advice names the own program.
    const { stderr, ...others } = real[title]!
    const advised = { ...others, stderr: stderr.replaceAll('`puppet module', '`plumb module') }
    expect(endOf(root, status, out, err)).toEqual({
      ...advised,
      stdout: others.stdout.replaceAll('`puppet module', '`plumb module'),
    })
  })
})

describe('the Forge', () => {
  it('is searched', async () => {
    const settings = ['--module_repository', forge.url]
    await forge.publish({ slug: 'acme-red', version: '2.0.0', metadata: { summary: 'A \u001b[31mlibrary' } })
    const found = await runHere(['module', 'search', 'red', ...settings])
    expect(found.out).toContain('acme-red  2.0.0    acme   A \\x1b[31mlibrary\n')
    const [module] = JSON.parse((await runHere(['module', 'search', 'red', '--render-as', 'json', ...settings])).out)
    expect(module).toMatchObject({ name: 'acme-red', version: '2.0.0', owner: 'acme', deprecated: false })
  })

  it('has newer releases than a dependency accepts', async () => {
    const root = scratchFolder('checked')
    const dependencies = ['acme/base', 'acme/gone'].map((name) => ({ name, version_requirement: '1.x' }))
    const requirements = [{ name: 'puppet', version_requirement: '>= 7.0.0 < 9.0.0' }]
    const texts = { name: 'acme-x', version: '1.0.0', author: 'x', license: 'MIT', summary: 'x', source: 'x' }
    writeFileSync(join(root, 'metadata.json'), JSON.stringify({ ...texts, dependencies, requirements }))
    const { status, out } = await runHere(['module', 'check', root, '--module_repository', forge.url])
    expect([status, out]).toEqual([
      1,
      'dependency_outdated: Dependency acme-base (1.x) does not include its newest release 2.0.0\n' +
        'dependency_unknown: Dependency acme-gone does not exist on the Forge\n2 problems found\n',
    ])
  })

  it.each([
    ['another checksum', { about: { file_sha256: 'a'.repeat(64) } }],
    ['an address outside', { about: { file_uri: 'http://127.0.0.2/x.tar.gz' } }],
    ['an archive with a path outside', { files: { '../../evil': 'x' } }],
    ['an archive that is none', { archive: Buffer.from('none') }],
  ])('cannot install %s', async (title, release) => {
    const slug = `evil-${title.replace(/\W/g, '')}`
    await forge.publish({ slug, version: '1.0.0', ...release })
    const root = prepare('acme-base@1.0.0')
    const { status } = await runHere(wordsOf(['install', slug], root))
    expect(status).toBe(1)
    expect(readdirSync(join(root, 'modules'))).toEqual(['base'])
  })

  it('may describe releases in any form', async () => {
    const odd = [{ name: '../x' }, { version: '1' }, { dependencies: [{ name: '../../x' }] }, { name: 'other-odd' }]
    for (const [at, metadata] of odd.entries())
      await forge.publish({ slug: 'acme-odd', version: `1.0.${at}`, metadata })
    await forge.publish({ slug: 'acme-odd', version: '0.1.0' })
    const root = prepare('')
    const { status, err } = await runHere(wordsOf(['install', 'acme-odd'], root))
    expect(status).toBe(0)
    expect(err.match(/Cannot consider release acme-odd-/g)).toHaveLength(odd.length)
    expect(endOf(root, 0, '', '').modules).toEqual({ odd: '0.1.0' })
  })

  it('restores a version that a killed process has moved away', async () => {
    const root = prepare('acme-base@1.0.0 acme-old@1.0.0')
    const modules = join(root, 'modules')
    mkdirSync(join(modules, '.plumb-staging-1'))
    renameSync(join(modules, 'base'), join(modules, '.plumb-staging-1/replaced-base'))
    expect((await runHere(wordsOf(['uninstall', 'acme-old'], root))).status).toBe(0)
    expect(readdirSync(modules)).toEqual(['base'])
  })
})
