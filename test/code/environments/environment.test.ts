import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDirectoryEnvironments } from '../../../src/code/environments/directory-environments.ts'
import { readEnvironmentConf } from '../../../src/code/environments/environment-conf.ts'
import {
  openCommandLineCode,
  openCommit,
  openEnvironmentDirectory,
} from '../../../src/code/environments/environment-opener.ts'
import { findModule, getModuleMetadata, listModules } from '../../../src/code/environments/modules.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { testSettings } from './settings.ts'

function folder(files: Readonly<Record<string, string>>): string {
  const directory = scratchFolder('environment')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, dirname(path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  return directory
}

describe('environment.conf', () => {
  const read = (text: string | undefined, given: Record<string, string> = {}) =>
    readEnvironmentConf({ file: '/e/environment.conf', text }, 'production', testSettings(given))

  it('has defaults', () => {
    expect(read(undefined, { basemodulepath: '/base:/more' })).toEqual({
      settings: {
        modulepath: ['modules', '/base', '/more'],
        manifest: 'manifests',
        configVersion: undefined,
        environmentTimeout: 0,
        staticCatalogs: true,
        richData: true,
      },
      warnings: [],
    })
  })

  it('fills in settings and the environment', () => {
    const { settings } = read(
      'modulepath = site:modules:$basemodulepath\nmanifest = site.pp\nenvironment_timeout = 3m\nstatic_catalogs = false\nconfig_version = /bin/v ${environment} # the version\n',
      { basemodulepath: '/base' },
    )
    expect(settings).toEqual({
      modulepath: ['site', 'modules', '/base'],
      manifest: 'site.pp',
      configVersion: '/bin/v production # the version',
      environmentTimeout: 180,
      staticCatalogs: false,
      richData: true,
    })
  })

  it('is refused where it names a setting that there is not', () => {
    const message = "Error converting value for param 'modulepath': Could not find value for $nope"
    expect(() => read('modulepath = $nope/modules:modules\n')).toThrow(message)
  })

  it('does not depend on the name of the environment', () => {
    const { settings, warnings } = read(
      'modulepath = $environment/x:y$environment:modules\nmanifest = m/$environment.pp\n',
    )
    expect(settings.modulepath).toEqual(['$environment/x', 'y$environment', 'modules'])
    const cannot = (name: string, value: string) =>
      `You cannot interpolate $environment within '${name}' when using directory environments. Its value will remain ${value}.`
    expect(warnings).toEqual([
      cannot('modulepath', '$environment/x:/e/y$environment:/e/modules'),
      cannot('manifest', '/e/m/$environment.pp'),
    ])
  })

  it('warns of what it ignores, in the words of Puppet', () => {
    expect(read('manifest = x\nbogus = 1\nodd = 2\n[main]\n[agent]\na = b\n').warnings).toEqual([
      "Invalid sections in environment.conf at '/e/environment.conf'. Environment conf may not have sections. The following sections are being ignored: 'agent'",
      "Invalid settings in environment.conf at '/e/environment.conf'. The following unknown setting(s) are being ignored: bogus, odd",
    ])
  })

  it('refuses a value of the wrong kind', () => {
    expect(() => read('static_catalogs = maybe\n')).toThrow(
      `Invalid value '"maybe"' for boolean parameter: static_catalogs`,
    )
  })
})

describe('an environment of a commit', () => {
  it('finds modules in order of precedence, with globs, and nothing outside', async () => {
    const repository = controlRepository()
    const base = folder({ 'ntp/manifests/init.pp': 'base', 'extra/manifests/init.pp': 'base' })
    repository.push(
      {
        'environment.conf': 'modulepath = site-*:modules:../other:$basemodulepath\nmanifest = site.pp\n',
        'site.pp': '',
        'site-b/profile/manifests/init.pp': 'b',
        'site-a/profile/manifests/init.pp': 'a',
        'site-a/role/metadata.json': '{"name": "me-role", "version": "1.2.3", "dependencies": []}',
        'modules/ntp/manifests/init.pp': 'own',
        'modules/NotAModule/x': '',
        'modules/README.md': '',
      },
      'my-branch',
    )
    const settings = testSettings({ basemodulepath: base })
    const { environment, warnings } = await openCommit({ repository: repository.bare, ref: 'my-branch' }, settings)
    expect(environment).toMatchObject({ name: 'my_branch', manifest: { path: 'site.pp' } })
    expect(warnings).toEqual([expect.stringContaining('/etc/plumb/code/environments/other are not loaded')])
    expect(environment.tree.root).toBe('/etc/plumb/code/environments/my_branch')
    expect(environment.version).toBe(Number(repository.git('log', '-1', '--format=%ct')))
    expect(listModules(environment).map(({ name, directory }) => [name, directory.tree.root, directory.path])).toEqual([
      ['profile', environment.tree.root, 'site-a/profile'],
      ['role', environment.tree.root, 'site-a/role'],
      ['ntp', environment.tree.root, 'modules/ntp'],
      ['extra', base, 'extra'],
    ])
    expect(getModuleMetadata(findModule(environment, 'role')!)).toMatchObject({ name: 'me-role', version: '1.2.3' })
    expect(getModuleMetadata(findModule(environment, 'ntp')!)).toBeUndefined()
    expect(findModule(environment, 'none')).toBeUndefined()
    expect(findModule(environment, '../modules/ntp')).toBeUndefined()
    await expect(openCommit({ repository: repository.bare, ref: 'none' }, settings)).rejects.toThrow(
      "'none' is not a commit of the Git repository",
    )
    const byEnvironment = await openCommit({ repository: repository.bare, ref: 'my_branch' }, settings)
    expect(byEnvironment.environment).toMatchObject({ name: 'my_branch', version: environment.version })
    await expect(openCommit({ repository: repository.bare, ref: 'my_branch~9' }, settings)).rejects.toThrow(
      'not a commit',
    )
    for (const ref of ['my_b', 'my-brnch']) {
      const error = await openCommit({ repository: repository.bare, ref }, settings).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ diagnostic: { hint: expect.stringMatching(/^Did you mean 'my.branch'\?$/) } })
    }
  })

  it('warns of a manifest that is named and not there', async () => {
    const warningsOf = async (files: Record<string, string>) =>
      (await openEnvironmentDirectory({ directory: folder(files), name: 'x' }, testSettings())).warnings
    expect(await warningsOf({ 'environment.conf': 'manifest = site.pp\n' })).toEqual([
      expect.stringMatching(/^The manifest \/.*\/site\.pp set in \/.*\/environment\.conf does not exist: /),
    ])
    expect(await warningsOf({ 'environment.conf': 'manifest = site.pp\n', 'site.pp': '' })).toEqual([])
    expect(await warningsOf({ 'environment.conf': '' })).toEqual([])
  })

  it('has the commit as its version where a program of its own would print it', async () => {
    const repository = controlRepository()
    const commit = repository.push({
      'environment.conf': 'config_version = scripts/version.sh $environment\n',
      'scripts/version.sh': { script: '#!/bin/sh\necho no\n' },
    })
    const { environment, warnings } = await openCommit(
      { repository: repository.bare, ref: commit, name: 'x' },
      testSettings(),
    )
    expect(environment.version).toBe(commit)
    expect(warnings).toHaveLength(1)
  })
})

