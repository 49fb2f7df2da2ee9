import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ArchiveEntry, packedModule, tgzOf } from './archive.ts'

/** A release of a module as the test publishes it. */
export interface Published {
  readonly slug: string
  readonly version: string
  /** The files of the module; a metadata.json is added. */
  readonly files?: Readonly<Record<string, ArchiveEntry>>
  readonly metadata?: Readonly<Record<string, unknown>>
  /** The archive, in place of one made of files. */
  readonly archive?: Uint8Array
  /** What is otherwise in the answer about the release, such as another checksum. */
  readonly about?: Readonly<Record<string, unknown>>
}

/** What a Forge does in place of an answer; `false` where it answers as ever. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => boolean

/** A Forge of the test's own, which speaks the API of forgeapi.puppet.com (v3) on the loopback interface. */
export interface TestForge {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Paths with queries that were asked for, in their order. */
  readonly requests: readonly string[]
  /** The headers of the last request. */
  readonly headers: IncomingMessage['headers']
  publish(release: Published): Promise<void>
  /** Marks a release as deleted, as the Forge does; nobody gets it any more. */
  remove(slug: string, version: string): void
  /** Answers in another way from now on; without a word as ever. */
  misbehave(how?: Misbehaviour): void
  close(): Promise<void>
}

interface Release extends Published {
  readonly bytes: Buffer
  deletedAt: string | null
}

const standardLimit = 20

/** Starts it without modules. Others than this machine cannot reach it. */
export async function openForge(): Promise<TestForge> {
  const releases = new Map<string, Release[]>()
  const requests: string[] = []
  let headers: IncomingMessage['headers'] = {}
  let misbehaviour: Misbehaviour = () => false
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    headers = request.headers
    if (!misbehaviour(request, response)) answer(releases, new URL(request.url ?? '', 'http://forge'), response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get headers() {
      return headers
    },
    async publish(release) {
      const { slug, version, files = {}, metadata, archive } = release
      const bytes = Buffer.from(archive ?? (await tgzOf(packedModule(slug, version, files, metadata))))
      releases.set(slug, [...(releases.get(slug) ?? []), { ...release, bytes, deletedAt: null }])
    },
    remove(slug, version) {
      const found = releases.get(slug)?.find((each) => each.version === version)
      if (found) found.deletedAt = '2024-01-01 00:00:00 -0800'
    },
    misbehave(how = () => false) {
      misbehaviour = how
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(releases: ReadonlyMap<string, Release[]>, { pathname, searchParams }: URL, response: ServerResponse) {
  const [, kind, name = ''] = /^\/v3\/(modules|releases|files)(?:\/([\w.+-]+))?$/.exec(pathname) ?? []
  const all = [...releases.values()].flat()
  if (kind === 'modules' && name === '') return json(response, foundBy(releases, searchParams.get('query') ?? ''))
  if (kind === 'modules') return json(response, moduleOf(releases.get(name) ?? []))
  if (kind === 'releases' && name === '') return json(response, pageOf(releases, searchParams))
  const found = all.find(({ slug, version, deletedAt }) => {
    const whole = `${slug}-${version}`
    return (name === whole || name === `${whole}.tar.gz`) && !(kind === 'files' && deletedAt !== null)
  })
  if (kind === 'releases') return json(response, found && releaseOf(found))
  if (!found || kind !== 'files') return json(response, undefined)
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': found.bytes.length })
  response.end(found.bytes)
}

function json(response: ServerResponse, content: unknown): void {
  const isThere = content !== undefined
  response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json; charset=utf-8' })
  const missing = { message: '404 Not Found', errors: ["'The requested resource could not be found'"] }
  response.end(JSON.stringify(isThere ? content : missing))
}

/** Newest first, as the Forge sorts them; pre-releases stand with the others. */
function sorted(releases: readonly Release[]): Release[] {
  return releases.toSorted((one, other) => other.version.localeCompare(one.version, 'en', { numeric: true }))
}

function moduleOf(releases: readonly Release[]): unknown {
  const all = sorted(releases)
  const there = all.filter(({ deletedAt }) => deletedAt === null)
  const current = there.find(({ version }) => !version.includes('-')) ?? there[0]
  const { slug } = all[0] ?? {}
  if (slug === undefined) return undefined
  const [owner = '', name = ''] = slug.split('-')
  return {
    ...{ uri: `/v3/modules/${slug}`, slug, name, owner: { uri: `/v3/users/${owner}`, slug: owner, username: owner } },
    ...{ downloads: 1, created_at: '2020-01-01 00:00:00 -0800', updated_at: '2020-01-01 00:00:00 -0800' },
    ...{ deprecated_at: null, supported: false, endorsement: null },
    current_release: current ? releaseOf(current) : null,
    releases: all.map((release) => ({
      ...{ uri: `/v3/releases/${slug}-${release.version}`, slug: `${slug}-${release.version}` },
      ...{ version: release.version, supported: false, created_at: '2020-01-01 00:00:00 -0800' },
      deleted_at: release.deletedAt,
      ...{ file_uri: `/v3/files/${slug}-${release.version}.tar.gz`, file_size: release.bytes.length },
    })),
  }
}

/** The only page of a search: modules whose names contain the words. */
function foundBy(releases: ReadonlyMap<string, Release[]>, words: string): unknown {
  const found = [...releases].filter(([slug]) => slug.includes(words)).map(([, all]) => moduleOf(all))
  return { pagination: { limit: 50, offset: 0, next: null, total: found.length }, results: found }
}

function releaseOf({ slug, version, bytes, deletedAt, metadata, about }: Release): Record<string, unknown> {
  const [owner = '', name = ''] = slug.split('-')
  return {
    ...{ uri: `/v3/releases/${slug}-${version}`, slug: `${slug}-${version}`, version },
    module: { uri: `/v3/modules/${slug}`, slug, name, owner: { uri: `/v3/users/${owner}`, slug: owner } },
    ...{ metadata: { name: slug, version, ...metadata }, tags: [], supported: false, downloads: 1 },
    ...{ file_uri: `/v3/files/${slug}-${version}.tar.gz`, file_size: bytes.length },
    ...{ file_md5: hash('md5', bytes, 'hex'), file_sha256: hash('sha256', bytes, 'hex') },
    ...{ created_at: '2020-01-01 00:00:00 -0800', updated_at: '2020-01-01 00:00:00 -0800' },
    ...{ deleted_at: deletedAt, deleted_for: null, ...about },
  }
}

function pageOf(releases: ReadonlyMap<string, Release[]>, query: URLSearchParams): unknown {
  const slug = query.get('module') ?? ''
  const limit = Number(query.get('limit') ?? standardLimit)
  const offset = Number(query.get('offset') ?? 0)
  const all = sorted(releases.get(slug) ?? []).filter(({ deletedAt }) => deletedAt === null)
  const page = (at: number) =>
    `/v3/releases?${new URLSearchParams({ module: slug, limit: `${limit}`, offset: `${at}` })}`
  return {
    pagination: {
      ...{ limit, offset, first: page(0), current: page(offset), total: all.length },
      previous: offset > 0 ? page(Math.max(0, offset - limit)) : null,
      next: offset + limit < all.length ? page(offset + limit) : null,
    },
    results: all.slice(offset, offset + limit).map(releaseOf),
  }
}
