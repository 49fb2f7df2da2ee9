import { join } from 'node:path'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { addToken, getTokenPaths } from '../../../src/server/auth/token-file.ts'
import { Store } from '../../../src/store/thread/store.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { fill, type Told } from './fill.js'

/** A server with a store that knows a fleet. */
export interface Site {
  readonly serving: Serving
  /** A token that may look. */
  readonly token: string
  /** Commits of production, the oldest first. */
  readonly commits: readonly string[]
  stop(): Promise<void>
}

const subjects = [
  'Manage the fleet with Plumbline',
  'Tune chrony on virtual machines',
  'Roll out certificates of the new authority',
  'Harden sshd: no passwords, no root',
]

/** Serves a repository of some commits, and a store of so many nodes; `more` is told to the store besides. */
export async function startSite(
  size: { readonly nodes: number; readonly resources: number; readonly runs: number },
  more: readonly Told[] = [],
): Promise<Site> {
  const repository = controlRepository({ 'manifests/site.pp': '' })
  const commits = subjects.map((subject) => {
    repository.git('commit', '--quiet', '--allow-empty', '--author=Ada Byron <ada@example.com>', '-m', subject)
    return repository.git('rev-parse', 'HEAD')
  })
  repository.git('push', '--quiet', 'origin', 'production', `${commits.at(-2)}:refs/heads/staging`)
  const vardir = scratchFolder('site')
  const store = await Store.open({ folder: join(vardir, 'server_data/store') })
  await fill(store, { ...size, now: Date.now(), commits }, more)
  await store.close()
  const serving = await serve({ code_repo: repository.bare, store: 'sqlite', vardir })
  const request = { name: 'console', description: '', scopes: ['query'], expires: undefined }
  const token = await addToken(getTokenPaths(serving.settings).tokens, request, localSystem.files, Date.now())
  return { serving, token, commits, stop: () => serving.stop() }
}
