import { printJson } from '../base/json-text.ts'
import { localFiles } from '../system/files.ts'
import { deactivationPayload } from './commands/writing/node.ts'
import type { StoreSettings } from './from-settings.ts'
import { besideOthers } from './ingest/beside-others.ts'
import { deactivate } from './ingest/nodes.ts'
import { missingFile, namedStore, type OwnStore } from './named-store.ts'
import type { NodeStore } from './node-store.ts'
import { puppetDbFrom } from './puppetdb/from-settings.ts'
import { answer } from './query/answer.ts'
import { openDatabase } from './thread/open-database.ts'

/** The store of a server for a command beside it, or without it: it is asked, and told of nodes that are gone, at once. */
export interface StoreBeside extends Pick<NodeStore, 'ask' | 'close'> {
  /** Deactivates a node. */
  deactivate(certname: string): Promise<void>
}

/** The use of a store by a command. */
export type Access = 'ask' | 'tell'

/** Milliseconds that an inactive node is still answered for; here it does not matter. */
const nodePurgeTtl = 0

/** The store that the settings name; none where they name none, or none has been made yet. Throws UNKNOWN_STORE. */
async function storeBeside(settings: StoreSettings, access: Access): Promise<StoreBeside | undefined> {
  const named = namedStore(settings)
  if (named.kind === 'none') return undefined
  if (named.kind === 'puppetdb') return withDeactivation(await puppetDbFrom(settings, localFiles, () => {}))
  if ((await missingFile(named, localFiles)) !== undefined) return undefined
  return inThisProcess(named, access)
}

async function inThisProcess({ database: place }: OwnStore, access: Access): Promise<StoreBeside> {
  const database = await openDatabase(place, { readOnly: access === 'ask' })
  return {
    async ask(question) {
      const found = await answer(database, question, { now: Date.now(), nodePurgeTtl })
      return found && { status: found.status, total: found.total, pieces: found.pieces }
    },
    deactivate: (certname) =>
      database.transaction(async (inside) => {
        await besideOthers(inside, [certname])
        await deactivate(inside, certname, Date.now())
      }),
    close: () => database.close(),
  }
}

function withDeactivation(store: NodeStore): StoreBeside {
  return {
    ask: (question) => store.ask(question),
    async deactivate(certname) {
      const payload = Buffer.from(printJson(deactivationPayload(certname, new Date().toISOString())))
      await store.submit({ name: 'deactivate node', version: 3, certname, payload })
    },
    close: () => store.close(),
  }
}

/** Does something with that store, and closes it; `undefined` where there is none. */
export async function withStoreBeside<Result>(
  settings: StoreSettings,
  access: Access,
  work: (store: StoreBeside) => Promise<Result>,
): Promise<Result | undefined> {
  const store = await storeBeside(settings, access)
  if (!store) return undefined
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
