import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRepository } from '../../src/code/git/repository-opener.ts'
import { openDeployments } from '../../src/deploy/synthesis/open-deployments.ts'
import { testSettings } from '../code/environments/settings.ts'
import { type ControlRepository, controlRepository, gitIdentity } from '../support/control-repository.ts'
import { type GitHost, openGitHost } from '../support/git-host.ts'
import { without } from '../support/needs.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const lacks = without('r10k')

describe.skipIf(lacks !== '')(`deployed commits beside r10k${lacks}`, () => {
  let host: GitHost
  let repository: ControlRepository
  let environments: string
  beforeAll(async () => {
    host = await openGitHost()
    host.commit('ntp', {
      'manifests/init.pp': 'class ntp {}\n',
      'files/run': { script: '#!/bin/sh\n' },
      'lib/link': { link: '../files/run' },
      'spec/x_spec.rb': 'x\n',
    })
    host.commit('ntp', { 'manifests/feature.pp': 'class ntp::feature {}\n' }, 'feature')
    const puppetfile = [
      `mod 'ntp', git: '${host.url}/ntp.git', branch: :control_branch, default_branch: 'main'`,
      `mod 'deep', git: '${host.url}/ntp.git', branch: 'main', install_path: 'ext/some/where'`,
      `mod 'trimmed', git: '${host.url}/ntp.git', branch: 'main', exclude_spec: true`,
      "mod 'own', local: true",
      '',
    ]
    repository = controlRepository({
      Puppetfile: puppetfile.join('\n'),
      'manifests/site.pp': 'include ntp\n',
      'modules/own/manifests/init.pp': 'class own {}\n',
      'modules/committed/manifests/init.pp': 'class committed {}\n',
      'modules/README': 'x\n',
      'modules/ntp/left/over': 'of an older time\n',
      'site/role/manifests/init.pp': 'class role {}\n',
    })
    repository.push({ 'manifests/site.pp': '' }, 'feature')
    const folder = scratchFolder('r10k')
    environments = join(folder, 'environments')
    mkdirSync(environments)
    const config = {
      cachedir: join(folder, 'cache'),
      sources: { main: { remote: repository.bare, basedir: environments } },
    }
    writeFileSync(join(folder, 'r10k.yaml'), JSON.stringify(config))
    const env = { ...gitIdentity, HOME: folder }
    await execa('r10k', ['deploy', 'environment', '-m', '-c', join(folder, 'r10k.yaml')], { env })
  }, 120_000)
  afterAll(() => host?.close())

  it.each(['production', 'feature'])('have the same files for the branch %s', async (branch) => {
    const source = await openRepository(repository.bare)
    const settings = testSettings({ puppetfile_sources: host.url })
    const { deployments, close } = openDeployments(source, settings)
    const commit = repository.gitBare('rev-parse', branch)
    const deployed = await deployments.deployed({ environment: branch, ref: `refs/heads/${branch}`, commit })
    await close()
    await source.close()
    // Git itself says what r10k has laid down: as a tree of the same ids.
    const folder = join(environments, branch)
    const env = { ...gitIdentity, GIT_DIR: repository.bare, GIT_INDEX_FILE: join(scratchFolder('index'), 'index') }
    await execa('find', [folder, '-name', '.git', '-prune', '-exec', 'rm', '-rf', '{}', '+'])
    await execa('git', ['--work-tree', folder, 'add', '--all', '--force', '.'], { env, cwd: folder })
    await execa('git', ['rm', '--quiet', '--cached', '.r10k-deploy.json'], { env, cwd: folder })
    const { stdout: theirs } = await execa('git', ['ls-files', '--stage'], { env })
    const ours = repository.gitBare('ls-tree', '-r', deployed).split('\n')
    const lines = theirs.split('\n').map((line) => line.replace(/^(\d+) (\w+) 0\t/, '$1 blob $2\t'))
    expect(ours.filter((line) => !line.endsWith('\tPuppetfile.lock'))).toEqual(lines)
    expect(lines.length).toBeGreaterThan(10)
  })
})
