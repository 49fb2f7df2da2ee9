// The code of the site, for two servers: folders for real Puppet Server, and a bare repository with the same commit for ours.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Where the code is below a folder. @param {string} folder */
export const placesOfCode = (folder) => ({
  codedir: join(folder, 'code'),
  environment: join(folder, 'code/environments/production'),
  repository: join(folder, 'code.git'),
})

/** The modules of the root, and site.pp, as the environment `production`; replaces what was there. @param {string} folder */
export function layOutCode(folder) {
  const { codedir, environment, repository } = placesOfCode(folder)
  for (const each of [codedir, repository]) rmSync(each, { recursive: true, force: true })
  mkdirSync(join(environment, 'manifests'), { recursive: true })
  cpSync(join(folder, 'modules'), join(environment, 'modules'), { recursive: true, preserveTimestamps: true })
  cpSync(join(import.meta.dirname, 'site.pp'), join(environment, 'manifests/site.pp'))
  /** @param {readonly string[]} words */
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=Site', '-c', 'user.email=site@example.test', ...words], {
      cwd: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  git('init', '--quiet', '--initial-branch=production')
  // Whatever a module has is there for both servers, be it listed in a .gitignore of its own.
  git('add', '--all', '--force')
  git('commit', '--quiet', '--message', 'The site')
  git('clone', '--quiet', '--bare', '.', repository)
  rmSync(join(environment, '.git'), { recursive: true })
}