describe('an environment of a folder', () => {
  it('is put together of a modulepath and a manifest, and sees nothing else beside the manifest', () => {
    const directory = folder({ 'site.pp': 'include demo', 'secret.pp': '', 'm/demo/manifests/init.pp': '' })
    const environment = openCommandLineCode({
      name: 'production',
      modulepath: [join(directory, 'm'), '/no-such-folder'],
      manifest: { file: join(directory, 'site.pp') },
    })
    expect(environment.manifest).toEqual({ path: 'site.pp' })
    expect(environment.tree.list('')).toEqual(['site.pp'])
    expect(environment.tree.entry('secret.pp')).toBeUndefined()
    expect(listModules(environment).map(({ name }) => name)).toEqual(['demo'])
    expect(openCommandLineCode({ name: 'x', modulepath: [], manifest: { text: '1' } }).manifest).toEqual({ text: '1' })
    expect(openCommandLineCode({ name: 'x', modulepath: [], manifest: { text: '1' } }).version).toBe(0)
  })

  it('is one of those on the environmentpath', async () => {
    const path = folder({
      'production/manifests/site.pp': '',
      'kept/environment.conf': 'environment_timeout = unlimited\n',
      'bad/environment.conf': 'static_catalogs = maybe\n',
      'not-a-name/x': '',
      file: '',
    })
    const environments = openDirectoryEnvironments(testSettings({ environmentpath: path }))
    expect(await environments.list()).toEqual(['bad', 'kept', 'production'])
    expect((await environments.status()).map(({ name, refused }) => [name, refused?.reason])).toEqual([
      ['bad', `Invalid value '"maybe"' for boolean parameter: static_catalogs`],
      ['kept', undefined],
      ['production', undefined],
    ])
    expect(await environments.get('../production')).toBeUndefined()
    const text = async () => (await environments.get('production'))?.code.tree.readText('manifests/site.pp')
    expect(await text()).toBe('')
    writeFileSync(join(path, 'production/manifests/site.pp'), 'new')
    expect(await text()).toBe('new')
    const kept = await environments.get('kept')
    expect(await environments.get('kept')).toBe(kept)
    await environments.refresh()
    expect(await environments.get('kept')).not.toBe(kept)
  })
})
