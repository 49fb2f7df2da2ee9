import { randomUUID } from 'node:crypto'
import { formatExactJson } from '../base/json/json-text.ts'
import { localFiles } from '../machine/system/files.ts'
import { readCommand } from './commands/read-command.ts'
import { buildDeactivationPayload } from './commands/writing/node.ts'
import type { Database } from './database/database.ts'
import { ingest } from './ingest/ingest.ts'
import { deactivateNode } from './ingest/nodes.ts'
import { prepareNodeWrite } from './ingest/write-locks.ts'
import type { NodeStore, SubmittedCommand } from './node-store.ts'
import { openPuppetDbStore } from './puppetdb/puppetdb-settings.ts'
import { runQuery } from './query/execution.ts'
import { findMissingFile, type OwnStore, parseStoreSetting } from './store-location.ts'
import type { StoreSettings } from './store-settings.ts'
import { openDatabase } from './thread/open-database.ts'

/**
 * A store that a command opens, regardless of whether a server is running. Queries and commands
 * about nodes are executed at once, without a queue.
 */
export interface DirectStore extends Pick<NodeStore, 'ask' | 'submit' | 'includesUnchanged' | 'close'> {
  /** Deactivates a node. */
  deactivate(certname: string): Promise<void>
}

/** The access that a command needs: only queries, or also writing. */
export type StoreAccess = 'ask' | 'tell'

type Warn = (message: string) => void

/**
 * Milliseconds after which queries omit an inactive node; 0 omits all inactive nodes from queries
 * for them.
 */
const nodePurgeTtl = 0

/** Opens the configured store; `undefined` if `store` is `none` or the store does not exist yet. */
async function openDirectStore(
  settings: StoreSettings,
  access: StoreAccess,
  warn: Warn,
): Promise<DirectStore | undefined> {
  const named = parseStoreSetting(settings)
  if (named.kind === 'none') return undefined
  if (named.kind === 'puppetdb') return addDeactivation(await openPuppetDbStore(settings, localFiles, warn))
  if ((await findMissingFile(named, localFiles)) !== undefined) return undefined
  return openOwnStore(named, access)
}

async function openOwnStore({ database: place }: OwnStore, access: StoreAccess): Promise<DirectStore> {
  const database = await openDatabase(place, { readOnly: access === 'ask' })
  return {
    async ask(question) {
      const found = await runQuery(database, question, { now: Date.now(), nodePurgeTtl })
      return found && { status: found.status, total: found.total, pieces: found.pieces }
    },
    submit: (command) => executeCommand(database, command),
    deactivate: (certname) =>
      database.transaction(async (inside) => {
        await prepareNodeWrite(inside, [certname])
        await deactivateNode(inside, certname, Date.now())
      }),
    close: () => database.close(),
  }
}

/**
 * Executes a store command at once, without a queue, and returns its UUID. Throws the error of the
 * command or of the database.
 */
async function executeCommand(database: Database, command: SubmittedCommand): Promise<string> {
  const received = new Date().toISOString()
  const read = readCommand({ ...command, received })
  await database.transaction(async (inside) => {
    await prepareNodeWrite(inside, [command.certname])
    await ingest(inside, read, Date.parse(received))
  })
  return randomUUID()
}

function addDeactivation(store: NodeStore): DirectStore {
  return {
    includesUnchanged: store.includesUnchanged ?? false,
    ask: (question) => store.ask(question),
    submit: (command, processed) => store.submit(command, processed),
    async deactivate(certname) {
      const payload = Buffer.from(formatExactJson(buildDeactivationPayload(certname, new Date().toISOString())))
      await store.submit({ name: 'deactivate node', version: 3, certname, payload })
    },
    close: () => store.close(),
  }
}

/** Runs `work` with the configured store and closes the store; `undefined` if there is no store. */
export async function withDirectStore<Result>(
  settings: StoreSettings,
  access: StoreAccess,
  work: (store: DirectStore) => Promise<Result>,
  warn: Warn = () => {},
): Promise<Result | undefined> {
  const store = await openDirectStore(settings, access, warn)
  if (!store) return undefined
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
