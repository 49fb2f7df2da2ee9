import { randomUUID } from 'node:crypto'
import { printJson } from '../base/json/json-text.ts'
import { localFiles } from '../machine/system/files.ts'
import { readCommand } from './commands/read-command.ts'
import { deactivationPayload } from './commands/writing/node.ts'
import type { Database } from './database/database.ts'
import type { StoreSettings } from './from-settings.ts'
import { besideOthers } from './ingest/beside-others.ts'
import { ingest } from './ingest/ingest.ts'
import { deactivate } from './ingest/nodes.ts'
import { missingFile, namedStore, type OwnStore } from './named-store.ts'
import type { NodeStore, Submitted } from './node-store.ts'
import { puppetDbFrom } from './puppetdb/from-settings.ts'
import { answer } from './query/answer.ts'
import { openDatabase } from './thread/open-database.ts'

/**
 * A store that a command opens, while a server is running or not. Queries and commands about nodes
 * are executed at once, without a queue.
 */
export interface StoreBeside extends Pick<NodeStore, 'ask' | 'submit' | 'includesUnchanged' | 'close'> {
  /** Deactivates a node. */
  deactivate(certname: string): Promise<void>
}

/** The access that a command needs: only queries, or also writing. */
export type Access = 'ask' | 'tell'

type Warn = (message: string) => void

/** Milliseconds after which queries omit an inactive node; not relevant here. */
const nodePurgeTtl = 0

/** Opens the configured store; `undefined` if `store` is `none` or the store does not exist yet. */
async function storeBeside(settings: StoreSettings, access: Access, warn: Warn): Promise<StoreBeside | undefined> {
  const named = namedStore(settings)
  if (named.kind === 'none') return undefined
  if (named.kind === 'puppetdb') return withDeactivation(await puppetDbFrom(settings, localFiles, warn))
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
    submit: (command) => writtenNow(database, command),
    deactivate: (certname) =>
      database.transaction(async (inside) => {
        await besideOthers(inside, [certname])
        await deactivate(inside, certname, Date.now())
      }),
    close: () => database.close(),
  }
}

/**
 * Executes a store command at once, without a queue, and returns its UUID. Throws the error of the
 * command or of the database.
 */
async function writtenNow(database: Database, command: Submitted): Promise<string> {
  const received = new Date().toISOString()
  const read = readCommand({ ...command, received })
  await database.transaction(async (inside) => {
    await besideOthers(inside, [command.certname])
    await ingest(inside, read, Date.parse(received))
  })
  return randomUUID()
}

function withDeactivation(store: NodeStore): StoreBeside {
  return {
    includesUnchanged: store.includesUnchanged ?? false,
    ask: (question) => store.ask(question),
    submit: (command, processed) => store.submit(command, processed),
    async deactivate(certname) {
      const payload = Buffer.from(printJson(deactivationPayload(certname, new Date().toISOString())))
      await store.submit({ name: 'deactivate node', version: 3, certname, payload })
    },
    close: () => store.close(),
  }
}

/** Runs `work` with the configured store and closes the store; `undefined` if there is no store. */
export async function withStoreBeside<Result>(
  settings: StoreSettings,
  access: Access,
  work: (store: StoreBeside) => Promise<Result>,
  warn: Warn = () => {},
): Promise<Result | undefined> {
  const store = await storeBeside(settings, access, warn)
  if (!store) return undefined
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
