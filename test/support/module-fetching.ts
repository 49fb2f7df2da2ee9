import { hash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { execaSync } from 'execa'
import { type OpenModuleFetcher, openModuleFetcher } from '../../src/deploy/modules/module-fetcher.ts'
import { gitIdentity } from './control-repository.ts'
import { scratchFolder } from './scratch-folder.ts'

/** The settings of a fetcher as they are by default, but for proxies of the machine. */
export const fetcherDefaults = {
  puppetfile_sources: ['https://forgeapi.puppet.com'],
  module_repository: 'https://forgeapi.puppet.com',
  forge_token_file: '',
  git_ssh_key: [],
  git_known_hosts: '',
  git_token_files: [],
  module_ca_file: '',
  module_fetch_timeout: 60,
  max_module_fetch_bytes: 64 * 1024 * 1024,
  max_module_archive_bytes: 16 * 1024 * 1024,
  max_module_bytes: 64 * 1024 * 1024,
  http_proxy_host: 'none',
  http_proxy_port: 3128,
  http_proxy_user: 'none',
  http_proxy_password: 'none',
  no_proxy: 'localhost, 127.0.0.1',
} as const satisfies Parameters<typeof openModuleFetcher>[1]

/** A fetcher over an empty repository, and means to look into that. */
export interface FetcherHere extends OpenModuleFetcher {
  git(...words: string[]): string
  /** Files of a tree by path: mode and digest, or where a link leads. */
  filesOf(tree: string): Readonly<Record<string, string>>
}

/** Opens a fetcher over a new bare repository, or over one that is there. */
export function fetcherHere(
  settings: Partial<Parameters<typeof openModuleFetcher>[1]> = {},
  gitDir: string = emptyRepository(),
): FetcherHere {
  const git = (...words: string[]) =>
    execaSync('git', ['--git-dir', gitDir, ...words], { env: gitIdentity, stripFinalNewline: true }).stdout
  return {
    ...openModuleFetcher({ gitDir, quarantine: false }, { ...fetcherDefaults, ...settings }),
    git,
    filesOf(tree) {
      const lines = git('ls-tree', '-r', '-z', tree)
        .split('\0')
        .filter((line) => line !== '')
      return Object.fromEntries(
        lines.map((line) => {
          const [, mode = '', oid = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? []
          const { stdout } = execaSync('git', ['--git-dir', gitDir, 'cat-file', 'blob', oid], {
            encoding: 'buffer',
            stripFinalNewline: false,
          })
          return [path, mode === '120000' ? `-> ${Buffer.from(stdout)}` : `${mode} ${hash('sha256', stdout, 'hex')}`]
        }),
      )
    },
  }
}

/** A bare repository without anything. */
export function emptyRepository(): string {
  const folder = join(scratchFolder('store'), 'store.git')
  execaSync('git', ['init', '--quiet', '--bare', folder], { env: gitIdentity })
  return folder
}

/** The same of a folder, without what git keeps there. */
export function filesOfFolder(folder: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {}
  const walk = (at: string) => {
    for (const name of readdirSync(at).sort()) {
      if (name === '.git') continue
      const path = join(at, name)
      const status = lstatSync(path)
      if (status.isDirectory()) walk(path)
      else if (status.isSymbolicLink()) files[relative(folder, path)] = `-> ${readlinkSync(path)}`
      else {
        const mode = (status.mode & 0o100) === 0 ? '100644' : '100755'
        files[relative(folder, path)] = `${mode} ${hash('sha256', readFileSync(path), 'hex')}`
      }
    }
  }
  walk(folder)
  return files
}
