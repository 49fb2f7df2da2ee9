import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa, execaSync, type Result } from 'execa'
import { type ControlRepository, controlRepository, type Files } from '../../support/control-repository.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** A machine: its folder, its repository, and `plumb` with them. */
export interface Site {
  readonly folder: string
  readonly repository: string
  plumb(...words: string[]): Promise<Result>
  /** The words of `plumb` for another way to start it. */
  words(...words: string[]): readonly string[]
  /** Runs git in the repository of the site. */
  git(...words: string[]): string
}

/** Without network where the tests may take it away. */
const offline: readonly string[] = process.getuid?.() === 0 ? ['unshare', '--net'] : []

/** A machine with a repository; `isolated` has no network. */
export function openSite(repository: string, { isolated = false } = {}): Site {
  const folder = scratchFolder('site')
  const defaults = {
    '--confdir': join(folder, 'etc'),
    '--vardir': join(folder, 'var'),
    '--code_repo': repository,
    '--certname': 'localhost',
    '--keylength': '2048',
  }
  const words = (...more: string[]) => [
    ...(isolated ? offline : []),
    ...[process.execPath, plumbMain, ...more],
    ...Object.entries(defaults).flatMap(([flag, value]) => (more.includes(flag) ? [] : [flag, value])),
  ]
  return {
    folder,
    repository,
    words,
    plumb(...more) {
      const [program = '', ...rest] = words(...more)
      return execa(program, rest, { reject: false, env: { NO_COLOR: '1' } })
    },
    git: (...more) => execaSync('git', ['--git-dir', repository, ...more]).stdout,
  }
}

/** A connected site with a CA and a control repository, and its CA certificates for the other side. */
export interface ConnectedSite extends Site {
  readonly control: ControlRepository
  readonly trusted: string
  /** Creates a bundle and returns its path. Throws if it fails. */
  create(...words: string[]): Promise<string>
}

/** Opens a connected site whose branch `production` has these files; its settings are those of each `create`. */
export async function openConnectedSite(files: Files, settings: readonly string[] = []): Promise<ConnectedSite> {
  const control = controlRepository(files)
  const site = openSite(control.bare)
  mkdirSync(join(site.folder, 'facts'))
  await requireSuccess(site.plumb('ca', 'setup'))
  const signer = join(site.folder, 'etc/ssl/catalog_signer.pem')
  await requireSuccess(site.plumb('ca', 'generate', '--certname', 'localhost', '--catalog-signer', signer))
  const trusted = join(site.folder, 'trusted.pem')
  const ca = ['ca_crt.pem', 'ca_crl.pem'].map((name) => readFileSync(join(site.folder, 'etc/ca', name), 'utf8'))
  writeFileSync(trusted, ca.join(''))
  let count = 0
  return {
    ...site,
    control,
    trusted,
    async create(...words) {
      const path = join(site.folder, `${++count}.bundle`)
      await requireSuccess(
        site.plumb('bundle', 'create', ...words, '-o', path, '--facts-dir', join(site.folder, 'facts'), ...settings),
      )
      return path
    },
  }
}

/** Opens a site without network and with an empty repository. */
export function openIsolatedSite(): Site {
  const repository = join(scratchFolder('isolated'), 'code.git')
  execaSync('git', ['init', '--quiet', '--bare', '--initial-branch=production', repository])
  return openSite(repository, { isolated: true })
}

/** Throws with the output of a command that failed. */
export async function requireSuccess(running: Promise<Result>): Promise<Result> {
  const result = await running
  if (result.exitCode !== 0) throw new Error(`${result.exitCode}: ${result.stdout}\n${result.stderr}`)
  return result
}
