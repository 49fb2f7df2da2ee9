import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { checkJsonNumber, checkJsonObject, checkJsonString, checkOptionalString } from '../../base/json/json-checks.ts'
import { createGrowingLru } from '../../base/lru-cache.ts'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import type { Files } from '../../machine/system/system.ts'
import type { FactsDocument } from '../../model/facts.ts'
import { LastFacts } from './last-facts.ts'

/** Parameters of an agent's catalog request, without its facts. */
export interface AgentRequest {
  /** The environment that the agent requested. */
  readonly environment: string
  /**
   * The environment of the catalog that the node received. A classifier may choose another environment than the
   * requested one.
   */
  readonly belongsTo: string
  /** Extensions of the node's certificate. */
  readonly extensions: Readonly<Record<string, string>>
  readonly static: boolean
  readonly checksumTypes: string | undefined
}

/** A node's last request for an environment. */
export interface TimedAgentRequest extends AgentRequest {
  /** Time of the request, in milliseconds since 1970. */
  readonly heard: number
}

/** A node and the environments that it requested, the latest request first. */
export interface RequestedEnvironments {
  readonly node: string
  readonly environments: readonly string[]
  /** True if the time to live of the node's last request is over. */
  readonly isOld: boolean
}

/** Options of `AgentRequests`. */
export interface AgentRequestsOptions {
  /** Folder with one file per node. */
  readonly folder: string
  readonly files: Pick<Files, 'list' | 'stat' | 'readText' | 'write' | 'makeDirectory' | 'remove'>
  /** True to hold facts in memory as sent, if no file contains them in that form. */
  readonly holdsFacts: boolean
  /** Milliseconds after the last request at which a node is forgotten; 0 for never. */
  readonly ttl: number
  now(): number
  /** Called if a write fails after a successful one; further failures in a row are not reported. */
  warn(error: unknown): void
}

/** Folder in which the server stores the nodes' requests. */
export function getRequestsFolder({ server_datadir }: { readonly server_datadir: string }): string {
  return join(server_datadir, 'askings')
}

interface NodeRecord {
  /** The latest request for each environment, newest first. */
  readonly askings: readonly TimedAgentRequest[]
  /** Content of the node's file, without times. */
  readonly written: string
  /** Time of the last write, in milliseconds since 1970; 0 if the next request must write the file. */
  readonly writtenAt: number
}

const oneDay = 24 * 3600 * 1000
/**
 * Maximum number of characters of a stored request. Certificates have few extensions, so usual
 * requests are shorter.
 */
const longest = 16 * 1024
const { nodesAhead, requestedByNode } = budgets.environment

/**
 * Stores each node's last catalog request for each environment. A node belongs to every environment that it requested
 * within the time to live: a run with `--environment BRANCH`, such as a noop run, adds an environment and removes
 * none. The node's file is written when a request changes, and once a day.
 */
export class AgentRequests {
  readonly #options: AgentRequestsOptions
  readonly #known = createGrowingLru<NodeRecord>(nodesAhead.bound)
  readonly #facts = new LastFacts()
  #isFailing = false

  constructor(options: AgentRequestsOptions) {
    this.#options = options
  }

  /** Reads the stored requests; removes files of nodes past their time to live, and files beyond the budget. */
  async open(): Promise<void> {
    const { folder, files } = this.#options
    const found = await listRequestFiles(folder, files)
    const surplus = found.length - nodesAhead.bound
    for (const [index, { name, modified }] of found.entries()) {
      const isOver = index < surplus || this.#isOld(modified)
      if (isOver) await files.remove(join(folder, name))
      else await this.#read(name, modified)
    }
  }

  /** Reads the stored requests and changes no file, for commands on the machine of the server. */
  async read(): Promise<void> {
    const { folder, files } = this.#options
    for (const { name, modified } of await listRequestFiles(folder, files)) await this.#read(name, modified)
  }

