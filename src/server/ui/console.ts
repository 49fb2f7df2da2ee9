import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Environments } from '../../code/environments/environments.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { allowLag, type NodeStore } from '../../store/node-store.ts'
import type { TokenGate } from '../auth/token-gate.ts'
import { createUnauthenticatedClient } from '../http/client.ts'
import type { Refusal } from '../http/refusal.ts'
import { readAssets } from '../pages/assets.ts'
import type { Commit, PageSources } from '../pages/page.ts'
import { createUnauthorizedResponder } from './entrance.ts'
import { createConsoleRoutes } from './routes.ts'
import type { SignIn } from './sign-in.ts'

/** Parts of a server that the console reads. */
export interface ConsoleSources {
  readonly store: NodeStore
  readonly environments: Pick<Environments, 'status'>
  readonly rollouts: PageSources['rollouts']
  /** The repository of the environments; undefined for environments in directories. */
  readonly source: Pick<GitObjectSource, 'commitTime' | 'commitWords'> | undefined
  now(): number
  /** Seconds without a report after which a node counts as unresponsive. */
  readonly unresponsiveAfter: number
  /** Seconds after which a node's run in an environment is ignored; 0 for never. */
  readonly nodeTtl: number
  /** Identifies clients by their tokens, and counts failed attempts. */
  readonly gate: TokenGate
}

/** Routes of the console, and its response to unauthorized clients. */
export interface ConsoleRoutes {
  readonly routes: (server: FastifyInstance) => Promise<void>
  /** Returns the response to a client that no rule allows; `undefined` for a path outside the console. */
  readonly entrance: (request: FastifyRequest) => Refusal | undefined
}

/** Maximum numbers of cached answers and commits. */
const remembered = { answers: 100, commits: 1000 }

/** Opens the console. */
export function openConsole(parts: ConsoleSources): ConsoleRoutes {
  const { store, environments, rollouts, source, now, unresponsiveAfter, nodeTtl, gate } = parts
  const assets = readAssets()
  const sources: PageSources = {
    store: allowLag(store),
    rollouts,
    now,
    unresponsiveAfter: unresponsiveAfter * 1000,
    nodeTtl: nodeTtl * 1000,
    environments: () => environments.status(),
    commit: createCommitCache(source),
    remembered: createAnswerCache(),
  }
  const signIn: SignIn = (request, token) =>
    gate.identify(createUnauthenticatedClient(request.ip), { 'x-authentication': [token] })
  return { routes: createConsoleRoutes({ sources, assets, signIn }), entrance: createUnauthorizedResponder(assets) }
}

function createAnswerCache(): PageSources['remembered'] {
  const answers = new LRUCache<string, Promise<object>>({ max: remembered.answers })
  return async <Value extends object>(key: string, ms: number, make: () => Promise<Value>) => {
    const known = answers.get(key) as Promise<Value> | undefined
    if (known) return known
    const made = make()
    answers.set(key, made, { ttl: ms })
    // Failures are not cached.
    made.catch(() => answers.delete(key))
    return made
  }
}

/** Caches commits of the repository, which never change. */
function createCommitCache(source: ConsoleSources['source']): PageSources['commit'] {
  const known = new LRUCache<string, Commit>({ max: remembered.commits })
  return async (codeId) => {
    const commit = known.get(codeId) ?? (await readCommit(source, codeId).catch(() => undefined))
    if (commit) known.set(codeId, commit)
    return commit
  }
}

async function readCommit(source: ConsoleSources['source'], codeId: string): Promise<Commit | undefined> {
  if (!source || !/^[0-9a-f]{40,64}$/.test(codeId)) return undefined
  const [time, words] = await Promise.all([source.commitTime(codeId), source.commitWords(codeId)])
  return { ...words, time: time * 1000 }
}
