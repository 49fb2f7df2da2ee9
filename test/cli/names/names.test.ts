import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { getProgramName, translateCommandLine } from '../../../src/cli/names/program-name.ts'
import { getStandardFolders } from '../../../src/machine/settings/standard-folders.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('names')

function binFolder(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

describe('plumb names', () => {
  it('makes links, again without a change, and removes them', async () => {
    const bin = binFolder('once')
    const { status, out } = await runHere(['names', 'install', bin])
    expect([status, out.split('\n').length]).toEqual([0, 4])
    for (const name of ['puppet', 'facter', 'hiera']) expect(readlinkSync(join(bin, name))).toMatch(/\/main\.[jt]s$/)
    expect(await runHere(['names', 'install', bin, 'puppet'])).toEqual({
      status: 0,
      out: `${join(bin, 'puppet')} already exists\n`,
      err: '',
    })
    await runHere(['names', 'remove', bin])
    expect(existsSync(join(bin, 'puppet'))).toBe(false)
  })

  it('leaves what is not ours, unless it is forced', async () => {
    const bin = binFolder('taken')
    writeFileSync(join(bin, 'puppet'), 'theirs')
    symlinkSync('/nowhere', join(bin, 'facter'))
    mkdirSync(join(bin, 'hiera'))
    const refused = await runHere(['names', 'install', bin])
    expect(refused.status).toBe(1)
    expect(refused.err).toContain(`Error: ${join(bin, 'puppet')} exists and is not a link to plumb\n  Use --force`)
    expect(refused.err).toContain(`Error: ${join(bin, 'facter')} exists and is not a link to plumb`)
    expect(refused.err).toContain(`Error: ${join(bin, 'hiera')} is a directory`)
    expect((await runHere(['names', 'remove', bin])).status).toBe(1)
    expect(readFileSync(join(bin, 'puppet'), 'utf8')).toBe('theirs')
    expect((await runHere(['names', 'install', bin, 'puppet', 'facter', '--force'])).status).toBe(0)
    expect(lstatSync(join(bin, 'puppet')).isSymbolicLink()).toBe(true)
    expect(lstatSync(join(bin, 'hiera')).isDirectory()).toBe(true)
  })

  it('takes the place of a link to another installation', async () => {
    const bin = binFolder('moved')
    const other = join(folder, 'elsewhere')
    mkdirSync(join(other, 'dist'), { recursive: true })
    writeFileSync(join(other, 'package.json'), '{"name": "plumbline"}')
    writeFileSync(join(other, 'dist/main.js'), '')
    symlinkSync(join(other, 'dist/main.js'), join(bin, 'puppet'))
    expect((await runHere(['names', 'install', bin, 'puppet'])).status).toBe(0)
    expect(readlinkSync(join(bin, 'puppet'))).not.toContain('elsewhere')
  })

  it.each([
    [['install', join(folder, 'absent')], 'is not a directory'],
    [['install', folder, 'pupet'], "'pupet' is not an alias of this program\n  Valid names: puppet, facter,"],
  ])('refuses %j', async (words, why) => {
    const { status, err } = await runHere(['names', ...words])
    expect([status, err]).toEqual([1, expect.stringContaining(why)])
  })
})

describe('a program called by another name', () => {
  it.each([
    ['puppet', 'cert sign -a', 'ca sign --all'],
    ['puppet', 'facts', 'facts show'],
    ['puppet', 'facts os.family', 'facts show os.family'],
    ['puppet', 'facts find web', 'facts find web'],
    ['puppet', 'man agent', 'help agent'],
    ['puppet', 'agent -t', 'agent -t'],
    ['puppetserver', 'ca list --all', 'ca list --all'],
    ['puppetserver', 'foreground', 'server'],
    ['facter', '-j os', 'facts -j os'],
    ['facter', '-v', '--version'],
    ['hiera', '-a users', 'hiera -a users'],
    ['plumb', 'cert list', 'cert list'],
  ] as const)('%s %s is plumb %s', (name, words, ours) =>
    expect(translateCommandLine(name, words.split(' ')).join(' ')).toBe(ours),
  )

  it('is known by the name of its file alone', () => {
    expect(['/usr/bin/puppet', 'facter', '/x/dist/main.js', '/puppet/plumb', undefined].map(getProgramName)).toEqual([
      'puppet',
      'facter',
      'plumb',
      'plumb',
      'plumb',
    ])
  })

  const root = { isRoot: true, name: 'root' }
  const ann = { isRoot: false, name: 'ann' }

  it("takes the folders of Puppet's packages, of who it is", () => {
    const env = { PLUMB_FOLDERS: 'puppet', HOME: '/home/ann' }
    expect(getStandardFolders(env, root, 'user')).toMatchObject({
      confdir: '/etc/puppetlabs/puppet',
      codedir: '/etc/puppetlabs/code',
      vardir: '/opt/puppetlabs/puppet/cache',
    })
    expect(getStandardFolders(env, ann, 'user')).toMatchObject({
      confdir: '/home/ann/.puppetlabs/etc/puppet',
      vardir: '/home/ann/.puppetlabs/opt/puppet/cache',
      logdir: '/home/ann/.puppetlabs/var/log',
    })
    expect(getStandardFolders({ ...env, PLUMB_CONFDIR: '/x' }, root, 'user')).toMatchObject({ confdir: '/x' })
    expect(getStandardFolders({ HOME: '/home/ann' }, ann, 'user')).toEqual({
      confdir: '/home/ann/.plumb/etc',
      vardir: '/home/ann/.plumb/var',
    })
  })
})

describe('plumb hiera', () => {
  const program = recordedAnswers(import.meta.filename, 'hiera 3.10')
  const config = join(folder, 'hiera5.yaml')
  mkdirSync(join(folder, 'data'))
  const data = { common: 'k: v\nl: [a, b]\nh: {x: 1}\n', prod: 'k: w\nl: [c]\nh: {y: [1, "z"]}\n' }
  for (const [name, text] of Object.entries(data)) writeFileSync(join(folder, `data/${name}.yaml`), text)
  const defaults = `defaults: {datadir: ${join(folder, 'data')}, data_hash: yaml_data}`
  const levels = 'hierarchy: [{name: e, path: "%{env}.yaml"}, {name: c, path: common.yaml}]'
  writeFileSync(config, `version: 5\n${defaults}\n${levels}\n`)
  // The same for the program hiera, which speaks version 3.
  const older = join(folder, 'hiera3.yaml')
  const datadir = `:yaml:\n  :datadir: ${join(folder, 'data')}`
  writeFileSync(older, `---\n:backends: yaml\n:hierarchy:\n  - "%{env}"\n  - common\n${datadir}\n`)

  it.each(['k env=prod', '-a l env=prod', '-h h -f json env=prod', 'none', 'none -f yaml', 'none default', ''])(
    'says what hiera says: %s',
    async (line) => {
      const words = line === '' ? [] : line.split(' ')
      const real = program.one(line, [words, data, readFileSync(older, 'utf8')], () => {
        const { status, stdout } = spawnSync('hiera', ['-c', older, ...words], { encoding: 'utf8' })
        return [status, stdout]
      })
      const ours = await runHere(['hiera', '-c', config, ...words])
      expect([ours.status, ours.out]).toEqual(real)
    },
  )

  it('refuses a configuration that is not there', async () => {
    const { status, err } = await runHere(['hiera', '-c', '/nonexistent', 'k'])
    expect([status, err]).toEqual([1, 'Error: Cannot find config file: /nonexistent\n'])
  })
})
