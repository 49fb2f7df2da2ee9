import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCommit, openEnvironmentDirectory } from '../../../src/code/environments/environment-opener.ts'
import { findModule, listModules } from '../../../src/code/environments/modules.ts'
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

describe('an environment of a commit', () => {
  it('runs no program of the machine that its environment.conf names', async () => {
    const repository = controlRepository()
    const proof = join(folder({}), 'ran')
    const commit = repository.push({ 'environment.conf': `config_version = /bin/touch ${proof}\n` })
    const code = { repository: repository.bare, ref: commit, name: 'x' }
    const { environment, warnings } = await openCommit(code, testSettings())
    expect([environment.version, existsSync(proof)]).toEqual([commit, false])
    expect(warnings).toEqual([expect.stringContaining('does not run')])
    const plain = repository.push({ 'environment.conf': '' })
    const ours = await openCommit({ ...code, ref: plain }, testSettings({ config_version: '/bin/echo ours' }))
    expect(ours.environment.version).toBe('ours')
  })
})

describe('an environment of a folder', () => {
  it('runs config_version, finds linked modules, takes a folder of manifests', async () => {
    const elsewhere = folder({ 'manifests/init.pp': 'class demo {}' })
    const directory = folder({
      'environment.conf': 'config_version = /bin/echo v-$environment\n',
      'manifests/a.pp': '',
      'modules/own/manifests/init.pp': '',
    })
    symlinkSync(elsewhere, join(directory, 'modules/demo'))
    const { environment } = await openEnvironmentDirectory({ directory, name: 'production' }, testSettings())
    expect(environment).toMatchObject({ manifest: { path: 'manifests' }, version: 'v-production' })
    expect(environment.tree.codeId).toBeUndefined()
    expect(listModules(environment).map(({ name }) => name)).toEqual(['demo', 'own'])
    const demo = findModule(environment, 'demo')!.directory
    expect(demo.tree.readText(`${demo.path}/manifests/init.pp`)).toBe('class demo {}')
  })

  it('says what is wrong with config_version', async () => {
    const directory = folder({ 'environment.conf': 'config_version = /bin/sh -c false\n' })
    await expect(openEnvironmentDirectory({ directory, name: 'production' }, testSettings())).rejects.toThrow(
      "Execution of config_version command `/bin/sh -c false` failed: Execution of '/bin/sh -c false' returned 1: ",
    )
  })
})