  /** Records an answered request. */
  note(node: string, asking: AgentRequest, facts: FactsDocument | undefined): void {
    if (JSON.stringify(asking).length > longest) return
    const now = this.#options.now()
    const known = this.#known.get(node)
    if (facts && this.#options.holdsFacts) this.#facts.note(facts).catch(() => {})
    const others = (known?.askings ?? []).filter(
      ({ belongsTo, heard }) => belongsTo !== asking.belongsTo && !this.#isOld(heard),
    )
    const askings = [{ ...asking, heard: now }, ...others].slice(0, requestedByNode.bound)
    const written = formatUntimedRequests(askings)
    const isWritten = known?.written === written && now - known.writtenAt < oneDay
    this.#known.set(node, { askings, written, writtenAt: isWritten ? known.writtenAt : now })
    if (!isWritten) void this.#write(node, JSON.stringify(askings))
  }

  /** True if no node has a stored request. */
  get isEmpty(): boolean {
    return this.#known.size === 0
  }

  /**
   * A node's last request for an environment, or for any environment by default; `undefined` if the request is older
   * than the time to live.
   */
  of(node: string, environment?: string): AgentRequest | undefined {
    return this.#live(node).find(({ belongsTo }) => environment === undefined || belongsTo === environment)
  }

  /** The environment of the catalog that the node received for its last request for an environment. */
  answeredWith(node: string, environment: string): string | undefined {
    return this.#live(node).find((asking) => asking.environment === environment)?.belongsTo
  }

  /** Facts as sent by the node, if held in memory. */
  getFacts(node: string): Promise<FactsDocument | undefined> {
    return this.#facts.of(node)
  }

  /** Nodes that requested an environment within their time to live, the latest request first. */
  listNodes(environment: string): readonly string[] {
    return [...this.#known.keys()]
      .flatMap((node) =>
        this.#live(node).flatMap((each) => (each.belongsTo === environment ? [{ node, ...each }] : [])),
      )
      .sort((one, other) => other.heard - one.heard)
      .map(({ node }) => node)
  }

  /** All nodes with the environments that they requested, the latest request first. */
  nodes(): readonly RequestedEnvironments[] {
    const getNewestTime = ([, { askings }]: [string, NodeRecord]) => askings[0]!.heard
    return [...this.#known]
      .sort((one, other) => getNewestTime(other) - getNewestTime(one))
      .map(([node, { askings }]) => {
        const live = this.#live(node)
        const environments = (live.length > 0 ? live : askings).map(({ belongsTo }) => belongsTo)
        return { node, environments, isOld: live.length === 0 }
      })
  }

  #live(node: string): readonly TimedAgentRequest[] {
    return (this.#known.peek(node)?.askings ?? []).filter(({ heard }) => !this.#isOld(heard))
  }

  #isOld(heard: number): boolean {
    const { ttl, now } = this.#options
    return ttl > 0 && now() - heard > ttl
  }

  async #read(file: string, modified: number): Promise<void> {
    const { folder, files } = this.#options
    const node = file.slice(0, -'.json'.length)
    const written = await files.readText(join(folder, file))
    const read = written === undefined ? [] : parseAgentRequests(written, modified)
    if (read.length === 0) return
    // Requests received since the start are newer than the file.
    const newer = this.#known.get(node)?.askings ?? []
    const older = read.filter(({ belongsTo }) => !newer.some((each) => each.belongsTo === belongsTo))
    const askings = [...newer, ...older].slice(0, requestedByNode.bound)
    const writtenAt = newer.length > 0 ? 0 : askings[0]!.heard
    this.#known.set(node, { askings, written: formatUntimedRequests(askings), writtenAt })
  }

  async #write(node: string, text: string): Promise<void> {
    const { folder, files, warn } = this.#options
    try {
      await files.makeDirectory(folder, 0o700)
      await files.write(join(folder, `${node}.json`), text, 0o600)
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing) warn(error)
      this.#isFailing = true
    }
  }
}

/** The files of a folder, the oldest first: a cache that is filled in this order drops the oldest first. */
async function listRequestFiles(folder: string, files: AgentRequestsOptions['files']) {
  const found: { readonly name: string; readonly modified: number }[] = []
  for (const name of (await files.list(folder)) ?? []) {
    const stat = name.endsWith('.json') ? await files.stat(join(folder, name)) : undefined
    if (stat) found.push({ name, modified: stat.modified })
  }
  return found.sort((one, other) => one.modified - other.modified)
}

/**
 * JSON of the requests without their times, sorted by environment, so that the file of a node that alternates between
 * environments is not rewritten.
 */
function formatUntimedRequests(askings: readonly TimedAgentRequest[]): string {
  const plain = askings.map(({ heard: _, ...asking }) => asking)
  return JSON.stringify(plain.sort((one, other) => compareCodeUnits(one.belongsTo, other.belongsTo)))
}

/**
 * Parses a file; empty if malformed. Until version 0.1.0 a file contained one request without its
 * time.
 */
function parseAgentRequests(written: string, modified: number): readonly TimedAgentRequest[] {
  try {
    const askings: unknown = JSON.parse(written)
    if (Array.isArray(askings)) return askings.map(parseAgentRequest)
    return [parseAgentRequest({ ...checkJsonObject(askings, 'asking'), heard: modified })]
  } catch {
    return []
  }
}

function parseAgentRequest(value: unknown): TimedAgentRequest {
  const {
    environment,
    belongsTo,
    extensions,
    static: isStatic,
    checksumTypes,
    heard,
  } = checkJsonObject(value, 'asking')
  return {
    environment: checkJsonString(environment, 'environment'),
    belongsTo: checkJsonString(belongsTo, 'belongsTo'),
    extensions: Object.fromEntries(
      Object.entries(checkJsonObject(extensions, 'extensions')).map(([name, each]) => [
        name,
        checkJsonString(each, name),
      ]),
    ),
    static: isStatic === true,
    checksumTypes: checkOptionalString(checksumTypes, 'checksumTypes'),
    heard: checkJsonNumber(heard, 'heard'),
  }
}
